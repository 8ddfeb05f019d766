/** The records of a collection. Only the rows in view are on the page, and only their pages are loaded. */

import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Collection, call, type StoredRecord } from '../api.js'
import { Back, Button, countOf, Empty } from '../parts/bits.js'
import { Problem, ProblemText, useJobs } from '../parts/jobs.js'
import { useRowFocus, useRowWindow } from '../parts/rows.js'
import { changeWorld } from '../parts/toast.js'
import { route, toHash, withQuery } from '../router.js'
import { schemaAt } from '../schema.js'
import { dataVersion, loadWorlds, world } from '../store.js'
import { Cell } from './cell.js'
import { ColumnMenu } from './column-menu.js'
import { type Columns, choiceOf, choose, columnsOf, sideOf } from './columns.js'
import { Elsewhere } from './elsewhere.js'
import { usePages } from './pages.js'
import { toPath, toRecordHash } from './place.js'

const rowHeight = 32
/** Columns with room for at least as many characters share the rest of the width. Without one, the widest do. */
const growing = 20
/** Columns of fewer records are measured again when there are others. */
const fewRecords = 20

export function RecordTable({ collection }: { collection: Collection }): JSX.Element {
  const { records, total, problem, load } = usePages(collection)
  const { ref, start, end, reveal, onScroll } = useRowWindow(total.value ?? 0, rowHeight, rowHeight)
  const jobs = useJobs()
  const selected = toHash(...['data', ...route.value.parts])
  const add = useRef<HTMLButtonElement>(null)
  const { query } = route.value
  useEffect(() => load(start, end))
  const columns = useColumns(collection, records.value)
  const { columns: chosen, sort } = choiceOf(collection.name)
  const shown = chosen?.filter((name) => columns.all.includes(name)) ?? columns.usual
  const isFound = query.size > 0
  const sample = useMemo(() => [...records.value.values()].slice(0, fewRecords), [records.value])
  const sides = shown.map((name) => sideOf(collection, name, sample))
  const widths = shown.map((name) => columns.widths.get(name) ?? 0)
  const width = widths.reduce((sum, each) => sum + each, 0)
  const least = Math.min(growing, Math.max(...widths))
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset)
  const indexOf = (hash: string) =>
    [...records.value].find(([, { values }]) => toRecordHash(collection, values) === hash)?.[0]
  const rowFocus = useRowFocus({
    ...{ table: ref, add, reveal, total: total.value ?? 0, records: records.value },
    selected: indexOf(selected),
    isOpen: route.value.parts.length > 1,
  })

  async function clear(): Promise<void> {
    const text = `Removed ${countOf(total.value ?? 0, 'record')} of ${collection.name}`
    await jobs.run(() => changeWorld(world.value, text, () => call('DELETE', toPath(collection))))
    add.current?.focus()
    dataVersion.value++
    await loadWorlds().catch(() => {})
  }

  return (
    <div class="table-pane">
      <div class="toolbar">
        <Back to="data" label="Back to the collections" />
        <h2>{collection.name}</h2>
        <span class="dim" role="status">
          {total.value === undefined ? '' : countOf(total.value, 'record')}
        </span>
        <Find collection={collection} />
        <ColumnMenu collection={collection.name} columns={columns} shown={shown} />
        <button
          type="button"
          class="primary"
          ref={add}
          onClick={() => (location.hash = withQuery(toHash('data', collection.name, 'new')))}
        >
          Add
        </button>
        <Button label="Remove all" kind="quiet" disabled={!total.value || isFound} onClick={clear} />
      </div>
      <Wheres collection={collection} />
      <ProblemText jobs={jobs} />
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
        hidden={total.value === 0}
      >
        <table
          class="records"
          style={{ width: `max(100%, ${width + 3 * shown.length}ch)` }}
          aria-rowcount={(total.value ?? 0) + 1}
        >
          <thead>
            <tr>
              {shown.map((name, at) => (
                <Heading
                  key={name}
                  {...{ name, collection, sort }}
                  side={sides[at]}
                  width={(widths[at] ?? 0) < least ? widths[at] : undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {start > 0 && <Space rows={start} columns={shown.length} />}
            {rows.map((index) => {
              const record = records.value.get(index)
              const hash = record && toRecordHash(collection, record.values)
              return (
                <tr
                  key={index}
                  aria-rowindex={index + 2}
                  data-index={index}
                  class={hash === selected ? 'selected' : ''}
                  onClick={() => {
                    if (hash !== undefined) location.hash = withQuery(hash)
                  }}
                >
                  {shown.map((name, at) => (
                    <td key={name} class={sides[at]}>
                      {record && (
                        <Cell
                          {...{ collection, values: record.values, property: name }}
                          open={at === 0 && hash !== undefined ? withQuery(hash) : undefined}
                          isActive={index === rowFocus.active}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              )
            })}
            {end < (total.value ?? 0) && <Space rows={(total.value ?? 0) - end} columns={shown.length} />}
          </tbody>
        </table>
      </div>
      {Boolean(total.value) && query.has('text') && (
        <Elsewhere text={query.get('text') ?? ''} except={collection} isAlso />
      )}
      {total.value === undefined && problem.value === '' && <Empty title="Reading the records…" />}
      {total.value === 0 &&
        (isFound ? (
          <Empty title={`No record of ${collection.name} has ${describeQuery()}`}>
            {query.has('text') && <Elsewhere text={query.get('text') ?? ''} except={collection} />}
            <p>
              <a href={toHash('data', collection.name)}>Show all records</a>
            </p>
          </Empty>
        ) : (
          <Empty title="No records">
            <p>
              {collection.sampled
                ? 'A request that reads one gets one that is made. It is kept once a request changes it, or if you add it here.'
                : 'Add one here, or send a request that creates one.'}
            </p>
          </Empty>
        ))}
    </div>
  )
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

/** The name of a column, which sorts: upwards, downwards, then newest first again. */
function Heading(props: {
  name: string
  collection: Collection
  sort: string | undefined
  side: string | undefined
  /** In characters. Undefined: what the others leave. */
  width: number | undefined
}): JSX.Element {
  const { name, collection, sort, side, width } = props
  const isKey = name === collection.key
  const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
  const next = { none: name, ascending: `-${name}`, descending: undefined }[order]
  return (
    <th
      scope="col"
      aria-sort={order}
      class={side}
      style={width === undefined ? undefined : { width: `${width + 3}ch` }}
    >
      <button type="button" class="sort" onClick={() => choose(collection.name, { sort: next })}>
        {name}
        <span aria-hidden="true">{{ none: '', ascending: ' ↑', descending: ' ↓' }[order]}</span>
      </button>
      {isKey && <span class="tag">key</span>}
    </th>
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

/** Milliseconds after the last key until records are searched. */
const typingMs = 200

/** Searches while somebody types. */
function Find({ collection }: { collection: Collection }): JSX.Element {
  const { query } = route.value
  const given = query.get('key') ?? query.get('text') ?? ''
  const typed = useSignal(given)
  const timer = useRef(0)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (document.activeElement !== input.current) typed.value = given
  }, [given])
  function find(): void {
    clearTimeout(timer.current)
    const next = new URLSearchParams(query.getAll('where').map((each) => ['where', each]))
    if (typed.value !== '') next.set('text', typed.value)
    const hash = toHash('data', collection.name) + (next.size === 0 ? '' : `?${next}`)
    // Each key would be a page of the history.
    if (typed.value !== given) location.replace(hash)
  }
  return (
    <input
      type="search"
      class="find"
      data-filter
      ref={input}
      aria-label="Find records"
      placeholder="Find any value  ( / )"
      value={typed.value}
      onChange={find}
      onInput={({ currentTarget: { value } }) => {
        typed.value = value
        clearTimeout(timer.current)
        timer.current = window.setTimeout(find, typingMs)
      }}
    />
  )
}

/** What the records in the table have in common, if they were found by a reference. */
function Wheres({ collection }: { collection: Collection }): JSX.Element | null {
  const wheres = route.value.query.getAll('where')
  if (wheres.length === 0) return null
  return (
    <p class="notice">
      Only those with {wheres.map((each) => each.replace('=', ' = ')).join(' and ')}.{' '}
      <a href={toHash('data', collection.name)}>Show all</a>
    </p>
  )
}
