/** Finds the values of answers that requests have, and the keys and tokens that are new in each answer. */
import { guess } from '../behaviour/line.js'
import type { AnsweredValue } from '../behaviour/members.js'
import type { MadeValue } from '../contract/contract.js'
import { tokenLifetime } from '../contract/credentials.js'
import type { ChosenValue } from '../contract/effects/effect.js'
import type { JsonType } from '../contract/request-model.js'
import {
  type Located,
  type OpenApiDocument,
  type Schema,
  type SecuritySchemeObject,
  schemaOf,
} from '../document/document.js'
import { oncePer } from '../document/once.js'
import { resolve } from '../document/references.js'
import { isObject } from '../json/own-value.js'
import { isOfAnswerItself } from '../lexicon/envelopes.js'
import {
  carriesToken,
  endsLikeNew,
  isLoginTokenName,
  isOfAny,
  isOfGrant,
  isOfRequest,
  isOfUser,
  isTokenType,
} from '../lexicon/keys.js'
import { isSetByService } from '../lexicon/times.js'
import { isMaking, isRenewing, isRepeating } from '../lexicon/verbs.js'
import { bareName, nounOf, wordsOf } from '../lexicon/words.js'
import { examplesAt, schemaExamples } from '../schemas/examples.js'
import { exampleValue, type FlatSchema, flattenSchema, hasFlag, isObjectSchema } from '../schemas/flatten-schema.js'
import { findKeyForm, toSimilar } from '../schemas/key-form.js'
import { neededCredentials } from '../schemas/operations/needed-credentials.js'
import { recordContent } from '../schemas/operations/request-content.js'
import { timeFormOf } from '../schemas/time-form.js'
import type { KnownCollection } from './collection.js'
import { type Candidate, shownKey } from './facts/candidate.js'
import { nameOf } from './facts/facts.js'
import { findKeyName } from './facts/find-key-name.js'
import { findAddresses } from './made-values.js'
import { lineOf } from './paths/path-tree.js'
import { lastOf, loginProperties } from './users.js'

/** @param above the object that has it. Undefined for the answer itself */
type Property = [name: string, schema: Located<Schema>, above?: string]

/**
 * Says which values of its answer an operation repeats or makes, besides those of records.
 * @param group the collection of its path. Undefined if it has none
 */
