/**
 * Prepares one pair in a process of its own: chooses a consumer from the older document, has its lock written, and finds out
 * with other tools what the newer document breaks for it. What is compared later is sent to the process that started it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSchemas } from '../documents/json-schemas.js'
import { listOperations } from '../documents/list-operations.js'
import { createRandom } from '../documents/random.js'
import { readDocument } from '../documents/read-document.js'
import { chooseConsumer, toAddress } from './consumer.js'
import { excerpt } from './excerpt.js'
import { createGenerator } from './generate.js'
import { judgeReads } from './judge-reads.js'
import { createRequestJudge } from './judge-requests.js'
import { runProgram } from './run-program.js'

const runLimitMs = 40_000
const isJson = (type) => /^[^;]*[/+]json\b/i.test(type)

process.on('message', async (task) => {
  try {
    process.send({ result: await prepare(task) })
  } catch (error) {
    process.send({ result: { outcome: 'harness', why: `${error.stack}`.slice(0, 600) } })
  }
})

async function prepare({ old: oldFile, new: newFile, folder, seed, name }) {
  step('reading the older document')
  const older = toSide(readDocument(oldFile))
  const random = createRandom(`history ${seed} ${name}`)
  step('choosing a consumer')
  const consumer = chooseConsumer({ ...older, seed: `${seed} ${name}`, random })
  const dropped = { ...consumer.dropped }
  const drop = (why, count = 1) => {
    if (count > 0) dropped[why] = (dropped[why] ?? 0) + count
  }
  step('judging calls by the older document')
  const judgeOld = await createRequestJudge(
    older.read.written,
    consumer.operations.map(({ operation }) => operation),
  )
  let used = []
  for (const each of consumer.operations) {
    const calls = each.calls.filter(({ request }) => judgeOld(each.operation, request).length === 0)
    drop('calls that Prism refuses', each.calls.length - calls.length)
    if (calls.length > 0) used.push({ ...each, calls })
  }
  if (used.length === 0) return { outcome: 'no calls', dropped }
  const lock = join(folder, 'lock.json')
  // An update would keep what an earlier one reads.
  rmSync(lock, { force: true })
  // Large documents take the program longer than what is compared here; other operations do not change a lock.
  const part = join(folder, 'older.json')
  writeFileSync(
    part,
    JSON.stringify(excerpt(older.read.written, [...new Set(used.map(({ operation }) => operation.path))])),
  )
  const report = join(folder, 'run.json')
  for (const attempt of [1, 2]) {
    step('writing the lock')
    writeFileSync(join(folder, 'consumer.har'), JSON.stringify(toHar(used)))
    const args = ['run', part, '--har', join(folder, 'consumer.har'), '--lock', lock, '--update-lock']
    const { code, output } = await runProgram([...args, '--report', `json=${report}`], {
      limitMs: runLimitMs,
      cwd: folder,
    })
    if (code !== 0 && code !== 1) return { outcome: 'no lock', why: output.slice(-300), dropped }
    const { findings } = JSON.parse(readFileSync(report, 'utf8'))
    const wrong = new Set(
      findings.filter(({ severity }) => severity === 'error').map(({ method, path }) => `${method} ${path}`),
    )
    const right = used.filter(({ operation }) => !wrong.has(operation.id))
    if (right.length === used.length) break
    if (attempt === 2 || right.length === 0)
      return { outcome: 'no lock', why: JSON.stringify(findings[0]).slice(0, 300), dropped }
    for (const { calls } of used.filter((each) => !right.includes(each))) drop('calls that run refuses', calls.length)
    const [first] = findings.filter(({ severity }) => severity === 'error')
    dropped.example = `${first.rule} ${first.method} ${first.path} ${first.at ?? ''} ${first.message}`.slice(0, 200)
    used = right
  }
  const written = JSON.parse(readFileSync(lock, 'utf8'))
  const known = used.filter(({ operation }) => Object.hasOwn(written.operations, operation.id))
  drop('operations that run takes for others', used.length - known.length)
  used = known
  for (const { operation, response, reads } of used) {
    if (reads.length > 0) written.reads[`${operation.id} ${response.status}`] = reads
  }
  writeFileSync(lock, `${JSON.stringify(written, null, 2)}\n`)

  step('reading the newer document')
  const newer = toSide(readDocument(newFile))
  const findNew = createFind(listOperations(newer.read))
  const moved = used.map((each) => ({ ...each, now: findNew(each.operation) }))
  step('judging calls by the newer document')
  const judgeNew = await createRequestJudge(
    newer.read.written,
    moved.flatMap(({ now }) => now ?? []),
  )
  const events = []
  const unjudged = []
  const counts = { operations: used.length, calls: 0, reads: 0 }
  for (const { operation, calls, response, reads, now } of moved) {
    const { id } = operation
    const add = (side, event) => events.push({ operation: id, side, ...event })
    counts.calls += calls.length
    if (now === undefined) {
      add('operation', { at: '', kind: 'gone' })
      continue
    }
    step(`judging calls of ${id}`)
    const places = calls.flatMap((call) => {
      const found = judgeNew(now, toNewRequest(call.request, operation, now))
      return found.length > 0 ? found : judgeBody(older, newer, { operation, now, value: call.value })
    })
    for (const { at, code, message } of new Map(places.map((each) => [each.at, each])).values()) {
      add('request', { at, kind: code, detail: message.slice(0, 160) })
    }
    if (reads.length === 0) continue
    step(`judging reads of ${id}`)
    const found = responseOf(now, response.status)
    const media = found?.media.find(({ type }) => isJson(type))
    if (media === undefined) {
      counts.reads += reads.length
      add('response', { at: `response ${response.status}`, kind: 'gone' })
      continue
    }
    const judged = judgeReads({
      older: { schema: response.schema, generate: older.generate.response, errorsOf: older.schemas.response.errorsOf },
      newer: {
        schema: media.schema ?? {},
        generate: newer.generate.response,
        errorsOf: newer.schemas.response.errorsOf,
      },
      paths: reads,
    })
    counts.reads += judged.judged
    for (const [why, count] of Object.entries(judged.dropped)) drop(`reads: ${why}`, count)
    unjudged.push(...judged.unjudged.map((path) => ({ operation: id, at: `response ${response.status} ${path}` })))
    for (const { at, kind, detail } of judged.events) {
      add('response', { at: `response ${response.status} ${at}`.trim(), kind, detail })
    }
  }
  return {
    outcome: 'prepared',
    events,
    unjudged,
    counts,
    dropped,
    operations: used.map(({ operation }) => operation.id),
  }
}

function step(what) {
  process.send({ step: what })
}

function toSide(read) {
  const { document, resolve } = read
  const is30 = !/^3\.[1-9]/.test(String(document.openapi))
  const sides = ['request', 'response'].map((mode) => [
    mode,
    {
      generate: createGenerator({ resolve, mode, is30 }),
      schemas: createSchemas({ document, resolve, mode, isLenient: mode === 'response' }),
    },
  ])
  const of = (part) => Object.fromEntries(sides.map(([mode, parts]) => [mode, parts[part]]))
  return { read, generate: of('generate'), schemas: of('schemas') }
}

/**
 * Names of path parameters do not matter, nor does the base path of the server: a consumer configures it. An address that stays
 * the same, because the base path became a part of the path or the reverse, is the same operation.
 */
