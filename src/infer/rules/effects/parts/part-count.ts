/** A number of records is calculated: `GET /books/count` */

import { isCount } from '../../../../lexicon/computed.js'
import { isCountName } from '../../../../lexicon/numbers.js'
import { flattenSchema } from '../../../../schemas/flatten-schema.js'
import { nameOf } from '../../../facts/facts.js'
import { isNumber } from '../../../queries/query-parameters.js'
import { does, type Rule, type RuleInput } from '../../rule.js'
import { calculated } from '../computed.js'

export const rule: Rule = {
  id: 'part-count',
  says: 'effect',
  from: 'name',
  methods: ['GET', 'POST'],
  providers: 19,
  right: { medium: 0.55 },
  find(input) {
    const { node, other, above } = input
    if (!isCount(nameOf(node)) || other('PUT')) return undefined
    return above?.kind === 'collection' && countsRecords(input)
      ? does('list', 'medium', 'it counts the records', above)
      : calculated({ node })
  },
}

/** Whether the answer is only a number. */
function countsRecords({ document, method, success }: RuleInput): boolean {
  const [[name, schema] = ['', undefined], ...others] = success?.flat?.properties ?? []
  const isOnly = method === 'GET' && others.length === 0 && (isCountName(name) || name === 'total')
  return isOnly && schema !== undefined && isNumber(flattenSchema(document, schema))
}
