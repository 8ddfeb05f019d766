/** Whether operations are about many records. */

import { isKeyOf } from '../../../lexicon/record-names.js'
import { saysMany, summarySaysMany, verbOfSegment } from '../../../lexicon/verbs.js'
import { bareName, isPlural, isSameName, singular, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import { itemOf, operationAt, type PathNode } from '../../paths/path-tree.js'
import type { Resource } from '../../paths/resource.js'
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
  const idWords = wordsOf(operation.called).filter((word) => word !== 'async')
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

/** Whether a path says what is done to records that are named elsewhere: `/users/bulk-archive`, `/users/archive-many`, `/users/archive` */
export function isActing({ step }: PathNode): boolean {
  const words = wordsOf(step.text ?? '').filter((word) => !saysMany(word))
  return verbOfSegment(words.join('-'))?.kind === 'action'
}

/** Whether a body has keys of records: `{ "ids": [1, 2] }`, `{ "userIds": [1, 2] }` */
export function hasKeysOf({ name, key }: Resource, { document, body }: RuleInput): boolean {
  return [...(body.flat?.properties ?? [])].some(([list, schema]) => {
    const { items } = flattenSchema(document, schema)
    const isScalar = items !== undefined && flattenSchema(document, items).properties.size === 0
    return isScalar && isKeyOf(singular(bareName(list)), name, key)
  })
}

/** Whether a path behind a collection is about many of its records: `/users/batch`, `/users/status` with a list. */
export function isBatch({ node, body, above, other, owner }: RuleInput): boolean {
  const isNamed = wordsOf(node.step.text ?? '').some((word) => saysMany(word))
  return isNamed || (body.isList && above?.kind === 'collection' && above !== owner && !other('GET'))
}
