/**
 * Measures the built program: processor time and other figures as ratios to peers in the same run, since machines differ,
 * and the same one does from minute to minute; finds as counts. `npm run bench` runs what takes half an hour in all, `npm run
 * bench requests growth` only what is named, `npm run bench planted -- --tools check,run --markdown` with options.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { unmeasured } from './bars.js'
import { loadTool } from './load.js'
import { describeMachine } from './machine.js'
import { toBarTable, toTable } from './table.js'

const usual = ['requests', 'start', 'memory', 'size', 'npx', 'world', 'growth', 'connections', 'handle', 'msw']
/** Only by name: they take long, draw what was measured, or count. */
const others = ['endurance', 'planted', 'chart']
const results = new URL('results/', import.meta.url)

const { positionals: wanted, values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    minutes: { type: 'string' },
    tools: { type: 'string' },
    markdown: { type: 'boolean' },
  },
  allowPositionals: true,
})
const known = [...usual, ...others]
const unknown = wanted.find((name) => !known.includes(name))
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}"; there is ${known.join(', ')}`)
  process.exit(2)
}

const options = {
  rounds: toNumber('rounds', 3),
  seconds: toNumber('seconds', 1),
  connections: toNumber('connections', 16),
  minutes: toNumber('minutes', 10),
  tools: values.tools,
  markdown: values.markdown,
}
const machine = { ...describeMachine(), load: loadTool, date: new Date().toISOString() }
const bars = []
for (const name of wanted.length > 0 ? wanted : usual) {
  const { result, failure } = await runOne(name)
  if (failure !== undefined) bars.push(unmeasured(name, failure))
  if (result) show(name, result)
}
if (bars.length > 0) console.log(`${toBarTable(bars)}\n\n${Object.values(machine).join(', ')}`)

async function runOne(name) {
  const child = fork(new URL('one.js', import.meta.url), [name, JSON.stringify(options)])
  let message = {}
  child.once('message', (received) => {
    message = received
  })
  const [code] = await once(child, 'exit')
  return code === 0 ? message : { failure: `it ended with ${code}` }
}

function show(name, { tables = [], bars: own = [], notes = [], data, options: taken }) {
  for (const { title, head, rows } of tables) console.log(`${title}\n\n${toTable(head, rows)}\n`)
  for (const note of notes) console.log(`note: ${note}`)
  console.log('')
  bars.push(...own)
  mkdirSync(results, { recursive: true })
  const text = JSON.stringify({ benchmark: name, machine, options: taken, bars: own, notes, data }, undefined, 2)
  writeFileSync(new URL(`${name}.json`, results), `${text}\n`)
}

function toNumber(name, usually) {
  const value = Number(values[name] ?? usually)
  if (value > 0) return value
  console.error(`--${name} must be a number above 0 (got "${values[name]}")`)
  process.exit(2)
}
