/** What the cases for stores share: short forms to commit and to read. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Commit, type Committed, type Entry, type Stamp, type Store, sharedId } from '../../state/commits/store.js'

/** What a case gets. Its store has no worlds. */
export interface Use {
  store: Store
  /** Opens one more store on the same data. */
  open: () => Promise<Store>
  /** Closes the store, and opens it again. */
  reopen: () => Promise<Store>
  close: (store: Store) => Promise<void>
}

export type Run = (use: Use) => Promise<void>

/** Texts by name. Null removes an entry. */
export type Texts = Record<string, string | null>

function toEntries(texts: Texts): Entry[] {
  return Object.entries(texts).map(([name, text]) => ({ name, text }))
}

/** A commit with a new id. */
export function toCommit(on: Stamp | undefined, entries: Texts | readonly Entry[], more: Partial<Commit> = {}): Commit {
  return {
    commitId: crypto.randomUUID(),
    on,
    isWhole: false,
    entries: Array.isArray(entries) ? entries : toEntries(entries as Texts),
    ...more,
  }
}

/** Commits without a conflict. */
export async function commitTo(
  store: Store,
  id: string,
  on: Stamp | undefined,
  entries: Texts | readonly Entry[],
  more?: Partial<Commit>,
): Promise<Stamp> {
  const stamp = await store.commit(id, toCommit(on, entries, more))
  assert.notEqual(stamp, 'conflict', `The commit to "${id}" conflicts, although it is based on the newest stamp`)
  assertStamp(stamp as Stamp)
  if (on) assert.deepEqual(plain(stamp as Stamp), { ...plain(on), sequence: on.sequence + 1 })
  else assert.equal((stamp as Stamp).sequence, 1)
  return stamp as Stamp
}

function assertStamp({ incarnation, sequence }: Stamp): void {
  assert.equal(typeof incarnation, 'string')
  assert.ok(incarnation.length > 0, 'The incarnation is empty')
  assert.ok(Number.isInteger(sequence) && sequence > 0, `The sequence is ${sequence}`)
}

/** Only the two parts of a stamp. */
export function plain({ incarnation, sequence }: Stamp): Stamp {
  return { incarnation, sequence }
}

/** Opens a table that exists and has changed. */
export async function openTable(store: Store, id: string, have?: Stamp): Promise<Committed> {
  const committed = await store.open(id, have)
  assert.ok(committed, `There is no table "${id}"`)
  assert.notEqual(
    committed,
    'unchanged',
    `The table "${id}" is unchanged, but the stamp that was given is not its newest`,
  )
  const found = committed as Committed
  assertStamp(found.stamp)
  const names = found.entries.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length, `The table "${id}" has a name twice`)
  if (found.isWhole)
    assert.ok(
      found.entries.every(({ text }) => text !== null),
      'A removed entry is one of all entries',
    )
  return found
}

/** All entries of a table, and its stamp. */
export async function readTable(store: Store, id: string): Promise<{ stamp: Stamp; texts: Map<string, string> }> {
  const committed = await openTable(store, id)
  assert.equal(committed.isWhole, true, 'Without a stamp, all entries are returned')
  return { stamp: plain(committed.stamp), texts: applyTo(new Map(), committed) }
}

/** The entries of a table after its changes. */
export function applyTo(before: ReadonlyMap<string, string>, { isWhole, entries }: Committed): Map<string, string> {
  const texts = new Map(isWhole ? [] : before)
  for (const { name, text } of entries) {
    if (text === null) texts.delete(name)
    else texts.set(name, text)
  }
  return texts
}

/** Asserts that a table has exactly these entries. */
export async function assertTable(
  store: Store,
  id: string,
  stamp: Stamp,
  texts: Record<string, string>,
): Promise<void> {
  const found = await readTable(store, id)
  assert.deepEqual(found.stamp, plain(stamp))
  assert.deepEqual(sorted(found.texts), sorted(new Map(Object.entries(texts))))
}

export function sorted(texts: ReadonlyMap<string, string>): [string, string][] {
  return [...texts].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Asserts that `open` leads from the entries at a stamp to those that the table has now. */
export async function assertUpdate(
  store: Store,
  id: string,
  have: Stamp,
  before: Record<string, string>,
  after: Record<string, string>,
): Promise<Committed> {
  const committed = await openTable(store, id, have)
  const texts = applyTo(new Map(Object.entries(before)), committed)
  assert.deepEqual(sorted(texts), sorted(new Map(Object.entries(after))))
  return committed
}

/** Asserts that a store knows a commit by its id, or does not. */
export async function assertCommit(
  store: Store,
  id: string,
  commitId: string,
  stamp: Stamp | undefined,
): Promise<void> {
  const found = await store.committed(id, commitId)
  assert.deepEqual(found && plain(found), stamp && plain(stamp))
}

/** The only one of several commits at the same time that was made. */
export function winnerOf(answers: readonly (Stamp | 'conflict')[]): { stamp: Stamp; at: number } {
  const winners = answers.flatMap((stamp, at) => (stamp === 'conflict' ? [] : [{ stamp: plain(stamp), at }]))
  const [winner] = winners
  assert.ok(
    winner && winners.length === 1,
    `${winners.length} of ${answers.length} commits on the same stamp were made`,
  )
  return winner
}

/** Commits all entries of the table that all worlds share, which may already be there. */
export async function commitShared(store: Store, texts: Texts): Promise<{ before: Stamp | undefined; stamp: Stamp }> {
  const found = await store.open(sharedId)
  const before = found === undefined || found === 'unchanged' ? undefined : found.stamp
  return { before, stamp: await commitTo(store, sharedId, before, texts, { isWhole: true }) }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function assertFile(store: Store, bytes: Uint8Array): Promise<void> {
  const found = await store.blob(hashOf(bytes))
  assert.ok(found instanceof Uint8Array, `A file of ${bytes.length} bytes is missing`)
  assert.ok(Buffer.from(bytes).equals(found), `A file of ${bytes.length} bytes has changed`)
}
