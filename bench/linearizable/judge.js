/**
 * Judges the answers of replicas. A second engine in memory runs all requests of a world in the order of their stamps, with
 * their recorded times and numbers, and must give every answer, byte for byte. No search is needed.
 */
import { openStore } from '../../src/stores/open-store.js'
import { openShop } from './sandbox.js'

/** Headers that belong to a connection. */
const ofConnection = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'x-trace'])
const shownFindings = 20

/**
 * @param requests all that were sent: `{ id, world, key, begin, end, method, path, headers, body, answer, trace }`. `begin` and
 * `end` are moments of one logical clock. `answer` and `trace` are undefined if it is unknown whether the request was run
 * @param removals worlds that were removed: `{ world, begin, end, isDone }`
 * @param traces the traces of the newest incarnation of each world: `{ world, incarnation, sequence, commits }`, where `commits`
 * has the requests of each sequence
 */
export async function judge(document, { requests, removals, traces }) {
  let now = 0
  const { engine, sandbox } = await openShop(document, { now: () => now })
  const findings = []
  const find = (kind, request, why) => findings.push({ kind, request: request?.id, world: request?.world, why })
  const byId = new Map(requests.map((request) => [request.id, request]))
  let judged = 0
  let unjudged = 0

  for (const [world, own] of groupBy(requests, ({ world }) => world)) {
    const removed = removals.filter((removal) => removal.world === world)
    judgeOrder(own, removed)
    const last = traces.find((trace) => trace.world === world)
    for (const request of own.filter(({ answer, trace }) => answer && !trace))
      find('refused', request, `it got ${request.answer.status} without running: ${request.answer.body}`)
    const incarnations = groupBy(
      own.filter(({ trace }) => trace),
      ({ trace }) => trace.incarnation,
    )
    if (last && !incarnations.has(last.incarnation)) incarnations.set(last.incarnation, [])
    const count = [...incarnations.keys()].filter((name) => name !== '-').length
    if (count > removed.length + 1)
      find('lost', own[0], `its world began ${count} times, and was removed ${removed.length} times`)
    for (const [incarnation, answered] of incarnations) {
      const isLast = incarnation === last?.incarnation
      const runs = isLast ? withTraces(answered, last) : withoutGaps(answered)
      judgeNumbers(runs)
      await replay(runs)
    }
  }
  return { judged, unjudged, count: findings.length, findings: findings.slice(0, shownFindings) }

  /** A request that begins after an answer is not before it. */
  function judgeOrder(own, removed) {
    const answered = own.filter(({ trace }) => trace).toSorted((one, other) => one.end - other.end)
    const newest = new Map()
    const events = answered
      .flatMap((request) => [
        { at: request.begin, request, isBegin: true },
        { at: request.end, request, isBegin: false },
      ])
      .toSorted((one, other) => one.at - other.at)
    const floors = new Map()
    for (const { request, isBegin } of events) {
      const { incarnation, sequence, index } = request.trace
      const place = [sequence, index ?? Number.POSITIVE_INFINITY]
      if (isBegin) {
        floors.set(request.id, { newest: new Map(newest), at: request.begin })
        continue
      }
      const floor = floors.get(request.id)
      const before = floor.newest.get(incarnation)
      if (before && isBefore(place, before.place))
        find('order', request, `it is at ${place}, and ${before.id} had ended at ${before.place} before it began`)
      for (const [other, { id, lastBegin }] of floor.newest) {
        if (other === incarnation || other === '-') continue
        // Another incarnation needs a removal that may have come after the answer of the one before.
        const isPossible = removed.some(({ begin, end }) => begin < request.end && end > lastBegin)
        if (!isPossible)
          find('order', request, `its world is new, and ${id} had ended in another one that was not removed`)
      }
      for (const removal of removed) {
        if (!removal.isDone || removal.end > request.begin) continue
        const known = floor.newest.get(incarnation)
        if (incarnation !== '-' && known && known.firstEnd < removal.begin)
          find('order', request, 'its world was removed before it began')
      }
      floors.delete(request.id)
      const known = newest.get(incarnation) ?? { id: request.id, place, lastBegin: 0, firstEnd: request.end }
      const isNewer = isBefore(known.place, place)
      const lastBegin = Math.max(known.lastBegin, request.begin)
      newest.set(incarnation, { ...known, ...(isNewer && { id: request.id, place }), lastBegin })
    }
  }

  /** The requests of the newest incarnation, also those whose answer was lost. */
  function withTraces(answered, { commits, sequence, incarnation }) {
    const runs = []
    const traced = new Map()
    for (let at = 1; at <= sequence; at++) {
      if (!commits[at]) find('lost', undefined, `the commit ${at} of ${incarnation} is missing`)
      for (const [index, [id, seed, time]] of (commits[at] ?? []).entries()) {
        if (byId.get(id)?.trace && !(byId.get(id).trace.sequence === at && byId.get(id).trace.index === index)) {
          // A request without changes waited for the commit before.
          if (byId.get(id).trace.index === undefined) continue
          find('lost', byId.get(id), `it was answered at ${byId.get(id).trace.sequence}, and is stored at ${at}`)
        }
        if (traced.has(id)) find('twice', byId.get(id), `it is in the commits ${traced.get(id)} and ${at}`)
        traced.set(id, at)
        runs.push({ request: byId.get(id), sequence: at, index, seed, now: time })
      }
    }
    for (const request of answered) {
      const { sequence: at, index } = request.trace
      if (at > sequence) find('lost', request, `it was answered at ${at}, and the last commit is ${sequence}`)
      if (index === undefined) runs.push({ request, sequence: at, index: Infinity, ...request.trace.run })
      else if (traced.get(request.id) !== at) find('lost', request, `it was answered at ${at}, and is not stored there`)
    }
    return runs
  }

  /** The requests of an incarnation that was removed, until the first commit of which nothing is known. */
  function withoutGaps(answered) {
    const known = new Map()
    for (const { id, trace } of answered) {
      if (trace.index === undefined) continue
      const at = known.get(trace.sequence) ?? new Map()
      if (at.has(trace.index)) find('lost', byId.get(id), `${at.get(trace.index)} has the same place`)
      known.set(trace.sequence, at.set(trace.index, id))
    }
    let until = 1
    while (known.has(until) && [...known.get(until).keys()].every((index, _, all) => index < all.length)) until++
    const runs = []
    for (const request of answered) {
      const { sequence, index = Infinity, run } = request.trace
      if (sequence < until) runs.push({ request, sequence, index, ...run })
      else unjudged++
    }
    return runs
  }

  function judgeNumbers(runs) {
    const numbers = new Map()
    for (const { request, index, seed } of runs) {
      if (index === Infinity) continue
      if (numbers.has(seed)) find('number', request, `it has the number ${seed} of ${numbers.get(seed)}`)
      numbers.set(seed, request?.id)
    }
  }

  async function replay(runs) {
    if (runs.length === 0) return
    const { key } = runs[0].request
    await engine.worlds.remove(key)
    const opened = engine.worlds.open(key)
    runs.sort((one, other) => one.sequence - other.sequence || toNumber(one.index) - toNumber(other.index))
    let wrong = 0
    for (const { request, seed, now: time } of runs) {
      now = time
      opened.requests = seed - 1
      const { method, path, headers, body, answer } = request
      const response = await sandbox.fetch(`http://127.0.0.1${path}`, { method, headers, ...(body && { body }) })
      const given = { status: response.status, headers: toHeaders(response.headers), body: await response.text() }
      if (!answer) continue
      judged++
      const difference = compare(given, answer)
      if (difference && ++wrong <= 3) find('answer', request, difference)
    }
  }
}

