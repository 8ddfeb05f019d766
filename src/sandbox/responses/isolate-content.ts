/** Keeps scripts in stored or documented content away from the origin of the sandbox, and so from its control API. */
import type { SandboxResponse } from '../request/request.js'

type Headers = SandboxResponse['headers']

export type IsolateContent = (headers: Headers, mediaType: string | undefined) => Headers

/**
 * Types that browsers render with scripts (HTML, XML, SVG), that contain such parts (multipart), and those whose content they
 * sniff (WHATWG MIME Sniffing, sections 7 and 7.1), among them whatever is no media type.
 */
const rendered =
  // biome-ignore lint/plugin: media types, which do not depend on the document
  /^(?![\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$))|html|xml|xsl|^\s*(multipart\/|text\/plain|(application\/)?unknown)/i

const policy = 'sandbox allow-scripts allow-forms allow-popups allow-downloads'

/**
 * Adds headers that give content of these types, or of none, an opaque origin, beside any documented policy: of several
 * policies, browsers apply all.
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
