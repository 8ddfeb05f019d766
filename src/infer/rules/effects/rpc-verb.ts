/** What the verb of an RPC operation says. */

import { isDetaching } from '../../../lexicon/verbs.js'
import { isPlural, wordsOf } from '../../../lexicon/words.js'
import { nameOf } from '../../facts/facts.js'
import type { Resource } from '../../paths/resource.js'
import { does, type RpcFacts, type RuleInput, type Verdict } from '../rule.js'

/** Whether the name says that it is about several records. */
export function isOfAll({ node }: RuleInput): boolean {
  const others = wordsOf(nameOf(node)).slice(1)
  return others.includes('all') || isPlural(others.at(-1) ?? '')
}

/** Whether a verb takes something from a record that only DELETE removes: `POST /volumes/{id}/detach`, `POST /groups/{id}/remove` */
export function takesPart({ node }: RuleInput, { resource, isOfItem }: RpcFacts): boolean {
  const isDeleted = resource.item?.operations.some(({ method }) => method === 'DELETE') === true
  return isOfItem && isDeleted && isDetaching(wordsOf(nameOf(node))[0] ?? '')
}

/** @param what the start of the reason, before the home of the resource: `reads a record of` */
export function named(
  effect: Verdict['effect'],
  resource: Resource,
  what: string,
  sure: Verdict['sure'] = 'high',
): Verdict {
  return does(effect, sure, `its name says that it ${what} ${resource.home}`, resource)
}
