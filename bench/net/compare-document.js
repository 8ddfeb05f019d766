/** Compares facts, contracts and answers of two builds for one document, in a process of its own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { listOperations } from '../documents/list-operations.js'
import { measureOperations } from '../documents/measure-operations.js'
import { createRandom, pickSome } from '../documents/random.js'
import { servers } from '../documents/servers.js'
import { startServer } from '../documents/start-server.js'
import { step, task, work } from '../documents/worker.js'
import { changesBetween, countLeaves } from './changes-between.js'

const { name, file, before, operations: cap, seed, slot, slots } = task
const after = fileURLToPath(new URL('../../', import.meta.url))
const folders = [before, after]

const idOf = ({ method, path }) => `${method} ${path}`
/** What decided an effect: its rule, or the reason without names if one of the builds has no ids. */
const ruleOf = ({ rule, reason }, haveIds) => (haveIds && rule) || reason.replace(/\{[^}]*\}|\/\S+|"[^"]*"/g, '…')
const toChange = ({ group, place, before, after }) => ({
  group,
  what: `${place.join(' ')}: ${show(before)} -> ${show(after)}`,
})
const asText = (_, value) => (['function', 'bigint'].includes(typeof value) ? String(value) : value)
const show = (value) => (value === undefined ? 'nothing' : JSON.stringify(value, asText).slice(0, 200))

async function explain(folder) {
  const args = [join(folder, 'bin/petstore-sandbox.js'), 'explain', '--json', '--spec', file]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  return JSON.parse(stdout)
}

function toFacts({ operations, collections }, haveIds) {
  const ofOperations = operations.map((each) => {
    const { method, path, operationId, reason, sure, ...facts } = each
    return [idOf(each), { ...facts, rule: ruleOf(each, haveIds) }]
  })
  const ofCollections = collections.map(({ name, facts, ...others }) => {
    const all = facts.map(({ fact, about, evidence, why }) => [`${fact} ${about}`, `${evidence}: ${why}`])
    return [name, { ...others, facts: Object.fromEntries(all) }]
  })
  return Object.fromEntries([...ofOperations, ...ofCollections])
}

function groupOfFact({ place: [, member, fact], before, after }) {
  const kind = member === 'facts' && fact !== undefined ? fact.replace(/ .*/, '') : member
  const words = [before, after].map((each) =>
    typeof each === 'string' ? each.replace(/:.*/, '').slice(0, 60) : show(each).slice(0, 30),
  )
  return member === 'facts'
    ? `${kind} by ${words[1] === words[0] ? `${words[0]}, other words` : words.join(' -> ')}`
    : `${kind}: ${words.join(' -> ')}`
}

/** The contract without tables of validators, shapes and types, and positions in them: answers show what changes there. */
async function compile(folder) {
  const { compileFile } = await import(pathToFileURL(join(folder, 'dist/node.js')).href)
  const { contract } = await compileFile(file)
  const byId = (list, id) => Object.fromEntries(list.map((each) => [each[id], each]))
  const { operations, collections, ...others } = contract
  for (const table of ['validators', 'recordValidators', 'shapes', 'plans', 'textTypes']) delete others[table]
  return withoutPositions({ ...others, operations: byId(operations, 'id'), collections: byId(collections, 'name') })
}

const isPosition = /^(shape|validate\w*|textType|type|record|ensure|keyPlan|plan)$/

function withoutPositions(value) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPositions)
  const entries = Object.entries(value).filter(([name, each]) => typeof each !== 'number' || !isPosition.test(name))
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutPositions(each)]))
}

/** The members of the contract, without names of operations, collections and positions. */
function groupOfPlace({ place }) {
  const [part, , ...members] = place
  const isNamed = part === 'operations' || part === 'collections'
  const shown = isNamed ? members : place.slice(1)
  return [part, ...shown.filter((each) => !/^\d+$/.test(each)).slice(0, 3)].join('.')
}

async function ask(read, rules) {
  const all = typeof read.document?.paths === 'object' ? listOperations(read) : []
  const operations = pickSome(all, cap, createRandom(`${seed} ${name}`))
  const running = await Promise.all(
    folders.map((folder, at) =>
      startServer(servers.ours, {
        id: 'ours',
        file,
        against: folder,
        slot: 2 * slot + at,
        slots: 2 * slots,
        read,
        operations: all,
      }),
    ),
  )
  const answers = []
  let asked = 0
  try {
    await measureOperations({
      ...{ read, name: `${seed} ${name}`, operations, helpers: [], onStep: step },
      send: async (operation, request) => {
        const [was, is] = await Promise.all(
          running.map(({ baseOf, client }) =>
            client.send({ ...request, path: `${baseOf(operation.server)}${request.path}` }),
          ),
        )
        asked++
        const changed = changesBetween(toAnswer(was), toAnswer(is))
        const group = rules.get(operation.id) ?? 'no rule'
        if (changed.length > 0) {
          const [{ place, before, after }] = changed
          const isStatus = place[0] === 'status'
          answers.push({
            group: `${isStatus ? 'status' : 'body'}, ${group}`,
            what: `${operation.id} ${place.join(' ')}: ${show(before)} -> ${show(after)}${changed.length > 1 ? `, and ${changed.length - 1} more` : ''}`,
          })
        }
        return was
      },
    })
  } finally {
    for (const { client, close } of running) {
      client.close()
      await close()
    }
  }
  return { answers, asked }
}

/** What is compared of an answer: without its port, and times only to the minute, because the clocks of both run. */
function toAnswer({ status, headers, body, failure }) {
  if (failure !== undefined) return { failure }
  const text = body
    .toString('utf8')
    .replace(/127\.0\.0\.1(:|%3A)\d+/g, 'sandbox')
    .replace(/(T\d\d:\d\d):\d\d(\.\d+)?/g, '$1')
    .replace(/\b(1[678]\d{5})\d{3}(\d{3})?\b/g, '$1')
  try {
    return { status, type: headers['content-type'], body: JSON.parse(text) }
  } catch {
    return { status, type: headers['content-type'], body: text }
  }
}

await work(async (read) => {
  step('explaining')
  const [was, is] = await Promise.all(folders.map(explain))
  const haveIds = [was, is].every(({ operations }) => operations.some(({ rule }) => rule))
  const [factsBefore, factsAfter] = [was, is].map((explained) => toFacts(explained, haveIds))
  const facts = changesBetween(factsBefore, factsAfter).map((change) => ({ ...change, group: groupOfFact(change) }))
  step('compiling')
  const contracts = await Promise.all(folders.map(compile))
  const contract = changesBetween(...contracts).map((change) => ({ ...change, group: groupOfPlace(change) }))
  step('asking')
  const rules = new Map(
    [was, is].flatMap(({ operations }) => operations.map((each) => [idOf(each), ruleOf(each, true)])),
  )
  const { answers, asked } = await ask(read, rules)
  return {
    outcome: 'compared',
    counts: { facts: countLeaves(factsAfter), contracts: countLeaves(contracts[1]), answers: asked },
    changes: { facts: facts.map(toChange), contracts: contract.map(toChange), answers },
  }
})
