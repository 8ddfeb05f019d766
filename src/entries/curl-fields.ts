/** Writes a multipart body as options of curl, because lines that end as HTTP wants them are lost when they are copied. */
import { toParameters } from '../media/media-type-parameters.js'
import { type MultipartPart, parseMultipart } from '../media/parse-multipart.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * @returns names and values of options in turn; undefined for other bodies, and for fields that curl cannot send
 * @example toCurlFields('multipart/form-data; boundary=x', body) // ['--form-string', 'name=Rex', '-F', 'file=a;filename=b']
 */
export function toCurlFields(contentType: string | undefined, body: string | undefined): string[] | undefined {
  const boundary = toParameters(contentType ?? '').get('boundary')
  if (body === undefined || !boundary || !/^multipart\/form-data\b/i.test(contentType ?? '')) return undefined
  const parts = parseMultipart(new TextEncoder().encode(body), boundary)
  const canSend = ({ name, filename = '' }: MultipartPart) => !/[=\0]/.test(name) && !filename.includes('\0')
  if (parts.length === 0 || !parts.every(canSend) || body.includes('\0')) return undefined
  return parts.flatMap(toOption)
}

function toOption({ name, bytes, type, filename }: MultipartPart): [option: string, value: string] {
  const text = utf8.decode(bytes)
  if (type === undefined && filename === undefined) return ['--form-string', `${name}=${text}`]
  const parameters = { filename, type }
  const written = Object.entries(parameters).flatMap(([key, each]) =>
    each === undefined ? [] : `;${key}=${toWord(each)}`,
  )
  return ['-F', `${name}=${toWord(text)}${written.join('')}`]
}

/** In quotes if curl would read it in another way: as a file, or as several parameters. */
function toWord(text: string): string {
  return /^[^\s@<",;\\]([^",;\\\r\n]*[^\s",;\\])?$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
