/**
 * Processor time per request of each row, for ours, for bare `node:http` with the same answer, and for the peers: round
 * by round, each subject in a process of its own, so that what a round creates is gone in the next.
 */
import { asides, atLeast, toFigure, unmeasured } from './bars.js'
import { load } from './load.js'
import { median, medianRatio } from './median.js'
import { processorTime } from './processor-time.js'
import { ask, launch } from './servers/launch.js'
import { bareFor, ours, peers, rows, versionOf } from './servers/subjects.js'

const named = ['list', 'filtered', 'read', 'create', 'unauthorized', 'invalid', 'missing']
const readsBody = ['create', 'invalid']
/** Set by `node:http` itself. */
const connectionHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']
/** What is compiled as it runs: the first row of a process takes longer to warm up. */
const warmUpSeconds = { first: 1.5, next: 0.5 }

export default async function benchRequests({ rounds, seconds, connections, say }) {
  const answers = await observeOurs()
  const subjects = [
    { ...bareFor('bare', {}), id: 'bare' },
    { ...bareFor('bare-log', {}), id: 'bare-log', title: 'bare node:http with a log' },
    ours,
    ...peers.map((peer) => ({ ...peer, title: `${peer.title} ${versionOf(peer.package) ?? ''}`.trim() })),
  ]
  const results = new Map(subjects.map(({ id }) => [id, Object.fromEntries(named.map((row) => [row, []]))]))
  const failures = []

  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      if (failures.some(({ id, row }) => id === subject.id && row === undefined)) continue
      say(`requests: round ${round + 1} of ${rounds}, ${subject.title}`)
      try {
        await measureSubject(subject)
      } catch (error) {
        failures.push({ id: subject.id, title: subject.title, why: error.message })
      }
    }
  }
  return report({ subjects, results, failures, options: { rounds, seconds, connections } })

  async function measureSubject(subject) {
    if (subject.id === 'bare' || subject.id === 'bare-log') {
      for (const row of named) await inProcess(toBare(subject, row), [row])
    } else await inProcess(subject, Object.keys(rows))
  }

  /** A bare server knows one answer: it is another process for each row. */
  function toBare({ id }, row) {
    const { logLine, ...answer } = answers[row]
    const bare = bareFor(`${id}-${row}`, { ...answer, ...(id === 'bare-log' && { logLine }) })
    return { ...bare, id, isConstant: true }
  }

  async function inProcess(subject, wanted) {
    const server = await launch({ ...subject, ready: subject.isConstant ? undefined : subject.requests.list })
    try {
      for (const row of wanted) {
        if (failures.some((failure) => failure.id === subject.id && failure.row === row)) continue
        try {
          const warmUp = row === wanted[0] ? warmUpSeconds.first : warmUpSeconds.next
          results.get(subject.id)[row].push(await measure(server, subject, row, warmUp))
        } catch (error) {
          failures.push({ id: subject.id, title: subject.title, row, why: error.message })
        }
      }
    } finally {
      await server.close()
    }
  }

  async function measure({ port, pid }, subject, row, warmUp) {
    const request = subject.requests[row]
    const { statuses } = rows[row]
    const check = async () => {
      const { status } = await ask(port, request)
      if (!statuses.includes(status)) throw new Error(`answered ${status}, not ${statuses.join(' or ')}`)
    }
    await check()
    await load({ port, requests: [request], connections, seconds: warmUp })
    const before = processorTime(pid)
    const { answered, refused, ...rates } = await load({ port, requests: [request], connections, seconds })
    const microseconds = (processorTime(pid) - before) / answered
    const expected = statuses[0] >= 400 ? answered : 0
    if (refused !== expected) throw new Error(`${refused} of ${answered} answers were refusals, not ${expected}`)
    await check()
    return { microseconds, ...rates }
  }
}

/** What ours answers to each request, and the line that it logs for it. */
async function observeOurs() {
  const server = await launch({ ...ours, ready: ours.requests.list })
  const answers = {}
  try {
    for (const row of named) {
      const { status, headers, body } = await ask(server.port, ours.requests[row])
      const own = {}
      for (let index = 0; index < headers.length; index += 2) {
        if (!connectionHeaders.includes(headers[index].toLowerCase())) own[headers[index]] = headers[index + 1]
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
      const logLine = `${server.output().trim().split('\n').at(-1)}\n`
      answers[row] = { status, headers: own, body, readsBody: readsBody.includes(row), logLine }
    }
  } finally {
    await server.close()
  }
  return answers
}

function report({ subjects, results, failures, options }) {
  const figures = (id, row, figure) => results.get(id)[row].map((result) => result[figure])
  const middle = (id, row, figure) => {
    const values = figures(id, row, figure)
    return values.length > 0 ? median(values) : undefined
  }
  const toRows = (figure) =>
    subjects.map(({ id, title }) => [title, ...named.map((row) => toFigure(middle(id, row, figure)))])
  const head = ['', ...named.map((row) => rows[row].title)]
  const tables = [
    { title: 'Processor time per request, µs', head, rows: toRows('microseconds') },
    { title: 'Requests per second', head, rows: toRows('perSecond') },
    { title: 'p50, ms', head, rows: toRows('p50') },
    { title: 'p99, ms', head, rows: toRows('p99') },
  ]

  const ratioTo = (id, row) => {
    const [theirs, own] = [figures(id, row, 'microseconds'), figures('ours', row, 'microseconds')]
    const count = Math.min(theirs.length, own.length)
    return count === 0 ? undefined : medianRatio(theirs.slice(0, count), own.slice(0, count))
  }
  const bars = named.flatMap((row) => {
    const limit = rows[row].statuses[0] < 400 ? 0.85 : 0.8
    const what = `${rows[row].title}: processor time of bare node:http / ours`
    const [plain, logging] = [ratioTo('bare', row), ratioTo('bare-log', row)]
    return [
      plain === undefined ? unmeasured(what, whyNot('ours', row)) : atLeast(what, plain, limit),
      ...(logging === undefined
        ? []
        : [asides(`  the same, where the bare one writes as much to a log`, toFigure(logging))]),
    ]
  })
  for (const row of named) {
    const what = `${rows[row].title}: processor time of the best peer / ours`
    const best = peers
      .map(({ id, title }) => ({ title, ratio: ratioTo(id, row) }))
      .filter(({ ratio }) => ratio !== undefined)
      .toSorted((a, b) => a.ratio - b.ratio)[0]
    if (best === undefined) bars.push(unmeasured(what, 'no peer gives it'))
    else bars.push(atLeast(`${what} (${best.title})`, best.ratio, 4))
  }
  const data = subjects.map(({ id, title, note }) => ({
    id,
    title,
    note,
    rows: Object.fromEntries(
      named.map((row) => [row, { rounds: results.get(id)[row], why: whyNot(id, row), ratio: ratioTo(id, row) }]),
    ),
  }))
  return { options, tables, bars, notes: toNotes(), data }

  function whyNot(id, row) {
    return failures.find((failure) => failure.id === id && (failure.row ?? row) === row)?.why
  }

  function toNotes() {
    const left = failures.map(({ title, row, why }) =>
      row === undefined ? `${title} was not measured: ${why}` : `${title}, ${rows[row].title}: ${why}`,
    )
    return [...subjects.filter(({ note }) => note).map(({ title, note }) => `${title}: ${note}`), ...left]
  }
}
