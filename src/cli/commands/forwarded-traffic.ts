/** Reads the traffic of a proxy for judges and for a recording, and counts what cannot be judged. */
import { type Recorded, toHeaders } from '../../checks/consumer/read-har.js'
import type { NoResponse, ProviderResponse } from '../../checks/provider/client.js'
import { CodingError, decodeContent, decodeText, UnknownCodingError } from '../../checks/provider/judges/decode-body.js'
import { plural } from '../../checks/reports/report-texts.js'
import type { HideCredentials } from '../../contract/hiding/hide-credentials.js'
import { toHar } from '../../control/har.js'
import { version } from '../../generated/package.js'
import type { Forwarded } from '../../node/proxy.js'
import { createJournal } from '../../state/journal.js'

export interface Traffic {
  /** @returns undefined if there is nothing to judge */
  read(forwarded: Forwarded): Promise<ReadExchange | undefined>
  /** Counts a request that cannot be judged. @param what continues "2 requests with" */
  leaveOut(what: string): void
  /** Number of forwarded requests. */
  count(): number
  /** Sentences without a full stop: what was not judged or recorded. */
  notes(): string[]
  /** The recording. */
  toHar(hideCredentials: HideCredentials): Promise<object>
}

export interface ReadExchange {
  recorded: Recorded
  /** Undefined if it cannot be judged. */
  answer: ProviderResponse | NoResponse | undefined
}

/** The most that a recording has: the latest exchanges. */
const maxRecorded = { maxExchanges: 100_000, maxBytes: 256 * 1024 * 1024 }
const tooLong = 'was too long to be judged (--max-body, --max-memory)'

/**
 * @param origin of the service
 * @param maxBytes the limit for bodies when they are decoded
 * @param isRecorded whether exchanges are kept
 */
export function createTraffic(origin: string, maxBytes: number, isRecorded: boolean): Traffic {
  const recording = createJournal(isRecorded ? maxRecorded : { maxExchanges: 0 }, () => {})
  const unjudged = new Map<string, number>()
  let count = 0
  let recorded = 0

  function leaveOut(what: string): undefined {
    unjudged.set(what, (unjudged.get(what) ?? 0) + 1)
  }

  async function readAnswer({ response, noAnswer }: Forwarded): Promise<ReadExchange['answer']> {
    if (noAnswer || !response) return noAnswer
    const { status, body, isTooLong } = response
    if (!body) return leaveOut(`an answer that ${isTooLong ? tooLong : 'the client did not read to its end'}`)
    const named = Object.entries(toHeaders(response.headers)).map(([name, value]) => [name.toLowerCase(), value])
    const headers: Record<string, string> = Object.fromEntries(named)
    try {
      const decoded = await decodeContent(body, headers['content-encoding'], maxBytes)
      return decoded ? { status, headers, ...decodeText(decoded) } : leaveOut(`an answer that ${tooLong}`)
    } catch (error) {
      if (error instanceof UnknownCodingError) return leaveOut('an answer in an unknown content coding')
      if (error instanceof CodingError) return { why: 'not-decodable', message: `answered with ${error.message}` }
      throw error
    }
  }

  function record({ at, url, request, response }: Recorded, notes: string[]): void {
    const { method, headers: requestHeaders, body: requestBody } = request
    recorded++
    recording.add({
      ...{ id: 0, at, key: undefined, server: undefined, operation: undefined, cause: undefined, notes },
      ...{ method, path: url.pathname, query: url.search.slice(1), requestHeaders, requestBody, ...response },
      ...{ refused: undefined, violations: undefined },
    })
  }

  return {
    async read(forwarded) {
      count++
      const { at, source, request, response, noAnswer } = forwarded
      const { method, headers } = request
      const url = `${origin}${request.target}`
      if (!response || !URL.canParse(url)) return leaveOut('no answer, because the client broke off')
      if (request.isTooLong) leaveOut(`a body that ${tooLong}`)
      const answer = await readAnswer(forwarded)
      const sent = request.body && decodeText(request.body)
      const got = answer && 'text' in answer ? answer : noAnswer && response.body && decodeText(response.body)
      const exchange: Recorded = {
        ...{ at, url: new URL(url), source },
        request: { method, headers, body: (sent?.isUtf8 && sent.text) || undefined },
        response: {
          status: response.status,
          headers: toHeaders(response.headers),
          body: got && (got.isUtf8 ? got.text : response.body),
        },
        isWithoutBody: !request.body,
        bytes: sent?.isUtf8 === false ? request.body : undefined,
      }
      const long = Object.entries({ request, answer: response }).filter(([, { isTooLong }]) => isTooLong)
      record(
        exchange,
        long.map(([which]) => `the body of the ${which} was too long to be recorded`),
      )
      // What the proxy answers itself says nothing about the request.
      const ofService = noAnswer ? { ...exchange.response, body: undefined } : exchange.response
      return { recorded: { ...exchange, response: ofService }, answer }
    },
    leaveOut,
    count: () => count,
    notes() {
      const lost = isRecorded ? recorded - recording.size : 0
      return [
        ...Array.from(unjudged, ([what, times]) => `${plural(times, 'request')} with ${what}`),
        ...(lost > 0 ? [`the recording lacks the first ${plural(lost, 'exchange')}, as it has a limit`] : []),
      ]
    },
    toHar: (hideCredentials) =>
      toHar(recording.list(), { version, toUrl: ({ request }) => origin + request.path, hideCredentials }),
  }
}
