/** Requests and responses as plain data, independent of the transport. */

/** A request as an adapter passes it to `sandbox.handle`. */
export interface SandboxRequest {
  /** Method in upper case. */
  method: string
  /** Name of the server that the address belongs to. Undefined for an unknown address. */
  server: string | undefined
  /** Path below the base of the server, still percent-encoded: `/xs/1` */
  path: string
  /** Path of the base in the called address: `/v1` */
  mount: string
  /** Query without the question mark. Empty if absent. */
  query: string
  /** Returns the value of a header. @param name in lower case */
  header(name: string): string | undefined
  /** Returns the names and values of all headers alternately. */
  headers(): readonly string[]
  /** Reads the body. Resolves to undefined if it is too large. Rejects, possibly with a `Refusal`, if it is incomplete. */
  body(maxBytes: number): Promise<Uint8Array | undefined>
  /** Where the consumer's code made the request, as in `Exchange.source`. Absent if the transport cannot know it. */
  source?: string | undefined
  /** Aborted when the client disconnects or the response ends. Absent if the transport cannot detect that. */
  left?(): AbortSignal | undefined
}

/** A response as `sandbox.handle` returns it to an adapter. */
export interface SandboxResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** Undefined for a response to HEAD, a preflight, or a success without content. */
  body: string | Uint8Array | undefined
  /** The body in UTF-8, if it is already encoded. */
  bytes?: Uint8Array | undefined
  /** How the adapter must send the response. */
  delivery?: Delivery
  /** Why the request was refused, for logs. */
  refused?: string
  /** What was ignored without a refusal, for logs. Absent if nothing was. */
  notes?: readonly string[]
}

/** A response of the control API, whose body may be a stream. */
export interface ControlResponse extends SandboxResponse {
  /** Sends the body, in place of `body`. Not for HEAD. */
  stream?: OpenStream | undefined
  /** Whether the inspector requested it in the background, so it is not logged. */
  isUnlogged?: boolean
}

/**
 * @param send sends a part of the body. @returns whether the client reads on; else send nothing before `resume`
 * @param end ends the body
 */
export type OpenStream = (send: (part: Uint8Array) => boolean, end: () => void) => OpenedStream

export interface OpenedStream {
  /** Sends more. Called when the client has read what was sent. */
  resume(): void
  /** Sends nothing more. */
  stop(): void
}

/** How an adapter must send a response. */
export interface Delivery {
  /** Milliseconds to wait before the response is sent. */
  delayMs?: number
  /** Close the connection without an answer. */
  drop?: true
  /** Close the connection after this many bytes of the body. */
  truncate?: number
  /** Breaks off a `fetch` response, which has no connection to close. Absent if the response is not broken off. */
  toBroken?(response: Response): Response
}

/** A request to the control API, with its whole path. */
export interface ControlRequest extends Omit<SandboxRequest, 'server' | 'path' | 'mount'> {
  pathname: string
}

/** A request with other parts. */
export function change(request: SandboxRequest, changes: Partial<SandboxRequest>): SandboxRequest {
  const { method, server, path, mount, query, source } = request
  return {
    ...{ method, server, path, mount, query, source },
    header: (name) => request.header(name),
    headers: () => request.headers(),
    body: (maxBytes) => request.body(maxBytes),
    left: () => request.left?.(),
    ...changes,
  }
}

/** A request whose body can be read again. */
export function keepBody(request: SandboxRequest): SandboxRequest {
  let bytes: ReturnType<SandboxRequest['body']> | undefined
  const body = (maxBytes: number) => {
    bytes ??= request.body(maxBytes)
    return bytes
  }
  return change(request, { body })
}
