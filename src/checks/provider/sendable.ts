/** Which headers a client can send. Undici refuses the others, and then no longer answers after several of them. */
import type { ProviderRequest } from './request-draft.js'

/** A request that no client can send. */
export class UnsendableError extends Error {}

/** RFC 9110, section 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** RFC 9110, section 5.5. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers that a client writes itself, as they are about the connection or the length (RFC 9110, section 7.6.1). */
const ofConnection = new Set(
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/** Whether a parameter may have this name in a header or cookie. */
export function isSendableName(place: 'header' | 'cookie', name: string): boolean {
  return token.test(name) && !(place === 'header' && ofConnection.has(name.toLowerCase()))
}

/** @throws UnsendableError */
export function checkSendable({ headers }: ProviderRequest): void {
  for (const [name, value] of headers) {
    if (!isSendableName('header', name)) throw new UnsendableError(`a client can't choose the header "${name}"`)
    if (!fieldValue.test(value)) throw new UnsendableError(`the value of "${name}" has characters that no header has`)
  }
}
