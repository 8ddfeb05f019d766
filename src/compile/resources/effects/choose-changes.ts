/** Compiles what lines say that a record, and those that it refers to, have after a request. */

import { fromAbout, type Line } from '../../../behaviour/line.js'
import { forms, partsOf, readValue } from '../../../behaviour/values.js'
import type {
  AnswerValue,
  BlockingRecords,
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
import { effectName, refuseUnknown } from '../../../document/refuse-unknown.js'
import { flattenSchema, isAllowed } from '../../../schemas/flatten-schema.js'
import { recordContent } from '../../../schemas/operations/request-content.js'
import { chosenTimeForm } from '../../../schemas/time-form.js'
import type { CompiledCandidate } from '../known-operation.js'
import { firstExpressions } from './choose-first.js'
import type { Group, Groups } from './compile-scope.js'
import type { StatefulOperation } from './ensure-records.js'

/** What an action sets and takes: constants, times, and values of its body. Everything else is a change of its own. */
export function chooseSets(
  document: OpenApiDocument,
  candidate: CompiledCandidate,
  group: Group,
  { given = [], givenAliases = [] }: ChangeAccess,
): { sets: FieldChange[]; takes: [string, string][]; others: ChosenChange[] } {
  const all = readChanges(document, candidate, group, candidate.lines.all('changes').map(toSaid), group.record)
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

/** A value that a line says of an inner property, and the members that lead to it from the place of the line. */
interface Said {
  line: Line
  name: string
  value: unknown
  at: string[]
}

function toSaid(line: Line): Said {
  return { line, name: line.about, value: line.says, at: [line.about] }
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
    const { operation, lines } = candidate
    const changes = lines.all('changes')
    const needs = lines.all('needs')
    const related = lines.all('related')
    const first = effect.kind === 'create' ? firstExpressions(group) : []
    const blocking = lines.all('blockedBy')
    if (changes.length + needs.length + related.length + first.length + blocking.length === 0) continue
    const isRemoval = effect.kind === 'remove'
    if (!isRemoval && !changing.includes(effect.kind)) {
      const message = `${effectName}: only ${changing.join(', ')} can change a record (got "${effect.kind}")`
      throw new DocumentProblem(message, [...operation.at, effectName])
    }
    const change = effect as KeyedEffect
    const { properties } = flattenSchema(document, group.record)
    const access = change as ChangeAccess
    const own = isRemoval
      ? []
      : effect.kind === 'action'
        ? chooseSets(document, candidate, group, access).others
        : readChanges(document, candidate, group, changes.map(toSaid), group.record)
    const begun = readChanges(document, candidate, group, first.map(toSaid), group.record)
    own.push(...begun.map((each): ChosenChange => ({ ...each, isFirst: true })))
    const collections = collectionsOf(groups, group, operations)
    for (const line of needs) refuseUnknown(line, line.about, properties.keys(), known, line.about)
    const others = related.map((line) => {
      const { about: property, says } = line
      refuseUnknown(line, property, collections.keys(), 'property with the key of a record', property)
      const other = collections.get(property) as Group
      const said = Object.entries(says).map(([name, value]): Said => ({ line, name, value, at: [property, name] }))
      return {
        property,
        collection: other.model.name,
        changes: readChanges(document, candidate, other, said, group.record),
      }
    })
    const values = [...own, ...others.flatMap(({ changes }) => changes)].flatMap((each) => partsOf(each.value))
    for (const value of values) {
      if (value.from !== 'related') continue
      refuseUnknown(changes[0] ?? related[0], value.property, collections.keys(), 'property with the key of a record')
      value.collection = collections.get(value.property)?.model.name ?? ''
    }
    for (const each of own) if (partsOf(each.value).some(({ from }) => from === 'related')) each.isLast = true
    if (own.length > 0) change.changes = own
    const status = lines.value('needsStatus')
    if (needs.length > 0)
      change.needs = needs.map(({ about, says }) => ({
        ...{ property: about, values: [says].flat() },
        ...(status !== undefined && { status }),
      }))
    const blocked = blocking.flatMap((line): BlockingRecords[] => {
      const { about, says } = line
      refuseUnknown(line, about, groups.keys(), 'path of a collection', about)
      const other = groups.get(about)
      if (!other) return []
      const { name: collection, links = [] } = other.model
      if (says !== true) return [{ ...says, collection }]
      const link = links.find((each) => each.collection === group.model.name)?.values.at(-1)?.[0]
      const named = other.lines.all('references').find((each) => each.says.to === group.path)?.about
      const property = link ?? named
      return property === undefined ? [] : [{ collection, property, status: 409 }]
    })
    if (blocked.length > 0) change.blockedBy = blocked
    if (others.length > 0) change.related = others
  }
}

const known = 'property of the record'

/** The collections to whose records the properties of a record refer. */
function collectionsOf(
  groups: Groups,
  { model, lines }: Group,
  operations: readonly StatefulOperation[],
): Map<string, Group> {
  const found = [
    ...(model.links ?? []).map(({ collection, values }) => ({ property: values.at(-1)?.[0], collection })),
    ...operations.flatMap(({ effect }) => ('references' in effect && effect.references) || []),
  ]
  const named = lines.all('references').map(({ about, says }) => {
    return { property: about, collection: groups.get(says.to ?? '')?.model.name }
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
  candidate: CompiledCandidate,
  record: Located<Schema>,
  links: Group['model']['links'] = [],
): AnswerValue[] {
  const { lines, success } = candidate
  const said = lines.all('answer')
  if (said.length === 0 || !success?.schema) return []
  const read = readChanges(document, candidate, { record: success.schema }, said.map(toSaid), record, true)
  const collections = new Map(links.map(({ collection, values }) => [values.at(-1)?.[0] ?? '', collection]))
  for (const value of read.flatMap((each) => partsOf(each.value))) {
    if (value.from !== 'related') continue
    refuseUnknown(said[0], value.property, collections.keys(), 'property with the key of a record')
    value.collection = collections.get(value.property) ?? ''
  }
  return read.map(({ pointer, value, types }, index) => ({
    ...{ pointer, chosen: value },
    ...(types && { types }),
    ...(isRecorded(said[index]) && { isRecorded: true as const }),
  }))
}

/** Whether the real service was seen to do so: it has properties, and its answers values, that no schema allows. */
function isRecorded(line: Line | undefined): boolean {
  return line?.evidence.author === 'recording'
}

/** @param source the schema of the record whose values changes may name */
function readChanges(
  document: OpenApiDocument,
  { operation }: CompiledCandidate,
  { record }: Pick<Group, 'record'>,
  said: readonly Said[],
  source: Located<Schema>,
  isAnswer = false,
): ChosenChange[] {
  const { properties, open } = flattenSchema(document, record)
  const own = flattenSchema(document, source)
  return said.map(({ line, name, value: given, at }): ChosenChange => {
    const pointer = fromAbout(name)
    const [first = ''] = pointer
    if (!open && !isRecorded(line)) refuseUnknown(line, first, properties.keys(), known, ...at)
    const value = readValue(given)
    if (!value) {
      const wrong = String(leavesOf(given).find((each) => !readValue(each)))
      refuseUnknown(line, wrong, forms, 'expression', ...at)
      throw new DocumentProblem(`${effectName}: ${wrong} is only the form of an expression`, operation.at)
    }
    for (const each of partsOf(value)) {
      if (each.from === 'record' && !own.open)
        refuseUnknown(line, each.pointer[0] ?? '', own.properties.keys(), known, ...at)
      if (each.from === 'request' && each.pointer[0] !== undefined)
        checkSent(document, operation, line, at, each.in, each.pointer[0])
    }
    const schema = schemaAt(document, record, pointer)
    const flat = schema && flattenSchema(document, schema)
    if (
      flat &&
      !(isAnswer && isRecorded(line)) &&
      value.from === 'constant' &&
      pointer.at(-1) !== '-' &&
      !isAllowed(flat, value.value)
    )
      refuseUnknown(
        line,
        String(value.value),
        (flat.keywords.enum ?? []).map(String),
        `${name} that its schema allows`,
        ...at,
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
  operation: CompiledCandidate['operation'],
  line: Line,
  at: readonly string[],
  place: 'path' | 'query' | 'header' | 'body',
  name: string,
): void {
  // A header need not be declared.
  if (place === 'header') return
  if (place !== 'body') {
    const known = operation.parameters.flatMap(({ value }) => (value.in === place ? value.name : []))
    refuseUnknown(line, name, known, `${place} parameter`, ...at)
    return
  }
  const body = recordContent(document, operation)
  const sent = body?.value.schema === undefined ? undefined : flattenSchema(document, schemaOf(body))
  if (sent && !sent.open) refuseUnknown(line, name, sent.properties.keys(), 'property of the body', ...at)
}
