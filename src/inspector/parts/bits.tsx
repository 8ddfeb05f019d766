/** Small parts that several views have. */
import type { ComponentChildren, JSX } from 'preact'

export function Status({ status }: { status: number | string }): JSX.Element {
  // A callback that got no answer has no status.
  return <span class={`status s${String(status).charAt(0)}`}>{status === 0 ? '–' : status}</span>
}

export function Method({ method }: { method: string }): JSX.Element {
  return <span class={`method m-${method.toLowerCase()}`}>{method}</span>
}

/** What is shown where there is nothing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** @example toPlace({ file: 'books.yaml', line: 12 }) // 'books.yaml:12' */
export function toPlace({ file, line }: { file?: string | undefined; line?: number | undefined }): string {
  return file === undefined ? '' : `${file}:${line}`
}

/** A date without its time if that is midnight. */
export function toDate(time: string): string {
  return time.slice(0, 10)
}

/** @example toTime('2026-01-05T10:11:12.345Z') // '10:11:12' */
export function toTime(time: string): string {
  return time.slice(11, 19)
}
