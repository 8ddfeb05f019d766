/** First step: the token endpoint of OAuth 2.0, for the client credentials and password flows (RFC 6749, sections 4.3 and 4.4). */
import type { OAuth, RequestContract } from '../../contract/contract.js'
import { tokenLifetime } from '../../contract/credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { shorten } from '../../contract/violations.js'
import type { SandboxRequest, SandboxResponse } from '../request/request.js'
import { corsHeaders, isPreflight, preflightHeaders } from '../responses/cors.js'
import { toSendable } from '../responses/sendable-response.js'
import type { Worlds } from '../worlds.js'
import { readTokenRequest, TokenError, type TokenRequest } from './token-request.js'
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
