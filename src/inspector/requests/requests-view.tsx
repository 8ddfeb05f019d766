/** The exchanges as they come. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Exchange } from '../api-types.js'
import { Empty } from '../parts/bits.js'
import { Filter } from '../parts/inputs.js'
import { route } from '../router.js'
import { calledBy, exchanges, isLive, world } from '../store.js'
import { ExchangeDetail } from './exchange-detail.js'
import { ExchangeList } from './exchange-list.js'
import { StartPanel } from './start-panel.js'

export function RequestsView(): JSX.Element {
  const filter = useSignal('')
  const isOnlyRefused = useSignal(false)
  const isOnlyWorld = useSignal(false)
  /** Exchanges up to this id were cleared from view. */
  const cleared = useSignal(0)
  const all = exchanges.value.filter(({ id }) => id > cleared.value)
  const list = all
    .filter(
      (each) =>
        (!isOnlyRefused.value || each.refused !== undefined) &&
        (!isOnlyWorld.value || each.world === world.value) &&
        matches(each, filter.value),
    )
    .reverse()
  const id = Number(route.value.parts[0])
  const selected = exchanges.value.find((each) => each.id === id)
  return (
    <div class={route.value.parts[0] === undefined ? 'split' : 'split open'}>
      <section class="side" aria-label="Requests">
        <div class="toolbar">
          <Filter value={filter} label="Filter requests" hint="Filter: path, status, word  ( / )" />
          <Toggle label="Refused" value={isOnlyRefused.value} onChange={(next) => (isOnlyRefused.value = next)} />
          <Toggle label="This world" value={isOnlyWorld.value} onChange={(next) => (isOnlyWorld.value = next)} />
          <button
            type="button"
            class="quiet"
            disabled={all.length === 0}
            onClick={() => {
              cleared.value = exchanges.value.at(-1)?.id ?? 0
            }}
          >
            Clear
          </button>
        </div>
        {list.length > 0 ? (
          <ExchangeList list={list} selected={selected?.id} />
        ) : (
          <Empty title={all.length > 0 ? 'No request matches' : 'No requests yet'}>
            <p>
              {all.length > 0
                ? 'Change the filter to see the others.'
                : isLive.value
                  ? 'Waiting for the first one. Paste the command into a terminal, or try an operation.'
                  : 'Connecting…'}
            </p>
          </Empty>
        )}
      </section>
      <section class="main" aria-label={selected ? 'Details' : 'Start'}>
        {selected ? (
          <ExchangeDetail key={selected.id} exchange={selected} />
        ) : route.value.parts[0] === undefined || exchanges.value.length === 0 ? (
          <StartPanel />
        ) : (
          <Empty title={`Request ${route.value.parts[0]} is no longer kept`}>
            <p>The journal keeps the latest 1000 requests.</p>
          </Empty>
        )}
      </section>
    </div>
  )
}

function Toggle(props: { label: string; value: boolean; onChange: (next: boolean) => void }): JSX.Element {
  const { label, value, onChange } = props
  return (
    <button type="button" class="toggle" aria-pressed={value} onClick={() => onChange(!value)}>
      {label}
    </button>
  )
}

/** Each word must be somewhere in it. */
function matches(exchange: Exchange, filter: string): boolean {
  const { request, response, operation = '', world = '', why } = exchange
  const { method, query } = request
  const text = `${method} ${calledBy(exchange)}?${query} ${response.status} ${operation} ${world} ${why.step} ${why.text}`
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
}
