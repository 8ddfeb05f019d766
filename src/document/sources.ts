/** The files of a document: the main file, those that it refers to, and overlays. */
import type { applyOverlay } from './apply-overlay.js'
import { parseSource, type Source } from './parse-source.js'
import type { SourceFiles } from './resolve-reference.js'

/** A parsed overlay, with the function that applies it, which only documents with overlays load. */
export interface Overlay {
  source: Source
  apply: typeof applyOverlay
}

export interface Sources extends SourceFiles {
  /** In the order in which they are applied. */
  overlays: readonly Overlay[]
}

/** A document without the other files that it may refer to. */
export function singleSource(text: string, file: string): Sources {
  return { root: parseSource(text, file), others: new Map(), overlays: [] }
}
