/** Reads the state and the times that an action gives a record, and its verb, from the description of the action. */
import type { FieldChange } from '../../../contract/effects/effect.js'
import { getOrInsert, ownValue } from '../../../json/own-value.js'
import { bareName, mostSearched, nounOf, ownerOfReference, singular, wordsOf } from '../../../values/words.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { Evidence } from '../facts/evidence.js'
import { textsOf } from './compile-progress.js'
import type { Group } from './compile-scope.js'
import { isFreeState } from './first-state.js'
import { isOwnState } from './states.js'
import { timeFormOf } from './time-form.js'

interface ToldState {
  change: FieldChange
  evidence: Evidence
  why: string
}

type Named = Pick<Group, 'resource' | 'record'>

/** The state that the example of the answer, or the description of an action, says the record has then. */
export function stateTold(
  document: OpenApiDocument,
  operation: DescribedOperation,
  group: Named,
  shown: Record<string, unknown> | undefined,
): ToldState | undefined {
  const sentences = sentencesOf(operation)
  const isOwn = (each: string) => !isOfOther(document, group, each)
  // What a record must be before says nothing of what it is then.
  const results = sentences.filter((each) => !isCondition.test(each))
  for (const [property, schema] of flattenSchema(document, group.record).properties) {
    const flat = flattenSchema(document, schema)
    const values = flat.keywords.enum?.filter((each): each is string => typeof each === 'string') ?? []
    const isFree = isFreeState(property, flat)
    if (!isFree && (!isOwnState(property) || values.length < 2)) continue
    const example = shown && ownValue(shown, property)
    const isTold = typeof example === 'string' && (isFree || values.includes(example))
    const toChange = (value: unknown): FieldChange => ({ property, with: 'constant', value })
    if (isTold) return { change: toChange(example), evidence: 'example', why: 'the example of its answer shows it' }
    const { find, isStated } = createPhrases(group, values)
    const said = [
      ...sentences.flatMap((each) =>
        isPassing.test(each) ? [] : [...each.matchAll(saysState)].filter(() => isOwn(each)),
      ),
      ...results.flatMap((each) => [...each.matchAll(isIn)].filter(() => isOwn(each))),
    ]
    const told = [
      ...said.flatMap(([, value = '']) => values.filter((each) => each.toLowerCase() === value.toLowerCase())),
      ...results
        .filter(isStated)
        .flatMap((each) => becomes.flatMap((pattern) => find(pattern, each)?.states.filter(() => isOwn(each)) ?? [])),
    ][0]
    const why = 'its description says which state follows'
    if (told !== undefined) return { change: toChange(told), evidence: 'description', why }
  }
  return undefined
}

/** The state that a description says new records have: of their creation, of them, or of the state itself. */
export function firstTold(
  document: OpenApiDocument,
  { value, responses }: DescribedOperation,
  group: Named,
  state: Located<Schema>,
): string | undefined {
  const { description } = flattenSchema(document, state).keywords
  const { find, isStated } = createPhrases(group, textsOf(document, state))
  const answers = [...responses].flatMap(([status, each]) => (status.startsWith('2') ? each.value : []))
  const texts = [value, ...answers, flattenSchema(document, group.record).keywords, { description }]
  const told = texts
    .flatMap((each) => sentencesOf({ value: each }))
    .flatMap((each) => {
      const said = each.replace(isFollowing, '')
      if (!isStated(said) || isCondition.test(said) || isOfOther(document, group, said)) return []
      return starts.flatMap((pattern) => find(pattern, said)?.states ?? [])
    })
  return new Set(told).size === 1 ? told[0] : undefined
}

/** What happens to a record after it has begun: `starts as a draft until it is sent` */
const isFollowing = /,?(?: and| but| then){0,3} (?:until|before|once|can|may|must|later)\b.*/i
/** `the job starts as \`ordered\``, `a new job is \`ordered\``, `jobs are created with the status \`ordered\`` */
const starts = [
  '(?:^|, |and |{N} |\\b(?:status|state) )(?:always |initially )?(?:starts?|begins?)(?: out)? (?:as|in|with|at) {F}{S}{E}',
  '(?:^|{N} )(?:(?:is|are|be) )?(?:initially |first |always )?created (?:as|in|with) {F}{S}{E}',
  '^creates? (?:an? )?(?:new )?{N} (?:as|in|with) {F}{S}{E}',
  '\\bnew(?:ly created)? {N} (?:is|are|has|have|gets?) {F}{S}{E}',
  '\\binitial(?:ly)?,? (?:{F}{N} )?{F}{S}{E}',
]

