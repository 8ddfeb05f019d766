/** Finds which documented content of a response an answer is compared with (RFC 9110, section 8.3.1). */
import type { Operation } from '../../../contract/contract.js'
import { bareMediaType, isJson } from '../../../contract/http/media-types.js'
import type { Located, MediaTypeObject, OpenApiDocument, ResponseObject, Schema } from '../../../document/document.js'
import { describeOperations } from '../../../schemas/operations/describe-operations.js'

/** The response that an operation documents under a status, a range such as `4XX`, or `default`. */
export type DocumentedResponses = (operation: Operation, status: string) => Located<ResponseObject> | undefined

export function createDocumentedResponses(document: OpenApiDocument): DocumentedResponses {
  const operations = new Map(describeOperations(document).map(({ id, responses }) => [id, [...responses]]))
  return ({ id }, status) =>
    operations.get(id)?.find(([documented]) => documented.toUpperCase() === status.toUpperCase())?.[1]
}

/** One documented media type of a response. */
export interface DocumentedContent {
  /** The documented name. */
  name: string
  schema: Located<Schema> | undefined
}

/** The content for a `Content-Type`: the most specific one, and of these the one with the most equal parameters. */
export function contentFor(response: Located<ResponseObject>, type: string | undefined): DocumentedContent | undefined {
  if (type === undefined) return undefined
  const answered = parseMediaType(type)
  const fitting = Object.entries(response.value.content ?? {}).flatMap(([name, media]) => {
    const fit = fitOf(parseMediaType(name), answered)
    return fit === undefined ? [] : [{ name, media, fit }]
  })
  const [best] = fitting.toSorted((one, other) => other.fit - one.fit)
  return best && toContent(response, best.name, best.media)
}

function toContent({ path }: Located<ResponseObject>, name: string, { schema }: MediaTypeObject): DocumentedContent {
  return {
    name,
    schema: schema === undefined ? undefined : { value: schema, path: [...path, 'content', name, 'schema'] },
  }
}

/** Whether a body of this media type is read as JSON. False without a media type. */
export function isJsonText(mediaType: string): boolean {
  return mediaType.trim() !== '' && (isJson(mediaType) || bareMediaType(mediaType) === 'text/json')
}

interface MediaType {
  /** In lower case, without parameters. */
  bare: string
  parameters: Map<string, string>
}

const parameter = /;\s*([^\s;="]+)=("(?:[^"\\]|\\.)*"|[^\s;"]*)/g

function parseMediaType(text: string): MediaType {
  const parameters = [...text.matchAll(parameter)].map(([, name = '', value = '']): [string, string] => {
    const plain = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
    const isCharset = name.toLowerCase() === 'charset'
    return [name.toLowerCase(), isCharset ? plain.toLowerCase() : plain]
  })
  return { bare: text.trim() === '' ? '' : bareMediaType(text), parameters: new Map(parameters) }
}

/** How well an answered media type matches a documented one; undefined if it does not. Prism treats all JSON types as equal. */
function fitOf(documented: MediaType, answered: MediaType): number | undefined {
  const [type] = answered.bare.split('/')
  const isOtherJson = /\+json$|^application\/json$/.test(documented.bare) && isJsonText(answered.bare)
  const found = ['*/*', `${type}/*`, '', answered.bare].lastIndexOf(documented.bare)
  const specificity = found < 0 && isOtherJson ? 2 : found
  if (specificity < 0) return undefined
  const all = [...documented.parameters]
  const same = all.filter(([name, value]) => answered.parameters.get(name) === value)
  // A missing charset may be the documented one. JSON has no parameters (RFC 8259, section 11).
  const isOptional = (name: string) => name === 'charset' && !answered.parameters.has(name)
  const differ = all.filter((each) => !same.includes(each) && !isOptional(each[0]))
  if (differ.length > 0 && !isJsonText(answered.bare)) return undefined
  return specificity * 1_000_000 + same.length * 1000 - differ.length
}
