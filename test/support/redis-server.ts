/** Servers of Redis for tests, on free ports of this machine, with their files in temporary folders. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export const hasRedis: boolean = isInstalled('redis-server', '--version')
export const hasOpenssl: boolean = isInstalled('openssl', 'version')

export interface RedisServer {
  port: number
  /** Undefined without a certificate. */
  tlsPort: number | undefined
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

/**
 * @param settings in addition to those that keep the server on this machine, such as `--appendonly yes`
 * @param tls files with which the server also accepts TLS
 */
export async function startRedis(
  settings: readonly string[] = ['--save', ''],
  tls?: { key: string; certificate: string },
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-redis-'))
  const port = await freePort()
  const tlsPort = tls && (await freePort())
  const encrypted = tls
    ? ['--tls-port', String(tlsPort), '--tls-cert-file', tls.certificate, '--tls-key-file', tls.key]
    : []
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
    child = spawn('redis-server', [...own, ...settings, ...encrypted, ...(tls ? ['--tls-auth-clients', 'no'] : [])], {
      stdio: 'ignore',
    })
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
    tlsPort,
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

function isInstalled(program: string, parameter: string): boolean {
  try {
    execFileSync(program, [parameter], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
