/**
 * Whether `diff` with a lock finds what a newer version of a document breaks for a consumer. A seed chooses a consumer from each
 * older document of `history/pairs.json`; Prism judges its calls by the newer document, and Ajv what it reads.
 *
 * - `npm run bench history` judges all pairs; `-- --pairs 50` some of them, `-- --only adyen` those of a provider.
 * - `-- --half open` or `sealed` judges a half of the providers.
 * - `-- --seed 2` chooses other consumers.
 * - `-- --list all` prints the disagreements, `-- --list enum` those of a rule or kind; `-- --markdown` prints them as a page.
 * - `-- --again` judges anew what is known from an earlier run.
 * - `-- --repositories <folder>` has clones of the repositories; `npm ci --ignore-scripts --prefix bench/history` installs the packages.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom, hash, pickSome } from './documents/random.js'
import { compareFindings } from './history/compare-findings.js'
import { preparePairs } from './history/prepare-pairs.js'
import { toMarkdown, toReport } from './history/report.js'
import { runProgram } from './history/run-program.js'

const folder = fileURLToPath(new URL('results/history/', import.meta.url))
const page = fileURLToPath(new URL('results/history.md', import.meta.url))
const workers = 2
/** Seconds that one step of a pair may take. */
const greatestLimit = 30
const halves = { open: 0, sealed: 1 }

export default async function benchHistory({ say, half = 'all', seed, only, pairs: count, ...options }) {
  if (half !== 'all' && !Object.hasOwn(halves, half)) throw new Error(`--half takes open, sealed, all (got "${half}")`)
  const all = JSON.parse(readFileSync(new URL('history/pairs.json', import.meta.url), 'utf8'))
  const wanted = all
    .filter(({ provider }) => half === 'all' || hash(provider) % 2 === halves[half])
    .filter(({ provider, name }) => only === undefined || `${provider} ${name}`.includes(only))
  const chosen = count === undefined ? wanted : pickSome(wanted, count, createRandom(`pairs ${seed}`))
  const start = performance.now()
  const limit = Math.min(options.limit, greatestLimit)
  const prepared = await preparePairs(chosen, { ...options, limit, seed, folder, say })
  const judged = prepared.filter((each) => each.prepared.outcome === 'prepared')
  await judgeAll(judged, limit, say)
  const report = toReport(prepared, {
    minutes: (performance.now() - start) / 60_000,
    isComplete: half === 'all' && only === undefined && count === undefined,
    list: options.list,
  })
  const markdown = toMarkdown(prepared, report)
  writeFileSync(page, markdown)
  if (options.markdown) console.log(markdown)
  return {
    ...report,
    name: half === 'all' ? 'history' : `history-${half}`,
    options: { seed, half, only, pairs: count },
  }
}

async function judgeAll(judged, limit, say) {
  const queue = [...judged]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { oldFile, newFile } = next
      const { findings, why } = await diff(
        next,
        ['diff', oldFile, newFile, '--lock', join(next.folder, 'lock.json')],
        limit,
      )
      if (why) {
        next.failure = why
        say(`${next.pair.name}: ${why}`)
        continue
      }
      next.findings = findings
      next.yours = compareFindings(
        next.prepared,
        findings.filter(({ severity }) => severity === 'error'),
      )
      next.everything = compareFindings(next.prepared, findings)
      const { missed, wrong } = next.yours
      if (missed.length + wrong.length > 0) say(`${next.pair.name}: ${missed.length} missed, ${wrong.length} wrong`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function diff({ folder: own }, args, limit) {
  const file = join(own, 'diff.json')
  rmSync(file, { force: true })
  const { code, output } = await runProgram([...args, '--report', `json=${file}`], { limitMs: limit * 1000, cwd: own })
  const isRead = (code === 0 || code === 1) && existsSync(file)
  return isRead
    ? { findings: JSON.parse(readFileSync(file, 'utf8')).findings }
    : { why: `diff ended with ${code}: ${output.slice(-300)}` }
}
