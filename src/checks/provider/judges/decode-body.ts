/** Decodes the body of a response: its content codings, then its characters. Both are bounded. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'

/** A body that cannot be read. */
export class CodingError extends Error {}

/** A body in a content coding that this program does not know. */
export class UnknownCodingError extends CodingError {}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

/** RFC 9110, section 8.4.1. Some servers send `deflate` without the zlib format around it. */
const codings = new Map<string, Decode[]>([
  ['gzip', [promisify(gunzip)]],
  ['x-gzip', [promisify(gunzip)]],
  ['deflate', [promisify(inflate), promisify(inflateRaw)]],
  ['br', [promisify(brotliDecompress)]],
  ['identity', [async (bytes) => bytes]],
])

/** Maximum number of codings to decode, so that a small body does not take long. */
const maxCodings = 3

/**
 * @param encoding value of `Content-Encoding`
 * @param maxBytes limit for the decoded body
 * @returns undefined if the decoded body is longer
 * @throws CodingError
 */
export async function decodeContent(
  bytes: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const applied = names.filter((name) => name !== '').reverse()
  // A response to HEAD has no body, whatever its headers say.
  if (bytes.length === 0) return bytes
  if (applied.length > maxCodings) throw new CodingError(`a body with ${applied.length} content codings`)
  let decoded: Uint8Array | undefined = bytes
  for (const name of applied) {
    const decoders = codings.get(name)
    if (!decoders) throw new UnknownCodingError(`the unknown content coding "${name}", which was not requested`)
    decoded = decoded && (await tryDecoders(decoders, name, decoded, maxBytes))
  }
  return decoded
}

async function tryDecoders(
  decoders: readonly Decode[],
  name: string,
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array | undefined> {
  let why = ''
  for (const decode of decoders) {
    try {
      return await decode(bytes, { maxOutputLength })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ERR_BUFFER_TOO_LARGE') return undefined
      why = message
    }
  }
  throw new CodingError(`a body that is not ${name}, which its Content-Encoding says (${why})`)
}

/** Reads bytes as UTF-8. */
export function decodeText(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true }
  } catch {
    return { text: new TextDecoder().decode(bytes), isUtf8: false }
  }
}
