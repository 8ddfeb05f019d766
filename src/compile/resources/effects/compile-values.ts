/** Compiles the values of answers that requests have, and the keys that are new in each answer. */

import type { MadeValue } from '../../../contract/contract.js'
import { tokenLifetime } from '../../../contract/credentials.js'
import type { AnswerValue, ChosenValue, Effect, FixedBody, ValueUse } from '../../../contract/effects/effect.js'
import type { JsonType } from '../../../contract/request-model.js'
import { type Located, type Schema, schemaOf } from '../../../document/document.js'
import { shownKey } from '../../../infer/facts/candidate.js'
import { nameOf } from '../../../infer/facts/facts.js'
import { findKeyForm, toSimilar } from '../../../infer/facts/find-key-form.js'
import { findKeyName } from '../../../infer/facts/find-key-name.js'
import { findAddresses } from '../../../infer/made-values.js'
import { lineOf } from '../../../infer/paths/path-tree.js'
import { isObject } from '../../../json/own-value.js'
import { endsLikeNew, isLoginTokenName, isOfAny, isOfRequest } from '../../../lexicon/keys.js'
import { isSetByService } from '../../../lexicon/times.js'
import { isMaking, isRenewing, isRepeating } from '../../../lexicon/verbs.js'
import { bareName, nounOf, wordsOf } from '../../../lexicon/words.js'
import { examplesAt, schemaExamples } from '../../../schemas/examples.js'
import { flattenSchema, isObjectSchema } from '../../../schemas/flatten-schema.js'
import { recordContent } from '../../../schemas/operations/request-content.js'
import { timeFormOf } from '../../../schemas/time-form.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import { chooseAnswer } from './choose-changes.js'
import type { Group } from './compile-scope.js'

/** What an answer says of itself. */
const ofAnswers =
  /^(code|message|errors?|success|ok|result|status|total|count|next|previous|cursor|hasmore|sha|hash|digest|etag|version|revision)$/

/** What names a user in a request for a token, and what never does. */
const ofUsers = /^(user|e-?mail|login|account|phone|client)/i
const ofSecrets = /pass|secret|token|grant|scope|code|otp|pin$/i

/** @param above the object that has it. Undefined for the answer itself */
type Property = [name: string, schema: Located<Schema>, above?: string]

