/** GET of a record reads it, unless the answer or a name says otherwise: `GET /books/{id}` */

import { asksService } from '../../../../lexicon/computed.js'
import { saysFileOrResult } from '../../../../lexicon/operation-names.js'
import { isPlural, wordsOf } from '../../../../lexicon/words.js'
import { segmentVerb } from '../../../facts/facts.js'
import { isKeptAt } from '../../../paths/find-rpc.js'
import { does, example, type Rule } from '../../rule.js'
import { calculated, isMeasured, lastWord } from '../computed.js'

export const rule: Rule = {
  id: 'item-get',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 446,
  right: { backed: 0.96, high: 0.78, medium: 0.66, low: 0.57 },
  find(input) {
    const { answersObject, answersFile, list, success, verb, node } = input
    if (isMeasured({ node })) return calculated(input, ', and nothing writes it')
    const parameter = node.step.parameter
    if (saysFileOrResult(input.operation.called)) return example('its name says that it returns a file or computes')
    if (answersFile) return example('it returns a file or a text')
    const isBareList = list?.pointer.length === 0 && !list.isMap
    if (isBareList && verb !== 'read' && list.hasRecords)
      return does('list', 'medium', `it returns a list that {${parameter}} filters`)
    if (success?.flat && !answersObject && !isBareList) return example('it returns no record')
    const isChanged = ['PUT', 'PATCH', 'DELETE'].some((other) => input.other(other) !== undefined)
    const named = node.parent && segmentVerb(node.parent)
    if (!isChanged && named?.kind === 'compute' && named.isCertain && !(node.parent && isKeptAt(node.parent)))
      return example('its name says that it computes')
    const isOfMany = isPlural(wordsOf(input.resource?.name ?? '').at(-1) ?? '')
    if (!isChanged && asksService(lastWord(input)) && input.resource?.node.operations.length === 0 && !isOfMany)
      return calculated(input)
    const isUnknown = !answersObject && !isChanged && input.resource?.record === undefined
    if (isUnknown && success?.flat === undefined && verb === 'list')
      return does('list', 'low', `its name says that it returns a list that {${parameter}} filters`)
    if (isUnknown && !isOfMany && verb !== 'read')
      return example('nothing describes what it returns, and nothing changes it')
    return does('read', answersObject ? 'high' : 'medium', `it returns the record of {${parameter}}`)
  },
}
