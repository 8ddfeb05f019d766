/** Compiles each document once, because most tests do not change it. */
import { type CompiledDocument, compileDocument } from 'petstore-sandbox'

const compiled = new Map<string, Promise<CompiledDocument>>()

/** Compiles each text once. */
export function compileOnce(text: string): Promise<CompiledDocument> {
  const known = compiled.get(text) ?? compileDocument(text)
  compiled.set(text, known)
  return known
}
