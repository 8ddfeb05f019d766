/** The exchanges, newest first. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Exchange } from '../api.js'
import { Method, OutgoingTag, Status, toShortMoment } from '../parts/bits.js'
import { toRow, useRowWindow } from '../parts/rows.js'
import { toHash, withQuery } from '../router.js'
import { calledBy, world as inView, statusOf, worldName } from '../store.js'

const rowHeight = 46

export function ExchangeList(props: { list: Exchange[]; selected: number | undefined }): JSX.Element {
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
