/** Keeps scripts in stored or documented content out of the origin of the sandbox, and so away from its control API. */
import type { SandboxResponse } from '../request/request.js'

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
