/** Finds what an operation computes, where no example shows it: entries of lists, texts, addresses. */
import { briefly } from '../../behaviour/values.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isBesideResult } from '../../lexicon/envelopes.js'
import { isWrittenText, mayReport } from '../../lexicon/kinds.js'
import { exampleValue, flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import { withBranch } from '../../schemas/tagged.js'

interface Result {
  name: string
  schema: Located<Schema>
  isRequired: boolean
  /** Its value in the example of the operation's own answer. */
  shown?: unknown
}

/** @returns undefined if a property is not about what was made */
export function findResult(document: OpenApiDocument, { name, schema, isRequired, shown }: Result): unknown {
  const { types, items, keywords } = flattenSchema(document, schema)
  if (types.has('array') || items) {
    if (!isRequired || !items || types.has('null') || isBesideResult(name)) return undefined
    if (Array.isArray(shown) && shown.length > 0) return shown
    const isRecord = isObjectSchema(flattenSchema(document, withBranch(document, items)))
    return isRecord ? [briefly] : undefined
  }
  // What says that all is well is also called message or response.
  const isTold = (isWrittenText(name) && !mayReport(name)) || /^ur[il]$/i.test(name)
  if (!types.has('string') || keywords.enum || !isTold) return undefined
  return exampleValue(keywords) ?? briefly
}
