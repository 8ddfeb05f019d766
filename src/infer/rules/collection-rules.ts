/** Rules for operations on the path of a collection. */

import { ownValue } from '../../json/own-value.js'
import { saysMany, summarySaysMany } from '../../lexicon/verbs.js'
import { bareName, isPlural, isSameName, nounOf, wordsOf } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import { nameOf, selectingParameter } from '../facts/facts.js'
import { findKey } from '../facts/find-key.js'
import { itemOf, operationAt } from '../paths/path-tree.js'
import { calculated, isComputed, isCounted, isMeasured, lastWord } from './computed.js'
import { computesFile, does, example, type Rule, type RuleInput, rule } from './rule.js'
import { asksTheSame, ownList } from './singleton-rules.js'

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

/** Whether the query or the body contains the key of one record. */
export function namesOneRecord(input: RuleInput, place: 'query' | 'body'): boolean {
  const { operation, body, rpc, resource = rpc?.resource } = input
  const noun = nounOf(resource?.name ?? '')
  const keys = [resource?.key ?? 'id', `${noun}id`, 'id'].map(bareName)
  if (place === 'body') return [...(body.flat?.properties.keys() ?? [])].some((name) => keys.includes(bareName(name)))
  return operation.parameters.some(({ value }) => {
    const bare = bareName(value.name)
    return value.in === 'query' && (keys.includes(bare) || (value.required === true && bare === noun))
  })
}

/** Whether a query parameter with the name of the key has a list of keys: `DELETE /books?id=1&id=2` */
function namesSeveralRecords({ document, operation, resource }: RuleInput): boolean {
  const keys = [resource?.key ?? 'id', `${nounOf(resource?.name ?? '')}id`, 'id'].map(bareName)
  return operation.parameters.some(
    (each) =>
      each.value.in === 'query' &&
      keys.includes(bareName(each.value.name)) &&
      flattenSchema(document, parameterSchema(each)).types.has('array'),
  )
}

/** Whether it returns pages of records, and is not named like a statistic: `/analytics/sessions/{id}/events` */
function showsPages({ list, node }: RuleInput): boolean {
  return (
    list?.isPaged === true && list.hasRecords && isPlural(wordsOf(nameOf(node)).at(-1) ?? '') && !isComputed({ node })
  )
}

