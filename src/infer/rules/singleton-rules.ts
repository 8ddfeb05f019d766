/** What operations on the path of a record that exists once do. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isResetting, saysMany } from '../../lexicon/verbs.js'
import { bareName, isPlural, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import { type OperationFacts, segmentVerb } from '../facts/facts.js'
import { findOwnList, findOwnProperty } from '../facts/find-own-property.js'
import { operationAt, type PathNode } from '../paths/path-tree.js'
import type { Resource } from '../paths/resource.js'
import { calculated, isComputed, isMeasured, lastWord } from './computed.js'
import { does, example, type Rule, type RuleInput, rule, upload } from './rule.js'

/** Words for singletons of each caller. */
const own = new Set(
  (
    'me self account profile settings setting config configuration preferences preference user whoami current myself ' +
    'subscription plan company organization organisation tenant wallet cart basket quota limits policy branding theme ' +
    'options license billing session'
  ).split(' '),
)

/** Whether a caller must give values for a computation. */
function hasInput({ operation }: RuleInput): boolean {
  if (operation.template.query.length > 0) return true
  return operation.parameters.some(
    ({ value }) =>
      value.in === 'query' &&
      value.required === true &&
      !/key|token|version|user|secret|format|account|[a-z]id$|_id$/i.test(value.name),
  )
}

/**
 * Whether a path shows a record above, or a part of it: what is documented there has the schema of the record, or nothing but
 * properties of it and not the key. A single property has the name of the path.
 */
function isPartOfRecord(
  { document, node, success, body, other, method }: RuleInput,
  { record, key }: Resource,
): boolean {
  if (!record) return false
  const get = method === 'GET' ? success : other('GET')?.success
  const shown = get ? get.flat : (success?.flat ?? body.flat)
  if (!shown || shown.properties.size === 0) return false
  if (get?.schema && placeOf(document, get.schema) === placeOf(document, record)) return true
  const names = [...shown.properties.keys()]
  if (names.length === 1 && bareName(names[0] ?? '') !== bareName(node.step.text ?? '')) return false
  const shared = sharedWith(document, shown, record)
  return shared.length === names.length && !names.some((name) => name === key)
}

/** The properties that a record has with the same types. */
function sharedWith(document: OpenApiDocument, { properties }: FlatSchema, record: Located<Schema>): string[] {
  const known = flattenSchema(document, record).properties
  const shared = [...properties].filter(([name, schema]) => {
    const [one, two] = [schema, known.get(name)].map((each) => each && flattenSchema(document, each).types)
    return two && [...(one ?? [])].every((type) => two.has(type))
  })
  return shared.map(([name]) => name)
}

/** Names that records of many kinds have, and those of their names. */
const common =
  /^((.*[_-])?(ids?|type|kind|object|href|ur[il]|self|links?|meta(data)?|status|state|version|etag|(at|date|time|on|by))|(created|updated|modified).*)$|(?<=[a-z])(At|Date|Time|On|By|Id)$/
const naming = /^(name|title|description|slug|label)$/i

/** Whether a path that nothing writes shows half of the record above or more of it, beside what it has itself. */
function showsRecord({ document, node, success, owner, resources }: RuleInput): boolean {
  if (!owner?.record || !success?.flat || !node.parent || resources.byItem.get(node.parent) !== owner) return false
  if (segmentVerb(node) || findOwnProperty(document, owner.record, node, success.flat)) return false
  const names = [...success.flat.properties.keys()].filter((name) => name !== owner.key)
  const shared = sharedWith(document, success.flat, owner.record).filter((name) => names.includes(name))
  const telling = shared.filter((name) => !common.test(name))
  // What has a key and a name may be a record of another kind.
  const isOwn = names.length < success.flat.properties.size && telling.every((name) => naming.test(name))
  return !isOwn && telling.length > 1 && 2 * shared.length >= names.length
}

/** Whether a path behind a collection is about many of its records: `/users/batch`, `/users/status` with a list. */
function isBatch({ node, body, above, other, owner }: RuleInput): boolean {
  const isNamed = wordsOf(node.step.text ?? '').some((word) => saysMany(word))
  return isNamed || (body.isList && above?.kind === 'collection' && above !== owner && !other('GET'))
}

/** Whether other methods of the path write the value that GET reads. */
function isWritten({ other }: RuleInput): boolean {
  return ['PUT', 'PATCH', 'DELETE', 'POST'].some((method) => {
    const facts = other(method)
    return facts !== undefined && facts.verb !== 'action' && facts.verb !== 'compute'
  })
}

/** The first word of an operationId, without the name of a group. */
export function firstVerb({ value }: OperationFacts['operation']): string {
  const id = typeof value.operationId === 'string' ? value.operationId : ''
  return wordsOf(id.split(/[./_]/).at(-1) ?? '')[0] ?? ''
}

