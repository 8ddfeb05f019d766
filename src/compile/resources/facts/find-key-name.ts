/** Finds the key of a new record in a body that is not the record. */
import type { CreateEffect } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { Group } from '../effects/compile-scope.js'
import { bareName } from '../paths/words.js'

/**
 * @returns the name of the property: that of the key in the record, or that of the parameter in its path, such as
 * `channelName` of a channel whose record has a `name`
 */
export function findKeyName(
  document: OpenApiDocument,
  body: Located<Schema> | undefined,
  { model, members }: Group,
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

/** Where the answer of a creation shows the key of the new record: in a property, or as the whole body (`''`). */
export function findShownKey(
  document: OpenApiDocument,
  body: Located<Schema> | undefined,
  group: Group,
): string | undefined {
  if (!body) return undefined
  const { types, keywords } = flattenSchema(document, body)
  const wanted = group.model.keyKind === 'integer' ? 'integer' : 'string'
  const isPlain = !['enum', 'const', 'pattern', 'format'].some((keyword) => keyword in keywords)
  return types.size === 1 && types.has(wanted) && isPlain ? '' : findKeyName(document, body, group)
}

/** Where a creation has the key of the new record: in the path, or in a property of another name than in the record. */
export function compileCreatedKey(
  document: OpenApiDocument,
  body: Located<Schema> | undefined,
  parameter: string | undefined,
  group: Group,
): Pick<CreateEffect, 'parameter' | 'keyName'> {
  if (parameter !== undefined) return { parameter }
  const keyName = findKeyName(document, body, group)
  return keyName === undefined || keyName === group.model.key ? {} : { keyName }
}
