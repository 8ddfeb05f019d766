/** Handlers for MSW: the sandbox answers at the addresses of its servers only. */
import { type HttpHandler, http } from 'msw'
import { respond } from '../sandbox/facade/fetch.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { Handle } from '../sandbox/handle.js'
import { type Base, type ServerAddress, toBases } from './intercepted-addresses.js'

/**
 * Creates one handler for each base. The engine's router handles the paths below it, so that paths, methods and errors
 * work as on the HTTP server, in every version of MSW.
 */
export function createSandboxHandlers(
  { contract, handle }: Pick<Sandbox, 'contract' | 'handle'>,
  addresses: readonly ServerAddress[],
): HttpHandler[] {
  return toBases(contract, addresses).map((base) =>
    http.all(base.pattern, ({ request }) => answer(handle, request, base)),
  )
}

function answer(handle: Handle, request: Request, { server, mount }: Base): Promise<Response> {
  const { pathname } = new URL(request.url)
  return respond(handle, request, { server, mount, path: pathname.slice(mount.length) || '/' })
}
