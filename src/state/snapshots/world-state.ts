/** The state of a world as plain data: its changes to the scenario. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { findNonJson } from '../../json/find-non-json.js'
import { is } from '../commits/read-entry.js'
import type { StoredAnswer } from '../stored-answers.js'
import type { Values } from '../stored-record.js'

/**
 * The differences of a world from its scenario. Unchanged collections are absent. Integers beyond ±(2^53−1) are
 * bigints.
 */
export interface WorldState {
  /** Milliseconds that the clock of the world is ahead of the clock of the sandbox. */
  clockOffset: number
  /** The time of its frozen clock in milliseconds since 1970. Absent for a running clock. */
  frozenAt?: number
  collections: CollectionState[]
  /** Absent without uploaded files. */
  files?: FileState[]
  /** Answers for repeated requests, oldest first. Absent without any. */
  answers?: StoredAnswer[]
  /** What overrides keep for themselves. Absent without any. */
  own?: Values
}

/** A file that was uploaded. */
export interface FileState {
  /** The server and the path of its download. */
  path: string
  /** The bytes in Base64. Null for a file that was removed. */
  base64: string | null
  /** The media type. */
  type?: string
  name?: string
}

/** The changes to one collection. */
export interface CollectionState {
  name: string
  /** Name of the server that the collection belongs to. */
  server: string
  /** The next integer key. */
  nextKey: number
  /** Changed records of the scenario by their position. Null for a removed record. */
  changed: [position: number, values: Values | null][]
  /** Added records in the order of their creation. Null for a removed record. */
  added: (Values | null)[]
}

type Members<T> = { readonly [Name in keyof T]?: unknown }

/** @throws SandboxError `INVALID_OPTION` for a value without the form of a state */
export function checkWorldState(state: unknown): WorldState {
  // Records are four levels down, and may themselves be as deep as any JSON that is read.
  const wrong = findNonJson(state, -3)
  if (wrong !== undefined) throw invalidState(`it holds ${wrong}`)
  const { clockOffset, frozenAt = 0, collections, files = [], answers = [], own = {} } = toMembers<WorldState>(state)
  if (typeof clockOffset !== 'number') throw invalidState('its clockOffset must be a number')
  if (typeof frozenAt !== 'number') throw invalidState('its frozenAt must be a number')
  if (!Array.isArray(collections)) throw invalidState('its collections must be an array')
  for (const each of collections) {
    const { name, server, nextKey, changed, added } = toMembers<WorldState['collections'][number]>(each)
    const isNumbered = typeof nextKey === 'bigint' || Number.isInteger(nextKey)
    const isListed = Array.isArray(changed) && changed.every(isChange) && Array.isArray(added) && added.every(isRecord)
    if (typeof name === 'string' && typeof server === 'string' && isNumbered && isListed) continue
    throw invalidState('each of its collections must have a name, a server, nextKey, changed and added')
  }
  if (!Array.isArray(files) || !files.every(isFile)) throw invalidState('each of its files must have a path and base64')
  if (!Array.isArray(answers) || !answers.every(is.answer))
    throw invalidState('each of its answers must have an id, a print, at, and a status or a reason')
  if (!isRecord(own) || own === null) throw invalidState('its own must be an object')
  return state as WorldState
}

export function invalidState(why: string): SandboxError {
  return new SandboxError('INVALID_OPTION', `Failed to restore a world: ${why}. Give what snapshot() resolved to`)
}

function toMembers<T>(value: unknown): Members<T> {
  return isRecord(value) ? ((value ?? {}) as Members<T>) : {}
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}

function isChange(change: unknown): boolean {
  return Array.isArray(change) && Number.isInteger(change[0]) && change[0] >= 0 && isRecord(change[1])
}

function isFile(file: unknown): boolean {
  const { path, base64, type = '', name = '' } = toMembers<FileState>(file)
  const texts = [path, base64 === null ? '' : base64, type, name]
  return texts.every((text) => typeof text === 'string')
}
