/** Handlers for MSW: the sandbox answers at the addresses of its servers only. */
import { type HttpHandler, http } from 'msw'
import type { Sandbox } from '../sandbox/create-engine.js'
import { respond } from '../sandbox/fetch.js'
import { type Base, type ServerAddress, toBases } from './intercepted-addresses.js'

/**
 * Creates one handler for each base. The engine's router handles the paths below it, so that paths, methods and errors
 * work as on the HTTP server, in every version of MSW.
 */
export function createSandboxHandlers(sandbox: Sandbox, addresses: readonly ServerAddress[]): HttpHandler[] {
  return toBases(sandbox.contract, addresses).map((base) =>
    http.all(base.pattern, async ({ request }) => (await answer(sandbox, request, base)) ?? Response.error()),
  )
}

function answer({ handle }: Sandbox, request: Request, { server, mount }: Base): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  return respond(handle, request, { server, mount, path: pathname.slice(mount.length) || '/' })
}
