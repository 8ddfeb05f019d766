/** A verb that lists, after the name of a collection: `POST /book/list` */

import { isComputedNoun } from '../../../../lexicon/computed.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { nameOf } from '../../../facts/facts.js'
import type { Resource } from '../../../paths/resource.js'
import { allMethods, example, type Rule, type RuleInput, type Verdict } from '../../rule.js'
import { calculated } from '../computed.js'
import { namesOneRecord } from '../one-record.js'
import { isOfAll, named } from '../rpc-verb.js'

export const rule: Rule = {
  id: 'rpc-list',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 126,
  right: { backed: 1, high: 0.95, medium: 0.83, low: 0.87 },
  find(input) {
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
  },
}

/** Whether the name of a resource says that its answers are calculated, and nothing is kept that others read. */
function isCalculated({ isKept }: RuleInput, resource: Resource): boolean {
  const isWritten = resource.item?.operations.some(({ method }) => method !== 'GET' && method !== 'HEAD') === true
  return isComputedNoun(resource.name) && !isWritten && !isKept(resource)
}

function listed({ list }: RuleInput, resource: Resource): Verdict {
  return named('list', resource, 'lists the records of', list?.hasRecords ? 'high' : 'medium')
}
