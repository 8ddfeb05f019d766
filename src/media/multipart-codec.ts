/** The codec for `multipart/form-data` (RFC 7578): texts, JSON and files. */
import { findContent } from '../contract/body-content.js'
import type { TextType } from '../contract/request-model.js'
import { isObject, ownValue } from '../json/own-value.js'
import { type BodySource, DecodeError, type RecordCodec } from './codec.js'
import { parseJsonOf } from './decode-json.js'
import { type FilePart, type Pair, propertyType } from './fields.js'
import { replaceProperties } from './json-codec.js'
import { toParameters } from './media-type-parameters.js'
import { type MultipartPart, parseMultipart } from './parse-multipart.js'
import { readForm } from './read-form.js'

export const multipartCodec: RecordCodec = {
  name: 'multipart',
  readsBytes: true,
  decode(_, source) {
    const boundary = toParameters(source.contentType ?? '').get('boundary')
    if (!boundary) throw new DecodeError('The Content-Type multipart/form-data must have a boundary')
    const isForm = /^multipart\/form-data/i.test(source.contentType ?? '')
    const parts = parseMultipart(source.bytes, boundary, isForm)
    return readForm(
      parts.flatMap((part) => (part.name === '' && !isForm ? toPairs(part) : toPair(part, source))),
      source,
    )
  },
  patch: replaceProperties,
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function toPair(part: MultipartPart, source: BodySource): Pair {
  const { name } = part
  checkType(part, source)
  const { types, isBinary } = typeOf(name, source)
  const mayBeText = types.length === 0 || types.includes('string')
  if (isBinary && mayBeText) return { name, value: toFile(part) }
  const text = partText(part)
  const isJson = /^application\/([^;]+\+)?json *(;|$)/i.test(part.type ?? '')
  if (isJson && text !== undefined)
    return { name, value: { json: parseJsonOf(`The field ${quote(name)}`, text).exact } }
  const isFile = part.filename !== undefined || (part.type !== undefined && !/^text\//i.test(part.type))
  if (text === undefined && !mayBeText) throw new DecodeError(`The field ${quote(name)} is not valid UTF-8`)
  return { name, value: text === undefined || (isFile && mayBeText) ? toFile(part) : text }
}

/** The document may list the types of a part (OpenAPI 3.0.3, section 4.7.15). A part without a type is text of any of them. */
function checkType({ name, type }: MultipartPart, { content }: BodySource): void {
  const listed = ownValue(content.partTypes ?? {}, name.replace(/\[\d*\]$/, ''))
  if (type === undefined || !listed || findContent({ content: listed }, type)) return
  const allowed = listed.map(({ mediaType }) => mediaType).join(' or ')
  const message = `The Content-Type of the field ${quote(name)} must be ${allowed} (got ${quote(type)})`
  throw Object.assign(new DecodeError(message), { reason: 'unsupported_media_type' as const })
}

/** A part without a name is the record as JSON, or its file. */
function toPairs(part: MultipartPart): Pair[] {
  const text = /^application\/([^;]+\+)?json *(;|$)/i.test(part.type ?? '') ? partText(part) : undefined
  const value = text === undefined ? undefined : parseJsonOf('The first part', text).exact
  if (!isObject(value)) return [{ name: '', value: toFile(part) }]
  return Object.entries(value).map(([name, json]) => ({ name, value: { json } }))
}

/** The type of a field, or of its items if it is a list. */
function typeOf(name: string, { content, contract: { textTypes } }: BodySource): TextType {
  const number = propertyType(textTypes[content.textType ?? -1], name.replace(/\[\d*\]$/, ''))
  const own = textTypes[propertyType(textTypes[content.textType ?? -1], name) ?? number ?? -1] ?? { types: [] }
  return own.types.includes('array') && own.items !== undefined ? (textTypes[own.items] ?? own) : own
}

function toFile({ bytes, type = 'application/octet-stream', filename }: MultipartPart): FilePart {
  return filename === undefined ? { bytes, type } : { bytes, type, name: filename }
}

function partText({ bytes }: MultipartPart): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
