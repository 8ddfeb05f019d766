/** Files with which processes claim a database: each has one of its own beside it, which shows whether its process still runs. */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two signs of life of a claim. */
const beatMs = 1000
/** Milliseconds in which a process that is not busy accepts a connection. */
const connectMs = 2000
/** Codes of errors if nobody listens. A connection is reset if its process ended before it was accepted. */
const refusals: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT'])
/** Opens a file of any kind only to name it. */
const pathOnly = 0o10000000

/** The claim of this process. */
export interface OwnClaim {
  name: string
  path: string
  release(): Promise<void>
}

/** What the name of a claim says. */
export interface Claim {
  name: string
  path: string
  /** Who can connect to it: only there does a refused connection mean that the process has ended. */
  reach: string
  id: string
  pid: string
  host: string
}

/** A claim of a process that runs, of one that has ended, or of one that only shows no sign of life. */
export type Life = 'alive' | 'ended' | 'silent'

/**
 * Claims a database. Where possible, the claim is a local socket: all containers of a machine that share the folder can connect
 * to it, and the system refuses connections when the process has ended. Elsewhere it is an empty file, and the socket has a name.
 */
export async function makeClaim(path: string): Promise<OwnClaim> {
  const time = Date.now().toString(36).padStart(9, '0')
  const id = randomBytes(6).toString('hex')
  const host = hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 64)
  const toName = (reach: string) => `${basename(path)}.owner-${[time, id, reach, process.pid, host].join('-')}`
  let name = toName(reachOf('socket'))
  let server = await listenInFolder(path, name, id)
  if (!server) {
    name = toName(reachOf('name'))
    server = await listen(addressOf(id))
    writeFileSync(join(dirname(path), name), '', { flag: 'wx' })
  }
  const claim = join(dirname(path), name)
  const timer = setInterval(() => beat(claim), beatMs).unref()
  return {
    name,
    path: claim,
    async release() {
      clearInterval(timer)
      await close(server)
      rmSync(claim, { force: true })
    },
  }
}

/** All claims of a database. */
export function claimsOf(path: string): Claim[] {
  const start = `${basename(path)}.owner-`
  return readdirSync(dirname(path)).flatMap((name) => {
    if (!name.startsWith(start)) return []
    const [, id, reach, pid, ...host] = name.slice(start.length).split('-')
    if (id === undefined || reach === undefined || pid === undefined) return []
    return { name, path: join(dirname(path), name), id, reach, pid, host: host.join('-') }
  })
}

/**
 * Whether the process of a claim runs. If no connection can tell, its claim is watched.
 * @param onWatch called before that
 */
export async function lifeOf(claim: Claim, watchMs: number, onWatch: () => void): Promise<Life> {
  const before = timeOf(claim)
  if (before === undefined) return 'ended'
  const isSocket = !statSync(claim.path, { throwIfNoEntry: false })?.isFile()
  const answer = isSocket ? await askSocket(claim.path) : await ask(addressOf(claim.id))
  if (answer === 'accepted') return 'alive'
  if (answer === 'refused' && claim.reach === reachOf(isSocket ? 'socket' : 'name')) return 'ended'
  if (timeOf(claim) === undefined) return 'ended'
  onWatch()
  for (const until = performance.now() + watchMs; performance.now() < until; ) {
    await wait(Math.min(100, watchMs / 5))
    const time = timeOf(claim)
    if (time === undefined) return 'ended'
    // Clocks of two machines may differ, so only a change counts.
    if (time !== before) return 'alive'
  }
  return 'silent'
}

function timeOf({ path }: Claim): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function beat(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // The owner notices a missing claim with its next commit.
  }
}

/** Identifies the machine, and for sockets with names the part of it that shares the names. */
function reachOf(kind: 'socket' | 'name'): string {
  const machine = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? hostname()
  const names = tryRead(() => readlinkSync('/proc/self/ns/net')) ?? `${hostname()} ${tmpdir()}`
  const parts = kind === 'socket' ? [kind, machine] : [kind, machine, names]
  return createHash('sha256').update(parts.join()).digest('hex').slice(0, 12)
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function addressOf(id: string): string {
  const name = `petstore-sandbox-${id}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

/** Returns undefined if there can be no socket in the folder. */
async function listenInFolder(path: string, name: string, id: string): Promise<Server | undefined> {
  if (process.platform === 'win32') return undefined
  const folder = openSync(dirname(path), 'r')
  // Until it listens, it refuses connections like one whose process has ended.
  const temporary = `.petstore-sandbox-${id}`
  // The path of a socket has at most 103 bytes, which this is a way around.
  const short = process.platform === 'linux' ? `/proc/self/fd/${folder}` : dirname(path)
  let server: Server | undefined
  try {
    if (join(short, temporary).length > 100) return undefined
    server = await listen(join(short, temporary))
    renameSync(join(dirname(path), temporary), join(dirname(path), name))
    return server
  } catch {
    await close(server)
    return undefined
  } finally {
    closeSync(folder)
  }
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', reject)
    server.listen(address, () => resolve(server.unref()))
  })
}

function close(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => (server ? void server.close(() => resolve()) : resolve()))
}

type Answer = 'accepted' | 'refused' | 'unknown'

async function askSocket(path: string): Promise<Answer> {
  if (process.platform !== 'linux') return ask(path)
  const socket = tryRead(() => openSync(path, pathOnly))
  if (socket === undefined) return 'unknown'
  try {
    return await ask(`/proc/self/fd/${socket}`)
  } finally {
    closeSync(socket)
  }
}

function ask(address: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(address)
    // A process that is stopped, or too busy to accept, still runs.
    const timer = setTimeout(() => end('accepted'), connectMs)
    const end = (answer: Answer) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end('accepted'))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EAGAIN') end('accepted')
      else end(refusals.has(String(code)) ? 'refused' : 'unknown')
    })
  })
}
