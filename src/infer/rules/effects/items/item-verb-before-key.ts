/** The verb before a parameter is done to the record of the parameter: `POST /stop/{scanId}` */

import type { VerbKind } from '../../../../lexicon/verbs.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { segmentVerb } from '../../../facts/facts.js'
import { allMethods, does, type Rule, type RuleInput } from '../../rule.js'

export const rule: Rule = {
  id: 'item-verb-before-key',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 10,
  right: { low: 1 },
  find(input) {
    const { method, node } = input
    const kind = method === 'DELETE' ? undefined : verbBefore(input)
    const reason = `its path says what it does to the record of {${node.step.parameter}}`
    return kind === 'action' || kind === 'remove' ? does(kind, 'medium', reason) : undefined
  },
}

/** The kind of verb before the parameter: `/stop/{scanId}` */
function verbBefore({ node }: RuleInput): VerbKind | undefined {
  // `/open/{id}` is a record of `/open` if that path has operations.
  const before = node.parent?.operations.length === 0 ? segmentVerb(node.parent) : undefined
  return before?.isCertain && wordsOf(node.parent?.step.text ?? '').length === 1 ? before.kind : undefined
}
