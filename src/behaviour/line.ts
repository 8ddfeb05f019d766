/**
 * Lines: what a service does, as plain data. Each is one fact in the vocabulary, with who says it and from what. Lines of several
 * authors are merged when they are added, so that whoever reads them sees one behaviour.
 */
import { fromJsonPointer, toJsonPointer } from '../json/json-pointer.js'
import { ownValue } from '../json/own-value.js'

/** Who says a line, the highest first: a person, a recording of the service, the document itself, or a guess. */
export const authors = ['person', 'recording', 'document', 'guess'] as const
export type Author = (typeof authors)[number]

/** Whether a line is in an extension: a person wrote it, or it was learned from a recording. */
export function isWritten({ author }: Evidence): boolean {
  return author === 'person' || author === 'recording'
}

/** From what a line is known, the strongest first. */
export const sources = ['extension', 'example', 'schema', 'description', 'name', 'habit'] as const
export type Source = (typeof sources)[number]

export interface Evidence {
  author: Author
  from: Source
  /** Why, as a clause without a full stop. */
  why: string
  /** Whether nothing but what most services do speaks for it. */
  isMajority?: true
  /** The names and indexes that lead to it in the document, if a person wrote it there. */
  place?: readonly (string | number)[]
}

/** One fact. */
export interface Line<Says = unknown> {
  /** The property, parameter or pointer that it is about. Empty if the member has one value. */
  about: string
  says: Says
  evidence: Evidence
}

/** How `recorded` names a line. @example toRecorded('answer', '/status') // 'answer /status' */
export function toRecorded(member: string, about: string): string {
  return `${member} ${about}`.trim()
}

/** Who says a line in an extension, and why it holds. @param recorded what recordings show of its lines */
export function saidBy(
  recorded: Readonly<Record<string, string>>,
  member: string,
  about: string,
  why: string,
): Pick<Evidence, 'author' | 'why'> {
  const shown = ownValue(recorded, toRecorded(member, about))
  return shown === undefined ? { author: 'person', why } : { author: 'recording', why: shown }
}

/** A guess. @example guess('name', 'it counts changes') */
export function guess(from: Source, why: string): Evidence {
  return { author: 'guess', from, why }
}

/** What the document says itself. @example stated('a link gives it to GET /books/{id}') */
export function stated(why: string): Evidence {
  return { author: 'document', from: 'schema', why }
}

/** The merged lines at one place, to read: who compiles them adds none. */
export type Said<Members> = Pick<Lines<Members>, 'get' | 'value' | 'all' | 'members' | 'isComplete'>

/**
 * The merged lines at one place: a collection, or an operation.
 * @typeParam Members what each member says
 */
export class Lines<Members> {
  readonly #members = new Map<keyof Members, Map<string, Line>>()
  readonly #complete = new Set<keyof Members>()

  /**
   * Adds a line, unless a higher author, or stronger evidence of the same one, has said something about the same.
   * @returns whether it was added
   */
  add<Member extends keyof Members>(member: Member, about: string, says: Members[Member], evidence: Evidence): boolean {
    const known = this.get(member, about)
    if (known ? !isStronger(evidence, known.evidence) : this.#isClosedTo(member, evidence)) return false
    const lines = this.#members.get(member) ?? new Map<string, Line>()
    this.#members.set(member, lines.set(about, { about, says, evidence }))
    return true
  }

  /** Says that the lines of a member are all that there are: lower authors add none. */
  complete(member: keyof Members): void {
    this.#complete.add(member)
  }

  isComplete(member: keyof Members): boolean {
    return this.#complete.has(member)
  }

  get<Member extends keyof Members>(member: Member, about = ''): Line<Members[Member]> | undefined {
    return this.#members.get(member)?.get(about) as Line<Members[Member]> | undefined
  }

  /** What is said. Undefined if nobody says anything. */
  value<Member extends keyof Members>(member: Member, about = ''): Members[Member] | undefined {
    return this.get(member, about)?.says
  }

  /** All lines of a member, in the order in which they were added. */
  all<Member extends keyof Members>(member: Member): Line<Members[Member]>[] {
    return [...(this.#members.get(member)?.values() ?? [])] as Line<Members[Member]>[]
  }

  /** The members about which something is said. @param isOf only those with such a line */
  members(isOf: (evidence: Evidence) => boolean = () => true): (keyof Members)[] {
    return [...this.#members].flatMap(([member, lines]) =>
      [...lines.values()].some(({ evidence }) => isOf(evidence)) ? [member] : [],
    )
  }

  #isClosedTo(member: keyof Members, evidence: Evidence): boolean {
    return this.#complete.has(member) && !isWritten(evidence)
  }
}

function isStronger(one: Evidence, other: Evidence): boolean {
  const byAuthor = authors.indexOf(one.author) - authors.indexOf(other.author)
  return byAuthor < 0 || (byAuthor === 0 && sources.indexOf(one.from) < sources.indexOf(other.from))
}

/** How lines name an inner property. A property that begins with a slash would be read as a pointer. */
export function toAbout(pointer: readonly string[]): string {
  const [first = ''] = pointer
  return pointer.length === 1 && !first.startsWith('/') ? first : toJsonPointer(pointer)
}

/** The names that lead to an inner property: a JSON Pointer, or the name of a property. */
export function fromAbout(about: string): string[] {
  return about.startsWith('/') ? fromJsonPointer(about) : [about]
}