/** Whether GET and POST of a path do the same: `searchGet` and `searchPost` */
export function isTwin(one: OperationFacts, other: OperationFacts): boolean {
  const stem = ({ operation: { value } }: OperationFacts) =>
    bareName(String(value.operationId ?? '')).replace(/^(get|post)|(using)?(get|post)$/g, '')
  const summary = ({ operation: { value } }: OperationFacts) => String(value.summary ?? '')
  return (stem(one) !== '' && stem(one) === stem(other)) || (summary(one) !== '' && summary(one) === summary(other))
}

/** Whether GET takes the same values in its query as POST in its body, and both return the same. */
export function asksTheSame(get: OperationFacts, post: OperationFacts): boolean {
  const answered = ({ success }: OperationFacts) => [...(success?.flat?.properties.keys() ?? [])].sort().join()
  if (answered(get) === '' || answered(get) !== answered(post)) return false
  const asked = get.operation.parameters.flatMap(({ value }) => (value.in === 'query' ? bareName(value.name) : []))
  const sent = [...(post.body.flat?.properties.keys() ?? [])].map(bareName)
  const shared = sent.filter((name) => asked.includes(name)).length
  return shared > 1 && 2 * shared >= sent.length
}

/** The singleton of a path, or the one that contains it. */
export function singletonAbove({ node, resources, owner }: RuleInput): Resource | undefined {
  for (let above: PathNode | undefined = node.parent; above; above = above.parent) {
    const found = resources.at.get(above)
    if (found?.kind === 'singleton' && found.parent === owner && operationAt(above, 'GET')) return found
  }
  return undefined
}

/** A body that is one property of the record above: `PUT /restrictions/{id}/referrer` */
export const ownProperty: Rule = rule('property-value', ['PUT', 'PATCH', 'POST'], (input) => {
  const { document, node, method, owner, resources, body, other, success } = input
  const isBelow = owner !== undefined && node.parent !== undefined && resources.byItem.get(node.parent) === owner
  if (!isBelow || !owner.record || !body.flat || other('GET') || segmentVerb(node)) return undefined
  const answered = success?.schema && placeOf(document, success.schema) === placeOf(document, owner.record)
  const isAdding = method === 'POST' && (firstVerb(input.operation) === 'add' || isPlural(node.step.text ?? ''))
  if (isAdding || (method === 'POST' && success?.schema && !answered)) return undefined
  const at = findOwnProperty(document, owner.record, node, body.flat)
  return at && { ...does('update', 'medium', `it sets ${at.property} of a record of ${owner.home}`, owner), at }
})

/** What is sent becomes an item of the record above, because nothing shows it alone: `POST /balancers/{id}/rules` */
export const ownList: Rule = rule('list-item', ['POST'], (input) => {
  const { document, node, owner, resource, resources, body, other, verb } = input
  const isBelow = owner !== undefined && node.parent !== undefined && resources.byItem.get(node.parent) === owner
  const isShown = other('GET') || (resource !== owner && resource?.item)
  if (!isBelow || isShown || !owner.record || !body.flat || segmentVerb(node)?.isCertain) return undefined
  if (verb === 'update' || verb === 'replace' || verb === 'remove' || verb === 'list') return undefined
  const adds = findOwnList(document, owner.record, node, body.flat)
  return (
    adds && { ...does('action', 'medium', `it adds to ${adds.property} of a record of ${owner.home}`, owner), adds }
  )
})

