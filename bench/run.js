/**
 * Benchmarks the built program. Figures are ratios to peers in the same run, because machines differ, and one machine
 * varies from minute to minute.
 *
 * - `npm run bench` runs all benchmarks that finish in half an hour together.
 * - `npm run bench requests growth` runs only these two.
 * - `npm run bench planted -- --tools check,run --markdown` passes options.
 * - `npm run bench documents` exits with 1 if a bar is not kept; bench/documents.js has its options.
 * - `npm run bench state` exits with 1 if a bar is not kept; bench/state.js has its options.
 * - `npm run bench lists` exits with 1 if a bar is not kept; bench/lists.js has its options.
 * - `npm run bench clients` runs programs of official client libraries; bench/clients.js has its options.
 * - `npm run bench popular` exits with 1 if a documented example fails; bench/popular.js has its options.
 * - `npm run bench effects` compares effects with labels of readers; bench/effects.js has its options.
 * - `npm run bench doors` exits with 1 if an answer differs between doors; bench/doors.js has its options.
 * - `npm run bench isolation` exits with 1 if a worker reads what another one wrote; bench/isolation.js has its options.
 * - `npm run bench attacks` exits with 1 if an attack makes the memory grow by more than twice the budget.
 * - `npm run bench self-check` exits with 1 if our own check finds anything in our own sandboxes of documents.
 * - `npm run bench sources` exits with 1 if findings name too few calls and tests; its packages are in bench/sources.
 * - `npm run bench history` exits with 1 if `diff` misses too much of what breaks a consumer; bench/history.js has its options.
 * - `npm run bench stores` measures reads and creates with each store beside those in memory.
 * - `npm run bench linearizable` exits with 1 if replicas answer as one program would not; bench/linearizable.js has its options.
 * - `npm run bench patterns` exits with 1 if a regular expression is more than linear; bench/patterns.js has its options.
 * - `npm run bench net -- --against <commit>` prints what changed since a commit; bench/net.js has its options.
 * - `npm run bench words` counts the words of the lexicon; bench/words.js has its options.
 * - `npm run bench rules` counts for how many providers each rule decides something; bench/rules.js has its options.
 * - `npm run bench providers` counts what `check` finds in providers with planted bugs; bench/providers.js has its options.
 * - `npm run bench changes` counts what `diff` says of planted changes; bench/changes.js has its options.
 * - `npm run bench truth -- --data <folder>` compares a sandbox with recorded servers; bench/truth.js has its options.
 * - `npm run bench inhouse -- --data <folder>` runs programs of clients of in-house services; bench/inhouse.js has its options.
 * - `npm run bench compare -- --against <folder>` exits with 1 if any row is slower than in the other checkout.
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
/** Benchmarks that run only by name: they take long, draw results, count findings, or need another build. */
const others = [
  'endurance',
  'planted',
  'chart',
  'compare',
  'documents',
  'clients',
  'popular',
  'state',
  'lists',
  'effects',
  'doors',
  'self-check',
  'isolation',
  'attacks',
  'sources',
  'history',
  'stores',
  'linearizable',
  'patterns',
  'net',
  'words',
  'rules',
  'providers',
  'changes',
  'truth',
  'inhouse',
]
/** Those that exit with 1 if what they judge is not good enough. */
const judging = new Set([
  'compare',
  'documents',
  'clients',
  'popular',
  'state',
  'lists',
  'doors',
  'self-check',
  'isolation',
  'attacks',
  'sources',
  'history',
  'linearizable',
  'patterns',
])

const { wanted, options } = read()
const known = [...usual, ...others]
const unknown = wanted.find((name) => !known.includes(name))
if (unknown !== undefined) end(`Unknown benchmark "${unknown}"; available: ${known.join(', ')}`)

const machine = { ...describeMachine(), load: loadTool, date: new Date().toISOString() }
const bars = []
for (const name of wanted.length > 0 ? wanted : usual) {
  const { result, failure, wrongUse } = await runOne(name)
  if (wrongUse !== undefined) end(wrongUse)
  if (failure !== undefined) bars.push(unmeasured(name, failure))
  if (result) show(name, result)
  // A judgement without a result has not passed.
  if (judging.has(name) && (result?.hasFailed ?? true)) process.exitCode = 1
}
if (bars.length > 0) console.log(`${toBarTable(bars)}\n\n${Object.values(machine).join(', ')}`)

async function runOne(name) {
  const child = fork(new URL('one.js', import.meta.url), [name, JSON.stringify(options)])
  let message = {}
  child.once('message', (received) => {
    message = received
  })
  const [code] = await once(child, 'exit')
  return code === 0 ? message : { failure: `it exited with ${code}` }
}

function show(name, result) {
  const { tables = [], lists = [], bars: own = [], notes = [] } = result
  writeResult(result.name ?? name, { ...result, bars: own, notes }, machine)
  bars.push(...own)
  if (options.json) return console.log(JSON.stringify(result.data ?? result, undefined, 2))
  for (const { title, head, rows } of tables) console.log(`${title}\n\n${toTable(head, rows)}\n`)
  for (const { title, lines } of lists) console.log([title, '', ...lines, ''].join('\n'))
  for (const note of notes) console.log(`note: ${note}`)
  console.log('')
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
