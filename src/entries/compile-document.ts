/** Compiles the text of an OpenAPI document. The compiler comes in only when this is called. */

import type { OpenApiDocument } from '../compile/document.js'
import type { Contract } from '../contract/contract.js'

/** A document with what was compiled from it. */
export interface CompiledDocument {
  contract: Contract
  /** As OpenAPI 3.1, whatever it was written in. */
  document: OpenApiDocument
  /** As it was written. */
  text: string
}

/**
 * @param text OpenAPI 3.0 or 3.1, YAML or JSON, with `$ref`s inside the file
 * @param file name to quote in errors. @default 'openapi.yaml'
 * @throws SandboxError `INVALID_DOCUMENT` with the place in the text and a code frame
 */
export async function compileDocument(text: string, file = 'openapi.yaml'): Promise<CompiledDocument> {
  const { compileContract, DocumentProblem, readDocument } = await import('../compile/compiler.js')
  const source = readDocument(text, file)
  try {
    const { contract, validators, recordValidators } = compileContract(source.document)
    const functions = { validators: validators.toFunctions(), recordValidators: recordValidators.toFunctions() }
    return { contract: { ...contract, ...functions }, document: source.document, text }
  } catch (error) {
    throw error instanceof DocumentProblem ? source.toError(error) : error
  }
}
