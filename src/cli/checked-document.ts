/** The document of a check: its name, and the lines of its operations. */
import type { Finding } from '../checks/finding.js'
import type { CheckedDocument } from '../checks/report.js'
import type { Contract } from '../contract/contract.js'
import { name } from '../generated/package.js'

/** Name of the bundled document, where a file name is needed. */
const bundledFile = `${name}/openapi.yaml`

/**
 * The document as reports name it.
 * @param spec the file on the command line; undefined for the bundled document
 */
export function describeDocument(
  { title, version }: Pick<Contract, 'title' | 'version'>,
  spec: string | undefined,
): CheckedDocument {
  return { title, version, file: spec ?? bundledFile, ...(spec === undefined ? { isBundled: true } : {}) }
}

/** Adds the lines of the operations to findings. Loads the reader of documents only if there are findings. */
export async function placeFindings(findings: Finding[], text: string, file: string): Promise<Finding[]> {
  if (findings.length === 0) return []
  const [{ readDocument }, { describeOperations }] = await Promise.all([
    import('../compile/read/read-document.js'),
    import('../compile/describe-operations.js'),
  ])
  const { document, lineOf } = readDocument(text, file)
  const lines = new Map(describeOperations(document).map(({ id, at }) => [id, lineOf(at)]))
  return findings.map((finding) => {
    const line = lines.get(finding.operation ?? '')
    return line === undefined ? finding : { ...finding, place: { file, line } }
  })
}
