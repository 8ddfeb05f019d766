/**
 * Loaded into the processes of a consumer's command with `--import`: adds the consumer's stack to each request to the sandbox.
 * A file of its own in the package, as it must not slow the start of these processes. An error in it never reaches them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { relative, sep } from 'node:path'
import stream from 'node:stream'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import zlib from 'node:zlib'

const header = 'Sandbox-Source'
/** Maximum length of the header. The frames in the middle are dropped: the first is the call, the last one the test. */
const maxLength = 1024
/** Frames of undici, of a client library and of a test runner come before those of the consumer. */
const maxFrames = 100
/** Stacks whose source is kept. */
const maxKept = 10_000

/** An object with a stack, which is written as text when it is read. */
interface Traced {
  stack?: string
}

const { SANDBOX_URL: address, SANDBOX_TRACE_FOLDER: folder = process.cwd(), SANDBOX_TRACE_FILE: notes } = process.env
/** As it is now: tests may replace it. */
const { appendFileSync } = fs
/** Errors that this process has noted. */
let noted = 0
/** A process with more errors has the same one in each request. */
const maxNoted = 100

if (address !== undefined && URL.canParse(address)) attempt(() => trace(new URL(address), folder))

/** A request of undici, in different versions. */
interface UndiciRequest {
  origin: string | URL
  headers?: string | unknown[]
  addHeader(name: string, value: string): void
}

function trace({ port, hostname }: URL, root: string): void {
  const known = new Map<string, boolean>()
  const isSandbox = (origin: string) => {
    let is = known.get(origin)
    if (is === undefined) {
      const url = new URL(origin)
      is = url.port === port && isHere(bare(url.hostname))
      known.set(origin, is)
    }
    return is
  }
  /** A name of this machine, or the address of the sandbox. */
  const isHere = (host: string) => host === bare(hostname) || isName(host) || (isName(hostname) && isLoopback(host))
  /** Requests with a source whose head was not sent, with their headers before. */
  const unsent = new Map<UndiciRequest, UndiciRequest['headers']>()

  // Built-in `fetch` and the package undici publish this while the caller is still on the stack.
  subscribe('undici:request:create', (message) => {
    attempt(() => {
      const { request } = message as { request: UndiciRequest }
      const isTraced = isSandbox(String(request.origin)) && !/sandbox-source/i.test(String(request.headers))
      const source = isTraced ? readSource(root) : undefined
      if (source === undefined) return
      unsent.set(request, Array.isArray(request.headers) ? [...request.headers] : request.headers)
      request.addHeader(header, source)
    })
  })
  for (const end of ['undici:client:sendHeaders', 'undici:request:error'])
    subscribe(end, (message) => void unsent.delete((message as { request: UndiciRequest }).request))
  // A proxy, a socket or another look-up leads elsewhere, which is known before the head is written.
  subscribe('undici:client:connected', (message) => {
    attempt(() => {
      const { socket, connectParams } = message as { socket: net.Socket; connectParams: Record<string, string> }
      const origin = `${connectParams['protocol']}//${connectParams['host']}`
      if (!isSandbox(origin)) return
      const isOfSandbox = String(socket.remotePort) === port && isLoopback(socket.remoteAddress)
      if (isOfSandbox) return
      known.set(origin, false)
      for (const [request, headers] of unsent) if (String(request.origin) === origin) request.headers = headers
    })
  })

  const begun = rememberStreams()

  for (const module of [http, https]) {
    const original = module.request as (...parameters: unknown[]) => ClientRequest
    const request = function (this: unknown, ...parameters: unknown[]): ClientRequest {
      const created = Reflect.apply(original, this, parameters)
      attempt(() => {
        // The header Host may name another server than that of the connection.
        if (!isHere(created.host) || portOf(parameters, created, module) !== port || created.hasHeader(header)) return
        const source = readSource(root) ?? toSource(begun.take(), root)
        if (source !== undefined) created.setHeader(header, source)
      })
      return created
    }
    // The original sends the head before it returns.
    const get = function (this: unknown, ...parameters: unknown[]): ClientRequest {
      const created = Reflect.apply(request, this, parameters)
      created.end()
      return created
    }
    Object.assign(module, { request, get })
  }
  syncBuiltinESMExports()
}

/** An address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

function isName(host: string): boolean {
  return /^(?:.*\.)?localhost$/i.test(host)
}

function isLoopback(address = ''): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}

/** Options that choose another connection than that to the host and port. */
const elsewhere = ['socketPath', 'createConnection', 'lookup', 'proxyEnv']
const ofAgents = ['addRequest', 'createSocket', 'createConnection', 'getName'] as const

/** The port of the connection, if nothing but host and port can choose it. */
function portOf(
  parameters: unknown[],
  created: ClientRequest,
  { Agent }: typeof http | typeof https,
): string | undefined {
  const { agent: own } = created as { agent?: http.Agent & { options: http.RequestOptions } }
  const isPlain = !own || ofAgents.every((name) => Reflect.get(own, name) === Reflect.get(Agent.prototype, name))
  const [first, second] = parameters
  const address = typeof first === 'string' ? new URL(first) : first
  const given = [address instanceof URL ? { port: address.port } : address, typeof second === 'object' ? second : {}]
  const all: Record<string, unknown> = Object.assign({}, ...given, own?.options)
  if (!isPlain || own?.options.host || elsewhere.some((name) => all[name])) return undefined
  return String(all['port'] || all['defaultPort'] || '')
}

