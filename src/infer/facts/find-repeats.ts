/** Finds answers with one item for each value of a list in the request: `input` of texts and `data` of their results. */

import type { Repeats } from '../../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { isIndex } from '../../lexicon/numbers.js'
import { bareName, nounOf, singular, wordsOf } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { recordContent } from '../../schemas/operations/request-content.js'
import type { FoundList } from './body-shape.js'
import { findReferenceKeys } from './find-reference-keys.js'

export function findRepeats(
  document: OpenApiDocument,
  operation: DescribedOperation,
  { pointer, schema, item, isEnvelope }: FoundList,
): Repeats | undefined {
  const content = operation.method === 'GET' ? undefined : recordContent(document, operation)
  if (content?.value.schema === undefined) return undefined
  const limits = flattenSchema(document, schema).keywords
  if (limits.maxItems !== undefined || limits.uniqueItems === true) return undefined
  const body = flattenSchema(document, schemaOf(content))
  const itemsOf = (each: Located<Schema>) => flattenSchema(document, each).items
  const lists = body.items
    ? [{ given: [], items: body.items }]
    : [...body.properties].flatMap(([name, each]) => {
        const items = itemsOf(each)
        return items ? [{ given: [name], items }] : []
      })
  const isNamed = ({ given }: { given: string[] }) => nounOf(given[0] ?? '') === nounOf(pointer.at(-1) ?? '')
  const found = lists.find(isNamed) ?? (lists.length === 1 && isEnvelope ? lists[0] : undefined)
  if (!found) return undefined
  const { properties } = flattenSchema(document, item)
  const sent = flattenSchema(document, found.items)
  const last = singular(wordsOf(found.given[0] ?? 'ids').at(-1) ?? '')
  const keys = sent.properties.size === 0 ? findReferenceKeys(document, flattenSchema(document, item), sent.types) : []
  const key = keys.find(
    ([name, types]) => [bareName(name), 'id'].includes(last) && types.some((type) => sent.types.has(type)),
  )
  const index = [...properties].find(
    ([name, each]) => isIndex(name) && flattenSchema(document, each).types.has('integer'),
  )
  return { given: found.given, ...(key && { key: key[0] }), ...(index && { index: index[0] }) }
}
