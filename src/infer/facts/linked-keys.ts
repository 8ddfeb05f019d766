/** What links of answers say: which values are keys of records, and of which ones. */

import { parseRuntimeExpression } from '../../contract/runtime-expression.js'
import type { OpenApiDocument } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { documentedLinks } from '../../schemas/operations/documented-links.js'

/** A value of a request or its answer that a link takes for the key in a path. */
export interface LinkedKey {
  /** The operation with the value, and the one with the path. */
  from: DescribedOperation
  to: DescribedOperation
  /** The names that lead to it in a body, without indexes; the parameter of its path. */
  pointer: readonly string[]
  in: 'answer' | 'request' | 'path'
  /** The path that ends with the key, without names of parameters, and whether the link reads what is there. */
  place: string
  isRead: boolean
}

export function linkedKeys(document: OpenApiDocument): readonly LinkedKey[] {
  return keysOf(document)
}

const keysOf = oncePer((document: OpenApiDocument): readonly LinkedKey[] =>
  documentedLinks(document).flatMap(({ from, to, status, parameters }) =>
    parameters.flatMap(({ known, value }): LinkedKey[] => {
      const expression =
        status.startsWith('2') && known?.in === 'path' ? parseRuntimeExpression(String(value)) : undefined
      if (!expression || !('in' in expression) || !known) return []
      const [before = '', after = ''] = to.path.split(`{${known.name}}`)
      const found = { from, to, place: keyPlace(`${before}{}`), isRead: after === '' && to.method === 'GET' }
      if (expression.in === 'path') return [{ ...found, in: 'path', pointer: [expression.name] }]
      const pointer = (expression.in === 'body' && expression.pointer?.filter((name) => !/^\d*$/.test(name))) || []
      const isIn = expression.of === 'response' ? 'answer' : 'request'
      return pointer.length === 0 ? [] : [{ ...found, in: isIn, pointer }]
    }),
  ),
)

/** A path without names of parameters, which operations at the same path may call differently. */
export function keyPlace(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}')
}

/**
 * The properties that links of operations take for the key of the records of a path.
 * @param isAny whether also those of operations on one record, which may name another one by it
 */
export function linkedNames(
  document: OpenApiDocument,
  operations: readonly DescribedOperation[],
  template: string,
  isAny = false,
): string[] {
  const named = linkedKeys(document).filter(
    ({ from, place, in: at }) =>
      at !== 'path' &&
      place === keyPlace(template) &&
      operations.includes(from) &&
      (isAny || !keyPlace(from.path).startsWith(place)),
  )
  return [...new Set(named.map(({ pointer }) => pointer.at(-1) ?? ''))]
}
