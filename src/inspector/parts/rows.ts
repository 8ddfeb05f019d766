/** The rows of a long list. Only those in view are on the page, and keys move between them. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface RowWindow {
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

/**
 * @param rowHeight pixels
 * @param headHeight pixels above the first row that stay in view
 */
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
