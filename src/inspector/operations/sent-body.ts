/** A request that the page sends: its body is text, a file, or the parts of a multipart body. */
import type { WrittenRequest } from '../api-types.js'
import { toCurlLine } from '../requests/replay.js'

/** A request with the body that was sent. */
export type SentRequest = Omit<WrittenRequest, 'body'> & { body: SentBody | undefined }

export type SentBody = { text: string } | { file: File } | { parts: Part[] }

/** A text with a type, or a chosen file. */
export type Part = { name: string; text: string; type?: string; filename?: string } | { name: string; file: File }

/**
 * Splits the multipart body that the sandbox wrote.
 * @param contentType the content type with the boundary
 */
export function readParts(body: string, contentType: string): Part[] {
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(contentType) ?? []
  const written = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  return written.map((part) => {
    const end = part.indexOf('\r\n\r\n')
    const head = part.slice(0, end)
    const find = (pattern: RegExp) => pattern.exec(head)?.[1]
    const name = decodeName(find(/ name="([^"]*)"/) ?? '')
    const type = find(/Content-Type: (.*)/)
    const text = part.slice(end + 4)
    const typed = {
      name,
      text,
      ...(type !== undefined && { type: type.replace('application/octet-stream', 'text/plain') }),
    }
    return / filename="/.test(head) ? { ...typed, filename: 'sample.txt' } : typed
  })
}

/** The sandbox encodes only these characters (WHATWG HTML, "multipart/form-data"). */
function decodeName(name: string): string {
  return name.replace(/%(22|0D|0A)/g, decodeURIComponent)
}

/** Replaces samples by the chosen files. */
export function withFiles(parts: Part[], files: Record<string, File[]>): Part[] {
  return parts.flatMap((part, index) => {
    const { [part.name]: chosen = [] } = files
    if (chosen.length === 0) return [part]
    const isFirst = parts.findIndex(({ name }) => name === part.name) === index
    return isFirst ? chosen.map((file) => ({ name: part.name, file })) : []
  })
}

export function toFetchBody(body: SentBody): BodyInit {
  if ('text' in body) return body.text
  if ('file' in body) return body.file
  const form = new FormData()
  for (const part of body.parts) {
    const { name } = part
    if ('file' in part) form.append(name, part.file)
    else if (part.filename !== undefined) form.append(name, toBlob(part), part.filename)
    else form.append(name, part.type === undefined ? part.text : toBlob(part))
  }
  return form
}

function toBlob({ text, type = 'text/plain' }: { text: string; type?: string }): Blob {
  return new Blob([text], { type })
}

export function toCurlOf({ body, ...request }: SentRequest): string {
  if (!body || 'text' in body) return toCurlLine({ ...request, body: body?.text })
  if ('file' in body) return toCurlLine({ ...request, body: { file: body.file.name } })
  const parts = body.parts.map((part) => {
    if (!('file' in part)) return part
    const { name, type } = part.file
    return { name: part.name, file: name, type: type === '' ? undefined : type }
  })
  return toCurlLine({ ...request, body: { parts } })
}
