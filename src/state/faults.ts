/** Faults: rules that make requests fail, wait or break off. */
import { SandboxError } from '../contract/sandbox-error.js'
import { randomAt, toSeed } from '../json/random.js'
import type { LoadShared, PutShared } from './commits/shared-table.js'
import { bytesOf, type MemoryBudget } from './memory-budget.js'

/** Selects the requests that a fault affects. A rule without any of these affects all. */
export interface FaultMatch {
  /** Id of the operation. */
  operation?: string
  /** Method in upper case. */
  method?: string
  /** Path below the base of the server, without the query. `*` matches any characters of a segment. */
  path?: string
  /** The key of the world. With a store, a secret key is listed as U+0000 and its SHA-256, which is no key. */
  key?: string
}

/** How often a fault applies. */
export interface FaultCount {
  /** The number of requests that it affects: with 2 the third one succeeds. @default every request */
  times?: number
  /** The share of the requests that it affects, chosen by `seed`: above 0, up to 1. @default 1 */
  share?: number
  /** @default 1 */
  seed?: number
}

/** The effects of a fault on a request: one or more. */
export interface FaultEffect {
  /** The answer has this status and its documented form. */
  status?: number
  /** The message of the error. @default a sentence that names the fault */
  message?: string
  /** Milliseconds before the answer is sent: a number, or a minimum and a maximum. */
  delayMs?: number | readonly [least: number, most: number]
  /** The connection is closed without an answer. The request has no effect. */
  drop?: true
  /** The connection is closed after this many bytes of the body. */
  truncate?: number
  /** Each key may send a number of requests in a window of time; further ones get 429. */
  rate?: RateLimit
}

export interface RateLimit {
  /** Requests in a window, 1 or more. */
  limit: number
  /** Length of a window in seconds. @default 60 */
  seconds?: number
}

export interface FaultRule extends FaultMatch, FaultCount, FaultEffect {}

/** A rule that was added. */
export interface Fault extends FaultRule {
  /** Unique in a sandbox. */
  id: string
  /** The number of requests that it affected. */
  struck: number
}

/** A request to which faults may apply. */
export interface StruckCall {
  operation: string
  method: string
  path: string
  key: string
  /** What identifies the key in a store, in faults and in windows of rate limits. @default the key */
  caller?: string | undefined
  /** Milliseconds since 1970, by the clock of the world. */
  now: number
}

/** The combined effect of all faults on one request. */
export interface AppliedFaults extends Omit<FaultEffect, 'delayMs' | 'rate'> {
  /** Ids of the faults. */
  ids: string[]
  delayMs?: number
  headers?: Record<string, string>
}

/** Faults with their counters. What changes is put into a store, as entries of three kinds. */
export interface Faults {
  readonly size: number
  /** @throws SandboxError `NO_ROOM` if there are too many, or there is no memory for it */
  add(rule: FaultRule, put: PutShared): Fault
  list(): Fault[]
  /** @returns whether there was such a fault */
  remove(id: string, put: PutShared): boolean
  /** Whether `apply` could count the request. Counts nothing. */
  isMeant(call: StruckCall): boolean
  /** Counts the request, once. @returns the combined effect. Undefined if no fault affects it */
  apply(call: StruckCall, put: PutShared): AppliedFaults | undefined
  /** Takes over entries of a store, by kind. */
  readonly loads: Readonly<Record<'fault' | 'window' | 'lastFault', LoadShared>>
}

/** A fault as an entry. */
interface FaultState {
  fault: Fault
  /** The number of random numbers that were drawn. */
  drawn: number
}

/** A window of a rate limit. */
interface Window {
  /** Milliseconds since 1970. */
  end: number
  count: number
}

interface Active extends FaultState {
  isPath: (path: string) => boolean
  seed: number
}

/** Limited, because each request is compared with all faults. */
const maxFaults = 1000

