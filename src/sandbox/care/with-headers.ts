/** Sets headers of answers. */
import type { Answer } from '../outcome.js'

/** The answer with further headers, each in place of one with the same name in whatever case (RFC 9110, section 5.1). */
export function withHeaders(answer: Answer, added: Readonly<Record<string, string>>): Answer {
  const headers = { ...answer.headers }
  for (const [name, value] of Object.entries(added)) {
    const known = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase())
    headers[known ?? name] = value
  }
  return { ...answer, headers }
}
