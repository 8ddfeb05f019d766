/** A request and a response as the engine sees them: plain data, whatever they came in by. */

export interface SandboxRequest {
  /** In upper case. */
  method: string
  /** Name of the server whose base the address begins with, or none. */
  server: string | undefined
  /** Below the base of the server, still percent-encoded: `/xs/1` */
  path: string
  /** The path of that base in the address that was called: `/v1` */
  mount: string
  /** Without the question mark; empty where there is none. */
  query: string
  /** Value of a header, its name in lower case. */
  header(name: string): string | undefined
  /** Names and values of all headers in turn. */
  headers(): readonly string[]
  /** Reads the body; rejects if it breaks off. Resolves to undefined if it has more bytes than the limit. */
  body(maxBytes: number): Promise<Uint8Array | undefined>
}

export interface SandboxResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** None for a response to HEAD, a preflight, or a success without content. */
  body: string | Uint8Array | undefined
  /** The body in UTF-8, where that is known already. */
  bytes?: Uint8Array | undefined
  /** How an adapter sends it. */
  delivery?: Delivery
  /** Why the request was refused, for logs. */
  refused?: string
}

export interface Delivery {
  /** Milliseconds to wait before the response is sent. */
  delayMs?: number
}

/** A request to the control API: it has the whole path, whatever server that belongs to. */
export interface ControlRequest {
  method: string
  pathname: string
  /** Value of a header, its name in lower case. */
  header(name: string): string | undefined
}
