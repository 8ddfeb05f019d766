/** Reads recorded exchanges from an HTTP archive (HAR 1.2). */
import { isObject } from '../../json/own-value.js'
import type { ExchangedRequest, ExchangedResponse } from '../../state/journal.js'
import { parseJsonFile, unreadable } from '../json-file.js'

export interface Recorded {
  url: URL
  /** Milliseconds since 1970. */
  at: number
  request: Pick<ExchangedRequest, 'method' | 'headers' | 'body'>
  response: ExchangedResponse
  /** A body was sent, but not recorded. */
  isWithoutBody: boolean
  /** The body of the request, if it is not text. */
  bytes?: Uint8Array | undefined
  /** See `Exchange.source`. */
  source?: string | undefined
}

/**
 * The entries with a URL of HTTP, in order. Headers of HTTP/2 such as `:path` are left out.
 * @param file its name in errors
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function readHar(text: string, file: string): Recorded[] {
  const har = parseJsonFile(text, 'recording', file)
  const log = isObject(har) ? har['log'] : undefined
  const entries = isObject(log) ? log['entries'] : undefined
  if (!Array.isArray(entries))
    throw unreadable('recording', file, 'it is JSON, but not an HTTP archive: it has no log.entries')
  return entries.flatMap((entry: unknown, index) => toRecorded(entry, `${file}: entry ${index + 1}`) ?? [])
}

function toRecorded(entry: unknown, place: string): Recorded | undefined {
  const { request, response, startedDateTime } = isObject(entry) ? entry : {}
  if (!isObject(request) || !isObject(response))
    throw unreadable('recording', place, 'it has no request or no response')
  const { url, method, bodySize } = request
  if (typeof url !== 'string' || typeof method !== 'string')
    throw unreadable('recording', place, 'its request has no URL or method')
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const headers = headersOf(request['headers'])
  const posted = isObject(request['postData']) ? request['postData'] : undefined
  const body = posted && textOf(posted)
  const content = isObject(response['content']) ? textOf(response['content']) : undefined
  const { status } = response
  return {
    url: new URL(url),
    at: Date.parse(String(startedDateTime)) || 0,
    request: { method: method.toUpperCase(), headers, body },
    response: {
      status: typeof status === 'number' ? status : 0,
      headers: toHeaders(headersOf(response['headers'])),
      body: content,
    },
    isWithoutBody: body === undefined && mayHaveBody(method, headers, bodySize, posted !== undefined),
  }
}

/** Whether a body was sent that the recording does not have. Browsers write -1 for a size that they do not know. */
function mayHaveBody(method: string, headers: readonly string[], bodySize: unknown, isPosted: boolean): boolean {
  const length = headers.findIndex((name, index) => index % 2 === 0 && /^content-length$/i.test(name))
  if (isPosted || (length >= 0 && Number(headers[length + 1]) > 0)) return true
  return typeof bodySize === 'number' && (bodySize > 0 || (bodySize < 0 && /^(?:POST|PUT|PATCH)$/i.test(method)))
}

/** Names and values alternate. */
function headersOf(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((header: unknown) => {
    const { name, value } = isObject(header) ? header : {}
    return typeof name === 'string' && typeof value === 'string' && !name.startsWith(':') ? [name, value] : []
  })
}

/** With usual capitals, as the journal has them. Values of one name are joined (RFC 9110, section 5.3). */
export function toHeaders(list: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] ?? '').toLowerCase().replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
    const value = list[index + 1] ?? ''
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}

function textOf({ text, encoding }: { readonly [name: string]: unknown }): string | undefined {
  if (typeof text !== 'string') return undefined
  if (encoding !== 'base64') return text
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    // Like a body that was not recorded.
    return undefined
  }
}