/** @param memory counts the faults that there are. @default not counted */
export function createFaults(memory?: MemoryBudget): Faults {
  const active = new Map<string, Active>()
  const windows = createWindows()
  let lastId = 0

  function drop(id: string): boolean {
    const known = active.get(id)
    if (known) memory?.free(bytesOf(known.fault))
    return active.delete(id)
  }

  /** A fault with the same id keeps its place. */
  function activate({ fault, drawn }: FaultState): void {
    const known = active.get(fault.id)
    if (known) memory?.free(bytesOf(known.fault))
    memory?.hold(bytesOf(fault))
    const seed = toSeed(`fault ${fault.seed ?? 1}`)
    active.set(fault.id, { fault: copyOf(fault), drawn, isPath: toMatcher(fault.path), seed })
  }

  return {
    get size() {
      return active.size
    },
    add(rule, put) {
      const next = Math.max(lastId, ...[...active.keys()].map(Number)) + 1
      const fault = { ...copyOf(rule), id: String(next), struck: 0 }
      if (active.size >= maxFaults)
        throw new SandboxError('NO_ROOM', `There are ${maxFaults} faults; remove one before you add another`)
      if (memory?.has(bytesOf(fault)) === false) throw new SandboxError('NO_ROOM', memory.refusal('another fault'))
      lastId = next
      activate({ fault, drawn: 0 })
      put('fault', fault.id, { fault, drawn: 0 })
      put('lastFault', '', fault.id)
      return fault
    },
    loads: {
      fault(id, state) {
        const isKnown = active.has(id)
        if (!state) drop(id)
        else activate(state as FaultState)
        if (state && !isKnown) putInOrder(active, id)
      },
      window: (name, window) => windows.set(name, window as Window | undefined),
      // No id is used again after its fault was removed.
      lastFault(_, id) {
        lastId = Number(id ?? 0)
      },
    },
    isMeant(call) {
      for (const each of active.values()) if (isFor(each, call)) return true
      return false
    },
    list: () => [...active.values()].map(({ fault }) => copyOf(fault)),
    remove(id, put) {
      windows.closeOf(id, put)
      put('fault', id, undefined)
      return drop(id)
    },
    apply(call, put) {
      const applied: AppliedFaults = { ids: [] }
      for (const each of active.values()) {
        if (!isFor(each, call)) continue
        strike(each, windows, call, applied, put)
        put('fault', each.fault.id, { fault: each.fault, drawn: each.drawn })
        // A request fails only once: the remaining faults apply to later requests.
        if (isEnd(applied)) break
      }
      return applied.ids.length > 0 || applied.headers ? applied : undefined
    },
  }
}

/** Faults are applied in the order of their ids, in whatever order they are loaded. */
function putInOrder(active: Map<string, Active>, id: string): void {
  for (const [later, each] of [...active]) {
    if (Number(later) <= Number(id)) continue
    active.delete(later)
    active.set(later, each)
  }
}

function isFor({ fault, isPath }: Active, { operation, method, path, key, caller }: StruckCall): boolean {
  const { times = Number.POSITIVE_INFINITY, struck } = fault
  return (
    (fault.operation ?? operation) === operation &&
    (fault.method ?? method) === method &&
    (fault.key === undefined || fault.key === key || fault.key === caller) &&
    struck < times &&
    isPath(path)
  )
}

/** Applies a fault to a request for which it is meant. */
function strike(each: Active, windows: Windows, call: StruckCall, applied: AppliedFaults, put: PutShared): void {
  const { fault } = each
  const { id, share = 1, rate, status, message, drop, truncate, delayMs } = fault
  const random = () => randomAt(each.seed, each.drawn++)
  if (share < 1 && random() >= share) return
  const window = rate && windows.count(id, rate, call, put)
  const isOver = rate && window && window.count > rate.limit
  if (rate && window) applied.headers = { ...limitHeaders(rate, window, call.now), ...applied.headers }
  if (window && !isOver) return
  fault.struck++
  applied.ids.push(id)
  if (status !== undefined) applied.status ??= status
  if (window) applied.status ??= 429
  if (message !== undefined) applied.message ??= message
  if (drop) applied.drop ??= true
  if (truncate !== undefined) applied.truncate ??= truncate
  if (delayMs !== undefined) applied.delayMs = (applied.delayMs ?? 0) + toDelay(delayMs, random)
}

