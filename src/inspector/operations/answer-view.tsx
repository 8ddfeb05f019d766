/** The answer to a request of a form: an image, text, or a link to its bytes. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Exchange } from '../api-types.js'
import { prettify } from '../exact-json.js'
import { Status } from '../parts/bits.js'
import { JsonView } from '../parts/json-view.js'
import { toHash } from '../router.js'

export interface Answered {
  /** Undefined for a redirect: browsers do not say where it leads. */
  status: number | undefined
  /** The media type, without parameters. */
  type: string
  bytes: Uint8Array<ArrayBuffer>
  /** For a file that is downloaded. */
  name: string
  /** The newest exchange before it. */
  after: number
}

export async function readAnswer(response: Response, operation: string, after: number): Promise<Answered> {
  const { headers } = response
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  const [, filename] = /filename="?([^";]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  const cut = new TextEncoder().encode('(cut off)')
  const whole = await response.arrayBuffer().catch(() => undefined)
  return {
    status: response.type === 'opaqueredirect' ? undefined : response.status,
    type: whole ? type.trim() : 'text/plain',
    bytes: whole ? new Uint8Array(whole) : cut,
    name: filename ?? `${operation}.${type.replace(/.*[/+.-]/, '').trim() || 'bin'}`,
    after,
  }
}

interface AnswerViewProps {
  answered: Answered
  /** The same answer in the journal, as soon as it is there. */
  exchange: Exchange | undefined
}

export function AnswerView({ answered, exchange }: AnswerViewProps): JSX.Element {
  const status = answered.status ?? exchange?.response.status ?? '3XX'
  const location = exchange?.response.headers.find(({ name }) => /^location$/i.test(name))?.value
  return (
    <section class="answer" aria-label="Answer">
      <h3>
        <Status status={status} />{' '}
        {exchange && (
          <a href={toHash('requests', exchange.id)}>
            Why? <span class="dim">{exchange.why.step}</span>
          </a>
        )}
      </h3>
      {exchange?.refused !== undefined && <p class="problem">{exchange.why.text}</p>}
      {location !== undefined && (
        <dl class="facts">
          <dt>Location</dt>
          <dd>
            <code>{location}</code>
          </dd>
        </dl>
      )}
      {answered.status === undefined ? (
        <TextBody text={exchange?.response.body ?? ''} />
      ) : (
        <Body key={answered.after} answered={answered} />
      )}
    </section>
  )
}

function Body({ answered }: { answered: Answered }): JSX.Element {
  const { type, bytes } = answered
  const isBroken = useSignal(false)
  if (bytes.length > 0 && type.startsWith('image/') && !isBroken.value)
    return <ImageBody answered={answered} onBroken={() => (isBroken.value = true)} />
  const text = bytes.length === 0 ? '' : toTextOf(type, bytes)
  return text === undefined ? <Download answered={answered} /> : <TextBody text={text} />
}

function TextBody({ text }: { text: string }): JSX.Element {
  return text === '' ? <p class="dim">No body</p> : <JsonView text={prettify(text)} label="Body of the answer" />
}

/** @returns undefined for bytes that are no text */
function toTextOf(type: string, bytes: Uint8Array): string | undefined {
  const isText = type === '' || /^text\/|json|xml|yaml|javascript|urlencoded|graphql/.test(type)
  if (!isText) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: type === '' }).decode(bytes)
  } catch {
    return undefined
  }
}

function ImageBody({ answered, onBroken }: { answered: Answered; onBroken: () => void }): JSX.Element {
  const source = useSignal('')
  useEffect(() => {
    const reader = new FileReader()
    reader.onload = () => {
      source.value = String(reader.result)
    }
    reader.readAsDataURL(new Blob([answered.bytes], { type: answered.type }))
  }, [answered])
  return (
    <figure>
      {source.value !== '' && <img src={source.value} alt="Body of the answer" onError={onBroken} />}
      <figcaption>
        <Download answered={answered} />
      </figcaption>
    </figure>
  )
}

function Download({ answered }: { answered: Answered }): JSX.Element {
  const { bytes, type, name } = answered
  const address = useSignal('')
  useEffect(() => {
    address.value = URL.createObjectURL(new Blob([bytes], { type }))
    return () => URL.revokeObjectURL(address.value)
  }, [answered])
  return (
    <p>
      {bytes.length.toLocaleString('en')} bytes of {type || 'an unknown type'}{' '}
      <a href={address.value} download={name}>
        Download
      </a>
    </p>
  )
}
