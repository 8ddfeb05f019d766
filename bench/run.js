/**
 * Measures the built program: processor time and other figures as ratios to peers in the same run, since machines differ,
 * and the same one does from minute to minute; finds as counts. `npm run bench` runs what takes half an hour in all, `npm run
 * bench requests growth` only what is named, `npm run bench planted -- --tools check,run --markdown` with options. `npm run
 * bench compare -- --against <folder>` ends with 1 where some row is worse than in that other checkout.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { unmeasured } from './bars.js'
import { loadTool } from './load.js'
import { describeMachine } from './machine.js'
import { readOptions } from './options.js'
import { writeResult } from './results.js'
import { toBarTable, toTable } from './table.js'

const usual = ['requests', 'start', 'memory', 'size', 'npx', 'world', 'growth', 'connections', 'handle', 'msw']
/** Only by name: they take long, draw what was measured, count, or take another build. */
const others = ['endurance', 'planted', 'chart', 'compare']

const { wanted, options } = read()
const known = [...usual, ...others]
const unknown = wanted.find((name) => !known.includes(name))
if (unknown !== undefined) end(`There is no benchmark "${unknown}"; there is ${known.join(', ')}`)

const machine = { ...describeMachine(), load: loadTool, date: new Date().toISOString() }
const bars = []
for (const name of wanted.length > 0 ? wanted : usual) {
  const { result, failure } = await runOne(name)
  if (failure !== undefined) bars.push(unmeasured(name, failure))
  if (result) show(name, result)
  // A comparison that could not be made has not been passed.
  if (name === 'compare' && (result?.hasFailed ?? true)) process.exitCode = 1
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

function show(name, result) {
  const { tables = [], bars: own = [], notes = [] } = result
  for (const { title, head, rows } of tables) console.log(`${title}\n\n${toTable(head, rows)}\n`)
  for (const note of notes) console.log(`note: ${note}`)
  console.log('')
  bars.push(...own)
  writeResult(name, { ...result, bars: own, notes }, machine)
}

function read() {
  try {
    return readOptions()
  } catch (error) {
    end(error.message)
  }
}

function end(why) {
  console.error(why)
  process.exit(2)
}
