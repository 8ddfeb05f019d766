/** Checks the head of a request for mistakes that `node:http` accepts but RFC 9112 forbids, and whether its host is allowed. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { RequestContract } from '../contract/contract.js'
import { shorten } from '../contract/violations.js'
import type { Failure } from './failure.js'

export type CheckHead = (incoming: IncomingMessage) => Failure | undefined

interface HostRules {
  /**
   * Whether only this machine reaches the server. Then host names must be allowed: any page can point its own name to the
   * address of this machine (DNS rebinding), and would share the origin of the server. Addresses are safe.
   */
  isLoopback: boolean
  /** Host names that are allowed in addition to those of this machine. `*` allows every name. */
  names: readonly string[]
}

/** A host with an optional port (RFC 3986, section 3.2.2). */
const wellFormed = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i
/** The names by which containers reach the loopback address of their host. */
const ofContainers = ['host.docker.internal', 'host.containers.internal']

/**
 * The allowed names also depend on the document, which may change later.
 * @param host the host that the user gave
 * @param address the address that the server listens on
 */
export function createCheckHeads({
  host,
  address,
  allowHosts,
}: {
  host: string
  address: string
  allowHosts: readonly string[]
}): (contract: RequestContract) => CheckHead {
  const isLoopback = /^(?:127\.|::1$|::ffff:127\.)/.test(address)
  let known: { contract: RequestContract; check: CheckHead } | undefined
  return (contract) => {
    if (known?.contract !== contract) {
      const documented = contract.servers.flatMap(({ url }) => (URL.canParse(url) ? new URL(url).hostname : []))
      known = { contract, check: createCheckHead({ isLoopback, names: [host, ...documented, ...allowHosts] }) }
    }
    return known.check
  }
}

function createCheckHead({ isLoopback, names }: HostRules): CheckHead {
  const allowed = new Set([...ofContainers, ...names].map(toName))
  const isOpen = !isLoopback || allowed.has('*')
  /** The host of the last accepted request: nearly all requests have the same one. */
  let accepted: string | undefined

  function judge(host: string): Failure | undefined {
    const url = wellFormed.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
    if (!url) return [400, `The host must be a name or an address with an optional port (got "${shorten(host)}")`]
    const name = toName(url.hostname)
    if (isOpen || isOfThisMachine(name) || allowed.has(name)) {
      accepted = host
      return undefined
    }
    const why = 'only names of this machine are, because any website can point its own name here (DNS rebinding)'
    return [
      421,
      `The host "${shorten(name)}" is not allowed: ${why}. Start with --allow-host ${shorten(name)} to allow it`,
    ]
  }

  return ({ rawHeaders, httpVersion, url = '/' }) => {
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      // A request line without a version means 0.9, which had no statuses.
      return [httpVersion === '0.9' ? 400 : 505, `The HTTP version must be 1.1 or 1.0 (got ${httpVersion})`]
    }
    let host: string | undefined
    let encoding: string | undefined
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const header = rawHeaders[index] ?? ''
      if (header.length === 4 && header.toLowerCase() === 'host') {
        if (host !== undefined) return [400, 'A request must have only one Host header']
        host = rawHeaders[index + 1] ?? ''
      } else if (header.length === 17 && header.toLowerCase() === 'transfer-encoding') {
        const value = rawHeaders[index + 1] ?? ''
        encoding = encoding === undefined ? value : `${encoding},${value}`
      }
    }
    const wrong = encoding === undefined ? undefined : judgeEncoding(encoding, httpVersion)
    if (wrong) return wrong
    // Node.js would refuse the request with an empty response body.
    if (host === undefined && httpVersion !== '1.0') return [400, 'An HTTP/1.1 request must have a Host header']
    if (!url.startsWith('/') && url !== '*') {
      // An absolute target overrides the header (RFC 9112, section 3.2.2).
      const [, inTarget] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
      if (inTarget === undefined) return [400, `The target must be a path or an http address (got "${shorten(url)}")`]
      host = inTarget
    }
    return host === undefined || host === accepted ? undefined : judge(host)
  }
}

/** RFC 9112, sections 6.1 and 6.3: the end of such requests is uncertain, or their body cannot be decoded. */
function judgeEncoding(encoding: string, httpVersion: string): Failure | undefined {
  if (httpVersion === '1.0') return [400, 'An HTTP/1.0 request must not have a Transfer-Encoding header']
  if (encoding.toLowerCase() === 'chunked') return undefined
  const codings = encoding.split(',').map((each) => each.trim().toLowerCase())
  const other = codings.find((each) => each !== 'chunked' && each !== '')
  if (other !== undefined && codings.at(-1) === 'chunked')
    return [501, `The only supported transfer coding is chunked (got "${shorten(other)}")`]
  return [400, `Transfer-Encoding must end with chunked, once (got "${shorten(encoding)}")`]
}

function isOfThisMachine(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) > 0 || name === 'localhost' || name.endsWith('.localhost')
}

/** A host name in lower case, without the final dot of a fully qualified name. */
function toName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
