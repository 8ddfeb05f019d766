/** Reads the body of a request. Checks in this order: content type, size, UTF-8, codec, schema. */
import { findContent } from '../../contract/body-content.js'
import type { RequestContract } from '../../contract/contract.js'
import type { BodyContent, RequestBody } from '../../contract/request-model.js'
import { judge, type Violation } from '../../contract/violations.js'
import { holdsInfinity } from '../../json/exact-json.js'
import { pruneByShape } from '../../json/prune-by-shape.js'
import { type Codec, type Codecs, DecodeError, type RecordCodec } from '../../media/codec.js'
import type { FilePart } from '../../media/fields.js'
import type { Later } from '../../state/commits/store.js'
import { Refusal } from '../outcome.js'
import type { SandboxRequest } from './request.js'

export interface ReadBody {
  /** The body as it was received, for the journal. Absent if empty, or not UTF-8. */
  text?: string | undefined
  /** The value to store: known properties, with every digit. */
  value?: unknown
  /** The codec that decoded the body. Absent if the body is empty or not a record. */
  codec?: RecordCodec | undefined
  /** The file that was sent. */
  file?: FilePart | undefined
  violations: Violation[]
  /** A sentence for each unknown property that was dropped. */
  notes: string[]
}

export const noBody: ReadBody = { violations: [], notes: [] }

/** Reads the body and passes on the result. Synchronous if the body is refused without being read. */
export type BodyReader = <Result>(
  body: RequestBody,
  request: SandboxRequest,
  handOn: (read: ReadBody | Refusal) => Result,
) => Later<Result>

export interface BodyReaderOptions {
  contract: RequestContract
  codecs: Codecs
  /** The maximum size of a body in bytes. */
  maxBytes: number
}

export const noteDropped = (path: string): string => `unknown property "${path}" was dropped`

/** Why a body cannot be read. */
export const bodyEnded = 'The body ended before it was complete'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function createBodyReader({ contract, codecs, maxBytes }: BodyReaderOptions): BodyReader {
  const { validators, shapes } = contract

  return function readBody(body, request, handOn) {
    const contentType = request.header('content-type')
    const content = chooseContent(body, contentType, request)
    if (content instanceof Refusal && contentType !== undefined) return handOn(content)
    return request.body(maxBytes).then(
      (bytes) => handOn(readBytes(body, contentType, content, bytes)),
      // An aborted request, for example by leaving a page, is not the fault of the client.
      (error) => handOn(error instanceof Refusal ? error : new Refusal('incomplete_body', bodyEnded)),
    )
  }

  function readBytes(
    { required, content: [first] }: RequestBody,
    contentType: string | undefined,
    content: BodyContent | Refusal,
    bytes: Uint8Array | undefined,
  ): ReadBody | Refusal {
    if (!bytes) return new Refusal('payload_too_large', `The body must have at most ${maxBytes} bytes`)
    const isSent = required || contentType !== undefined
    const isRead = bytes.length > 0 || (isSent && 'codec' in content && codecs[content.codec]?.readsEmpty)
    if (isRead) return content instanceof Refusal ? content : decode(content, contentType, bytes)
    const kind = first && /json|merge/.test(first.codec) ? 'JSON body' : 'body'
    return required ? new Refusal('invalid_request', `A ${kind} is required (got none)`) : noBody
  }

  function decode(content: BodyContent, contentType: string | undefined, bytes: Uint8Array): ReadBody | Refusal {
    const { codec: name, validate, shape } = content
    const text = decodeUtf8(bytes)
    // `codecs` has every codec of the contract.
    const codec = codecs[name] as Codec
    if (text === undefined && !codec.readsBytes) return new Refusal('invalid_request', 'The body is not valid UTF-8')
    try {
      const {
        exact: value,
        rounded,
        quoted,
        file,
      } = codec.decode(text ?? '', { bytes, contentType, content, contract })
      let violations = judge(validators[validate], rounded, value, false)
      // Validates again with the numbers as they were sent, so that messages quote them.
      if (violations.length > 0 && quoted) violations = judge(validators[validate], rounded, quoted(), false)
      const ofRecord = codec.patch ? (codec as RecordCodec) : undefined
      if (violations.length > 0) return { text, codec: ofRecord, violations, notes: [] }
      const notes: string[] = []
      pruneByShape(value, shapes, shape, (path) => notes.push(noteDropped(path)))
      // Validators only check numbers that the document describes.
      if (!holdsInfinity(value)) return { text, value, codec: ofRecord, file, violations, notes }
      return new Refusal('invalid_request', 'The body has a number that no double can hold', { text })
    } catch (error) {
      if (error instanceof DecodeError) return new Refusal(error.reason ?? 'invalid_request', error.message, { text })
      throw error
    }
  }
}

/** Finds the content for the `Content-Type` of the request. */
function chooseContent(
  body: RequestBody,
  contentType: string | undefined,
  request: SandboxRequest,
): BodyContent | Refusal {
  const found = findContent(body, contentType ?? '')
  if (!found) {
    const got = contentType === undefined ? 'none' : JSON.stringify(contentType.slice(0, 100))
    const allowed = body.content.map((each) => each.mediaType).join(' or ')
    return new Refusal('unsupported_media_type', `Content-Type must be ${allowed} (got ${got})`)
  }
  const encoding = request.header('content-encoding')
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return found
  const message = `Content-Encoding "${encoding}" is not supported; send the body unencoded`
  return new Refusal('unsupported_media_type', message)
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
