/** A world as entries for a store. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote } from '../../contract/violations.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { FilePart } from '../../media/fields.js'
import type { Change } from '../change.js'
import { type KeptWebhook, readWebhook, writeWebhook } from '../kept-webhooks.js'
import type { SetAside } from '../snapshots/carry-world.js'
import { type StoredAnswer, StoredAnswers } from '../stored-answers.js'
import type { StoredCollection } from '../stored-collection.js'
import { StoredRecord, type Values } from '../stored-record.js'
import type { StoredWorld } from '../stored-world.js'
import { openedCollections, resetWorld, undoTo } from '../world-content.js'
import { hashBytes } from '../world-id.js'
import type { FileToKeep, Table } from './commit-queue.js'
import { type Check, type EntryChecks, hasMembers, is, listOf, optional, useEntry } from './read-entry.js'
import type { Committed, Entry } from './store.js'

/** The name of an entry: an array with one of these forms, as JSON. Only those of `referringNames` may refer to files. */
type Name =
  /** A record at a position. Null for a removed record of the scenario; without an entry it is as in the scenario. */
  | ['record', collection: string, server: string, position: number]
  | ['nextKey', collection: string, server: string]
  | ['clock']
  /** The number of requests, from which made values follow. */
  | ['requests']
  | ['file', path: string]
  | ['answer', id: string]
  /** What overrides keep for themselves. */
  | ['own']
  /** A callback or webhook that is still to be sent, by the id of its delivery. */
  | ['webhook', id: string]
  /** The hash of what the entries are differences from: the collections and the scenario. */
  | ['base']
  /** A change that did not fit another base, with its number. */
  | ['aside', number: number]

/** Answers have numbers, because their order decides which one is dropped first. No world has as many. */
const answersPerCommit = 2 ** 20

/** What the entries of worlds are differences from. */
export interface WorldBase {
  /** Identifies it. */
  hash: string
  /**
   * Carries over a world of another base.
   * @param bytes the other base
   * @param read puts the entries into a world of the other base
   * @param aside changes that did not fit before
   * @returns the changes that do not fit now
   */
  carry(bytes: Uint8Array, read: (from: StoredWorld) => void, to: StoredWorld, aside: readonly SetAside[]): SetAside[]
  /** Called with the label of a world that was carried over, and the changes that do not fit. */
  onAside?: OnAside | undefined
}

export type OnAside = (label: string, aside: readonly SetAside[]) => void

export function createWorldTable(world: StoredWorld, id: string, label: string, base: WorldBase): Table {
  let taken = 0
  let isCarried = false
  /** What did not fit when the world was carried over, until that is written. */
  let aside: readonly SetAside[] = []

  function carry(from: string, committed: Committed, files: ReadonlyMap<string, Uint8Array>): number {
    let requests = 0
    isCarried = true
    const before = committed.entries.flatMap(({ name, text }) =>
      name.startsWith('["aside"') ? useEntry(name, text, checks, (_, value) => (value as SetAside) ?? []) : [],
    )
    resetWorld(world)
    let webhooks: StoredWorld['webhooks']
    const read = (other: StoredWorld) => {
      requests = readWorld(other, committed, files)
      webhooks = other.webhooks
    }
    const bytes = files.get(from)
    if (!bytes) throw unavailable(`The store lacks the data ${from}, from which a world differs`)
    aside = base.carry(bytes, read, world, before)
    base.onAside?.(label, aside)
    if (webhooks) world.webhooks = webhooks
    world.requests = Math.max(world.requests, requests)
    return requests
  }

  return {
    id,
    label,
    log: world.log,
    get taken() {
      return taken
    },
    get isCarried() {
      return isCarried
    },
    undoTo: (length) => undoTo(world, length),
    write(sequence) {
      const written = writeWorld(world, sequence, base.hash, aside)
      aside = []
      return written
    },
    read(committed, files) {
      isCarried = false
      aside = []
      // Each world has it since its first commit.
      if (committed?.isWhole && !committed.entries.some(({ name }) => name === baseName))
        throw unavailable(
          `The store has lost entries of the world "${label}", such as ${baseName}. Put a backup in its place`,
        )
      const from = committed && otherBaseOf(committed.entries, base)
      const requests =
        from === undefined ? readWorld(world, committed, files) : carry(from, committed as Committed, files)
      taken = committed && !committed.isWhole ? Math.max(taken, requests) : requests
    },
    hashesIn: (entries) => [
      ...entries.flatMap(({ name, text }) => {
        if (!name.startsWith('["file"')) return []
        return useEntry(name, text, checks, (_, file) => (file as FileEntry | undefined)?.hash ?? [])
      }),
      ...[otherBaseOf(entries, base) ?? []].flat(),
    ],
  }
}

function unavailable(message: string): SandboxError {
  return new SandboxError('STORE_UNAVAILABLE', message)
}

/** The hash of the base of entries, if it is another one. */
function otherBaseOf(entries: readonly Entry[], { hash }: WorldBase): string | undefined {
  const text = entries.find(({ name }) => name === baseName)?.text
  const known = useEntry(baseName, text, checks, (_, value) => (value as string | undefined) ?? hash)
  return known === hash ? undefined : known
}

