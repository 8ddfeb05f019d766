/** Finds what requests may say that has no effect: query parameters that nothing reads, and changes of which nothing is known. */
import type { Operation, RequestContract } from '../contract.js'
import { isUnchanging } from './is-unchanging.js'

export interface Idle {
  /** The query parameter. Absent: it is about the whole operation. */
  parameter?: string
  /** Why, as a note in exchanges and reports. */
  note: string
}

export function findIdle(operation: Operation, contract: Pick<RequestContract, 'shapes'>): Idle[] {
  const idle = unreadParameters(operation).map((parameter): Idle => {
    return { parameter, note: `"${parameter}" has no effect: nothing says what it means` }
  })
  if (!isUnchanging(operation, contract)) return idle
  return [...idle, { note: `${operation.method} ${operation.path} changes nothing: nothing says what it does` }]
}

/** The query parameters that nothing reads: whatever they are, the answer is the same. An example has no state to choose from. */
export function unreadParameters({ parameters, body: _, ...reading }: Operation): string[] {
  if (reading.effect.kind === 'example' || reading.effect.kind === 'undescribed') return []
  const asked = parameters.filter((each) => each.in === 'query')
  const text = asked.length === 0 ? '' : write(reading)
  return asked.flatMap(({ name }) => (text.includes(write(name)) ? [] : [name]))
}

/** The idle parts that a request has. @param query what it has in the query, by name */
export function idleIn(idle: readonly Idle[], query: object): Idle[] {
  return idle.filter(({ parameter }) => parameter === undefined || Object.hasOwn(query, parameter))
}

const write = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
