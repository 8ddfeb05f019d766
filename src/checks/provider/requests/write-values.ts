/** Writes the values of parameters in their styles (OpenAPI 3.2, section 4.12.2.3; RFC 6570), and bodies by their media types. */
import type { RequestContract } from '../../../contract/contract.js'
import { separators } from '../../../contract/item-types.js'
import type { BodyContent, Parameter, TextType, ValueStyle } from '../../../contract/request-model.js'
import { isObject, ownValue } from '../../../json/own-value.js'
import { writeByShape } from '../../../json/write-by-shape.js'

/** A name and a text as they are sent: percent-encoded where the place requires that. */
export type WrittenPair = readonly [name: string, text: string]

/** The pairs of a query, a form or a cookie, and the texts of a header or of a path parameter. */
export function writeParameter(parameter: Parameter, value: unknown): WrittenPair[] {
  const { name, in: place, style } = parameter
  const encode = place === 'header' || style?.name === 'cookie' ? (text: string) => text : encodeText
  if (style) return writeValue(name, style, value, encode)
  return [[encode(name), encode(parameterText(value))]]
}

/** @param encode percent-encodes names and values, but not separators */
export function writeValue(
  name: string,
  style: ValueStyle,
  value: unknown,
  encode: (text: string) => string = encodeText,
): WrittenPair[] {
  const own = encode(name)
  const write = (leaf: unknown) => encode(parameterText(leaf))
  switch (style.name) {
    case 'json':
      return [[own, encode(writeByShape(value, [], 0))]]
    case 'query-json':
      return [['', encode(writeByShape(value, [], 0))]]
    case 'urlencoded':
      return [[own, encode(joinPairs(entriesOf(value).flatMap(([key, inner]) => writeBrackets(encode(key), inner))))]]
    case 'query-form':
      return entriesOf(value).flatMap(([key, inner]) => writeBrackets(encode(key), inner))
    case 'deepObject':
      return writeBrackets(own, value)
    case 'label':
      return [[own, `.${writeItems(value, style.explode ? '.' : ',', style.explode, write)}`]]
    case 'matrix':
      return [[own, writeMatrix(own, value, style.explode, write)]]
    case 'simple':
      return [[own, writeItems(value, ',', style.explode, write)]]
  }
  if (!style.explode) {
    const other = separators[style.name]
    const separator = other === undefined ? ',' : encode(other)
    return [[own, writeItems(value, separator, false, write)]]
  }
  if (Array.isArray(value)) return value.map((item): WrittenPair => [own, write(item)])
  if (!isObject(value)) return [[own, write(value)]]
  return entriesOf(value).flatMap(([key, inner]) =>
    Array.isArray(inner) ? inner.map((item): WrittenPair => [write(key), write(item)]) : [[write(key), write(inner)]],
  )
}

export function joinPairs(pairs: readonly WrittenPair[]): string {
  return pairs.map(([name, text]) => (name === '' ? text : `${name}=${text}`)).join('&')
}

function writeMatrix(name: string, value: unknown, explode: boolean, write: (leaf: unknown) => string): string {
  const toPart = (part: string, leaf: unknown) => `;${part}${write(leaf) === '' ? '' : `=${write(leaf)}`}`
  if (Array.isArray(value) && explode) return value.map((item) => toPart(name, item)).join('')
  if (isObject(value) && explode)
    return Object.entries(value)
      .map(([key, inner]) => toPart(write(key), inner))
      .join('')
  const text = writeItems(value, ',', false, write)
  return `;${name}${text === '' ? '' : `=${text}`}`
}

function writeItems(value: unknown, separator: string, explode: boolean, write: (leaf: unknown) => string): string {
  if (Array.isArray(value)) return value.map(write).join(separator)
  if (!isObject(value)) return write(value)
  const parts = entriesOf(value).map(([key, inner]) => [write(key), write(inner)])
  return parts.map((part) => part.join(explode ? '=' : separator)).join(separator)
}

