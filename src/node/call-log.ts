/** Logs the requests of a server, without their credentials. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestContract } from '../contract/contract.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { Hide } from '../contract/hiding/hide-secrets.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { SandboxResponse } from '../sandbox/request/request.js'
import type { Failure } from './failure.js'
import type { HttpRequest } from './http-request.js'
import type { LogEntry } from './request-log.js'

/** A pending request. */
export interface Call {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Milliseconds by `performance.now()`, or 0 if nothing is logged. */
  arrivedAt: number
  /** The refusal by the server itself, if any. */
  failure: Failure | undefined
  /** Undefined until the request is started. */
  request: HttpRequest | undefined
  /** Hides its credentials in the log. Undefined until it is answered. */
  hide?: Hide
}

export interface CallLog {
  add(call: Call, status: number, refused?: string, notes?: readonly string[]): void
  /** Frees the memory of the body. The log only needs its credentials, and only where a caller may have sent its texts. */
  freeBody(call: Call, response?: SandboxResponse): void
}

/** @param onExchange called with each entry. Undefined: nothing is logged */
export function createCallLog(
  serving: () => { sandbox: Pick<Sandbox, 'contract'>; hideCredentials: HideCredentials },
  onExchange: ((entry: LogEntry) => void) | undefined,
): CallLog {
  let known: { contract: RequestContract; paths: ReadonlySet<string> } | undefined

  /** Whether the line of the log has only texts of the document: most creations have, and searching their bodies takes time. */
  function isDocumented({ request }: Call, { refused, notes }: Pick<SandboxResponse, 'refused' | 'notes'>): boolean {
    if (refused !== undefined || notes !== undefined || request?.query !== '') return false
    const { contract } = serving().sandbox
    if (known?.contract !== contract) known = { contract, paths: new Set(contract.operations.map(({ path }) => path)) }
    return known.paths.has(request.path)
  }

  function findCredentials({ incoming, request }: Call): Hide {
    const { url: path = '/', rawHeaders: headers } = incoming
    return serving().hideCredentials({ request: { path, query: '', headers, body: request?.sentText() } }).hide
  }

  return {
    freeBody(call, response) {
      if (onExchange && !(response && isDocumented(call, response))) call.hide ??= findCredentials(call)
      call.request?.free()
    },
    add(call, status, refused, notes) {
      if (!onExchange) return
      const { incoming, arrivedAt, request } = call
      const { method = 'GET', url: target = '/' } = incoming
      const ms = performance.now() - arrivedAt
      const hide = call.hide ?? (isDocumented(call, { refused, notes }) ? String : findCredentials(call))
      const entry: LogEntry = {
        at: Date.now(),
        method,
        target: hide(target),
        status,
        ms,
        refused: refused && hide(refused),
        notes: notes?.map(hide),
      }
      if (!request) entry.isRefusedByServer = true
      onExchange(entry)
    },
  }
}
