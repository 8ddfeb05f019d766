/**
 * A connection to Redis that never sends anything twice. While it is down, calls wait for a short time; a call that is
 * under way when it is lost rejects.
 */
import { Redis } from 'ioredis'
import { toUrlHost } from '../contract/http/url-host.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { RedisAddress } from './redis-address.js'
import type { Script } from './redis-scripts.js'

export interface RedisOptions {
  /** How long the start waits for a server, in milliseconds. @default 5000 */
  startWithin?: number | undefined
  /** How long a call waits for a connection that is down, in milliseconds. @default 2000 */
  waitFor?: number | undefined
  /** A connection without an answer to its calls for this time counts as lost, in milliseconds. @default 5000 */
  answerWithin?: number | undefined
}

/** A call that waits until the connection is there. */
interface Waiting {
  go(): void
  fail(error: Error): void
}

/** What the `INFO` of a server says. */
type ServerInfo = Record<string, string | undefined>

/** Pause between two looks at a server that loads its data, in milliseconds. */
const loadingPause = 50
/** Errors of servers that no repetition changes. */
const refusals = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH|DB index|invalid DB))/

const certificateErrors = /CERT|^UNABLE_TO_(VERIFY|GET)/

export class RedisConnection {
  /** `host:port` */
  readonly name: string
  /**
   * Identifies the run of the server: another one after a restart or failover, which may have lost what was committed
   * last. Empty if the server does not say.
   */
  run = ''
  readonly #redis: Redis
  readonly #waitFor: number
  readonly #waiting = new Set<Waiting>()
  #isReady = false
  #isClosed = false
  /** Why the connection is not there. */
  #why = 'no answer yet'
  /** Called with each greeting, and with refusals. Only the start listens. */
  #onStart: { greeted(info: ServerInfo): void; refused(what: string): void } | undefined

