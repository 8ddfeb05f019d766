/** What all worlds share, as entries for a store: the clock, faults, keys, snapshots. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { getOrInsert } from '../../json/own-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { checkWorldState } from '../snapshots/world-state.js'
import { CommitQueue, lostShared, type Table } from './commit-queue.js'
import { type Check, type EntryChecks, hasMembers, is, useEntry } from './read-entry.js'
import { type Committed, type Store, sharedId } from './store.js'

/** Puts a value into an entry. @param value undefined removes the entry */
export type PutShared = (kind: string, key: string, value: unknown) => void

/** Takes over the value of an entry that was loaded or undone. @param value undefined: there is no such entry */
export type LoadShared = (key: string, value: unknown) => void

interface SharedChange {
  name: string
  before: string | undefined
}

export class SharedTable implements Table {
  readonly id: string = sharedId
  readonly log: SharedChange[] = []
  readonly taken = 0
  readonly #texts = new Map<string, string>()
  readonly #loads = new Map<string, LoadShared[]>()

  put: PutShared = (kind, key, value) => {
    const name = toName(kind, key)
    const text = value === undefined ? undefined : writeByShape(value as ExactValue, [], 0)
    // It could never be read again. Snapshots may be large, and were checked when they were taken.
    if (value !== undefined && kind !== 'snapshot' && checks[kind]?.[1](value, [kind, key]) === false)
      throw new SandboxError('STORE_UNAVAILABLE', `Failed to write the entry ${name}: no program could read ${text}`)
    const before = this.#texts.get(name)
    if (text === before) return
    this.log.push({ name, before })
    this.#set(name, text)
  }

  get(kind: string, key: string): unknown {
    const text = this.#texts.get(toName(kind, key))
    return text === undefined ? undefined : parseExactJson(text).exact
  }

  /** Calls a function with each entry of a kind, now and when it is loaded or undone. */
  connect(kind: string, load: LoadShared): void {
    getOrInsert(this.#loads, kind, () => []).push(load)
    for (const [name, text] of this.#texts)
      useEntry(name, text, checks, ([own, key], value) => own === kind && load(key as string, value))
  }

  undoTo(length: number): void {
    for (const { name, before } of this.log.splice(length).reverse()) this.#load(name, before)
  }

  write(): ReturnType<Table['write']> {
    const names = new Set(this.log.map(({ name }) => name))
    const entries = [...names].map((name) => ({ name, text: this.#texts.get(name) ?? null }))
    return { isWhole: false, entries, files: [] }
  }

  read(committed: Committed | undefined): void {
    const entries = new Map(committed?.entries.map(({ name, text }) => [name, text]))
    // Each program writes them first, and nothing removes them.
    const isEmpty = committed?.isWhole && !['start', 'base'].some((kind) => entries.has(toName(kind, '')))
    if (committed ? isEmpty : this.#texts.size > 0) throw lostShared()
    if (!committed || committed.isWhole)
      for (const name of [...this.#texts.keys()]) if (!entries.has(name)) this.#load(name, undefined)
    for (const [name, text] of entries) this.#load(name, text ?? undefined)
  }

  hashesIn(): readonly string[] {
    return []
  }

  #load(name: string, text: string | undefined): void {
    if (this.#texts.get(name) === text) return
    useEntry(name, text, checks, ([kind, key], value) => {
      for (const load of this.#loads.get(kind as string) ?? []) load(key as string, value)
    })
    // An entry that cannot be read is read again.
    this.#set(name, text)
  }

  #set(name: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(name)
    else this.#texts.set(name, text)
  }
}

function toName(kind: string, key: string): string {
  return JSON.stringify([kind, key])
}

/** Ids of faults are counted. */
const isId: Check = (value) => is.text(value) && /^[1-9]\d*$/.test(`${value}`) && Number.isSafeInteger(Number(value))

/** Entries that others may have written. */
const checks: EntryChecks = /* @__PURE__ */ (() => ({
  base: [[is.nothing], is.hash],
  overrides: [[is.nothing], is.hash],
  start: [[is.nothing], is.clockTime],
  clock: [[is.nothing], is.clock],
  fault: [
    [isId],
    (value, [, name]) => {
      const isFault: Check = (fault) => hasMembers(fault, { id: (id) => id === name, struck: is.count })
      return hasMembers(value, { drawn: is.count, fault: isFault })
    },
  ],
  window: [[is.text], (value) => hasMembers(value, { end: is.time, count: is.count })],
  lastFault: [[is.nothing], isId],
  key: [[is.text], (value) => value === 'made' || value === 'revoked'],
  snapshot: [[is.text], (value) => hasMembers(value, { at: is.clockTime, bytes: is.count, state: isState })],
}))()

function isState(value: unknown): boolean {
  const { clockOffset: offset, frozenAt } = checkWorldState(value)
  return is.clock({ offset, frozenAt })
}

/** The table of what all worlds share, which is loaded once. */
export interface OpenedShared {
  table: SharedTable
  queue: CommitQueue
}

export function openSharedTable(store: Store): OpenedShared {
  const table = new SharedTable()
  return { table, queue: new CommitQueue(table, store) }
}

/** @param now milliseconds since 1970. @returns the time of the first start with this store */
export async function keepStart({ table, queue }: OpenedShared, now: number): Promise<number> {
  await queue.open()
  return queue.attempt(() => {
    if (table.get('start', '') === undefined) table.put('start', '', now)
    return table.get('start', '') as number
  })
}

/** Keeps the hash of the overrides of the program that was started last. @returns whether it is the same as before */
export async function keepOverrides({ table, queue }: OpenedShared, hash: string): Promise<boolean> {
  await queue.open()
  return queue.attempt(() => {
    const before = table.get('overrides', '')
    if (before !== hash) table.put('overrides', '', hash)
    return before === undefined || before === hash
  })
}
