/** Converts the input of a form to a request. The sandbox writes parameters, credentials and forms. */
import { call, encode } from '../api.js'
import type { Form, Operation, Pair, ParameterValues, Values, WrittenRequest } from '../api-types.js'
import { headerOf } from '../requests/replay.js'
import { bareType } from './body-kind.js'
import { type EditedBody, textOfBody, valueOfForm } from './body-value.js'
import { readParts, type SentBody, type SentRequest, withFiles } from './sent-body.js'

export interface RequestParts {
  operation: Operation
  key: string
  environment: string
  parameters: ParameterValues
  body: EditedBody | undefined
  /** A header with the idempotency key. */
  once: Pair | undefined
}

/** The id of a parameter in a form. */
export function idOf(place: string, name: string): string {
  return `${place} ${name}`
}

/** @throws Error for a missing path parameter */
export function toParameters({ parameters, example }: Form, edited: Values): ParameterValues {
  const values: ParameterValues = {}
  for (const { in: place, name } of parameters) {
    const id = idOf(place, name)
    const value = id in edited ? edited[id] : example.parameters?.[place]?.[name]
    if (value === undefined && place === 'path') throw new Error(`${name} is part of the path, and cannot be left out`)
    values[place] = { ...values[place], ...(value !== undefined && { [name]: value }) }
  }
  return values
}

export async function writeRequest(parts: RequestParts): Promise<SentRequest> {
  const { operation, key, environment, parameters, body, once } = parts
  const chosen = operation.environments.includes(environment) ? { environment } : {}
  const value = body && valueToWrite(body)
  const sent = { key, ...chosen, parameters, ...(body && { body: value, mediaType: body.mediaType }) }
  const written = await call<WrittenRequest>('POST', `/operations/${encode(operation.id)}/request`, sent)
  const { headers } = written
  const hasOnce = !once || headerOf(headers, once.name.toLowerCase()) !== undefined
  const whole = hasOnce ? written : { ...written, headers: [...headers, once] }
  return body ? withBody(body, whole) : { ...whole, body: undefined }
}

/** The value that the sandbox writes. For other bodies it writes only the headers. */
function valueToWrite(body: EditedBody): unknown {
  const { kind, example } = body
  if (kind === 'form' || kind === 'multipart') return valueOfForm(body)
  return kind === 'bytes' && example !== undefined ? example : ''
}

function withBody(body: EditedBody, written: WrittenRequest): SentRequest {
  const { kind, draft } = body
  const { headers } = written
  const [file] = draft.files.value[''] ?? []
  if (kind === 'bytes' && file) return { ...written, headers: withTypeOf(file, body, headers), body: { file } }
  const contentType = headerOf(headers, 'content-type') ?? ''
  if (kind === 'multipart') {
    const parts = withFiles(readParts(written.body ?? '', contentType), draft.files.value)
    // The browser or curl writes the header with the boundary.
    return { ...written, headers: headers.filter((each) => !isContentType(each)), body: { parts } }
  }
  return { ...written, body: toTextBody(body, written) }
}

function toTextBody(body: EditedBody, written: WrittenRequest): SentBody {
  if (body.kind === 'form' || body.kind === 'bytes') return { text: written.body ?? '' }
  return { text: textOfBody(body) }
}

const isContentType = ({ name }: Pair): boolean => /^content-type$/i.test(name)

/** Uses the type of the file if the document has a range, such as `image/*`. */
function withTypeOf(file: File, { mediaType }: EditedBody, headers: Pair[]): Pair[] {
  const [start = ''] = bareType(mediaType).split('*')
  if (!mediaType.includes('*') || file.type === '' || !file.type.startsWith(start)) return headers
  return headers.map((each) => (isContentType(each) ? { ...each, value: file.type } : each))
}