const baseName = '["base"]'

/** A file, whose bytes are kept under their hash. Null for a removed one. */
type FileEntry = Omit<FilePart, 'bytes'> & { hash: string }

class Writer {
  readonly #world: StoredWorld
  readonly #sequence: number
  /** By name, so that only the last state of each entry is written. */
  readonly entries: Map<string, string | null> = new Map()
  readonly files: Map<string, FileToKeep> = new Map()

  constructor(world: StoredWorld, sequence: number) {
    this.#world = world
    this.#sequence = sequence
  }

  record(collection: StoredCollection, position: number): void {
    const { context } = collection
    if (!isPosition(position)) throw unavailable(`No place is left for a record of "${context.name}": reset the world`)
    const name = toName(['record', context.name, context.server, position])
    const record = collection.at(position)
    const isOfBase = position < context.base.records.length
    if (record && record === context.base.records[position]) this.entries.set(name, null)
    else this.entries.set(name, record ? toText(record.values) : isOfBase ? 'null' : null)
  }

  nextKey({ context, nextKey }: StoredCollection): void {
    this.entries.set(toName(['nextKey', context.name, context.server]), String(nextKey))
  }

  clock(): void {
    const { offset, frozenAt } = this.#world.clock
    this.entries.set(toName(['clock']), toText({ offset, ...(frozenAt !== undefined && { frozenAt }) }))
  }

