/** Compiles what `x-sandbox-effect` says that a record, and those that it refers to, have after a request. */
import type {
  AnswerValue,
  ChangeAccess,
  ChosenChange,
  ChosenValue,
  FieldChange,
  KeyedEffect,
} from '../../../contract/effects/effect.js'
import type { JsonType } from '../../../contract/request-model.js'
import {
  DocumentProblem,
  type Located,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../../../document/document.js'
import { flattenSchema, hasFlag } from '../../../schemas/flatten-schema.js'
import { parameterSchema } from '../../operations/compile-parameters.js'
import { recordContent } from '../../operations/compile-representations.js'
import { checkName, effectName } from '../corrections/effect-correction.js'
import { forms, isAllowed, partsOf, readValue, toNames } from '../corrections/read-values.js'
import type { Candidate } from '../facts/candidate.js'
import type { StatefulOperation } from '../facts/ensure-records.js'
import { addFact } from '../facts/evidence.js'
import { findRequestRecord } from '../facts/request-record.js'
import { firstExpressions } from './choose-first.js'
import type { Group, Groups } from './compile-scope.js'
import { chosenTimeForm } from './time-form.js'

/** What an action sets and takes: constants, times, and values of its body. Everything else is a change of its own. */
export function chooseSets(
  document: OpenApiDocument,
  candidate: Candidate,
  group: Group,
  { given = [], givenAliases = [] }: ChangeAccess,
): { sets: FieldChange[]; takes: [string, string][]; others: ChosenChange[] } {
  const all = readChanges(document, candidate, group, candidate.corrected?.changes ?? {}, group.record, 'changes')
  const sets: FieldChange[] = []
  const takes: [string, string][] = []
  const others = all.filter(({ pointer: [property = '', ...inner], value }) => {
    const isPlain = inner.length === 0
    if (isPlain && value.from === 'constant') sets.push({ property, with: 'constant', value: value.value })
    else if (isPlain && value.from === 'now') sets.push({ property, with: 'now', ...(value.as && { as: value.as }) })
    else {
      const sent = isPlain && value.from === 'request' && value.in === 'body' ? value.pointer : []
      const isGiven = sent.length === given.length + 1 && given.every((name, index) => sent[index] === name)
      const [name = ''] = sent.slice(given.length)
      if (!isGiven) return true
      takes.push([givenAliases.find(([each]) => each === name)?.[1] ?? name, property])
    }
    return false
  })
  return { sets, takes, others }
}

const changing = ['create', 'replace', 'update', 'action']

/** Adds to the effects of a collection what corrections say, after it is known which records they refer to. */
export function addChosenChanges(
  document: OpenApiDocument,
  groups: Groups,
  group: Group,
  operations: readonly StatefulOperation[],
): void {
  for (const { candidate, effect } of operations) {
    const { changes, needs, related } = candidate.corrected ?? {}
    const asked = changing.includes(effect.kind) && !changes ? readQuery(document, candidate, group) : []
    const inferred = [...((effect as KeyedEffect).changes ?? []), ...asked]
    if (asked.length > 0) (effect as KeyedEffect).changes = inferred
    for (const { pointer } of asked) {
      const about = `${pointer.join('.')} by ${candidate.operation.method} ${candidate.operation.path}`
      addFact(group.facts, { fact: 'change', about, evidence: 'schema', why: 'the query has it, and the body has not' })
    }
    const first = effect.kind === 'create' ? firstExpressions(group) : {}
    if (!changes && !needs && !related && Object.keys(first).length === 0) continue
    const { operation } = candidate
    const isRemoval = effect.kind === 'remove' && !needs
    if (isRemoval && !related) continue
    if (!isRemoval && !changing.includes(effect.kind)) {
      const message = `${effectName}: only ${changing.join(', ')} can change a record (got "${effect.kind}")`
      throw new DocumentProblem(message, [...operation.at, effectName])
    }
    const change = effect as KeyedEffect
    const { properties } = flattenSchema(document, group.record)
    const access = change as ChangeAccess
    const own =
      !changes || isRemoval
        ? inferred
        : effect.kind === 'action'
          ? chooseSets(document, candidate, group, access).others
          : readChanges(document, candidate, group, changes, group.record, 'changes')
    const begun = readChanges(document, candidate, group, first, group.record, 'first')
    own.push(...begun.map((each): ChosenChange => ({ ...each, isFirst: true })))
    const collections = collectionsOf(groups, group, operations)
    for (const name of Object.keys(needs ?? {})) checkName(operation, ['needs', name], name, properties.keys(), known)
    const others = Object.entries(related ?? {}).map(([property, written]) => {
      checkName(operation, ['related', property], property, collections.keys(), 'property with the key of a record')
      const other = collections.get(property) as Group
      const read = readChanges(document, candidate, other, written, group.record, 'related', property)
      return { property, collection: other.model.name, changes: read }
    })
    const values = [...own, ...others.flatMap(({ changes }) => changes)].flatMap((each) => partsOf(each.value))
    for (const value of values) {
      if (value.from !== 'related') continue
      checkName(operation, ['changes'], value.property, collections.keys(), 'property with the key of a record')
      value.collection = collections.get(value.property)?.model.name ?? ''
    }
    for (const each of own) if (partsOf(each.value).some(({ from }) => from === 'related')) each.isLast = true
    if (own.length > 0) change.changes = own
    if (needs)
      change.needs = Object.entries(needs).map(([property, value]) => ({
        property,
        values: [value].flat(),
      }))
    if (others.length > 0) change.related = others
  }
}

/** Parameters of the query that say which records are meant, or how the answer looks. */
const isQuestion =
  /^(version|revision|etag|fields?|expand|include|lang|language|locale|page|limit|offset|sort|order|filter|q|search|query)$/i

/** What parameters of the query give to properties of the same name that the body does not have: `POST /files?name=a.txt` */
function readQuery(
  document: OpenApiDocument,
  { operation, pointer }: Candidate,
  { model, record }: Group,
): ChosenChange[] {
  const request = findRequestRecord(document, operation, pointer, record)
  const given = request ? flattenSchema(document, request.schema).properties : undefined
  const { properties } = flattenSchema(document, record)
  return operation.parameters.flatMap((parameter): ChosenChange[] => {
    const { name, in: place } = parameter.value
    const schema = properties.get(name)
    if (place !== 'query' || !schema || name === model.key || given?.has(name) || isQuestion.test(name)) return []
    const types = [...flattenSchema(document, schema).types] as JsonType[]
    const sent = flattenSchema(document, parameterSchema(parameter)).types
    const isSame = types.some((type) => type !== 'null' && type !== 'object' && sent.has(type))
    if (!isSame || hasFlag(document, schema, 'readOnly')) return []
    return [{ pointer: [name], value: { from: 'request', in: 'query', pointer: [name] }, types }]
  })
}

const known = 'property of the record'

/** The collections to whose records the properties of a record refer. */
function collectionsOf(
  groups: Groups,
  { model, corrected }: Group,
  operations: readonly StatefulOperation[],
): Map<string, Group> {
  const found = [
    ...(model.links ?? []).map(({ collection, values }) => ({ property: values.at(-1)?.[0], collection })),
    ...operations.flatMap(({ effect }) => ('references' in effect && effect.references) || []),
  ]
  const named = Object.entries(corrected?.references ?? {}).map(([property, to]) => {
    const path = typeof to === 'string' ? to : to.to
    return { property, collection: groups.get(path)?.model.name }
  })
  return new Map(
    [...found, ...named].flatMap(({ property, collection }): [string, Group][] => {
      const other = [...groups.values()].find((each) => each.model.name === collection)
      return property === undefined || !other ? [] : [[property, other]]
    }),
  )
}

/** What an answer has around the record. */
export function chooseAnswer(
  document: OpenApiDocument,
  candidate: Candidate,
  record: Located<Schema>,
  links: Group['model']['links'] = [],
): AnswerValue[] {
  const { corrected, success, operation } = candidate
  if (!corrected?.answer || !success?.schema) return []
  const read = readChanges(document, candidate, { record: success.schema }, corrected.answer, record, 'answer')
  const collections = new Map(links.map(({ collection, values }) => [values.at(-1)?.[0] ?? '', collection]))
  for (const value of read.flatMap((each) => partsOf(each.value))) {
    if (value.from !== 'related') continue
    checkName(operation, ['answer'], value.property, collections.keys(), 'property with the key of a record')
    value.collection = collections.get(value.property) ?? ''
  }
  return read.map(({ pointer, value, types }) => ({ pointer, chosen: value, ...(types && { types }) }))
}

/** @param source the schema of the record whose values changes may name */
function readChanges(
  document: OpenApiDocument,
  { operation }: Candidate,
  { record }: Pick<Group, 'record'>,
  written: Record<string, unknown>,
  source: Located<Schema>,
  ...at: string[]
): ChosenChange[] {
  const { properties, open } = flattenSchema(document, record)
  const own = flattenSchema(document, source)
  return Object.entries(written).map(([name, given]): ChosenChange => {
    const place = [...at, name]
    const pointer = toNames(name)
    const [first = ''] = pointer
    if (!open) checkName(operation, place, first, properties.keys(), known)
    const value = readValue(given)
    if (!value) {
      const wrong = String(leavesOf(given).find((each) => !readValue(each)))
      checkName(operation, place, wrong, forms, 'expression')
      throw new DocumentProblem(`${effectName}: ${wrong} is only the form of an expression`, operation.at)
    }
    for (const each of partsOf(value)) {
      if (each.from === 'record' && !own.open)
        checkName(operation, place, each.pointer[0] ?? '', own.properties.keys(), known)
      if (each.from === 'request' && each.pointer[0] !== undefined)
        checkSent(document, operation, place, each.in, each.pointer[0])
    }
    const schema = schemaAt(document, record, pointer)
    const flat = schema && flattenSchema(document, schema)
    if (flat && value.from === 'constant' && pointer.at(-1) !== '-' && !isAllowed(flat, value.value))
      checkName(
        operation,
        place,
        String(value.value),
        (flat.keywords.enum ?? []).map(String),
        `${name} that its schema allows`,
      )
    const types = flat ? ([...flat.types] as JsonType[]) : []
    return { pointer, value: toForm(document, value, pointer.at(-1) ?? '', schema), ...(types.length > 0 && { types }) }
  })
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]
}

