/**
 * Sends all documented examples of requests of popular documents unchanged, in a fresh world and after 50 other valid
 * requests, and reads keys that nobody made.
 *
 * - `npm run bench popular`; `-- --only museum,galaxy` takes some of the documents.
 * - `-- --list all` prints each failure with its request and answer.
 * - `-- --repositories <folder>` has clones of the repositories of the documents.
 */
import { readFileSync } from 'node:fs'
import { compileDocument } from '../dist/index.js'
import { startServer } from '../dist/node.js'
import { atLeast, atMost } from './bars.js'
import { findDocument } from './clients/documents.js'
import { createClient } from './documents/client.js'
import { listOperations } from './documents/list-operations.js'
import { readDocument } from './documents/read-document.js'
import { catalog } from './popular/catalog.js'
import { createSender } from './popular/send-examples.js'

const others = 50
const answerLimitMs = 10_000
const shownText = 300

export default async function benchPopular({ say, only, list, repositories }) {
  const all = []
  const notes = []
  const rows = []
  const names = only?.split(',') ?? Object.keys(catalog)
  const unknown = names.find((name) => !Object.hasOwn(catalog, name))
  if (unknown !== undefined) throw new Error(`--only takes ${Object.keys(catalog).join(', ')} (got "${unknown}")`)
  for (const name of names) {
    const { file, why } = await findDocument(catalog[name], repositories)
    if (file === undefined) {
      notes.push(`${name}: ${why}`)
      continue
    }
    const verdicts = await measure(name, file)
    all.push(...verdicts)
    rows.push([name, ...countsOf(verdicts)])
    say(`popular: ${name}: ${countsOf(verdicts).join(', ')}`)
  }
  const examples = all.filter(({ phase }) => phase !== 'unknown')
  const unknowns = all.filter(({ phase }) => phase === 'unknown')
  const bars = [
    atLeast('popular: documented examples that succeed', percentOf(examples), 100, ' %'),
    atMost('popular: answers with 409', examples.filter(is409).length, 0),
    atLeast('popular: unknown keys that get 404', percentOf(unknowns), 100, ' %'),
  ]
  const head = ['document', 'fresh', 'after others', '409', 'unknown keys']
  const failed = all.filter(({ isSuccess }) => !isSuccess).map(toLine)
  return {
    name: only === undefined ? 'popular' : 'popular-only',
    tables: [{ title: 'Documented examples that succeed, and unknown keys that get 404', head, rows }],
    lists: list === undefined ? [] : [{ title: 'failures', lines: failed }],
    bars,
    notes,
    data: { rows, failed },
    hasFailed: notes.length > 0 || bars.some(({ isKept }) => !isKept),
  }
}

async function measure(name, file) {
  const verdicts = []
  const collect = (phase, found) => verdicts.push(...found.map((each) => ({ name, phase, ...each })))
  for (const phase of ['fresh', 'after']) {
    const sender = await open(file)
    try {
      if (phase === 'after') await sender.sendOthers(others)
      collect(phase, await sender.sendExamples())
      collect('unknown', await sender.readUnknown())
    } finally {
      await sender.close()
    }
  }
  return verdicts
}

async function open(file) {
  const read = readDocument(file)
  const { contract } = await compileDocument(readFileSync(file, 'utf8'), file)
  const { mount } = contract.servers[0]
  const http = await startServer({ spec: file, port: 0 })
  const client = createClient(http.port, answerLimitMs)
  const send = (_, request) => client.send({ ...request, path: mount + request.path })
  const close = () => {
    client.close()
    return http.close()
  }
  return { ...createSender({ read, operations: listOperations(read), send }), close }
}

function countsOf(verdicts) {
  const share = (phase) => {
    const found = verdicts.filter((each) => each.phase === phase)
    return `${found.filter(({ isSuccess }) => isSuccess).length} of ${found.length}`
  }
  return [share('fresh'), share('after'), verdicts.filter(is409).length, share('unknown')]
}

function is409({ answer }) {
  return answer?.status === 409
}

function percentOf(verdicts) {
  return (100 * verdicts.filter(({ isSuccess }) => isSuccess).length) / Math.max(verdicts.length, 1)
}

function toLine({ name, phase, operation, request, answer, verdict }) {
  const sent = request && `${request.path} ${request.body?.slice(0, shownText) ?? ''}`
  const got = answer?.body && `${answer.status} ${answer.body.toString().slice(0, shownText)}`
  return `${name} (${phase}) ${operation.id}: ${verdict}; sent ${sent}; got ${got}`
}
