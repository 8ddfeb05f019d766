/** Requests that the service sends: the webhooks and callbacks of the document. */
import type { JSX } from 'preact'
import { isObject, toText } from '../json-text.js'
import { Back, countOf, Fact, Method } from '../parts/bits.js'
import { toDocs, toHash } from '../router.js'
import { memberOf, objectAt } from '../schema.js'
import { exchanges, operations } from '../store.js'
import { Contents, Description, placeOf, Responses } from './documented.js'

export interface Outgoing {
  kind: 'webhook' | 'callback'
  name: string
  method: string
  /** The place in the document. */
  at: string
  summary: string
  /** A URL with expressions, of a callback. */
  url?: string
  /** Ids of the operations that it follows. */
  on: string[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export function findOutgoing(): Outgoing[] {
  const all = operations.value ?? []
  const sentBy = (name: string) =>
    all.flatMap(({ id, sends = [] }) => (sends.some((each) => each.name === name) ? id : []))
  const webhooks = ['/webhooks', '/x-webhooks'].flatMap((place) =>
    Object.keys(objectAt(place)).flatMap((name) =>
      requestsIn(memberOf(place, name)).map((each): Outgoing => ({ ...each, kind: 'webhook', name, on: sentBy(name) })),
    ),
  )
  const callbacks = all.flatMap((operation) => {
    const place = `${placeOf(operation)}/callbacks`
    return Object.entries(objectAt(place)).flatMap(([name]) => {
      const own = memberOf(place, name)
      const urls = Object.entries(objectAt(own)).filter(([, item]) => isObject(item))
      return urls.flatMap(([url]) =>
        requestsIn(memberOf(own, url)).map(
          (each): Outgoing => ({ ...each, kind: 'callback', name, url, on: [operation.id] }),
        ),
      )
    })
  })
  return [...webhooks, ...callbacks]
}

function requestsIn(item: string): Pick<Outgoing, 'method' | 'at' | 'summary'>[] {
  return methods
    .filter((method) => isObject(objectAt(item)[method]))
    .map((method) => {
      const at = `${item}/${method}`
      return { method: method.toUpperCase(), at, summary: toText(objectAt(at)['summary']) }
    })
}

export function OutgoingDetail({ outgoing }: { outgoing: Outgoing }): JSX.Element {
  const { kind, name, method, at, url, summary, on } = outgoing
  const sends = (operations.value ?? []).flatMap(({ sends = [] }) => sends).find((each) => each.name === name)
  const sent = exchanges.value.filter((each) => each.sent?.name === name)
  const latest = sent.at(-1)
  return (
    <article class="detail operation outgoing">
      <header>
        <Back to="operations" />
        <h2>
          <span class="tag out">sent to you</span> <Method method={method} /> <span class="path">{name}</span>
        </h2>
      </header>
      <p>{summary || `A ${kind} that the service sends to your program.`}</p>
      <Description at={at} />
      <dl class="facts">
        <Fact name="Sent to">
          {sends?.to ?? url ?? (latest?.sent?.url || 'the address of --webhook-url, or of the document')}
        </Fact>
        <Fact name="Follows">
          {on.length === 0 && (
            <>
              Nothing sends it.{' '}
              <a href={toDocs('webhooks.md#x-sandbox-webhooks')} target="_blank" rel="noreferrer">
                <code>x-sandbox-webhooks</code>
              </a>{' '}
              says after which operation it is sent.
            </>
          )}
          {on.map((id) => (
            <a key={id} class="property" href={toHash('operations', id)}>
              {id}
            </a>
          ))}
          {sends === undefined && on.length > 0 && <span class="dim"> The sandbox does not send it.</span>}
        </Fact>
        <Fact name="Sent so far">
          {latest ? <a href={toHash('requests', latest.id)}>{countOf(sent.length, 'time')}, the latest</a> : 'not yet'}
        </Fact>
      </dl>
      <h3>Body</h3>
      <Contents at={`${at}/requestBody`} />
      <h3>What you answer</h3>
      <Responses at={at} />
    </article>
  )
}