/** `a[b][0]=1`, as most services read nested values. @param name percent-encoded */
export function writeBrackets(name: string, value: unknown): WrittenPair[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => writeBrackets(`${name}[${index}]`, item))
  if (!isObject(value)) return [[name, encodeText(parameterText(value))]]
  return entriesOf(value).flatMap(([key, inner]) => writeBrackets(`${name}[${encodeText(key)}]`, inner))
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function parameterText(value: unknown): string {
  return typeof value === 'object' && value !== null ? writeByShape(value, [], 0) : String(value)
}

/** Percent-encodes a text. A lone surrogate becomes U+FFFD, as in browsers: a URL cannot contain it. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** A boundary that no generated value contains. */
const boundary = 'petstore-sandbox-7d1f0c9b5a'

/** The media type to send if a range is documented. */
export function sentTypeOf({ mediaType, codec }: Pick<BodyContent, 'mediaType' | 'codec'>): string {
  if (!mediaType.includes('*')) return mediaType
  if (codec === 'json') return 'application/json'
  const [type = ''] = mediaType.split('/')
  return (
    { text: 'text/plain', image: 'image/png', multipart: 'multipart/form-data' }[type] ?? 'application/octet-stream'
  )
}

/** The `Content-Type` parameters for the result of `writeBody`. */
export function typeParametersOf({ codec }: BodyContent): string {
  return codec === 'multipart' ? `; boundary=${boundary}` : ''
}

export function writeBody(value: unknown, content: BodyContent | undefined, { textTypes }: RequestContract): string {
  const type = textTypes[content?.textType ?? -1]
  switch (content?.codec) {
    case 'form':
      return joinPairs(fieldsOf(value).flatMap(([name, field]) => writeField(name, field, content)))
    case 'multipart':
      return `${fieldsOf(value)
        .flatMap(([name, field]) => writeParts(name, field, content, type, textTypes))
        .join('')}--${boundary}--\r\n`
    case 'text':
      return fieldText(value)
    case 'binary':
      return typeof value === 'string' && value !== '' ? value : 'sample'
    default:
      return writeByShape(value, [], 0)
  }
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function writeField(name: string, value: unknown, { styles }: BodyContent): WrittenPair[] {
  const style = styles?.[name]
  if (style) return writeValue(name, style, value)
  const own = encodeURIComponent(name.toWellFormed())
  // A list of plain values is written as one pair for each value.
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return isPlain ? value.flatMap((item) => writeBrackets(own, item)) : writeBrackets(own, value)
}

/** A part for a field, or one for each item of a list. Objects are JSON (OpenAPI 3.1, section 4.8.14.3). */
function writeParts(
  name: string,
  value: unknown,
  { styles, partTypes }: BodyContent,
  type: TextType | undefined,
  textTypes: readonly TextType[],
): string[] {
  const number = type?.properties?.find(([each]) => each === name)?.[1] ?? type?.others
  const own = textTypes[number ?? -1]
  const isList = Array.isArray(value) && styles?.[name]?.name !== 'json'
  const items = isList ? value : [value]
  const isFile = own?.isBinary || (isList && textTypes[own?.items ?? -1]?.isBinary)
  const quoted = name.toWellFormed().replace(/[\r\n"]/g, encodeURIComponent)
  return items.map((item) => {
    const headers = [`Content-Disposition: form-data; name="${quoted}"${isFile ? '; filename="sample"' : ''}`]
    const [listed] = ownValue(partTypes ?? {}, name) ?? []
    const standard = isFile ? 'application/octet-stream' : 'application/json'
    const own = listed ? sentTypeOf({ ...listed, codec: 'binary' }) : standard
    if (isFile || (typeof item === 'object' && item !== null)) headers.push(`Content-Type: ${own}`)
    return `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${fieldText(item)}\r\n`
  })
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : writeByShape(value, [], 0)
}
