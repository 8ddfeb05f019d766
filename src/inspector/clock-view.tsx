/** The clock: a timeline of what happens, on which a click travels, and the operations that are removed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Clock, call, encode, get, type Operation, type WorldEvent } from './api.js'
import { Button, Empty, Method, Section, Toggle, toDate, toMoment } from './parts/bits.js'
import { ProblemText, useJobs, useLoaded } from './parts/jobs.js'
import { toHash } from './router.js'
import { dataVersion, exchanges, loadWorlds, operations, world, worldName } from './store.js'
import { Timeline } from './timeline.js'

const dayMs = 86_400_000
/** Range of the slider in days if no operation has a sunset. */
const usualDays = 365

/** The clock of the world in view, or of all worlds, and what happens there. All numbers are milliseconds since 1970. */
function useClock() {
  const jobs = useJobs()
  const isOfAll = useSignal(false)
  /** Position of the slider. */
  const chosen = useSignal<number | undefined>(undefined)
  /** The left end of the slider: the time at which the view was opened, by the clock of this computer. */
  const start = useSignal(Date.now())
  const ofWorld = `/worlds/${encode(world.value)}`
  const path = isOfAll.value ? '/clock' : `${ofWorld}/clock`
  const moves = useSignal(0)
  const inputs = [path, dataVersion.value, moves.value]
  const read = <T,>(from: string) => (world.value === '' ? undefined : get<T>(from))
  const { loaded: clock, problem } = useLoaded(() => read<Clock>(path), inputs)
  const { loaded: events } = useLoaded(() => read<WorldEvent[]>(`${ofWorld}/events`), inputs)
  useEffect(() => {
    chosen.value = undefined
  }, [path])
  useEffect(() => {
    // The slider does not move while the user holds it.
    if (clock.value && chosen.value === undefined) start.value = Math.min(Date.now(), Date.parse(clock.value.now))
  }, [clock.value])
  return {
    ...{ clock, problem: problem.value, events: events.value ?? [], isOfAll, chosen, start: start.value, jobs },
    move: (change: object) =>
      jobs.run(async () => {
        clock.value = await call<Clock>('PATCH', path, change)
        chosen.value = undefined
        moves.value++
        await loadWorlds()
      }),
    reload: () => moves.value++,
  }
}

export function ClockView(): JSX.Element {
  const state = useClock()
  const { clock, problem, events, isOfAll, chosen, start, jobs, move } = state
  if (!clock.value && problem === '') return <Empty title="Reading the clock…" />
  if (!clock.value)
    return (
      <Empty title="The clock cannot be read" text={problem}>
        <Button label="Try again" onClick={state.reload} />
      </Empty>
    )
  const { now, frozen } = clock.value
  const time = Date.parse(now)
  const dated = (operations.value ?? []).filter((each) => each.sunset !== undefined)
  const sunsets = dated.map(({ sunset = '' }) => Date.parse(sunset))
  const at = chosen.value ?? time
  const travelTo = (time: number) => move({ travelTo: new Date(time).toISOString() })
  const toPresent = () => move({ reset: true })
  return (
    <div class="page">
      <Section
        title="Clock"
        id="clock-title"
        about="The time that the sandbox believes it is. Travel to see what your program does then."
      >
        <fieldset class="segments">
          <legend class="spoken">Whose clock</legend>
          <Toggle label={worldName(world.value)} isOn={!isOfAll.value} onClick={() => (isOfAll.value = false)} />
          <Toggle label="All worlds" isOn={isOfAll.value} onClick={() => (isOfAll.value = true)} />
        </fieldset>
        <p class="now">
          <time dateTime={now}>{toMoment(now)}</time>
          <span class="dim"> UTC{frozen ? ', frozen' : ''}</span>
        </p>
        <Slider {...{ start, now: time, at, sunsets }} onTime={(to) => (chosen.value = to)} onTravel={travelTo} />
        <div class="actions">
          <Travels
            {...{ at, sunsets }}
            isChosen={chosen.value !== undefined}
            isBusy={jobs.isBusy.value}
            onTravel={travelTo}
          />
          <Button label="+ 1 day" onClick={() => move({ advance: dayMs })} />
          <Button label={frozen ? 'Let it run' : 'Freeze'} onClick={() => move({ frozen: !frozen })} />
          <Button label="Back to the present" onClick={toPresent} />
          <Exact onTime={travelTo} />
        </div>
        <ProblemText jobs={jobs} />
      </Section>
      <Timeline now={time} {...{ dated, events }} onTravel={travelTo} onPresent={toPresent} />
      <Gone dated={dated} at={at} />
    </div>
  )
}

interface SliderProps {
  /** All times are in milliseconds since 1970. */
  start: number
  now: number
  at: number
  sunsets: readonly number[]
  onTime: (time: number) => void
  onTravel: (time: number) => void
}