/** @param group the collection of the operation. Undefined if it has none */
export function compileValues(
  context: OperationContext,
  candidate: CompiledCandidate,
  effect: Effect | undefined,
  group: Group | undefined,
): ValueUse | undefined {
  const { document, ensures } = context
  const { operation, success, decision, pointer, record } = candidate
  const { schema, flat } = success ?? {}
  if (!effect || effect.kind === 'undescribed' || !schema || !flat || !isObjectSchema(flat)) return undefined
  const chosen = chooseAnswer(document, candidate, group?.record ?? schema, group?.model.links)
  if (chosen.length > 0) return { kind: 'values', values: chosen, record: pointer, ensure: ensures.add(schema) }
  const fixed = fixedOf(effect)
  // The whole answer is the record, or a list of them.
  if (!fixed && pointer.length === 0) return undefined
  const taken = [fixed?.keyName, fixed?.starts?.keyName, ...(fixed ? [] : [pointer[0]])]
  const words = [...decision.facts.words, ...wordsOf(nameOf(candidate.node))]
  const says = (isMeant: (word: string) => boolean) => words.some(isMeant)
  const isWriting = operation.method !== 'GET' && operation.method !== 'HEAD'
  const properties = [...flat.properties].filter(([name, each]) => !taken.includes(name) && isScalar(each))
  const sent = fixed ? sentBy(context, candidate) : new Map<string, Located<Schema>>()
  const repeated = says(isRepeating) ? [] : properties.flatMap(repeat)
  const known = repeated.map(({ pointer: [name] }) => name)
  const others = properties.filter(([name]) => !known.includes(name))
  const inner = [...flat.properties].flatMap(([name, each]) =>
    taken.includes(name)
      ? []
      : [...flattenSchema(document, each).properties].flatMap(([own, schema]): Property[] =>
          isOfRequest(own) || isLoginToken(own, schema) ? [[own, schema, name]] : [],
        ),
  )
  const made = [...others, ...inner]
  const tokens = made.filter(([name, each]) => isLoginToken(name, each))
  const values = [
    ...repeated,
    ...makeTokens(tokens),
    ...(tokens.length > 0 ? others.flatMap(ofToken) : []),
    ...makeKeys(made.filter((each) => !tokens.includes(each))),
    ...(fixed && isWriting
      ? others.flatMap(toTime)
      : group
        ? findAddresses(document, candidate, schema, group).map(toLink)
        : []),
  ]
  return values.length > 0 ? { kind: 'values', values, record: pointer, ensure: ensures.add(schema) } : undefined

  function isScalar(each: Located<Schema>): boolean {
    const { types, keywords } = flattenSchema(document, each)
    const isPlain = !['enum', 'const'].some((keyword) => keyword in keywords)
    return isPlain && ['string', 'integer', 'number'].some((type) => types.has(type as JsonType))
  }

  function makeTokens(tokens: readonly Property[]): AnswerValue[] {
    const names = [...sentBy(context, candidate).keys()]
    const isOAuth = names.some((name) => bareName(name) === 'granttype')
    const client = isOAuth ? (names.find((name) => bareName(name) === 'clientid') ?? 'client_id') : undefined
    const open = names.filter((name) => !ofSecrets.test(name) && name !== client)
    const user = open.find((name) => ofUsers.test(name)) ?? (isOAuth ? undefined : open[0])
    const token = { ...(user !== undefined && { user }), ...(client !== undefined && { client }) }
    return tokens.map(([name, , above]) => ({ pointer: above === undefined ? [name] : [above, name], token }))
  }

  /** What an answer says of its token (RFC 6749, section 5.1). */
  function ofToken([name, each]: Property): AnswerValue[] {
    const { types } = flattenSchema(document, each)
    const pointer = [name]
    if (bareName(name) === 'tokentype' && types.has('string'))
      return [{ pointer, chosen: { from: 'constant', value: 'Bearer' } }]
    const isLifetime = bareName(name) === 'expiresin' && (types.has('integer') || types.has('number'))
    return isLifetime ? [{ pointer, chosen: { from: 'constant', value: tokenLifetime } }] : []
  }

  /** Whether it is a token for requests to other operations: this one changes something and needs no credentials itself. */
  function isLoginToken(name: string, each: Located<Schema>): boolean {
    const needs = operation.value.security ?? document.security ?? []
    const isOpen = needs.every((schemes) => Object.keys(schemes).length === 0)
    const isUsed = Object.values(context.security.schemes).some(({ kind }) => kind !== 'basic')
    return isWriting && isOpen && isUsed && isLoginTokenName(name) && flattenSchema(document, each).types.has('string')
  }

  /** The value of a parameter of the path, or of a property that the request has, too. */
  function repeat([name, each]: Property): AnswerValue[] {
    const types = [...flattenSchema(document, each).types] as JsonType[]
    const parameter = parameterOf(name)
    if (parameter !== undefined) return [{ pointer: [name], from: ['path', parameter], types }]
    const [sentName = name] = [name, ...sent.keys()].filter((each) => isNamed(name, each) && sent.has(each))
    const given = sent.get(sentName)
    const isSent = given && !ofAnswers.test(bareName(name)) && isScalar(given)
    const isRenewed = endsLikeNew(name) && says(isRenewing)
    if (!isSent || isRenewed || !types.some((type) => flattenSchema(document, given).types.has(type))) return []
    return [{ pointer: [name], from: ['body', sentName], types }]
  }

  /** Whether a property of the body is that of the answer: `uid` of a new index is its `indexUid`. */
  function isNamed(name: string, given: string): boolean {
    const noun = nounOf(nameOf(candidate.node))
    return name === given || bareName(name) === bareName(noun + given)
  }

  function toLink({ pointer, parts }: MadeValue): AnswerValue {
    const key = (record && group && shownKey(document, record, group)) ?? group?.model.key ?? ''
    const chosen = parts.map(
      (part): ChosenValue =>
        typeof part === 'string' ? { from: 'constant', value: part } : { from: 'record', pointer: [key] },
    )
    return { pointer, chosen: { from: 'text', parts: chosen } }
  }

  function parameterOf(name: string): string | undefined {
    const bare = bareName(name)
    const isKeyed = fixed && 'parameter' in (effect ?? {}) && effect?.kind !== 'create' && group && schema
    if (isKeyed && findKeyName(document, schema, group) === name && candidate.keyIn === undefined) {
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
  function toTime([name, each]: Property): AnswerValue[] {
    const form = isSetByService(name) ? timeFormOf(name, flattenSchema(document, each), true) : undefined
    return form ? [{ pointer: [name], isNow: true, ...form }] : []
  }

  /** New keys in the form of the examples of the answer. */
  function makeKeys(others: readonly Property[]): AnswerValue[] {
    const makesNew = effect?.kind === 'example' && isWriting && says(isMaking)
    const isSent = (name: string) => [...sent.keys()].some((each) => bareName(each) === bareName(name))
    const shown = schema ? examplesAt(document, { path: schema.path.slice(0, -1), pointer: [], is: 'record' }) : []
    return others.flatMap(([name, each, above]): AnswerValue[] => {
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
      return [{ pointer, plan: context.plans.add(made, { isKey: true }) }]
    })
  }
}

function fixedOf(effect: Effect): FixedBody | undefined {
  if (effect.kind === 'example') return effect
  return 'answer' in effect ? effect.answer : undefined
}

/** The properties of the body of a request. */
function sentBy(
  { document }: OperationContext,
  { operation }: CompiledCandidate,
): ReadonlyMap<string, Located<Schema>> {
  const content = operation.method === 'GET' ? undefined : recordContent(document, operation)
  return content?.value.schema === undefined ? new Map() : flattenSchema(document, schemaOf(content)).properties
}
