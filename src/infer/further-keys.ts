/** Says what names a record besides its key: further keys that the service makes, and values that are unique. */

import { fromAbout, guess, stated } from '../behaviour/line.js'
import type { KeyMaking } from '../behaviour/model.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { toJson } from '../json/exact-json.js'
import { isObject } from '../json/own-value.js'
import { saysNothing, saysTwice, takenPattern } from '../lexicon/errors-in-texts.js'
import {
  endsLikeSecret,
  isId,
  isOfRequest,
  isOfUser,
  isPassword,
  isSecret,
  mayBeMade,
  mayFind,
} from '../lexicon/keys.js'
import { saysEither } from '../lexicon/parameter-texts.js'
import { isCalledBy, mostUnique } from '../lexicon/record-names.js'
import { saysMade, saysOnce, saysOwnKey, saysSome, saysUnique } from '../lexicon/texts.js'
import { bareName, mostSearched, sameName, wordsOf } from '../lexicon/words.js'
import { examplesAt, propertyExamples, schemaExamples } from '../schemas/examples.js'
import type { FlatSchema } from '../schemas/flatten-schema.js'
import { flattenSchema, hasFlag } from '../schemas/flatten-schema.js'
import { toSimilar } from '../schemas/key-form.js'
import { jsonBody } from '../schemas/operations/describe-operations.js'
import { findExamplePlaces } from '../schemas/operations/example-places.js'
import { sentBy } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import { type Candidate, parameterOf } from './facts/candidate.js'
import { findKeyMaking, isOpenKey, withoutParameters } from './facts/find-key-making.js'
import { linkedNames } from './facts/linked-keys.js'
import { registers } from './users.js'

type Properties = ReadonlyMap<string, Located<Schema>>

/** Says which other properties name a record, how further keys are made, and which values are unique. */
export function findFurtherKeys(document: OpenApiDocument, group: KnownCollection): void {
  findOtherKeys(document, group)
  findOwnKeys(document, group)
  findShownOnce(document, group)
  for (const { about } of group.lines.all('keys')) {
    const nested = nestedIn(document, group, about)
    const schema = nested ? undefined : propertyOf(document, group, about)
    if (nested) group.makings.set(about, nestedMaking(document, group, nested))
    else if (schema) group.makings.set(about, makingOf(document, group, about, schema))
  }
}

function findOtherKeys(document: OpenApiDocument, group: KnownCollection): void {
  const { model, members, record, lines } = group
  const isChosen = members.some((member) => member.key !== undefined)
  if (isChosen || parameterOf(members) === undefined) return
  for (const property of otherKeysOf(document, flattenSchema(document, record), model.key, members))
    lines.add('finds', property, true, guess('name', 'it may name the record'))
  const operations = members.map(({ operation }) => operation)
  for (const property of linkedNames(document, operations, group.resource?.item?.step.template ?? ''))
    if (property !== model.key && flattenSchema(document, record).properties.has(property))
      lines.add('finds', property, true, stated('a link gives it to the path of the record'))
}