/** The schema of an inner property. A name in a list, such as `-`, is that of an item. */
function schemaAt(
  document: OpenApiDocument,
  schema: Located<Schema> | undefined,
  pointer: readonly string[],
): Located<Schema> | undefined {
  const [name, ...others] = pointer
  if (name === undefined || !schema) return schema
  const { properties, items } = flattenSchema(document, schema)
  return schemaAt(document, properties.get(name) ?? items, others)
}

/** The value, with the form that its schema has for times. */
function toForm(document: OpenApiDocument, value: ChosenValue, name: string, schema?: Located<Schema>): ChosenValue {
  if (!schema) return value
  const inner = (each: ChosenValue, member: string) =>
    toForm(document, each, member, schemaAt(document, schema, [member]))
  if (value.from === 'now') return { ...value, ...chosenTimeForm(name, flattenSchema(document, schema)) }
  if (value.from === 'list') return { ...value, parts: value.parts.map((each) => inner(each, '-')) }
  if (value.from !== 'object') return value
  return { ...value, properties: value.properties.map(([member, each]) => [member, inner(each, member)]) }
}

function checkSent(
  document: OpenApiDocument,
  operation: Candidate['operation'],
  at: readonly string[],
  place: 'path' | 'query' | 'header' | 'body',
  name: string,
): void {
  // A header need not be declared.
  if (place === 'header') return
  if (place !== 'body') {
    const known = operation.parameters.flatMap(({ value }) => (value.in === place ? value.name : []))
    checkName(operation, at, name, known, `${place} parameter`)
    return
  }
  const body = recordContent(document, operation)
  const sent = body?.value.schema === undefined ? undefined : flattenSchema(document, schemaOf(body))
  if (sent && !sent.open) checkName(operation, at, name, sent.properties.keys(), 'property of the body')
}
