/** A body that is one property of the record above sets it: `PUT /restrictions/{id}/referrer` */

import { firstVerb } from '../../../lexicon/operation-names.js'
import { isPlural } from '../../../lexicon/words.js'
import { placeOf } from '../../../schemas/flatten-schema.js'
import { segmentVerb } from '../../facts/facts.js'
import { findOwnProperty } from '../../facts/find-own-property.js'
import { does, type Rule } from '../rule.js'
import { recordAbove } from './record-above.js'

export const rule: Rule = {
  id: 'property-value',
  says: 'effect',
  from: 'schema',
  methods: ['PUT', 'PATCH', 'POST'],
  providers: 23,
  right: 0.5,
  find(input) {
    const { document, node, method, body, other, success } = input
    const owner = recordAbove(input)
    if (!owner?.record || !body.flat || other('GET') || segmentVerb(node)) return undefined
    const answered = success?.schema && placeOf(document, success.schema) === placeOf(document, owner.record)
    const isAdding =
      method === 'POST' && (firstVerb(input.operation.value.operationId) === 'add' || isPlural(node.step.text ?? ''))
    if (isAdding || (method === 'POST' && success?.schema && !answered)) return undefined
    const at = findOwnProperty(document, owner.record, node, body.flat)
    return at && { ...does('update', 'medium', `it sets ${at.property} of a record of ${owner.home}`, owner), at }
  },
}
