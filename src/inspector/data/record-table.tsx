/** The records of a collection. Only the rows in view are on the page, and only their pages are loaded. */

import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { singletonKey } from '../../json/path-property.js'
import { call, encode } from '../api.js'
import type { Collection, StoredRecord, Values } from '../api-types.js'
import { isComposite, toText } from '../json-text.js'
import { Back, Button, countOf, Empty } from '../parts/bits.js'
import { Problem, ProblemText, useJobs } from '../parts/jobs.js'
import { useRowWindow } from '../parts/rows.js'
import { route, toHash, withQuery } from '../router.js'
import { propertiesOf, schemaAt } from '../schema.js'
import { dataVersion, loadWorlds, world } from '../store.js'
import { usePages } from './pages.js'
import { toPath, toRecordHash, toTarget } from './place.js'
import { useRowFocus } from './row-focus.js'

const rowHeight = 32

export function RecordTable({ collection }: { collection: Collection }): JSX.Element {
  const { records, total, problem, load } = usePages(collection)
  const { ref, start, end, reveal, onScroll } = useRowWindow(total.value ?? 0, rowHeight, rowHeight)
  const jobs = useJobs()
  const selected = toHash(...['data', ...route.value.parts])
  const add = useRef<HTMLButtonElement>(null)
  const { query } = route.value
  useEffect(() => load(start, end))
  const columns = columnsOf(collection, [...records.value.values()])
  const isFound = query.size > 0
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset)
  const indexOf = (hash: string) =>
    [...records.value].find(([, { values }]) => toRecordHash(collection, values) === hash)?.[0]
  const rowFocus = useRowFocus({
    ...{ table: ref, add, reveal, total: total.value ?? 0, records: records.value },
    selected: indexOf(selected),
    isOpen: route.value.parts.length > 1,
  })

  async function clear(): Promise<void> {
    if (!confirm(`Remove all ${total.value} records of ${collection.name} in the world ${world.value}?`)) return
    await jobs.run(() => call('DELETE', toPath(collection)))
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
                  {columns.map((name, at) => (
                    <td key={name}>
                      {record && at === 0 ? (
                        <a class="open" href={hash && withQuery(hash)} tabIndex={index === rowFocus.active ? 0 : -1}>
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
      {total.value === 0 &&
        (isFound ? (
          <Empty title={`No record has ${query.has('key') ? `the key ${query.get('key')}` : `“${query.get('text')}”`}`}>
            <p>
              <a href={toHash('data', collection.name)}>Show all records</a>
            </p>
          </Empty>
        ) : (
          <Empty title="No records">
            <p>Add one here, or send a request that creates one.</p>
          </Empty>
        ))}
    </div>
  )
}

/** A link to the record that a value names, or the value. */
function Cell(props: { collection: Collection; values: Values; property: string }): JSX.Element {
  const { collection, values, property } = props
  const { [property]: value } = values
  const target = toTarget(collection, values, property)
  const text = toText(value)
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text
  const kind = typeof value === 'string' ? 'v-text' : value === null || isComposite(value) ? 'dim' : 'v-number'
  if (target === undefined) return <span class={kind}>{shown}</span>
  // The row itself opens the record.
  return (
    <a href={target} onClick={(event) => event.stopPropagation()}>
      {shown}
    </a>
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

function Find({ collection }: { collection: Collection }): JSX.Element {
  const { query } = route.value
  return (
    <input
      type="search"
      class="find"
      data-filter
      aria-label="Find records"
      placeholder="Find  ( / )"
      value={query.get('key') ?? query.get('text') ?? ''}
      onChange={({ currentTarget: { value } }) => {
        location.hash = toHash('data', collection.name) + (value === '' ? '' : `?text=${encode(value)}`)
      }}
    />
  )
}

/** Properties in the order of the schema, then others. The key comes first, then the owners, and hidden properties last. */
function columnsOf(collection: Collection, records: StoredRecord[]): string[] {
  const { key, scope } = collection
  const known = propertiesOf(schemaAt(collection.schema)).map(([name]) => name)
  const used = new Set(records.slice(0, 500).flatMap(({ values }) => Object.keys(values)))
  const own = known.filter((name) => used.has(name) || records.length === 0)
  const all = [key, ...scope.filter((name) => used.has(name)), ...own, ...used].filter((name) => name !== singletonKey)
  // What a record belongs to identifies it, too.
  const isFirst = (name: string) => name === key || scope.includes(name)
  const isHidden = (name: string) => !isFirst(name) && collection.hidden.includes(name)
  const unique = [...new Set(all)]
  return [...unique.filter((name) => !isHidden(name)), ...unique.filter(isHidden)]
}
