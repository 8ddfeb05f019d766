/** Says what a record must have, and what must not belong to it, before it is changed or removed, as descriptions of refusals say. */
import { guess, toAbout } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { endsLikeKey } from '../lexicon/keys.js'
import { blockingIn, saysWrongState, statesNeeded } from '../lexicon/refusals.js'
import { isEnded, isEndFlag, isOwnStateName, isUseFlag } from '../lexicon/stages.js'
import { nounOf, singular, wordsOf } from '../lexicon/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import type { createFindNamed } from '../schemas/named-keys.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { frameworkOf } from './frameworks.js'
import type { Paths } from './owners.js'

/** Statuses of refusals that are about the state of records, the usual first. */
const refusing = ['409', '422', '400', '403', '423', '412', '405']
const changing: readonly string[] = ['action', 'update', 'replace', 'remove']

interface Refused {
  status: number
  text: string
  /** Whether the description is that of the operation. */
  isGeneral?: true
}

/** What a document says of the refusals of an operation: their descriptions, and that of the operation. */
function refusalsOf(document: OpenApiDocument, { operation }: Candidate): Refused[] {
  const { responses, value } = operation
  const found = refusing.flatMap((status): Refused[] => {
    const text = responses.get(status)?.value.description
    return typeof text === 'string' ? [{ status: Number(status), text }] : []
  })
  const { summary = '', description = '' } = value as { summary?: string; description?: string }
  // What a framework says of no refusal at all, descriptions may.
  const status = found[0]?.status ?? frameworkOf(document)?.unknownStatus
  return status === undefined ? [] : [...found, { status, text: `${summary}. ${description}`, isGeneral: true }]
}

export function findPreconditions(
  { document, collections }: Paths,
  findNamed: ReturnType<typeof createFindNamed<KnownCollection>>,
  group: KnownCollection,
): void {
  const states = statesOf(document, group)
  const members = group.members.filter(({ kind, parameter }) => changing.includes(kind) && parameter !== undefined)
  for (const member of members) {
    const { lines, kind } = member
    const isSaid = lines.all('needs').length > 0
    const refusals = refusalsOf(document, member)
    for (const { status, text, isGeneral } of refusals) {
      const needed = states.flatMap(({ property, values }) => {
        const named = statesNeeded(text, [...values.keys()], isGeneral)
        return named ? [{ property, values: named.map((name) => values.get(name)) }] : []
      })[0]
      if (!needed || lines.get('needsStatus')) continue
      const why = guess('description', 'the description of a refusal names the state')
      if (!isSaid) lines.add('needs', needed.property, needed.values, why)
      const after = kind === 'action' ? states.find(({ property }) => property === needed.property) : undefined
      if (after && needed.values.length === 1) addNext(member, after, needed.values[0])
      lines.add('needsStatus', '', status, why)
    }
    // `Publish a draft survey` needs a draft.
    const { summary = '' } = member.operation.value as { summary?: string }
    const noun = nounOf(group.resource?.name ?? '')
    for (const { property, values } of lines.all('needs').length === 0 && refusals[0] ? states : []) {
      const [state, ...others] = [...values.keys()].filter((each) => saysStateOf(summary, each, noun, 0))
      if (state === undefined || others.length > 0 || values.get(state) === lines.value('changes', toAbout([property])))
        continue
      lines.add('needs', property, [values.get(state)], guess('description', 'it names the state before the record'))
      lines.add('needsStatus', '', refusals[0]?.status ?? 409, guess('description', 'its first refusal'))
      break
    }
    // A conflict of which nothing more is said is about the state to which an action leads.
    const goal = states.find(({ property }) => lines.value('changes', toAbout([property])) !== undefined)
    const conflict =
      kind === 'action' && lines.all('needs').length === 0 && refusals.find(({ status }) => status === 409)
    if (goal && conflict && saysWrongState(conflict.text)) {
      const others = [...goal.values.values()].filter(
        (each) => each !== lines.value('changes', toAbout([goal.property])),
      )
      lines.add(
        'needs',
        goal.property,
        others,
        guess('description', 'it documents a conflict, and leads to the other state'),
      )
    }
    if (kind === 'remove') findBlocking(document, collections.values(), findNamed, group, member, refusals)
  }
}

/** What needs one state, and sets none, leads to the next one: of `draft` it is what the enum has behind it. */
function addNext(
  { lines }: Candidate,
  { property, values }: { property: string; values: Map<string, unknown> },
  needed: unknown,
): void {
  const all = [...values.values()]
  const next = all[all.indexOf(needed) + 1]
  if (typeof next !== 'string' || lines.get('changes', toAbout([property]))) return
  lines.add('changes', toAbout([property]), next, guess('description', 'it needs the state before'))
}

