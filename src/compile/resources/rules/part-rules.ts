/** What operations do whose path is no collection and no record: views, questions and actions. */

import { flattenSchema } from '../../schemas/flatten-schema.js'
import { nameOf, segmentVerb } from '../facts/facts.js'
import type { PathNode } from '../paths/path-tree.js'
import type { Resource } from '../paths/resource.js'
import { isPlural, isSameName, wordsOf } from '../paths/words.js'
import { isMany } from './collection-rules.js'
import { changesMany, readsMany } from './many-rules.js'
import { example, type Rule, type RuleInput, type Verdict } from './rule.js'
import { asksTheSame, firstVerb, isTwin, singletonAbove } from './singleton-rules.js'

/** Whether a segment says which records come back: `by-date`, `near` */
function isChoice(node: PathNode): boolean {
  return /^(by|near|nearby|inside|within|around|latest|recent|popular|top|featured|active|random)$/.test(
    wordsOf(nameOf(node))[0] ?? '',
  )
}

/** Whether an operation behind a collection only tells of one record, and answers nothing. */
function isSignal({ node, verb, success, body }: RuleInput): boolean {
  const isSaid = /(ing|ed)$/.test(nameOf(node)) || segmentVerb(node)?.kind === 'action'
  const isOther = wordsOf(nameOf(node)).some((word) => /^(all|invite|request|import|upload)$/.test(word))
  return isSaid && !isOther && verb === 'action' && success?.flat === undefined && !body.isList
}

/** Words of segments that ask for the records of the collection before them. */
const asking = /^(query|search|find|filter|lookup|list|autocomplete|suggest)$/i

