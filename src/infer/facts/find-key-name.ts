/** Finds the key of a new record in a body that is not the record. */

import { guess, stated } from '../../behaviour/line.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { endsLikeKey } from '../../lexicon/keys.js'
import { bareName, wordsOf } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { findRequestRecord } from '../../schemas/operations/request-record.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from './candidate.js'
import { linkedNames } from './linked-keys.js'

/**
 * @returns the name of the property: that of the key in the record, or that of the path parameter, such as `channelName`
 * for a channel whose record has a `name`
 */
export function findKeyName(
  document: OpenApiDocument,
  body: Located<Schema> | undefined,
  { model, members }: KnownCollection,
): string | undefined {
  if (!body) return undefined
  const { properties } = flattenSchema(document, body)
  if (properties.has(model.key)) return model.key
  const wanted = members.flatMap(({ parameter, keyIn }) => (parameter && !keyIn ? [bareName(parameter)] : []))
  const isKey = ([name, schema]: [string, Located<Schema>]) =>
    wanted.includes(bareName(name)) &&
    [...flattenSchema(document, schema).types].some((type) => type === 'string' || type === 'integer')
  return [...properties].find(isKey)?.[0]
}

/** Says where the request and the answer of a creation have the key of the new record. */
export function findKeyNames(document: OpenApiDocument, member: Candidate, collection: KnownCollection): void {
  if (member.kind !== 'create') return
  const why = guess('name', 'it has the name of the key')
  const request = member.at ? undefined : findRequestRecord(document, member, collection.record)
  const given = member.parameter === undefined ? findKeyName(document, request?.schema, collection) : undefined
  // `studentId` is not the key of an enrollment that has a student.
  const isOther = given !== undefined && namesPart(document, given, collection)
  if (given !== undefined && !isOther) member.lines.add('requestKey', '', given, why)
  const { schema } = member.success ?? {}
  const names = linkedNames(document, [member.operation], collection.resource?.item?.step.template ?? '')
  const linked = schema && names.find((name) => flattenSchema(document, schema).properties.has(name))
  if (linked !== undefined)
    member.lines.add('answerKey', '', linked, stated('a link gives it to the path of the record'))
  const shown = findShownKey(document, schema, collection)
  if (shown !== undefined) member.lines.add('answerKey', '', shown, why)
}

/** Whether a name is that of a key of what a record has in another property. */
function namesPart(document: OpenApiDocument, name: string, { record, model }: KnownCollection): boolean {
  const words = wordsOf(name)
  const part = words.slice(0, -1).join('')
  return (
    name !== model.key &&
    endsLikeKey(words.at(-1) ?? '') &&
    [...flattenSchema(document, record).properties].some(
      ([own, schema]) => bareName(own) === part && flattenSchema(document, schema).properties.size > 0,
    )
  )
}

/** The property with the key of the new record in the answer to a creation. `''` if the whole body is the key. */
function findShownKey(
  document: OpenApiDocument,
  body: Located<Schema> | undefined,
  group: KnownCollection,
): string | undefined {
  if (!body) return undefined
  const { types, keywords } = flattenSchema(document, body)
  const wanted = group.model.keyKind === 'integer' ? 'integer' : 'string'
  const isPlain = !['enum', 'const', 'pattern', 'format'].some((keyword) => keyword in keywords)
  return types.size === 1 && types.has(wanted) && isPlain ? '' : findKeyName(document, body, group)
}
