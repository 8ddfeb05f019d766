/** Turns any result of the steps into a response that HTTP and `fetch` can send. */
import type { SandboxResponse } from '../request/request.js'

/** A header name (RFC 9110, section 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** Visible ASCII, spaces and tabs (RFC 9110, section 5.5). */
const fieldValue = /^[\x20-\x7e\t]*$/
/** Responses without a body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const withoutBody = [204, 205, 304]

/**
 * Makes a response that can be sent, and never throws: percent-encodes what a header value cannot hold, leaves out a
 * header whose name is invalid, drops a body that the status forbids, and puts 500 in place of an invalid status.
 *
 * @param checked headers that `toSendableHeaders` returned
 *
 * @example toSendable({ status: 204, headers: { 'X-Name': 'Žofie' }, body: '{}' })
 * // { status: 204, headers: { 'X-Name': '%C5%BDofie' }, body: undefined }
 */
export function toSendable(response: SandboxResponse, checked?: SandboxResponse['headers']): SandboxResponse {
  const { status } = response
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599
  const isBodiless = withoutBody.includes(status) && response.body !== undefined
  const headers = response.headers === checked ? checked : toSendableHeaders(response.headers)
  if (!isStatus) return { ...response, headers, status: 500 }
  if (!isBodiless) return headers === response.headers ? response : { ...response, headers }
  const { 'Content-Type': _, ...others } = headers
  return { ...response, headers: others, body: undefined, bytes: undefined }
}

/** Makes headers that can be sent. Returns the same object if nothing has to change. */
export function toSendableHeaders(headers: SandboxResponse['headers']): SandboxResponse['headers'] {
  for (const name in headers) {
    if (!fieldValue.test(headers[name] ?? '') || !token.test(name)) return encodeHeaders(headers)
  }
  return headers
}

function encodeHeaders(headers: SandboxResponse['headers']): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => token.test(name))
  return Object.fromEntries(named.map(([name, value]) => [name, encodeHeaderValue(value)]))
}

/** Percent-encodes every character that a header value must not contain (RFC 3986, section 2.1). */
export function encodeHeaderValue(value: string): string {
  return value.toWellFormed().replace(/[^\x20-\x7e\t]/gu, encodeURIComponent)
}

/** Whether a text can be the name of a header. */
export function isToken(name: string): boolean {
  return token.test(name)
}

type Headers = SandboxResponse['headers']

export type IsolateContent = (headers: Headers, mediaType: string | undefined) => Headers

/**
 * Types that browsers render with scripts (HTML, XML, SVG), types that contain such parts (multipart), and types that browsers
 * sniff (WHATWG MIME Sniffing, sections 7 and 7.1), which includes any text that is not a media type.
 */
const rendered =
  // biome-ignore lint/plugin: media types, which do not depend on the document
  /^(?![\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$))|html|xml|xsl|^\s*(multipart\/|text\/plain|(application\/)?unknown)/i

const policy = 'sandbox allow-scripts allow-forms allow-popups allow-downloads'

/**
 * Adds headers that give content of these types, or without a type, an opaque origin. A documented policy stays: browsers
 * apply all policies.
 *
 * @see Content Security Policy Level 3, section 6.3.2 (sandbox)
 * @example isolateContent({ 'Content-Type': 'text/html' }, 'text/html') // …, 'Content-Security-Policy': 'sandbox allow-scripts …'
 */
export const isolateContent: IsolateContent = (headers, mediaType = '') => {
  if (mediaType === 'application/json' || !rendered.test(mediaType)) return headers
  const isPolicy = (name: string) => /^content-security-policy$/i.test(name)
  const documented = Object.keys(headers)
    .filter(isPolicy)
    .map((name) => headers[name])
  const others = Object.entries(headers).filter(([name]) => !isPolicy(name) && !/^x-content-type-options$/i.test(name))
  return {
    ...Object.fromEntries(others),
    'Content-Security-Policy': [...documented, policy].join(', '),
    'X-Content-Type-Options': 'nosniff',
  }
}
