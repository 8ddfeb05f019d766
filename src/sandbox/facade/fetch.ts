/** The sandbox as a `fetch` function. */
import type { Handle } from '../handle.js'
import { BodyCollector } from '../request/body-limit.js'
import type { Location, Locator } from '../request/locate-server.js'
import type { SandboxRequest } from '../request/request.js'
import { isToken } from '../responses/sendable-response.js'

/** Answers a request like the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export function createFetch(handle: Handle, locator: Locator): Fetch {
  return async function fetch(input, init) {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      // An error while reading the body rejects, as with the global `fetch`.
      respond(handle, request, locator.byUrl(new URL(request.url)), reject)
        .then(
          (response) => (response.type === 'error' ? reject(new TypeError('fetch failed')) : resolve(response)),
          reject,
        )
        .finally(() => signal.removeEventListener('abort', abort))
    })
  }
}

/**
 * Answers a `Request` to a location in the service, after the delay that it prefers.
 * @param onBodyError called with the error of a body that cannot be read to its end; it is answered with 400
 */
export async function respond(
  handle: Handle,
  request: Request,
  location: Location,
  onBodyError?: (error: unknown) => void,
): Promise<Response> {
  const { status, headers, body, delivery } = await handle(fromRequest(request, location, onBodyError))
  if (delivery?.delayMs !== undefined) await wait(delivery.delayMs, request.signal)
  const response = new Response(body as BodyInit | undefined, { status, headers })
  return delivery?.toBroken?.(response) ?? response
}

function fromRequest(
  request: Request,
  location: Location,
  onBodyError: ((error: unknown) => void) | undefined,
): SandboxRequest {
  return {
    method: request.method,
    ...location,
    query: new URL(request.url).search.slice(1),
    // A document may describe a header with an invalid name, for which `Headers` would throw.
    header: (name) => (isToken(name) ? (request.headers.get(name) ?? undefined) : undefined),
    headers: () => [...request.headers].flat(),
    async body(maxBytes) {
      try {
        return await readBounded(request, maxBytes)
      } catch (error) {
        onBodyError?.(error)
        throw error
      }
    },
  }
}

async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const collector = new BodyCollector(maxBytes)
  // Firefox has no `Request.body`.
  if (!request.body) collector.add(new Uint8Array(await request.arrayBuffer()))
  else {
    const { signal } = request
    const reader = request.body.getReader()
    signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}))
    while (!collector.isTooLarge) {
      const { done, value } = await reader.read()
      if (done) break
      collector.add(value)
    }
    // A cancelled body looks as if it were complete.
    signal.throwIfAborted()
    // Stop reading an endless body at the limit.
    if (collector.isTooLarge) void reader.cancel().catch(() => {})
  }
  return collector.bytes()
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
