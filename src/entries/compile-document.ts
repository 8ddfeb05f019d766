/** Compiles the text of an OpenAPI document. The compiler is loaded on the first call. */

import type { OpenApiDocument } from '../compile/document.js'
import type { Contract } from '../contract/contract.js'

/** A document and its compiled contract. */
export interface CompiledDocument {
  /** For the option `contract` of `createSandbox`. */
  contract: Contract
  /** The document, upgraded to OpenAPI 3.1 if necessary. */
  document: OpenApiDocument
  /** The original text. */
  text: string
}

/**
 * Compiles an OpenAPI document.
 * @param text OpenAPI 3.0 or 3.1 as YAML or JSON; every `$ref` must point inside the file
 * @param file name of the file to quote in errors. @default 'openapi.yaml'
 * @throws SandboxError `INVALID_DOCUMENT` with file, line, column and a code frame
 *
 * @example
 * const { contract } = await compileDocument(await readFile('books.yaml', 'utf8'), 'books.yaml')
 * const sandbox = createSandbox({ contract })
 */
export async function compileDocument(text: string, file = 'openapi.yaml'): Promise<CompiledDocument> {
  const { compileText } = await import('../compile/compile-text.js')
  const { contract, document } = compileText(text, file)
  return { contract, document, text }
}
