/** Runs the program of one library in a process of its own: starts the server, runs the steps, ends the server. */
import { listOperations } from '../documents/list-operations.js'
import { readDocument } from '../documents/read-document.js'
import { startServer } from '../documents/start-server.js'
import { nameClasses } from './name-classes.js'
import { startRecorder } from './recorder.js'
import { redirect } from './redirect.js'
import { createAddress, servers } from './servers.js'
import { createKept, runStep } from './step.js'

/** How much of a body a result shows. */
const shownBytes = 1500
const task = JSON.parse(process.argv[2])
const { name, file, server: id, overlay, overrides, against, slot, slots } = task
const server = { ...servers[id], command: (given) => servers[id].command({ ...given, overlay, overrides }) }

// A library that throws outside of its call must not end the measurement.
process.on('uncaughtException', () => {})
process.on('unhandledRejection', () => {})

let result
try {
  result = await runProgram()
} catch (error) {
  result = { outcome: 'harness', why: `${error.stack}`.slice(0, 500) }
}
process.send({ result: { name, ...result } }, () => process.exit())

async function runProgram() {
  process.send({ step: 'reading' })
  const { default: program } = await import(`./programs/${name}.js`)
  const read = readDocument(file)
  const operations = listOperations(read)
  process.send({ step: 'starting' })
  let running
  try {
    running = await startServer(server, { id, file, against, slot, slots, read, operations })
  } catch (error) {
    const { steps } = program
    return { outcome: 'not started', why: error.message.slice(0, 300), steps: steps.map(notStarted) }
  }
  const recorder = await startRecorder(running.port)
  const origin = `http://127.0.0.1:${recorder.port}`
  const address = createAddress({ origin, document: read.document, operations, baseOf: running.baseOf })
  const readRelied = id === 'ours' ? createReadRelied(running.port) : async () => undefined
  const steps = await runSteps(program, { address, recorder, readRelied })
  const { startMs } = running
  const firstMs = recorder.exchanges[0]?.tookMs
  recorder.close()
  await running.close()
  return { outcome: 'measured', startMs, firstMs, steps }
}

async function runSteps({ connect, steps }, { address, recorder, readRelied }) {
  const kept = createKept()
  const outcomes = new Map()
  const results = []
  let client
  let why
  try {
    client = await connect({ address, redirect })
  } catch (error) {
    why = `connect: ${error.message}`
  }
  for (const step of steps) {
    process.send({ step: step.name })
    const from = recorder.exchanges.length
    const exchanges = () => recorder.exchanges.slice(from)
    const run = why === undefined ? step.run : () => Promise.reject(new Error(why))
    const ran = await runStep({ ...step, run }, { client, kept, address, exchanges }, outcomes)
    outcomes.set(step.name, ran.outcome)
    results.push({
      ...describeStep(step),
      ...ran,
      classes: nameClasses(ran, step, exchanges()),
      exchanges: exchanges().map(showExchange),
      relied: await readRelied(),
    })
  }
  return results
}

/** Reads which open facts decided answers since the last time. */
function createReadRelied(port) {
  const read = async (path) => (await fetch(`http://127.0.0.1:${port}/_sandbox${path}`)).json()
  let facts
  let last = 0
  return async () => {
    try {
      facts ??= new Map((await read('/open-facts')).map((fact) => [fact.number, fact]))
      const exchanges = (await read('/exchanges?limit=1000')).filter(({ id }) => id > last)
      last = Math.max(last, ...exchanges.map(({ id }) => id))
      const named = new Map()
      for (const { number, about } of exchanges.flatMap(({ relied = [] }) => relied))
        named.set(number, [...new Set([...(named.get(number) ?? []), ...about])])
      return rank([...named].map(([number, about]) => toNamed({ ...facts.get(number), about })))
    } catch (error) {
      return [{ kind: 'none', fact: `not read: ${error.message}` }]
    }
  }
}

function toNamed({ number, kind, fact, why, right, about, isDoubt }) {
  return { number, kind, fact, why, right, about, isDoubt }
}

/** As `run` sorts them: what requests contradict, then what is least often right. */
function rank(facts) {
  const place = ({ kind, right = 0.7, isDoubt }) => (isDoubt ? -1 : kind === 'status' ? 1 : right)
  return facts.sort((one, other) => place(one) - place(other))
}

function notStarted(step) {
  return { ...describeStep(step), outcome: 'wrong', findings: [], isConsequence: false, classes: [], exchanges: [] }
}

function describeStep({ name, does, needs }) {
  return { name, does, needs }
}

function showExchange({ method, path, headers, sent, status, received, failure }) {
  return {
    method,
    path,
    type: headers['content-type'],
    sent: showBytes(sent),
    status,
    received: showBytes(received),
    failure,
  }
}

function showBytes(bytes) {
  if (bytes === undefined || bytes.length === 0) return undefined
  const text = bytes.toString('utf8', 0, shownBytes)
  if (/[^\P{Cc}\s]/u.test(text)) return `${bytes.length} bytes`
  return bytes.length > shownBytes ? `${text}…` : text
}
