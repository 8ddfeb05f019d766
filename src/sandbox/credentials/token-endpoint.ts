/** First step: the token endpoint of OAuth 2.0, for the client credentials and password flows (RFC 6749, sections 4.3 and 4.4). */
import type { OAuth, RequestContract } from '../../contract/contract.js'
import { tokenLifetime } from '../../contract/credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { shorten } from '../../contract/violations.js'
import { hasForbidden } from '../../state/world-id.js'
import { Refusal } from '../outcome.js'
import { bodyEnded } from '../request/read-body.js'
import type { SandboxRequest, SandboxResponse } from '../request/request.js'
import { corsHeaders, isPreflight, preflightHeaders } from '../responses/cors.js'
import { toSendable } from '../responses/sendable-response.js'
import type { Worlds } from '../worlds.js'
import { isRepeated, readBasic } from './read-credentials.js'
import type { Keys } from './valid-keys.js'

/** The path of the endpoint, at the origin and below the base of every server. */
const tokenPath = '/_sandbox/oauth/token'

export interface TokenEndpointOptions {
  contract: RequestContract
  keys: Keys
  cors: boolean
  worlds: Pick<Worlds, 'refresh'>
}

/** Answers requests for tokens. @returns undefined for any other request */
export type AnswerTokens = (request: SandboxRequest) => Promise<SandboxResponse> | undefined

export interface TokenEndpoint {
  /** Its path on the origin of the sandbox. */
  path: string
  answer: AnswerTokens
}

export type CreateTokenEndpoint = (options: TokenEndpointOptions) => TokenEndpoint

const noOAuth: OAuth = { tokenPaths: [], scopes: [] }
/** Maximum bytes of a request body. */
const maxBytes = 65_536

export const createTokenEndpoint: CreateTokenEndpoint = ({ contract, keys, cors, worlds }) => {
  const { tokenPaths, scopes } = contract.oauth ?? noOAuth
  const paths = [tokenPath, ...tokenPaths]

  return {
    path: tokenPath,
    answer(request) {
      const { path, mount } = request
      const length = mount.length + path.length
      for (const each of paths) {
        // Comparing lengths first rejects nearly all other requests.
        if (each === path || (each.length === length && mount + path === each)) return answerAt(request, each)
      }
      return undefined
    },
  }

  async function answerAt(request: SandboxRequest, path: string): Promise<SandboxResponse> {
    const origin = cors && path !== tokenPath ? request.header('origin') : undefined
    const shared = origin === undefined ? {} : corsHeaders(origin)
    if (origin !== undefined && isPreflight(request)) {
      return { status: 204, headers: { ...shared, ...preflightHeaders(request, ['POST']) }, body: undefined }
    }
    const answered = await answerToken(request)
    return { ...answered, headers: { ...shared, ...answered.headers } }
  }

  async function answerToken(request: SandboxRequest): Promise<SandboxResponse> {
    const { method } = request
    try {
      if (method !== 'POST') {
        throw new TokenError('invalid_request', `${shorten(method)} is not allowed; send POST`, 405, { Allow: 'POST' })
      }
      const read = await readTokenRequest(request, maxBytes)
      // Another program may have revoked the key.
      await worlds.refresh?.()
      return respond(200, issue(read))
    } catch (given) {
      const isOfStore = given instanceof SandboxError
      const error = isOfStore ? new TokenError('temporarily_unavailable', given.message, 503) : given
      if (!(error instanceof TokenError)) throw error
      const { code, message, status, headers } = error
      const response = respond(status, { error: code, error_description: message }, headers)
      return { ...response, refused: message, ...(method === 'HEAD' && { body: undefined }) }
    }
  }

  function issue({ client, secrets, scope, refuse }: TokenRequest): Record<string, unknown> {
    const token = keys.issueToken?.(client, secrets)
    if (token === undefined) throw refuse(`These credentials are not valid here; use '${keys.defaultKey}'`)
    const granted = scope ?? scopes.join(' ')
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      ...(granted !== '' && { scope: granted }),
    }
  }
}

/** Answers must not be cached (RFC 6749, section 5.1). */
function respond(status: number, body: object, headers: SandboxResponse['headers'] = {}): SandboxResponse {
  const shared = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' }
  return toSendable({ status, headers: { ...shared, ...headers }, body: JSON.stringify(body) })
}

