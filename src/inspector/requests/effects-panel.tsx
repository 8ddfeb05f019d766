/** What a request caused: changed records and outgoing calls; and what caused an outgoing call. */
import type { JSX } from 'preact'
import { type Exchange, encode, get, type WorldEvent } from '../api.js'
import { Short } from '../data/cell.js'
import { Method, Status, toDate, toTime } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { calledBy, exchanges, statusOf } from '../store.js'

export function EffectsPanel({ exchange }: { exchange: Exchange }): JSX.Element | null {
  const { id, world, sent, changes = [] } = exchange
  const { value: all } = exchanges
  const cause = sent && all.find((each) => each.id === sent.exchange)
  const caused = all.filter((each) => each.sent?.exchange === id)
  // Asked again when something was sent.
  const { loaded } = useLoaded(
    () => (world === undefined || sent ? undefined : get<WorldEvent[]>(`/worlds/${encode(world)}/events`)),
    [id, caused.length],
  )
  const waiting = (loaded.value ?? []).filter((each) => each.exchange === id)
  if (!cause && caused.length + waiting.length + changes.length === 0) return null
  return (
    <section class="effects" aria-label="Causes and effects">
      {cause && (
        <>
          <h3>Caused by</h3>
          <ExchangeLink exchange={cause} />
        </>
      )}
      {changes.length > 0 && <h3>Records</h3>}
      <ChangedRecords changes={changes} />
      {caused.length + waiting.length > 0 && <h3>Outgoing calls that it caused</h3>}
      {caused.map((each) => (
        <ExchangeLink key={each.id} exchange={each} />
      ))}
      {waiting.map(({ name, at, url }) => (
        <p key={`${name} ${at} ${url}`}>
          <span class="tag out">waiting</span> {name} to {url}, due at{' '}
          <a href={toHash('clock')}>
            {toTime(at)} on {toDate(at)}
          </a>
        </p>
      ))}
    </section>
  )
}

/** Each changed record with a link to it, while it is there. */
export function ChangedRecords({ changes }: { changes: Exchange['changes'] }): JSX.Element {
  return (
    <>
      {(changes ?? []).map(({ collection, kind, identity }) => (
        <p key={`${collection} ${identity.join(' ')}`}>
          {kind}{' '}
          {kind === 'removed' ? (
            `${collection} ${identity[0]}`
          ) : (
            <a href={toHash('data', collection, 'record', ...identity)}>
              {collection} <Short text={identity[0] ?? ''} />
            </a>
          )}
        </p>
      ))}
    </>
  )
}

function ExchangeLink({ exchange }: { exchange: Exchange }): JSX.Element {
  const { id, sent, request } = exchange
  return (
    <p>
      <a href={toHash('requests', id)}>
        <Status status={statusOf(exchange)} /> {sent && '↗ '}
        <Method method={request.method} /> {calledBy(exchange) || sent?.name}
      </a>{' '}
      <span class="dim">
        #{id}
        {sent && `, ${sent.name}`}
        {sent && sent.attempt > 1 && `, attempt ${sent.attempt}`}
      </span>
    </p>
  )
}
