/** The bar above a table of records: finds, adds and removes them, and chooses columns. */
import { useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Collection, call } from '../api.js'
import { Back, Button, countOf } from '../parts/bits.js'
import { Check } from '../parts/inputs.js'
import { ProblemText, useJobs } from '../parts/jobs.js'
import { changeWorld } from '../parts/toast.js'
import { route, toHash, withQuery } from '../router.js'
import { dataVersion, loadWorlds, world } from '../store.js'
import { type Columns, choose } from './columns.js'
import { toPath } from './place.js'

interface TableToolbarProps {
  collection: Collection
  /** The number of records. Undefined until they are read. */
  total: number | undefined
  columns: Columns
  shown: readonly string[]
  /** The button that adds a record. */
  add: RefObject<HTMLButtonElement | null>
}

export function TableToolbar({ collection, total, columns, shown, add }: TableToolbarProps): JSX.Element {
  const { name } = collection
  const jobs = useJobs()
  async function clear(): Promise<void> {
    const text = `Removed ${countOf(total ?? 0, 'record')} of ${name}`
    await jobs.run(() => changeWorld(world.value, text, () => call('DELETE', toPath(collection))))
    add.current?.focus()
    dataVersion.value++
    await loadWorlds().catch(() => {})
  }
  return (
    <>
      <div class="toolbar">
        <Back to="data" label="Back to the collections" />
        <h2>{name}</h2>
        <span class="dim" role="status">
          {total === undefined ? '' : countOf(total, 'record')}
        </span>
        <Find collection={collection} />
        <ColumnMenu collection={name} columns={columns} shown={shown} />
        <button
          type="button"
          class="primary"
          ref={add}
          onClick={() => (location.hash = withQuery(toHash('data', name, 'new')))}
        >
          Add
        </button>
        <Button label="Remove all" kind="quiet" disabled={!total || route.value.query.size > 0} onClick={clear} />
      </div>
      <Wheres collection={collection} />
      <ProblemText jobs={jobs} />
    </>
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

/** A menu in which the columns of a table are chosen. */
function ColumnMenu(props: { collection: string; columns: Columns; shown: readonly string[] }): JSX.Element {
  const { collection, columns, shown } = props
  const isOpen = useSignal(false)
  const menu = useRef<HTMLDetailsElement>(null)
  const set = (name: string, isOn: boolean) =>
    choose(collection, { columns: columns.all.filter((each) => (each === name ? isOn : shown.includes(each))) })
  return (
    <details
      class="menu"
      ref={menu}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        event.preventDefault()
        menu.current.open = false
        menu.current.querySelector('summary')?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && menu.current?.contains(relatedTarget)
        if (relatedTarget && !isInside && menu.current) menu.current.open = false
      }}
    >
      <summary>
        Columns {shown.length}/{columns.all.length}
      </summary>
      {isOpen.value && (
        <fieldset>
          <legend class="spoken">Columns</legend>
          {columns.all.map((name) => (
            <Check key={name} label={name} isOn={shown.includes(name)} onChange={(isOn) => set(name, isOn)} />
          ))}
          <Button label="Usual columns" onClick={() => choose(collection, { columns: undefined })} />
        </fieldset>
      )}
    </details>
  )
}
