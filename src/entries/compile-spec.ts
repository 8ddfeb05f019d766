/** Compiles a document by its path or URL, with the files that it refers to and with overlays. For Node.js. */

import type { OverlayAction } from '../compile/resources/print-overlay.js'
import type { ReadText } from '../document/load-sources.js'
import { name } from '../generated/package.js'
import { toJson } from '../json/exact-json.js'
import type { CompileOptions } from './compile-document.js'
import type { CompiledText } from './compile-text.js'
import { nextOverlay, toOverlay } from './corrections.js'

/** The source of a document. */
export interface SpecOptions {
  /** Path or URL (http or https) of a document: Swagger 2.0 or OpenAPI 3.0 to 3.2, YAML or JSON. @default the bundled document */
  spec?: string
  /**
   * Paths or URLs of OpenAPI Overlays (1.0 or 1.1), in the order in which they are applied.
   * @default none
   */
  overlays?: readonly string[]
  /** Requests the URLs in `$ref`s of the document. Files are always read. @default false */
  allowRemoteRefs?: boolean
  /**
   * Also reads files outside of the repository of the document. Without a repository, the limit is the common folder of
   * the document and the working directory. @default false
   */
  allowOutsideRefs?: boolean
  /**
   * 404: no unknown key has a record. By default, keys that no list and no creation shows have a sample.
   * @default undefined
   */
  unknownKeys?: 404 | undefined
}

/** Name of the bundled document, if a file name is needed. */
export const bundledFile: string = `${name}/openapi.yaml`

/** Whether the options mean the unchanged bundled document, which was compiled when the program was built. */
export function isBundled({ spec, overlays = [] }: SpecOptions): boolean {
  return spec === undefined && overlays.length === 0
}

/** What is known besides the source of a document. */
export interface Reading {
  /** Called before each file or URL is read. */
  onRead?: ((location: string) => void) | undefined
  /** Texts that are not read again, by their locations. Gets those that are read. @default none */
  texts?: Map<string, ReadText> | undefined
  /** Leaves out what operations do. @default false */
  isOutline?: boolean
  /** Corrections that are applied last. @default none */
  further?: readonly OverlayAction[]
}

/**
 * @throws SandboxError `UNREADABLE_FILE` or `INVALID_DOCUMENT`
 */
export async function compileSpec(
  { spec, overlays, allowRemoteRefs, allowOutsideRefs = false, unknownKeys }: SpecOptions,
  options: CompileOptions,
  { onRead, texts, further = [], isOutline = false }: Reading = {},
): Promise<CompiledText> {
  const [{ compileInSlices }, { loadSources }, { readText }, { createOutsideCheck }] = await Promise.all([
    import('./compile-text.js'),
    import('../document/load-sources.js'),
    import('../node/read-text-file.js'),
    import('../node/read-text-file.js'),
  ])
  const document = spec ?? { file: bundledFile, text: (await import('../generated/document.js')).text }
  const refuseOutside = allowOutsideRefs ? undefined : createOutsideCheck(spec ?? bundledFile)
  const read = async (location: string, isReferred: boolean) => {
    if (isReferred) await refuseOutside?.(location)
    const known = texts?.get(location)
    if (known) return known
    onRead?.(location)
    const text = await readText(location, isReferred)
    texts?.set(location, text)
    return text
  }
  const corrections = further.length > 0 && {
    file: nextOverlay(),
    text: toJson(toOverlay('Corrections', further)),
  }
  const all = [...(overlays ?? []), ...(corrections ? [corrections] : [])]
  return compileInSlices(await loadSources(document, { read, overlays: all, allowRemoteRefs }), {
    unknownKeys,
    isOutline,
    ...options,
  })
}