const isCondition = /\b(only|must|if|when|while|unless|before|until|once|after|later|may|might|can|could|would)\b/i
/** `until that is done, the status will be \`enabling\`` */
const isPassing = /\buntil\b/i
/** `is in status \`closed\`` */
const isIn = /\b(?:in|has|have) (?:the |a )?(?:status|state)(?: of)? [`"'*]+([\w-]+)/gi
/** `sets the status to "captured"`, `moves to the \`closed\` state`, `will be marked as sent` */
const saysState =
  /\b(?:status|state|mark(?:s|ed)?|moves?|moved|changes?|changed|transitions?|becomes?)\b[^.]{0,40}?\b(?:to|as|becomes?|be)\s+(?:the\s+)?(?:an?\s+)?[`"'*]*([\w-]+)/gi
/** `the lease becomes active`, `gets the status \`overlocked\``, `it is then \`running\`` */
const becomes = [
  '{N} (?:(?:is|are) (?:then|now|afterwards)|(?:will )?becomes?|will (?:then |now )?be|turns|goes (?:in)?to) {F}{S}{E}',
  '\\b(?:becomes?|gets|receives|takes|enters) (?:the |a )?(?:status|state) {F}{S}{E}',
  '(?:^|, |and |then )(?:it is then|becomes) {F}{S}{E}',
]

/** The verbs of sentences about the record: `end` of `Ends an active lease`. */
export function verbsTold(document: OpenApiDocument, operation: DescribedOperation, group: Named): string[] {
  const { properties } = flattenSchema(document, group.record)
  const states = [...properties].filter(([name]) => isOwnState(name))
  const values = states.flatMap(([, schema]) => flattenSchema(document, schema).keywords.enum ?? [])
  const { find } = createPhrases(group, values.map(String))
  return sentencesOf(operation).flatMap((each) => {
    const verb = find('^(?<verb>[a-z]+) (?:an?|the|this) (?:{S} )?{N}{T}', each)?.verb
    return verb === undefined ? [] : singular(verb)
  })
}

/** The times that a description says are set: ``the lease becomes active, `signed_at` is set`` */
export function timesTold(
  document: OpenApiDocument,
  operation: DescribedOperation,
  { record }: Named,
  requested: FlatSchema | undefined,
): FieldChange[] {
  const said = sentencesOf(operation).filter((each) => /\bsets?\b/i.test(each) && !isUnsure.test(each))
  if (said.length === 0) return []
  return [...flattenSchema(document, record).properties].flatMap(([property, schema]): FieldChange[] => {
    const time = property.length <= mostSearched && timeFormOf(property, flattenSchema(document, schema), true)
    const name = /[_A-Z]/.test(property)
      ? `[\`'"*]{0,3}\\b${property}\\b[\`'"*]{0,3}`
      : `[\`'"*]${property}[\`'"*]{1,3}`
    const isSet = new RegExp(
      `(?:\\bsets [^.]{0,40}${name}|${name} (?:is|gets) (?:then |also )?set)(?! to (?!now|the (?:current|time))| by\\b)`,
      'i',
    )
    const isTold = time && !requested?.properties.has(property) && said.some((each) => isSet.test(each))
    return isTold ? [{ property, with: 'now', ...time }] : []
  })
}

const isUnsure = /\b(not|null|unless|if|only|must|until|may|can|clear(s|ed)?|unset)\b/i

/** Characters of the longest sentence that is read, because the phrases take long for what is none. */
export const maxSentence = 1000

/** The sentences of the summary and the description, each in a line. */
export function sentencesOf({ value }: { value: object }): string[] {
  const { summary = '', description = '' } = value as { summary?: string; description?: string }
  return toSentences(`${summary}. ${description}`)
}

export function toSentences(text: string): string[] {
  const plain = text.replace(/<br ?\/?>|<\/(?:p|li)>/gi, '. ').replace(/<\/?code>/gi, '`')
  const parts = plain.split(/[.!?;](?=\s|$)|\n\s*(?:\n|[-*] )/)
  const sentences = parts.map((each) => each.replace(/\s+/g, ' ').trim())
  return sentences.filter((each) => each !== '' && each.length <= maxSentence)
}

/** Whether a sentence is about the records of another collection. */
export function isOfOther(document: OpenApiDocument, group: Named, sentence: string): boolean {
  const own = nounsOf(group)
  const nouns = new Set(wordsOf(sentence).map(singular))
  if (own.some((each) => nouns.has(each))) return false
  const paths = Object.keys(document.paths ?? {}).flatMap((path) => path.match(/(?<![^/{}])[^/{}]+(?=\/\{)/g) ?? [])
  return paths.some((each) => nouns.has(nounOf(each)))
}

/** The nouns of a record, by the names of its resource and its schema. */
function nounsOf({ resource, record }: Named): string[] {
  const schema = ownerOfReference(`#/${record.path.join('/')}`)
  return [...new Set([resource?.name ?? '', schema ?? ''].map(nounOf))].filter((each) => each !== '')
}

interface Found {
  states: string[]
  verb: string | undefined
}

interface Phrases {
  isStated(sentence: string): boolean
  /**
   * @param pattern `{S}`: one or several states. `{N}`: the record. `{F}`: words before states. `{E}`: the end of a state, and
   * not of a longer phrase such as `held by a guest`. `{T}`: that of a noun
   * @returns undefined if the sentence lacks it
   */
  find(pattern: string, sentence: string): Found | undefined
}

const follows = "states?|status|can|cannot|can't|may|must|will|is|are|to|before|so|when|and|or|if|because"

/** Finds phrases about the states of a record. States may be in quotes, and with other separators: `moved out` */
export function createPhrases(group: Named, values: readonly string[]): Phrases {
  const quote = '[`\'"*]*'
  const known = values.filter((each) => each.length <= mostSearched && /[a-z]{3}/i.test(each)).slice(0, 50)
  const forms =
    known
      .toSorted((a, b) => b.length - a.length)
      .map((each) => wordsOf(each).join('[ _-]?'))
      .join('|') || '(?!)'
  const bare = `(?<![\\w-])(?:${forms})s?(?![\\w-])`
  const state = quote + bare + quote
  const words = `(?:${quote}(?:an?|the|its|is|are|was|be|been|in|of|with|has|have|having|whose|still|currently|first|already|one|status|state)${quote} )*`
  const nouns = nounsOf(group)
    .filter(({ length }) => length <= mostSearched)
    .map((each) => `${each.replace(/y$/, '(?:y|ie)')}(?:e?s)?`)
  const parts: Record<string, string> = {
    S: `(?<states>${state}(?:(?:,? (?:or|and|nor)|,|/) ?${words}${state})*)`,
    // The tenant of the lease, and another lease, are other records.
    N: `(?<!\\b(?:(?:an)?other|different|previous|existing|parent|(?<!stat(?:us|e) )of (?:the|an?|its|this)) )\\b(?:${['it', ...nouns].join('|')})\\b`,
    F: words,
    E: `(?=${quote}(?:$|[,.;:()]| (?:${nouns.join('|')}|${follows})\\b))`,
    T: `(?=${quote}(?:$|[,.;:()]| (?:${follows}|for|at|by|in|with|on|that|which|whose)\\b))`,
  }
  const isState = new RegExp(bare, 'i')
  const compiled = new Map<string, RegExp>()
  return {
    isStated: (sentence) => isState.test(sentence),
    find(pattern, sentence) {
      const toRegExp = () =>
        new RegExp(
          pattern.replace(/\{([A-Z])\}/g, (_, part) => parts[part] ?? ''),
          'i',
        )
      const found = getOrInsert(compiled, pattern, toRegExp).exec(sentence)
      if (!found) return undefined
      const { states = '', verb } = found.groups ?? {}
      const named = [...states.matchAll(new RegExp(bare, 'gi'))].map(([each]) => bareName(each))
      const isNamed = (each: string) => named.some((name) => name === bareName(each) || name === `${bareName(each)}s`)
      return { states: values.filter(isNamed), verb: verb?.toLowerCase() }
    },
  }
}
