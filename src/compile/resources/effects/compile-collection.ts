/** Compiles the collections that effects work on: the name of each, its key and the schema of its records. */

import { type Evidence, guess } from '../../../behaviour/line.js'
import type { CollectionLines } from '../../../behaviour/members.js'
import type { CollectionModel } from '../../../contract/contract.js'
import type { EffectKind } from '../../../contract/effects/effect.js'
import { isReference, type Located, type OpenApiDocument, type Schema } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { resolve } from '../../../document/references.js'
import { correctKey } from '../../../infer/facts/apply-corrections.js'
import { segmentVerb } from '../../../infer/facts/facts.js'
import { findKeyMaking } from '../../../infer/facts/find-key-making.js'
import { behind, type PathNode } from '../../../infer/paths/path-tree.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { fromJsonPointer, toJsonPointer } from '../../../json/json-pointer.js'
import { isObject, ownValue } from '../../../json/own-value.js'
import { isPathProperty, singletonKey, toPathProperty } from '../../../json/path-property.js'
import { mayFind } from '../../../lexicon/keys.js'
import { bareName, nounsOf, wordsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { parameterSchema } from '../../../schemas/operations/request-content.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import { firstConstants } from './choose-first.js'
import { shownKey } from './compile-aliases.js'
import { compileEvents } from './compile-field-changes.js'
import { compileKey } from './compile-key.js'
import { addHidden, type Group } from './compile-scope.js'

/** Effects by how well their response describes a record, best first. */
const kindsByDetail: EffectKind[] = ['read', 'list', 'create', 'replace', 'update', 'remove']

/** The schema that best describes the records of a collection. What is below a record may show only a part of it. */
export function recordOf(members: CompiledCandidate[]): Located<Schema> | undefined {
  const own = members.filter(({ isBelow }) => !isBelow)
  const describing = [...own, ...members].filter(({ record }) => record)
  return kindsByDetail.flatMap((kind) => describing.find((member) => member.kind === kind) ?? [])[0]?.record
}

/**
 * Compiles the collection of the records of a path.
 * @param names the names of the previous collections, as keys
 * @param lines what is said of its records, to which their key is added
 */
export function compileCollection(
  context: OperationContext,
  path: string,
  members: CompiledCandidate[],
  record: Located<Schema>,
  names: ReadonlyMap<string, unknown>,
  lines: CollectionLines,
): CollectionModel {
  const { document, servers, recordValidators } = context
  const flat = flattenSchema(document, record)
  const last = lastNoun(path)
  const whole = path.replace(/^\//, '')
  const inferred =
    blankKey(members) ??
    keyOf(last, members, [...flat.properties.keys()], (name) => mayHave(document, record, flat, name))
  addKey(document, lines, members, flat, inferred)
  const key = readKey(lines, members, [...flat.properties.keys(), inferred])
  const given = members.find(({ resource }) => resource?.keySchema && resource.key === key)?.resource?.keySchema
  // A creation may show a key that records do not have.
  const answered = members.flatMap((each) =>
    each.kind === 'create' && each.record && isPathProperty(key) ? each.record : [],
  )
  const inAnswers = answered.flatMap((each) => [...flattenSchema(document, each).properties])
  const [, shown] = inAnswers.find(([name]) => toPathProperty(name) === key) ?? []
  const nested = nestedKey(document, flat, lines.value('key'))
  // A correction that creates records says that there are no others.
  const isCreated = members.some((member) => member.lines.value('effect') === 'create')
  const isNamed = isCreated || members.some(({ isBlank }) => isBlank)
  const keySchema =
    flat.properties.get(key) ?? nested?.schema ?? given ?? shown ?? (isNamed ? pathKeyOf(members) : undefined)
  const model: CollectionModel = {
    // Use the whole path if another collection has the same last segment.
    name: [last, whole].find((name) => !names.has(name)) ?? path,
    key,
    ...(members.every(isSingle)
      ? { keyKind: 'string' }
      : compileKey(context, findKeyMaking(document, key, keySchema, record, members))),
    servers: [...new Set([...new Set(members.map(({ operation }) => servers.namesOf(operation)))].flat())],
    record: recordValidators.add(record, 'response'),
  }
  if (isPathProperty(key)) addHidden(model, key)
  if (nested) model.keyPointer = nested.pointer
  const events = compileEvents(document, record)
  if (events.length > 0) model.events = events
  const isChosen = members.some((member) => member.key !== undefined)
  const otherKeys = isChosen ? [] : otherKeysOf(document, flat, key, members)
  if (parameterOf(members) !== undefined && otherKeys.length > 0) model.otherKeys = otherKeys
  const isListed = members.some(({ kind }) => kind === 'list' || kind === 'create')
  if (isListed && members.some(({ keyIn }) => keyIn !== undefined)) model.forgetsUnknown = true
  const sampled = members.find((member) => member.record === record)
  if (!sampled) return model
  // A record that exists once is never created.
  const first = members.every(isSingle) ? firstConstants(flat.properties, lines) : {}
  if (!isCreated && !isKnown(document, key, path, members)) {
    if (isShownAnywhere(document, key, members)) model.isShown = true
    return withLazy(model, 'sample', () => sampleOf(sampled, first))
  }
  // Nobody can add records below a new one.
  const isAdding = ({ kind, operation }: CompiledCandidate) =>
    (kind === 'create' && count(operation.path) === count(path)) ||
    (kind === 'replace' && count(operation.path) === count(path) + 1)
  if (path.includes('{') && !members.some(isAdding)) sampleIfEmpty({ model, members, record }, first)
  return model
}

/** Below an owner that only the caller knows, every key has a record until records are added. */
export function sampleIfEmpty(
  { model, members, record }: Pick<Group, 'model' | 'members' | 'record'>,
  first: Record<string, unknown> = {},
): void {
  const sampled = members.find((member) => member.record === record)
  if (!sampled || 'sample' in model) return
  model.isSampledIfEmpty = true
  withLazy(model, 'sample', () => sampleOf(sampled, first))
}

/** The number of parameters of a path, plus 1. */
function count(template: string): number {
  return template.split('{').length
}

/** Whether callers can know the keys of records: a list or a creation on the path of the collection shows them. */
function isKnown(document: OpenApiDocument, key: string, path: string, members: readonly CompiledCandidate[]): boolean {
  const shown = members
    .filter((member) => isShowing(document, key, member))
    .flatMap(({ operation, node }) => [operation.path, withoutVerb(node) ?? operation.path])
  // Another path may show the records, too: `/authors/{authorId}/books` shows those of `/authors/{authorId}/books/{bookId}`.
  const isShownAt = (template: string) =>
    shown.some((each) => template.startsWith(`${each}/`) && count(each) === count(template) - 1)
  const below = path.endsWith('/') ? path : `${path}/`
  const isElsewhere = ({ keyIn, parameter, operation }: CompiledCandidate) =>
    keyIn !== undefined || (parameter !== undefined && !operation.path.startsWith(below) && !isShownAt(operation.path))
  const isChosen = members.some((member) => member.isChosen)
  if (isPathProperty(key) || (!isChosen && members.some(isElsewhere))) return false
  // The document lists the keys itself.
  if (members.some((member) => isChosenFromFew(document, member))) return false
  if (isChosen) return shown.some((each) => count(each) === count(path))
  // Views of the same records have other paths.
  const places = members.flatMap(({ operation, parameter }) =>
    parameter === undefined ? [] : [operation.path.split(`/{${parameter}}`)[0]],
  )
  return [path, ...places].some((each) => shown.includes(each ?? ''))
}

/** A path without a noun, which may be that of records of any collection: `/v1/{name}` */
const ofAny = /^(\/v\d[^/]*)?\/\{[^/]*$/

/** Whether a list or a creation at any path shows keys, and the document itself does not name them. */
function isShownAnywhere(document: OpenApiDocument, key: string, members: readonly CompiledCandidate[]): boolean {
  const isUnsure = (member: CompiledCandidate) =>
    isChosenFromFew(document, member) || (member.parameter !== undefined && ofAny.test(member.operation.path))
  if (isPathProperty(key) || members.some(isUnsure)) return false
  return members.some((member) => {
    const { kind, parameter, record, resource } = member
    // Callers choose the key in a path.
    const isChosen = kind === 'create' && parameter !== undefined
    if (isChosen) return record !== undefined && shownKey(document, record, { resource, model: { key } }) !== undefined
    return isShowing(document, key, member)
  })
}

function isChosenFromFew(document: OpenApiDocument, { operation, parameter }: CompiledCandidate): boolean {
  const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  const { keywords } = found ? flattenSchema(document, parameterSchema(found)) : { keywords: {} }
  return 'enum' in keywords || 'const' in keywords
}

/** Whether the answer to a list or a creation shows keys, or the request has the key of a new record. */
function isShowing(
  document: OpenApiDocument,
  key: string,
  { kind, keys, record, operation, resource }: CompiledCandidate,
): boolean {
  if (kind === 'list') {
    // Records without described properties may have any.
    const isOpen = record !== undefined && flattenSchema(document, record).properties.size === 0
    return (
      keys !== undefined || isOpen || (record && shownKey(document, record, { resource, model: { key } })) !== undefined
    )
  }
  if (kind !== 'create') return false
  const sent = Object.values(operation.body?.value.content ?? {})[0]?.schema
  return record !== undefined || (sent !== undefined && hasProperty(document, { value: sent, path: [] }, key))
}

function hasProperty(document: OpenApiDocument, schema: Located<Schema> | undefined, name: string): boolean {
  return schema !== undefined && flattenSchema(document, schema).properties.has(name)
}

/** The path without a verb at its end: `/users` for `/users/list`. */
export function withoutVerb(node: PathNode): string | undefined {
  return segmentVerb(node) && behind(node)?.step.template
}

/** Properties other than the key by which a service may find a record. */
function otherKeysOf(
  document: OpenApiDocument,
  { properties }: FlatSchema,
  key: string,
  members: readonly CompiledCandidate[],
): string[] {
  const parameters = new Set(
    members.flatMap(({ parameter = '', operation }) =>
      [parameter, ...alternativesIn(operation, parameter)].map(bareName),
    ),
  )
  const isName = ([name, schema]: [string, Located<Schema>]) => {
    const { types } = flattenSchema(document, schema)
    const isMeant = mayFind(name) || parameters.has(bareName(name))
    return name !== key && isMeant && (types.has('string') || types.has('integer'))
  }
  return [...properties].filter(isName).map(([name]) => name)
}

/** The names that the description of a parameter gives as alternatives: "the ID or eventID of the message". */
function alternativesIn({ parameters }: CompiledCandidate['operation'], name: string): string[] {
  const { description, schema } = {
    ...parameters.find(({ value }) => value.in === 'path' && value.name === name)?.value,
  } as {
    description?: string
    schema?: { description?: string }
  }
  const [, one, other] =
    /(?<!\w)(\w+)`? or (?:(?:the|its|their|an?) )?`?(\w+)/i.exec(description ?? schema?.description ?? '') ?? []
  const words = wordsOf(name)
  const either = words.indexOf('or')
  const named = either > 0 ? [words.slice(0, either), words.slice(either + 1)].map((each) => each.join('')) : []
  return one === undefined || other === undefined ? named : [one, other, ...named]
}

function parameterOf(members: readonly CompiledCandidate[]): string | undefined {
  return members.find((member) => member.parameter !== undefined)?.parameter
}

/** The last fixed segment of a path. */
function lastNoun(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? path.slice(1)
}

export function isSingle({ resource, lines }: CompiledCandidate): boolean {
  const effect = lines.value('effect')
  return resource?.kind === 'singleton' && effect !== 'list' && effect !== 'create'
}

/** The key of records of which only requests say what they have: a property that they send, else the usual one. */
function blankKey(members: readonly CompiledCandidate[]): string | undefined {
  if (!members.some(({ isBlank }) => isBlank) || members.some(({ key }) => key !== undefined)) return undefined
  const parameter = bareName(parameterOf(members) ?? 'id')
  const sent = members.flatMap(({ kind, decision }) =>
    kind === 'create' ? [...(decision.facts.body.flat?.properties.keys() ?? [])] : [],
  )
  return sent.find((name) => bareName(name) === parameter) ?? 'id'
}

/** Says which property holds the key, as a guess. */
function addKey(
  document: OpenApiDocument,
  lines: CollectionLines,
  members: readonly CompiledCandidate[],
  flat: FlatSchema,
  key: string,
): void {
  const named = members.find((member) => member.key !== undefined)?.lines.get('key')
  if (named) lines.add('key', '', key, { ...named.evidence, why: 'x-sandbox-effect names it' })
  const nested = findNestedKey(document, flat, key)
  if (nested) lines.add('key', '', nested, guess('schema', `it has the name of ${key}, and identifies the record`))
  lines.add('key', '', key, whyKey(members, key))
}

function whyKey(members: readonly CompiledCandidate[], key: string): Evidence {
  const resource = members[0]?.resource
  if (isPathProperty(key) && key !== singletonKey) return guess('name', 'only paths have the key of a record')
  if (members.some(({ isBlank }) => isBlank))
    return guess('name', 'requests have it, or it is usual: no answer is described')
  return guess('name', resource?.key === key ? resource.keyReason : '')
}

/** The property that holds the key. A key that records show in an object is that of the path. */
function readKey(lines: CollectionLines, members: readonly CompiledCandidate[], known: readonly string[]): string {
  const line = lines.get('key')
  const key = line?.says ?? ''
  const inPath = toPathProperty(parameterOf(members) ?? 'own key')
  if (key.startsWith('/')) return inPath
  refuseUnknown(line, key, [...known, inPath], 'property of the record')
  return key
}

/** Names of objects that say which record it is. */
const identities = /^(meta|metadata|identity|identifier|reference|attributes|properties|info)$/i

/** Where a record shows the key that its path has: in the only object that identifies it. */
function findNestedKey(document: OpenApiDocument, { properties }: FlatSchema, key: string): string | undefined {
  if (!isPathProperty(key) || key === singletonKey) return undefined
  const found = [...properties].flatMap(([name, object]) => {
    const inner = identities.test(name) ? flattenSchema(document, object).properties : []
    return [...inner].flatMap(([own, schema]) => {
      const { types } = flattenSchema(document, schema)
      const isKey = bareName(own) === bareName(key) && (types.has('string') || types.has('integer'))
      return isKey ? [toJsonPointer([name, own])] : []
    })
  })
  return found.length === 1 ? found[0] : undefined
}

function nestedKey(
  document: OpenApiDocument,
  { properties }: FlatSchema,
  key = '',
): { pointer: string[]; schema: Located<Schema> } | undefined {
  if (!key.startsWith('/')) return undefined
  const pointer = fromJsonPointer(key)
  const [first = '', second = ''] = pointer
  const object = properties.get(first)
  const schema = object && flattenSchema(document, object).properties.get(second)
  return schema && { pointer, schema }
}

/** The schema of the path parameter with the key. */
function pathKeyOf(members: readonly CompiledCandidate[]): Located<Schema> | undefined {
  const found = members.flatMap(({ operation, parameter }) =>
    operation.parameters.filter(({ value }) => value.in === 'path' && value.name === parameter),
  )
  return found[0] && parameterSchema(found[0])
}

/** The property that holds the key. A name in braces is one that only paths have. */
function keyOf(
  name: string,
  members: readonly CompiledCandidate[],
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

/** JSON text of the example record in the answer of an operation. */
function sampleOf({ success, pointer, kind, isMap }: CompiledCandidate, first: Record<string, unknown>): string {
  let value: unknown = fromJson(success?.example ?? 'null')
  for (const name of pointer)
    value = isObject(value) || Array.isArray(value) ? ownValue(Object(value), name) : undefined
  const isList = kind === 'list' && (isMap ? isObject(value) : Array.isArray(value))
  const own = (isList ? Object.values(Object(value))[0] : value) ?? {}
  return toJson(Object.keys(first).length === 0 ? own : { ...Object(own), ...first })
}