/**
 * Remembers where streams were created. A library whose request is a stream of its own, such as got, calls `http.request` later,
 * when the caller is no longer on the stack.
 */
function rememberStreams(): { take(): string | undefined } {
  const storage = new AsyncLocalStorage<{ latest: Traced | undefined }>()
  const ofNode = Object.getOwnPropertyDescriptors({ ...net, ...stream, ...tls, ...zlib })
  const builtIn = new Set(Object.values(ofNode).map(({ value }) => value))
  const emitters = EventEmitter as unknown as { init(this: object, options: unknown): void }
  const { init } = emitters
  emitters.init = function (options) {
    init.call(this, options)
    attempt(() => {
      if (!(this instanceof stream.Duplex) || builtIn.has(this.constructor)) return
      const latest = {}
      withAllFrames(() => Error.captureStackTrace(latest))
      storage.enterWith({ latest })
    })
  }
  return {
    take() {
      const store = storage.getStore()
      const latest = store?.latest
      // Another request without a caller on the stack may come from elsewhere.
      if (store) store.latest = undefined
      const here: Traced = {}
      withAllFrames(() => Error.captureStackTrace(here))
      const maker = packageIn(latest?.stack)
      return maker !== undefined && maker === packageIn(here.stack) ? latest?.stack : undefined
    },
  }
}

/** The package of the innermost frame that is neither of Node.js nor of this file. Undefined if that is in no package. */
function packageIn(stack: string | undefined): string | undefined {
  const lines = String(stack).split('\n').slice(1)
  const line = lines.find(
    (each) => !/[( ](?:node:|internal\/)/.test(each) && !each.includes(own) && !each.includes(import.meta.url),
  )
  const [, ...inside] = (line ?? '').split(/[\\/]node_modules[\\/]/)
  return /^(?:@[^\\/]+[\\/])?[^\\/]+/.exec(inside.at(-1) ?? '')?.[0]
}

function withAllFrames(action: () => void): void {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = maxFrames
  try {
    action()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** Sources by the positions of all frames on the stack: to write a stack as text takes longer than to capture it. */
const sources = new Map<string, string | undefined>()

/** The consumer's frames on the stack, as `toSource` writes them. */
function readSource(root: string): string | undefined {
  const key = keyOfStack()
  if (!sources.has(key)) {
    if (sources.size >= maxKept) sources.clear()
    const here: Traced = {}
    withAllFrames(() => Error.captureStackTrace(here, readSource))
    sources.set(key, toSource(here.stack, root))
  }
  return sources.get(key)
}

function keyOfStack(): string {
  const here: { stack?: NodeJS.CallSite[] } = {}
  withAllFrames(() => Error.captureStackTrace(here, readSource))
  const prepare = Error.prepareStackTrace
  let key = ''
  try {
    Error.prepareStackTrace = (_, sites) => sites
    for (const site of here.stack ?? [])
      key += `${site.getScriptNameOrSourceURL()}:${site.getLineNumber()}:${site.getColumnNumber()}\n`
  } finally {
    Error.prepareStackTrace = prepare
  }
  return key
}

/**
 * The consumer's frames, the innermost first, as `file:line:column` with a comma between them. Undefined if there are none.
 * @param stack as text, because test runners translate its lines to those of the source
 */
function toSource(stack: string | undefined, root: string): string | undefined {
  const frames = String(stack)
    .split('\n')
    .flatMap((line) => toFrame(line, root) ?? [])
  while (frames.length > 2 && lengthOf(frames) > maxLength) frames.splice(-2, 1)
  return frames.length === 0 || lengthOf(frames) > maxLength ? undefined : frames.join(',')
}

const own = fileURLToPath(import.meta.url)

/** Undefined for frames of packages, of Node.js and of this file. */
function toFrame(line: string, root: string): string | undefined {
  const text = /^\s+at (?:[^(]* \((?<called>.+)\)|(?:async )?(?<plain>.+))$/.exec(line)?.groups
  const [, place = '', position = ''] = /^(.+?)(:\d+:\d+)$/.exec(text?.['called'] ?? text?.['plain'] ?? '') ?? []
  if (!/^(?:\/|file:|[a-z]:[\\/])/i.test(place)) return undefined
  // Without the query that some runners add.
  const file = place.startsWith('file:') ? fileURLToPath(place) : place
  if (file === own || /[\\/]node_modules[\\/]/.test(file)) return undefined
  const within = relative(root, file)
  const shown = within.startsWith('..') ? file : within.replaceAll(sep, '/')
  return shown.replace(/[^\x21-\x7e]|[%,]/gu, encodeURIComponent) + position
}

function lengthOf(frames: readonly string[]): number {
  return frames.reduce((sum, frame) => sum + frame.length + 1, -1)
}

/** Requests must not fail because of their trace. What failed is left as a note for `run`, and printed nowhere. */
function attempt(action: () => void): void {
  try {
    action()
  } catch (error) {
    // The request is sent without its source.
    if (notes === undefined || noted++ >= maxNoted) return
    try {
      appendFileSync(notes, `${JSON.stringify({ error: String(error).slice(0, maxLength) })}\n`)
    } catch {
      // This process may not write to it.
    }
  }
}
