/** Lets one process own a file until it ends, however it ends. */
import { createHash } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Milliseconds in which an owner that is not busy says its process id. */
const patienceMs = 2000

export interface OwnerLock {
  release(): Promise<void>
}

/**
 * Takes a file. The lock is a local socket with a name made from the path: the system closes it when the process ends,
 * and its owner says who it is. Linux and Windows then forget the name. Elsewhere it is a file, which is removed if nobody answers.
 * @param path without symbolic links
 * @returns the process id of the owner as text if the file is taken, or `unknown` if the owner does not answer
 */
export async function takeOwnership(path: string): Promise<OwnerLock | string> {
  const address = toAddress(path)
  for (let attempt = 0; ; attempt++) {
    const server = await listen(address)
    if (server) return { release: () => new Promise((resolve) => void server.close(() => resolve())) }
    const owner = await askOwner(address)
    if (owner !== undefined) return owner
    if (attempt === 20) return 'unknown'
    if (isFile(address)) unlinkSync(address)
  }
}

function toAddress(path: string): string {
  const name = `petstore-sandbox-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

function isFile(address: string): boolean {
  return !/^[\0\\]/.test(address)
}

/** Returns undefined if the address is taken. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(String(process.pid))
    })
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(address, () => {
      server.unref()
      resolve(server)
    })
  })
}

/** Returns undefined if nobody answers because the owner has ended. */
function askOwner(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(address)
    const timer = setTimeout(() => end('unknown'), patienceMs)
    const end = (owner: string | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(owner)
    }
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => end(undefined))
    socket.on('close', () => end(answer === '' ? undefined : answer))
  })
}
