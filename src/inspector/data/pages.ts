/** Loads the records in view, page by page. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Collection, encode, get, type Page, type StoredRecord } from '../api.js'
import { route } from '../router.js'
import { dataVersion, world } from '../store.js'
import { choiceOf } from './columns.js'
import { toPath } from './place.js'

const pageSize = 100

interface Pages {
  records: { value: Map<number, StoredRecord> }
  total: { value: number | undefined }
  problem: { value: string }
  /** Loads the rows in view that are not loaded yet. */
  load(start: number, end: number): void
}

export function usePages(collection: Collection): Pages {
  const records = useSignal(new Map<number, StoredRecord>())
  const total = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const asked = useRef(new Set<number>())
  const version = useRef(0)
  const { query } = route.value
  const filter = ['key', 'parent', 'text', 'where']
    .flatMap((name) => query.getAll(name).map((value) => `&${name}=${encode(value)}`))
    .join('')
  const { sort } = choiceOf(collection.name)
  const source = toPath(collection, '', sort === undefined ? filter : `${filter}&sort=${encode(sort)}`)
  const key = `${source} ${dataVersion.value}`
  const lastKey = useRef('')
  if (lastKey.current !== key) {
    // The old records stay on the page until the new ones arrive.
    asked.current = new Set()
    version.current++
    lastKey.current = key
  }

  async function loadPage(page: number, asking: number): Promise<void> {
    try {
      const loaded = await get<Page>(`${source}&limit=${pageSize}&offset=${page * pageSize}`)
      if (asking !== version.current) return
      const next = new Map([...records.value].filter(([index]) => index < loaded.total))
      for (let index = 0; index < pageSize; index++) {
        const record = loaded.records[index]
        if (record) next.set(page * pageSize + index, record)
      }
      records.value = next
      total.value = loaded.total
      problem.value = ''
    } catch (error) {
      if (asking === version.current) problem.value = (error as Error).message
    }
  }

  return {
    records,
    total,
    problem,
    load(start, end) {
      if (world.value === '') return
      const last = Math.floor(Math.max(start, end - 1) / pageSize)
      for (let page = Math.floor(start / pageSize); page <= last; page++) {
        if (asked.current.has(page)) continue
        asked.current.add(page)
        void loadPage(page, version.current)
      }
    },
  }
}
