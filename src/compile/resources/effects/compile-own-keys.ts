/** Compiles what names a record besides its key: further keys that the service makes, and values that are unique. */
import type { NestedKey, OwnKey, UniqueProperty } from '../../../contract/contract.js'
import type { Effect } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { toJson } from '../../../json/exact-json.js'
import { isObject } from '../../../json/own-value.js'
import { endsLikeSecret, isId, isOfRequest, isSecret, mayBeMade } from '../../../lexicon/keys.js'
import { saysOnce, saysSome, saysUnique } from '../../../lexicon/texts.js'
import { isRenewing } from '../../../lexicon/verbs.js'
import { bareName, mostSearched, sameName, singular, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema, hasFlag } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { addFact } from '../facts/evidence.js'
import { examplesAt, findExamplePlaces, propertyExamples, schemaExamples } from '../facts/examples.js'
import { nameOf } from '../facts/facts.js'
import { toSimilar } from '../facts/find-key-form.js'
import { findRequestRecord } from '../facts/request-record.js'
import { compileKey } from './compile-key.js'
import type { Group } from './compile-scope.js'

/** Adds the further keys and the unique properties of records that an operation creates. */
export function addOwnKeys(context: OperationContext, group: Group): void {
  const { document } = context
  const { model, record, facts, members, corrected } = group
  const creates = members.filter(({ kind }) => kind === 'create')
  if (creates.length === 0) return
  const sent = new Map(creates.flatMap((create) => [...sentBy(context, group, create)]))
  const ownKeys: OwnKey[] = []
  // Parameters say only what the key is.
  const withoutKey = members.map((member) => ({ ...member, parameter: undefined }))
  const secrets = findSecrets(context, group, sent)
  for (const [property, schema] of flattenSchema(document, record).properties) {
    if (property === model.key || sent.has(property) || !mayBeMade(property)) continue
    const { types, keywords } = flattenSchema(document, schema)
    const isKey = types.has('string') !== types.has('integer') && !('enum' in keywords) && !('const' in keywords)
    const made = isKey ? compileKey(context, property, schema, record, withoutKey) : undefined
    // A `key` or a `number` is made if examples show its form, or if it is an integer.
    if (!made || (!isId(property) && made.keyKind === 'string' && made.keyPlan === undefined)) continue
    ownKeys.push({ property, ...made })
    const why = 'it names the record, and creations do not send it'
    addFact(facts, { fact: 'key', about: property, evidence: 'schema', why })
  }
  const isNamed = ({ property }: OwnKey) => ownKeys.some((each) => each.property === property)
  const others = secrets.filter((each) => !isNamed(each))
  if (ownKeys.length + others.length > 0) model.ownKeys = [...ownKeys, ...others]
  for (const { property: about } of others)
    addFact(facts, { fact: 'key', about, evidence: 'name', why: 'it is a secret, and creations do not send it' })
  if (ownKeys.length > 0) {
    const isRead = members.some(({ parameter, keyIn }) => parameter !== undefined && keyIn === undefined)
    const names = ownKeys.map(({ property }) => property)
    if (isRead) model.otherKeys = [...new Set([...(model.otherKeys ?? []), ...names])]
  }
  const nestedKeys = findNestedKeys(context, group, sent)
  if (nestedKeys.length > 0) model.nestedKeys = nestedKeys
  if (corrected?.keys) chooseKeys(context, group, corrected.keys)
  const unique = [...sent].flatMap(([property, schema]): UniqueProperty[] => {
    const { types } = flattenSchema(document, schema)
    const isChosen = corrected?.unique?.includes(property)
    if (property === model.key || (!isChosen && !types.has('string'))) return []
    const inferred = corrected?.unique && !isChosen ? undefined : findUnique(context, creates, property, schema)
    const evidence = isChosen ? 'extension' : inferred
    if (evidence === undefined) return []
    const why = whyUnique[evidence]
    addFact(facts, { fact: 'unique', about: property, evidence, why })
    const places = findExamplePlaces(document, group).filter(({ is }) => is === 'draft')
    const examples = [...places.flatMap((place) => propertyExamples(document, place, property))]
    return [{ property, examples: [...examples, ...schemaExamples(document, schema)].filter((each) => each != null) }]
  })
  for (const [index, name] of (corrected?.unique ?? []).entries())
    corrected?.check('unique', name, sent.keys(), 'property that creations send', String(index))
  if (unique.length > 0) model.unique = unique
}