/** Whether a text has a state before a noun, with at most some words between them: `active fee structures` */
export function saysStateOf(text: string, state: string, noun: string, most: number): boolean {
  const [said, words] = [wordsOf(text), wordsOf(state)]
  return said.some((_, at) => {
    const after = at + words.length
    const isState = words.every((word, index) => said[at + index] === word)
    return isState && said.slice(after, after + most + 1).some((word) => singular(word) === noun)
  })
}

/** The states of records by the words for them: the values of an enum, and flags. */
export function statesOf(
  document: OpenApiDocument,
  { record }: Pick<KnownCollection, 'record'>,
): { property: string; values: Map<string, unknown> }[] {
  return [...flattenSchema(document, record).properties].flatMap(([property, schema]) => {
    const { types, keywords } = flattenSchema(document, schema)
    const states = isOwnStateName(property) && Array.isArray(keywords.enum) ? keywords.enum : []
    // A letter may be a word of any text.
    const texts = states.filter((each): each is string => typeof each === 'string' && each.length > 2)
    if (texts.length > 1) return [{ property, values: new Map(texts.map((each) => [each, each])) }]
    const word = wordsOf(property).at(-1) ?? ''
    if (!types.has('boolean') || !(isEndFlag(property) || isUseFlag(word))) return []
    return [
      {
        property,
        values: new Map<string, unknown>([
          [word, true],
          [`not ${word}`, false],
        ]),
      },
    ]
  })
}

function findBlocking(
  document: OpenApiDocument,
  collections: Iterable<KnownCollection>,
  findNamed: ReturnType<typeof createFindNamed<KnownCollection>>,
  group: KnownCollection,
  { lines }: Candidate,
  refusals: readonly Refused[],
): void {
  const others = [...collections].flatMap((each) => {
    const isKept = each.resource?.kind === 'collection' && each.members.some(({ kind }) => kind === 'create')
    const property = isKept ? propertyNaming(document, findNamed, each, group) : undefined
    return property === undefined ? [] : [{ each, property, noun: nounOf(each.resource?.name ?? '') }]
  })
  if (others.length === 0) return
  for (const { status, text, isGeneral } of refusals) {
    const found = blockingIn(
      text,
      others.map(({ noun }) => noun),
      isGeneral,
    )
    if (found === undefined) continue
    const why = guess('description', 'the description of a refusal says so')
    for (const { each, property, noun } of others) {
      const said = found === 'any' ? undefined : found.find((named) => named.noun === noun)
      const where = said && statesAsked(document, each, said.adjectives)
      if (found === 'any' || (said && where !== null))
        lines.add('blockedBy', each.path, { property, status, ...where }, why)
    }
    return
  }
}

/** The states that adjectives mean: null if no records are known to have them. */
function statesAsked(
  document: OpenApiDocument,
  group: KnownCollection,
  adjectives: readonly string[],
): { state: string; values: unknown[] } | undefined | null {
  if (adjectives.length === 0) return undefined
  const text = ` ${adjectives.join(' ')} `
  const [{ property: state, values } = { property: '', values: new Map<string, unknown>() }] = statesOf(document, group)
  const all = [...values.keys()]
  const named = all.filter((each) => text.includes(` ${wordsOf(each).join(' ')} `))
  const isOpen = adjectives.some(
    (word) => isUseFlag(word) || word === 'open' || word === 'pending' || word === 'ongoing',
  )
  const asked =
    named.length > 0 ? named : isOpen ? all.filter((each) => !isEnded(each) && !each.startsWith('not ')) : []
  return asked.length > 0 ? { state, values: asked.map((each) => values.get(each)) } : null
}

/** The property with which a record names one of another collection. */
function propertyNaming(
  document: OpenApiDocument,
  findNamed: ReturnType<typeof createFindNamed<KnownCollection>>,
  { lines, record, model }: KnownCollection,
  { path, model: named }: KnownCollection,
): string | undefined {
  const said = [...lines.all('owner'), ...lines.all('references').map(({ about, says }) => ({ about, says: says.to }))]
  const known = said.find(({ says, about }) => says === path && !about.startsWith('/'))?.about
  if (known !== undefined || model === named) return known
  return [...flattenSchema(document, record).properties].find(([property, schema]) => {
    const words = wordsOf(property)
    const flat = flattenSchema(document, schema)
    const scalar = flat.items ? flattenSchema(document, flat.items) : flat
    const found = endsLikeKey(words.at(-1) ?? '') ? findNamed(words.slice(0, -1), scalar, model.name) : undefined
    return found?.named.model === named && found.key === named.key
  })?.[0]
}