/** A parsed request for a token. */
export interface TokenRequest {
  /** The id of the client, or the user of the password flow. */
  client: string
  /** The texts that may be the secret of the client. */
  secrets: readonly string[]
  /** Undefined if it asks for no scope. */
  scope: string | undefined
  /** Makes the error for invalid credentials. */
  refuse(message: string): TokenError
}

/** An error response (RFC 6749, section 5.2). */
export class TokenError extends Error {
  readonly code: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: string, message: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    // A description may only have these characters.
    super(message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?'))
    this.code = code
    this.status = status
    this.headers = headers
  }
}

interface Client {
  id: string
  secrets: string[]
}

const formType = 'application/x-www-form-urlencoded'
const grantTypes = ['client_credentials', 'password']
const scopeText = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** @throws TokenError */
export async function readTokenRequest(request: SandboxRequest, maxBytes: number): Promise<TokenRequest> {
  const form = await readForm(request, maxBytes)
  const grantType = form.get('grant_type')
  const allowed = grantTypes.join(' or ')
  if (!grantType) throw new TokenError('invalid_request', `grant_type is required; it must be ${allowed}`)
  if (!grantTypes.includes(grantType)) {
    throw new TokenError('unsupported_grant_type', `grant_type must be ${allowed} (got '${shorten(grantType)}')`)
  }
  const scope = form.get('scope') || undefined
  if (scope !== undefined && !scopeText.test(scope)) {
    throw new TokenError('invalid_scope', 'scope must be names separated by single spaces')
  }
  const client = readClient(request, form)
  const isUser = grantType === 'password'
  if (!isUser && !client)
    throw refuseClient('The client must authenticate: by Basic, or with client_id and client_secret in the body')
  const { id = '', secrets = [] } = client ?? {}
  const read = isUser ? readUser(form, client, scope) : { client: id, secrets, scope, refuse: refuseClient }
  if (![read.client, ...read.secrets].some(hasForbidden)) return read
  throw refuseClient('Ids, user names, secrets and passwords have no control or undecodable characters')
}

function readUser(form: URLSearchParams, client: Client | undefined, scope: string | undefined): TokenRequest {
  const user = form.get('username')
  const password = form.get('password')
  if (!user || !password) throw new TokenError('invalid_request', 'username and password are required')
  const refuse = client ? refuseClient : (message: string) => new TokenError('invalid_grant', message)
  return { client: client?.id ?? user, secrets: [...(client?.secrets ?? []), password, user], scope, refuse }
}

function refuseClient(message: string): TokenError {
  return new TokenError('invalid_client', message, 401, { 'WWW-Authenticate': 'Basic realm="OAuth 2.0"' })
}

async function readForm(request: SandboxRequest, maxBytes: number): Promise<URLSearchParams> {
  const type = request.header('content-type') ?? ''
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== formType) {
    throw new TokenError('invalid_request', `Content-Type must be ${formType} (got '${shorten(type)}')`)
  }
  const bytes = await request.body(maxBytes).catch((error: unknown) => {
    // The request is not at fault, so this code applies (RFC 6749, section 4.1.2.1).
    if (error instanceof Refusal) throw new TokenError('temporarily_unavailable', error.message, 503)
    throw new TokenError('invalid_request', bodyEnded)
  })
  if (!bytes) throw new TokenError('invalid_request', `The body must have at most ${maxBytes} bytes`)
  const form = new URLSearchParams(new TextDecoder().decode(bytes))
  const seen = new Set<string>()
  const repeated = [...form.keys()].find((name) => seen.size === seen.add(name).size)
  if (repeated === undefined) return form
  throw new TokenError('invalid_request', `${shorten(repeated)} must be given only once`)
}

/** @returns undefined if the client does not authenticate */
function readClient(request: SandboxRequest, form: URLSearchParams): Client | undefined {
  const id = form.get('client_id') ?? ''
  const secret = form.get('client_secret') ?? ''
  if (isRepeated(request)) throw refuseClient('A request must have only one Authorization header')
  const basic = readBasic(request)
  if (basic === undefined) return id || secret ? { id: id || secret, secrets: [secret] } : undefined
  if (secret) {
    throw new TokenError('invalid_request', 'The client must authenticate by Basic or in the body, not by both')
  }
  if (basic === '') throw refuseClient('The Basic credentials must be the Base64 text of user:password')
  const [user = '', ...rest] = basic.split(':')
  const password = rest.join(':')
  // Both must be form-encoded (RFC 6749, section 2.3.1), but many clients do not encode them.
  const secrets = [password, unescapeForm(password), user]
  return { id: unescapeForm(user || password), secrets }
}

function unescapeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
