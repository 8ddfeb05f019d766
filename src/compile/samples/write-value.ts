/** Writes a value in the syntax of a media type other than JSON. */
import { stringify } from 'yaml'
import { isJson, isXml } from '../../contract/http/media-types.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { toJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'
import { writeXml } from '../../media/write-xml.js'
import { createXmlCompiler, rootName } from '../../schemas/compile-xml.js'

/** Whether bodies of a media type are text in a supported syntax. */
export function isTextual(mediaType: string): boolean {
  return isXml(mediaType) || mediaType.startsWith('text/') || mediaType in writers
}

/** @param mediaType without parameters, in lower case */
export function writeValue(
  document: OpenApiDocument,
  mediaType: string,
  schema: Located<Schema>,
  value: unknown,
): string {
  const isStructured = typeof value === 'object' && value !== null
  if (isStructured && isXml(mediaType)) {
    const { add, elements } = createXmlCompiler(document)
    return writeXml(value, elements, add(schema), rootName(schema))
  }
  if (isJson(mediaType)) return toJson(value)
  const write = writers[mediaType]
  // A text is written unchanged: it is an example of this media type, or the value itself.
  if (write && (isStructured || mediaType.includes('yaml'))) return write(value)
  return isStructured ? toJson(value) : String(value ?? '')
}

const lines = (value: unknown) => toRows(value).map((row) => `${toJson(row)}\n`)

const writers: Readonly<Record<string, (value: unknown) => string>> = {
  'text/csv': writeCsv,
  'text/tab-separated-values': (value) => writeCsv(value, '\t'),
  'application/csv': writeCsv,
  'application/yaml': writeYaml,
  'application/x-yaml': writeYaml,
  'text/yaml': writeYaml,
  'text/x-yaml': writeYaml,
  'application/x-ndjson': (value) => lines(value).join(''),
  'application/ndjson': (value) => lines(value).join(''),
  'application/jsonl': (value) => lines(value).join(''),
  'application/x-jsonlines': (value) => lines(value).join(''),
  'application/json-seq': (value) =>
    lines(value)
      .map((line) => `\x1e${line}`)
      .join(''),
  'text/event-stream': (value) =>
    lines(value)
      .map((line) => `data: ${line}\n`)
      .join(''),
  'application/x-www-form-urlencoded': writeForm,
  'text/html': (value) =>
    `<!doctype html>\n<title>Sample</title>\n<pre>${escapeHtml(toJson(value, undefined, 2))}</pre>\n`,
}

function writeYaml(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value)
}

function toRows(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Writes the property names as the first row (RFC 4180). */
function writeCsv(value: unknown, separator = ','): string {
  const rows = toRows(value)
  const names = [...new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])))]
  const table = names.length === 0 ? rows.map((row) => toRows(row)) : [names, ...rows.map(toCells)]
  return table.map((cells) => `${cells.map(toCell).join(separator)}\r\n`).join('')

  function toCells(row: unknown): unknown[] {
    return names.map((name) => (isObject(row) ? row[name] : undefined))
  }

  function toCell(cell: unknown): string {
    const text = typeof cell === 'object' && cell !== null ? toJson(cell) : String(cell ?? '')
    return /[",\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
}

function writeForm(value: unknown): string {
  const entries = isObject(value) ? Object.entries(value) : []
  const texts = entries.flatMap(([name, member]) =>
    toRows(member).map((item): [string, string] => [name, isObject(item) ? toJson(item) : String(item)]),
  )
  return new URLSearchParams(texts).toString()
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
