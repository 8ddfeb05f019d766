/** The clock: a timeline of what happens, on which a click travels, and the operations that are removed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Clock, call, encode, get, type Operation, type WorldEvent } from './api.js'
import { Button, Empty, Method, Toggle, toDate, toMoment } from './parts/bits.js'
import { TextInput } from './parts/inputs.js'
import { ProblemText, useJobs, useLoaded } from './parts/jobs.js'
import { toHash } from './router.js'
import { dataVersion, exchanges, loadWorlds, operations, world, worldName } from './store.js'
import { Timeline } from './timeline.js'

const dayMs = 86_400_000
/** Range of the slider in days if no operation has a sunset. */
const usualDays = 365

export function ClockView(): JSX.Element {
  const jobs = useJobs()
  const isOfAll = useSignal(false)
  /** Position of the slider, in milliseconds since 1970. */
  const chosen = useSignal<number | undefined>(undefined)
  /** The left end: the time at which the view was opened, by the clock of this computer. */
  const start = useSignal(Date.now())
  const path = isOfAll.value ? '/clock' : `/worlds/${encode(world.value)}/clock`
  const moves = useSignal(0)
  const inputs = [path, dataVersion.value, moves.value]
  const { loaded: clock, problem } = useLoaded(() => (world.value === '' ? undefined : get<Clock>(path)), inputs)
  const { loaded: events } = useLoaded(
    () => (world.value === '' ? undefined : get<WorldEvent[]>(`/worlds/${encode(world.value)}/events`)),
    inputs,
  )
  useEffect(() => {
    chosen.value = undefined
  }, [path])
  useEffect(() => {
    // The slider does not move while the user holds it.
    if (clock.value && chosen.value === undefined) start.value = Math.min(Date.now(), Date.parse(clock.value.now))
  }, [clock.value])

  async function move(change: object): Promise<void> {
    await jobs.run(async () => {
      clock.value = await call<Clock>('PATCH', path, change)
      chosen.value = undefined
      moves.value++
      await loadWorlds()
    })
  }

  const travelTo = (time: number) => move({ travelTo: new Date(time).toISOString() })

  if (!clock.value)
    return problem.value === '' ? (
      <Empty title="Reading the clock…" />
    ) : (
      <Empty title="The clock cannot be read">
        <p>{problem.value}</p>
        <Button label="Try again" onClick={() => moves.value++} />
      </Empty>
    )
  const { now, frozen } = clock.value
  const dated = (operations.value ?? []).filter((each) => each.sunset !== undefined)
  const sunsets = dated.map(({ sunset = '' }) => Date.parse(sunset))
  const last = Math.max(start.value, Date.parse(now), ...sunsets)
  const end = last + (sunsets.length > 0 ? Math.max(30 * dayMs, (last - start.value) / 20) : usualDays * dayMs)
  const at = chosen.value ?? Date.parse(now)
  const next = sunsets.filter((each) => each > at).sort((one, other) => one - other)[0]
  const share = (time: number) => `${(((time - start.value) / (end - start.value)) * 100).toFixed(2)}%`
  return (
    <div class="page">
      <section aria-labelledby="clock-title">
        <h2 id="clock-title">Clock</h2>
        <p class="dim">The time that the sandbox believes it is. Travel to see what your program does then.</p>
        <fieldset class="segments">
          <legend class="spoken">Whose clock</legend>
          <Toggle label={worldName(world.value)} isOn={!isOfAll.value} onClick={() => (isOfAll.value = false)} />
          <Toggle label="All worlds" isOn={isOfAll.value} onClick={() => (isOfAll.value = true)} />
        </fieldset>
        <p class="now">
          <time dateTime={now}>{toMoment(now)}</time>
          <span class="dim"> UTC{frozen ? ', frozen' : ''}</span>
        </p>
        <div class="slider">
          <label for="slider" class="spoken">
            Day to travel to
          </label>
          <input
            id="slider"
            type="range"
            min={0}
            max={Math.ceil((end - start.value) / dayMs)}
            value={Math.round((at - start.value) / dayMs)}
            aria-valuetext={toDate(at)}
            onInput={({ currentTarget }) => {
              chosen.value = start.value + Number(currentTarget.value) * dayMs
            }}
          />
          <div class="marks">
            {[...new Set(sunsets)].map((time) => (
              <button
                key={time}
                type="button"
                style={{ left: share(time) }}
                class={time <= at ? 'mark gone' : 'mark'}
                aria-label={`Travel to the sunset on ${toDate(time)}`}
                onClick={() => travelTo(time)}
              >
                {toDate(time)}
              </button>
            ))}
          </div>
        </div>
        <div class="actions">
          {/* The first one, which stays: no other button may slide below the pointer. */}
          {sunsets.length > 0 && (
            <Button
              label={
                next === undefined ? `Last sunset, ${toDate(Math.max(...sunsets))}` : `Next sunset, ${toDate(next)}`
              }
              kind={chosen.value === undefined ? 'primary' : 'quiet'}
              disabled={next === undefined}
              onClick={() => travelTo(next ?? at)}
            />
          )}
          <Button
            label={`Travel to ${toDate(at)}`}
            kind={chosen.value === undefined ? 'quiet' : 'primary'}
            disabled={chosen.value === undefined || jobs.isBusy.value}
            onClick={() => travelTo(at)}
          />
          <Button label="+ 1 day" onClick={() => move({ advance: dayMs })} />
          <Button label={frozen ? 'Let it run' : 'Freeze'} onClick={() => move({ frozen: !frozen })} />
          <Button label="Back to the present" onClick={() => move({ reset: true })} />
          <Exact onTime={travelTo} />
        </div>
        <ProblemText jobs={jobs} />
      </section>
      <Timeline
        now={Date.parse(now)}
        dated={dated}
        events={events.value ?? []}
        onTravel={travelTo}
        onPresent={() => move({ reset: true })}
      />
      <Gone dated={dated} at={at} />
    </div>
  )
}
function Exact({ onTime }: { onTime: (time: number) => void }): JSX.Element {
  const time = useSignal('')
  return (
    <form
      class="exact"
      onSubmit={(event) => {
        event.preventDefault()
        if (time.value !== '') onTime(Date.parse(`${time.value}Z`))
      }}
    >
      <TextInput type="datetime-local" step={1} label="Time (UTC)" value={time} />
      <button type="submit">Go</button>
    </form>
  )
}

