/** What happens in a world, in the order of its time. Each event is a button that travels there. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Operation, WorldEvent } from './api.js'
import { Button, Section, toMoment } from './parts/bits.js'
import { toHash } from './router.js'

/** Events that are shown at first. */
const maxShown = 20
const maxPast = 5
/** Milliseconds by which clocks of this computer and the sandbox may differ. */
export const toleranceMs = 5_000

interface Point {
  time: number
  kind: 'now' | 'present' | 'sunset' | 'webhook' | 'step'
  /** What happens, in words. */
  text: string
  /** Where more is known about it. */
  more?: ComponentChildren
}

export function Timeline(props: {
  /** The time of the world. */
  now: number
  dated: readonly Operation[]
  events: readonly WorldEvent[]
  onTravel: (time: number) => void
  onPresent: () => void
}): JSX.Element {
  const { now, dated, events, onTravel, onPresent } = props
  const isWhole = useSignal(false)
  const present = Date.now()
  const points: Point[] = [
    { time: now, kind: 'now', text: 'Now: the world is here' },
    ...(Math.abs(present - now) > toleranceMs
      ? [{ time: present, kind: 'present', text: 'The present' } as const]
      : []),
    ...dated.map(({ sunset = '', id, method, path }) => ({
      ...{ time: Date.parse(sunset), kind: 'sunset' as const, text: `Sunset of ${method} ${path}` },
      more: <a href={toHash('operations', id)}>Operation</a>,
    })),
    ...events.map(toPoint),
  ]
  points.sort((one, other) => one.time - other.time)
  const here = points.findIndex(({ kind }) => kind === 'now')
  const first = isWhole.value ? 0 : Math.max(0, here - maxPast)
  const shown = points.slice(first, isWhole.value ? undefined : first + maxShown)
  return (
    <Section
      title="Timeline"
      id="timeline-title"
      about={
        points.length > 1
          ? 'A click travels there.'
          : 'Nothing is planned: no operation has a sunset, no webhook is due, and no job runs.'
      }
    >
      <ol class="timeline">
        {shown.map(({ time, kind, text, more }) => (
          <li
            key={`${time} ${text}`}
            class={`at-${kind}${time < now ? ' past' : ''}`}
            aria-current={kind === 'now' || undefined}
          >
            {kind === 'now' ? (
              <strong>{text}</strong>
            ) : (
              <button type="button" onClick={() => (kind === 'present' ? onPresent() : onTravel(time))}>
                <span class="when">{toMoment(time)}</span> {text} <span class="dim">{toDistance(time - now)}</span>
              </button>
            )}{' '}
            {more}
          </li>
        ))}
      </ol>
      {points.length > shown.length && (
        <Button label={`Show all ${points.length} events`} onClick={() => (isWhole.value = true)} />
      )}
    </Section>
  )
}

function toPoint({ at, kind, name, url, exchange, collection = '', identity = [], state }: WorldEvent): Point {
  const time = Date.parse(at)
  if (kind === 'webhook') {
    const more = exchange === undefined ? undefined : <a href={toHash('requests', exchange)}>Caused by #{exchange}</a>
    return { time, kind, text: `${name} is sent to ${url}`, more }
  }
  const more = <a href={toHash('data', collection, 'record', ...identity)}>Record</a>
  return { time, kind, text: `${collection} ${identity[0] ?? ''} becomes ${state}`, more }
}

const units = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** @example toDistance(7_200_000) // 'in 2 hours' */
export function toDistance(ms: number): string {
  // Of one year and a part of another, the months say more.
  const isLong = ([unit, length]: (typeof units)[number]) => Math.abs(ms) >= (unit === 'year' ? 2 : 1) * length
  const [unit, length] = units.find(isLong) ?? ['second', 1000]
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(ms / length), unit)
}
