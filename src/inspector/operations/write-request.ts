/** Converts the input of a form to a request. The sandbox writes parameters, credentials and forms. */
import { call, encode } from '../api.js'
import type { Form, Operation, Pair, ParameterValues, WrittenRequest } from '../api-types.js'
import { writeExact } from '../json-text.js'
import { headerOf } from '../requests/replay.js'
import { schemaAt } from '../schema.js'
import { bareType } from './body-kind.js'
import { type EditedBody, isShownAsText, readField, textOfBody, valueOfFields, valueOfForm } from './body-value.js'
import type { Texts } from './drafts.js'
import { readParts, type SentBody, type SentRequest, withFiles } from './sent-body.js'

export interface RequestParts {
  operation: Operation
  key: string
  environment: string
  parameters: ParameterValues
  body: EditedBody | undefined
}

/** The id of a parameter in a form. */
export function idOf(place: string, name: string): string {
  return `${place} ${name}`
}

/** @throws Error for a missing path parameter, and for text that is not JSON */
export function toParameters({ parameters, example }: Form, texts: Texts): ParameterValues {
  const values: ParameterValues = {}
  for (const { in: place, name, schema } of parameters) {
    const id = idOf(place, name)
    const { [id]: text } = texts
    const typed = text === undefined ? undefined : readField(place, name, text, schemaAt(schema))
    const value = id in texts ? typed : example.parameters?.[place]?.[name]
    if (value === undefined && place === 'path') throw new Error(`${name} is part of the path, and cannot be left out`)
    values[place] = { ...values[place], ...(value !== undefined && { [name]: value }) }
  }
  return values
}

export async function writeRequest(parts: RequestParts): Promise<SentRequest> {
  const { operation, key, environment, parameters, body } = parts
  const chosen = operation.environments.includes(environment) ? { environment } : {}
  const value = body && valueToWrite(body)
  const sent = { key, ...chosen, parameters, ...(body && { body: value, mediaType: body.mediaType }) }
  const written = await call<WrittenRequest>('POST', `/operations/${encode(operation.id)}/request`, sent)
  return body ? withBody(body, written) : { ...written, body: undefined }
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
  return { text: isShownAsText(body) ? textOfBody(body) : writeExact(valueOfFields(body), 2) }
}

const isContentType = ({ name }: Pair): boolean => /^content-type$/i.test(name)

/** Uses the type of the file if the document has a range, such as `image/*`. */
function withTypeOf(file: File, { mediaType }: EditedBody, headers: Pair[]): Pair[] {
  const [start = ''] = bareType(mediaType).split('*')
  if (!mediaType.includes('*') || file.type === '' || !file.type.startsWith(start)) return headers
  return headers.map((each) => (isContentType(each) ? { ...each, value: file.type } : each))
}
