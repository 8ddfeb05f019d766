/** Observes the collections of one document in a process of its own: starts the server, sends requests, ends the server. */
import { NoValidValue } from '../documents/build-value.js'
import { createSchemas } from '../documents/json-schemas.js'
import { listOperations } from '../documents/list-operations.js'
import { createRandom, pickSome } from '../documents/random.js'
import { servers } from '../documents/servers.js'
import { startServer } from '../documents/start-server.js'
import { step, task, work } from '../documents/worker.js'
import { createCompare } from './compare-values.js'
import { createExchange } from './exchange.js'
import { findCollections } from './find-collections.js'
import { UnknownParent } from './make-records.js'
import { createObserve } from './observe-collection.js'
import { createShapes } from './read-shapes.js'

const { name, file, seed, operations: cap, against, slot, slots } = task

await work(measure)

async function measure(read) {
  const operations = typeof read.document?.paths === 'object' ? listOperations(read) : []
  const shapes = createShapes(read)
  const { groups, observable } = findCollections(operations, shapes)
  const chosen = pickSome([...observable.values()], cap, createRandom(`${seed} ${name}`))
  const counts = { records: [...groups.values()].filter(({ item }) => item.GET !== undefined).length }
  if (chosen.length === 0) return { outcome: 'measured', ...counts, collections: [] }
  step('explaining')
  const { effects, collections } = await servers.ours.explain(file, against)
  step('starting')
  const running = await startServer(servers.ours, { id: 'ours', file, against, slot, slots, read, operations })
  const { document, resolve } = read
  const schemas = createSchemas({ document, resolve, mode: 'request' })
  const send = (operation, request) => {
    return running.client.send({ ...request, path: `${running.baseOf(operation.server)}${request.path}` })
  }
  const exchange = createExchange({ document, resolve, schemas, send })
  const answers = createSchemas({ document, resolve, mode: 'response' })
  const compare = createCompare({ resolve, shapes, schemas: answers })
  const observe = createObserve({ groups, observable, ...exchange, compare, schemas, answers })
  const results = []
  for (const collection of chosen) {
    step(`observing ${collection.id}`)
    results.push(await observeOne(collection))
  }
  running.client.close()
  await running.close()
  return { outcome: 'measured', ...counts, collections: results }

  async function observeOne(collection) {
    const { id, depth, creation } = collection
    const claims = (operation) => ({ effect: effects.get(operation), of: collections.get(operation) ?? undefined })
    try {
      const result = await observe(collection)
      return { ...result, checks: result.checks.map((check) => ({ ...check, claims: check.operations.map(claims) })) }
    } catch (error) {
      if (error instanceof UnknownParent) return { id, depth, unbuilt: error.message }
      if (running.isRunning() && error instanceof NoValidValue) return { id, depth, unbuilt: error.message }
      return { id, depth, unbuilt: `${creation.id}: ${error.stack}`.slice(0, 400), isHarness: true }
    }
  }
}
