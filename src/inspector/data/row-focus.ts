/** The keyboard focus in the table: arrow keys move it, and it returns when a record is closed. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { toRow } from '../parts/rows.js'

export interface RowFocusOptions {
  table: RefObject<HTMLElement | null>
  /** Receives the focus if no row is left. */
  add: RefObject<HTMLElement | null>
  /** Scrolls a row into view. */
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
  onFocusIn(event: FocusEvent): void
  /** Called when the user scrolls, so that no row is scrolled back into view. */
  onScrollAway(): void
}

/** Maximum milliseconds until a row is loaded, or disappears after its record was closed. */
const waitMs = 2000

export function useRowFocus(options: RowFocusOptions): RowFocus {
  const { table, add, reveal, total, records, selected, isOpen } = options
  const chosen = useSignal(0)
  const active = Math.max(0, Math.min(chosen.value, total - 1))
  /** The time until which the active row takes a lost focus. */
  const until = useRef(0)
  const wasOpen = useRef(isOpen)

  useEffect(() => {
    if (selected !== undefined) chosen.value = selected
  }, [selected])
  useEffect(() => {
    if (wasOpen.current && !isOpen) until.current = Date.now() + waitMs
    wasOpen.current = isOpen
    // Does nothing if the user has moved the focus elsewhere.
    const { activeElement } = document
    const isFree = activeElement === document.body || activeElement === table.current
    if (Date.now() < until.current && isFree) focus()
  }, [isOpen, total, records])

  function focus(): void {
    if (total === 0) {
      add.current?.focus()
      return
    }
    const row = Math.max(0, Math.min(chosen.value, total - 1))
    reveal(row)
    requestAnimationFrame(() => {
      const link = table.current?.querySelector<HTMLElement>(`[data-index="${row}"] a.open`)
      // The table itself receives keys until the row is loaded.
      const target = link ?? table.current
      target?.focus({ preventScroll: true })
    })
  }

  return {
    active,
    onFocusIn({ target }) {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined
      if (row !== undefined) chosen.value = Number(row)
    },
    onScrollAway() {
      until.current = 0
    },
    onKeyDown(event) {
      const { key, ctrlKey, metaKey, altKey } = event
      const to = ctrlKey || metaKey || altKey ? undefined : toRow(key, active, total)
      if (to === undefined) return
      event.preventDefault()
      chosen.value = to
      until.current = Date.now() + waitMs
      focus()
    },
  }
}
