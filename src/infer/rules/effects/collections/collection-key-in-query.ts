/** A query parameter has the key of the record that is read, changed or removed: `DELETE /books?id=1` */

import { ownValue } from '../../../../json/own-value.js'
import { isKeyOf } from '../../../../lexicon/record-names.js'
import { flattenSchema } from '../../../../schemas/flatten-schema.js'
import { parameterSchema } from '../../../../schemas/operations/request-content.js'
import { does, example, type Rule, type RuleInput } from '../../rule.js'
import { namesOneRecord } from '../one-record.js'

export const rule: Rule = {
  id: 'collection-key-in-query',
  says: 'effect',
  from: 'name',
  methods: ['GET', 'DELETE', 'PUT', 'PATCH'],
  providers: 18,
  right: { medium: 0.75 },
  find(input) {
    if (!namesOneRecord(input, 'query')) return undefined
    if (input.method === 'DELETE' && namesSeveralRecords(input))
      return example('a query parameter has the keys of the records that it deletes', 'medium', 'bulk-remove')
    const effect = ownValue({ DELETE: 'remove', PUT: 'replace', PATCH: 'update' } as const, input.method)
    if (effect) return does(effect, 'medium', 'a query parameter has the key of the record')
    return input.answersObject
      ? does('read', 'medium', 'a query parameter has the key of one record, which is returned')
      : undefined
  },
}

/** Whether a query parameter with the name of the key has a list of keys: `DELETE /books?id=1&id=2` */
function namesSeveralRecords({ document, operation, resource }: RuleInput): boolean {
  return operation.parameters.some(
    (each) =>
      each.value.in === 'query' &&
      isKeyOf(each.value.name, resource?.name ?? '', resource?.key) &&
      flattenSchema(document, parameterSchema(each)).types.has('array'),
  )
}
