/** What a change writes, and whether it says that it creates. */
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { flattenSchema, hasFlag } from '../schemas/flatten-schema.js'
import { wordsOf } from './words.js'

/**
 * The schema that says what callers write. An answer that marks everything that can be sent as `readOnly` says only
 * that it is an answer.
 */
export function findWritten(
  document: OpenApiDocument,
  answered: Located<Schema>,
  record: Located<Schema>,
  request: Located<Schema> | undefined,
): Located<Schema> {
  if (!request) return answered
  const isReadOnly = (schema: Located<Schema>) => hasFlag(document, schema, 'readOnly')
  const sent = [...flattenSchema(document, request).properties].filter(([, schema]) => !isReadOnly(schema))
  const isWritable = (schema: Located<Schema>) => {
    const { properties } = flattenSchema(document, schema)
    const shared = sent.flatMap(([name]) => properties.get(name) ?? [])
    return shared.length === 0 || shared.some((each) => !isReadOnly(each))
  }
  return [answered, record].find(isWritable) ?? request
}

/** `createOrReplace`, `Creates or updates a tax`, `Add or update project permissions` */
export function saysCreate({ operationId = '', summary = '' }: { operationId?: string; summary?: string }): boolean {
  const isAdded = /^\s*adds?\b|\badds?[ _-]+or[ _-]/i
  return (
    [...wordsOf(operationId), ...wordsOf(summary)].some((word) => /^(creates?|upserts?)$/.test(word)) ||
    isAdded.test(summary) ||
    isAdded.test(operationId.split(/[./]/).at(-1) ?? '')
  )
}
