/** Writes a request with a body of any kind as a curl command. */
import type { WrittenRequest } from '../api-types.js'
import { toCurl } from '../requests/replay.js'
import type { Part, SentBody } from './sent-body.js'

/** A request, and the body that it was sent with. */
export type SentRequest = Omit<WrittenRequest, 'body'> & { body: SentBody | undefined }

export function toCurlOf({ body, ...request }: SentRequest): string {
  if (!body || 'text' in body) return toCurl({ ...request, body: body?.text })
  const options =
    'file' in body ? [`--data-binary ${quote(`@${body.file.name}`)}`] : body.parts.map((part) => `-F ${toField(part)}`)
  // These options alone make it a POST.
  const { method } = request
  const command = toCurl({ ...request, method: 'GET', body: undefined })
  return [command, ...(method === 'POST' ? [] : [`-X ${method}`]), ...options].join(' ')
}

function toField(part: Part): string {
  if ('file' in part) {
    const type = part.file.type === '' ? '' : `;type=${part.file.type}`
    return quote(`${part.name}=@${toWord(part.file.name)}${type}`)
  }
  const { name, text, filename, type } = part
  const parameters = Object.entries({ filename, type }).filter(([, value]) => value !== undefined)
  return quote([`${name}=${toWord(text)}`, ...parameters.map(([key, value]) => `${key}=${value}`)].join(';'))
}

/** In quotes if curl would read it in another way: as a file, or as several parameters. */
function toWord(text: string): string {
  return text === '' || /^[^\s@<",;\\]([^",;\\\r\n]*[^\s",;\\])?$/.test(text)
    ? text
    : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
