/** Compiles the text of a document. Loaded on first use, because it loads the YAML parser and Ajv. */
import type { Contract, RequestContract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { compileContract } from './compile-contract.js'
import { DocumentProblem, type OpenApiDocument } from './document.js'
import { createNotes, type DocumentNote } from './notes.js'
import { type ReadOptions, readDocument } from './read/read-document.js'
import type { ExplainedOperation } from './resources/explain-operation.js'

export interface CompiledText {
  contract: Contract
  /** The document as OpenAPI 3.1. */
  document: OpenApiDocument
  /** The original text. */
  text: string
  /** The number of notes. */
  noteCount: number
  /** What was left out of the document or approximated, in the order of the text. */
  notes(): DocumentNote[]
  /** Why each operation has its effect, in the order of the document. */
  explanations: ExplainedOperation[]
  /** Path templates of the collections by name. */
  collectionPaths: ReadonlyMap<string, string>
  /** Returns the contract as plain data, without validators, and the code of an ES module that exports these. */
  toModule(): { contract: Omit<RequestContract, 'validators'>; validators: string }
}

/**
 * @param file name to quote in errors
 * @throws SandboxError `INVALID_DOCUMENT` with file, line, column and a code frame, if the text cannot be parsed or has
 * nothing to serve, or if `strict` is set and anything is wrong
 */
export function compileText(text: string, file: string, options: ReadOptions = {}): CompiledText {
  try {
    return compileSource(text, file, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The stack of V8 is full.
    throw new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": its $refs form too long a chain`)
  }
}

function compileSource(text: string, file: string, options: ReadOptions): CompiledText {
  const { document, notes, toError } = readDocument(text, file, options)
  try {
    const { contract, validators, recordValidators, explanations, paths } = compileContract(document, notes)
    if (options.thorough ?? options.strict) {
      validators.compileAll()
      recordValidators.compileAll()
    }
    const functions = { validators: validators.toFunctions(), recordValidators: recordValidators.toFunctions() }
    const [wrong] = notes.list
    if (wrong && options.strict) throw toError(wrong)
    return {
      contract: { ...contract, ...functions },
      document,
      text,
      get noteCount() {
        return notes.list.length
      },
      notes: toDocumentNotes,
      explanations,
      collectionPaths: paths,
      toModule() {
        const module = compileContract(document, createNotes(), { isForModule: true })
        const { recordSchemas, ...requests } = module.contract
        return { contract: { ...requests, plans: module.plans.compileAll() }, validators: module.validators.toModule() }
      },
    }
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    // Nothing is left to serve because of what was left out.
    throw toError(notes.list[0] ?? error)
  }

  function toDocumentNotes(): DocumentNote[] {
    const located = notes.list.map((note) => ({ note, location: toError(note).location }))
    return located
      .map(({ note: { message, instead }, location }) => {
        const { line = 1, column = 1 } = location ?? {}
        return { message, instead, file, line, column }
      })
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
  }
}