  requests(): void {
    this.entries.set(toName(['requests']), String(this.#world.requests))
  }

  file(path: string): void {
    const name = toName(['file', path])
    const file = this.#world.extras?.files?.get(path)
    this.files.delete(name)
    this.entries.set(name, file === null ? 'null' : null)
    if (!file) return
    const { bytes, ...others } = file
    let hash: Promise<string> | undefined
    this.files.set(name, {
      name,
      bytes,
      get hash() {
        hash ??= hashBytes(bytes)
        return hash
      },
      toText: (known) => toText({ ...others, hash: known }),
    })
  }

  answer(id: string): void {
    const answer = this.#world.extras?.answers?.get(id)
    const name = toName(['answer', id])
    this.entries.delete(name)
    const order = this.#sequence * answersPerCommit + this.entries.size
    this.entries.set(name, answer ? toText([order, answer]) : null)
  }

  own(): void {
    const { own } = this.#world.extras ?? {}
    this.entries.set(toName(['own']), own ? toText(own) : null)
  }

  webhook(id: string): void {
    const kept = this.#world.webhooks?.get(id)
    this.entries.set(toName(['webhook', id]), kept ? toText(writeWebhook(kept)) : null)
  }
}

function writeWorld(
  world: StoredWorld,
  sequence: number,
  base: string,
  aside: readonly SetAside[],
): ReturnType<Table['write']> {
  const writer = new Writer(world, sequence)
  const { log } = world
  const isWhole = log.some(({ kind }) => kind === 'all')
  if (isWhole) writeAll(world, writer)
  else for (const change of log) writeChange(world, change, writer)
  writer.requests()
  if (isWhole || sequence === 1) writer.entries.set(baseName, JSON.stringify(base))
  for (const [index, change] of aside.entries()) writer.entries.set(toName(['aside', index]), toText(change))
  const entries = [...writer.entries].map(([name, text]) => ({ name, text }))
  return { isWhole, entries, files: [...writer.files.values()] }
}

function writeAll(world: StoredWorld, writer: Writer): void {
  for (const { collection } of openedCollections(world)) {
    const { changes, context } = collection
    for (const position of changes?.changed.keys() ?? []) writer.record(collection, position)
    const { length } = context.base.records
    for (const [index, record] of changes?.added.entries() ?? []) if (record) writer.record(collection, length + index)
    writer.nextKey(collection)
  }
  writer.clock()
  for (const path of world.extras?.files?.keys() ?? []) writer.file(path)
  for (const { id } of world.extras?.answers?.values() ?? []) writer.answer(id)
  if (world.extras?.own) writer.own()
  for (const id of world.webhooks?.keys() ?? []) writer.webhook(id)
}

function writeChange(world: StoredWorld, change: Change, writer: Writer): void {
  if ('collection' in change) {
    const collection = world.collection(change.collection, change.server)
    if (change.kind === 'record') writer.record(collection, change.position)
    if (change.kind === 'nextKey' || collection.nextKey !== change.nextKey) writer.nextKey(collection)
  } else if (change.kind === 'clock') writer.clock()
  else if (change.kind === 'file') writer.file(change.path)
  else if (change.kind === 'answer') writer.answer(change.id)
  else if (change.kind === 'own') writer.own()
  else if (change.kind === 'webhook') writer.webhook(change.id)
}

/** @returns the number of requests in the entries, or 0 */
function readWorld(
  world: StoredWorld,
  committed: Committed | undefined,
  blobs: ReadonlyMap<string, Uint8Array>,
): number {
  let requests = 0
  if (!committed || committed.isWhole) {
    world.collections = []
    world.extras = undefined
    if (world.webhooks) world.webhooks = undefined
    world.clock.put({ offset: 0, frozenAt: undefined })
  }
  const files = new Map(world.extras?.files)
  let own = world.extras?.own
  const answers = world.extras?.answers ?? new StoredAnswers()
  const added: [order: number, answer: StoredAnswer][] = []
  let webhooks: Map<string, KeptWebhook> | undefined
  for (const { name, text } of committed?.entries ?? [])
    useEntry(name, text, checks, (names, value) => readOne(names as Name, value))
  if (webhooks) world.webhooks = webhooks
  for (const [, answer] of added.sort(([one], [other]) => one - other)) answers.set(answer)
  if (files.size > 0 || answers.size > 0 || own)
    world.extras = { ...(files.size > 0 && { files }), ...(answers.size > 0 && { answers }), ...(own && { own }) }
  else world.extras = undefined
  world.requests = Math.max(world.requests, requests)
  return requests

  function readOne(parsed: Name, value: unknown): void {
    if (parsed[0] === 'record') putRecord(world.collection(parsed[1], parsed[2]), parsed[3], value as Values | null)
    else if (parsed[0] === 'nextKey') putNextKey(world.collection(parsed[1], parsed[2]), value)
    else if (parsed[0] === 'clock') world.clock.put({ frozenAt: undefined, ...(value as { offset: number }) })
    else if (parsed[0] === 'requests') requests = Number(value ?? 0)
    else if (parsed[0] === 'file') putFile(files, parsed[1], value as FileEntry | null | undefined, blobs)
    else if (parsed[0] === 'own') own = value as Values | undefined
    else if (parsed[0] === 'answer') {
      if (value) added.push(value as [number, StoredAnswer])
      else answers.delete(parsed[1])
    } else if (parsed[0] === 'webhook') {
      webhooks ??= new Map(world.webhooks)
      if (value) webhooks.set(parsed[1], readWebhook(value))
      else webhooks.delete(parsed[1])
    }
  }
}

/** Each position takes memory, also if its record was removed. */
const isPosition: Check = (value) => is.count(value) && Number(value) < 2 ** 23

/** Entries that others may have written. Bundles for browsers drop it. */
const checks: EntryChecks = /* @__PURE__ */ createChecks()

function createChecks(): EntryChecks {
  const isWebUrl: Check = (value) => is.text(value) && /^https?:/i.test(`${value}`) && URL.canParse(`${value}`)
  const isRequest: Check = (value) =>
    hasMembers(value, {
      ...{ method: is.header, url: isWebUrl, headers: listOf(is.header) },
      ...{ body: optional(is.text), base64: optional(is.base64) },
    })
  const webhook = {
    ...{ name: is.text, operation: is.text, exchange: optional(is.count), request: isRequest },
    ...{
      due: is.time,
      attempt: is.count,
      retries: listOf(is.time),
      claim: optional((claim) => hasMembers(claim, { by: is.text, at: is.time })),
    },
  }
  const file = { hash: is.hash, type: is.header, name: optional(is.text) }
  const aside = { collection: is.text, server: is.text, values: isObject }

  return {
    record: [[is.text, is.text, isPosition], (value) => value === null || isObject(value)],
    // 2^53 follows the greatest key.
    nextKey: [[is.text, is.text], (value) => value === 2n ** 53n || (is.count(value) && value !== 0)],
    clock: [[], is.clock],
    requests: [[], is.count],
    file: [[is.text], (value) => value === null || hasMembers(value, file)],
    answer: [[is.text], (value) => Array.isArray(value) && is.number(value[0]) && is.answer(value[1])],
    webhook: [[is.text], (value) => hasMembers(value, webhook)],
    base: [[], is.hash],
    own: [[], isObject],
    aside: [[is.count], (value) => hasMembers(value, aside)],
  }
}

/** @param values null for a removed record of the scenario. Undefined: as in the scenario, if it is in there */
function putRecord(collection: StoredCollection, position: number, values: Values | null | undefined): void {
  const { base, key } = collection.context
  const ofBase = base.records[position]
  if (values) {
    const own = ownValue(values, key) ?? null
    if (collection.toKey(own) !== own || (ofBase && ofBase.values[key] !== own))
      throw new Error(`its ${key} is ${quote(own)}`)
  }
  collection.put(position, values === undefined ? ofBase : values === null ? undefined : new StoredRecord(values))
}

function putNextKey(collection: StoredCollection, value: unknown): void {
  collection.nextKey = value === undefined ? collection.context.base.highestKey + 1 : Number(value)
}

function putFile(
  files: Map<string, FilePart | null>,
  path: string,
  value: FileEntry | null | undefined,
  blobs: ReadonlyMap<string, Uint8Array>,
): void {
  if (value === undefined) files.delete(path)
  else if (value === null) files.set(path, null)
  else {
    const { hash, ...others } = value
    const bytes = blobs.get(hash)
    files.set(path, bytes ? { ...others, bytes } : null)
  }
}

function toName(name: Name): string {
  return JSON.stringify(name)
}

function toText(value: object): string {
  return writeByShape(value as ExactValue, [], 0)
}
