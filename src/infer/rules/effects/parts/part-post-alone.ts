/** A verb without a record does what it says to something that is not kept: `POST /subscribe` */

import { isEntrance } from '../../../../lexicon/keys.js'
import { isSwitching } from '../../../../lexicon/verbs.js'
import { isPlural, wordsOf } from '../../../../lexicon/words.js'
import { nameOf, segmentVerb } from '../../../facts/facts.js'
import { does, example, type Rule, type RuleInput, upload, type Verdict } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-alone',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 290,
  right: { medium: 0.69, low: 0.71 },
  find: (input) =>
    saidAlone(input) ??
    (isEntrance(nameOf(input.node)) ? example('it lets a user in', 'high') : example('its path names no record')),
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
