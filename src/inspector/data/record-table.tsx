/** The records of a collection. Only the rows in view are on the page, and only their pages are loaded. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Collection, encode, get, type Page, type StoredRecord } from '../api.js'
import { Empty } from '../parts/bits.js'
import { Problem } from '../parts/jobs.js'
import { useRowFocus, useRowWindow } from '../parts/rows.js'
import { route, toHash, withQuery } from '../router.js'
import { schemaAt } from '../schema.js'
import { dataVersion, world } from '../store.js'
import { Cell } from './cell.js'
import { type Columns, choiceOf, choose, columnsOf, sideOf } from './columns.js'
import { Elsewhere } from './elsewhere.js'
import { toPath, toRecordHash } from './place.js'
import { TableToolbar } from './table-toolbar.js'

const rowHeight = 32
/** Columns with room for at least as many characters share the rest of the width. Without one, the widest do. */
const growing = 20
/** Columns of fewer records are measured again when there are others. */
const fewRecords = 20

export function RecordTable({ collection }: { collection: Collection }): JSX.Element {
  const { records, total: loaded, problem, load } = usePages(collection)
  const { value: total = 0 } = loaded
  const { ref, start, end, reveal, onScroll } = useRowWindow(total, rowHeight, rowHeight)
  const selected = toHash(...['data', ...route.value.parts])
  const add = useRef<HTMLButtonElement>(null)
  useEffect(() => load(start, end))
  const columns = useColumns(collection, records.value)
  const shown = choiceOf(collection.name).columns?.filter((name) => columns.all.includes(name)) ?? columns.usual
  const hashOf = (record: StoredRecord | undefined) => record && toRecordHash(collection, record.values)
  const sample = useMemo(() => [...records.value.values()].slice(0, fewRecords), [records.value])
  const sides = shown.map((name) => sideOf(collection, name, sample))
  const widths = shown.map((name) => columns.widths.get(name) ?? 0)
  const width = widths.reduce((sum, each) => sum + each, 0)
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset)
  const rowFocus = useRowFocus({
    ...{ table: ref, add, reveal, total, records: records.value },
    selected: [...records.value].find(([, record]) => hashOf(record) === selected)?.[0],
    isOpen: route.value.parts.length > 1,
  })
  return (
    <div class="table-pane">
      <TableToolbar {...{ collection, columns, shown, add }} total={loaded.value} />
      <Problem text={problem.value} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links inside */}
      <div
        class="table-scroll"
        ref={ref}
        onScroll={onScroll}
        tabIndex={-1}
        onKeyDown={rowFocus.onKeyDown}
        onFocusIn={rowFocus.onFocusIn}
        onWheel={rowFocus.onScrollAway}
        onTouchMove={rowFocus.onScrollAway}
        onPointerDown={rowFocus.onScrollAway}
        hidden={loaded.value === 0}
      >
        <table class="records" style={{ width: `max(100%, ${width + 3 * shown.length}ch)` }} aria-rowcount={total + 1}>
          <Headings {...{ collection, shown, sides, widths }} />
          <tbody>
            {start > 0 && <Space rows={start} columns={shown.length} />}
            {rows.map((index) => {
              const record = records.value.get(index)
              return (
                <Row
                  key={index}
                  {...{ collection, shown, sides, index, record }}
                  isSelected={hashOf(record) === selected}
                  isActive={index === rowFocus.active}
                />
              )
            })}
            {end < total && <Space rows={total - end} columns={shown.length} />}
          </tbody>
        </table>
      </div>
      {total > 0 && route.value.query.has('text') && <Elsewhere text={findText()} except={collection} isAlso />}
      {loaded.value === undefined && problem.value === '' && <Empty title="Reading the records…" />}
      {loaded.value === 0 && <NoRecords collection={collection} />}
    </div>
  )
}

/** What the columns of a table have in common. */
interface TableColumns {
  collection: Collection
  shown: readonly string[]
  /** The class of each column. */
  sides: readonly (string | undefined)[]
}

