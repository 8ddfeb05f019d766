/** Sends callbacks and webhooks over HTTP, to this machine and to hosts that are allowed. */
import { lookup as lookUp } from 'node:dns/promises'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { toPairs } from '../contract/http/header-pairs.js'
import { shorten } from '../contract/violations.js'
import { maxAnswerBytes, NotAllowed, type Transmit, toKept, withoutUser } from '../sandbox/webhooks/transmit.js'
import type { WebhookRequest } from '../state/kept-webhooks.js'
import { toTargetHost, withoutRoot } from './host-name.js'

interface Address {
  address: string
  family: number
}

/**
 * Redirects are not followed.
 * @param hosts names or addresses that are allowed in addition to loopback, each with an optional port; `*` allows all
 */
export function createTransmit(hosts: readonly string[]): Transmit {
  // The loopback addresses of this machine (RFC 6890, section 2.2).
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  loopback.addAddress('::1', 'ipv6')
  const isLoopback = ({ address, family }: Address) => loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
  const allowed = new Set(hosts.map(toTargetHost))

  return async function transmit(request, signal) {
    const { url, headers } = withoutUser(request)
    if (url.port === '0') throw new NotAllowed('nothing listens on port 0')
    if (/^\/_sandbox(\/|$)/.test(url.pathname))
      throw new NotAllowed('it would reach the control API of a sandbox, below /_sandbox')
    const name = withoutRoot(url.hostname)
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    const isAllowed = [name, `${name}:${port}`, '*'].some((each) => allowed.has(each))
    const addresses = await resolveHost(name.replace(/^\[(.*)\]$/, '$1')).catch((error: unknown) => {
      if (isAllowed) throw error
      // A name without an address is not this machine.
      return []
    })
    signal.throwIfAborted()
    if (!isAllowed && (addresses.length === 0 || !addresses.every(isLoopback)))
      throw new NotAllowed(`${shorten(name)} is not this machine; --callback-host ${shorten(name)} allows it`)
    return send(url, { ...request, headers }, { addresses, signal })
  }
}

async function resolveHost(host: string): Promise<Address[]> {
  const family = isIP(host)
  return family > 0 ? [{ address: host, family }] : lookUp(host, { all: true })
}

interface Connection {
  /** The checked addresses. The name is not resolved again, because the result could differ. */
  addresses: readonly Address[]
  signal: AbortSignal
}

function send(
  url: URL,
  { method, headers, body }: WebhookRequest,
  { addresses, signal }: Connection,
): ReturnType<Transmit> {
  const lookup: LookupFunction = (_, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
  // Node.js does not send the length for methods that usually have no body.
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]
  const options: RequestOptions = {
    method,
    headers: Object.fromEntries(toPairs([...headers, ...length])),
    lookup,
    signal,
    agent: false,
  }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    let isAnswered = false
    const outgoing = request(url, options, (incoming) => {
      isAnswered = true
      const { statusCode = 0, headers: received } = incoming
      const known = Object.entries(received).map(([name, value]) => [name, [value].flat().join(', ')])
      readStart(incoming).then(
        (chunks) => resolve({ status: statusCode, headers: Object.fromEntries(known), ...toKept(chunks) }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('it switched to another protocol (101)'))
    })
    outgoing.on('close', () => {
      if (!isAnswered) reject(new Error('it closed the connection'))
    })
    outgoing.end(body)
  })
}

/** Reads only the part that is kept, because the body may be endless. */
async function readStart(incoming: IncomingMessage): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > maxAnswerBytes) break
  }
  return chunks
}