  private constructor(address: RedisAddress, { waitFor = 2000, answerWithin = 5000 }: RedisOptions) {
    const { host, port, isEncrypted, username, password, db } = address
    this.name = `${toUrlHost(host)}:${port}`
    this.#waitFor = waitFor
    this.#redis = new Redis({
      host,
      port,
      db,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(isEncrypted && { tls: {} }),
      connectionName: 'petstore-sandbox',
      disableClientInfo: true,
      protocol: 2,
      lazyConnect: true,
      connectTimeout: 2000,
      socketTimeout: answerWithin,
      enableOfflineQueue: false,
      // `#greet` looks itself, because it needs more of the answer.
      enableReadyCheck: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (tries) => Math.min(25 * 2 ** tries, 500),
      // After a failover, the server that was asked until now may only be read.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    })
    this.#redis.on('ready', () => void this.#greet())
    this.#redis.on('close', () => {
      this.#isReady = false
    })
    this.#redis.on('error', (error) => this.#failed(error))
  }

  /**
   * @throws SandboxError `CANNOT_REACH` if no server answers in time, `INVALID_OPTION` if it refuses the password or
   * database, has a certificate of an unknown authority, is too old, or removes data when its memory is full
   */
  static async open(address: RedisAddress, options: RedisOptions): Promise<RedisConnection> {
    const { startWithin = 5000 } = options
    const connection = new RedisConnection(address, options)
    try {
      const info = await connection.#start(startWithin)
      checkServer(info, connection.name)
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /**
   * Calls a function that sends commands, as soon as the connection is there.
   * @throws SandboxError `STORE_UNAVAILABLE` if there is no connection in time, if it is lost before the answer, or if the
   * answer is an error
   */
  async send<T>(commands: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.#isReady) await this.#untilReady()
    try {
      return await commands(this.#redis)
    } catch (error) {
      throw unavailable(this.name, this.#toReason(error as Error))
    }
  }

  /**
   * Runs a script. The server gets its text only if it does not have it.
   * @throws SandboxError like `send`
   */
  script(
    script: Script,
    toKeysAndValues: () => { keys: readonly string[]; values: readonly string[] },
  ): Promise<unknown> {
    return this.send(async (redis) => {
      const { keys, values } = toKeysAndValues()
      const parameters = [String(keys.length), ...keys, ...values]
      try {
        return await redis.call('EVALSHA', [script.hash, ...parameters])
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
        return await redis.call('EVAL', [script.text, ...parameters])
      }
    })
  }

  /** Waits for the answers to all calls, and ends the connection. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#why = 'it is closed'
    const isReady = this.#isReady
    this.#isReady = false
    for (const { fail } of this.#waiting) fail(unavailable(this.name, this.#why))
    // A connection that is lost in the meantime is closed, too.
    if (isReady) await this.#redis.quit().catch(() => undefined)
    this.#redis.disconnect()
  }

  #start(startWithin: number): Promise<ServerInfo> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const why = `no Redis answered within ${startWithin / 1000} s (${this.#why})`
        reject(new SandboxError('CANNOT_REACH', `Failed to open the store at ${this.name}: ${why}. ${startIt}`))
      }, startWithin)
      this.#onStart = {
        greeted: (info) => {
          clearTimeout(timer)
          this.#onStart = undefined
          resolve(info)
        },
        refused: (what) => {
          clearTimeout(timer)
          this.#onStart = undefined
          reject(refused(this.name, `no connection is possible (${this.#why})`, what))
        },
      }
      this.#redis.connect().catch(() => undefined)
    })
  }

  /** Waits until the server has loaded its data, and lets calls through. */
  async #greet(): Promise<void> {
    try {
      const info = await this.#info()
      this.run = info.run_id?.slice(0, 12) ?? ''
      this.#isReady = true
      this.#onStart?.greeted(info)
      for (const { go } of this.#waiting) go()
    } catch (error) {
      this.#failed(error as Error)
      if (!this.#isClosed) this.#redis.disconnect(true)
    }
  }

  async #info(): Promise<ServerInfo> {
    for (;;) {
      const lines = (await this.#redis.info()).split('\r\n')
      const info: ServerInfo = Object.fromEntries(lines.map((line) => line.split(/:(.*)/, 2)))
      if (info.loading !== '1') return info
      this.#why = 'it loads its data'
      await new Promise((resolve) => setTimeout(resolve, loadingPause))
    }
  }

  #failed(error: Error): void {
    if (this.#isClosed) return
    const { code = '' } = error as NodeJS.ErrnoException
    this.#why = error.message || code || error.name
    if (refusals.test(this.#why)) this.#onStart?.refused(checkAddress)
    if (certificateErrors.test(code)) this.#onStart?.refused(nameAuthority)
  }

  #untilReady(): Promise<void> {
    if (this.#isClosed) throw unavailable(this.name, this.#why)
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        settled()
      }
      const waiting: Waiting = { go: () => settle(resolve), fail: (error) => settle(() => reject(error)) }
      const late = () =>
        waiting.fail(unavailable(this.name, `no connection for ${this.#waitFor / 1000} s (${this.#why})`))
      const timer = setTimeout(late, this.#waitFor)
      this.#waiting.add(waiting)
    })
  }

  /** An error of the server keeps its message. All others are about the connection. */
  #toReason(error: Error): string {
    if (error instanceof SandboxError) return error.message
    return error.name === 'ReplyError' ? error.message : `the connection was lost before the answer (${this.#why})`
  }
}

const startIt = 'Start Redis 6.2 or later, or Valkey, there, or give another address'
const nameAuthority = 'Give a host that is in its certificate, and the file of its authority in NODE_EXTRA_CA_CERTS'
const checkAddress = 'Check the user, password and database of the address'
const oldestVersion = [6, 2] as const

/** @throws SandboxError `INVALID_OPTION` */
function checkServer(info: ServerInfo, name: string): void {
  const { redis_version: version, maxmemory, maxmemory_policy: policy } = info
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  if (version && (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])))
    throw refused(name, `its version is ${version}`, 'Use Redis 6.2 or later, or Valkey')
  if (maxmemory !== '0' && policy?.startsWith('allkeys'))
    throw refused(
      name,
      `it removes any data when its memory is full (maxmemory-policy ${policy})`,
      'Set maxmemory-policy to noeviction, or use another server',
    )
}

function refused(name: string, why: string, what: string): SandboxError {
  return new SandboxError('INVALID_OPTION', `Failed to open the store at ${name}: ${why}. ${what}`)
}

function unavailable(name: string, why: string): SandboxError {
  return new SandboxError('STORE_UNAVAILABLE', `Failed to use the store at ${name}: ${why}`)
}
