/** Reads text files that users specify, by path or URL. */
import { constants, existsSync } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { Socket } from 'node:net'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { SandboxError } from '../contract/sandbox-error.js'

const maxMebibytes = 256
const maxFetchedMebibytes = 64
const timeoutMs = 20_000

/**
 * Reads a file in UTF-8 or UTF-16, or a pipe that this process has inherited, such as `/dev/stdin`. Refuses other pipes,
 * which may wait for a writer forever.
 * @throws SandboxError `UNREADABLE_FILE`
 */
export async function readTextFile(path: string): Promise<string> {
  try {
    return decodeText(await readBytes(path, true))
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException)
  }
}

/**
 * Reads a file, or requests a URL of http or https.
 * @param isReferred whether another file names it, so it must not be a pipe
 * @throws SandboxError `UNREADABLE_FILE`
 */
export async function readText(location: string, isReferred = false): Promise<FetchedText> {
  try {
    if (/^https?:/i.test(location)) return await fetchText(location)
    const path = /^file:/i.test(location) ? fileURLToPath(location) : location
    return { text: decodeText(await readBytes(path, !isReferred)), location: path }
  } catch (error) {
    throw unreadable(withoutCredentials(location), error as NodeJS.ErrnoException, isReferred)
  }
}

function unreadable(location: string, { code = '', message }: NodeJS.ErrnoException, isReferred = false): SandboxError {
  const advice = isReferred ? '' : (remedies[code] ?? '')
  return new SandboxError('UNREADABLE_FILE', `Failed to read "${location}": ${reasons[code] ?? message}${advice}`)
}

/** A URL without its user and password. */
function withoutCredentials(location: string): string {
  return location.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
}

const inheritedPipe = /^\/dev\/(?:stdin|fd\/(\d+))$/

/** Whether a path is that of an inherited pipe or device, which can be read only once. */
export function isInherited(path: string): boolean {
  return inheritedPipe.test(path)
}

async function readBytes(path: string, mayBePipe: boolean): Promise<Buffer> {
  // Does not wait for a writer of a pipe, or for data of a file such as /proc/kmsg.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const silence = new AbortController()
  // A busy machine may read a large file slowly.
  const timer = setTimeout(() => silence.abort(), timeoutMs)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of await openStream(file, path, mayBePipe, silence.signal)) {
      timer.refresh()
      size += chunk.length
      if (size > maxMebibytes * 1024 ** 2) throw new Error(`it has more than ${maxMebibytes} MiB`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(timer)
    await file.close()
  }
}

async function openStream(file: FileHandle, path: string, mayBePipe: boolean, signal: AbortSignal): Promise<Readable> {
  const found = await file.stat()
  if (found.size > maxMebibytes * 1024 ** 2) throw new Error(`it has more than ${maxMebibytes} MiB`)
  if (found.isFile() || found.isDirectory())
    return file.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false, signal })
  const [inherited, number = '0'] = inheritedPipe.exec(path) ?? []
  // Unlike a file, a socket does not occupy a thread, which would delay the end of this process.
  if (mayBePipe && found.isFIFO() && inherited) return addAbortSignal(signal, new Socket({ fd: Number(number) }))
  throw new Error('it is not an ordinary file')
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EAGAIN: 'it has no data yet',
  ABORT_ERR: `it gave no data for ${timeoutMs / 1000} s`,
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
}

const remedies: Record<string, string> = {
  ENOENT: '. Check the path: it begins in the folder in which the program was started',
  EISDIR: '. Name a file in it',
  EACCES: '. Change its permissions, or copy it',
  ERR_ENCODING_INVALID_ENCODED_DATA: '. Save it as UTF-8',
}

export interface FetchedText {
  text: string
  /** The final URL after redirects. */
  location: string
}

/**
 * Requests a URL of http or https. Credentials in the URL are sent as basic authentication. Follows redirects.
 * @throws Error whose message says why, and what to do
 */
async function fetchText(address: string): Promise<FetchedText> {
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
    return { text: decodeText(await readResponse(response)), location: response.url }
  } catch (error) {
    throw new Error(reasonFor(error as Error))
  }
}

async function readResponse(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    const chunk = read.value
    size += chunk.length
    if (size > maxFetchedMebibytes * 1024 ** 2) throw new Error(`it has more than ${maxFetchedMebibytes} MiB`)
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

const fetchReasons: Record<string, string> = {
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
  const why = (code === undefined ? undefined : fetchReasons[code]) ?? message ?? error.message
  return `${why}; check the address, or ${save}`
}

/**
 * Decodes UTF-8 and UTF-16, which YAML 1.2 detects (section 5.2) by the byte order mark or by the zero byte of an ASCII
 * character.
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for other bytes
 */
function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  return 'utf-8'
}

/**
 * Creates a function that rejects files outside of the folder of a document and of its repository, which is the nearest
 * folder with `.git`. Without a repository, the limit is the common folder of the document and the working directory, unless
 * that contains the home folder, where credentials are kept.
 * @param document the path of the document
 * @returns a function that rejects with SandboxError `UNREADABLE_FILE`
 */
export function createOutsideCheck(document: string): (location: string) => Promise<void> {
  const own = dirname(/^file:/i.test(document) ? fileURLToPath(document) : resolve(document))
  const widest = findAbove(own, (folder) => existsSync(join(folder, '.git'))) ?? findCommon(own)
  return async (location) => {
    const [path, ...allowed] = await Promise.all([location, own, widest].map(toReal))
    // The reader handles missing files and URLs.
    if (path === undefined || allowed.some((folder) => folder !== undefined && isWithin(path, folder))) return
    const why = `a file outside of "${widest}" is read only with --allow-outside-refs`
    throw new SandboxError('UNREADABLE_FILE', `Failed to read "${location}": ${why}`)
  }
}

function findCommon(own: string): string {
  const common = findAbove(own, (folder) => isWithin(process.cwd(), folder))
  return common === undefined || isWithin(homedir(), common) ? own : common
}

/** The innermost matching folder of a path. */
function findAbove(path: string, fits: (folder: string) => boolean): string | undefined {
  if (fits(path)) return path
  const folder = dirname(path)
  return folder === path ? undefined : findAbove(folder, fits)
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The path without symbolic links. */
function toReal(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}
