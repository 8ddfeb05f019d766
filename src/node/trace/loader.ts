/**
 * Loaded into the processes of a consumer's command with `--import`: adds the consumer's stack to each request to the sandbox.
 * A file of its own in the package, as it must not slow the start of these processes. An error in it never reaches them.
 */
import { subscribe } from 'node:diagnostics_channel'
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const header = 'Sandbox-Source'
/** Maximum length of the header. The frames in the middle are dropped: the first is the call, the last one the test. */
const maxLength = 1024
/** Frames of undici, of a client library and of a test runner come before those of the consumer. */
const maxFrames = 100

const { SANDBOX_URL: address, SANDBOX_TRACE_FOLDER: folder = process.cwd() } = process.env

if (address !== undefined && URL.canParse(address)) trace(new URL(address), folder)

function trace({ port }: URL, root: string): void {
  const isSandbox = (host: string | undefined, at: unknown) => String(at) === port && isOfThisMachine(host)

  // Built-in `fetch` and the package undici publish this while the caller is still on the stack.
  subscribe('undici:request:create', (message) => {
    attempt(() => {
      const { request } = message as { request: { origin: string | URL; addHeader(name: string, value: string): void } }
      const { hostname, port: own } = new URL(request.origin)
      const source = isSandbox(hostname, own) ? readSource(root) : undefined
      if (source !== undefined) request.addHeader(header, source)
    })
  })

  for (const module of [http, https]) {
    const original = module.request as (...parameters: unknown[]) => ClientRequest
    const request = function (this: unknown, ...parameters: unknown[]): ClientRequest {
      const created = Reflect.apply(original, this, parameters)
      attempt(() => {
        const { hostname, port: own } = new URL(`${created.protocol}//${String(created.getHeader('host'))}`)
        const source = isSandbox(hostname, own) && !created.hasHeader(header) ? readSource(root) : undefined
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

function isOfThisMachine(host: string | undefined): boolean {
  return host === undefined || /^(?:127\.[\d.]+|\[?::1\]?|localhost|.*\.localhost)$/i.test(host)
}

/** The consumer's frames, the innermost first, as `file:line:column` with a comma between them. Undefined if there are none. */
function readSource(root: string): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = maxFrames
  // As text, because test runners translate its lines to those of the source.
  const { stack } = new Error()
  Error.stackTraceLimit = limit
  const frames = String(stack)
    .split('\n')
    .flatMap((line) => toFrame(line, root) ?? [])
  while (frames.length > 2 && lengthOf(frames) > maxLength) frames.splice(-2, 1)
  return frames.length === 0 || lengthOf(frames) > maxLength ? undefined : frames.join(',')
}

const own = fileURLToPath(import.meta.url)

/** Undefined for frames of packages, of Node.js and of this file. */
function toFrame(line: string, root: string): string | undefined {
  const text = /^\s+at (?:.*? \((?<called>.+)\)|(?:async )?(?<plain>.+))$/.exec(line)?.groups
  const [, place = '', position = ''] =
    /^(.+?)(?:\?[^/]*)?(:\d+:\d+)$/.exec(text?.['called'] ?? text?.['plain'] ?? '') ?? []
  if (!/^(?:\/|file:|[a-z]:[\\/])/i.test(place)) return undefined
  const file = place.startsWith('file:') ? fileURLToPath(place) : place
  if (file === own || /[\\/]node_modules[\\/]/.test(file)) return undefined
  const within = relative(root, file)
  const shown = within.startsWith('..') ? file : within.replaceAll(sep, '/')
  return shown.replace(/[^\x21-\x7e]|[%,]/gu, encodeURIComponent) + position
}

function lengthOf(frames: readonly string[]): number {
  return frames.reduce((sum, frame) => sum + frame.length + 1, -1)
}

/** Requests must not fail because of their trace. The sandbox counts those without one. */
function attempt(action: () => void): void {
  try {
    action()
  } catch {
    // The request is sent without its source.
  }
}
