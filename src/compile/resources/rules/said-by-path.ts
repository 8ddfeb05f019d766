/** What paths say that end with a verb, where they name no record. */
import { nameOf, segmentVerb } from '../facts.js'
import type { PathNode } from '../path-tree.js'
import { isPlural, wordsOf } from '../words.js'
import type { RuleInput, Verdict } from './rule.js'

/** What the name of a procedure does to one record of the collection that it stands behind. */
export function saidByPath(node: PathNode): 'read' | 'update' | 'action' | undefined {
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
export function saidAlone({ node, body, verb }: RuleInput): Verdict | undefined {
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
