/** Compiles the text of a document. Loaded on first use, because it loads the YAML parser and Ajv. */
import type { Contract } from '../contract/contract.js'
import { compileContract } from './compile-contract.js'
import { DocumentProblem, type OpenApiDocument } from './document.js'
import { readDocument } from './read/read-document.js'

export interface CompiledText {
  contract: Contract
  /** The document, upgraded to OpenAPI 3.1 if necessary. */
  document: OpenApiDocument
  /** The original text. */
  text: string
  /** Returns the code of an ES module that exports the validators of requests. */
  toValidatorModule(): string
}

/**
 * @param file name to quote in errors
 * @throws SandboxError `INVALID_DOCUMENT` with file, line, column and a code frame
 */
export function compileText(text: string, file: string): CompiledText {
  const { document, toError } = readDocument(text, file)
  try {
    const { contract, validators, recordValidators } = compileContract(document)
    const functions = { validators: validators.toFunctions(), recordValidators: recordValidators.toFunctions() }
    return { contract: { ...contract, ...functions }, document, text, toValidatorModule: validators.toModule }
  } catch (error) {
    throw error instanceof DocumentProblem ? toError(error) : error
  }
}
