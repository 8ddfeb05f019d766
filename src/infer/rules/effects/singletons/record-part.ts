/** A path that has only properties of the record above is a part of it: `PATCH /books/{id}/label` */

import { bareName } from '../../../../lexicon/words.js'
import { type FlatSchema, placeOf } from '../../../../schemas/flatten-schema.js'
import { findRecordSchema } from '../../../facts/body-shape.js'
import { segmentVerb } from '../../../facts/facts.js'
import type { Resource } from '../../../paths/resource.js'
import { does, type Rule, type RuleInput } from '../../rule.js'
import { recordAbove, sharedWith } from '../record-above.js'

export const rule: Rule = {
  id: 'record-part',
  says: 'effect',
  from: 'schema',
  methods: ['GET', 'PUT', 'PATCH'],
  providers: 21,
  right: { medium: 0.5 },
  find(input) {
    const owner = recordAbove(input)
    if (!owner || segmentVerb(input.node)) return undefined
    if (setsOwn(input, owner)) return does('action', 'medium', `it sets what a record of ${owner.home} has`, owner)
    if (!isPartOfRecord(input, owner)) return undefined
    return input.method === 'GET'
      ? does('read', 'medium', `it shows a part of a record of ${owner.home}`, owner)
      : does('update', 'medium', `it changes a part of a record of ${owner.home}`, owner)
  },
}

/** Whether a path that nothing reads takes only properties of the record above, and answers that record or nothing: `PUT /tasks/{id}/owner` */
function setsOwn({ document, method, body, other, success }: RuleInput, { record, key, name }: Resource): boolean {
  if (method === 'GET' || other('GET') || !record || !body.flat) return false
  const hasKey = ({ properties }: FlatSchema) => properties.has(key ?? 'id')
  const shown = success?.schema && findRecordSchema(document, success.schema, name, hasKey)
  const isEmpty = success !== undefined && success.mediaType === undefined
  if (shown ? placeOf(document, shown.schema) !== placeOf(document, record) : !isEmpty) return false
  const names = [...body.flat.properties.keys()]
  return (
    names.length > 0 &&
    !names.some((each) => each === key) &&
    sharedWith(document, body.flat, record).length === names.length
  )
}

/**
 * Whether a path shows a record above, or a part of it: what is documented there has the schema of the record, or nothing but
 * properties of it and not the key. A single property has the name of the path.
 */
function isPartOfRecord(
  { document, node, success, body, other, method }: RuleInput,
  { record, key }: Resource,
): boolean {
  if (!record) return false
  const get = method === 'GET' ? success : other('GET')?.success
  const shown = get ? get.flat : (success?.flat ?? body.flat)
  if (!shown || shown.properties.size === 0) return false
  if (get?.schema && placeOf(document, get.schema) === placeOf(document, record)) return true
  const names = [...shown.properties.keys()]
  if (names.length === 1 && bareName(names[0] ?? '') !== bareName(node.step.text ?? '')) return false
  const shared = sharedWith(document, shown, record)
  return shared.length === names.length && !names.some((name) => name === key)
}
