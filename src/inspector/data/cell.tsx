/** The value of a property in a table: ids are short and can be copied, times are readable, references are links with the titles of their records. */
import type { ComponentChildren, JSX } from 'preact'
import { getOrInsert } from '../../json/own-value.js'
import { type Collection, encode, get, type Page, type StoredRecord, type Values } from '../api.js'
import { isComposite, toText } from '../json-text.js'
import { CopyButton } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { batches, dataVersion } from '../store.js'
import { isTime, shorten, titleOf, toShownTime } from './columns.js'
import { type Target, toPath, toTarget } from './place.js'

const maxText = 200

/** A shortened text, which screen readers say as a whole. */
export function Short({ text, shown = shorten(text) }: { text: string; shown?: string }): JSX.Element {
  if (shown === text) return <>{text}</>
  return (
    <>
      <span aria-hidden="true">{shown}</span>
      <span class="spoken">{text}</span>
    </>
  )
}

interface CellProps {
  collection: Collection
  values: Values
  property: string
  /** The address of the record, in its first column. */
  open?: string | undefined
  /** Whether the Tab key reaches the link to the record. */
  isActive?: boolean
}

export function Cell({ collection, values, property, open, isActive = false }: CellProps): JSX.Element {
  const { [property]: value } = values
  const text = toText(value)
  const short = shorten(text)
  const isKey = property === collection.key
  const shown = isTime(property, text) ? toShownTime(text) : short.slice(0, maxText)
  const target = open === undefined ? toTarget(collection, values, property) : undefined
  const kind = typeof value === 'string' ? 'v-text' : value === null || isComposite(value) ? 'dim' : 'v-number'
  return (
    <>
      {target ? (
        <Named target={target} shown={<Short text={text} shown={shown} />} />
      ) : open === undefined ? (
        <span class={kind} title={shown === text ? undefined : text.slice(0, 1000)}>
          {shown}
        </span>
      ) : (
        <a class="open" href={open} title={shown === text ? undefined : text} tabIndex={isActive ? 0 : -1}>
          <Short text={text} shown={shown} />
        </a>
      )}
      {(isKey || target || short !== text) && text !== '' && (
        // The pane of the record has the same button for the keyboard.
        // biome-ignore lint/a11y/noStaticElementInteractions: a click on the button must not open the record
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <span class="copy-id" onClick={(event) => event.stopPropagation()}>
          <CopyButton text={() => text} label={<span class="spoken">Copy {text}</span>} isInRow />
        </span>
      )}
    </>
  )
}

/** Milliseconds in which keys are collected. */
const pause = 30

/** @returns null if there is none */
async function find({ collection, key, parents }: Target): Promise<StoredRecord | null> {
  const path = toPath(collection)
  const { keys, page } = getOrInsert(batches, path, () => {
    const keys = new Set<string>()
    const page = new Promise((resolve) => setTimeout(resolve, pause)).then(() => {
      batches.delete(path)
      return get<Page>(`${path}&limit=1000${[...keys].map((each) => `&key=${encode(each)}`).join('')}`)
    })
    return { keys, page }
  })
  keys.add(key)
  const isIt = ({ values }: StoredRecord) =>
    toText(values[collection.key]) === key &&
    parents.every((each, at) => toText(values[collection.scope[at] ?? '']) === each)
  return (await page).records.find(isIt) ?? null
}

/** The record that a value names. Undefined until it is known, null if there is none. */
export function useNamed(target: Target | undefined): StoredRecord | null | undefined {
  const place = target && [toPath(target.collection), target.key, ...target.parents].join('\n')
  const { loaded } = useLoaded(
    () => target && find(target).then((record) => ({ place, record })),
    [place, dataVersion.value],
  )
  return loaded.value?.place === place ? loaded.value?.record : undefined
}

/** A link to the record that a value names, with its title, or that there is none. @param props.shown its key */
export function Named({ target, shown }: { target: Target; shown?: ComponentChildren }): JSX.Element {
  const { collection, key, parents } = target
  const record = useNamed(target)
  if (record === null)
    return (
      <span class="dim">
        {shown}
        {shown && ', '}no such record
      </span>
    )
  const title = record ? titleOf(collection, record.values) : ''
  const query = new URLSearchParams([['key', key], ...parents.map((each) => ['parent', each])])
  return (
    <a
      href={`${toHash('data', collection.name)}?${query}`}
      title={title && `${key} · ${title}`}
      // A row around it opens another record.
      onClick={(event) => event.stopPropagation()}
    >
      {shown ?? 'Open'}
      {title && ` · ${title}`}
    </a>
  )
}
