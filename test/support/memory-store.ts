/** The simplest store that keeps all promises of the interface, and faults that the tests of stores have to find. */
import {
  type Commit,
  type Committed,
  type Entry,
  type Stamp,
  type Store,
  sharedId,
} from '../../src/state/commits/store.js'

/** Each breaks one promise of the interface. */
export const storeFaults = [
  'accepts an old stamp',
  'accepts a stamp of another incarnation',
  'accepts a stamp without a table',
  'accepts no stamp although there is a table',
  'accepts a sequence to come',
  'changes a table in a conflict',
  'keeps the id of a conflict',
  'lets two commits at the same time win',
  'uses an incarnation again after a removal',
  'uses an incarnation again after clear',
  'uses one incarnation for all tables',
  'goes on counting after a removal',
  'counts by two',
  'begins at 0',
  'loses removals of entries',
  'loses removals among the changes',
  'returns old texts among the changes',
  'returns changes twice',
  'returns removed entries of whole tables',
  'ignores that a commit is whole',
  'forgets that the table was replaced',
  'always is whole without saying so',
  'treats changes as all entries',
  'is unchanged for each incarnation',
  'is unchanged for an old sequence',
  'is unchanged for a sequence to come',
  'sends changes to another incarnation',
  'is never unchanged',
  'opens a table without entries as none',
  'opens removed tables',
  'loses names like __proto__',
  'cuts names at NUL',
  'replaces lone surrogates',
  'normalizes names',
  'ignores the case of names',
  'trims names',
  'cuts names at 10000 characters',
  'parses texts',
  'cuts texts at 1 MB',
  'forgets the ids of commits',
  'forgets a commit after 500',
  'invents commits',
  'commits after it denied the commit',
  'returns the newest stamp for each commit',
  'lists by age',
  'lists backwards',
  'lists the last world again',
  'ignores the limit',
  'ignores after',
  'ignores the case of ids in lists',
  'needs the world before a page',
  'lists the shared table',
  'ignores labels',
  'takes the label of the last commit',
  'has no label by default',
  'removes nothing',
  'removes worlds with the same beginning',
  'fails to remove an unknown world',
  'clears nothing',
  'clears the shared table',
  'stores texts of files',
  'loses empty files',
  'does not return the file that was given',
  'keeps the given bytes, not a copy',
  'invents files',
  'loses everything when it is closed',
  'loses files when it is closed',
  'loses ids of commits when it is closed',
  'loses stamps when it is closed',
  'brings removed worlds back when it is closed',
  'drops waiting commits when it is closed',
] as const

export type StoreFault = (typeof storeFaults)[number]

interface Table {
  stamp: Stamp
  label: string
  texts: Map<string, string>
  log: { sequence: number; isWhole: boolean; entries: readonly Entry[] }[]
}

/** What a store of this process keeps while it is closed. */
export interface MemoryStoreData {
  tables: Map<string, Table>
  removed: Map<string, Table>
  commits: Map<string, Stamp>
  files: Map<string, Uint8Array>
}

export function createData(): MemoryStoreData {
  return { tables: new Map(), removed: new Map(), commits: new Map(), files: new Map() }
}

