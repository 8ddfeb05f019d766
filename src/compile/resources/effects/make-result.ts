/** Makes what an operation computes, where no example shows it: entries of lists, texts, addresses. */

import type { OperationSaid } from '../../../behaviour/members.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { isObject } from '../../../json/own-value.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { resolveMade } from '../../samples/resolve-made.js'

/** An answer whose example is made of its schema, with entries in its lists. */
export function withResults(
  document: OpenApiDocument,
  success: DescribedSuccess,
  lines: OperationSaid,
): DescribedSuccess {
  const { status, schema } = success
  const results = lines.all('results')
  if (!schema || results.length === 0) return success
  return withLazy({ status, schema }, 'example', () => {
    const text = success.example ?? 'null'
    const body: unknown = fromJson(text)
    if (!isObject(body)) return text
    const { properties } = flattenSchema(document, schema)
    const made = results.flatMap(({ about: name, says }) => {
      const property = properties.get(name)
      const isEmpty = Array.isArray(body[name]) && body[name].length === 0
      return isEmpty && property ? [[name, resolveMade(document, property, says, name)]] : []
    })
    return made.length > 0 ? toJson({ ...body, ...Object.fromEntries(made) }) : text
  })
}
