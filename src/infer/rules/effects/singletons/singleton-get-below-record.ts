/** A GET whose answer shares half of its properties with the record above shows it: `GET /books/{id}/card` */

import { isTitle, isUsual } from '../../../../lexicon/record-names.js'
import { segmentVerb } from '../../../facts/facts.js'
import { findOwnProperty } from '../../../facts/find-own-property.js'
import type { Resource } from '../../../paths/resource.js'
import { does, type Rule, type RuleInput } from '../../rule.js'
import { recordAbove, sharedWith } from '../record-above.js'

export const rule: Rule = {
  id: 'singleton-get-below-record',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 10,
  right: { low: 1 },
  find(input) {
    const owner = recordAbove(input)
    const isOfOther = input.shownCollection && input.shownCollection !== owner
    return owner && !isOfOther && showsRecord(input, owner)
      ? { ...does('read', 'low', `it shows what it has of a record of ${owner.home}`, owner), isBelow: true }
      : undefined
  },
}

/** Whether a path that nothing writes shows half of the record above or more of it, beside what it has itself. */
function showsRecord({ document, node, success }: RuleInput, owner: Resource): boolean {
  if (!owner.record || !success?.flat) return false
  if (segmentVerb(node) || findOwnProperty(document, owner.record, node, success.flat)) return false
  const names = [...success.flat.properties.keys()].filter((name) => name !== owner.key)
  const shared = sharedWith(document, success.flat, owner.record).filter((name) => names.includes(name))
  const telling = shared.filter((name) => !isUsual(name))
  // What has a key and a name may be a record of another kind.
  const isOwn = names.length < success.flat.properties.size && telling.every(isTitle)
  return !isOwn && telling.length > 1 && 2 * shared.length >= names.length
}
