/** A menu in which the columns of a table are chosen. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from '../parts/bits.js'
import { Check } from '../parts/inputs.js'
import { type Columns, choose } from './columns.js'

export function ColumnMenu(props: { collection: string; columns: Columns; shown: readonly string[] }): JSX.Element {
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
