/** The document of a check: its name, and the lines of its operations. */
import type { Finding } from '../../checks/finding.js'
import type { CheckedDocument } from '../../checks/report.js'
import type { FilePosition } from '../../compile/compile-text.js'
import type { Contract } from '../../contract/contract.js'
import { bundledFile } from '../../entries/compile-spec.js'

/**
 * Describes the document for reports.
 * @param spec the file on the command line; undefined for the bundled document
 */
export function describeDocument(
  { title, version }: Pick<Contract, 'title' | 'version'>,
  spec: string | undefined,
): CheckedDocument {
  return { title, version, file: spec ?? bundledFile, ...(spec === undefined ? { isBundled: true } : {}) }
}

/**
 * Adds the lines of the operations to findings.
 * @param places called only if there are findings
 */
export async function placeFindings(
  findings: Finding[],
  places: () => Promise<ReadonlyMap<string, FilePosition>>,
): Promise<Finding[]> {
  if (findings.length === 0) return []
  const known = await places()
  return findings.map((finding) => {
    const place = known.get(finding.operation ?? '')
    return place ? { ...finding, place } : finding
  })
}
