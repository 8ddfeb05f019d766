/** Whether operations are about many records. */

import { saysMany, summarySaysMany } from '../../../lexicon/verbs.js'
import { isPlural, isSameName, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import { itemOf, operationAt } from '../../paths/path-tree.js'
import type { RuleInput } from '../rule.js'

/** Whether the only lists that are sent are those of one record: `POST /orders` with `{"items": [{…}]}` */
function sendsOne({ document, body, rpc, resource = rpc?.resource }: RuleInput): boolean {
  const own = resource?.record && flattenSchema(document, resource.record).properties
  const sent = [...(body.flat?.properties.keys() ?? [])]
  if (!own || sent.length === 0 || sent.length >= own.size) return false
  return sent.every((name) => {
    const property = own.get(name)
    return property && flattenSchema(document, property).items && !isSameName(name, resource.name)
  })
}

/** Whether a request or its name is about many records of a collection. */
export function isMany(input: RuleInput): boolean {
  const { words, body, node, operation } = input
  const idWords = wordsOf(String(operation.value.operationId ?? '')).filter((word) => word !== 'async')
  const isOfMany = summarySaysMany(String(operation.value.summary ?? ''))
  // An array to add means several records.
  if (input.method === 'POST' && input.verb === 'create' && body.isList && body.flat?.types.has('array')) return true
  const isList = body.isList && (isOfMany || !sendsOne(input))
  const isOfOne = input.verb === 'create' && !isOfMany && !isPlural(idWords.at(-1) ?? 's')
  // Of `/batches/{id}`, each batch is a record.
  const item = isList ? undefined : itemOf(node)
  const path = item && operationAt(item, 'GET') ? [] : wordsOf(node.step.text ?? '')
  const isSaid =
    path.some(saysMany) ||
    saysMany(idWords[0] ?? '') ||
    ((isList || (body.hasList && !isOfOne)) && [...words].some(saysMany))
  const changesMany = isOfMany && input.method !== 'POST'
  return (isList && !isOfOne) || isSaid || changesMany
}

/** Whether a path behind a collection is about many of its records: `/users/batch`, `/users/status` with a list. */
export function isBatch({ node, body, above, other, owner }: RuleInput): boolean {
  const isNamed = wordsOf(node.step.text ?? '').some((word) => saysMany(word))
  return isNamed || (body.isList && above?.kind === 'collection' && above !== owner && !other('GET'))
}
