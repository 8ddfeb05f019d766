/** Rules for operations whose path is neither a collection nor a record: views, queries and actions. */

import { isAsking, isReading, isSwitching, saysMany } from '../../lexicon/verbs.js'
import { isPlural, wordsOf } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { lookupParameter, nameOf, segmentVerb } from '../facts/facts.js'
import type { PathNode } from '../paths/path-tree.js'
import type { Resource } from '../paths/resource.js'
import { calculated } from './computed.js'
import { computesFile, does, example, type Rule, type RuleInput, rule, upload, type Verdict } from './rule.js'
import { asksTheSame, isTwin, ownList, ownProperty, singletonAbove } from './singleton-rules.js'

/** Whether an operation after a collection only signals an event of one record and returns nothing. */
function isSignal({ node, verb, success, body }: RuleInput): boolean {
  const isSaid = /(ing|ed)$/.test(nameOf(node)) || segmentVerb(node)?.kind === 'action'
  const isOther = wordsOf(nameOf(node)).some((word) => /^(all|invite|request|import|upload)$/.test(word))
  return isSaid && !isOther && verb === 'action' && success?.flat === undefined && !body.isList
}

export const partRules: readonly Rule[] = [
  rule('part-count', ['GET', 'POST'], ({ node, other }) =>
    /^(count|counts)$/i.test(nameOf(node)) && !other('PUT') ? calculated({ node }) : undefined,
  ),
  rule('part-question', ['GET', 'POST'], ({ node, list, success, resource, above, answersFile }) => {
    if (!isAsking(nameOf(node)) || above?.kind !== 'collection' || resource?.kind === 'collection') return undefined
    if (answersFile || (!list?.hasRecords && success?.flat !== undefined && !above.item)) return undefined
    return does('list', 'medium', `it asks for records of ${above.home}`, above)
  }),
  rule('part-get-file', ['GET'], ({ answersFile }) =>
    answersFile ? example('it returns a file or a text') : undefined,
  ),
  rule('part-get-by-query', ['GET'], (input) => {
    const { document, resource, above } = input
    const named = !resource && above?.kind === 'collection' ? lookupParameter(document, input, above.record) : undefined
    return named !== undefined && above
      ? does('read', 'medium', `the query parameter "${named}" selects the record of ${above.home}`, above)
      : undefined
  }),
  rule('part-get-others', ['GET'], ({ list, resource, node, above, success, saysList, answersFile }) => {
    if (resource || above?.kind !== 'collection') return undefined
    if (success && !success.flat && !answersFile && saysList)
      return does('list', 'low', `it returns some records of ${above.home}`, above)
    const verb = segmentVerb(node)
    if (!list?.hasRecords || verb?.kind === 'compute') return undefined
    return verb?.isCertain || list.pointer.length === 0 || list.isEnvelope
      ? does('list', 'medium', `it returns records of ${above.home}`, above)
      : undefined
  }),
  rule('part-get-chosen', ['GET'], ({ node, above, answersObject, list }) => {
    const isChosen = /^(latest|newest|last|first|current|live|active|default|primary)$/i.test(nameOf(node))
    if (!isChosen || above?.kind !== 'collection' || !answersObject || list?.isEnvelope) return undefined
    return does('read', 'medium', `it returns one record of ${above.home}`, above)
  }),
  computesFile,
  rule('part-post-reads-many', ['POST'], ({ node, list, above, words }) => {
    const said = [...wordsOf(nameOf(node)), ...words]
    const isBatch = said.some(saysMany) && said.some(isReading)
    if (!isBatch || !list?.hasRecords) return undefined
    const resource = above?.kind === 'collection' ? above : undefined
    return does('list', 'low', 'its name says that it reads many records', resource)
  }),
  rule('part-post-asks-as-get', ['POST'], (input) => {
    const get = input.other('GET')
    if (!get || !(isTwin(input, get) || asksTheSame(get, input))) return undefined
    return example('it asks what GET asks')
  }),
  rule('part-post-searches', ['POST'], ({ node, verb }) =>
    (segmentVerb(node)?.kind ?? verb) === 'list'
      ? example('it searches data that the sandbox does not keep')
      : undefined,
  ),
  rule('part-post-many', ['POST'], ({ node, body, above, words, saysUpsert }) => {
    const ofPath = wordsOf(`${nameOf(node)} ${node.parent?.step.text}`)
    const isNamed = ofPath.some(saysMany)
    if (above?.kind !== 'collection' || !isNamed || !(body.isList || body.hasList)) return undefined
    const says = (...wanted: string[]) => wanted.some((word) => ofPath.includes(word) || words.has(word))
    if (says('delete', 'remove')) return example('it deletes many records at once', 'medium', 'bulk-remove')
    if (says('update', 'replace', 'patch', 'modify') && !saysUpsert)
      return example('it changes many records at once', 'medium', 'bulk-replace')
    return says('create', 'add', 'insert', 'upsert') || body.isList
      ? example('its body has many records', 'medium', 'bulk-create')
      : undefined
  }),
  rule('part-post-named', ['POST'], ({ node, above, owner }) => {
    const pathVerb = segmentVerb(node)
    if (!pathVerb) return undefined
    if (above?.kind === 'collection') {
      if (pathVerb.kind === 'create')
        return does('create', 'medium', `its name says that it adds to ${above.home}`, above)
      if (pathVerb.kind === 'remove') return example('it deletes records of a collection', 'low', 'bulk-remove')
    }
    if (owner && node.parent?.step.parameter !== undefined) {
      if (pathVerb.kind === 'update' || pathVerb.kind === 'replace')
        return does('update', 'medium', `its name says that it changes a record of ${owner.home}`, owner)
    }
    return undefined
  }),
  rule('part-post-creates', ['POST'], (input) => {
    const { node, above, success, answersKey, verb, operation, owner } = input
    if (above?.kind !== 'collection' || above === owner) return undefined
    if (!success?.flat || !answersKey(above) || verb === 'action' || verb === 'list') return undefined
    const said = saidByPath(node)
    if (said !== undefined) return does(said, 'low', `its name says what it does to a record of ${above.home}`, above)
    const asksKey = operation.parameters.some(({ value }) => value.in === 'query' && value.required)
    return asksKey ? undefined : does('create', 'low', `it answers with a record of ${above.home}`, above)
  }),
  rule('part-post-file', ['POST'], ({ body, node, owner }) =>
    body.isFile && segmentVerb(node)?.kind !== 'compute' && owner ? upload : undefined,
  ),
  ownList,
  ownProperty,
  rule('part-post-writes-single', ['POST'], ({ node, resource, other, verb }) => {
    const isSet = ['PUT', 'PATCH', 'DELETE'].some((each) => other(each)) && (verb === 'create' || verb === 'replace')
    const isRead = other('GET')?.answersObject === true || isSet
    if (resource?.kind !== 'singleton' || !isRead || segmentVerb(node)?.isCertain || verb === 'action') return undefined
    const isReplaced = verb === 'replace' || (verb === 'create' && !other('PUT') && !other('PATCH'))
    return does(isReplaced ? 'replace' : 'update', 'medium', 'it writes a record that exists once')
  }),
  rule('part-post-acts-on-single', ['POST'], (input) => {
    const { node, owner, verb } = input
    const pathVerb = segmentVerb(node)
    const single = singletonAbove(input)
    const isAction = pathVerb?.kind === 'action' || verb === 'action'
    if (single?.node === node.parent && isAction)
      return does('action', 'medium', `its name says what it does to ${single?.home}`, single)
    if (owner || !single || !(isAction || verb === 'update' || verb === 'create')) return undefined
    const effect = verb === 'update' ? 'update' : 'action'
    return does(effect, 'low', `its name says what it does to ${single.home}`, single)
  }),
  rule('part-post-acts', ['POST'], (input) => {
    const { node, owner, verb, words } = input
    if (!owner) return undefined
    const pathVerb = segmentVerb(node)
    const isExport = node.step.isVerb && /^export/i.test(nameOf(node))
    const isComputed = (pathVerb?.kind === 'compute' && !isExport) || (pathVerb === undefined && verb === 'compute')
    if (isComputed && !words.has('status')) return example('its name says that it computes', 'low')
    if (pathVerb === undefined && verb === 'update' && !isForeign(input, owner))
      return does('update', 'medium', `its name says that it changes a record of ${owner.home}`, owner)
    const sure = pathVerb || verb === 'action' ? 'high' : 'low'
    return does('action', sure, `it does something to a record of ${owner.home}`, owner)
  }),
  rule('part-post-signals', ['POST'], (input) => {
    const { above } = input
    return above?.kind === 'collection' && above.item && isSignal(input)
      ? does('action', 'low', `its name says what happened to a record of ${above.home}`, above)
      : undefined
  }),
  rule('part-post-answers-record', ['POST'], ({ shownCollection: shown, verb, success, body }) =>
    shown && (verb === 'create' || success?.status === 201 || body.isFile)
      ? does('create', 'low', `it answers a new record of ${shown.home}`, shown)
      : undefined,
  ),
  rule('part-post-alone', ['POST'], (input) => saidAlone(input) ?? example('its path names no record')),
]