interface RowProps extends TableColumns {
  index: number
  /** Undefined until it is loaded. */
  record: StoredRecord | undefined
  /** Whether the record is open. */
  isSelected: boolean
  /** Whether the Tab key reaches it. */
  isActive: boolean
}

function Row({ collection, shown, sides, index, record, isSelected, isActive }: RowProps): JSX.Element {
  const open = record && withQuery(toRecordHash(collection, record.values))
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      class={isSelected ? 'selected' : ''}
      onClick={() => {
        if (open !== undefined) location.hash = open
      }}
    >
      {shown.map((property, at) => (
        <td key={property} class={sides[at]}>
          {record && (
            <Cell {...{ collection, property, isActive }} values={record.values} open={at === 0 ? open : undefined} />
          )}
        </td>
      ))}
    </tr>
  )
}

function findText(): string {
  return route.value.query.get('text') ?? ''
}

/** Says why there is none. */
function NoRecords({ collection }: { collection: Collection }): JSX.Element {
  const { name, sampled } = collection
  if (route.value.query.size > 0)
    return (
      <Empty title={`No record of ${name} has ${describeQuery()}`}>
        {findText() !== '' && <Elsewhere text={findText()} except={collection} />}
        <p>
          <a href={toHash('data', name)}>Show all records</a>
        </p>
      </Empty>
    )
  const made =
    'A request that reads one gets one that is made. It is kept once a request changes it, or if you add it here.'
  return <Empty title="No records" text={sampled ? made : 'Add one here, or send a request that creates one.'} />
}

function describeQuery(): string {
  const { query } = route.value
  if (query.has('text')) return `“${query.get('text')}”`
  return query.has('key') ? `the key ${query.get('key')}` : query.getAll('where').join(' and ').replaceAll('=', ' = ')
}

/** Measured again only when it matters, so that columns stay in their places while records are loaded and sorted. */
function useColumns(collection: Collection, records: ReadonlyMap<number, StoredRecord>): Columns {
  const known = useRef<(Columns & { records: number; schemas: number }) | undefined>(undefined)
  const schemas = Object.keys(schemaAt(collection.schema)).length
  return useMemo(() => {
    const all = [...records.values()]
    const { current } = known
    const isNew = ({ values }: StoredRecord) => Object.keys(values).some((name) => !current?.filled.includes(name))
    const isStale = current?.schemas !== schemas || (current.records < fewRecords && current.records !== all.length)
    if (isStale || all.some(isNew)) known.current = { ...columnsOf(collection, all), records: all.length, schemas }
    return known.current as Columns
  }, [records, schemas])
}

/** The names of the columns, which sort: upwards, downwards, then newest first again. */
function Headings(props: TableColumns & { widths: readonly number[] }): JSX.Element {
  const { collection, shown, sides, widths } = props
  const { sort } = choiceOf(collection.name)
  const least = Math.min(growing, Math.max(...widths))
  return (
    <thead>
      <tr>
        {shown.map((name, at) => {
          const { [at]: width = 0 } = widths
          const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
          const next = { none: name, ascending: `-${name}`, descending: undefined }[order]
          return (
            <th
              key={name}
              scope="col"
              aria-sort={order}
              class={sides[at]}
              // The others share what these leave.
              style={width < least ? { width: `${width + 3}ch` } : undefined}
            >
              <button type="button" class="sort" onClick={() => choose(collection.name, { sort: next })}>
                {name}
                <span aria-hidden="true">{{ none: '', ascending: ' ↑', descending: ' ↓' }[order]}</span>
              </button>
              {name === collection.key && <span class="tag">key</span>}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Fills the space of rows that are out of view. */
function Space({ rows, columns }: { rows: number; columns: number }): JSX.Element {
  return (
    <tr class="space">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  )
}

const pageSize = 100

interface Pages {
  records: { value: Map<number, StoredRecord> }
  total: { value: number | undefined }
  problem: { value: string }
  /** Loads the rows in view that are not loaded yet. */
  load(start: number, end: number): void
}

function usePages(collection: Collection): Pages {
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
