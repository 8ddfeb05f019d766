/** Splits a `multipart/form-data` body into its parts with unchanged bytes (RFC 7578; RFC 2046, section 5.1). */
import { DecodeError } from './codec.js'
import { toParameters } from './media-type-parameters.js'

export interface MultipartPart {
  /** Empty if it has none, as in `multipart/mixed` and `multipart/related`. */
  name: string
  bytes: Uint8Array
  /** The `Content-Type` of the part. */
  type?: string
  filename?: string
}

/** One character per byte, so that indexes in the text are indexes in the bytes. */
const byteText = /* @__PURE__ */ new TextDecoder('windows-1252')
const utf8 = /* @__PURE__ */ new TextDecoder()

/** @throws DecodeError if the body has another form */
export function parseMultipart(bytes: Uint8Array, boundary: string, needsNames = true): MultipartPart[] {
  const text = byteText.decode(bytes)
  const delimiter = `--${boundary}`
  const parts: MultipartPart[] = []
  let start = findDelimiter(text, delimiter, 0)
  if (start === undefined) throw new DecodeError(`The body has no line with its boundary ${JSON.stringify(delimiter)}`)
  for (;;) {
    const lineEnd = text.indexOf('\n', start)
    const rest = text.slice(start + delimiter.length, lineEnd === -1 ? undefined : lineEnd)
    if (rest.startsWith('--')) return parts
    const next = lineEnd === -1 ? undefined : findDelimiter(text, delimiter, lineEnd)
    if (next === undefined) throw new DecodeError(`The body ends before its closing boundary "${delimiter}--"`)
    // The line break before a boundary belongs to the boundary.
    const end = text[next - 2] === '\r' ? next - 2 : next - 1
    parts.push(toPart(bytes, text, { start: lineEnd + 1, end, number: parts.length + 1 }, needsNames))
    start = next
  }
}

/** The next line that begins with the delimiter, and has only spaces or two hyphens after it. */
function findDelimiter(text: string, delimiter: string, from: number): number | undefined {
  for (let at = text.indexOf(delimiter, from); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    if (at !== 0 && text[at - 1] !== '\n') continue
    const after = at + delimiter.length
    if (/^(--|[ \t]*(\r?\n|$))/.test(text.slice(after, after + 100))) return at
  }
  return undefined
}

interface Span {
  start: number
  end: number
  /** From 1, for messages. */
  number: number
}

function toPart(bytes: Uint8Array, text: string, { start, end, number }: Span, needsName: boolean): MultipartPart {
  // Without headers, the part begins with the empty line.
  const hasHeaders = !/^\r?\n/.test(text.slice(start, start + 2))
  const empty = /\r?\n\r?\n/g
  empty.lastIndex = start
  const found = hasHeaders ? empty.exec(text) : null
  const bodyStart = found ? found.index + found[0].length : end + 1
  if (!found || found.index > end) throw new DecodeError(`Part ${number} of the body has no headers`)
  const headers = toHeaders(utf8.decode(bytes.subarray(start, found.index)))
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = toParameters(disposition)
  const name = parameters.get('name') ?? (needsName ? undefined : '')
  if (name === undefined) throw new DecodeError(`Part ${number} of the body has no name in its Content-Disposition`)
  const part: MultipartPart = { name: fromBrowser(name), bytes: bytes.subarray(bodyStart, Math.max(bodyStart, end)) }
  const type = headers.get('content-type')
  if (type !== undefined) part.type = type
  const filename = fromExtended(parameters.get('filename*')) ?? parameters.get('filename')
  if (filename !== undefined) part.filename = fromBrowser(filename)
  return part
}

function toHeaders(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** Browsers percent-encode only these three characters (WHATWG HTML, "multipart/form-data"). */
function fromBrowser(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, decodeURIComponent)
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 8187), which some clients send although RFC 7578 forbids it. */
function fromExtended(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
