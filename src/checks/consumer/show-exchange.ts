/** Shows exchanges in findings, without credentials. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import { createHideCredentials, type HiddenExchange } from '../../contract/hiding/hide-credentials.js'
import type { Hide } from '../../contract/hiding/hide-secrets.js'
import { shorten } from '../../contract/violations.js'
import { toCurl, withoutUsual } from '../../media/to-curl.js'
import type { Exchange } from '../../state/journal.js'
import { type Finding, hiddenKey } from '../finding.js'
import { fitsPath, generalizePath } from './places.js'

export interface ShownExchange {
  /** The documented path. Without one, the called path with its base, which may be the mistake. */
  readonly path: string
  /** A curl line, and the beginning of the answer. @param isSilent whether there was none. @default false */
  reproduce(isSilent?: boolean): Pick<Finding, 'requests' | 'response'>
  /** Hides its credentials in other texts. */
  hide: Hide
}

/** Names of shell variables for curl lines. */
export interface LineVariables {
  /** Has a valid key. */
  key: string
  /** Has the address of the sandbox without a path. @default the address of the server in the contract */
  address?: string
}

/** Characters of a response body that a finding keeps. */
const maxBodyLength = 300

/** @param secrets hidden in addition to the credentials of a request */
export function createShow(
  contract: RequestContract,
  variables: LineVariables,
  secrets: readonly string[] = [],
): (exchange: Exchange) => ShownExchange {
  const servers = new Map(contract.servers.map((server) => [server.name, server]))
  const hideCredentials = createHideCredentials(contract, secrets, hiddenKey)

  function targetOf({ server, request }: Exchange): string {
    return `${servers.get(server ?? '')?.mount ?? ''}${request.path}`
  }

  function pathOf(exchange: Exchange): string {
    const { server, request, refused } = exchange
    const isDocumented = ({ path, servers }: Operation) =>
      server !== undefined && servers.includes(server) && fitsPath(path, request.path)
    const documented = refused === 'method_not_allowed' ? contract.operations.find(isDocumented) : undefined
    return documented?.path ?? shorten(generalizePath(targetOf(exchange)))
  }

  function originOf(server: string | undefined): string {
    const { url = '' } = servers.get(server ?? '') ?? contract.servers[0] ?? {}
    return URL.canParse(url) ? new URL(url).origin : ''
  }

  function toLine({ exchange, hide }: HiddenExchange<Exchange>): string {
    const { key, request, refused } = exchange
    const { headers, query } = request
    const target = `${hide(targetOf(exchange))}${query === '' ? '' : `?${query}`}`
    const isHidden = key === undefined || [target, ...headers].some((text) => text.includes(hiddenKey))
    // A line uses a valid key instead of hidden credentials. If credentials were refused, it shows none.
    const shellKey = { value: isHidden ? hiddenKey : key, variable: variables.key }
    return toCurl({
      ...request,
      origin: variables.address === undefined ? originOf(exchange.server) : { variable: variables.address },
      target,
      headers: withoutUsual(headers),
      key: refused === 'unauthorized' ? undefined : shellKey,
    })
  }

  return (exchange) => {
    const hidden = hideCredentials(exchange)
    return {
      hide: hidden.hide,
      get path() {
        return hidden.hide(pathOf(exchange))
      },
      reproduce: (isSilent = false) => ({
        requests: [toLine(hidden)],
        ...(!isSilent && { response: answerOf(hidden.exchange) }),
      }),
    }
  }
}

function answerOf({ response }: Exchange): { status: number; body: string } {
  const { status, body } = response
  const text = typeof body === 'string' ? body : body === undefined ? '' : `${body.length} bytes`
  return { status, body: text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text }
}
