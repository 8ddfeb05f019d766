/**
 * Shows the requests of a program without any engine: every request is answered with 200 and `{}`.
 * For writing programs: does the library call the right address, with the right body?
 *
 * @example node bench/clients/dry-run.js stripe
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { startRecorder } from './recorder.js'
import { redirect } from './redirect.js'
import { createKept, runStep } from './step.js'

const name = process.argv[2]
const { default: program } = await import(`./programs/${name}.js`)
const answers = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end('{}')
  })
}).listen(0, '127.0.0.1')
await once(answers, 'listening')
const recorder = await startRecorder(answers.address().port)

const origin = `http://127.0.0.1:${recorder.port}`
const address = (server = '') => `${origin}${new URL(server, origin).pathname.replace(/\/+$/, '')}`
const client = await program.connect({ address, redirect })
const kept = createKept(standIn)
const outcomes = new Map()
for (const step of program.steps) {
  const from = recorder.exchanges.length
  const ofStep = () => recorder.exchanges.slice(from)
  const { outcome, findings } = await runStep(step, { client, kept, address, exchanges: ofStep }, outcomes)
  outcomes.set(step.name, outcome)
  console.log(`\n${step.name}: ${outcome}`)
  for (const { method, path, headers, sent } of ofStep().slice(0, 6)) {
    console.log(`  ${method} ${path}  ${headers['content-type'] ?? ''}\n    ${sent.toString().slice(0, 300)}`)
  }
  for (const { severity, what } of findings) console.log(`  ${severity}: ${what}`)
}
process.exit(0)

/** Any member of it is another one, and as a text it is its path. */
function standIn(path) {
  return new Proxy(() => path, {
    get(_, name) {
      if (typeof name === 'symbol' || name === 'toString' || name === 'toJSON') return () => path
      return name === 'then' ? undefined : standIn(`${path}.${name}`)
    },
  })
}
