/** Faults: rules that make requests fail, wait or break off. */
import { createRandom, toSeed } from '../json/random.js'
import { bytesOf } from './memory-budget.js'

/** Selects the requests that a fault affects. A rule without any of these affects all. */
export interface FaultMatch {
  /** Id of the operation. */
  operation?: string
  /** Method in upper case. */
  method?: string
  /** Path below the base of the server, without the query. `*` matches any characters of a segment. */
  path?: string
  /** The key of the world. With a store, a secret key is kept and listed as U+0000 and its SHA-256. */
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

export interface Faults {
  add(rule: FaultRule): Fault
  list(): Fault[]
  get(id: string): Fault | undefined
  /** @returns whether there was such a fault */
  remove(id: string): boolean
  clear(): void
  /** Whether `apply` could count the request. Counts nothing. */
  isMeant(call: StruckCall): boolean
  /**
   * Counts the request, once.
   * @returns the combined effect, undefined if no fault affects it, and the ids of the faults whose state changed
   */
  apply(call: StruckCall): { applied: AppliedFaults | undefined; counted: readonly string[] }
  /** The state of a fault as plain data. */
  stateOf(id: string): FaultState | undefined
  /** Puts a fault into a state. @param state undefined removes the fault */
  load(id: string, state: FaultState | undefined): void
  /** Gives the next fault the id that follows this one. */
  continueFrom(id: number): void
}

/** A fault with its counters. */
export interface FaultState {
  fault: Fault
  /** The number of random numbers that were drawn. */
  drawn: number
  windows: readonly Window[]
}

/** A window of a rate limit. */
export interface Window {
  /** The caller. */
  key: string
  /** Milliseconds since 1970. */
  end: number
  count: number
}

interface Active {
  fault: Fault
  isPath: (path: string) => boolean
  random: () => number
  /** The number of random numbers that were drawn. */
  drawn: number
  /** Windows by key. */
  windows: Map<string, Window>
}

export function createFaults(): Faults {
  const active = new Map<string, Active>()
  /** The windows of all faults, oldest first. */
  const windows = new Map<Window, Active>()
  let windowBytes = 0
  let lastId = 0

  function openWindow(each: Active, window: Window): void {
    const before = each.windows.get(window.key)
    if (before) closeWindow(before)
    each.windows.set(window.key, window)
    windows.set(window, each)
    windowBytes += bytesOfWindow(window)
    for (const oldest of windows.keys()) {
      if (windowBytes <= maxWindowBytes) break
      closeWindow(oldest)
    }
  }

  function closeWindow(window: Window): void {
    windows.get(window)?.windows.delete(window.key)
    windows.delete(window)
    windowBytes -= bytesOfWindow(window)
  }

  function remove(id: string): boolean {
    for (const window of active.get(id)?.windows.values() ?? []) closeWindow(window)
    return active.delete(id)
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

  function activate(fault: Fault): Active {
    const random = createRandom(toSeed(`fault ${fault.seed ?? 1}`))
    const each: Active = {
      ...{ fault, isPath: toMatcher(fault.path), drawn: 0, windows: new Map() },
      random() {
        each.drawn++
        return random.next()
      },
    }
    active.set(fault.id, each)
    lastId = Math.max(lastId, Number(fault.id))
    return each
  }

  return {
    add(rule) {
      const { fault } = activate({ ...copyOf(rule), id: String(lastId + 1), struck: 0 })
      return copyOf(fault)
    },
    stateOf(id) {
      const found = active.get(id)
      return found && { fault: found.fault, drawn: found.drawn, windows: [...found.windows.values()] }
    },
    load(id, state) {
      remove(id)
      if (!state) return
      const loaded = activate(copyOf(state.fault))
      // Faults are applied in the order of their ids, in whatever order they are loaded.
      for (const [later, each] of [...active]) {
        if (Number(later) <= Number(id)) continue
        active.delete(later)
        active.set(later, each)
      }
      while (loaded.drawn < state.drawn) loaded.random()
      for (const window of state.windows) openWindow(loaded, { ...window })
    },
    continueFrom(id) {
      lastId = id
    },
    isMeant(call) {
      for (const each of active.values()) if (isFor(each, call)) return true
      return false
    },
    list: () => [...active.values()].map(({ fault }) => copyOf(fault)),
    get(id) {
      const found = active.get(id)
      return found && copyOf(found.fault)
    },
    remove,
    clear() {
      for (const id of active.keys()) remove(id)
    },
    apply(call) {
      const applied: AppliedFaults = { ids: [] }
      const counted: string[] = []
      for (const each of active.values()) {
        if (!isFor(each, call)) continue
        const { fault } = each
        const { share = 1 } = fault
        counted.push(fault.id)
        if (share < 1 && each.random() >= share) continue
        const limited = fault.rate && countIn(each.windows, fault.rate, call, (window) => openWindow(each, window))
        if (limited) applied.headers = { ...limited.headers, ...applied.headers }
        if (limited && !limited.isOver) continue
        fault.struck++
        applied.ids.push(fault.id)
        if (fault.status !== undefined) applied.status ??= fault.status
        if (limited) applied.status ??= 429
        if (fault.message !== undefined) applied.message ??= fault.message
        if (fault.drop) applied.drop ??= true
        if (fault.truncate !== undefined) applied.truncate ??= fault.truncate
        if (fault.delayMs !== undefined) applied.delayMs = (applied.delayMs ?? 0) + toDelay(fault.delayMs, each.random)
        // A request fails only once: the remaining faults apply to later requests.
        if (isEnd(applied)) break
      }
      return { applied: applied.ids.length > 0 || applied.headers ? applied : undefined, counted }
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

function bytesOfWindow({ key }: Window): number {
  return 200 + bytesOf(key)
}

/** Counts a request of a key, and makes the headers about its limit (draft-ietf-httpapi-ratelimit-headers-10). */
function countIn(
  windows: Map<string, Window>,
  { limit, seconds = 60 }: RateLimit,
  { key: own, caller: key = own, now }: StruckCall,
  open: (window: Window) => void,
): { isOver: boolean; headers: Record<string, string> } {
  const known = windows.get(key)
  // Moving the clock back starts a new window.
  const isOpen = known !== undefined && now < known.end && known.end - now <= seconds * 1000
  const window = isOpen ? known : { key, end: now + seconds * 1000, count: 0 }
  if (!isOpen) open(window)
  window.count++
  const isOver = window.count > limit
  const left = Math.max(Math.ceil((window.end - now) / 1000), 1)
  return {
    isOver,
    headers: {
      'RateLimit-Policy': `"default";q=${limit};w=${seconds}`,
      RateLimit: `"default";r=${Math.max(limit - window.count, 0)};t=${left}`,
      ...(isOver && { 'Retry-After': String(left) }),
    },
  }
}
