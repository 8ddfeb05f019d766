/** Writes exchanges as an HTTP archive (HAR 1.2). */
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import { toPairs } from '../contract/http/header-pairs.js'
import { headerOf } from '../sandbox/webhooks/evaluate.js'
import type { Exchange } from '../state/journal.js'
import { mapInSlices } from './slices.js'

export interface HarOptions {
  /** The version of this program. */
  version: string
  /** Returns the whole address of an exchange, without its query. */
  toUrl: (exchange: Exchange) => string
  hideCredentials: HideCredentials
}

/** Converts in slices, so that other requests run in between. */
export async function toHar(
  exchanges: readonly Exchange[],
  { version, toUrl, hideCredentials }: HarOptions,
): Promise<object> {
  return {
    log: {
      version: '1.2',
      creator: { name: 'petstore-sandbox', version },
      entries: await mapInSlices(exchanges, (exchange) => {
        const { exchange: shown, hide } = hideCredentials(exchange)
        const { at, request, response, notes } = shown
        const { query } = request
        const body = textOf(response.body)
        const mimeType = response.headers['Content-Type'] ?? 'application/octet-stream'
        return {
          startedDateTime: new Date(at).toISOString(),
          time: 0,
          request: {
            method: request.method,
            url: hide(toUrl(exchange)) + (query === '' ? '' : `?${query}`),
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: describeHeaders(request.headers),
            queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
            headersSize: -1,
            bodySize: Buffer.byteLength(exchange.request.body ?? ''),
            ...(request.body !== undefined && {
              postData: { mimeType: headerOf(request.headers, 'content-type') ?? '', text: request.body },
            }),
          },
          response: {
            status: response.status,
            statusText: '',
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: describeHeaders(Object.entries(response.headers).flat()),
            content: { size: Buffer.byteLength(exchange.response.body ?? ''), mimeType, ...body },
            redirectURL: response.headers['Location'] ?? '',
            headersSize: -1,
            bodySize: -1,
          },
          cache: {},
          timings: { send: 0, wait: 0, receive: 0 },
          ...(notes.length > 0 && { comment: notes.join('; ') }),
        }
      }),
    },
  }
}

/** @param headers names and values alternately */
export function describeHeaders(headers: readonly string[]): { name: string; value: string }[] {
  return toPairs(headers).map(([name, value]) => ({ name, value }))
}

export function textOf(body: string | Uint8Array | undefined): { text: string; encoding?: 'base64' } {
  if (body === undefined || typeof body === 'string') return { text: body ?? '' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body) }
  } catch {
    return { text: Buffer.from(body).toString('base64'), encoding: 'base64' }
  }
}
