/** Says which property of a record holds its key. */

import { type Evidence, guess, stated } from '../behaviour/line.js'
import { isReference, type Located, type OpenApiDocument, type Schema } from '../document/document.js'
import { resolve } from '../document/references.js'
import { refuseUnknown } from '../document/refuse-unknown.js'
import { fromJsonPointer, toJsonPointer } from '../json/json-pointer.js'
import { isPathProperty, singletonKey, toPathProperty } from '../json/path-property.js'
import { isIdentity } from '../lexicon/record-names.js'
import { bareName, nounsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { parameterSchema } from '../schemas/operations/request-content.js'
import { correctKey } from './apply-corrections.js'
import type { KnownCollection } from './collection.js'
import { type Candidate, isSingle, parameterOf } from './facts/candidate.js'
import { linkedNames } from './facts/linked-keys.js'

interface Keyed extends Pick<KnownCollection, 'members' | 'record' | 'lines'> {
  /** The last noun of its path. */
  name: string
}

/** @returns the property, and the schema of its values if one is known. A name in braces is one that only paths have */
export function findOwnKey(
  document: OpenApiDocument,
  { members, record, lines, name }: Keyed,
): { key: string; schema: Located<Schema> | undefined } {
  const flat = flattenSchema(document, record)
  const inferred =
    blankKey(document, members) ??
    keyOf(name, members, [...flat.properties.keys()], (each) => mayHave(document, record, flat, each))
  addKey(document, lines, members, flat, inferred)
  const key = readKey(lines, members, [...flat.properties.keys(), inferred])
  const given = members.find(({ resource }) => resource?.keySchema && resource.key === key)?.resource?.keySchema
  // A creation may show a key that records do not have.
  const answered = members.flatMap((each) =>
    each.kind === 'create' && each.record && isPathProperty(key) ? each.record : [],
  )
  const inAnswers = answered.flatMap((each) => [...flattenSchema(document, each).properties])
  const [, shown] = inAnswers.find(([each]) => toPathProperty(each) === key) ?? []
  const nested = nestedKey(document, flat, lines.value('key'))
  // Who says that an operation creates records says that there are no others.
  const isNamed = members.some((each) => each.isBlank || (each.isChosen && each.kind === 'create'))
  const schema = flat.properties.get(key) ?? nested ?? given ?? shown ?? (isNamed ? pathKeyOf(members) : undefined)
  return { key, schema }
}

/** The key of records of which only requests say what they have: a property that they send, else the usual one. */
function blankKey(document: OpenApiDocument, members: readonly Candidate[]): string | undefined {
  if (!members.some(({ isBlank }) => isBlank) || members.some(({ key }) => key !== undefined)) return undefined
  const parameter = bareName(parameterOf(members) ?? 'id')
  const sent = members.flatMap(({ kind, decision }) =>
    kind === 'create' ? [...(decision.facts.body.flat?.properties.keys() ?? [])] : [],
  )
  const operations = members.map(({ operation }) => operation)
  const [linked] = linkedNames(document, operations, members[0]?.resource?.item?.step.template ?? '')
  return linked ?? sent.find((name) => bareName(name) === parameter) ?? 'id'
}

/** Says which property holds the key, as a guess. */
function addKey(
  document: OpenApiDocument,
  lines: Keyed['lines'],
  members: readonly Candidate[],
  flat: FlatSchema,
  key: string,
): void {
  const named = members.find((member) => member.key !== undefined)?.lines.get('key')
  if (named) lines.add('key', '', key, { ...named.evidence, why: 'x-sandbox-effect names it' })
  const nested = findNestedKey(document, flat, key)
  if (nested) lines.add('key', '', nested, guess('schema', `it has the name of ${key}, and identifies the record`))
  lines.add('key', '', key, whyKey(members, key))
}

function whyKey(members: readonly Candidate[], key: string): Evidence {
  const resource = members[0]?.resource
  if (isPathProperty(key) && key !== singletonKey) return guess('name', 'only paths have the key of a record')
  if (members.some(({ isBlank }) => isBlank))
    return guess('name', 'requests have it, or it is usual: no answer is described')
  if (resource?.isKeyStated && resource.key === key) return stated(resource.keyReason)
  return guess('name', resource?.key === key ? resource.keyReason : '')
}

/** The property that holds the key. A key that records show in an object is that of the path. */
function readKey(lines: Keyed['lines'], members: readonly Candidate[], known: readonly string[]): string {
  const line = lines.get('key')
  const key = line?.says ?? ''
  const inPath = toPathProperty(parameterOf(members) ?? 'own key')
  if (key.startsWith('/')) return inPath
  refuseUnknown(line, key, [...known, inPath], 'property of the record')
  return key
}

/** Where a record shows the key that its path has: in the only object that identifies it. */
function findNestedKey(document: OpenApiDocument, { properties }: FlatSchema, key: string): string | undefined {
  if (!isPathProperty(key) || key === singletonKey) return undefined
  const found = [...properties].flatMap(([name, object]) => {
    const inner = isIdentity(name) ? flattenSchema(document, object).properties : []
    return [...inner].flatMap(([own, schema]) => {
      const { types } = flattenSchema(document, schema)
      const isKey = bareName(own) === bareName(key) && (types.has('string') || types.has('integer'))
      return isKey ? [toJsonPointer([name, own])] : []
    })
  })
  return found.length === 1 ? found[0] : undefined
}

function nestedKey(document: OpenApiDocument, { properties }: FlatSchema, key = ''): Located<Schema> | undefined {
  const [first = '', second = ''] = key.startsWith('/') ? fromJsonPointer(key) : []
  const object = properties.get(first)
  return object && flattenSchema(document, object).properties.get(second)
}

/** The schema of the path parameter with the key. */
function pathKeyOf(members: readonly Candidate[]): Located<Schema> | undefined {
  const found = members.flatMap(({ operation, parameter }) =>
    operation.parameters.filter(({ value }) => value.in === 'path' && value.name === parameter),
  )
  return found[0] && parameterSchema(found[0])
}

/** The property that holds the key. A name in braces is one that only paths have. */
function keyOf(
  name: string,
  members: readonly Candidate[],
  properties: readonly string[],
  isPossible: (name: string) => boolean,
): string {
  const chosen = correctKey(members, properties)
  if (chosen !== undefined) return chosen
  if (members.every(isSingle)) return singletonKey
  const parameter = parameterOf(members) ?? members[0]?.resource?.item?.step.parameter
  const keyed = members.find(({ resource }) => resource?.key !== undefined)?.resource
  if (keyed?.keySchema && keyed.key !== undefined) return keyed.key
  const known = keyed?.key !== undefined && isPossible(keyed.key) ? keyed.key : undefined
  // Without a path of one record, no key property is needed.
  if (parameter === undefined) {
    const standard = ownId(name, properties) ?? (isPossible('id') ? 'id' : '{own key}')
    return keyed?.isKeyed && known !== undefined && properties.includes(known) ? known : standard
  }
  return known !== undefined && (properties.length === 0 || properties.includes(known))
    ? known
    : toPathProperty(parameter)
}

/** The property with the id of a record: `id`, `Id`, `bookId` of books */
function ownId(name: string, properties: readonly string[]): string | undefined {
  const named = (wanted: string) => properties.find((each) => bareName(each) === wanted)
  return properties.includes('id')
    ? undefined
    : ['id', ...nounsOf(name).map((noun) => `${noun}id`)].map(named).find((each) => each !== undefined)
}

/** Whether a record may have a key of this name. */
function mayHave(document: OpenApiDocument, record: Located<Schema>, flat: FlatSchema, name: string): boolean {
  const { additionalProperties: others } = flat.keywords
  // Records without a described key get a number as `id`, which a restricted schema may not allow.
  const isClosed = name === 'id' && (others === false || typeof others === 'object')
  return (!isClosed || flat.properties.has(name)) && mayHaveText(document, record, name)
}

/** Whether a record may have a text in a property that only some parts of its schema describe. */
function mayHaveText(document: OpenApiDocument, { value, path }: Located<Schema>, name: string): boolean {
  if (typeof value !== 'object') return true
  const { additionalProperties: others, properties = {}, patternProperties } = value
  const isOther = others !== undefined && !Object.hasOwn(properties, name) && !patternProperties
  const types = isOther ? flattenSchema(document, { value: others, path: [...path, 'additionalProperties'] }).types : []
  const isText = [...types].some((type) => ['string', 'integer', 'number'].includes(type))
  if (others === false && isOther && value.allOf) return false
  if ([...types].length > 0 && !isText) return false
  if (isReference(value)) return mayHaveText(document, resolve<Schema>(document, value, path), name)
  const parts = value.allOf ?? []
  return parts.every((part, index) => mayHaveText(document, { value: part, path: [...path, 'allOf', index] }, name))
}
