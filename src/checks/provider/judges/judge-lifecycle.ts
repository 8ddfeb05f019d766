/** Checks the headers by which an operation announces its removal. */
import type { Operation } from '../../../contract/contract.js'
import type { ProviderResponse } from '../client.js'
import { providerRuleSet } from '../provider-rules.js'
import type { Complaint } from './deviation.js'

/** Compares Deprecation, Sunset and Link with the document. */
export function judgeLifecycle({ lifecycle }: Operation, { headers, status }: ProviderResponse): Complaint[] {
  const { deprecated, deprecatedSince, sunset, successor } = lifecycle
  const complaints: Complaint[] = []
  const add = (at: string, kind: string, message: string) =>
    complaints.push({ rule: providerRuleSet.lifecycleHeaders, at, kind, message: `answered ${status} ${message}` })

  const { deprecation, sunset: written, link } = headers
  // Without a date in the document, a provider may have none to send.
  if (deprecatedSince !== undefined && deprecation === undefined) {
    const date = new Date(deprecatedSince * 1000).toISOString().slice(0, 10)
    add('Deprecation', 'missing', `without Deprecation; the document deprecates the operation since ${date}`)
  }
  // RFC 9745, section 2.1: a date as a structured field, `@` and the seconds since 1970.
  if (deprecated && deprecation !== undefined && !/^@-?\d+$/.test(deprecation)) {
    add('Deprecation', 'malformed', `with Deprecation: ${deprecation}, which is not "@" with seconds (RFC 9745)`)
  }
  if (sunset !== undefined) {
    const date = new Date(sunset).toUTCString()
    const sent = written === undefined ? Number.NaN : Date.parse(written)
    if (written === undefined) add('Sunset', 'missing', `without Sunset; the document says ${date}`)
    else if (!httpDate.test(written))
      add('Sunset', 'malformed', `with Sunset: ${written}, which is not an HTTP date (RFC 9110)`)
    else if (sent < sunset || sent > endOf(sunset)) {
      add('Sunset', 'different', `with Sunset: ${written}; the document says ${date}`)
    }
    // RFC 9745, section 4: the sunset must not be before the deprecation.
    if (deprecation !== undefined && Number(deprecation.slice(1)) * 1000 > endOf(sunset)) {
      add('Deprecation', 'after-sunset', `with Deprecation: ${deprecation}, which is after its Sunset`)
    }
  }
  if (successor?.link !== undefined) {
    const targets = [...(link ?? '').matchAll(links)].flatMap(([, target = '', parameters = '']) =>
      isSuccessor(parameters) ? [target] : [],
    )
    const path = pathOf(successor.link)
    const isNamed = targets.some((target) => pathOf(target).endsWith(path))
    if (targets.length === 0)
      add('Link', 'missing', `without a Link to the successor-version, which is ${successor.path}`)
    else if (!isNamed) add('Link', 'different', `with Link: ${link}; the successor is ${successor.path}`)
  }
  return complaints
}

/** RFC 9110, section 5.6.7: the only form that senders may use. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const day = 24 * 60 * 60 * 1000
/** Targets with their parameters (RFC 8288, section 3). */
const links = /<([^<>]*)>((?:\s*;\s*[\w*!-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g
const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i

function isSuccessor(parameters: string): boolean {
  const [, quoted = '', token = ''] = relation.exec(parameters) ?? []
  return /(?:^|\s)successor-version(?:\s|$)/i.test(quoted || token)
}

/** A documented date without a time means the whole day. */
function endOf(sunset: number): number {
  return sunset % day === 0 ? sunset + day - 1 : sunset
}

/** Path of a link target, which may be relative. */
function pathOf(target: string): string {
  try {
    return new URL(target, 'http://service.example/').pathname
  } catch {
    return target
  }
}
