/** The records of a collection. Only the rows in view are on the page, and only their pages are loaded. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call, encode, get } from '../api.js'
import type { Collection, Page, StoredRecord } from '../api-types.js'
import { Empty } from '../parts/bits.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { useRowWindow } from '../parts/window.js'
import { goTo, route, toHash } from '../router.js'
import { propertiesOf, schemaAt } from '../schema.js'
import { dataVersion, loadWorlds, world } from '../store.js'
import { Cell } from './links.js'
import { toPath } from './place.js'

const rowHeight = 32
const pageSize = 100

export function RecordTable({
  collection,
  selected,
}: {
  collection: Collection
  selected: string | undefined
}): JSX.Element {
  const { records, total, problem, load } = usePages(collection)
  const { ref, start, end, onScroll } = useRowWindow(total.value ?? 0, rowHeight, rowHeight)
  const jobs = useJobs()
  const { query } = route.value
  useEffect(() => load(start, end))
  const columns = columnsOf(collection, [...records.value.values()])
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset)
  const link = (id: number) => toHash('data', collection.name, id)

  async function clear(): Promise<void> {
    if (!confirm(`Remove all ${total.value} records of ${collection.name} in the world ${world.value}?`)) return
    await jobs.run(() => call('DELETE', toPath(collection)))
    dataVersion.value++
    await loadWorlds().catch(() => {})
  }

  return (
    <div class="table-pane">
      <div class="toolbar">
        <a class="back" href={toHash('data')} aria-label="Back to the collections">
          ←
        </a>
        <h2>{collection.name}</h2>
        <span class="dim" role="status">
          {total.value === undefined
            ? ''
            : `${total.value.toLocaleString('en')} ${total.value === 1 ? 'record' : 'records'}`}
        </span>
        <FindByKey collection={collection} />
        <button type="button" class="primary" onClick={() => goTo('data', collection.name, 'new')}>
          Add
        </button>
        <button type="button" class="quiet" disabled={!total.value} onClick={clear}>
          Remove all
        </button>
      </div>
      <ProblemText jobs={jobs} />
      {problem.value !== '' && <p class="problem">{problem.value}</p>}
      <div class="table-scroll" ref={ref} onScroll={onScroll} hidden={total.value === 0}>
        <table
          class="records"
          style={{ width: `max(100%, ${columns.length * 150}px)` }}
          aria-rowcount={(total.value ?? 0) + 1}
        >
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                  {name === collection.key && <span class="tag">key</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {start > 0 && <Space rows={start} columns={columns.length} />}
            {rows.map((index) => {
              const record = records.value.get(index)
              return (
                <tr
                  key={index}
                  aria-rowindex={index + 2}
                  class={record && String(record.id) === selected ? 'selected' : ''}
                  onClick={() => record && goTo('data', collection.name, record.id)}
                >
                  {columns.map((name, at) => (
                    <td key={name}>
                      {record && at === 0 ? (
                        <a class="open" href={link(record.id)}>
                          <Cell collection={{ ...collection, links: [] }} values={record.values} property={name} />
                        </a>
                      ) : (
                        record && <Cell collection={collection} values={record.values} property={name} />
                      )}
                    </td>
                  ))}
                </tr>
              )
            })}
            {end < (total.value ?? 0) && <Space rows={(total.value ?? 0) - end} columns={columns.length} />}
          </tbody>
        </table>
      </div>
      {total.value === 0 && (
        <Empty title={query.has('key') ? `No record has the key ${query.get('key')}` : 'No records'}>
          <p>
            {query.has('key') ? (
              <a href={toHash('data', collection.name)}>Show all records</a>
            ) : (
              'Add one here, or send a request that creates one.'
            )}
          </p>
        </Empty>
      )}
    </div>
  )
}

/** In place of rows that are out of view. */
function Space({ rows, columns }: { rows: number; columns: number }): JSX.Element {
  return (
    <tr class="space">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  )
}

function FindByKey({ collection }: { collection: Collection }): JSX.Element {
  const { query } = route.value
  return (
    <input
      type="search"
      class="find"
      data-filter
      aria-label={`Find by ${collection.key}`}
      placeholder={`Find by ${collection.key}`}
      value={query.get('key') ?? ''}
      onChange={({ currentTarget: { value } }) => {
        location.hash =
          value === '' ? toHash('data', collection.name) : `${toHash('data', collection.name)}?key=${encode(value)}`
      }}
    />
  )
}

/** Properties in the order of the schema, then others. The key comes first; what only paths have, last. */
function columnsOf(collection: Collection, records: StoredRecord[]): string[] {
  const known = propertiesOf(schemaAt(collection.schema)).map(([name]) => name)
  const used = new Set(records.slice(0, 500).flatMap(({ values }) => Object.keys(values)))
  const own = known.filter((name) => used.has(name) || records.length === 0)
  const all = [collection.key, ...own, ...used].filter((name) => name !== '{}')
  const isHidden = (name: string) => collection.hidden.includes(name)
  const unique = [...new Set(all)]
  return [...unique.filter((name) => !isHidden(name)), ...unique.filter(isHidden)]
}

interface Pages {
  records: { value: Map<number, StoredRecord> }
  total: { value: number | undefined }
  problem: { value: string }
  /** Loads what is in view and not there yet. */
  load(start: number, end: number): void
}

function usePages(collection: Collection): Pages {
  const records = useSignal(new Map<number, StoredRecord>())
  const total = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const asked = useRef(new Set<number>())
  const version = useRef(0)
  const { query } = route.value
  const filter = ['key', 'parent']
    .flatMap((name) => (query.has(name) ? `&${name}=${encode(query.get(name) ?? '')}` : []))
    .join('')
  const source = toPath(collection, '', filter)
  const key = `${source} ${dataVersion.value}`
  const lastKey = useRef('')
  if (lastKey.current !== key) {
    // What is there stays on the page until it is replaced.
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