/** Adds the further keys and the unique properties of records that an operation creates. */
function findOwnKeys(document: OpenApiDocument, group: KnownCollection): void {
  const { model, lines, members } = group
  // What has a key in its path and no body only links a record.
  const creates = members.filter(
    ({ kind, operation, parameter }) => kind === 'create' && (operation.body || parameter === undefined),
  )
  if (creates.length === 0) return
  const sent = sentBy(document, group)
  const own = findKeys(document, group, sent)
  for (const property of own)
    lines.add('keys', property, true, guess('schema', 'it names the record, and creations do not send it'))
  const isRead = members.some(({ parameter, keyIn }) => parameter !== undefined && keyIn === undefined)
  for (const property of isRead ? own : [])
    if (lines.get('keys', property)) lines.add('finds', property, true, guess('name', 'it names the record'))
  for (const property of findSecrets(document, group, sent))
    lines.add('keys', property, true, guess('name', 'it is a secret, and creations do not send it'))
  for (const [holder, property] of findBesideKey(document, group))
    lines.add('keys', `${holder}/${property}`, true, guess('description', 'the service makes it, beside the key'))
  for (const [list, property] of findNested(document, group, sent))
    lines.add('keys', `${list}/${property}`, true, guess('schema', 'it names an object of the list'))
  for (const [property, schema] of sent) {
    if (property === model.key || !flattenSchema(document, schema).types.has('string')) continue
    if (saysOwnKey(String(flattenSchema(document, schema).keywords.description)))
      lines.add('first', property, `$record#/${model.key}`, stated('its description says so'))
    const from = findUnique(document, creates, property, schema)
    if (from) lines.add('unique', property, true, guess(from, whyUnique[from]))
  }
  // Nobody registers twice.
  const address = [...sent.keys()].find((each) => isOfUser(each) && isCalledBy(each))
  if (address !== undefined && creates.every(registers) && lines.all('unique').length === 0)
    lines.add('unique', address, true, guess('name', 'it names the user who registers'))
  const names = lines.all('unique').length > 0 || sent.has(model.key) ? [] : findTaken(document, creates, sent)
  const why = guess('description', 'a conflict is about what exists already, and it has the name')
  for (const name of names) lines.add('unique', name, true, why)
  if (address !== undefined && [...sent.keys()].some(isPassword) && lines.all('unique').length === 0)
    lines.add('unique', address, true, guess('name', 'it names the user who logs in'))
}

/** The only name that creations send, or those of a user, if each documents a conflict with what exists already. */
function findTaken(document: OpenApiDocument, creates: readonly Candidate[], sent: Properties): string[] {
  const ofRecords = creates.filter(({ operation }) => jsonBody(operation))
  const conflicts = ofRecords.map(({ operation: { responses }, lines }) =>
    String(responses.get(String(lines.value('conflictStatus') ?? 409))?.value.description),
  )
  const texts = [...sent].flatMap(([name, schema]) => {
    const { types, keywords } = flattenSchema(document, schema)
    return types.has('string') && !types.has('null') && keywords.enum === undefined ? [name] : []
  })
  // A conflict of which nothing more is said is about what most likely differs.
  if (conflicts.length === 0) return []
  if (conflicts.every(saysNothing)) return [mostUnique(texts) ?? []].flat()
  const names = texts.filter(isCalledBy)
  return conflicts.every(saysTwice) ? (names.length === 1 ? names : names.filter(isOfUser)) : []
}

const whyUnique = {
  description: 'its description says so',
  example: 'the documented conflict names it',
}

function findKeys(document: OpenApiDocument, { model, record, members }: KnownCollection, sent: Properties): string[] {
  return [...flattenSchema(document, record).properties].flatMap(([property, schema]) => {
    if (property === model.key || sent.has(property) || !mayBeMade(property)) return []
    if (!isOpenKey(flattenSchema(document, schema))) return []
    const { keyKind, schema: form } = findKeyMaking(document, property, schema, record, withoutParameters(members))
    // A `key` or a `number` is made if examples show its form, or if it is an integer.
    return !isId(property) && keyKind === 'string' && form === undefined ? [] : [property]
  })
}

/** The secrets that answers show, and creations do not send. Only the answer to a creation may have them. */
function findSecrets(
  document: OpenApiDocument,
  { record, members, model }: KnownCollection,
  sent: Properties,
): string[] {
  const whole = flattenSchema(document, record)
  const created = members.flatMap((member) =>
    member.kind === 'create' && member.record && whole.keywords.additionalProperties !== false
      ? [...flattenSchema(document, member.record).properties]
      : [],
  )
  const all = new Map([...created, ...whole.properties])
  const isIssued = [...all.keys()].some((name) => bareName(name) === 'clientsecret' && !sent.has(name))
  return [...all].flatMap(([property, schema]) => {
    const name = bareName(property)
    const isUsual = isSecret(name, model.name) || (isIssued && name === 'clientid')
    if (!isUsual || sent.has(property) || property === model.key) return []
    const { types, keywords } = flattenSchema(document, schema)
    const { description, format } = keywords
    // Letters and digits are Base64, too.
    const isPlain = format === undefined || format === 'password' || format === 'byte'
    const isOpen = !('enum' in keywords) && !('const' in keywords) && isPlain
    return types.has('string') && isOpen && !isOfSome(String(description ?? '')) ? [property] : []
  })
}

