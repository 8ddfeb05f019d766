/** The exchanges as they arrive. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Exchange } from '../api.js'
import {
  anyMethods,
  Button,
  countOf,
  Empty,
  Method,
  OutgoingTag,
  Status,
  Toggle,
  toShortMoment,
} from '../parts/bits.js'
import { Filter, Options } from '../parts/inputs.js'
import { toRow, useRowWindow } from '../parts/rows.js'
import { offerUndo } from '../parts/toast.js'
import { queryValue, route, setQuery, toHash, withQuery } from '../router.js'
import { calledBy, exchanges, faultsOf, world as inView, isLive, statusOf, world, worldName } from '../store.js'
import { ExchangeDetail } from './exchange-detail.js'
import { StartPanel } from './start-panel.js'

const methods = [['', 'Method'], ...anyMethods.map((each) => [each] as const)] as const
const statuses = [
  ['', 'Status'],
  ...['2', '3', '4', '5'].map((each) => [each, `${each}xx`] as const),
  ['0', 'No answer'],
] as const

/** What each filter of the address asks of an exchange. The status is a first digit, and toggles are on if they have a text. */
const tests: Readonly<Record<string, (exchange: Exchange, text: string) => boolean>> = {
  text: matches,
  method: ({ request }, text) => request.method === text,
  status: ({ response }, text) => String(response.status).startsWith(text),
  fault: (exchange, text) => faultsOf(exchange).includes(text),
  refused: ({ refused }) => refused !== undefined,
  outgoing: ({ sent }) => sent !== undefined,
  world: (exchange) => exchange.world === world.value,
}
const noFilters = Object.fromEntries(Object.keys(tests).map((name) => [name, '']))

export function RequestsView(): JSX.Element {
  const active = Object.entries(tests).filter(([name]) => queryValue(name).value !== '')
  const isFiltered = active.length > 0
  /** Exchanges up to this id are cleared from view. */
  const cleared = useSignal(0)
  const all = exchanges.value.filter(({ id }) => id > cleared.value)
  const list = all.filter((each) => active.every(([name, test]) => test(each, queryValue(name).value))).reverse()
  const [method, status, fault] = [queryValue('method'), queryValue('status'), queryValue('fault')]
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
          <Filter value={queryValue('text')} label="Filter requests" placeholder="Filter: path, status, word  ( / )" />
          <Options
            aria-label="Method"
            value={method.value}
            options={methods}
            onChoice={(each) => (method.value = each)}
          />
          <Options
            aria-label="Status"
            value={status.value}
            options={statuses}
            onChoice={(each) => (status.value = each)}
          />
          <FilterToggle label="Refused" name="refused" />
          {exchanges.value.some(({ sent }) => sent) && <FilterToggle label="Outgoing" name="outgoing" />}
          <FilterToggle label="This world" name="world" />
        </div>
        <div class="count-line">
          <span class="dim" role="status">
            {isFiltered && `${list.length} of `}
            {countOf(all.length, 'request')}
          </span>
          {isFiltered && <ShowAll />}
          <Button label="Clear the list" kind="quiet" disabled={all.length === 0} onClick={clear} />
        </div>
        {fault.value !== '' && <p class="notice">Only those that the fault {fault.value} hit.</p>}
        {list.length > 0 ? (
          <ExchangeList list={list} selected={selected?.id} />
        ) : (
          <Empty title={all.length > 0 ? 'No request matches' : isLive.value ? 'No requests yet' : 'Connecting…'}>
            <p>
              {all.length > 0
                ? 'The filters hide the others.'
                : isLive.value
                  ? 'Waiting for the first one. Paste the command into a terminal, or try an operation.'
                  : 'The sandbox has not answered yet.'}
            </p>
            {all.length > 0 && <ShowAll />}
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

function FilterToggle({ label, name }: { label: string; name: string }): JSX.Element {
  const filter = queryValue(name)
  const isOn = filter.value !== ''
  return <Toggle class="toggle" label={label} isOn={isOn} onClick={() => (filter.value = isOn ? '' : 'only')} />
}

function ShowAll(): JSX.Element {
  return <Button label="Show all" kind="quiet" onClick={() => setQuery(noFilters)} />
}

/** Whether an exchange contains every word of the filter. */
function matches(exchange: Exchange, filter: string): boolean {
  const { request, response, operation = '', world = '', why } = exchange
  const { method, query } = request
  const text = `${method} ${calledBy(exchange)}?${query} ${response.status} ${operation} ${worldName(world)} ${why.step} ${why.text}`
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
}

const rowHeight = 46

function ExchangeList(props: { list: Exchange[]; selected: number | undefined }): JSX.Element {
  const { list, selected } = props
  const { ref, start, end, reveal, onScroll } = useRowWindow(list.length, rowHeight)
  const active = useSignal<number | undefined>(undefined)
  const index = Math.max(
    0,
    list.findIndex(({ id }) => id === (active.value ?? selected)),
  )

  useEffect(() => {
    // A linked or focused row may be out of view.
    if (selected !== undefined && list.some(({ id }) => id === selected)) reveal(index)
  }, [selected])

  function onKeyDown(event: KeyboardEvent): void {
    const to = toRow(event.key, index, list.length)
    if (to === undefined) return
    event.preventDefault()
    const next = list[to]
    if (!next) return
    active.value = next.id
    reveal(to)
    requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>(`[data-id="${next.id}"]`)?.focus())
    // An open detail follows the keyboard.
    if (selected !== undefined) location.hash = withQuery(toHash('requests', next.id))
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links inside
    <div class="rows" ref={ref} onScroll={onScroll} onKeyDown={onKeyDown}>
      <ul style={{ height: `${list.length * rowHeight}px` }} aria-label="Requests, newest first">
        {list.slice(start, end).map((exchange, position) => (
          <li key={exchange.id} style={{ top: `${(start + position) * rowHeight}px`, height: `${rowHeight}px` }}>
            <Row exchange={exchange} isSelected={exchange.id === selected} isActive={start + position === index} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Row(props: { exchange: Exchange; isSelected: boolean; isActive: boolean }): JSX.Element {
  const { exchange, isSelected, isActive } = props
  const { id, at, world, refused, request, why, sent, notes } = exchange
  const { method, query } = request
  const called = calledBy(exchange) || sent?.name
  const status = statusOf(exchange)
  const isFailed = status === 0 && notes.length > 0
  return (
    <a
      class={`exchange${refused === undefined ? '' : ' refused'}${sent ? ' sent' : ''}${isFailed ? ' failed' : ''}`}
      href={withQuery(toHash('requests', id))}
      data-id={id}
      tabIndex={isActive ? 0 : -1}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Status status={status} />
      <Method method={method} />
      <span class="path" title={called}>
        {called}
        {query !== '' && <span class="query">?{query}</span>}
      </span>
      <time>{toShortMoment(at)}</time>
      <span class="sub" title={why.text}>
        {world !== undefined && world !== inView.value && <span class="tag">{worldName(world)}</span>}
        {sent ? <OutgoingTag /> : why.step !== 'apply' && <span class="tag step">{why.step}</span>}
        {isFailed ? `${sent?.name}: ${notes.join('; ')}` : why.text}
      </span>
    </a>
  )
}