function Gone({ dated, at }: { dated: Operation[]; at: number }): JSX.Element {
  const isGone = ({ sunset = '' }: Operation) => Date.parse(sunset) <= at
  const sorted = dated.toSorted((one, other) => (one.sunset ?? '').localeCompare(other.sunset ?? ''))
  const gone = sorted.filter(isGone)
  const announced = sorted.filter((each) => !isGone(each))
  const deprecated = (operations.value ?? []).filter((each) => each.deprecated && each.sunset === undefined)
  const used = new Set(exchanges.value.map(({ operation }) => operation))
  const line = (each: Operation) => (
    <li key={each.id} class={each.sunset !== undefined && isGone(each) ? 'gone' : ''}>
      <a href={toHash('operations', each.id)}>
        <Method method={each.method} /> {each.path}
      </a>
      <span class="dim">
        {each.sunset === undefined ? 'no date yet' : `${isGone(each) ? 'gone since' : 'until'} ${toDate(each.sunset)}`}
        {each.successor && `; use ${each.successor.method} ${each.successor.path}`}
      </span>
      {used.has(each.id) && <span class="tag step">you call it</span>}
    </li>
  )
  return (
    <section aria-labelledby="gone-title">
      <h2 id="gone-title">Gone on {toDate(at)}</h2>
      {gone.length > 0 ? (
        <ul class="lines">{gone.map(line)}</ul>
      ) : (
        <p class="dim">
          {dated.length === 0
            ? 'No operation of this document has a date of removal (x-sunset).'
            : 'No operation. Move the slider beyond a sunset.'}
        </p>
      )}
      {announced.length > 0 && (
        <>
          <h3>Announced</h3>
          <ul class="lines">{announced.map(line)}</ul>
        </>
      )}
      {deprecated.length > 0 && (
        <>
          <h3>Deprecated</h3>
          <ul class="lines">{deprecated.map(line)}</ul>
        </>
      )}
    </section>
  )
}
