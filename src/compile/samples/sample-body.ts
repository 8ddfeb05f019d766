/** Makes the body of an answer that is not JSON: a file of its media type, or a value in its syntax. */

import type { NamedExample } from '../../contract/documented-response.js'
import { bareMediaType, isJson, isRange, isXml } from '../../contract/http/media-types.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type ResponseObject,
  schemaOf,
} from '../../document/document.js'
import { withLazy } from '../../document/once.js'
import { decodeBytes, encodeBytes } from '../../json/base64.js'
import { toJson } from '../../json/exact-json.js'
import { exampleOf, parseExample } from '../../schemas/examples.js'
import { exampleValue, flattenSchema } from '../../schemas/flatten-schema.js'
import { isData, otherContent } from '../../schemas/operations/find-success.js'
import { isStreamOf, sampleStream } from '../operations/compile-streams.js'
import { sampleMediaType } from './sample.js'
import { looksLike, sampleFile } from './sample-file.js'
import { isTextual, writeValue } from './write-value.js'

export interface SampledBody {
  /** The media type that is sent, never a range. */
  mediaType: string
  /** Text, or absent for bytes. */
  text?: string
  /** Bytes in Base64. */
  base64?: string
}

/**
 * Makes a body of the most specific documented media type, or the first of equals.
 * @param content content without JSON
 */
export function sampleBody(
  document: OpenApiDocument,
  content: Record<string, MediaTypeObject> | undefined,
  at: Located<unknown>['path'],
): SampledBody | undefined {
  const found = otherContent(document, content, at)
  return found && make(document, found.mediaType, found.media)
}

function make(document: OpenApiDocument, mediaType: string, media: Located<MediaTypeObject>): SampledBody {
  const schema = schemaOf(media)
  const flat = flattenSchema(document, schema)
  const bare = bareMediaType(mediaType)
  if (isStreamOf(document, bare, media))
    return withLazy({ mediaType }, 'text', () => sampleStream({ document, media, mediaType }))
  const example = exampleOf(document, media)
  const file = sampleFile(bare)
  if (!isTextual(bare) && (file || !isData(flat)))
    return { mediaType, base64: encodeBytes(toFile(bare, file, example)) }
  const value = example ?? (isData(flat) ? sampleMediaType(document, media) : undefined)
  const isOwn = typeof value === 'object' || example !== undefined || exampleValue(flat.keywords) !== undefined
  // The schema of HTML or CSV is often only that of a text.
  const standard = isOwn ? undefined : sampleText(bare)
  return { mediaType, text: standard ?? (value === undefined ? 'sample\n' : writeValue(document, bare, schema, value)) }
}

/** Decodes an example of a file: Base64 or text. If the result does not have the media type, uses a sample file. */
function toFile(mediaType: string, file: Uint8Array | undefined, example: unknown): Uint8Array {
  const isOpen = file === undefined || mediaType === 'application/octet-stream'
  if (typeof example === 'string') {
    const bytes = decodeBytes(example)
    if (bytes && bytes.length > 3 && !isOpen && looksLike(bytes, mediaType)) return bytes
    if (isOpen) return new TextEncoder().encode(example)
  }
  return file ?? sampleFile('application/octet-stream') ?? new Uint8Array()
}

/** A valid text of a media type; undefined if any text is one. */
function sampleText(mediaType: string): string | undefined {
  if (mediaType === 'image/svg+xml') return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n'
  if (mediaType === 'application/xhtml+xml' || mediaType === 'text/html') {
    return '<!doctype html>\n<html lang="en"><head><title>Sample</title></head><body><p>sample</p></body></html>\n'
  }
  if (isXml(mediaType)) return '<?xml version="1.0" encoding="UTF-8"?>\n<root/>\n'
  return texts[mediaType]
}

const texts: Readonly<Record<string, string>> = {
  'text/csv': 'name\r\nsample\r\n',
  'text/css': '/* sample */\n',
  'text/javascript': '// sample\n',
  'application/x-ndjson': '{}\n',
  'text/event-stream': 'data: sample\n\n',
  'text/calendar':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//sample//EN\r\nBEGIN:VEVENT\r\nUID:sample\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  'text/vcard': 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Sample\r\nEND:VCARD\r\n',
}

/** The JSON text of an example. An example that is a string is parsed, unless the schema allows a string. */
export function toJsonExample(document: OpenApiDocument, media: Located<MediaTypeObject>): string {
  const value = sampleMediaType(document, media)
  return toJson((typeof value === 'string' ? parseExample(document, media, value) : undefined) ?? value) ?? 'null'
}

/** The examples of a response that have names, of each media type. */
export function sampleNamed(document: OpenApiDocument, { value, path }: Located<ResponseObject>): NamedExample[] {
  return Object.entries(value.content ?? {}).flatMap(([type, { example: _, ...media }]) =>
    Object.entries(media.examples ?? {}).flatMap(([name, example]) => {
      const one = { ...media, examples: { [name]: example } }
      const located = { value: one, path: [...path, 'content', type] }
      if (exampleOf(document, located) === undefined) return []
      const text = isJson(type) && toJsonExample(document, located)
      const mediaType = isRange(type) ? 'application/json' : type.trim()
      const sampled = text ? { mediaType, text } : sampleBody(document, { [type]: one }, path)
      return sampled ? [{ name, ...sampled }] : []
    }),
  )
}