export const partRules: readonly Rule[] = [
  {
    name: 'the number of what is found',
    judge: ({ method, node, other }) =>
      /^(count|counts)$/i.test(nameOf(node)) && (method === 'GET' || method === 'POST') && !other('PUT')
        ? example('its name says that the answer is calculated')
        : undefined,
  },
  {
    name: 'a question behind a collection',
    judge: ({ method, node, list, success, resource, resources, answersFile }) => {
      const parent = node.parent && resources.at.get(node.parent)
      if (!asking.test(nameOf(node)) || parent?.kind !== 'collection' || resource?.kind === 'collection')
        return undefined
      if ((method !== 'GET' && method !== 'POST') || answersFile) return undefined
      if (!list?.hasRecords && success?.flat !== undefined && !parent.item) return undefined
      return { effect: 'list', resource: parent, reason: `it asks for records of ${parent.home}`, sure: 'medium' }
    },
  },
  {
    name: 'GET of a file',
    judge: ({ method, answersFile }) =>
      method === 'GET' && answersFile ? example('it returns a file or a text') : undefined,
  },
  {
    name: 'GET of other records',
    judge: ({ method, list, resource, node, resources, success, saysList, answersFile }) => {
      if (method !== 'GET' || resource) return undefined
      const above = node.parent && resources.at.get(node.parent)
      if (above?.kind === 'collection' && success && !success.flat && !answersFile && (saysList || isChoice(node)))
        return { effect: 'list', resource: above, reason: `it returns some records of ${above.home}`, sure: 'low' }
      if (!list?.hasRecords) return undefined
      const verb = segmentVerb(node)
      if (verb?.kind === 'compute') return undefined
      const parent = node.parent && resources.at.get(node.parent)
      if (parent?.kind === 'collection' && (verb?.isCertain || list.pointer.length === 0 || list.isEnvelope)) {
        return { effect: 'list', resource: parent, reason: `it returns records of ${parent.home}`, sure: 'medium' }
      }
      return undefined
    },
  },
  {
    name: 'GET of one chosen record',
    judge: ({ method, node, resources, answersObject, list }) => {
      const above = node.parent && resources.at.get(node.parent)
      const isChosen = /^(latest|newest|last|first|current|live|active|default|primary)$/i.test(nameOf(node))
      if (method !== 'GET' || !isChosen || above?.kind !== 'collection' || !answersObject || list?.isEnvelope)
        return undefined
      return { effect: 'read', resource: above, reason: `it returns one record of ${above.home}`, sure: 'medium' }
    },
  },
  {
    name: 'POST that answers a file',
    judge: ({ method, answersMedia, body }) =>
      method === 'POST' && answersMedia && !body.isFile ? example('it computes a file') : undefined,
  },
  readsMany,
  {
    name: 'POST that asks what GET asks',
    judge: (input) => {
      const get = input.method === 'POST' ? input.other('GET') : undefined
      if (!get || !(isTwin(input, get) || asksTheSame(get, input))) return undefined
      return input.list?.hasRecords && input.resource?.kind === 'collection'
        ? { effect: 'list', reason: 'it asks what GET asks', sure: 'medium' }
        : example('it asks what GET asks')
    },
  },
  {
    name: 'POST that searches',
    judge: ({ method, node, list, verb, resources }) => {
      if (method !== 'POST') return undefined
      const pathVerb = segmentVerb(node)
      const asks = pathVerb?.kind === 'list' || (pathVerb === undefined && verb === 'list')
      if (!asks) return undefined
      const parent = node.parent && resources.at.get(node.parent)
      const isNamed = pathVerb !== undefined || isSameName(list?.pointer.at(-1) ?? '', parent?.name ?? '')
      if (list?.hasRecords && parent?.kind === 'collection' && isNamed) {
        return { effect: 'list', resource: parent, reason: `it searches the records of ${parent.home}`, sure: 'medium' }
      }
      return example('it searches what is not kept here')
    },
  },
  changesMany,
  {
    name: 'POST x/create, x/delete and x/update',
    judge: ({ method, node, resources, owner }) => {
      if (method !== 'POST') return undefined
      const pathVerb = segmentVerb(node)
      const parent = node.parent && resources.at.get(node.parent)
      if (!pathVerb) return undefined
      if (parent?.kind === 'collection') {
        if (pathVerb.kind === 'create')
          return {
            effect: 'create',
            resource: parent,
            reason: `its name says that it adds to ${parent.home}`,
            sure: 'medium',
          }
        if (pathVerb.kind === 'remove') return example('it deletes records of a collection', 'low', 'bulk-remove')
      }
      if (owner && node.parent?.step.parameter !== undefined) {
        // `removeFollowers` changes the record, and does not delete it.
        if (pathVerb.kind === 'remove' && wordsOf(nameOf(node)).length === 1)
          return {
            effect: 'remove',
            resource: owner,
            reason: `its name says that it deletes a record of ${owner.home}`,
            sure: 'medium',
          }
        if (pathVerb.kind === 'update' || pathVerb.kind === 'replace')
          return {
            effect: 'update',
            resource: owner,
            reason: `its name says that it changes a record of ${owner.home}`,
            sure: 'medium',
          }
      }
      return undefined
    },
  },
  {
    name: 'POST below a collection that answers a new record',
    judge: (input) => {
      const { method, node, resources, success, answersKey, verb, operation, owner } = input
      const parent = node.parent && resources.at.get(node.parent)
      if (method !== 'POST' || parent?.kind !== 'collection' || parent === owner) return undefined
      if (!success?.flat || !answersKey(parent) || verb === 'action' || verb === 'list') return undefined
      if (isMany(input)) return example('it is about many records at once', 'medium', 'bulk-create')
      const said = saidByPath(node)
      if (said !== undefined)
        return {
          effect: said,
          resource: parent,
          reason: `its name says what it does to a record of ${parent.home}`,
          sure: 'low',
        }
      const asksKey = operation.parameters.some(({ value }) => value.in === 'query' && value.required)
      return asksKey
        ? undefined
        : { effect: 'create', resource: parent, reason: `it answers a record of ${parent.home}`, sure: 'low' }
    },
  },
  {
    name: 'POST of a file',
    judge: ({ method, body, node, owner }) =>
      method === 'POST' && body.isFile && !(segmentVerb(node)?.kind === 'compute') && owner
        ? { effect: 'create', state: 'file', reason: 'it uploads a file', sure: 'medium' }
        : undefined,
  },
  {
    name: 'POST that does something to a record',
    judge: (input) => {
      const { method, node, owner, resource, other, verb, words, resources } = input
      if (method !== 'POST') return undefined
      const pathVerb = segmentVerb(node)
      const isSet = ['PUT', 'PATCH', 'DELETE'].some((each) => other(each)) && (verb === 'create' || verb === 'replace')
      const isRead = other('GET')?.answersObject === true || isSet
      if (resource?.kind === 'singleton' && isRead && node.step.parameter !== undefined && input.body.exists)
        return { effect: 'update', reason: 'it adds to what GET returns', sure: 'medium' }
      if (resource?.kind === 'singleton' && isRead && !(pathVerb?.isCertain || verb === 'action')) {
        if (verb === 'create' && firstVerb(input.operation) === 'add')
          return { effect: 'action', reason: 'its name says that it adds to a record that exists once', sure: 'low' }
        const effect =
          verb === 'create' && !other('PUT') && !other('PATCH') ? 'replace' : verb === 'replace' ? 'replace' : 'update'
        return { effect, reason: 'it writes a record that exists once', sure: 'medium' }
      }
      if (owner) {
        const isExport = node.step.isVerb && /^export/i.test(nameOf(node))
        const isComputed = (pathVerb?.kind === 'compute' && !isExport) || (pathVerb === undefined && verb === 'compute')
        if (isComputed && !words.has('status')) return example('its name says that it computes', 'low')
        if (pathVerb === undefined && verb === 'update' && !isForeign(input, owner))
          return {
            effect: 'update',
            resource: owner,
            reason: `its name says that it changes a record of ${owner.home}`,
            sure: 'medium',
          }
        return {
          effect: 'action',
          resource: owner,
          reason: `it does something to a record of ${owner.home}`,
          sure: pathVerb || verb === 'action' ? 'high' : 'low',
        }
      }
      const above = singletonAbove(input)
      if (above && (verb === 'action' || verb === 'update' || verb === 'create' || pathVerb?.kind === 'action')) {
        const effect = verb === 'update' ? 'update' : 'action'
        return { effect, resource: above, reason: `its name says what it does to ${above.home}`, sure: 'low' }
      }
      const parent = node.parent && resources.at.get(node.parent)
      if (parent?.kind === 'collection' && parent.item && isSignal(input))
        return {
          effect: 'action',
          resource: parent,
          reason: `its name says what happened to a record of ${parent.home}`,
          sure: 'low',
        }
      const shown = input.shownCollection
      if (shown && (verb === 'create' || input.success?.status === 201 || input.body.isFile))
        return { effect: 'create', resource: shown, reason: `it answers a new record of ${shown.home}`, sure: 'low' }
      return saidAlone(input) ?? example('its path names no record')
    },
  },
]