/** Whether a description says that not every new record has a secret. */
function isOfSome(description: string): boolean {
  return saysSome(description) && !saysOnce(description)
}

/** The keys that the service gives to the objects in a list that creations send. */
function findNested(
  document: OpenApiDocument,
  { record }: KnownCollection,
  sent: Properties,
): [list: string, property: string][] {
  return [...flattenSchema(document, record).properties].flatMap(([list, schema]): [string, string][] => {
    const given = sent.get(list)
    const { items } = flattenSchema(document, schema)
    const givenItems = given && flattenSchema(document, given).items
    if (!items || !givenItems) return []
    const requested = flattenSchema(document, givenItems)
    const shown = flattenSchema(document, items)
    // What only has a key refers to a record.
    const others = [...requested.properties].filter(([name]) => !isId(name))
    if (others.length === 0) return []
    const noun = sameName(list)
    const key = [...shown.properties].find(([name, each]) => {
      const asked = requested.properties.get(name)
      const isWritten = !asked || hasFlag(document, each, 'readOnly') || hasFlag(document, asked, 'readOnly')
      // Requests may have it, too: an object without one is new.
      const isOwn = isId(name) || [`${noun}id`, `${noun}uuid`, `${noun}sid`].includes(bareName(name))
      const { format, description = '' } = flattenSchema(document, each).keywords
      const isMade = isWritten || format === 'uuid' || saysMade(String(description))
      return !requested.required.has(name) && isMade && (isOwn || (isWritten && mayBeMade(name)))
    })
    if (!key) return []
    const [property, each] = key
    return isOpenKey(flattenSchema(document, each)) ? [[list, property]] : []
  })
}

/** The keys that the service makes in the object that has the key which callers choose: `metadata.uid` beside `metadata.name` */
function findBesideKey(
  document: OpenApiDocument,
  { record, lines }: KnownCollection,
): [holder: string, property: string][] {
  const [holder = '', key, ...deeper] = fromAbout(lines.value('key') ?? '')
  const schema = flattenSchema(document, record).properties.get(holder)
  if (!schema || key === undefined || deeper.length > 0) return []
  return [...flattenSchema(document, schema).properties].flatMap(([name, each]): [string, string][] => {
    const flat = flattenSchema(document, each)
    const isMade = name !== key && isId(name) && saysMade(String(flat.keywords.description))
    return isMade && isOpenKey(flat) ? [[holder, name]] : []
  })
}

const conflicts = ['409', '422', '400', '403', '4XX']

/** What says that no two records have the same value: only where a creation documents what happens otherwise. */
function findUnique(
  document: OpenApiDocument,
  creates: KnownCollection['members'],
  property: string,
  schema: Located<Schema>,
): 'example' | 'description' | undefined {
  const documented = creates.map(({ operation: { responses }, lines }) =>
    [...conflicts, String(lines.value('existing'))].flatMap((each) => responses.get(each) ?? []),
  )
  if (isOfRequest(property) || documented.some(({ length }) => length === 0)) return undefined
  if (property.length > mostSearched) return undefined
  const { description } = flattenSchema(document, schema).keywords
  if (typeof description === 'string' && saysUnique(description)) return 'description'
  const names = takenPattern(property)
  const responses = documented.flat()
  const shown = responses.flatMap(({ value: { content = {} }, path }) =>
    Object.keys(content).flatMap((type) =>
      examplesAt(document, { path: [...path, 'content', type], pointer: [], is: 'record' }),
    ),
  )
  if (shown.some((example) => names.test(toJson(example)))) return 'example'
  const named = responses.flatMap(({ value: { content = {} } }) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.entries(examples as Record<string, { summary?: string }>),
    ),
  )
  if (named.some(([name, { summary }]) => names.test(`${name}. ${summary}`))) return 'example'
  const described = creates.map(({ operation: { value } }) => {
    const { summary = '', description: said = '' } = value as { summary?: string; description?: string }
    return `${summary}. ${said}`.split('.').filter(saysTwice).join('.')
  })
  const told = [...responses.map(({ value }) => String(value.description)), ...described]
  return told.some((each) => names.test(each)) ? 'description' : undefined
}

