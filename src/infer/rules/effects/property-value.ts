/** A body that is one property of the record above sets it, and DELETE empties it: `PUT /restrictions/{id}/referrer` */

import { firstVerb } from '../../../lexicon/operation-names.js'
import { isPlural } from '../../../lexicon/words.js'
import { placeOf } from '../../../schemas/flatten-schema.js'
import { findOwnProperty, propertyOfPath } from '../../facts/find-own-property.js'
import { does, type Rule } from '../rule.js'
import { recordAbove } from './record-above.js'

export const rule: Rule = {
  id: 'property-value',
  says: 'effect',
  from: 'schema',
  methods: ['PUT', 'PATCH', 'POST', 'DELETE'],
  providers: 23,
  right: { medium: 0.5 },
  find(input) {
    const { document, node, method, body, other, success } = input
    const owner = recordAbove(input)
    if (!owner?.record || other('GET')) return undefined
    const [takes] = method === 'DELETE' ? (propertyOfPath(document, owner.record, node) ?? []) : []
    if (takes !== undefined)
      return { ...does('action', 'medium', `it empties ${takes} of a record of ${owner.home}`, owner), takes }
    if (!body.flat || method === 'DELETE') return undefined
    const answered = success?.schema && placeOf(document, success.schema) === placeOf(document, owner.record)
    const isAdding =
      method === 'POST' && (firstVerb(input.operation.called) === 'add' || isPlural(node.step.text ?? ''))
    if (isAdding || (method === 'POST' && success?.schema && !answered)) return undefined
    const at = findOwnProperty(document, owner.record, node, body.flat)
    return at && { ...does('update', 'medium', `it sets ${at.property} of a record of ${owner.home}`, owner), at }
  },
}
