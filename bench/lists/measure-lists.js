/** Judges the lists of one document in a process of its own: starts the server, sends requests, ends the server. */
import { NoValidValue } from '../documents/build-value.js'
import { createKeys, toCollection } from '../documents/collect-keys.js'
import { createSchemas } from '../documents/json-schemas.js'
import { listOperations } from '../documents/list-operations.js'
import { createRandom, pickSome } from '../documents/random.js'
import { servers } from '../documents/servers.js'
import { startServer } from '../documents/start-server.js'
import { step, task, work } from '../documents/worker.js'
import { createShapes } from '../state/read-shapes.js'
import { createAskList } from './ask-list.js'
import { findLists } from './find-lists.js'
import { findSearches } from './find-searches.js'
import { findWays } from './find-ways.js'
import { getWhole } from './get-whole.js'
import { judgeExamples, judgeHollow, judgeReferences } from './judge-data.js'
import { judgeFilters } from './judge-filters.js'
import { judgePaging } from './judge-paging.js'
import { judgeSearches } from './judge-searches.js'
import { judgeSorts } from './judge-sorts.js'
import { nameFields } from './name-fields.js'
import { namePaging } from './name-parameters.js'

const { name, file, seed, operations: cap, against, slot, slots } = task
const triedParents = 5
const depthOf = ({ path }) => path.split('{').length - 1

await work(measure)

async function measure(read) {
  const { document, resolve } = read
  const operations = typeof document?.paths === 'object' ? listOperations(read) : []
  const shapes = createShapes(read)
  const { lists, unclear } = findLists(operations, { shapes, resolve })
  const searches = pickSome(findSearches(operations, { shapes, resolve }), cap, createRandom(`${seed} ${name}`))
  const chosen = pickSome(lists, cap, createRandom(`${seed} ${name}`))
  const counts = { found: lists.length, unclear }
  if (chosen.length + searches.length === 0) return { outcome: 'measured', ...counts, lists: [] }
  step('starting')
  const running = await startServer(servers.ours, { id: 'ours', file, against, slot, slots, read, operations })
  const schemas = createSchemas({ document, resolve, mode: 'request' })
  const answers = createSchemas({ document, resolve, mode: 'response' })
  const known = []
  const keys = createKeys()
  const { begin, search, ...asking } = createAskList({
    document,
    resolve,
    schemas,
    keys,
    host: `127.0.0.1:${running.port}`,
    send: async (operation, request) => {
      const path = `${running.baseOf(operation.server)}${request.path}`
      return { ...(await running.client.send({ ...request, path })), path }
    },
    sendAt: async (request) => ({ ...(await running.client.send(request)), path: request.path }),
  })
  const tools = { ...asking, resolve }
  const results = []
  for (const list of withParents(chosen, operations)) {
    step(`asking ${list.operation.id}`)
    const result = await tryAsk(() => judge(list))
    if (list.isJudged) results.push({ operation: list.operation.id, ...result })
  }
  for (const each of searches) {
    step(`searching ${each.operation.id}`)
    const tried = tryAsk(() => judgeSearches(each, { ...tools, shapes, schemas, ...search(each.operation) }))
    results.push({ operation: each.operation.id, ...(await tried) })
  }
  for (const { operation, ...judgement } of judgeReferences(known)) {
    results.find((each) => each.operation === operation)?.judgements.push(judgement)
  }
  running.client.close()
  await running.close()
  return { outcome: 'measured', ...counts, lists: results }

  async function tryAsk(ask) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof NoValidValue) return { unreachable: error.message }
      return { harness: `${error.stack}`.slice(0, 400) }
    }
  }

  async function judge({ operation, isJudged, ...found }) {
    if (!isJudged) {
      const base = begin(operation, new Set())
      giveKeys(operation, base, await tools.ask({ operation, base, pointer: [] }, []))
      return {}
    }
    const { list, paths, whole } = await reach(operation, found)
    if (whole.unreachable !== undefined) return { unreachable: whole.unreachable }
    giveKeys(operation, list.base, whole.first)
    const families = paths.ways.map(({ family }) => family)
    const { records, isSure } = whole
    if (records.length === 0) return { families, count: 0 }
    const judgements = [
      ...(await judgePaging(list, whole, paths, tools)),
      ...(await judgeFilters(list, whole, tools)),
      ...(await judgeSorts(list, whole, tools)),
      ...judgeHollow(list, whole),
      ...judgeExamples(list, whole, { document, resolve, schemas: answers }),
    ]
    known.push({ operation, records, isSure, properties: list.properties })
    return { families, count: records.length, isSure, judgements }
  }

  /** Gets a list, below the first of some parents that has records in it. */
  async function reach(operation, found) {
    const paging = namePaging(operation, tools)
    const fields = nameFields(found.fields, found.pointer)
    const tried = new Set()
    let first
    while (tried.size < triedParents) {
      const base = begin(operation, tried)
      const list = { operation, ...found, base, paging, fields }
      const paths = findWays(list, tools)
      const whole = await getWhole(list, paths.ways, { ...tools, complete: paths.complete })
      first ??= { list, paths, whole }
      if (whole.records?.length > 0) return { list, paths, whole }
      if (base.key === undefined || tried.has(base.key)) break
      tried.add(base.key)
    }
    return first
  }

  function giveKeys(operation, { parameters }, { isSuccess, value }) {
    if (!isSuccess) return
    const ofPath = [...parameters].filter(([parameter]) => parameter.in === 'path')
    keys.add(operation, Object.fromEntries(ofPath.map(([parameter, each]) => [parameter.name, each])), value)
  }
}

/** The chosen lists and those that give the keys of their paths, parents first. */
function withParents(chosen, operations) {
  const judged = new Set(chosen.map(({ operation }) => operation))
  const needed = new Set()
  for (const { operation } of chosen) {
    for (const { index } of operation.path.matchAll(/\{/g)) {
      needed.add(toCollection(operation.path.slice(0, operation.path.lastIndexOf('/', index))))
    }
  }
  const parents = operations.filter(
    (each) => each.method === 'GET' && !judged.has(each) && needed.has(toCollection(each.path)),
  )
  const all = [...chosen.map((list) => ({ ...list, isJudged: true })), ...parents.map((operation) => ({ operation }))]
  return all.toSorted((one, other) => depthOf(one.operation) - depthOf(other.operation))
}
