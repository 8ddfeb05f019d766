/** Makes what an operation computes, where no example shows it: entries of lists, texts, addresses. */

import type { OpenApiDocument } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { findResult } from '../../../infer/facts/find-result.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { isObject } from '../../../json/own-value.js'
import { examplesAt } from '../../../schemas/examples.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { resolveMade } from '../../samples/resolve-made.js'

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
      const value = isEmpty && findResult(document, { name, schema: property, isRequired: required.has(name) })
      return value ? [[name, resolveMade(document, property, value, name)]] : []
    })
    return made.length > 0 ? toJson({ ...body, ...Object.fromEntries(made) }) : text
  })
}