/** @param fault the promise that is broken. @default none */
export function createMemoryStore(data: MemoryStoreData = createData(), fault?: StoreFault): Store {
  const { tables, removed, commits, files } = data
  let isClosed = false
  const has = (name: StoreFault) => name === fault

  function isNewest(table: Table | undefined, on: Stamp | undefined): boolean {
    if (!table) return on === undefined || has('accepts a stamp without a table')
    if (!on) return has('accepts no stamp although there is a table')
    const { incarnation, sequence } = table.stamp
    return (
      (on.incarnation === incarnation || has('accepts a stamp of another incarnation')) &&
      (on.sequence === sequence ||
        (has('accepts an old stamp') && on.sequence < sequence) ||
        (has('accepts a sequence to come') && on.sequence > sequence))
    )
  }

  function nextStamp(id: string, table: Table | undefined): Stamp {
    if (table) return { ...table.stamp, sequence: table.stamp.sequence + (has('counts by two') ? 2 : 1) }
    const before = removed.get(id)?.stamp
    const isSame =
      before && (has('uses an incarnation again after a removal') || has('uses an incarnation again after clear'))
    return {
      incarnation: has('uses one incarnation for all tables') ? '1' : isSame ? before.incarnation : crypto.randomUUID(),
      sequence: has('begins at 0') ? 0 : has('goes on counting after a removal') && before ? before.sequence + 1 : 1,
    }
  }

  function toName(name: string): string {
    if (has('cuts names at NUL')) return name.split('\0')[0] ?? ''
    if (has('replaces lone surrogates')) return Buffer.from(name).toString()
    if (has('normalizes names')) return name.normalize()
    if (has('ignores the case of names')) return name.toLowerCase()
    if (has('trims names')) return name.trim()
    if (has('cuts names at 10000 characters')) return name.slice(0, 9_999)
    return name
  }

  function toText(text: string | null): string | null {
    if (text !== null && has('parses texts') && /^-?\d/.test(text)) return String(JSON.parse(text))
    return has('cuts texts at 1 MB') ? (text?.slice(0, 1_000_000) ?? null) : text
  }

  function apply(id: string, { commitId, on, isWhole, entries, label }: Commit): Stamp | 'conflict' {
    const table = tables.get(id)
    if (!isNewest(table, on)) {
      if (has('changes a table in a conflict')) for (const { name } of entries) table?.texts.set(name, '0')
      if (has('keeps the id of a conflict')) commits.set(commitId, table?.stamp ?? { incarnation: '0', sequence: 1 })
      return 'conflict'
    }
    const stamp = nextStamp(id, table)
    const stored = entries
      .map(({ name, text }) => ({ name: toName(name), text: toText(text) }))
      .filter(({ name }) => !has('loses names like __proto__') || name !== '__proto__')
    const next: Table = table ?? {
      stamp,
      label: label ?? (has('has no label by default') ? '' : id),
      texts: new Map(),
      log: [],
    }
    next.stamp = stamp
    if (has('ignores labels')) next.label = id
    if (has('takes the label of the last commit')) next.label = label ?? id
    if (isWhole && !has('ignores that a commit is whole')) next.texts.clear()
    for (const { name, text } of stored) {
      if (text !== null) next.texts.set(name, text)
      else if (!has('loses removals of entries')) next.texts.delete(name)
    }
    next.log.push({ sequence: stamp.sequence, isWhole, entries: stored })
    tables.set(id, next)
    commits.set(commitId, has('returns the newest stamp for each commit') ? next.stamp : stamp)
    if (has('returns the newest stamp for each commit')) for (const key of commits.keys()) commits.set(key, stamp)
    const most = has('forgets a commit after 500') ? 500 : 2000
    for (const key of commits.keys()) if (commits.size > most) commits.delete(key)
    return stamp
  }

  function changesSince(table: Table, sequence: number): Committed {
    const entries = new Map<string, string | null>()
    const later = table.log.filter((each) => each.sequence > sequence)
    const whole: Committed = {
      stamp: table.stamp,
      isWhole: true,
      entries: [...table.texts].map(([name, text]) => ({ name, text })),
    }
    if (later.some(({ isWhole }) => isWhole) && !has('forgets that the table was replaced')) return whole
    for (const each of later) {
      for (const { name, text } of each.entries) {
        if (has('returns old texts among the changes') && entries.has(name)) continue
        if (text !== null || !has('loses removals among the changes')) entries.set(name, text)
      }
    }
    const changed = [...entries].map(([name, text]) => ({ name, text }))
    return {
      stamp: table.stamp,
      isWhole: has('treats changes as all entries'),
      entries: has('returns changes twice') ? [...changed, ...changed] : changed,
    }
  }

  function remove(id: string): void {
    const table = tables.get(id)
    if (table) removed.set(id, table)
    tables.delete(id)
  }

  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await undefined
  }

  return {
    open(id, have) {
      const table = tables.get(id) ?? (has('opens removed tables') ? removed.get(id) : undefined)
      if (!table) return undefined
      if (table.texts.size === 0 && has('opens a table without entries as none')) return undefined
      const { incarnation, sequence } = table.stamp
      const isKnown = have?.incarnation === incarnation
      if (have && !has('is never unchanged')) {
        if ((isKnown || has('is unchanged for each incarnation')) && have.sequence === sequence) return 'unchanged'
        if (isKnown && have.sequence < sequence && has('is unchanged for an old sequence')) return 'unchanged'
        if (isKnown && have.sequence > sequence && has('is unchanged for a sequence to come')) return 'unchanged'
      }
      if (have && (isKnown || has('sends changes to another incarnation')) && have.sequence <= sequence) {
        return changesSince(table, have.sequence)
      }
      const entries: Entry[] = [...table.texts].map(([name, text]) => ({ name, text }))
      if (has('returns removed entries of whole tables')) {
        for (const { name } of table.log.flatMap((each) => each.entries)) {
          if (!table.texts.has(name)) entries.push({ name, text: null })
        }
      }
      return { stamp: { ...table.stamp }, isWhole: !has('always is whole without saying so'), entries }
    },
    commit(id, commit) {
      if (has('lets two commits at the same time win')) {
        const isFree = isNewest(tables.get(id), commit.on)
        return turns(1).then(() => apply(id, isFree ? { ...commit, on: tables.get(id)?.stamp } : commit))
      }
      if (has('commits after it denied the commit')) return turns(4).then(() => apply(id, commit))
      if (has('drops waiting commits when it is closed')) {
        return turns(1).then(() => (isClosed ? nextStamp(id, undefined) : apply(id, commit)))
      }
      return apply(id, commit)
    },
    committed(_, commitId) {
      if (has('forgets the ids of commits')) return undefined
      return commits.get(commitId) ?? (has('invents commits') ? { incarnation: '0', sequence: 1 } : undefined)
    },
    list(after, limit) {
      const ids = [...tables.keys()].filter((id) => id !== sharedId || has('lists the shared table'))
      if (has('ignores the case of ids in lists')) {
        ids.sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
      } else if (!has('lists by age')) ids.sort()
      if (has('lists backwards')) ids.reverse()
      const isIncluded = has('lists the last world again')
      const isAfter = (id: string) => after === undefined || id > after || (isIncluded && id === after)
      const isPlain = !has('lists by age') && !has('lists backwards') && !has('ignores the case of ids in lists')
      let rest = isPlain ? ids.filter(isAfter) : ids.slice(after === undefined ? 0 : ids.indexOf(after) + 1)
      if (has('ignores after')) rest = ids
      if (has('needs the world before a page') && after !== undefined && !tables.has(after)) rest = ids
      const page = has('ignores the limit') ? rest : rest.slice(0, limit)
      return page.map((id) => ({ id, label: tables.get(id)?.label ?? '' }))
    },
    remove(id) {
      if (has('removes nothing')) return
      if (!tables.has(id) && has('fails to remove an unknown world')) throw new Error(`There is no world "${id}"`)
      if (has('removes worlds with the same beginning')) {
        for (const each of tables.keys()) if (id.startsWith(each)) remove(each)
      }
      if (!has('uses an incarnation again after clear')) remove(id)
      else tables.delete(id)
    },
    clear() {
      if (has('clears nothing')) return
      const isKept = has('uses an incarnation again after a removal') || has('goes on counting after a removal')
      for (const id of [...tables.keys()]) {
        if (id === sharedId && !has('clears the shared table')) continue
        if (isKept) tables.delete(id)
        else remove(id)
      }
    },
    blob(hash, bytes) {
      if (bytes && !(has('loses empty files') && bytes.length === 0)) {
        const isText = has('stores texts of files')
        const copy = isText ? Buffer.from(Buffer.from(bytes).toString()) : Uint8Array.from(bytes)
        files.set(hash, has('keeps the given bytes, not a copy') ? bytes : copy)
        if (has('does not return the file that was given')) return undefined
      }
      const found = files.get(hash)
      return found?.slice() ?? (has('invents files') ? new Uint8Array() : undefined)
    },
    async close() {
      if (!has('drops waiting commits when it is closed')) await turns(3)
      isClosed = true
      if (has('loses everything when it is closed')) for (const each of [tables, commits, files]) each.clear()
      if (has('loses files when it is closed')) files.clear()
      if (has('loses ids of commits when it is closed')) commits.clear()
      if (has('loses stamps when it is closed')) {
        for (const table of tables.values()) table.stamp = { ...table.stamp, sequence: 1 }
      }
      if (has('brings removed worlds back when it is closed')) for (const [id, table] of removed) tables.set(id, table)
    },
  }
}
