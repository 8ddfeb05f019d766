/** Makes what an operation computes, where no example shows it: entries of lists, texts, addresses. */

import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { examplesAt } from '../../../infer/facts/examples.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { isObject } from '../../../json/own-value.js'
import { singular, wordsOf } from '../../../lexicon/words.js'
import { exampleValue, flattenSchema, isObjectSchema } from '../../../schemas/flatten-schema.js'
import { withBranch } from '../../../schemas/tagged.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { sample, textual } from '../../samples/sample.js'

/** Lists of an answer that are empty if all is well, or are not about what was made. */
const isBeside = /(^|[^a-z])(errors?|warnings?|failures?|invalid\w{0,40}|links?|metadata)$/

interface Result {
  name: string
  schema: Located<Schema>
  isRequired: boolean
  /** Its value in the example of the operation's own answer. */
  shown?: unknown
}

/** @returns undefined if a property is not about what was made */
export function makeResult(document: OpenApiDocument, { name, schema, isRequired, shown }: Result): unknown {
  const { types, items, keywords } = flattenSchema(document, schema)
  if (types.has('array') || items) {
    if (!isRequired || !items || types.has('null') || isBeside.test(wordsOf(name).join(' '))) return undefined
    if (Array.isArray(shown) && shown.length > 0) return shown
    const isRecord = isObjectSchema(flattenSchema(document, withBranch(document, items)))
    return isRecord ? [sample(document, items, singular(name), true)] : undefined
  }
  // What says that all is well is also called message or response.
  const isTold = (textual.test(name) && !/^(message|response)$/i.test(name)) || /^ur[il]$/i.test(name)
  if (!types.has('string') || keywords.enum || !isTold) return undefined
  return exampleValue(keywords) ?? sample(document, schema, name, true)
}

/** An answer whose example is made of its schema, with entries in its lists. */
export function withResults(document: OpenApiDocument, success: DescribedSuccess): DescribedSuccess {
  const { status, schema } = success
  const isShown = schema && examplesAt(document, { path: schema.path.slice(0, -1), is: 'record' }).length > 0
  if (!schema || isShown) return success
  return withLazy({ status, schema }, 'example', () => {
    const text = success.example ?? 'null'
    const body: unknown = fromJson(text)
    if (!isObject(body)) return text
    const { properties, required } = flattenSchema(document, schema)
    const made = [...properties].flatMap(([name, property]) => {
      const isEmpty = Array.isArray(body[name]) && body[name].length === 0
      const value = isEmpty && makeResult(document, { name, schema: property, isRequired: required.has(name) })
      return value ? [[name, value]] : []
    })
    return made.length > 0 ? toJson({ ...body, ...Object.fromEntries(made) }) : text
  })
}