const whyUnique = {
  extension: 'x-sandbox-resource names it',
  description: 'its description says so',
  example: 'the documented conflict names it',
}

/** Leaves the further keys that `x-sandbox-resource` names, and adds those that are missing. */
function chooseKeys(
  context: OperationContext,
  { model, record, members, corrected, facts }: Group,
  names: string[],
): void {
  const nested = model.nestedKeys?.filter(({ list, property }) => names.includes(`${list}/${property}`))
  const [own, lost] = [true, false].map((isNamed) =>
    (model.ownKeys ?? []).filter(({ property }) => names.includes(property) === isNamed),
  ) as [OwnKey[], OwnKey[]]
  const { properties } = flattenSchema(context.document, record)
  const known = [...properties.keys(), ...own.map(({ property }) => property)]
  for (const [index, property] of names.entries()) {
    if (property.includes('/') && nested?.some((each) => `${each.list}/${each.property}` === property)) continue
    corrected?.check('keys', property, known, 'property of the record', String(index))
    if (own.some((each) => each.property === property)) continue
    const schema = properties.get(property)
    const others = members.map((member) => ({ ...member, parameter: undefined }))
    own.push({ property, ...compileKey(context, property, schema, record, others) })
    addFact(facts, { fact: 'key', about: property, evidence: 'extension', why: 'x-sandbox-resource names it' })
  }
  if (model.ownKeys || own.length > 0) model.ownKeys = own
  if (nested) model.nestedKeys = nested
  const isLost = (name: string) => lost.some(({ property }) => property === name)
  if (lost.length > 0 && model.otherKeys) model.otherKeys = model.otherKeys.filter((name) => !isLost(name))
}

/** The secrets that answers show, and creations do not send. Only the answer to a creation may have them. */
function findSecrets(
  { document, plans }: OperationContext,
  { record, members, model }: Group,
  sent: ReadonlyMap<string, Located<Schema>>,
): OwnKey[] {
  const whole = flattenSchema(document, record)
  const created = members.flatMap((member) =>
    member.kind === 'create' && member.record && whole.keywords.additionalProperties !== false
      ? [...flattenSchema(document, member.record).properties]
      : [],
  )
  const all = new Map([...created, ...whole.properties])
  const isIssued = [...all.keys()].some((name) => bareName(name) === 'clientsecret' && !sent.has(name))
  return [...all].flatMap(([property, schema]): OwnKey[] => {
    const name = bareName(property)
    const isUsual = isSecret(name, model.name) || (isIssued && name === 'clientid')
    if (!isUsual || sent.has(property) || property === model.key) return []
    const { types, keywords } = flattenSchema(document, schema)
    const { description, pattern, format, minLength = 0, maxLength = usualLength } = keywords
    // Letters and digits are Base64, too.
    const isPlain = format === undefined || format === 'password' || format === 'byte'
    const isOpen = !('enum' in keywords) && !('const' in keywords) && isPlain
    if (!types.has('string') || !isOpen || isOfSome(String(description ?? ''))) return []
    if (pattern !== undefined)
      return [{ property, keyKind: 'string', keyPlan: plans.add(schema.value, { isKey: true }) }]
    const shown = schemaExamples(document, schema).find(
      (each) => typeof each === 'string' && each.length >= leastSecret,
    )
    const similar = shown === undefined ? undefined : toSimilar(String(shown))
    const length = Math.min(maxLength, Math.max(minLength, usualLength))
    const form = similar ?? `^[\\dA-Za-z]{${length}}$`
    return [{ property, keyKind: 'string', keyPlan: plans.add({ type: 'string', pattern: form }, { isKey: true }) }]
  })
}

/** Whether a description says that not every new record has a secret. */
function isOfSome(description: string): boolean {
  return saysSome(description) && !saysOnce(description)
}