export function findAnswerValues(
  document: OpenApiDocument,
  candidate: Candidate,
  group: KnownCollection | undefined,
): void {
  const { operation, success, decision, pointer, record, kind, lines } = candidate
  const { schema, flat } = success ?? {}
  if (kind === 'undescribed' || !schema || !flat || !isObjectSchema(flat)) return
  const begun = lines.value('started')
  const isOnlyBegun = begun && kind === 'create' && group?.members.every((each) => each.kind === 'create')
  const isExample = kind === 'example' || !group || isOnlyBegun === true
  // As `compile-effect.ts` compiles it: an answer that shows no record.
  const isFixed = isExample || (kind !== 'list' && !record && success?.mediaType !== undefined)
  // The whole answer is the record, or a list of them.
  if (!isFixed && pointer.length === 0) return
  const isWriting = operation.method !== 'GET' && operation.method !== 'HEAD'
  const isPut = kind === 'create' && candidate.parameter !== undefined && operation.method === 'PUT'
  const isKeyed = !isExample && kind !== 'list' && (kind !== 'create' || isPut)
  const taken = [lines.value('answerKey'), begun?.keyName, ...(isFixed ? [] : [pointer[0]])]
  const words = [...decision.facts.words, ...wordsOf(nameOf(candidate.node))]
  const says = (isMeant: (word: string) => boolean) => words.some(isMeant)
  // What requests alone have is not repeated.
  const isShown = (each: Located<Schema>) => isScalar(each) && !hasFlag(document, each, 'writeOnly')
  const properties = [...flat.properties].filter(([name, each]) => !taken.includes(name) && isShown(each))
  const given = sentBy(document, candidate)
  const kept = group && flattenSchema(document, group.record).properties
  const sent = isFixed ? given : new Map<string, Located<Schema>>()
  const repeated = says(isRepeating) ? [] : properties.flatMap(repeat)
  const known = repeated.map(({ pointer: [name] }) => name)
  const others = properties.filter(([name]) => !known.includes(name))
  const inner = [...flat.properties].flatMap(([name, each]) =>
    [...flattenSchema(document, each).properties].flatMap(([own, schema]): Property[] => {
      // Who registers may get a token, too.
      const isOpen = !taken.includes(name)
      const isMeant = (isOpen && isOfRequest(own)) || ((isOpen || kind === 'create') && isLoginToken(own, schema))
      return isMeant ? [[own, schema, name]] : []
    }),
  )
  const users = isFixed ? ofUsers(flat, []) : []
  const made = [...others, ...inner]
  const tokens = made.filter(([name, each]) => isLoginToken(name, each))
  const values: AnsweredValue[] = [
    ...repeated,
    ...(tokens.length > 0 ? users : []),
    ...makeTokens(tokens),
    ...(tokens.length > 0 ? others.flatMap(ofToken) : []),
    ...makeKeys(made.filter((each) => !tokens.includes(each))),
    ...(isFixed && isWriting
      ? others.flatMap(toTime)
      : group
        ? findAddresses(document, candidate, schema, group).map(toLink)
        : []),
  ]
  if (values.length > 0)
    lines.add('values', '', values, guess('name', 'the request has it, or each answer has a new one'))

  function isScalar(each: Located<Schema>): boolean {
    const { types, keywords } = flattenSchema(document, each)
    const isPlain = !['enum', 'const'].some((keyword) => keyword in keywords)
    return isPlain && ['string', 'integer', 'number'].some((type) => types.has(type as JsonType))
  }

  function makeTokens(tokens: readonly Property[]): AnsweredValue[] {
    const names = [...loginProperties(document, given).keys()]
    const isOAuth = names.some((name) => bareName(name) === 'granttype')
    const client = isOAuth ? (names.find((name) => bareName(name) === 'clientid') ?? 'client_id') : undefined
    const open = names.filter((name) => !isOfGrant(name) && name !== client)
    const user = open.find((name) => isOfUser(lastOf(name))) ?? (isOAuth ? undefined : open[0])
    const token = { ...(user !== undefined && { user }), ...(client !== undefined && { client }) }
    return tokens.map(([name, , above]) => ({ pointer: above === undefined ? [name] : [above, name], token }))
  }

  /** What an object of the user who logs in has of the request: `{"user": {"email": "a@example.com"}}` */
  function ofUsers({ properties }: FlatSchema, at: string[]): AnsweredValue[] {
    return [...properties].flatMap(([name, each]): AnsweredValue[] => {
      const inner = flattenSchema(document, each)
      const pointer = [...at, name]
      if (isObjectSchema(inner) && at.length < 2) return ofUsers(inner, pointer)
      const isSent = isOfUser(name) && !isOfGrant(name) && given.has(name) && at.length > 0
      return isSent ? [{ pointer, from: ['body', name], types: [...inner.types] as JsonType[] }] : []
    })
  }

  /** What an answer says of its token (RFC 6749, section 5.1). */
  function ofToken([name, each]: Property): AnsweredValue[] {
    const { types, keywords } = flattenSchema(document, each)
    const pointer = [name]
    if (isTokenType(name) && types.has('string'))
      return [{ pointer, chosen: { from: 'constant', value: exampleValue(keywords) ?? 'Bearer' } }]
    const isLifetime = bareName(name) === 'expiresin' && (types.has('integer') || types.has('number'))
    return isLifetime ? [{ pointer, chosen: { from: 'constant', value: tokenLifetime } }] : []
  }

  /** Whether it is a token for requests to other operations: this one changes something and needs no credentials itself. */
  function isLoginToken(name: string, each: Located<Schema>): boolean {
    const needs = neededCredentials(document, operation)
    const isOpen = needs.every((schemes) => Object.keys(schemes).length === 0)
    return (
      isWriting &&
      isOpen &&
      usesTokens(document) &&
      isLoginTokenName(name) &&
      flattenSchema(document, each).types.has('string')
    )
  }

  /** The value of a parameter of the path, or of a property that the request has, too. */
  function repeat([name, each]: Property): AnsweredValue[] {
    const types = [...flattenSchema(document, each).types] as JsonType[]
    const parameter = parameterOf(name)
    if (parameter !== undefined) return [{ pointer: [name], from: ['path', parameter], types }]
    const [sentName = name] = [name, ...sent.keys()].filter((each) => isNamed(name, each) && sent.has(each))
    const given = sent.get(sentName)
    const own = kind === 'create' && isFixed && !isExample ? kept?.get(name) : undefined
    const ownTypes = own && flattenSchema(document, own).types
    if (own && (given || !isOfAnswerItself(name)) && types.some((type) => ownTypes?.has(type)))
      return [{ pointer: [name], chosen: { from: 'record', pointer: [name] }, types }]
    const isSent = given && !isOfAnswerItself(name) && isScalar(given)
    const isRenewed = endsLikeNew(name) && says(isRenewing)
    if (!isSent || isRenewed || !types.some((type) => flattenSchema(document, given).types.has(type))) return []
    return [{ pointer: [name], from: ['body', sentName], types }]
  }

  /** Whether a property of the body is that of the answer: `uid` of a new index is its `indexUid`. */
  function isNamed(name: string, given: string): boolean {
    const noun = nounOf(nameOf(candidate.node))
    return name === given || bareName(name) === bareName(noun + given)
  }

  function toLink({ pointer, parts }: MadeValue): AnsweredValue {
    const key = (record && group && shownKey(document, record, group)) ?? group?.model.key ?? ''
    const chosen = parts.map(
      (part): ChosenValue =>
        typeof part === 'string' ? { from: 'constant', value: part } : { from: 'record', pointer: [key] },
    )
    return { pointer, chosen: { from: 'text', parts: chosen } }
  }

  function parameterOf(name: string): string | undefined {
    const bare = bareName(name)
    if (isFixed && isKeyed && group && findKeyName(document, schema, group) === name && candidate.keyIn === undefined) {
      return candidate.parameter
    }
    const steps = lineOf(candidate.node).flatMap((node, index) => {
      const parameter = decision.steps[index]?.parameter
      return parameter === undefined ? [] : [{ parameter, noun: bareName(nounOf(nameOf(node))) }]
    })
    const named = ({ parameter, noun }: (typeof steps)[number]) =>
      [bareName(parameter), noun + bareName(parameter)].some(
        (each) => each === bare && !isOfAny(each) && each !== 'status',
      )
    return steps.findLast(named)?.parameter
  }

  /** The time at which something begins that an answer confirms. */
  function toTime([name, each]: Property): AnsweredValue[] {
    const form = isSetByService(name) ? timeFormOf(name, flattenSchema(document, each), true) : undefined
    return form ? [{ pointer: [name], isNow: true, ...form }] : []
  }

  /** New keys in the form of the examples of the answer. */
  function makeKeys(others: readonly Property[]): AnsweredValue[] {
    const makesNew = isExample && isWriting && says(isMaking)
    const isSent = (name: string) => [...sent.keys()].some((each) => bareName(each) === bareName(name))
    const shown = schema ? examplesAt(document, { path: schema.path.slice(0, -1), pointer: [], is: 'record' }) : []
    return others.flatMap(([name, each, above]): AnsweredValue[] => {
      const isAsked = isOfRequest(name)
      const isMade = isAsked || (makesNew && endsLikeNew(name) && !isSent(name))
      const { types, keywords } = flattenSchema(document, each)
      if (!isMade || !types.has('string') || isSent(name)) return []
      const examples = shown.flatMap((value) => (isObject(value) ? [value[name]] : []))
      const texts = [...examples, ...schemaExamples(document, each)].filter((value) => typeof value === 'string')
      const isUuid = keywords.format === 'uuid' || (isAsked && texts.length === 0)
      const form = isUuid ? 'uuid' : (findKeyForm(texts, []) ?? toSimilar(texts[0] ?? ''))
      if (form === undefined) return []
      const made: Schema = form === 'uuid' ? { type: 'string', format: 'uuid' } : { type: 'string', pattern: form }
      const pointer = above === undefined ? [name] : [above, name]
      return [{ pointer, made }]
    })
  }
}

/** Whether requests need anything else than a name and a password. */
const usesTokens: (document: OpenApiDocument) => boolean = oncePer((document: OpenApiDocument) =>
  Object.entries(document.components?.securitySchemes ?? {}).some(([name, written]) => {
    const { value } = resolve<SecuritySchemeObject>(document, written, ['components', 'securitySchemes', name])
    const type = String(value.type).toLowerCase()
    if (type === 'http') return String(value.scheme).toLowerCase() !== 'basic'
    return type === 'apikey'
      ? Boolean(value.name) && carriesToken(String(value.name))
      : ['oauth2', 'openidconnect', 'bearer'].includes(type)
  }),
)

/** The properties of the body of a request. */
function sentBy(document: OpenApiDocument, { operation }: Candidate): ReadonlyMap<string, Located<Schema>> {
  const content = operation.method === 'GET' ? undefined : recordContent(document, operation)
  if (content?.value.schema === undefined) return new Map()
  const { properties } = flattenSchema(document, schemaOf(content))
  return new Map([...properties].filter(([, each]) => !hasFlag(document, each, 'readOnly')))
}