export const singletonRules: readonly Rule[] = [
  rule('record-part', ['GET', 'PUT', 'PATCH'], (input) => {
    const { owner, node, method, resources } = input
    const isBelow = owner !== undefined && node.parent !== undefined && resources.byItem.get(node.parent) === owner
    if (!isBelow || segmentVerb(node) || !isPartOfRecord(input, owner)) return undefined
    return method === 'GET'
      ? does('read', 'medium', `it shows a part of a record of ${owner.home}`, owner)
      : does('update', 'medium', `it changes a part of a record of ${owner.home}`, owner)
  }),
  ownProperty,
  rule('singleton-get-twin', ['GET'], (input) => {
    const twin = input.other('POST')
    return twin && (asksTheSame(input, twin) || (isTwin(input, twin) && hasInput(input)))
      ? example('POST asks the same, so that it computes')
      : undefined
  }),
  rule('singleton-get-written', ['GET'], (input) => {
    const { answersObject, resource, success, list } = input
    const isAnswered = answersObject || list !== undefined || success?.flat === undefined
    return resource?.kind === 'singleton' && isAnswered && isWritten(input)
      ? does('read', 'high', 'it returns a record that exists once, and other methods write it')
      : undefined
  }),
  rule('singleton-get-computed', ['GET'], (input) => {
    const isStatus = input.owner !== undefined && lastWord(input) === 'status'
    if ((isComputed(input) && !isStatus) || isMeasured(input)) return calculated(input)
    return input.verb === 'compute' ? example('its name says that it computes') : undefined
  }),
  rule('singleton-get-unknown', ['GET'], (input) => {
    const { owner, success, verb, node } = input
    if (!success || success.flat !== undefined || input.answersFile) return undefined
    const isNamed = own.has(lastWord(input)) || (owner && verb === 'read' && !segmentVerb(node))
    return isNamed ? does('read', 'low', 'its name is that of something that exists once') : undefined
  }),
  rule('singleton-get-nothing', ['GET'], ({ answersObject, resource, verb }) => {
    if (!answersObject || resource?.kind !== 'singleton') return example('it returns nothing that is known to be kept')
    return verb === 'action' ? example('its name says that it does something') : undefined
  }),
  rule('singleton-get-below-record', ['GET'], (input) => {
    const { owner, shownCollection } = input
    const isOfOther = shownCollection && shownCollection !== owner
    return owner && !isOfOther && showsRecord(input)
      ? { ...does('read', 'low', `it shows what it has of a record of ${owner.home}`, owner), isBelow: true }
      : undefined
  }),
  rule('singleton-get-named', ['GET'], (input) =>
    own.has(lastWord(input)) ? does('read', 'medium', 'its name is that of something that exists once') : undefined,
  ),
  rule('singleton-get-of-collection', ['GET'], ({ shownCollection: shown, owner, operation }) => {
    const { operationId, summary } = operation.value
    return shown && shown !== owner && /^(get|retrieve|find)/i.test(`${operationId ?? summary}`)
      ? does('read', 'low', `it returns a record of ${shown.home}`, shown)
      : undefined
  }),
  rule('singleton-get-asked', ['GET'], (input) => {
    if (hasInput(input)) return example('the answer depends on query parameters that are required')
    return /^(api|v\d)/.test(input.node.step.text ?? '') ? example('it describes the service') : undefined
  }),
  rule('singleton-get', ['GET'], (input) => {
    const { owner, node, list, saysList } = input
    if (owner && saysList)
      return does('list', 'low', `its summary says that it lists what belongs to a record of ${owner.home}`)
    if (owner) return does('read', 'low', `it returns a part of a record of ${owner.home}`)
    const word = lastWord(input)
    if (node.step.text !== undefined && isPlural(word) && !/^(details|savings)$/.test(word) && !list)
      return does('list', 'low', 'its name is that of several things')
    return does('read', 'low', 'it returns an object, and asks for nothing')
  }),
  rule('singleton-put', ['PUT'], (input) => {
    const { node, owner, body, verb, other, resource } = input
    if (isBatch(input)) return example('it changes many records at once', 'medium', 'bulk-replace')
    const above = singletonAbove(input)
    const isRead = other('GET') !== undefined
    const verbOfPath = segmentVerb(node)
    if (above && (verbOfPath || verb === 'action' || (!isRead && verb !== 'create')))
      return does('action', 'medium', `its name says what it does to ${above.home}`, above)
    if (body.isFile) return upload
    if (!isRead && owner && (verbOfPath || verb === 'action' || !body.exists))
      return does('action', 'medium', `its name says what it does to a record of ${owner.home}`, owner)
    if (!isRead && !owner && verbOfPath?.isCertain)
      return example('its name says that it does something, but not to which record')
    return resource && does('replace', isRead ? 'high' : 'medium', 'it replaces a record that exists once')
  }),
  rule('singleton-patch', ['PATCH'], (input) => {
    const { resource, owner, other, node } = input
    if (isBatch(input)) return example('it changes many records at once', 'medium', 'bulk-replace')
    const verb = segmentVerb(node)
    const effect = verb?.kind === 'action' && wordsOf(node.step.text ?? '').length === 1 ? 'action' : 'update'
    if (owner && !other('GET') && verb)
      return does(effect, 'medium', `its name says how it changes a record of ${owner.home}`, owner)
    return resource && does('update', 'high', 'it changes a record that exists once')
  }),
  rule('singleton-delete', ['DELETE'], ({ resource, owner, operation }) => {
    if (owner && isResetting(firstVerb(operation)))
      return does('action', 'medium', `its name says what it does to a record of ${owner.home}`, owner)
    if (resource?.kind === 'singleton') return does('remove', 'medium', 'it deletes a record that exists once')
    if (owner) return does('remove', 'low', `it detaches something from a record of ${owner.home}`, owner)
    return example('it deletes nothing that is known to be kept', 'low')
  }),
]
