/** What a lock says about one operation, for questions about its parts. */
import { groupBy } from '../../json/group-by.js'
import type { Lock, Use } from '../consumer/lock.js'

/** How a consumer uses a value that an answer has. */
export type AnswerUse = 'read' | 'returned' | 'unused'

export interface OperationUse {
  isCalled: boolean
  credentials: readonly string[]
  /** Media types of bodies that were sent, and `absent`. */
  types: ReadonlySet<string>
  /** Classes of the values that were sent: see `Use`. Empty if none was. @param at `query limit` */
  parameter(at: string): ReadonlySet<string>
  /** All of them, by their places. */
  parameterPlaces: ReadonlyMap<string, ReadonlySet<string>>
  bodyPlaces: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether one was sent of a parameter's property, or of what is in it. @param at `query where a.b` */
  isParameterAbove(at: string): boolean
  /** The same for a property of the body. @param path `a.b[].c`; empty for the whole body */
  body(path: string): ReadonlySet<string>
  /** The same for everything below it. */
  isBodyAbove(path: string): boolean
  /** Returned statuses, each with its media types. */
  answers: ReadonlyMap<string, ReadonlySet<string>>
  answer(statuses: readonly string[], path: string): AnswerUse
}

export const noClasses: ReadonlySet<string> = new Set()
/** Of values that are not in a lock. */
export const unknownClasses: ReadonlySet<string> = new Set(['?'])

/** @returns the use of an operation by its method and path */
export function createUses({ uses, reads }: Lock): (operation: string) => OperationUse {
  const byOperation = groupBy(uses, ({ operation }) => withoutNames(operation))
  return (operation) => toOperationUse(byOperation.get(withoutNames(operation)) ?? [], readsOf(operation, reads))
}

function toOperationUse(uses: readonly Use[], reads: Map<string, readonly string[]>): OperationUse {
  const parameters = classesOf(uses.filter(({ part }) => part === 'parameter'))
  const body = classesOf(uses.filter(({ part }) => part === 'body'))
  const types = new Set(uses.flatMap(({ part, kind }) => (part === 'type' ? [kind] : [])))
  const answers = classesOf(uses.filter(({ part }) => part === 'response'))
  const whole = body.get('')
  // A lock keeps no text that is a whole body.
  if (whole?.has('other')) body.set('', unknownClasses)
  else if (!whole && ([...types].some((type) => type !== 'absent') || body.size > 0)) body.set('', new Set(['other']))
  const inBody = withParents(body.keys())
  const inParameters = withParents(parameters.keys())
  const parents = new Map([...reads].map(([status, paths]) => [status, withParents(paths)]))
  return {
    isCalled: uses.length > 0,
    credentials: uses.flatMap(({ part, kind }) => (part === 'credentials' ? [kind] : [])),
    types,
    parameterPlaces: parameters,
    bodyPlaces: body,
    parameter: (at) => parameters.get(at) ?? noClasses,
    isParameterAbove: (at) => inParameters.has(at),
    // What is a property in one version may be sent as a value of a map.
    body: (path) =>
      body.get(path) ?? (body.has(`${path.slice(0, path.lastIndexOf('.') + 1)}{}`) ? unknownClasses : noClasses),
    isBodyAbove: (path) => inBody.has(path),
    answers,
    answer(statuses, place) {
      const path = withoutItems(place)
      if (statuses.some((status) => matching(parents, status).some((paths) => paths.has(path)))) return 'read'
      // Who writes down what is read of an answer writes down all of it.
      if (statuses.some((status) => matching(parents, status).some((paths) => paths.size > 1))) return 'unused'
      // A list can have been empty, and a property left out, so that a lock does not say that they are not used.
      return statuses.some((status) => answers.has(status)) ? 'returned' : 'unused'
    },
  }
}

function classesOf(uses: readonly Use[]): Map<string, ReadonlySet<string>> {
  return new Map([...groupBy(uses, ({ at }) => at)].map(([at, group]) => [at, new Set(group.map(({ kind }) => kind))]))
}

/** A consumer that reads a list or a map also reads what is in it. */
export function withoutItems(path: string): string {
  return path.replace(/(?<!\[\]|(?:^|\.)\{\})(?:\[\]|(?:^|\.)\{\})+$/, '')
}

/** What people wrote about an operation, by status: `GET /xs 200`, `GET /xs 2XX`, or `GET /xs` for all. */
function readsOf(operation: string, reads: Lock['reads']): Map<string, readonly string[]> {
  const own = Object.entries(reads).map(([at, paths]) => [...splitRead(at), paths] as const)
  const matching = own.filter(([name]) => withoutNames(name) === withoutNames(operation))
  return new Map(matching.map(([, status, paths]) => [status.toUpperCase(), paths]))
}

/** The operation and the status, which may be empty: `GET /xs` and `200` of `GET /xs 200`. */
export function splitRead(at: string): [operation: string, status: string] {
  const [, operation = at, status = ''] = /^(\S+ .*?)(?:(?<! ) +([1-5](?:\d\d|XX)|default))?$/is.exec(at.trim()) ?? []
  return [operation, status]
}

/** Names of path parameters may change. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{[^{}/]*\}/g, '{}')
}

function matching<T>(byStatus: ReadonlyMap<string, T>, status: string): T[] {
  return [status.toUpperCase(), `${status[0]}XX`, ''].flatMap((key) => byStatus.get(key) ?? [])
}

/** The paths with all that they lead through: `a`, `a[]` and `a[].b` for `a[].b`. */
function withParents(paths: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>([''])
  for (const path of paths) {
    found.add(path)
    for (const { index } of path.matchAll(/\.|\[\]/g)) {
      found.add(path.slice(0, index))
      if (path.startsWith('[]', index)) found.add(path.slice(0, index + 2))
    }
  }
  return found
}