interface Windows {
  set(name: string, window: Window | undefined): void
  /** Counts a request of a caller. @returns its window */
  count(id: string, rate: RateLimit, call: StruckCall, put: PutShared): Window
  /** Closes the windows of a fault. */
  closeOf(id: string, put: PutShared): void
}

function createWindows(): Windows {
  /** The windows of all faults by the id of the fault and the caller, oldest first. */
  const windows = new Map<string, Window>()
  let bytes = 0

  function set(name: string, window: Window | undefined): void {
    if (windows.delete(name)) bytes -= bytesOfWindow(name)
    if (!window) return
    windows.set(name, window)
    bytes += bytesOfWindow(name)
  }

  function close(name: string, put: PutShared): void {
    set(name, undefined)
    put('window', name, undefined)
  }

  return {
    set,
    count(id, { seconds = 60 }, { key, caller = key, now }, put) {
      const name = `${id} ${caller}`
      const known = windows.get(name)
      // Moving the clock back starts a new window.
      const isOpen = known !== undefined && now < known.end && known.end - now <= seconds * 1000
      const window = isOpen ? known : { end: now + seconds * 1000, count: 0 }
      if (!isOpen) set(name, window)
      for (const oldest of windows.keys()) {
        if (bytes <= maxWindowBytes) break
        close(oldest, put)
      }
      window.count++
      put('window', name, window)
      return window
    },
    closeOf(id, put) {
      for (const name of windows.keys()) if (name.startsWith(`${id} `)) close(name, put)
    },
  }
}

/** Copies a rule, so that callers cannot change it after the check. */
function copyOf<Rule extends FaultRule>(rule: Rule): Rule {
  const { delayMs, rate } = rule
  return { ...rule, ...(Array.isArray(delayMs) && { delayMs: [...delayMs] }), ...(rate && { rate: { ...rate } }) }
}

function isEnd({ status, drop, truncate }: AppliedFaults): boolean {
  return status !== undefined || drop === true || truncate !== undefined
}

function toDelay(delayMs: NonNullable<FaultRule['delayMs']>, random: () => number): number {
  if (typeof delayMs === 'number') return delayMs
  const [least, most] = delayMs
  return Math.round(least + random() * (most - least))
}

function toMatcher(path: string | undefined): (path: string) => boolean {
  if (path === undefined) return () => true
  const wanted = path.split('/')
  return (sent) => {
    const segments = sent.split('/')
    return segments.length === wanted.length && wanted.every((text, index) => isSegment(text, segments[index] ?? ''))
  }
}

/** Whether a segment matches a pattern with `*`. Takes linear time. */
function isSegment(wanted: string, sent: string): boolean {
  const [first = '', ...rest] = wanted.split('*')
  const last = rest.pop()
  if (last === undefined) return wanted === sent
  if (!sent.startsWith(first) || !sent.endsWith(last) || sent.length < first.length + last.length) return false
  let from = first.length
  for (const part of rest) {
    const at = sent.indexOf(part, from)
    if (at === -1 || at + part.length > sent.length - last.length) return false
    from = at + part.length
  }
  return true
}

/** Maximum bytes of the windows of all faults. Beyond it, the oldest windows are dropped. */
const maxWindowBytes = 16 * 1024 * 1024

function bytesOfWindow(name: string): number {
  return 200 + bytesOf(name)
}

/** The headers about a limit (draft-ietf-httpapi-ratelimit-headers-10). */
function limitHeaders({ limit, seconds = 60 }: RateLimit, { end, count }: Window, now: number): Record<string, string> {
  const left = Math.max(Math.ceil((end - now) / 1000), 1)
  return {
    'RateLimit-Policy': `"default";q=${limit};w=${seconds}`,
    RateLimit: `"default";r=${Math.max(limit - count, 0)};t=${left}`,
    ...(count > limit && { 'Retry-After': String(left) }),
  }
}
