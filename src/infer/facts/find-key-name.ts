/** Finds the key of a new record in a body that is not the record. */

import type { ExamplePlace } from '../../contract/contract.js'
import type { Alias, CreateEffect } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { bareName } from '../../lexicon/words.js'
import { propertyExamples, schemaExamples } from '../../schemas/examples.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { recordContent } from '../../schemas/operations/request-content.js'
import type { KnownCollection } from '../collection.js'
import type { RequestRecord } from './request-record.js'

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

/** The property with the key of the new record in the answer to a creation. `''` if the whole body is the key. */
export function findShownKey(
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

/**
 * Where a creation has the key of the new record: in the path, or in a property of another name than in the record. And the
 * keys that its examples have.
 */
export function compileCreatedKey(
  document: OpenApiDocument,
  operation: DescribedOperation,
  request: RequestRecord | undefined,
  parameter: string | undefined,
  group: KnownCollection,
  aliases: readonly Alias[],
): Pick<CreateEffect, 'parameter' | 'keyName' | 'exampleKeys'> {
  const { key } = group.model
  const named = parameter === undefined ? findKeyName(document, request?.schema, group) : undefined
  const own = aliases.find(([name]) => name === named)?.[1] ?? named
  const keyName = own === key ? undefined : own
  const content = parameter === undefined ? recordContent(document, operation) : undefined
  const inPath = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  const places: ExamplePlace[] = [
    ...(inPath ? [{ path: inPath.path, pointer: [], is: 'key' as const }] : []),
    ...(content && request ? [{ path: content.path, pointer: request.given, is: 'draft' as const }] : []),
  ]
  const property = content && request && flattenSchema(document, request.schema).properties.get(named ?? key)
  const examples = [
    ...places.flatMap((place) => propertyExamples(document, place, named ?? key)),
    ...(property ? schemaExamples(document, property) : []),
  ].filter((value) => typeof value === 'string' || typeof value === 'number')
  // Consoles fill a body without examples by the types of its properties.
  if (examples.length === 0 && property) examples.push(...consoleKeys(flattenSchema(document, property)))
  return {
    ...(parameter !== undefined && { parameter }),
    ...(keyName !== undefined && { keyName }),
    ...(examples.length > 0 && { exampleKeys: [...new Set(examples.map(String))] }),
  }
}

function consoleKeys({ types, keywords }: FlatSchema): (string | number)[] {
  if (keywords.enum) return []
  return types.has('integer') ? [0] : types.has('string') && keywords.format === undefined ? ['string'] : []
}
