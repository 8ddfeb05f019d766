/**
 * Measures `diff` with 68 planted changes of small documents, 60 of which break a consumer: whose a change is by the lock of one
 * consumer that it breaks, and by that of one that it does not.
 *
 * - `npm run bench changes` writes the cases from `bench/changes/source`, their locks by `run`, and compares all.
 * - `-- --again` keeps the locks that are there.
 * - `-- --list all` prints each change that is not as it should be.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('changes/', import.meta.url))
const bin = fileURLToPath(new URL('../bin/petstore-sandbox.js', import.meta.url))
const ranks = ['unused', 'maybe', 'yours']

export default function benchChanges({ again, list } = {}) {
  const scripts = again && existsSync(join(folder, 'cases.json')) ? [] : ['build.mjs', 'make-locks.mjs']
  for (const script of scripts) spawnSync(process.execPath, [join(folder, script)], { stdio: 'inherit' })
  const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8'))
  const counts = { affected: [0, 0, 0], unaffected: [0, 0, 0] }
  for (const { id, expect } of cases) {
    for (const who of Object.keys(counts)) {
      const cwd = join(folder, 'cases', id)
      if (!existsSync(join(cwd, `${who}.lock.json`))) continue
      const findings = compare(cwd, `${who}.lock.json`)
      const rank = Math.max(0, ...findings.map(({ impact }) => ranks.indexOf(impact)))
      counts[who][rank]++
      const isRight = who === 'affected' && expect !== 'none' ? rank === 2 : rank === 0
      const rules = findings.map((finding) => `${finding.rule} ${finding.impact}`)
      if (list !== undefined && !isRight) console.log(`${id} ${who}: ${ranks[rank]} (${rules.join(', ')})`)
    }
  }
  for (const [who, [unused, maybe, yours]] of Object.entries(counts))
    console.log(`${who}: ${yours} yours, ${maybe} maybe, ${unused} unused`)
}

/** What is no info. */
function compare(cwd, lock) {
  const args = [bin, 'diff', 'old.yaml', 'new.yaml', '--lock', lock, '--report', 'json']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout).findings.filter(({ severity }) => severity !== 'info')
}
