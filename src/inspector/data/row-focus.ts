/** Which row of the table the keyboard is at: arrow keys move it, and it comes back when a record is closed. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { toRow } from '../parts/row-keys.js'

export interface RowFocusOptions {
  table: RefObject<HTMLElement | null>
  /** Gets the focus where no row is left. */
  add: RefObject<HTMLElement | null>
  /** Scrolls so far that a row is in view. */
  reveal: (index: number) => void
  total: number
  /** Changes when rows are loaded. */
  records: unknown
  /** The row whose record is open, if it is loaded. */
  selected: number | undefined
  /** Whether a record is open. */
  isOpen: boolean
}

export interface RowFocus {
  /** The row that the Tab key goes to. */
  active: number
  onKeyDown(event: KeyboardEvent): void
}

/** Milliseconds in which a row may be loaded, or vanish after its record was closed. */
const waitMs = 2000

export function useRowFocus(options: RowFocusOptions): RowFocus {
  const { table, add, reveal, total, records, selected, isOpen } = options
  const chosen = useSignal(0)
  const active = Math.max(0, Math.min(chosen.value, total - 1))
  /** Until when a focus that nothing has comes to the row. */
  const until = useRef(0)
  const wasOpen = useRef(isOpen)

  useEffect(() => {
    if (selected !== undefined) chosen.value = selected
  }, [selected])
  useEffect(() => {
    if (wasOpen.current && !isOpen) until.current = Date.now() + waitMs
    wasOpen.current = isOpen
    // Who went elsewhere meanwhile stays there.
    if (Date.now() < until.current && document.activeElement === document.body) focus(active)
  }, [isOpen, total, records])

  function focus(index: number): void {
    if (total === 0) add.current?.focus()
    until.current = Date.now() + waitMs
    reveal(index)
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-index="${index}"] a.open`)?.focus())
  }

  return {
    active,
    onKeyDown(event) {
      const { key, target } = event
      if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return
      const at = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? active)
      const to = toRow(key, at, total)
      if (to === undefined) return
      event.preventDefault()
      chosen.value = to
      focus(to)
    },
  }
}
