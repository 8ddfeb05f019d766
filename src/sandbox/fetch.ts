/** The sandbox as a `fetch` function: a `Request` in, a `Response` out. */
import type { Handle } from './handle.js'
import type { Location, Locator } from './locate.js'
import type { SandboxRequest } from './request.js'

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export function createFetch(handle: Handle, locator: Locator): Fetch {
  return async function fetch(input, init) {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const response = await respond(handle, request, locator.byUrl(new URL(request.url)))
    if (!response) throw new TypeError('Failed to fetch: the connection was dropped')
    return response
  }
}

/** @returns nothing where the connection is to end without a response */
export async function respond(handle: Handle, request: Request, location: Location): Promise<Response | undefined> {
  const { status, headers, body, delivery } = await handle(fromRequest(request, location))
  if (delivery?.delayMs !== undefined) await wait(delivery.delayMs, request.signal)
  return delivery?.drop ? undefined : new Response(body as BodyInit | undefined, { status, headers })
}

function fromRequest(request: Request, location: Location): SandboxRequest {
  return {
    method: request.method,
    ...location,
    query: new URL(request.url).search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => [...request.headers].flat(),
    body: (maxBytes) => readBounded(request, maxBytes),
  }
}

/** Not piece by piece, as Firefox does not give the body of a `Request` as a stream. */
async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.length > maxBytes ? undefined : bytes
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