/** Whether the body shares no property with the records of a resource: `POST /users/{id}/password` */
function isForeign({ document, body }: RuleInput, { record }: Resource): boolean {
  const names = [...(body.flat?.properties.keys() ?? [])]
  if (!record || names.length === 0) return false
  const { properties } = flattenSchema(document, record)
  return properties.size > 0 && !names.some((name) => properties.has(name))
}

/** The effect of an RPC operation after a collection on one of its records, by its name. */
function saidByPath(node: PathNode): 'update' | 'action' | undefined {
  const verb = segmentVerb(node)
  if (!verb || !(verb.isCertain || wordsOf(nameOf(node)).length > 1)) return undefined
  if (verb.kind === 'update' || verb.kind === 'replace') return 'update'
  return verb.kind === 'action' ? 'action' : undefined
}

/** The effect of a path that is only a verb, possibly with its object: `/subscribe`, `/disable-user` */
function saidAlone({ node, body, verb }: RuleInput): Verdict | undefined {
  const segment = segmentVerb(node)
  if (body.isFile && segment?.kind !== 'compute' && (segment?.kind === 'create' || verb === 'create'))
    return { ...upload, sure: 'low' }
  if (!segment?.isCertain) return undefined
  const reason = 'its name says what it does, and nothing shows to which record'
  const [first = '', ...others] = wordsOf(nameOf(node))
  if (isSwitching(first) && !isPlural(others.at(-1) ?? '')) return does('action', 'low', reason)
  if (segment.kind === 'create') return does('create', 'low', reason)
  return segment.kind === 'remove' ? does('remove', 'low', reason) : undefined
}
