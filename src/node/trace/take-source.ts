/** Takes `Sandbox-Source` out of a request, before anything judges, keeps or shows it: it is about the consumer's code. */
import type { IncomingMessage } from 'node:http'

/** The name of the header, in lower case. */
const header = 'sandbox-source'
/** Characters that are kept of it. The loader sends at most 1024, so a longer one counts as malformed. */
const maxLength = 1025

/** The value of the header; of several, the last one. Undefined without it. */
export function takeSource(incoming: IncomingMessage): string | undefined {
  const { rawHeaders } = incoming
  let source: string | undefined
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== header.length || name.toLowerCase() !== header) continue
    const [, value = ''] = rawHeaders.splice(index, 2)
    source ??= value.slice(0, maxLength)
    // They may have been read before.
    delete incoming.headers[header]
  }
  return source
}