/** Whether the body has nothing that records of a resource have: `POST /users/{id}/password` */
function isForeign({ document, body }: RuleInput, { record }: Resource): boolean {
  const names = [...(body.flat?.properties.keys() ?? [])]
  if (!record || names.length === 0) return false
  const { properties } = flattenSchema(document, record)
  return properties.size > 0 && !names.some((name) => properties.has(name))
}

/** What the name of a procedure does to one record of the collection that it stands behind. */
function saidByPath(node: PathNode): 'read' | 'update' | 'action' | undefined {
  const [first = '', ...others] = wordsOf(nameOf(node))
  if (others.length === 0 && /^(contents?|info|details?|history)$/.test(first)) return 'read'
  const verb = segmentVerb(node)
  if (!verb || !(verb.isCertain || others.length > 0)) return undefined
  if (verb.kind === 'update' || verb.kind === 'replace') return 'update'
  return verb.kind === 'action' ? 'action' : undefined
}

/** Verbs that only change what is kept. */
const changing =
  /^(subscribe|unsubscribe|enable|disable|activate|deactivate|reactivate|block|unblock|lock|unlock|mute|unmute|follow|unfollow|suspend|unsuspend|cancel|revert|archive|unarchive|publish|unpublish|ban|unban)$/

/** What a path says that is only a verb, perhaps with what it is done to: `/subscribe`, `/disable-user` */
function saidAlone({ node, body, verb }: RuleInput): Verdict | undefined {
  const segment = segmentVerb(node)
  if (body.isFile && segment?.kind !== 'compute' && (segment?.kind === 'create' || verb === 'create'))
    return { effect: 'create', state: 'file', reason: 'it uploads a file', sure: 'low' }
  if (!segment?.isCertain) return undefined
  const reason = 'its name says what it does, and nothing shows to which record'
  const [first = '', ...others] = wordsOf(nameOf(node))
  if (changing.test(first) && !isPlural(others.at(-1) ?? '')) return { effect: 'action', reason, sure: 'low' }
  if (segment.kind === 'create') return { effect: 'create', reason, sure: 'low' }
  return segment.kind === 'remove' ? { effect: 'remove', reason, sure: 'low' } : undefined
}
