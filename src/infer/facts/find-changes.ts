import type { FieldChange } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { ownValue } from '../../json/own-value.js'
import { verbPattern } from '../../lexicon/operation-names.js'
import { isCaused, isOwnStateName, isWorking, stateReached } from '../../lexicon/stages.js'
import { isTimeOf } from '../../lexicon/times.js'
import { isFlagOf, isParticle, participles, saysMany, takenBackBy } from '../../lexicon/verbs.js'
import { bareName, nounOf, ownerOfReference, singular, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { exampleOfAnswer } from '../../schemas/operations/example-places.js'
import { timeFormOf } from '../../schemas/time-form.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from './candidate.js'
import { nameOf } from './facts.js'
import { chooseState, isFreeState } from './first-states.js'

export interface FoundChanges {
  sets: FieldChange[]
  /** The property whose value the example of the answer shows. */
  shown?: string
}

export function findChanges(document: OpenApiDocument, candidate: Candidate, group: KnownCollection): FoundChanges {
  const { node, operation } = candidate
  const { record, members } = group
  const shown = stateIn(document, group, exampleOfAnswer(document, candidate, members))
  const isUndone = operation.method === 'DELETE'
  const verbs = new Set([nameOf(node), operation.called].flatMap(verbsIn))
  const forms = [...verbs].map((verb) => toForms(verb, isUndone))
  // A state with the name of a verb counts more than one that only another verb leaves: `cancelled` by `stop`, for `cancelJob`
  const statesOf = (each: Forms) =>
    changesIn(document, record, { ...each, undone: [] }).filter(({ value }) => typeof value === 'string')
  const firstOf = (all: Forms[]) =>
    all.map((each) => changesIn(document, record, each)).find((each) => each.length > 0) ?? []
  const reached = firstOf(forms.filter((each) => statesOf(each).length > 0))
  const others = verbsTold(document, operation, group).map((verb) => toForms(verb, false))
  const set =
    reached.length > 0
      ? reached
      : [
          ...firstOf(others.filter((each) => statesOf(each).some(({ property }) => isOwnStateName(property)))),
          ...firstOf(forms),
        ]
  const said = sentencesOf(operation.value).flatMap((sentence) => stateReached(sentence) ?? [])[0]
  const names = [...flattenSchema(document, record).properties.keys()]
  const told = stateIn(
    document,
    group,
    said === undefined ? undefined : Object.fromEntries(names.map((name) => [name, said])),
  )
  if (!shown) return { sets: told ? [told, ...set.filter(({ property }) => property !== told.property)] : set }
  return { sets: [shown, ...set.filter(({ property }) => property !== shown.property)], shown: shown.property }
}

/** The state that the example of an answer shows. */
function stateIn(
  document: OpenApiDocument,
  { record }: KnownCollection,
  shown: Record<string, unknown> | undefined,
): FieldChange | undefined {
  for (const [property, schema] of flattenSchema(document, record).properties) {
    const flat = flattenSchema(document, schema)
    const values = flat.keywords.enum ?? []
    const value = shown && ownValue(shown, property)
    if (typeof value !== 'string') continue
    if (isFreeState(property, flat) || (isOwnStateName(property) && values.length > 1 && values.includes(value)))
      return { property, with: 'constant', value }
  }
  return undefined
}

/** The verbs that a name may begin with: `power_off` is one, too. */
function verbsIn(name: string): string[] {
  const [first, second] = wordsOf(name).filter((word) => !saysMany(word))
  if (first === undefined) return []
  return second !== undefined && isParticle(second) ? [`${first}${second}`, first] : [first]
}

/** @param record the schema of the record in the answer to a removal */
export function findRemovalChanges(
  document: OpenApiDocument,
  record: Located<Schema>,
  ...done: string[]
): FieldChange[] {
  return changesIn(document, record, { done, undone: [] })
}

function changesIn(document: OpenApiDocument, record: Located<Schema>, forms: Forms): FieldChange[] {
  const properties = [...flattenSchema(document, record).properties]
  return properties.flatMap(([name, schema]) => changeOf(name, flattenSchema(document, schema), forms))
}

/** Words for a state in which something was done, and in which it was undone. */
interface Forms {
  done: string[]
  undone: string[]
}

/** @param isUndone whether the request undoes the verb in its path: `DELETE /books/{id}/archive` */
function toForms(verb: string, isUndone: boolean): Forms {
  if (isUndone) return { done: [], undone: participles(verb) }
  return { done: participles(verb), undone: takenBackBy(verb).flatMap(participles) }
}

function changeOf(property: string, flat: FlatSchema, { done, undone }: Forms): FieldChange[] {
  const { types, keywords } = flat
  const name = bareName(property)
  const values: unknown[] = keywords.enum ?? []
  if (types.has('string') && values.length > 0) {
    const firstOf = (forms: readonly string[]) =>
      forms.flatMap((form) => values.filter((each) => typeof each === 'string' && bareName(each) === form))[0]
    const isBack = firstOf(undone) !== undefined
    const others = values.filter((each): each is string => typeof each === 'string' && !undone.includes(bareName(each)))
    const value = firstOf(done) ?? (isBack ? chooseState(others, keywords) : undefined)
    return value === undefined ? [] : [{ property, with: 'constant', value }]
  }
  if (isFreeState(property, flat)) {
    const known = done.filter((form) => isCaused(form) || isWorking(form))
    // Both spellings are usual: that of the document.
    const value =
      known.find((form) =>
        String(keywords.description ?? '')
          .toLowerCase()
          .includes(form),
      ) ?? known[0]
    const isCapital = /^[^a-z]+$/.test(String(keywords.example ?? 'a'))
    return value === undefined ? [] : [{ property, with: 'constant', value: isCapital ? value.toUpperCase() : value }]
  }
  if (types.has('boolean')) {
    if (isFlagOf(property, done)) return [{ property, with: 'constant', value: true }]
    return isFlagOf(property, undone) ? [{ property, with: 'constant', value: false }] : []
  }
  // `unassign` takes back `assignee` and `assignedTo`.
  if (types.has('null') && undone.some((form) => form.length > 4 && name.startsWith(form)))
    return [{ property, with: 'constant', value: null }]
  const time = timeFormOf(property, flat, true)
  if (!time) return []
  const isTime = (form: string) => name === form || isTimeOf(form, name)
  if (done.some(isTime)) return [{ property, with: 'now', ...time }]
  return types.has('null') && undone.some(isTime) ? [{ property, with: 'constant', value: null }] : []
}

/** Characters of the longest sentence that is read, because the pattern takes long for what is none. */
const maxSentence = 1000

export function verbsTold(document: OpenApiDocument, operation: DescribedOperation, group: KnownCollection): string[] {
  const { properties } = flattenSchema(document, group.record)
  const states = [...properties].filter(([name]) => isOwnStateName(name))
  const values = states.flatMap(([, schema]) => flattenSchema(document, schema).keywords.enum ?? []).map(String)
  const names = [group.resource?.name ?? '', ownerOfReference(`#/${group.record.path.join('/')}`) ?? '']
  const says = verbPattern(names.map(nounOf), values)
  return sentencesOf(operation.value).flatMap((each) => {
    const [, verb] = says.exec(each) ?? []
    return verb === undefined ? [] : singular(verb.toLowerCase())
  })
}

function sentencesOf({ summary = '', description = '' }: { summary?: string; description?: string }): string[] {
  const plain = `${summary}. ${description}`.replace(/<br ?\/?>|<\/(?:p|li)>/gi, '. ').replace(/<\/?code>/gi, '`')
  const parts = plain.split(/[.!?;](?=\s|$)|\n\s*(?:\n|[-*] )/)
  const sentences = parts.map((each) => each.replace(/\s+/g, ' ').trim())
  return sentences.filter((each) => each.length <= maxSentence)
}
