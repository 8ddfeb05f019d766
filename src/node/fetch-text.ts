/** Requests text files that users specify by their URL. */

const timeoutMs = 20_000
const maxMebibytes = 64

export interface FetchedText {
  text: string
  /** The final URL after redirects. */
  location: string
}

/**
 * Requests a URL of http or https. Credentials in the URL are sent as basic authentication. Follows redirects.
 * @throws Error whose message says why, and what to do
 */
export async function fetchText(address: string): Promise<FetchedText> {
  const url = new URL(address)
  const headers: Record<string, string> = { Accept: 'application/yaml, application/json, text/yaml;q=0.9, */*;q=0.5' }
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  // Also ends an endless body.
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { headers, signal })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(
        `the server answered ${`${response.status} ${response.statusText}`.trim()}; ${adviceFor(response.status)}`,
      )
    }
    return { text: decodeText(await readBody(response)), location: response.url }
  } catch (error) {
    throw new Error(reasonFor(error as Error))
  }
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    const chunk = read.value
    size += chunk.length
    if (size > maxMebibytes * 1024 ** 2) throw new Error(`it has more than ${maxMebibytes} MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const save = 'save the file and give its path'

function adviceFor(status: number): string {
  return status === 401 || status === 403
    ? `it needs credentials: ${save}`
    : `open it in a browser to check it, or ${save}`
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
}

/** The reason of `fetch` is in the cause of its error. */
function reasonFor(error: Error): string {
  if (error.name === 'TimeoutError') return `it did not arrive within ${timeoutMs / 1000} seconds; ${save}`
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  if (error.name !== 'TypeError') return error.message
  const why = (code === undefined ? undefined : reasons[code]) ?? message ?? error.message
  return `${why}; check the address, or ${save}`
}

/**
 * Decodes UTF-8 and UTF-16, which YAML 1.2 detects (section 5.2) by the byte order mark or by the zero byte of an ASCII
 * character.
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for other bytes
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  return 'utf-8'
}
