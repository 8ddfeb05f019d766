/** Servers of Redis for tests, on free ports of this machine, with their files in temporary folders. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export const hasRedis: boolean = isInstalled()

export interface RedisServer {
  port: number
  /** `redis://127.0.0.1:6379` */
  url: string
  /** Ends the process with a signal, and waits until it has ended. The files stay. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts the server again, with the same port and files. */
  start(): Promise<void>
  /** Sends a command on a connection of its own. */
  command(name: string, ...parameters: string[]): Promise<unknown>
  /** Ends the process, and removes the files. */
  remove(): Promise<void>
}

/** @param settings in addition to those that keep the server on this machine, such as `--appendonly yes` */
export async function startRedis(settings: readonly string[] = ['--save', '']): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  async function command(name: string, ...parameters: string[]): Promise<unknown> {
    const redis = new Redis({ port, retryStrategy: null, protocol: 2 })
    redis.on('error', () => undefined)
    try {
      return await redis.call(name, parameters)
    } finally {
      redis.disconnect()
    }
  }

  async function start(): Promise<void> {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--daemonize', 'no']
    child = spawn('redis-server', [...own, ...settings], { stdio: 'ignore' })
    const started = child
    for (;;) {
      const answer = await command('ping').catch((error) => (/NOAUTH/.test(error.message) ? 'PONG' : undefined))
      if (answer === 'PONG') return
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`)
    }
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    command,
    async remove() {
      await stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
