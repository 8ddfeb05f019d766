/** The request of a form: the sandbox writes its parameters, credentials and forms; its body is text, a file, or parts. */
import {
  call,
  encode,
  type Form,
  type Operation,
  type Pair,
  type ParameterValues,
  type Values,
  type WrittenRequest,
} from '../api.js'
import { idOf } from '../forms/form.js'
import { bareType, headerOf, toCurlLine } from '../requests/replay.js'
import { type EditedBody, textOfBody, valueOfForm } from './body-form.js'

/** A request with the body that was sent. */
export type SentRequest = Omit<WrittenRequest, 'body'> & { body: SentBody | undefined }

export type SentBody = { text: string } | { file: File } | { parts: Part[] }

/** A text with a type, or a chosen file. */
export type Part = { name: string; text: string; type?: string; filename?: string } | { name: string; file: File }

export interface RequestParts {
  operation: Operation
  key: string
  environment: string
  parameters: ParameterValues
  body: EditedBody | undefined
  /** A header with the idempotency key. */
  once: Pair | undefined
}

/** @throws Error for a missing path parameter */
export function toParameters({ parameters, example }: Form, edited: Values): ParameterValues {
  const values: ParameterValues = {}
  for (const { in: place, name } of parameters) {
    const id = idOf({ in: place, name })
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
  const text = kind === 'form' || kind === 'bytes' ? (written.body ?? '') : textOfBody(body)
  return { ...written, body: { text } }
}

const isContentType = ({ name }: Pair): boolean => /^content-type$/i.test(name)

/** Uses the type of the file if the document has a range, such as `image/*`. */
function withTypeOf(file: File, { mediaType }: EditedBody, headers: Pair[]): Pair[] {
  const [start = ''] = bareType(mediaType).split('*')
  if (!mediaType.includes('*') || file.type === '' || !file.type.startsWith(start)) return headers
  return headers.map((each) => (isContentType(each) ? { ...each, value: file.type } : each))
}

/** Splits the multipart body that the sandbox wrote. @param contentType the content type with the boundary */
function readParts(body: string, contentType: string): Part[] {
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(contentType) ?? []
  const written = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  return written.map((part) => {
    const end = part.indexOf('\r\n\r\n')
    const head = part.slice(0, end)
    const find = (pattern: RegExp) => pattern.exec(head)?.[1]
    const name = decodeName(find(/ name="([^"]*)"/) ?? '')
    const type = find(/Content-Type: (.*)/)
    const text = part.slice(end + 4)
    const typed = {
      name,
      text,
      ...(type !== undefined && { type: type.replace('application/octet-stream', 'text/plain') }),
    }
    return / filename="/.test(head) ? { ...typed, filename: 'sample.txt' } : typed
  })
}

/** The sandbox encodes only these characters (WHATWG HTML, "multipart/form-data"). */
function decodeName(name: string): string {
  return name.replace(/%(22|0D|0A)/g, decodeURIComponent)
}

/** Replaces samples by the chosen files. */
export function withFiles(parts: Part[], files: Record<string, File[]>): Part[] {
  return parts.flatMap((part, index) => {
    const { [part.name]: chosen = [] } = files
    if (chosen.length === 0) return [part]
    const isFirst = parts.findIndex(({ name }) => name === part.name) === index
    return isFirst ? chosen.map((file) => ({ name: part.name, file })) : []
  })
}

export function toFetchBody(body: SentBody): BodyInit {
  if ('text' in body) return body.text
  if ('file' in body) return body.file
  const form = new FormData()
  for (const part of body.parts) {
    const { name } = part
    if ('file' in part) form.append(name, part.file)
    else if (part.filename !== undefined) form.append(name, toBlob(part), part.filename)
    else form.append(name, part.type === undefined ? part.text : toBlob(part))
  }
  return form
}

function toBlob({ text, type = 'text/plain' }: { text: string; type?: string }): Blob {
  return new Blob([text], { type })
}

export function toCurlOf({ body, ...request }: SentRequest): string {
  if (!body || 'text' in body) return toCurlLine({ ...request, body: body?.text })
  if ('file' in body) return toCurlLine({ ...request, body: { file: body.file.name } })
  const parts = body.parts.map((part) => {
    if (!('file' in part)) return part
    const { name, type } = part.file
    return { name: part.name, file: name, type: type === '' ? undefined : type }
  })
  return toCurlLine({ ...request, body: { parts } })
}