/** Properties other than the key by which a service may find a record. */
function otherKeysOf(
  document: OpenApiDocument,
  { properties }: FlatSchema,
  key: string,
  members: readonly Candidate[],
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
function alternativesIn({ parameters }: Candidate['operation'], name: string): string[] {
  const { description, schema } = {
    ...parameters.find(({ value }) => value.in === 'path' && value.name === name)?.value,
  } as {
    description?: string
    schema?: { description?: string }
  }
  const words = wordsOf(name)
  const either = words.indexOf('or')
  const named = either > 0 ? [words.slice(0, either), words.slice(either + 1)].map((each) => each.join('')) : []
  return [...saysEither(description ?? schema?.description ?? ''), ...named]
}

/** The schema of a property of records, or of the answers of creations alone. */
function propertyOf(
  document: OpenApiDocument,
  { record, members }: KnownCollection,
  property: string,
): Located<Schema> | undefined {
  const created = members.flatMap(({ kind, record: each }) => (kind === 'create' && each ? [each] : []))
  const found = [record, ...created].map((each) => flattenSchema(document, each).properties.get(property))
  return found.find((each) => each !== undefined)
}

function makingOf(
  document: OpenApiDocument,
  { record, members, model }: KnownCollection,
  property: string,
  schema: Located<Schema> | undefined,
): KeyMaking {
  const usual = findKeyMaking(document, property, schema, record, withoutParameters(members))
  const isNamed = mayBeMade(property) && (isId(property) || usual.keyKind !== 'string' || usual.schema !== undefined)
  const isUsual = isSecret(bareName(property), model.name) || bareName(property) === 'clientid'
  return (!isNamed && isUsual && schema && secretMaking(document, schema)) || usual
}

/** How a secret is made: in the form of its example, or of letters and digits. */
function secretMaking(document: OpenApiDocument, schema: Located<Schema>): KeyMaking {
  const { pattern, minLength = 0, maxLength = usualLength } = flattenSchema(document, schema).keywords
  if (pattern !== undefined) return { keyKind: 'string', schema: schema.value }
  const shown = schemaExamples(document, schema).find((each) => typeof each === 'string' && each.length >= leastSecret)
  const similar = shown === undefined ? undefined : toSimilar(String(shown))
  const length = Math.min(maxLength, Math.max(minLength, usualLength))
  return { keyKind: 'string', schema: { type: 'string', pattern: similar ?? `^[\\dA-Za-z]{${length}}$` } }
}

/** The usual length of a secret, and the least that an example must have to show its form. */
const [usualLength, leastSecret] = [32, 12]

/** A list of objects, and their key. */
interface Nested {
  list: string
  property: string
  items: Located<Schema>
  schema: Located<Schema>
}

/** The schemas of a list of objects, and of their key, if a line is about one. */
function nestedIn(document: OpenApiDocument, { record }: KnownCollection, about: string): Nested | undefined {
  const end = about.lastIndexOf('/')
  if (end < 0) return undefined
  const [list, property] = [about.slice(0, end), about.slice(end + 1)]
  const schema = flattenSchema(document, record).properties.get(list)
  const items = schema && (flattenSchema(document, schema).items ?? schema)
  const key = items && flattenSchema(document, items).properties.get(property)
  return items && key && { list, property, items, schema: key }
}

function nestedMaking(
  document: OpenApiDocument,
  group: KnownCollection,
  { list, property, items, schema }: Nested,
): KeyMaking {
  const places = findExamplePlaces(document, group).filter(({ is }) => is !== 'key')
  const objects = places.flatMap((place) => propertyExamples(document, place, list)).flat()
  const examples = objects.flatMap((object) => (isObject(object) ? [object[property]] : []))
  return findKeyMaking(document, property, schema, items, [], examples)
}

/** Says which secrets only the answer to a creation shows. */
function findShownOnce(document: OpenApiDocument, { record, lines }: KnownCollection): void {
  const { required, properties } = flattenSchema(document, record)
  for (const [property, schema] of properties) {
    // Fields of other names may be left out for other reasons.
    if (!endsLikeSecret(property) || required.has(property)) continue
    const { description } = flattenSchema(document, schema).keywords
    if (saysOnce(String(description ?? '')))
      lines.add('shownOnce', property, true, guess('description', 'only the answer to a creation has it'))
  }
}
