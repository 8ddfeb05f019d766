/** The rows of a long list. Only those in view are on the page, and keys move between them. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

interface RowWindow {
  ref: RefObject<HTMLDivElement | null>
  /** The first row and the one after the last. */
  start: number
  end: number
  /** Scrolls a row into view. */
  reveal(index: number): void
  onScroll(): void
}

/** Number of rendered rows above and below the view. */
const margin = 8

/** How far Page Up and Page Down move. */
const pageRows = 10

/** @param rowHeight pixels @param headHeight pixels above the first row that stay in view */
export function useRowWindow(count: number, rowHeight: number, headHeight = 0): RowWindow {
  const ref = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = useSignal(800)
  useLayoutEffect(() => {
    const { current } = ref
    if (!current) return undefined
    const observer = new ResizeObserver(() => {
      height.value = current.clientHeight
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const first = Math.min(Math.floor(top.value / rowHeight), Math.max(0, count - 1))
  const start = Math.max(0, first - margin)
  const end = Math.min(count, first + Math.ceil(height.value / rowHeight) + margin)
  return {
    ref,
    start,
    end,
    onScroll() {
      // Re-renders for whole rows only.
      const { scrollTop = 0 } = ref.current ?? {}
      top.value = Math.floor(scrollTop / rowHeight) * rowHeight
    },
    reveal(index) {
      const { current } = ref
      if (!current) return
      const rowTop = index * rowHeight
      if (rowTop < current.scrollTop) current.scrollTop = rowTop
      const bottom = rowTop + rowHeight + headHeight
      if (bottom > current.scrollTop + current.clientHeight) current.scrollTop = bottom - current.clientHeight
    },
  }
}

/** @returns the row that a key leads to; undefined for another key */
export function toRow(key: string, at: number, count: number): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ...{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 },
    ...{ PageDown: at + pageRows, PageUp: at - pageRows },
  }
  const { [key]: row } = rows
  return row === undefined ? undefined : Math.max(0, Math.min(row, count - 1))
}

interface RowFocusOptions {
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

interface RowFocus {
  /** The row that the Tab key goes to. */
  active: number
  onKeyDown(event: KeyboardEvent): void
  onFocusIn(event: FocusEvent): void
  /** Called when the user scrolls, so that no row is scrolled back into view. */
  onScrollAway: () => void
}

/** Maximum milliseconds until a row is loaded, or disappears after its record was closed. */
const waitMs = 2000

/** The keyboard focus in a table: arrow keys move it, and it returns when a record is closed. */
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
    onScrollAway: () => (until.current = 0),
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