/** Without the run of the server, which is another one after a restart that has lost nothing. `-` for a world without commits. */
export function toIncarnation(stamp) {
  return stamp?.incarnation.split('.')[0] ?? '-'
}

/** The newest incarnations of all worlds of a store, with the requests of their commits. */
export async function readTraces(address) {
  const store = await openStore(address)
  const traces = []
  for (const { id, label: world } of await store.list(undefined, 1000)) {
    const { stamp, entries } = await store.open(id)
    const commits = {}
    for (const { name, text } of entries) {
      const [kind, sequence] = JSON.parse(name)
      if (kind === 'trace') commits[sequence] = JSON.parse(text)
    }
    traces.push({ world, incarnation: toIncarnation(stamp), sequence: stamp.sequence, commits })
  }
  await store.close?.()
  return traces
}

function toNumber(index) {
  return index === Infinity ? Number.MAX_SAFE_INTEGER : index
}

function isBefore([sequence, index], [otherSequence, otherIndex]) {
  if (sequence !== otherSequence) return sequence < otherSequence
  return index < otherIndex
}

function compare(given, answer) {
  if (given.status !== answer.status) return `it got ${answer.status}, and should get ${given.status}: ${given.body}`
  if (given.body !== answer.body) return `it got ${answer.body}, and should get ${given.body}`
  const own = JSON.stringify(toHeaders(Object.entries(answer.headers)))
  const right = JSON.stringify(given.headers)
  return own === right ? undefined : `it got the headers ${own}, and should get ${right}`
}

/** Without those of the connection, and without the origin of links, which is that of a replica. */
function toHeaders(headers) {
  return [...headers]
    .filter(([name]) => !ofConnection.has(name))
    .map(([name, value]) => [name, value.replace(/https?:\/\/[^/]+\//g, '/')])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function groupBy(values, toKey) {
  const groups = new Map()
  for (const value of values) {
    const key = toKey(value)
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(value)
  }
  return groups
}
