/**
 * Sends the same requests through all four doors, `sandbox.handle`, `sandbox.fetch`, MSW and HTTP, for ten documents of
 * the corpus: every answer must have the same status, type and bytes. The requests are those of `npm run bench documents`.
 *
 * - `npm run bench doors`; `-- --seed 2` takes other documents, `-- --only <text>` those with the text in their path.
 */
import { readFileSync } from 'node:fs'
import { setupServer } from 'msw/node'
import { compileDocument, createSandbox, generateScenario } from '../dist/index.js'
import { createHandlers } from '../dist/msw.js'
import { startServer } from '../dist/node.js'
import { chooseDocuments } from './documents/choose-documents.js'
import { createClient } from './documents/client.js'
import { listOperations } from './documents/list-operations.js'
import { measureOperations } from './documents/measure-operations.js'
import { readDocument } from './documents/read-document.js'

const wanted = 10
/** Documents of other sizes say little, or take long. */
const operationsOf = { least: 5, most: 80 }
const answerLimitMs = 10_000
const shown = 20
const now = () => Date.parse('2026-11-21T00:00:00Z')

export default async function benchDoors({ say, seed = 1, only }) {
  const rows = []
  /** One document of each provider. */
  const providers = new Set()
  const differences = []
  for (const { name, file } of chooseDocuments({ sample: 200, seed, only })) {
    const [provider] = name.split('/')
    const read = rows.length === wanted || providers.has(provider) ? undefined : tryRead(file)
    if (!read) continue
    const counts = await compareDoors(name, file, read, differences)
    if (!counts) continue
    providers.add(provider)
    rows.push([name, counts.operations, counts.requests, counts.different])
    say(`doors: ${name}: ${counts.requests} requests, ${counts.different} differ`)
  }
  const head = ['document', 'operations', 'requests', 'answers that differ']
  const tables = [{ title: 'The same requests through handle, fetch, MSW and HTTP', head, rows }]
  const lists = differences.length > 0 ? [{ title: 'differences', lines: differences.slice(0, shown) }] : []
  return { tables, lists, hasFailed: differences.length > 0 || (only === undefined && rows.length < wanted) }
}

function tryRead(file) {
  try {
    const read = readDocument(file)
    const { length } = typeof read.document?.paths === 'object' ? listOperations(read) : []
    return length >= operationsOf.least && length <= operationsOf.most ? read : undefined
  } catch {
    return undefined
  }
}

/** @returns undefined if the document has no single absolute address */
async function compareDoors(name, file, read, differences) {
  const compiled = await compileDocument(readFileSync(file, 'utf8'), file)
  const { contract } = compiled
  const [server, ...others] = contract.servers
  if (others.length > 0 || !/^https?:\/\/[^/]/.test(server.url)) return undefined
  const options = { contract, now, scenario: await generateScenario({ compiled, at: now() }) }
  const doors = await openDoors(file, server, options)
  const operations = listOperations(read)
  const counts = { operations: operations.length, requests: 0, different: 0 }
  const send = async (_, request) => {
    const answers = []
    for (const door of doors) answers.push(await door.send(request))
    const [first] = answers
    counts.requests++
    const texts = answers.map((answer, index) => toText(answer, doors[index].origin))
    for (const [index, text] of texts.entries()) {
      if (text === texts[0]) continue
      counts.different++
      const [one, other] = [texts[0].slice(0, 200), text.slice(0, 200)]
      differences.push(`${name} ${request.method} ${request.path}: handle ${one}, ${doors[index].name} ${other}`)
    }
    return first
  }
  try {
    await measureOperations({ read, name, operations, helpers: [], send: canSend(send), onStep: () => {} })
  } finally {
    for (const { close } of doors) await close?.()
  }
  return counts
}

/** `fetch` sends no cookies, and no body with GET or HEAD. */
function canSend(send) {
  return (operation, request) => {
    const isCookie = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'cookie')
    const isBody = request.body !== undefined && ['GET', 'HEAD'].includes(request.method)
    return isCookie || isBody || request.method === 'TRACE'
      ? { failure: 'fetch cannot send it' }
      : send(operation, request)
  }
}

/** @param origin where the door is: links in answers lead to it, so it is written in the same way for all */
function toText({ status, headers = {}, body, failure }, origin) {
  const text = body?.toString('latin1').replaceAll(origin, 'https://service.example') ?? ''
  return failure ?? `${status} ${headers['content-type'] ?? ''} ${text}`
}

async function openDoors(file, server, options) {
  const fetching = createSandbox(options)
  const { handlers } = createHandlers(options)
  const worker = setupServer(...handlers)
  worker.listen({ onUnhandledRequest: 'bypass' })
  const http = await startServer({ spec: file, now, port: 0 })
  const client = createClient(http.port, answerLimitMs)
  const base = server.url.replace(/\/+$/, '')
  const { origin } = new URL(base)
  return [
    { name: 'handle', origin, send: handleBy(createSandbox(options)) },
    { name: 'fetch', origin, send: fetchBy(fetching.fetch, `http://127.0.0.1${server.mount}`) },
    { name: 'MSW', origin, send: fetchBy(fetch, base), close: () => worker.close() },
    {
      name: 'HTTP',
      origin: `http://127.0.0.1:${http.port}`,
      send: (request) => client.send({ ...request, path: server.mount + request.path }),
      close: () => {
        client.close()
        return http.close()
      },
    },
  ]
}

function handleBy(sandbox) {
  return async ({ method, path, headers, body }) => {
    const { server, mount, path: own } = sandbox.locator.byMount(sandbox.contract.servers[0].mount + path.split('?')[0])
    const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : ''
    const all = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]))
    const bytes = Buffer.from(body ?? '')
    const request = { method, server, mount, path: own, query, body: async () => bytes }
    const answer = await sandbox.handle({
      ...request,
      header: (name) => all.get(name),
      headers: () => [...all].flat(),
    })
    const sent = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]))
    return { status: answer.status, headers: sent, body: Buffer.from(answer.bytes ?? answer.body ?? '') }
  }
}

function fetchBy(send, base) {
  return async ({ method, path, headers, body }) => {
    const sent = body === undefined ? undefined : Buffer.from(body)
    const answer = await send(`${base}${path}`, { method, headers, body: sent, redirect: 'manual' })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes }
  }
}
