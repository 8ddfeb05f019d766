/** An input for the key of a record: a search among the records of a collection. Any other text can be typed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Collection, encode, get, type Page, type Values } from '../api.js'
import { titleOf } from '../data/columns.js'
import { toPath } from '../data/place.js'
import { toText } from '../json-text.js'
import { countOf } from '../parts/bits.js'
import { collections } from '../store.js'
import type { FormReference } from './form.js'

const maxShown = 20
/** Milliseconds without typing before a search. */
const pause = 120

interface ReferenceInputProps {
  reference: FormReference
  name: string
  /** The attributes of the input, with its id. */
  common: Record<string, unknown> & { value: string }
  onText: (text: string) => void
  onRecord: (key: unknown, record: Values) => void
}

/** A combobox with a list (ARIA Authoring Practices, "Combobox Pattern"). */
export function ReferenceInput({ reference, name, common, onText, onRecord }: ReferenceInputProps): JSX.Element {
  const id = `${common['id']}-records`
  const search = useSearch(reference)
  const { active, isOpen, isShown } = search
  function choose(values: Values | undefined): void {
    if (!values) return
    isOpen.value = false
    onRecord(values[reference.property], values)
  }
  return (
    <span class="combobox">
      <input
        {...common}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        {...(isShown && active.value >= 0 && { 'aria-activedescendant': `${id}-${active.value}` })}
        onInput={({ currentTarget: { value } }) => {
          onText(value)
          search.open(value)
        }}
        onClick={() => search.open()}
        onKeyDown={(event) => search.onKeyDown(event, choose)}
        onBlur={() => (isOpen.value = false)}
      />
      <span class="spoken" role="status">
        {isShown && countOf(search.total, 'record')}
      </span>
      <Found id={id} label={`Records for ${name}`} {...{ search, reference }} onChoice={choose} />
    </span>
  )
}

/** Searches the records of a reference while its list is open. */
function useSearch(reference: FormReference) {
  const collection = collections.value.find((each) => each.name === reference.collection)
  const page = useSignal<Page | undefined>(undefined)
  const isOpen = useSignal(false)
  /** The chosen record of the list; -1 for none. */
  const active = useSignal(-1)
  const searched = useSignal<string | undefined>(undefined)
  const { records = [], total = 0 } = page.value ?? {}
  useEffect(() => {
    if (!isOpen.value || !collection) return
    const timer = setTimeout(
      async () => {
        page.value = await find(collection, searched.value ?? '').catch(() => undefined)
        active.value = -1
      },
      searched.value === undefined ? 0 : pause,
    )
    return () => clearTimeout(timer)
  }, [isOpen.value, searched.value, collection])
  /** @param text absent: the newest records */
  function open(text?: string): void {
    searched.value = text
    isOpen.value = true
  }
  return {
    ...{ collection, records, total, active, isOpen, open },
    /** Whether the list is on the page: it is open and loaded. */
    isShown: isOpen.value && page.value !== undefined,
    onKeyDown(event: KeyboardEvent, choose: (values: Values | undefined) => void): void {
      const { key } = event
      const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      const isUsed = step !== 0 || (isOpen.value && (key === 'Escape' || (key === 'Enter' && active.value >= 0)))
      if (!isUsed) return
      event.preventDefault()
      if (key === 'Escape') isOpen.value = false
      else if (key === 'Enter') choose(records[active.value]?.values)
      else if (!isOpen.value) open()
      else if (records.length > 0)
        active.value = (active.value + step + records.length + (active.value < 0 && step < 0 ? 1 : 0)) % records.length
    },
  }
}

/** The records that were found. */
function Found(props: {
  id: string
  label: string
  search: ReturnType<typeof useSearch>
  reference: FormReference
  onChoice: (values: Values) => void
}): JSX.Element {
  const { id, label, search, reference, onChoice } = props
  const { collection, records, total, active, isShown } = search
  const list = useRef<HTMLDivElement>(null)
  useEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active.value],
  )
  const note =
    records.length === 0
      ? `No record in ${reference.collection} has this text`
      : total > records.length && `${total - records.length} more: type a part of a name`
  return (
    <div id={id} role="listbox" class="options" ref={list} hidden={!isShown} aria-label={label}>
      {records.map(({ id: number, values }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
        <div
          key={number}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active.value}
          // The input would lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoice(values)}
        >
          <code>{toText(values[reference.property])}</code> {collection && titleOf(collection, values)}
        </div>
      ))}
      {note && (
        <div role="option" tabIndex={-1} aria-disabled="true" aria-selected={false} class="dim">
          {note}
        </div>
      )}
    </div>
  )
}

function find(collection: Collection, text: string): Promise<Page> {
  return get<Page>(toPath(collection, '', `&limit=${maxShown}${text === '' ? '' : `&text=${encode(text)}`}`))
}
