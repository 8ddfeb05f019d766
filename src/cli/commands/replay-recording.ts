/** Judges a recording instead of a command: sends its requests to a sandbox, which finds their operations and violations. */
import { sentBy } from '../../checks/consumer/exchange-values.js'
import { type Recorded, readHar } from '../../checks/consumer/read-har.js'
import { plural } from '../../checks/reports/report-texts.js'
import type { SecurityScheme } from '../../contract/contract.js'
import { writeCredentials } from '../../contract/credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { readTextFile } from '../../node/read-text-file.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { Exchange } from '../../state/journal.js'

/**
 * Replays a recording.
 * @param add called with each exchange: the recorded one, with the operation and the violations that the sandbox found
 * @returns sentences without a full stop: what was left out
 * @throws SandboxError `UNREADABLE_FILE`, also if no request is one of the document
 */
export async function replayRecording(
  file: string,
  sandbox: Sandbox,
  add: (exchange: Exchange) => void,
): Promise<string[]> {
  const entries = readHar(await readTextFile(file), file)
  const schemes = Object.values(sandbox.contract.schemes)
  const isSent = (exchange: Exchange) => hasCredentials(sandbox, exchange)
  const tried: { entry: Recorded; exchange: Exchange }[] = []
  for (const entry of entries) {
    const exchange = await send(sandbox, entry)
    if (exchange) tried.push({ entry, exchange })
  }
  // Other entries of a recording are about pages, images and other services.
  const isOfService = ({ exchange, entry }: (typeof tried)[number]) =>
    exchange.operation !== undefined || exchange.refused === 'method_not_allowed' || isKnownOrigin(entry)
  const origins = new Set(
    tried.filter(({ exchange }) => exchange.operation !== undefined).map(({ entry }) => entry.url.origin),
  )
  const isKnownOrigin = ({ url, response }: Recorded) =>
    origins.has(url.origin) && /json/i.test(response.headers['Content-Type'] ?? '')
  const judged = tried.filter(isOfService)
  if (origins.size === 0) {
    const why = `none of its ${plural(entries.length, 'request')} is an operation of the document. Name the document of the service that was recorded`
    throw new SandboxError('UNREADABLE_FILE', `Failed to use the recording "${file}": ${why}`)
  }
  // Browsers and proxies leave credentials out of recordings.
  const isStripped = !judged.some(({ exchange }) => isSent(exchange))
  for (const { entry, exchange } of judged) add(await judgeOne(sandbox, entry, exchange, isStripped))
  const others = entries.length - judged.length
  const withoutBody = judged.filter(({ entry }) => entry.isWithoutBody).length
  return [
    ...(others > 0 ? [`${plural(others, 'request')} of ${file} did not call the service`] : []),
    ...(isStripped && schemes.length > 0 ? [`${file} has no credentials, so that they were not judged`] : []),
    ...(withoutBody > 0
      ? [`${plural(withoutBody, 'request')} of ${file} had a body that was not recorded or judged`]
      : []),
  ]
}

/**
 * Judges one exchange, as if the sandbox had no records. Not at the same time as another one.
 * @returns undefined if `fetch` cannot send its request
 */
export async function judgeRecorded(sandbox: Sandbox, entry: Recorded): Promise<Exchange | undefined> {
  const exchange = await send(sandbox, entry)
  const judged = exchange && (await judgeOne(sandbox, entry, exchange, false))
  await sandbox.reset()
  return judged
}

/** @param isStripped its credentials were not recorded */
async function judgeOne(sandbox: Sandbox, entry: Recorded, exchange: Exchange, isStripped: boolean): Promise<Exchange> {
  const isRefused = exchange.refused === 'unauthorized' && (isStripped || hasCredentials(sandbox, exchange))
  // The keys of the service are not those of the sandbox.
  const found = isRefused ? await send(sandbox, entry, Object.values(sandbox.contract.schemes)) : exchange
  return withRecorded(found ?? exchange, entry)
}

function hasCredentials({ contract }: Sandbox, exchange: Exchange): boolean {
  return Object.values(contract.schemes).some((scheme) => sentBy(exchange, scheme) !== undefined)
}

/** Sends a request to the sandbox, with its own key for the schemes. Undefined if `fetch` cannot send it. */
async function send(
  sandbox: Sandbox,
  { url, request, bytes }: Recorded,
  schemes: readonly SecurityScheme[] = [],
): Promise<Exchange | undefined> {
  let exchange: Exchange | undefined
  const stop = sandbox.journal.subscribe((each) => {
    if (!each.sent) exchange = each
  })
  const sent = new URL(url)
  // `fetch` refuses them.
  sent.username = sent.password = ''
  try {
    const headers = new Headers()
    for (let index = 0; index < request.headers.length; index += 2) {
      appendTo(headers, request.headers[index] ?? '', request.headers[index + 1] ?? '')
    }
    for (const { in: place, name, value } of schemes.map((scheme) => writeCredentials(scheme, sandbox.defaultKey))) {
      if (place === 'header') headers.set(name, value)
      else if (place === 'query') sent.searchParams.set(name, value)
      else headers.append('Cookie', `${name}=${value}`)
    }
    const body = /^(?:GET|HEAD)$/.test(request.method) ? undefined : ((bytes as BodyInit | undefined) ?? request.body)
    await sandbox.fetch(sent, { method: request.method, headers, ...(body !== undefined && { body }) })
    return exchange
  } catch {
    return undefined
  } finally {
    stop()
  }
}

/** Leaves out what `fetch` cannot send, such as a line break. */
function appendTo(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value)
  } catch {
    // The rest of the request is judged.
  }
}

/** The recorded exchange with what the sandbox found out about its request. */
function withRecorded(found: Exchange, { at, url, request, response, isWithoutBody, source }: Recorded): Exchange {
  const { violations: all = [], refused, unknownReferences, ...exchange } = found
  const violations = isWithoutBody ? all.filter((violation) => violation.in !== 'body') : all
  // A key that only the sandbox does not know, and a body that only the recording lacks, are no mistakes.
  const isExcused = unknownReferences !== undefined || (isWithoutBody && refused === 'invalid_request')
  return {
    ...exchange,
    at,
    refused: isExcused && violations.length === 0 ? undefined : refused,
    violations: violations.length > 0 ? violations : undefined,
    request: {
      ...found.request,
      method: request.method,
      headers: request.headers,
      query: url.search.slice(1),
      body: request.body,
    },
    response,
    source,
  }
}
