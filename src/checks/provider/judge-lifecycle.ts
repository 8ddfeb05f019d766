/** Judges the headers by which an operation says that it will go. */
import type { Operation } from '../../contract/contract.js'
import type { Answer } from './client.js'
import type { Complaint } from './judge-answer.js'
import { rules } from './rules.js'

export function judgeLifecycle({ lifecycle }: Operation, { headers, status }: Answer): Complaint[] {
  const { deprecated, sunset, successor } = lifecycle
  const complaints: Complaint[] = []
  const complain = (header: string, message: string) =>
    complaints.push({ rule: rules.lifecycleHeaders, at: header, message: `answered ${status} ${message}` })

  const { deprecation, sunset: written, link } = headers
  if (deprecated && deprecation === undefined) complain('Deprecation', 'without Deprecation, though deprecated')
  // RFC 9745, section 2.1: a date as a structured field, `@` and the seconds since 1970.
  if (deprecated && deprecation !== undefined && !/^@-?\d+$/.test(deprecation)) {
    complain('Deprecation', `with Deprecation: ${deprecation}, which is not @ and seconds (RFC 9745)`)
  }
  if (sunset !== undefined) {
    const date = new Date(sunset).toUTCString()
    if (written === undefined) complain('Sunset', `without Sunset; documented is ${date}`)
    else if (Date.parse(written) !== sunset) complain('Sunset', `with Sunset: ${written}; documented is ${date}`)
  }
  if (successor && !successor.path.includes('{')) {
    const isNamed = link !== undefined && /rel="?[^";,]*successor-version/.test(link)
    if (!isNamed) complain('Link', `without a Link to the successor-version, which is ${successor.path}`)
    else if (!link.includes(successor.path)) complain('Link', `with Link: ${link}; the successor is ${successor.path}`)
  }
  return complaints
}
