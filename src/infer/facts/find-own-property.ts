/** Finds the property of a record whose value a path below the record shows or writes, or to which it adds. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isKey } from '../../lexicon/keys.js'
import { bareName } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import type { PathNode } from '../paths/path-tree.js'

export interface OwnProperty {
  property: string
  /** The only property of the body that has the value. Absent: the body is the value. */
  from?: string
}

/** The property of a record that has the name of a path below it. */
export function propertyOfPath(
  document: OpenApiDocument,
  record: Located<Schema>,
  { step }: PathNode,
): [name: string, schema: Located<Schema>] | undefined {
  const name = bareName(step.text ?? '')
  if (name === '') return undefined
  return [...flattenSchema(document, record).properties].find(([each]) => bareName(each) === name)
}

/**
 * @param node the path, whose last segment has the name of the property
 * @param body what is shown or sent there
 * @returns undefined if the record has no such property, or one of another type
 * @example // `/endpoints/{endpointId}/secret` with `{key: "x"}`: { property: 'secret', from: 'key' }
 */
export function findOwnProperty(
  document: OpenApiDocument,
  record: Located<Schema>,
  node: PathNode,
  body: FlatSchema,
): OwnProperty | undefined {
  const name = bareName(node.step.text ?? '')
  const [property, schema] = propertyOfPath(document, record, node) ?? []
  if (property === undefined || !schema) return undefined
  const own = flattenSchema(document, schema)
  const names = [...body.properties.keys()]
  const isSame = (type: string, other: FlatSchema) => type !== 'null' && other.types.has(type)
  const from = names.find((each) => bareName(each) === name) ?? (names.length === 1 ? names[0] : undefined)
  const inner = from === undefined ? undefined : body.properties.get(from)
  const value = inner && flattenSchema(document, inner)
  if (from !== undefined && value && [...own.types].some((type) => isSame(type, value))) {
    if (!isObjectSchema(own) || !own.properties.has(from)) return { property, from }
  }
  if (!isObjectSchema(own) || names.length === 0) return undefined
  return names.every((each) => own.properties.has(each)) ? { property } : undefined
}

/**
 * The list of a record to which a path below the record adds what is sent: an item, or several in a list of the same name.
 * @example // `POST /balancers/{balancerId}/rules` with `{rules: [{port: 80}]}`: { property: 'rules', from: 'rules' }
 */
export function findOwnList(
  document: OpenApiDocument,
  record: Located<Schema>,
  { step }: PathNode,
  body: FlatSchema,
  mayHaveKeys = false,
): OwnProperty | undefined {
  const name = bareName(step.text ?? '')
  for (const [property, schema] of flattenSchema(document, record).properties) {
    const { items } = flattenSchema(document, schema)
    if (!items || name === '' || ![name, `${name}s`].includes(bareName(property))) continue
    const item = flattenSchema(document, items)
    // What has a key of its own is mostly another record.
    if (!mayHaveKeys && [...item.properties.keys()].some(isKey)) continue
    const isItem = ({ types, properties }: FlatSchema) => {
      const names = [...properties.keys()]
      if (!isObjectSchema(item)) return names.length === 0 && [...item.types].some((type) => types.has(type))
      return names.length > 0 && 2 * names.filter((each) => item.properties.has(each)).length >= names.length
    }
    for (const [from, each] of body.properties) {
      const sent = flattenSchema(document, each)
      const given = sent.items ? flattenSchema(document, sent.items) : sent
      const isNamed = bareName(from) === bareName(property) || (!isObjectSchema(item) && body.properties.size === 1)
      if (isNamed && isItem(given)) return { property, from }
    }
    const given = body.items ? flattenSchema(document, body.items) : isObjectSchema(body) ? body : undefined
    if (given && isItem(given)) return { property }
  }
  return undefined
}
