/** Finds the state that a record must have for an action, where the description of the action says so. */
import type { Effect, NeededState } from '../../../contract/effects/effect.js'
import { bareName, singular, wordsOf } from '../../../values/words.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { OpenApiDocument } from '../../document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { addFact } from '../facts/evidence.js'
import { nameOf } from '../facts/facts.js'
import { participles } from './compile-field-changes.js'
import { sentNames, textsOf } from './compile-progress.js'
import type { Group } from './compile-scope.js'
import { isOwnState } from './states.js'
import { createPhrases, isOfOther, maxSentence, sentencesOf, toSentences } from './told-states.js'

/** `This request only succeeds if the upload is in the "waiting" state` */
const saysNeeded = /\b(only|must)\b/i
/** ``Moves a `held` or `confirmed` booking to `cancelled` `` */
const saysMoved = /\b(moves?|changes?|turns?|transitions?|switch(es)?)\b/i
const saysNot = /\b(not|cannot|unless|un(able|less)|other than|except)\b|n't\b/i
const saysRefused =
  /\b(cannot|can'?t|can not|no longer|(may|must) not|fails?|refused?|rejected|errors?|conflict|4(09|22)|not (possible|allowed))\b/i
/** `If \`force\` is false, ...` */
const isLimited = /^(if|when|with|for|while|in)\b|\b(unless|except|not only)\b/i
/** `can be confirmed` */
const isDone = /\b(?:can|may)(?:not| not|'?t| no longer| only)? be (?!called|performed|invoked)(?:\w+ly )?([a-z]+)/i
const must = '(?:must|ha(?:s|ve) to|needs? to)'
/** Nothing follows by which only some requests are refused: `without a deposit` */
const end = '(?: stat(?:e|us))?(?=$|[,:(]| (?:or|because|since)\\b)'
const done = `be (?:\\w+ly )?\\w+(?: (?:in|out|on|off|up|again|anymore|any more))*${end}`
const cannot = "(?:cannot|can'?t|can not|can no longer|may not|must not|could not)\\b"

/** What a sentence may be. `limited`: for some requests only. `error`: it describes one. `conflict`: a 409 is documented. */
type Trait = 'refused' | 'limited' | 'error' | 'conflict'

/** Phrases with the states that a record must have, or must not have. The first that a sentence has counts. */
const phrases: readonly { is: string[]; if?: Trait; unless?: Trait; isNot?: true }[] = [
  {
    // only a held booking; only drafts can be; only a unit that is rented; the payment must be pending
    is: [
      '\\bonly (?:for )?(?:an? |the )?{S} {N}{T}',
      '\\bonly (?:an? )?{S} (?:can|may)\\b',
      '\\bonly (?:for )?{F}{N}(?: that| which)? {F}{S}{E}',
      '{S} {N} only\\b',
      '\\bonly\\b[^,]* (?:if|when|while) (?:the )?(?:{N}|(?:its )?(?:\\w+ )?(?:status|state)) {F}{S}{E}',
      `(?:^|{N} |\\b(?:status|state) )${must} {F}{S}{E}`,
      '^requires {F}{S} {N}{T}',
      '^requires {F}{N} to {F}{S}{E}',
    ],
    unless: 'limited',
  },
  { is: ['\\bunless (?:the )?(?:{N} |its )?{F}{S}{E}'], if: 'refused' },
  // a lease that is not a draft cannot be; the lease is not active; in any state other than draft
  { is: ['{N}(?: that| which)? (?:is|are|was) not {F}{S}{E}', '\\bother than {F}{S}{E}'], if: 'refused' },
  {
    // a paid invoice cannot be; an invoice that is paid cannot be; cannot forgive a paid invoice; only a lease that is not ended
    is: [
      `{S} {N} ${cannot} ${done}`,
      `{N}(?: that| which)? {F}{S} ${cannot} ${done}`,
      `${cannot} (?<verb>[a-z]+) (?:an? |the |any )?{S} {N}${end}`,
      `(?:^|{N} |\\b(?:status|state) )${must} not {F}{S}${end}`,
      '\\bonly {F}{N}(?: that| which)? {F}not {F}{S}{E}',
    ],
    unless: 'limited',
    isNot: true,
  },
  { is: [`\\b(?:if|when|because|since|as) (?:the )?{N} {F}{S}${end}`], if: 'refused', isNot: true },
  {
    is: [`(?:^|{N} )(?:(?:is|was|has been|has) )?already {F}{S}${end}`, `{N} (?:is|was|has been) {F}{S}${end}`],
    if: 'error',
    isNot: true,
  },
  // Ends an active lease; approves a transfer in the pending state
  {
    is: [
      '^(?<verb>[a-z]+) (?:an? |the |this )?{S} {N}{T}',
      '^(?<verb>[a-z]+) (?:an? |the )?(?:\\w+ )?{N} (?:in|with) {F}{S}{E}',
    ],
    if: 'conflict',
  },
]

type Status = NeededState['status']
const statuses: readonly Status[] = [409, 422, 403, 400]

/** Adds the states to actions that leave them. A record can get one of them, so that no action is refused forever. */
export function addNeededStates(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  effects: ReadonlyMap<DescribedOperation, Effect>,
): void {
  for (const group of groups) {
    const stateful = [...flattenSchema(document, group.record).properties].flatMap(([property, schema]) => {
      const values = isOwnState(property) ? textsOf(document, schema) : []
      return values.length > 1 ? [{ property, values }] : []
    })
    const sent = sentNames(document, group)
    // What creations, actions and time give.
    const { progress } = group.model
    const given = [
      ...group.members.flatMap(({ operation }): readonly { property: string; value?: unknown }[] => {
        const effect = effects.get(operation)
        return effect?.kind === 'create' ? effect.serviceWritten : effect?.kind === 'action' ? (effect.sets ?? []) : []
      }),
      ...(progress?.states.map(({ value }) => ({ property: progress.property, value })) ?? []),
    ]
    for (const candidate of group.members) {
      const { operation } = candidate
      const effect = effects.get(operation)
      if (effect?.kind !== 'action' || effect.needs) continue
      const set = effect.sets?.find((each) => each.with === 'constant' && isOwnState(each.property))
      const state = set ? stateful.find(({ property }) => property === set.property) : stateful[0]
      if (!state || (!set && stateful.length > 1)) continue
      const { property, values } = state
      const needs = findNeeded(document, candidate, group, values, set && String(set.value))
      const isReached = (value: unknown) =>
        sent.has(bareName(property)) || given.some((each) => each.property === property && each.value === value)
      if (!needs?.values.some(isReached)) continue
      effect.needs = [{ property, ...needs }]
      const about = `${property} for ${operation.method} ${operation.path}`
      const why = `its description says that it must be ${needs.values.join(' or ')}`
      addFact(group.facts, { fact: 'change', about, evidence: 'description', why })
    }
  }
}

/** @param set the state that the action gives */
function findNeeded(
  document: OpenApiDocument,
  candidate: Candidate,
  group: Group,
  values: readonly string[],
  set: string | undefined,
): Omit<NeededState, 'property'> | undefined {
  const { operation } = candidate
  const { responses } = operation
  const documented = statuses.find((each) => responses.has(String(each)))
  const { find, isStated } = createPhrases(group, values)
  const needed = new Set<string>()
  const forbidden = new Set<string>()
  let status = documented ?? 409
  const read = (sentence: string, error?: Status) => {
    const traits: Record<Trait, boolean> = {
      refused: error !== undefined || saysRefused.test(sentence),
      limited: isLimited.test(sentence),
      error: error !== undefined,
      conflict: responses.has('409'),
    }
    const named = isStated(sentence) ? phrases : []
    const found = named.flatMap(({ is, if: only, unless, isNot }) => {
      if ((only && !traits[only]) || (unless && traits[unless])) return []
      const said = is.flatMap((each) => find(each, sentence) ?? [])[0]
      return said && (said.verb === undefined || isOwnVerb(candidate, said.verb, set)) ? { ...said, isNot } : []
    })[0]
    const isConflict = responses.has('409') || responses.has('422')
    const [before = '', moved] = isConflict && saysMoved.test(sentence) ? splitAt(sentence, set ?? '') : []
    const part = saysNeeded.test(sentence) ? sentence : moved === undefined ? '' : before
    const isPlain = error === undefined && !traits.limited && !saysNot.test(sentence)
    const states = found?.states ?? (isPlain ? values.filter(isNamedIn(part)) : [])
    const verb = isDone.exec(sentence)?.[1]
    if (states.length === 0 || (verb && !isOwnVerb(candidate, verb, set)) || isOfOther(document, group, sentence))
      return
    for (const each of states) (found?.isNot ? forbidden : needed).add(each)
    if (error) status = error
  }
  for (const each of sentencesOf(operation)) read(each)
  for (const each of [409, 422] as const)
    for (const text of toSentences(String(responses.get(String(each))?.value.description ?? ''))) read(text, each)
  const allowed = values.filter((each) => (needed.size === 0 || needed.has(each)) && !forbidden.has(each))
  const isSame = allowed.length === 0 || allowed.length === values.length || needed.has(set ?? '')
  return isSame ? undefined : { values: allowed, status }
}

/** Whether a verb is that of the action: `forgiven` of `/invoices/{id}/forgive` */
function isOwnVerb({ node, operation }: Candidate, verb: string, set: string | undefined): boolean {
  const form = verb.toLowerCase()
  const words = [nameOf(node), operation.value.operationId ?? ''].flatMap(wordsOf)
  const isForm = (word: string) =>
    word.length > 2 &&
    (form.startsWith(word.slice(0, Math.max(3, word.length - 2))) || participles(word).includes(form))
  return words.some(isForm) || [singular(form), ...participles(singular(form))].includes(bareName(set ?? ''))
}

/** The parts of a sentence before and after a state that is a record's last one. */
function splitAt(sentence: string, state: string): string[] {
  return sentence.split(new RegExp(`\\b(?:in)?to (?=${quoted(state)})`, 'i'))
}

function quoted(state: string): string {
  return `[\`'"*]${state.slice(0, maxSentence).replace(/\W/g, '\\$&')}[\`'"*]`
}

/** Whether a sentence has a state in quotes, or in capitals as it is written. */
function isNamedIn(sentence: string): (state: string) => boolean {
  const low = sentence.toLowerCase()
  return (state) => {
    if (!low.includes(state.toLowerCase())) return false
    const isCapital = /^[A-Z_]{2,}$/.test(state) && new RegExp(`\\b${state}\\b`).test(sentence)
    return isCapital || new RegExp(quoted(state), 'i').test(sentence)
  }
}