export const collectionRules: readonly Rule[] = [
  rule('collection-get-measures', ['GET'], (input) =>
    (isMeasured(input) && !showsPages(input)) || isCounted(input)
      ? calculated(input, ', and nothing writes it')
      : undefined,
  ),
  rule('collection-get-by-key', ['GET'], (input) => {
    const computes = input.verb === 'compute' || input.verb === 'action' || isComputed(input)
    if (computes && !input.list && selectingParameter(input) !== undefined) return calculated(input)
    const named = input.success?.flat?.items ? undefined : selectingParameter(input)
    return named === undefined || !input.answersObject || input.list?.isEnvelope
      ? undefined
      : does('read', 'medium', `the query parameter "${named}" selects what it returns`)
  }),
  rule('collection-list', ['GET'], (input) => {
    const { list, resource, success } = input
    if (!list || !resource) return undefined
    if (/^(export|download)/i.test(String(input.operation.value.operationId)))
      return example('its name says that it exports')
    if (!list.hasRecords && (input.verb === 'compute' || input.answersFlags)) return example('it returns no records')
    const where = list.pointer.length === 0 ? 'an array' : `an object with the list in "${list.pointer.join('.')}"`
    const found = list.isMap ? 'records by their keys' : where
    return does('list', list.hasRecords ? 'high' : 'medium', `it returns ${success ? found : 'a list'}`)
  }),
  rule('collection-key-in-query', ['GET', 'DELETE', 'PUT', 'PATCH'], (input) => {
    if (!namesOneRecord(input, 'query')) return undefined
    if (input.method === 'DELETE' && namesSeveralRecords(input))
      return example('a query parameter has the keys of the records that it deletes', 'medium', 'bulk-remove')
    const effect = ownValue({ DELETE: 'remove', PUT: 'replace', PATCH: 'update' } as const, input.method)
    if (effect) return does(effect, 'medium', 'a query parameter has the key of the record')
    return input.answersObject
      ? does('read', 'medium', 'a query parameter has the key of one record, which is returned')
      : undefined
  }),
  rule('collection-get-object', ['GET'], (input) => {
    const { success, answersObject, verb } = input
    if (isComputed(input) || verb === 'compute') return calculated(input)
    const isKnown = success?.flat !== undefined && !(answersObject && success.flat.properties.size === 0)
    if (!isKnown || input.saysList)
      return does('list', 'low', 'its path is that of a collection, and its body is not described')
    if (!answersObject) return example('it returns no list of the records of this path')
    if (isPlural(lastWord(input))) return does('list', 'low', 'its path is that of a collection')
    return does('read', 'low', 'it returns one object')
  }),
  computesFile,
  rule('collection-post-asks', ['POST'], ({ verb, list, success, words }) => {
    if (verb !== 'list' || words.has('create') || words.has('add')) return undefined
    if (list?.hasRecords) return does('list', 'medium', 'its name says that it searches, and it returns a list')
    return success?.status === 201 ? undefined : example('its name says that it only searches')
  }),
  rule('collection-post-asks-as-get', ['POST'], (input) => {
    const get = input.other('GET')
    if (!get || !asksTheSame(get, input)) return undefined
    return input.list?.hasRecords && input.resource?.item
      ? does('list', 'medium', 'it asks what GET asks')
      : example('it asks what GET asks')
  }),
  ownList,
  rule('collection-post-many', ['POST'], (input) => {
    if (!isMany(input)) return undefined
    const isReplaced = (input.verb === 'update' || input.verb === 'replace') && !input.saysUpsert
    return example('its body has many records', 'medium', isReplaced ? 'bulk-replace' : 'bulk-create')
  }),
  rule('collection-post-upserts', ['POST'], (input) => {
    const { saysUpsert, resource, body } = input
    // Without a body, nothing says which record there is.
    const isKnown = body.exists || namesOneRecord(input, 'query')
    return saysUpsert && !body.isList && resource && isKnown
      ? does('replace', 'medium', 'its name says that it adds or replaces a record')
      : undefined
  }),
  rule('collection-post-changes', ['POST'], (input) => {
    if (input.success?.status === 201 || input.verb !== 'update' || !namesOneRecord(input, 'body')) return undefined
    return does('update', 'medium', 'its name says that it changes the record whose key is in the body')
  }),
  rule('collection-post', ['POST'], ({ resource, verb, list }) => {
    if (!resource) return undefined
    if (verb === 'compute' && !resource.item) return example('its name says that it computes')
    if (list?.hasRecords && (verb === 'read' || verb === 'list'))
      return does('list', 'low', 'it returns a list, and its name does not say that it creates')
    const sure = verb === 'create' || resource.item ? 'high' : 'medium'
    return does('create', sure, `it adds a record to ${resource.home}`)
  }),
  rule('collection-put', ['PUT', 'PATCH'], (input) => {
    const { document, body, verb, resource } = input
    if (isMany(input) && (verb === 'create' || input.saysUpsert))
      return example('it adds many records', 'medium', 'bulk-create')
    if (isMany(input)) return example('it replaces the records of a whole collection', 'medium', 'bulk-replace')
    if (input.saysUpsert && resource)
      return does('replace', 'medium', 'its name says that it adds or replaces a record')
    if (verb === 'create') return does('create', 'medium', 'its name says that it adds a record')
    if (
      body.flat &&
      (namesOneRecord(input, 'body') || (resource?.record && findKey(document, body.flat, undefined, resource.name)))
    )
      return does(input.method === 'PUT' ? 'replace' : 'update', 'medium', 'its body has the key of the record')
    return example('it changes a whole collection', 'low', 'bulk-replace')
  }),
  rule('collection-delete', ['DELETE'], (input) => {
    const noun = wordsOf(String(input.operation.value.operationId ?? '')).at(-1) ?? ''
    const isOfOne = input.verb === 'remove' && noun === nounOf(lastWord(input)) && isPlural(lastWord(input))
    return isOfOne && !isMany(input)
      ? does('remove', 'low', 'its name says that it deletes one record')
      : example('it deletes the records of a whole collection', 'medium', 'bulk-remove')
  }),
]
