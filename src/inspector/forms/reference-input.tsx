/** An input for the key of a record: a search among the records of a collection. Any other text can be typed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { encode, get } from '../api.js'
import type { Collection, Page, Values } from '../api-types.js'
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
  const collection = collections.value.find((each) => each.name === reference.collection)
  const page = useSignal<Page | undefined>(undefined)
  const isOpen = useSignal(false)
  const active = useSignal(-1)
  const searched = useSignal<string | undefined>(undefined)
  const list = useRef<HTMLDivElement>(null)
  const records = page.value?.records ?? []
  useEffect(() => {
    if (!isOpen.value || !collection) return
    const timer = setTimeout(
      async () => {
        page.value = await search(collection, searched.value ?? '').catch(() => undefined)
        active.value = -1
      },
      searched.value === undefined ? 0 : pause,
    )
    return () => clearTimeout(timer)
  }, [isOpen.value, searched.value, collection])
  useEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active.value],
  )

  function open(text?: string): void {
    searched.value = text
    isOpen.value = true
  }

  function choose(index: number): void {
    const values = records[index]?.values
    if (!values) return
    isOpen.value = false
    onRecord(values[reference.property], values)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!isOpen.value) open()
      else if (records.length > 0)
        active.value = (active.value + step + records.length + (active.value < 0 && step < 0 ? 1 : 0)) % records.length
    } else if (key === 'Enter' && isOpen.value && active.value >= 0) {
      event.preventDefault()
      choose(active.value)
    } else if (key === 'Escape' && isOpen.value) {
      event.preventDefault()
      isOpen.value = false
    }
  }

  const isShown = isOpen.value && page.value !== undefined
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
          open(value)
        }}
        onClick={() => open()}
        onKeyDown={onKeyDown}
        onBlur={() => (isOpen.value = false)}
      />
      <span class="spoken" role="status">
        {isShown && countOf(page.value?.total ?? 0, `record`)}
      </span>
      <div id={id} role="listbox" class="options" ref={list} hidden={!isShown} aria-label={`Records for ${name}`}>
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
            onClick={() => choose(index)}
          >
            <code>{toText(values[reference.property])}</code> {collection && titleOf(collection, values)}
          </div>
        ))}
        {records.length === 0 && (
          <div role="option" tabIndex={-1} aria-disabled="true" aria-selected={false} class="dim">
            No record in {reference.collection} has this text
          </div>
        )}
        {records.length > 0 && (page.value?.total ?? 0) > records.length && (
          <div role="option" tabIndex={-1} aria-disabled="true" aria-selected={false} class="dim">
            {(page.value?.total ?? 0) - records.length} more: type a part of a name
          </div>
        )}
      </div>
    </span>
  )
}

function search(collection: Collection, text: string): Promise<Page> {
  return get<Page>(toPath(collection, '', `&limit=${maxShown}${text === '' ? '' : `&text=${encode(text)}`}`))
}
