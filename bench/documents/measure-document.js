/** Measures one document in a process of its own: starts the server, sends the requests, ends the server. */
import { relative } from 'node:path'
import { peakMemory } from '../processor-time.js'
import { successesOf } from './judge.js'
import { listOperations } from './list-operations.js'
import { measureOperations } from './measure-operations.js'
import { createRandom, pickSome } from './random.js'
import { servers } from './servers.js'
import { startServer } from './start-server.js'
import { step, task, work } from './worker.js'

const greatestRestarts = 3
/** A look at the memory of the server takes as long as a request. */
const requestsPerLook = 20

const { name, file, server: id, operations: cap, seed, against, slot, slots } = task
const server = servers[id]

await work(measure)

async function measure(read) {
  const all = typeof read.document?.paths === 'object' ? listOperations(read) : []
  if (all.length === 0) return { outcome: 'no operation' }
  const operations = pickSome(all, cap, createRandom(`${seed} ${name}`))
  const described = operations.filter((operation) => successesOf(operation).length > 0).length
  const counts = { operations: all.length, judged: operations.length, described }
  step('explaining')
  const explained = await explain()
  for (const operation of all) operation.effect = explained?.effects?.get(operation.id)
  step('starting')
  let running
  try {
    running = await startServer(server, { id, file, against, slot, slots, read, operations: all })
  } catch (error) {
    return { outcome: 'not started', why: hidePlaces(error.message), ...counts }
  }
  const { startMs } = running
  const crashes = []
  let peak = 0
  let count = 0
  const look = () => {
    peak = Math.max(peak, peakMemory(running.pid))
  }
  const result = await measureOperations({
    read,
    name: `${seed} ${name}`,
    operations,
    helpers: helpersOf(operations, all),
    onStep: step,
    send: async (operation, request) => {
      if (crashes.length > greatestRestarts) return { failure: 'the server has ended too often' }
      const path = `${running.baseOf(operation.server)}${request.path}`
      const answer = await running.client.send({ ...request, path })
      if (count++ % requestsPerLook === 0) look()
      // A crash closes the connection a little before the process has ended.
      if (answer.failure) await new Promise((resolve) => setTimeout(resolve, 200))
      if (running.isRunning()) return answer
      crashes.push({ method: request.method, path, body: request.body?.slice(0, 500), why: lastOutput(running) })
      if (crashes.length <= greatestRestarts)
        running = await startServer(server, { id, file, against, slot, slots, read, operations: all })
      return answer.failure ? answer : { failure: 'the server has ended' }
    },
  })
  look()
  const output = running.isRunning() ? undefined : lastOutput(running)
  running.client.close()
  await running.close()
  return {
    outcome: 'measured',
    startMs: Math.round(startMs),
    peakBytes: peak,
    notes: explained?.notes,
    explainFailure: explained?.failure,
    ...counts,
    effects: countEffects(all),
    crashes,
    output,
    succeeding: result.succeeding,
    requests: result.counts,
    failures: result.failures,
    slowestMs: Math.round(result.slowestMs),
  }
}

async function explain() {
  try {
    return await server.explain?.(file, against)
  } catch (error) {
    return { failure: hidePlaces(`${error.stderr ?? ''}` || error.message) }
  }
}

function lastOutput(running) {
  return hidePlaces(running.output().trim().slice(-600))
}

function hidePlaces(text) {
  return text.replaceAll(file, name).replaceAll(relative('.', file), name).replace(/\s+/g, ' ').slice(0, 400)
}

/** Lists and creations whose answers give the keys of what is judged. */
function helpersOf(operations, all) {
  const chosen = new Set(operations)
  const toKey = (path) => path.replace(/\{[^{}]*\}/g, '{}').replace(/\.(json|xml)$|\/$/, '')
  const needed = new Set()
  for (const { path } of operations) {
    for (const { index } of path.matchAll(/\{/g)) needed.add(toKey(path.slice(0, path.lastIndexOf('/', index))))
  }
  return all.filter(
    (each) => !chosen.has(each) && (each.method === 'GET' || each.method === 'POST') && needed.has(toKey(each.path)),
  )
}

function countEffects(operations) {
  const counts = {}
  for (const { effect = 'unknown' } of operations) counts[effect] = (counts[effect] ?? 0) + 1
  return counts
}
