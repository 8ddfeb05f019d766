/** Prints the lines of a collection as facts, each with why it is believed. */
import { fromAbout, guess, type Line, type Source } from './line.js'
import type { CollectionMembers, CollectionSaid, ServiceMembers, ServiceSaid } from './members.js'
import { writeService } from './write-lines.js'

/** One thing that is known about the records of a collection. */
export interface ResourceFact {
  fact:
    | 'key'
    | 'owner'
    | 'place'
    | 'reference'
    | 'unique'
    | 'spelling'
    | 'path'
    | 'link'
    | 'first'
    | 'made'
    | 'change'
    | 'progress'
    | 'merge'
    | 'file'
    | 'value'
  /** What it is about: a property, a path or an operation. */
  about: string
  evidence: Source
  /** Why, as a clause without a full stop. */
  why: string
}

type Printed = [fact: ResourceFact['fact'], about: string] | undefined
type Print<Says> = (line: Line<Says>) => Printed

const dotted = (about: string) => fromAbout(about).join('.')

/** How lines are printed, in their order. Members without a word are not. */
const members: { [Member in keyof CollectionMembers]?: Print<CollectionMembers[Member]> } = {
  key: ({ says }) => ['key', dotted(says)],
  keys: ({ about }) => ['key', about.replaceAll('/', '.')],
  numbered: ({ about }) => ['key', `${about} from 1`],
  owner: ({ about, says }) => ['owner', `${about} of ${says}`],
  places: ({ about }) => ['place', about],
  references: ({ about, says: { to } }) => [
    'reference',
    to === undefined ? dotted(about) : `${dotted(about)} to ${to}`,
  ],
  refuses: ({ about }) => ['reference', `${about} of no record`],
  unique: ({ about }) => ['unique', about],
  spelling: ({ about }) => ['spelling', about],
  starts: ({ about }) => ['path', about],
  parts: ({ about }) => ['link', about],
  links: ({ about }) => ['link', about],
  // What a schema says of new records is no news.
  first: ({ about, evidence: { author, from } }) =>
    author === 'guess' && (from === 'schema' || from === 'habit') ? undefined : ['first', about],
  shownOnce: ({ about }) => ['first', about],
  made: ({ about }) => ['made', dotted(about)],
  changes: ({ about }) => ['change', about],
  lifecycle: ({ says }) => (says ? ['progress', says.property] : undefined),
  merges: ({ about }) => ['merge', about],
  files: ({ about }) => ['file', about],
}

/** @example toFacts(lines) // [{ fact: 'key', about: 'id', evidence: 'name', why: 'it has the name of {id}' }] */
export function toFacts(lines: CollectionSaid): ResourceFact[] {
  return Object.entries(members).flatMap(([member, print]) =>
    lines.all(member as keyof CollectionMembers).flatMap((line): ResourceFact[] => {
      const [fact, about = ''] = (print as Print<unknown>)(line) ?? []
      const { from, why } = line.evidence
      return fact === undefined || why === '' ? [] : [{ fact, about, evidence: from, why }]
    }),
  )
}

/** A habit of the service, as `x-sandbox-service` has it. */
export interface ServiceHabit {
  habit: string
  says: unknown
  evidence: Source
  why: string
}

/** @example toHabits(lines) // [{ habit: 'order', says: 'oldest', evidence: 'habit', why: 'most services do so' }] */
export function toHabits(lines: ServiceSaid): ServiceHabit[] {
  return Object.entries({ ...writeService(lines, 'guess'), ...writeService(lines, 'written') }).map(([habit, says]) => {
    const { from, why } = lines.get(habit as keyof ServiceMembers)?.evidence ?? guess('habit', '')
    return { habit, says, evidence: from, why }
  })
}
