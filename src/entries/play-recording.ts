/** Sends the requests of a recording to a sandbox, with its own keys in place of those of the real service, and compares the answers. */
import type { Recorded } from '../checks/consumer/read-har.js'
import type { Contract, Operation, SecurityScheme } from '../contract/contract.js'
import { writeCredentials } from '../contract/credentials.js'
import { reasonsOf } from '../contract/violations.js'
import { compareAnswers } from '../learn/compare-answers.js'
import type { Observed, SentRequest, Values } from '../learn/observed.js'
import { createPairs, type Pairs } from '../learn/pair-values.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import type { Exchange } from '../state/journal.js'
import { createSandbox } from './create-sandbox.js'

/** Records by the names of their collections. */
export type Records = Readonly<Record<string, readonly Values[]>>

/** Answers of caches, limits and gateways: they say nothing of the service. */
const saysLittle: ReadonlySet<number> = new Set([304, 429, 502, 503, 504])

/** The exchanges whose requests are operations of the contract. @param records those that the sandbox begins with */
export async function playRecording(
  contract: Contract,
  entries: readonly Recorded[],
  records: Records,
): Promise<Observed[]> {
  const sandbox = openSandbox(contract, records)
  const operations = new Map(contract.operations.map((each) => [each.id, each]))
  const schemes = Object.values(contract.schemes)
  const pairs = createPairs()
  const all: Observed[] = []
  for (const [index, entry] of entries.entries()) {
    const { response, at } = entry
    if (response.status < 200 || saysLittle.has(response.status)) continue
    const sent = await send(sandbox, entry, pairs)
    // Recordings lack credentials, and those of the service are not those of the sandbox.
    const isOfOther = sent?.refused === 'unauthorized' && response.status !== 401
    const exchange = isOfOther ? await send(sandbox, entry, pairs, schemes) : sent
    const operation = operations.get(exchange?.operation ?? '')
    if (!exchange || !operation) continue
    const real = toAnswer(response)
    const { refused, violations, changes = [] } = exchange
    const reasons = refused === undefined ? [] : reasonsOf(refused, violations)
    const own = { ...toAnswer(exchange.response), reasons, changes }
    const differences = compareAnswers(pairs, real, own)
    pairCookies(pairs, response.headers, exchange.response.headers)
    all.push({ number: index + 1, at, operation, request: toRequest(operation, entry), real, own, differences })
  }
  return all
}

/** Begins with those of the records that the document allows. */
function openSandbox(contract: Contract, records: Records): Sandbox {
  const open = (scenario: Records) => createSandbox({ contract, scenario: scenario as Record<string, Values[]> })
  const isPossible = (name: string, record: Values) => {
    try {
      open({ [name]: [record] })
      return true
    } catch {
      return false
    }
  }
  try {
    return open(records)
  } catch {
    return open(
      Object.fromEntries(
        Object.entries(records).map(([name, all]) => [name, all.filter((each) => isPossible(name, each))]),
      ),
    )
  }
}

function toAnswer({ status, headers, body }: Exchange['response']): Observed['real'] {
  const text = typeof body === 'string' ? body : body && new TextDecoder().decode(body)
  const [type = ''] = (headers['Content-Type'] ?? '').split(';', 1)
  const location = status < 300 ? headers['Location'] : undefined
  return { status, type: text ? type.trim() : '', body: text ? parse(text) : undefined, location: pathOf(location) }
}

function pathOf(location: string | undefined): string | undefined {
  const base = 'http://localhost'
  return location !== undefined && URL.canParse(location, base) ? new URL(location, base).pathname : undefined
}

/** JSON as a value, anything else as text. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The values of a request as the service got them. */
function toRequest(operation: Operation, { url, request }: Recorded): SentRequest {
  const template = operation.path.split('/')
  const sent = url.pathname.split('/').slice(-template.length)
  const path = template.flatMap((part, index): [string, string][] => {
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    return name === undefined ? [] : [[name, decode(sent[index] ?? '')]]
  })
  return {
    method: request.method,
    path: Object.fromEntries(path),
    query: Object.fromEntries(url.searchParams),
    type: headerOf(request.headers, 'content-type'),
    body: request.body === undefined ? undefined : parse(request.body),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @param headers names and values alternate */
function headerOf(headers: readonly string[], wanted: string): string {
  const index = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === wanted)
  return index < 0 ? '' : (headers[index + 1] ?? '')
}

/** Headers that the sandbox gets from `fetch`, or that would ask for another answer. */
const notSent = /^(host|content-length|connection|accept-encoding|if-none-match|if-modified-since)$/i

/** @param schemes gets its own credentials for them. @returns undefined if `fetch` cannot send the request */
async function send(
  sandbox: Sandbox,
  { url, request, bytes }: Recorded,
  pairs: Pairs,
  schemes: readonly SecurityScheme[] = [],
): Promise<Exchange | undefined> {
  let exchange: Exchange | undefined
  const stop = sandbox.journal.subscribe((each) => {
    if (!each.sent) exchange = each
  })
  const sent = new URL(url)
  const toOwn = (part: string) => {
    const own = pairs.of(decode(part))
    return own === undefined ? part : encodeURIComponent(own)
  }
  sent.pathname = url.pathname.split('/').map(toOwn).join('/')
  for (const [name, value] of url.searchParams) sent.searchParams.set(name, pairs.translateText(value))
  try {
    const headers = new Headers()
    for (let index = 0; index < request.headers.length; index += 2) {
      const [name = '', value = ''] = request.headers.slice(index, index + 2)
      if (!notSent.test(name)) headers.append(name, pairs.translateText(value))
    }
    for (const { in: place, name, value } of schemes.map((scheme) => writeCredentials(scheme, sandbox.defaultKey))) {
      if (place === 'header') headers.set(name, value)
      else if (place === 'query') sent.searchParams.set(name, value)
      else headers.append('Cookie', `${name}=${value}`)
    }
    const hasNone = request.method === 'GET' || request.method === 'HEAD'
    const body = hasNone ? undefined : (bytes ?? translateBody(request.body, pairs))
    await sandbox.fetch(sent, {
      method: request.method,
      headers,
      ...(body !== undefined && { body: body as BodyInit }),
    })
    return exchange
  } catch {
    return undefined
  } finally {
    stop()
  }
}

function translateBody(text: string | undefined, pairs: Pairs): string | undefined {
  if (text === undefined) return undefined
  const value = parse(text)
  return typeof value === 'object' ? JSON.stringify(pairs.translate(value)) : pairs.translateText(text)
}

function pairCookies(
  pairs: Pairs,
  real: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): void {
  const [from, to] = [real, own].map((headers) => (headers['Set-Cookie'] ?? '').split(';', 1)[0])
  if (from && to) pairs.pair(from, to)
}