/** Hides the secrets that only the answer to a creation shows, or to an operation that makes them again. */
export function hideShownOnce(
  document: OpenApiDocument,
  { record, members, facts }: Group,
  effects: ReadonlyMap<DescribedOperation, Effect>,
): void {
  const { required, properties } = flattenSchema(document, record)
  const once = [...properties].flatMap(([property, schema]) => {
    const { description } = flattenSchema(document, schema).keywords
    // Fields of other names may be left out for other reasons.
    const isOnce = endsLikeSecret(property) && saysOnce(String(description ?? ''))
    return isOnce && !required.has(property) ? [property] : []
  })
  for (const { operation, node } of once.length > 0 ? members : []) {
    const effect = effects.get(operation)
    if (!effect || !('collection' in effect) || effect.kind === 'create' || isRenewing(firstWord(nameOf(node))))
      continue
    effect.hidden = [...(effect.hidden ?? []), ...once]
  }
  for (const about of once)
    addFact(facts, { fact: 'first', about, evidence: 'description', why: 'only the answer to a creation has it' })
}

function firstWord(name: string): string {
  return wordsOf(name)[0] ?? ''
}

/** The usual length of a secret, and the least that an example must have to show its form. */
const [usualLength, leastSecret] = [32, 12]

/** The properties that a creation sends. */
function sentBy(
  { document }: OperationContext,
  { record }: Group,
  { operation, pointer }: Group['members'][number],
): [string, Located<Schema>][] {
  const request = findRequestRecord(document, operation, pointer, record)
  const own = flattenSchema(document, record).properties
  const isWritable = ([name, schema]: [string, Located<Schema>]) =>
    ![schema, own.get(name)].some((each) => each && hasFlag(document, each, 'readOnly'))
  return request ? [...flattenSchema(document, request.schema).properties].filter(isWritable) : []
}

/** The keys that the service gives to the objects in a list that creations send. */
function findNestedKeys(
  context: OperationContext,
  group: Group,
  sent: ReadonlyMap<string, Located<Schema>>,
): NestedKey[] {
  const { document } = context
  const { record, members, facts } = group
  return [...flattenSchema(document, record).properties].flatMap(([list, schema]): NestedKey[] => {
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
      const isMade = isWritten || format === 'uuid' || /\b(generated|assigned|unique)\b/i.test(String(description))
      return !requested.required.has(name) && isMade && (isOwn || (isWritten && mayBeMade(name)))
    })
    if (!key) return []
    const [property, each] = key
    const { types, keywords } = flattenSchema(document, each)
    const isKey = types.has('string') !== types.has('integer') && !('enum' in keywords) && !('const' in keywords)
    if (!isKey) return []
    const places = findExamplePlaces(document, { members, record }).filter(({ is }) => is !== 'key')
    const objects = places.flatMap((place) => propertyExamples(document, place, list)).flat()
    const examples = objects.flatMap((object) => (isObject(object) ? [object[property]] : []))
    const made = compileKey(context, property, each, items, [], examples)
    addFact(facts, {
      fact: 'key',
      about: `${list}.${property}`,
      evidence: 'schema',
      why: 'it names an object of the list',
    })
    return [{ list, property, ...made }]
  })
}

const conflicts = ['409', '422', '400', '4XX']

/** What says that no two records have the same value: only where a creation documents what happens otherwise. */
function findUnique(
  { document }: OperationContext,
  creates: Group['members'],
  property: string,
  schema: Located<Schema>,
): 'example' | 'description' | undefined {
  const documented = creates.map(({ operation: { responses } }) =>
    conflicts.flatMap((each) => responses.get(each) ?? []),
  )
  if (isOfRequest(property) || documented.some(({ length }) => length === 0)) return undefined
  if (property.length > mostSearched) return undefined
  const { description } = flattenSchema(document, schema).keywords
  if (typeof description === 'string' && saysUnique(description)) return 'description'
  const phrase = wordsOf(property).join('[ _-]?')
  const taken = 'exists?|taken|in use|duplicated?|unique'
  // unmeasured: words of a name, which are letters and digits
  const names = new RegExp(
    `\\b${phrase}\\b[^."]{0,200}\\b(${taken})\\b|\\b(duplicate|same|unique)( \\w+)? ['\`]?${phrase}\\b|"${phrase}":\\[?"[^"]*\\b(${taken})\\b`,
    'i',
  )
  const responses = documented.flat()
  const shown = responses.flatMap(({ value: { content = {} }, path }) =>
    Object.keys(content).flatMap((type) =>
      examplesAt(document, { path: [...path, 'content', type], pointer: [], is: 'record' }),
    ),
  )
  if (shown.some((example) => names.test(toJson(example)))) return 'example'
  return responses.some(({ value }) => names.test(String(value.description))) ? 'description' : undefined
}
