/** Rules for RPC operations on a collection: their last segment is a verb, as in `/users/list` and `?Action=CreateUser`. */

import { isComputedNoun } from '../../lexicon/computed.js'
import { isDetaching } from '../../lexicon/verbs.js'
import { isPlural, wordsOf } from '../../lexicon/words.js'
import { nameOf } from '../facts/facts.js'
import type { Resource } from '../paths/resource.js'
import { isMany, namesOneRecord } from './collection-rules.js'
import { calculated } from './computed.js'
import { allMethods, does, example, type RpcFacts, type Rule, type RuleInput, rule, type Verdict } from './rule.js'

/** Whether the name says that it is about several records. */
function isOfAll({ node }: RuleInput): boolean {
  const others = wordsOf(nameOf(node)).slice(1)
  return others.includes('all') || isPlural(others.at(-1) ?? '')
}

/** Whether the name of a resource says that its answers are calculated, and nothing is kept that others read. */
function isCalculated({ isKept }: RuleInput, resource: Resource): boolean {
  const isWritten = resource.item?.operations.some(({ method }) => method !== 'GET' && method !== 'HEAD') === true
  return isComputedNoun(resource.name) && !isWritten && !isKept(resource)
}

/** Whether a verb takes something from a record that only DELETE removes: `POST /volumes/{id}/detach`, `POST /groups/{id}/remove` */
function takesPart({ node }: RuleInput, { resource, isOfItem }: RpcFacts): boolean {
  const isDeleted = resource.item?.operations.some(({ method }) => method === 'DELETE') === true
  return isOfItem && isDeleted && isDetaching(wordsOf(nameOf(node))[0] ?? '')
}

/** @param what the start of the reason, before the home of the resource: `reads a record of` */
function named(effect: Verdict['effect'], resource: Resource, what: string, sure: Verdict['sure'] = 'high'): Verdict {
  return does(effect, sure, `its name says that it ${what} ${resource.home}`, resource)
}

function listed({ list }: RuleInput, resource: Resource): Verdict {
  return named('list', resource, 'lists the records of', list?.hasRecords ? 'high' : 'medium')
}

export const rpcRules: readonly Rule[] = [
  rule('rpc-list', allMethods, (input) => {
    const { rpc, list, success, answersObject } = input
    if (!rpc || rpc.isOfItem) return undefined
    const { kind, resource } = rpc
    if (isCalculated(input, resource)) return calculated(input)
    const isBodyKnown = success?.flat !== undefined && !(answersObject && success.flat.properties.size === 0)
    if (resource.kind === 'singleton') return undefined
    if (kind === 'list' && (list || !isBodyKnown || wordsOf(nameOf(input.node))[0] === 'list'))
      return listed(input, resource)
    if (kind === 'list') return example('it searches data that the sandbox does not keep')
    if (kind !== 'read') return undefined
    const isSeveral = isOfAll(input) || (list?.isEnvelope && list.hasRecords && !namesOneRecord(input, 'body'))
    return isSeveral && (list || !isBodyKnown) && !namesOneRecord(input, 'query') ? listed(input, resource) : undefined
  }),
  rule('rpc-read', allMethods, (input) => {
    const { rpc, success, answersObject, list } = input
    if (rpc?.kind !== 'read') return undefined
    const { resource } = rpc
    if (success?.flat && !answersObject && !list) return undefined
    return named('read', resource, 'reads a record of')
  }),
  rule('rpc-create', allMethods, (input) => {
    const { rpc } = input
    if (rpc?.kind !== 'create' || rpc.isOfItem) return undefined
    const { resource } = rpc
    if (resource.kind === 'singleton') return undefined
    if (isMany(input)) return example('it adds many records at once', 'medium', 'bulk-create')
    return named('create', resource, 'adds a record to')
  }),
  rule('rpc-change', allMethods, (input) => {
    const { rpc } = input
    if (rpc?.kind !== 'update' && rpc?.kind !== 'replace') return undefined
    const { resource, kind, isOfItem } = rpc
    const isUpsert = /^upsert/i.test(nameOf(input.node))
    if (kind === 'replace' && !isUpsert && !isOfItem && !input.isShown(resource) && !isMany(input))
      return does('create', 'low', 'its name says that it puts a record, and nothing reads it', resource)
    if (!isOfItem && isMany(input)) return example('it changes many records at once', 'medium', 'bulk-replace')
    return named(kind === 'replace' && !isOfItem ? 'replace' : 'update', resource, 'changes a record of', 'medium')
  }),
  rule('rpc-remove', allMethods, (input) => {
    const { rpc } = input
    if (rpc?.kind !== 'remove') return undefined
    const { resource, isOfItem } = rpc
    if (takesPart(input, rpc))
      return does('action', 'low', `it takes something from a record of ${resource.home}`, resource)
    const isOfSeveral = !isOfItem && (isMany(input) || isOfAll(input))
    if (isOfSeveral && !namesOneRecord(input, 'body') && !namesOneRecord(input, 'query'))
      return example('it deletes several records', 'low', 'bulk-remove')
    return named('remove', resource, 'deletes a record of')
  }),
  rule('rpc-act', allMethods, (input) => {
    const { rpc, node } = input
    if (rpc?.kind !== 'action') return undefined
    const { resource, isOfItem } = rpc
    if (input.method === 'GET' && !namesOneRecord(input, 'query') && !/[?#]/.test(input.operation.path))
      return undefined
    if (!isOfItem && (isMany(input) || isOfAll(input))) return example('it does something to many records', 'medium')
    const isNamed = node.parent?.step.isNoun || namesOneRecord(input, 'query') || namesOneRecord(input, 'body')
    if (!isOfItem && !isNamed) return undefined
    const isRemoved = isDetaching(wordsOf(nameOf(node))[0] ?? '') && !takesPart(input, rpc)
    const effect = isRemoved ? 'remove' : 'action'
    return does(effect, 'medium', `its name says what it does to a record of ${resource.home}`, resource)
  }),
]
