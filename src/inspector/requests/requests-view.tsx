/** The exchanges as they arrive. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Exchange } from '../api-types.js'
import { anyMethods, Button, countOf, Empty, Toggle } from '../parts/bits.js'
import { Filter, Select } from '../parts/inputs.js'
import { offerUndo } from '../parts/toast.js'
import { route, toHash } from '../router.js'
import { calledBy, exchanges, faultsOf, isLive, world } from '../store.js'
import { ExchangeDetail } from './exchange-detail.js'
import { ExchangeList } from './exchange-list.js'
import { StartPanel } from './start-panel.js'

const methods = [['', 'Method'], ...anyMethods.map((each) => [each] as const)] as const
const statuses = [['', 'Status'], ...['2', '3', '4', '5'].map((each) => [each, `${each}xx`] as const)] as const

export function RequestsView(): JSX.Element {
  const filter = useSignal('')
  const method = useSignal('')
  /** The first digit. */
  const status = useSignal('')
  const isOnlyRefused = useSignal(false)
  const isOnlyWorld = useSignal(false)
  const isOnlySent = useSignal(false)
  const fault = route.value.query.get('fault')
  /** Exchanges up to this id are cleared from view. */
  const cleared = useSignal(0)
  const all = exchanges.value.filter(({ id }) => id > cleared.value)
  const list = all
    .filter(
      (each) =>
        (!isOnlyRefused.value || each.refused !== undefined) &&
        (!isOnlyWorld.value || each.world === world.value) &&
        (!isOnlySent.value || each.sent !== undefined) &&
        (method.value === '' || each.request.method === method.value) &&
        String(each.response.status).startsWith(status.value) &&
        (fault === null || faultsOf(each).includes(fault)) &&
        matches(each, filter.value),
    )
    .reverse()
  function clear(): void {
    const { value: before } = cleared
    cleared.value = exchanges.value.at(-1)?.id ?? 0
    offerUndo({
      text: `Cleared ${countOf(all.length, 'request')} from view`,
      undo: async () => (cleared.value = before),
    })
  }
  const id = Number(route.value.parts[0])
  const selected = exchanges.value.find((each) => each.id === id)
  return (
    <div class={route.value.parts[0] === undefined ? 'split' : 'split open'}>
      <section class="side" aria-label="Requests">
        <div class="toolbar">
          <Filter value={filter} label="Filter requests" placeholder="Filter: path, status, word  ( / )" />
          <Select label="Method" value={method.value} options={methods} onChoice={(each) => (method.value = each)} />
          <Select label="Status" value={status.value} options={statuses} onChoice={(each) => (status.value = each)} />
          <FilterToggle label="Refused" signal={isOnlyRefused} />
          {exchanges.value.some(({ sent }) => sent) && <FilterToggle label="Outgoing" signal={isOnlySent} />}
          <FilterToggle label="This world" signal={isOnlyWorld} />
          <Button label="Clear" kind="quiet" disabled={all.length === 0} onClick={clear} />
        </div>
        {fault !== null && (
          <p class="notice">
            Only those that the fault {fault} hit. <a href={toHash('requests')}>Show all</a>
          </p>
        )}
        {list.length > 0 ? (
          <ExchangeList list={list} selected={selected?.id} />
        ) : (
          <Empty title={all.length > 0 ? 'No request matches' : isLive.value ? 'No requests yet' : 'Connecting…'}>
            <p>
              {all.length > 0
                ? 'Change the filter to see the others, or clear it.'
                : isLive.value
                  ? 'Waiting for the first one. Paste the command into a terminal, or try an operation.'
                  : 'The sandbox has not answered yet.'}
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
            <p>
              The journal keeps the latest 1000 requests. <a href={toHash('requests')}>Show them</a>
            </p>
          </Empty>
        )}
      </section>
    </div>
  )
}

function FilterToggle({ label, signal }: { label: string; signal: Signal<boolean> }): JSX.Element {
  return <Toggle class="toggle" label={label} isOn={signal.value} onClick={() => (signal.value = !signal.value)} />
}

/** Whether an exchange contains every word of the filter. */
function matches(exchange: Exchange, filter: string): boolean {
  const { request, response, operation = '', world = '', why } = exchange
  const { method, query } = request
  const text = `${method} ${calledBy(exchange)}?${query} ${response.status} ${operation} ${world} ${why.step} ${why.text}`
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
}
