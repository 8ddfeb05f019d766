/** Small parts that several views share. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { toHash } from '../router.js'

export function Status({ status }: { status: number | string }): JSX.Element {
  // An outgoing call without an answer has no status.
  return <span class={`status s${String(status).charAt(0)}`}>{status === 0 ? 'failed' : status}</span>
}

export function Method({ method }: { method: string }): JSX.Element {
  return <span class={`method m-${method.toLowerCase()}`}>{method}</span>
}

export function OutgoingTag(): JSX.Element {
  return (
    <span class="tag out">
      <span aria-hidden="true">↗</span> outgoing
    </span>
  )
}

/** A path that a line breaks after slashes only. */
export function Path({ path }: { path: string }): JSX.Element {
  const parts = path.split(/(?<=\/)(?=.)/)
  return (
    <span class="path">
      {parts.map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </span>
  )
}

export const anyMethods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

interface EmptyProps {
  title: string
  text?: string | undefined
  children?: ComponentChildren
}

/** A message for an empty view, with the next step. */
export function Empty({ title, text, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  )
}

interface SectionProps {
  title: string
  /** Of its heading, for links and tests. */
  id: string
  /** What it is for. */
  about?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page with a heading. */
export function Section({ title, id, about, children }: SectionProps): JSX.Element {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && <p class="dim">{about}</p>}
      {children}
    </section>
  )
}

/** A line of a list of facts. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** A link from a detail back to its list, on narrow screens. */
export function Back({ to, label = 'Back to the list' }: { to: string; label?: string }): JSX.Element {
  return (
    <a class="back" href={toHash(to)} aria-label={label}>
      ←
    </a>
  )
}

export interface ButtonProps {
  label: ComponentChildren
  kind?: 'primary' | 'danger' | 'quiet'
  disabled?: boolean | undefined
  /** Of a button that opens and closes what is below it. */
  isExpanded?: boolean
  onClick: () => unknown
}

export function Button({ label, kind, disabled, isExpanded, onClick }: ButtonProps): JSX.Element {
  return (
    <button type="button" class={kind} disabled={disabled} aria-expanded={isExpanded} onClick={() => void onClick()}>
      {label}
    </button>
  )
}

/** A button for what cannot be undone: the second click does it. */
export function CarefulButton({ label, onClick }: Pick<ButtonProps, 'onClick'> & { label: string }): JSX.Element {
  const isAsking = useSignal(false)
  return (
    <button
      type="button"
      class="danger"
      onBlur={() => (isAsking.value = false)}
      onClick={() => {
        if (isAsking.value) void onClick()
        isAsking.value = !isAsking.value
      }}
    >
      {isAsking.value ? `${label} for good` : label}
    </button>
  )
}

/** A button that stays pressed. */
export function Toggle(
  props: Omit<ButtonProps, 'kind' | 'disabled' | 'isExpanded'> & { isOn: boolean; class?: string },
): JSX.Element {
  const { label, isOn, class: name, onClick } = props
  return (
    <button type="button" class={name} aria-pressed={isOn} onClick={() => void onClick()}>
      {label}
    </button>
  )
}

/** A short success message. */
export function Said({ text }: { text: string }): JSX.Element {
  return (
    <span class="said" role="status">
      {text}
    </span>
  )
}

/** A text with a button that copies it. */
export function Command({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <div class="command">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={() => text} label={label} />
    </div>
  )
}

/** @param props.isInRow whether the Tab key skips it */
export function CopyButton(props: { text: () => string; label: ComponentChildren; isInRow?: boolean }): JSX.Element {
  const { text, label, isInRow = false } = props
  const isCopied = useSignal(false)
  async function copy(): Promise<void> {
    await writeText(text())
    isCopied.value = true
    setTimeout(() => (isCopied.value = false), 1500)
  }
  return (
    <button type="button" class="copy" tabIndex={isInRow ? -1 : undefined} onClick={copy}>
      <span aria-hidden="true" class={isCopied.value ? 'icon done' : 'icon'} />
      {label}
      <span class="spoken" role="status">
        {isCopied.value ? 'Copied' : ''}
      </span>
    </button>
  )
}

async function writeText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Pages without HTTPS on another machine have no clipboard.
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

/** @example toPlace({ file: 'books.yaml', line: 12 }) // 'books.yaml:12' */
export function toPlace({ file, line }: { file?: string | undefined; line?: number | undefined }): string {
  return file === undefined ? '' : `${file}:${line}`
}

/** @param time as text, or in milliseconds since 1970 */
export function toDate(time: string | number): string {
  return (typeof time === 'string' ? time : new Date(time).toISOString()).slice(0, 10)
}

/** @example toMoment('2026-01-05T10:11:12.345Z') // '2026-01-05 10:11:12' */
export function toMoment(time: string | number): string {
  return `${toDate(time)} ${toTime(new Date(time).toISOString())}`
}

/** A time with its date, unless that is today's. */
export function toShortMoment(time: string): string {
  return toDate(time) === toDate(Date.now()) ? toTime(time) : toMoment(time)
}

/** @example toTime('2026-01-05T10:11:12.345Z') // '10:11:12' */
export function toTime(time: string): string {
  return time.slice(11, 19)
}

/** A time that goes on while its clock runs. @param props.now the time when it was read */
export function RunningTime({ now, frozen }: { now: string; frozen: boolean }): JSX.Element {
  const passed = useSignal(0)
  useEffect(() => {
    const start = Date.now()
    const tick = () => (passed.value = frozen ? 0 : Date.now() - start)
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [now, frozen])
  return <time>{toMoment(Date.parse(now) + passed.value)}</time>
}

/** @example countOf(1, 'record') // '1 record' */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
