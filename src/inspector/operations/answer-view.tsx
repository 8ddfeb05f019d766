/** The answer to a request of a form: an image, text, or a link to its bytes. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Exchange } from '../api.js'
import { Fact, Status } from '../parts/bits.js'
import { BytesBody, type BytesBodyProps, TextBody, toEnding } from '../parts/body-view.js'
import { headerOf } from '../requests/replay.js'
import { toHash } from '../router.js'

export interface Answered extends Omit<BytesBodyProps, 'label'> {
  /** Undefined for a redirect, which browsers hide. */
  status: number | undefined
  /** The newest exchange before it. */
  after: number
  /** Milliseconds from the request to the answer, as the browser saw it. */
  ms: number
}

export async function readAnswer(
  response: Response,
  operation: string,
  { after, started }: { after: number; started: number },
): Promise<Answered> {
  const { headers } = response
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  const [, filename] = /filename="?([^";]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  const cut = new TextEncoder().encode('(cut off)')
  const whole = await response.arrayBuffer().catch(() => undefined)
  return {
    status: response.type === 'opaqueredirect' ? undefined : response.status,
    type: whole ? type.trim() : 'text/plain',
    bytes: whole ? new Uint8Array(whole) : cut,
    name: filename ?? `${operation}.${toEnding(type)}`,
    ...{ after, ms: Math.round(performance.now() - started) },
  }
}

const bodyLabel = 'Body of the answer'

/** @param props.exchange the same answer in the journal, once it arrives */
export function AnswerView(props: { answered: Answered; exchange: Exchange | undefined }): JSX.Element {
  const { answered, exchange } = props
  const status = answered.status ?? exchange?.response.status ?? '3XX'
  const element = useRef<HTMLElement>(null)
  // The form may be longer than the window.
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [answered])
  const location = exchange && headerOf(exchange.response.headers, 'location')
  return (
    <section class="answer" aria-label="Answer" ref={element}>
      <h3>
        <Status status={status} />{' '}
        {exchange && (
          <a href={toHash('requests', exchange.id)}>
            Why? <span class="dim">{exchange.why.step}</span>
          </a>
        )}{' '}
        <span class="dim">in {answered.ms} ms</span>
      </h3>
      {exchange?.refused !== undefined && <p class="problem">{exchange.why.text}</p>}
      {location !== undefined && (
        <dl class="facts">
          <Fact name="Location">
            <code>{location}</code>
          </Fact>
        </dl>
      )}
      {answered.status === undefined ? (
        <TextBody text={exchange?.response.body} label={bodyLabel} />
      ) : (
        <Body key={answered.after} answered={answered} />
      )}
    </section>
  )
}

function Body({ answered: { bytes, type, name } }: { answered: Answered }): JSX.Element {
  const text = bytes.length === 0 ? '' : toTextOf(type, bytes)
  if (text !== undefined) return <TextBody text={text} label={bodyLabel} />
  return <BytesBody {...{ bytes, type, name }} label={bodyLabel} />
}

/** @returns undefined for an image, and for bytes that are not text */
function toTextOf(type: string, bytes: Uint8Array): string | undefined {
  if (type.startsWith('image/')) return undefined
  const isText = type === '' || /^text\/|json|xml|yaml|javascript|urlencoded|graphql/.test(type)
  if (!isText) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: type === '' }).decode(bytes)
  } catch {
    return undefined
  }
}