/** Days from the start to some time after the last sunset, which are marked. */
function Slider({ start, now, at, sunsets, onTime, onTravel }: SliderProps): JSX.Element {
  const last = Math.max(start, now, ...sunsets)
  const end = last + (sunsets.length > 0 ? Math.max(30 * dayMs, (last - start) / 20) : usualDays * dayMs)
  const share = (time: number) => `${(((time - start) / (end - start)) * 100).toFixed(2)}%`
  return (
    <div class="slider">
      <label for="slider" class="spoken">
        Day to travel to
      </label>
      <input
        id="slider"
        type="range"
        min={0}
        max={Math.ceil((end - start) / dayMs)}
        value={Math.round((at - start) / dayMs)}
        aria-valuetext={toDate(at)}
        onInput={({ currentTarget }) => onTime(start + Number(currentTarget.value) * dayMs)}
      />
      <div class="marks">
        {[...new Set(sunsets)].map((time) => (
          <button
            key={time}
            type="button"
            style={{ left: share(time) }}
            class={time <= at ? 'mark gone' : 'mark'}
            aria-label={`Travel to the sunset on ${toDate(time)}`}
            onClick={() => onTravel(time)}
          >
            {toDate(time)}
          </button>
        ))}
      </div>
    </div>
  )
}

interface TravelsProps extends Pick<SliderProps, 'at' | 'sunsets' | 'onTravel'> {
  /** Whether the slider was moved. */
  isChosen: boolean
  isBusy: boolean
}

function Travels({ at, sunsets, isChosen, isBusy, onTravel }: TravelsProps): JSX.Element {
  const next = sunsets.filter((each) => each > at).sort((one, other) => one - other)[0]
  return (
    <>
      {/* The first one, which stays: no other button may slide below the pointer. */}
      {sunsets.length > 0 && (
        <Button
          label={next === undefined ? `Last sunset, ${toDate(Math.max(...sunsets))}` : `Next sunset, ${toDate(next)}`}
          kind={isChosen ? 'quiet' : 'primary'}
          disabled={next === undefined}
          onClick={() => onTravel(next ?? at)}
        />
      )}
      <Button
        label={`Travel to ${toDate(at)}`}
        kind={isChosen ? 'primary' : 'quiet'}
        disabled={!isChosen || isBusy}
        onClick={() => onTravel(at)}
      />
    </>
  )
}

function Exact({ onTime }: { onTime: (time: number) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  return (
    <form
      class="exact"
      onSubmit={(event) => {
        event.preventDefault()
        const { value = '' } = input.current ?? {}
        if (value !== '') onTime(Date.parse(`${value}Z`))
      }}
    >
      <input ref={input} type="datetime-local" step={1} autocomplete="off" aria-label="Time (UTC)" />
      <button type="submit">Go</button>
    </form>
  )
}

/** The operations that are removed at a time, and those that will be. */
function Gone({ dated, at }: { dated: Operation[]; at: number }): JSX.Element {
  const isGone = ({ sunset = '' }: Operation) => Date.parse(sunset) <= at
  const sorted = dated.toSorted((one, other) => (one.sunset ?? '').localeCompare(other.sunset ?? ''))
  const gone = sorted.filter(isGone)
  const announced = sorted.filter((each) => !isGone(each))
  const deprecated = (operations.value ?? []).filter((each) => each.deprecated && each.sunset === undefined)
  const none =
    dated.length === 0
      ? 'No operation of this document has a date of removal (x-sunset).'
      : 'No operation. Move the slider beyond a sunset.'
  return (
    <Section title={`Gone on ${toDate(at)}`} id="gone-title">
      {gone.length > 0 ? <Lines list={gone} at={at} /> : <p class="dim">{none}</p>}
      {announced.length > 0 && <h3>Announced</h3>}
      {announced.length > 0 && <Lines list={announced} at={at} />}
      {deprecated.length > 0 && <h3>Deprecated</h3>}
      {deprecated.length > 0 && <Lines list={deprecated} at={at} />}
    </Section>
  )
}

function Lines({ list, at }: { list: readonly Operation[]; at: number }): JSX.Element {
  const used = new Set(exchanges.value.map(({ operation }) => operation))
  return (
    <ul class="lines">
      {list.map(({ id, method, path, sunset, successor }) => {
        const isGone = sunset !== undefined && Date.parse(sunset) <= at
        return (
          <li key={id} class={isGone ? 'gone' : ''}>
            <a href={toHash('operations', id)}>
              <Method method={method} /> {path}
            </a>
            <span class="dim">
              {sunset === undefined ? 'no date yet' : `${isGone ? 'gone since' : 'until'} ${toDate(sunset)}`}
              {successor && `; use ${successor.method} ${successor.path}`}
            </span>
            {used.has(id) && <span class="tag step">you call it</span>}
          </li>
        )
      })}
    </ul>
  )
}
