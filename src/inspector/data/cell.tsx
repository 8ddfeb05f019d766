/** The value of a property in a table: ids are short and can be copied, times are readable, references are links. */
import type { JSX } from 'preact'
import type { Collection, Values } from '../api-types.js'
import { isComposite, toText } from '../json-text.js'
import { CopyButton } from '../parts/bits.js'
import { isTime, shorten, toShownTime } from './columns.js'
import { Named } from './named.js'
import { toTarget } from './place.js'

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
