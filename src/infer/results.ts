/** Finds what an operation computes, where no example shows it: entries of lists, texts, addresses. */
import { guess } from '../behaviour/line.js'
import { briefly } from '../behaviour/values.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { isBesideResult } from '../lexicon/envelopes.js'
import { isWrittenText, mayReport } from '../lexicon/kinds.js'
import { examplesAt } from '../schemas/examples.js'
import { exampleValue, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import { withBranch } from '../schemas/tagged.js'
import type { Candidate } from './facts/candidate.js'

interface Result {
  name: string
  schema: Located<Schema>
  isRequired: boolean
  /** Its value in the example of the operation's own answer. */
  shown?: unknown
}

/** Says what a POST that answers by example computes: items of the lists of its answer, of which no example is shown. */
export function findResults(document: OpenApiDocument, { operation, success, lines }: Candidate): void {
  const { schema } = success ?? {}
  if (operation.method !== 'POST' || !schema) return
  if (examplesAt(document, { path: schema.path.slice(0, -1), is: 'record' }).length > 0) return
  const { properties, required } = flattenSchema(document, schema)
  for (const [name, property] of properties) {
    const value = findResult(document, { name, schema: property, isRequired: required.has(name) })
    if (value) lines.add('results', name, value, guess('name', 'it is computed'))
  }
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
