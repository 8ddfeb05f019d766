/** Compiles the text of an OpenAPI document. The compiler is loaded on the first call. */

import type { Contract } from '../contract/contract.js'
import type { AnyDocument, DocumentTypes } from '../contract/document-types.js'
import { type OpenFact, rememberOpenFacts } from '../contract/open-fact.js'
import type { OpenApiDocument } from '../document/document.js'
import type { DocumentNote } from '../document/notes.js'
import { once } from '../document/once.js'
import type { CompiledText } from './compile-text.js'

/** A document and its compiled contract. */
export interface CompiledDocument<Types extends DocumentTypes = AnyDocument> {
  /** For the option `contract` of `createSandbox`. */
  contract: Contract<Types>
  /** The document as OpenAPI 3.1, without the parts that cannot be served. */
  document: OpenApiDocument
  /** The original text. For a document with other files or overlays, the combined document as JSON. */
  readonly text: string
  /** The number of notes. Parts that are compiled on first use may add more. */
  readonly noteCount: number
  /** The parts of the document that were left out or approximated, in the order of the text. */
  notes(): DocumentNote[]
  /** What decides answers, and neither the document, nor a person, nor a recording says. Found on the first call. */
  openFacts(): readonly OpenFact[]
}

/** Options of `compileDocument`. */
export interface CompileOptions {
  /** Refuses a document with any mistake. @default false */
  strict?: boolean
  /** Also notes problems that take long to find and change nothing. @default false */
  thorough?: boolean
  /** 404: no unknown key has a record, also where no list and no creation shows keys. @default such keys have a sample */
  unknownKeys?: 404 | undefined
}

/**
 * Compiles an OpenAPI document. A mistake affects only its part, which is left out or approximated, with a note.
 * @param text Swagger 2.0 or OpenAPI 3.0 to 3.2, as YAML or JSON
 * @param file name of the file to quote in errors. @default 'openapi.yaml'
 * @throws SandboxError `INVALID_DOCUMENT` with file, line, column and a code frame, if the text cannot be parsed or has
 * no operation, or if `strict` is set and anything is wrong
 *
 * @example
 * const { contract } = await compileDocument(await readFile('books.yaml', 'utf8'), 'books.yaml')
 * const sandbox = createSandbox({ contract })
 */
export function compileDocument<Types extends DocumentTypes = AnyDocument>(
  text: string,
  file?: string,
  options?: CompileOptions,
): Promise<CompiledDocument<Types>>
export async function compileDocument(
  text: string,
  file = 'openapi.yaml',
  options: CompileOptions = {},
): Promise<CompiledDocument> {
  const { compileText } = await import('./compile-text.js')
  return toCompiledDocument(compileText(text, file, options))
}

/** The public part of a compiled document. */
export function toCompiledDocument(compiled: CompiledText): CompiledDocument {
  const { contract, document, notes } = compiled
  const openFacts = once(() => compiled.openFacts())
  rememberOpenFacts(contract, openFacts)
  return {
    contract,
    document,
    get text() {
      return compiled.text
    },
    get noteCount() {
      return compiled.noteCount
    },
    notes,
    openFacts,
  }
}
