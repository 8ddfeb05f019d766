/**
 * Processor time per request of each row, for ours, for bare `node:http` with the same answer, and for the peers. Each
 * row uses a new process per subject, because created records and an older heap would affect the result. Subjects that
 * are compared to a hundredth are measured in turn, within seconds.
 */
import { asides, atLeast, toFigure, unmeasured, withSpread } from './bars.js'
import { load } from './load.js'
import { median, medianRatio } from './median.js'
import { processorTime } from './processor-time.js'
import { ask, launch } from './servers/launch.js'
import { bareFor, ours, peers, rows } from './servers/subjects.js'

const named = ['list', 'filtered', 'read', 'create', 'unauthorized', 'invalid', 'missing']
const readsBody = ['create', 'invalid']
/** Headers that `node:http` sets itself. */
const connectionHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']
/** For the just-in-time compiler. */
const warmUpSeconds = 4
/** Measurements of each subject per round. */
const turns = 2

export default async function benchRequests({ rounds, seconds, connections, say }) {
  const answers = await observeOurs()
  const { requests } = ours
  const bare = [
    { id: 'bare', title: 'bare node:http', requests },
    { id: 'bare-log', title: 'bare node:http with a log', note: 'logs a line of the same length as ours', requests },
  ]
  const subjects = [...bare, ours, ...peers]
  const results = new Map(subjects.map(({ id }) => [id, Object.fromEntries(named.map((row) => [row, []]))]))
  const failures = []
  const hasFailed = (id, row) => failures.some((failure) => failure.id === id && (failure.row ?? row) === row)

  for (let round = 0; round < rounds; round++) {
    for (const row of Object.keys(rows)) {
      say(`requests: round ${round + 1} of ${rounds}, ${rows[row].title}`)
      await measureInTurn([...bare, ours], row)
      for (const peer of peers) await measureInTurn([peer], row)
    }
  }
  return report({ subjects, results, failures, options: { rounds, seconds, connections } })

  async function measureInTurn(compared, row) {
    const servers = new Map()
    try {
      for (const subject of compared.filter(({ id }) => !hasFailed(id, row))) {
        // A subject that does not start is not tried again for other rows.
        await attempt(subject, undefined, async () => servers.set(subject, await launch(toLaunched(subject, row))))
        if (servers.has(subject)) await attempt(subject, row, () => warmUp(subject, servers.get(subject), row))
      }
      for (let turn = 0; turn < turns; turn++) {
        for (const [subject, server] of servers) await attempt(subject, row, () => measure(subject, server, row))
      }
      for (const [subject, { port }] of servers) await attempt(subject, row, () => checkStatus(subject, port, row))
    } finally {
      for (const server of servers.values()) await server.close()
    }
  }

  /** A bare server gives one constant answer, so it needs a subject for each row. */
  function toLaunched(subject, row) {
    if (!bare.includes(subject)) return { ...subject, ready: subject.requests.list }
    const { logLine, ...answer } = answers[row]
    const known = { ...answer, ...(subject.id === 'bare-log' && { logLine }) }
    return bareFor(`${subject.id}-${row}`, known)
  }

  /** A failure is reported once and not retried. */
  async function attempt({ id, title }, row, work) {
    if (hasFailed(id, row)) return
    try {
      await work()
    } catch (error) {
      failures.push({ id, title, row, why: error.message })
    }
  }

  async function warmUp(subject, { port }, row) {
    await checkStatus(subject, port, row)
    await load({ port, requests: [subject.requests[row]], connections, seconds: warmUpSeconds })
  }

  async function measure(subject, { port, pid }, row) {
    const before = processorTime(pid)
    const { answered, refused, ...rates } = await load({
      port,
      requests: [subject.requests[row]],
      connections,
      seconds,
    })
    const microseconds = (processorTime(pid) - before) / answered
    const expected = rows[row].statuses[0] >= 400 ? answered : 0
    if (refused !== expected)
      throw new Error(`expected ${expected} refusals among ${answered} answers (got ${refused})`)
    results.get(subject.id)[row].push({ microseconds, ...rates })
  }

  /** Not called between measurements: requests on new connections take other code paths, which affects compilation. */
  async function checkStatus(subject, port, row) {
    const { statuses } = rows[row]
    const { status } = await ask(port, subject.requests[row])
    if (!statuses.includes(status)) throw new Error(`expected status ${statuses.join(' or ')} (got ${status})`)
  }
}

/** Records our answer to each request, and the line that is logged. */
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
    if (theirs.length === 0 || own.length === 0) return undefined
    // Pair the turns if both were measured in turn.
    return theirs.length === own.length ? medianRatio(theirs, own) : median(theirs) / median(own)
  }
  const spread = (id, row) => {
    const own = figures('ours', row, 'microseconds')
    return figures(id, row, 'microseconds').map((time, index) => time / (own[index] ?? median(own)))
  }
  const bars = named.flatMap((row) => {
    const limit = rows[row].statuses[0] < 400 ? 0.85 : 0.8
    const what = `${rows[row].title}: processor time of bare node:http with an equal log / ours`
    const [plain, logging] = [ratioTo('bare', row), ratioTo('bare-log', row)]
    return [
      logging === undefined
        ? unmeasured(what, whyNot('ours', row) ?? whyNot('bare-log', row))
        : withSpread(atLeast(what, logging, limit), spread('bare-log', row)),
      ...(plain === undefined ? [] : [asides('  the same, if the bare server writes no log', toFigure(plain))]),
    ]
  })
  for (const row of named) {
    const what = `${rows[row].title}: processor time of the best peer / ours`
    const best = peers
      .map(({ id, title }) => ({ title, ratio: ratioTo(id, row) }))
      .filter(({ ratio }) => ratio !== undefined)
      .toSorted((a, b) => a.ratio - b.ratio)[0]
    if (best === undefined) bars.push(unmeasured(what, 'no peer supports it'))
    else {
      bars.push(atLeast(`${what} (${best.title})`, best.ratio, 4))
      const limit = ratioTo('bare', row)
      if (limit !== undefined) bars.push(asides('  the same of bare node:http', toFigure(best.ratio / limit)))
    }
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
