/** A GET that returns a list of records lists the collection: `GET /books` */

import { saysExport } from '../../../../lexicon/operation-names.js'
import { does, example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'collection-list',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 440,
  right: { backed: 1, high: 0.88, medium: 1, low: 1 },
  find(input) {
    const { list, resource, success } = input
    if (!list || !resource) return undefined
    if (saysExport(input.operation.called)) return example('its name says that it exports')
    if (!list.hasRecords && (input.verb === 'compute' || input.answersFlags)) return example('it returns no records')
    const where = list.pointer.length === 0 ? 'an array' : `an object with the list in "${list.pointer.join('.')}"`
    const found = list.isMap ? 'records by their keys' : where
    return does('list', list.hasRecords ? 'high' : 'medium', `it returns ${success ? found : 'a list'}`)
  },
}
