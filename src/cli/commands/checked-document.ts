/** The document of a check: its name, and the lines of its operations. */
import type { Finding } from '../../checks/finding.js'
import type { CheckedDocument } from '../../checks/report.js'
import type { Contract } from '../../contract/contract.js'
import { bundledFile, compileSpec, isBundled } from '../../entries/compile-spec.js'
import type { CompiledText, FilePosition } from '../../entries/compile-text.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'

/** A document to compare traffic with. */
export interface LoadedDocument extends Pick<CompiledText, 'contract' | 'document'> {
  /** Resolves to the file and line of each operation, by id. */
  places(): Promise<ReadonlyMap<string, FilePosition>>
}

/**
 * Loads the document that the options name. The bundled one was compiled when the program was built.
 * @throws SandboxError `UNREADABLE_FILE` or `INVALID_DOCUMENT`
 */
export async function loadDocument(options: DocumentOptions): Promise<LoadedDocument> {
  const source = toSpecOptions(options)
  if (!isBundled(source)) {
    const compiled = await compileSpec(source, { strict: options.strict ?? false })
    const { contract, document } = compiled
    return { contract, document, places: async () => compiled.places() }
  }
  const [{ contract }, { document }] = await Promise.all([
    import('../../generated/contract.js'),
    import('../../generated/document.js'),
  ])
  return { contract, document, places: async () => (await compileSpec({}, {})).places() }
}

/** Describes the document for reports. @param spec the file on the command line; undefined for the bundled document */
export function describeDocument(
  { title, version }: Pick<Contract, 'title' | 'version'>,
  spec: string | undefined,
): CheckedDocument {
  return { title, version, file: spec ?? bundledFile, ...(spec === undefined ? { isBundled: true } : {}) }
}

/** Adds the lines of the operations to findings. @param places called only if there are findings */
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
