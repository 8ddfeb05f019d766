/** The files of a document: its own, those that it refers to, and the overlays that change it. */
import type { applyOverlay } from './apply-overlay.js'
import { parseSource, type Source } from './parse-source.js'
import type { SourceFiles } from './resolve-reference.js'

/** A parsed overlay, with the function that applies it: only documents with overlays load that. */
export interface Overlay {
  source: Source
  apply: typeof applyOverlay
}

export interface Sources extends SourceFiles {
  /** In the order in which they are applied. */
  overlays: readonly Overlay[]
}

/** A document whose other files, if it refers to some, were not read. */
export function singleSource(text: string, file: string): Sources {
  return { root: parseSource(text, file), others: new Map(), overlays: [] }
}
