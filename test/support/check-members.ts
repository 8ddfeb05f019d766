/** Checks providers of members that accept some values only once. */
import type { CheckResult } from '../../src/checks/provider/check-provider.js'
import { type Alter, hold } from './providers.js'
import type { JsonObject } from './read-json.js'
import { type MembersOptions, membersOf, provideMembers, refuse, type UniqueOptions, unique } from './unique-records.js'

export const name = { type: 'string', minLength: 1, maxLength: 120 }
export const email = { type: 'string', format: 'email' }
export const at = (member: JsonObject, path: string): string | undefined => {
  const value = path.split('.').reduce<unknown>((inner, part) => (inner as JsonObject | undefined)?.[part], member)
  return value === undefined || value === null ? undefined : String(value)
}

export interface Provider extends MembersOptions, UniqueOptions {
  what: string
  alter?: () => Alter
  /** The duplicate that is sent on purpose is accepted; it has an id of its own. @default false */
  isDuplicateAccepted?: boolean
  /** Sentences about probes that leave no room for another value. */
  notes?: readonly unknown[]
}

export const byName: Pick<Provider, 'properties' | 'identify'> = {
  properties: { name, level: { type: 'integer' } },
  identify: (member) => [at(member, 'name')],
}

/** The service refuses what it does not know. */
export function knows(isKnown: (member: JsonObject) => boolean, status = 422): () => Alter {
  return () => (asked, next) => {
    const isBody =
      /^P/.test(asked.method) && asked.headers['authorization'] === 'Bearer sandbox' && asked.body.startsWith('{"')
    return isBody && !isKnown(parse(asked.body)) ? refuse(status, 'unknown') : next()
  }
}

export function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** Whether a note is about probes that were made in another way or not at all. */
export const isAboutProbes = (note: string): boolean => / could not be made: | sent again /.test(note)

export interface CheckedMembers extends CheckResult {
  /** Number of members that were created and changed. */
  written: number
  seen: string[]
}

export async function check(
  { what: _, properties, id, documented, alter, ...options }: Provider,
  seed = 1,
): Promise<CheckedMembers> {
  const service = membersOf({ properties, ...(id ? { id } : {}), ...(documented ? { documented } : {}) })
  let written = 0
  const seen: string[] = []
  const count: Alter = async (asked, next) => {
    const answer = await next()
    if (/^P/.test(asked.method) && answer.ok) written++
    seen.push(`${asked.method} ${asked.target} ${asked.body}`)
    return answer
  }
  const url = await provideMembers(service, count, ...(alter ? [alter()] : []), unique(options))
  return { ...(await hold(url, service, { generated: 3, seed })), written, seen }
}
