/** PUT replaces a record, unless its name says that it adds one or changes a part: `PUT /books/{id}` */

import { saysPartial } from '../../../../lexicon/operation-names.js'
import { does, type Rule, type RuleInput } from '../../rule.js'

export const rule: Rule = {
  id: 'item-put',
  says: 'effect',
  from: 'habit',
  methods: ['PUT'],
  providers: 195,
  right: { backed: 0.86, high: 1, medium: 0.75, low: 0.8 },
  find(input) {
    const { node, verb, words, resource } = input
    const record = `the record of {${node.step.parameter}}`
    if (
      verb === 'create' &&
      !input.saysUpsert &&
      !words.has('update') &&
      !words.has('replace') &&
      resource?.node.operations.every((each) => each.method !== 'POST')
    )
      return does('create', 'medium', `its name says that it adds ${record}`)
    if ((verb === 'update' && isPartial(input)) || saysPartial(input.operation.called))
      return does('update', 'low', `its name says that it changes a part of ${record}`)
    if (!input.body.exists && (verb === 'replace' || verb === 'update'))
      return does('update', 'low', `it sets a part of ${record}`)
    return does('replace', 'high', `it replaces ${record}`)
  },
}

/** Whether a body requires nothing and has fewer than half of the properties of a record. */
function isPartial({ body, recordSize }: RuleInput): boolean {
  return body.flat !== undefined && body.flat.required.size === 0 && body.flat.properties.size * 2 < recordSize
}