function createFind(operations) {
  const known = new Map(operations.map((each) => [each.id, each]))
  const others = new Map(operations.map((each) => [toAddress(each), each]))
  const whole = new Map(operations.map((each) => [toAddress(withBase(each)), each]))
  return (operation) =>
    known.get(operation.id) ?? others.get(toAddress(operation)) ?? whole.get(toAddress(withBase(operation)))
}

function withBase({ method, path, server }) {
  return { method, path: basePathOf(server) + path }
}

function basePathOf(server) {
  return new URL(toBase(server)).pathname.replace(/\/$/, '')
}

/** The request below the base of the newer document, if that is another one. */
function toNewRequest(request, operation, now) {
  const isBelow = toAddress(operation) !== toAddress(now)
  if (!isBelow) return request
  const whole = basePathOf(operation.server) + request.path
  return { ...request, path: whole.slice(basePathOf(now.server).length) }
}

/** Prism does not validate what is below some references of a schema to itself. */
function judgeBody(older, newer, { operation, now, value }) {
  const [before, after] = [operation, now].map(({ body }) => body?.media.find(({ type }) => isJson(type))?.schema)
  if (value === undefined || before === undefined || after === undefined) return []
  if (older.schemas.request.errorsOf(before, value).length > 0) return []
  const error = newer.schemas.request.errorsOf(after, value).at(-1)
  if (error === undefined) return []
  const names = error.instancePath.split('/').slice(1)
  const at = names.reduce(
    (path, name) => (/^\d+$/.test(name) ? `${path}[]` : path === '' ? name : `${path}.${name}`),
    '',
  )
  return [{ at: `body ${at}`.trim(), code: error.keyword, message: `Ajv: ${error.message}` }]
}

/** A `default` beside another success is that of errors. */
function responseOf({ responses }, status) {
  const hasOther = responses.some((each) => /^2/.test(each.status))
  const names = [String(status), `${String(status)[0]}XX`, ...(hasOther ? [] : ['DEFAULT'])]
  return names.map((name) => responses.find((each) => each.status === name)).find((each) => each !== undefined)
}

function toHar(used) {
  return { log: { version: '1.2', creator: { name: 'history', version: '1' }, entries: used.flatMap(toEntries) } }
}

function toEntries({ operation, calls, response }) {
  const base = toBase(operation.server)
  const answers = response?.answers ?? []
  return Array.from({ length: Math.max(calls.length, answers.length) }, (_, index) => {
    const { request } = calls[index % calls.length]
    const answer = answers[index % answers.length]
    return toEntry(base, request, response, answer)
  })
}

function toEntry(base, { method, path, headers, body }, response, answer) {
  const type = response?.type?.replace('*/*', 'application/json')
  const content = answer === undefined ? '' : JSON.stringify(answer)
  return {
    startedDateTime: '2026-01-02T03:04:05.000Z',
    request: {
      method,
      url: base + path,
      headers: pairsOf(headers),
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
      ...(body !== undefined && { postData: { mimeType: headers['Content-Type'], text: body } }),
    },
    response: {
      status: response?.status ?? 200,
      headers: answer === undefined ? [] : pairsOf({ 'content-type': type }),
      content: { mimeType: type ?? '', text: content },
    },
  }
}

function pairsOf(headers) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

function toBase(server) {
  const url = (server?.url ?? '/').replace(/\{([^{}]+)\}/g, (_, name) => server.variables?.[name]?.default ?? 'x')
  const whole = URL.canParse(url) ? url : new URL(url, 'https://service.example').href
  return whole.replace(/[/?#]+$/, '')
}
