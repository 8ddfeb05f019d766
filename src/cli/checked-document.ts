/** The document that a check holds against the traffic: where it comes from, and where in it findings belong. */
import type { Finding } from '../checks/finding.js'
import type { CheckedDocument } from '../checks/report.js'
import type { Contract } from '../contract/contract.js'
import { name } from '../generated/package.js'

/** How the bundled document is called where a file is to be named. */
const bundledFile = `${name}/openapi.yaml`

/** @param spec the file that was named on the command line, if one was */
export function describeDocument(
  { title, version }: Pick<Contract, 'title' | 'version'>,
  spec: string | undefined,
): CheckedDocument {
  return { title, version, file: spec ?? bundledFile, ...(spec === undefined ? { isBundled: true } : {}) }
}

/** Adds the lines of the operations. The reader of documents comes in only where there is something to place. */
export async function placeFindings(findings: Finding[], text: string, file: string): Promise<Finding[]> {
  if (findings.length === 0) return []
  const [{ readDocument }, { describeOperations }] = await Promise.all([
    import('../compile/compiler.js'),
    import('../compile/describe-operations.js'),
  ])
  const { document, lineOf } = readDocument(text, file)
  const lines = new Map(describeOperations(document).map(({ id, at }) => [id, lineOf(at)]))
  return findings.map((finding) => {
    const line = lines.get(finding.operation ?? '')
    return line === undefined ? finding : { ...finding, place: { file, line } }
  })
}
