// Makes the locks of all cases again, or of those whose id has one of the arguments in it:
//   node make-locks.mjs [text...]
// The first line of a consumer says what it reads of answers; the rest of a lock is what `run` observes.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const bin = process.env.SANDBOX_BIN ?? fileURLToPath(new URL('../../bin/petstore-sandbox.js', import.meta.url))
const wanted = process.argv.slice(2)
let failed = 0
let made = 0
for (const id of readdirSync(new URL('cases', import.meta.url)).sort()) {
  if (wanted.length > 0 && !wanted.some((text) => id.includes(text))) continue
  const cwd = fileURLToPath(new URL(`cases/${id}/`, import.meta.url))
  for (const name of ['affected', 'unaffected']) {
    if (!existsSync(`${cwd}${name}.mjs`)) continue
    const reads = JSON.parse(readFileSync(`${cwd}${name}.mjs`, 'utf8').split('\n')[0].slice('// reads: '.length))
    // A lock that is there stays as it is unless the run passes.
    const lock = `${cwd}${name}.lock.json.new`
    rmSync(lock, { force: true })
    if (Object.keys(reads).length > 0) writeFileSync(lock, JSON.stringify({ version: 1, operations: {}, reads }))
    const args = [
      bin,
      'run',
      'old.yaml',
      '--records',
      '3',
      '--at',
      '2030-01-01T00:00:00Z',
      '--lock',
      lock,
      '--update-lock',
      '--',
      'node',
      `${name}.mjs`,
    ]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env },
    })
    const text = stdout + stderr
    // Neither a failure nor a finding that says more than an info: the consumer keeps the old document.
    const ok = status === 0 && /passed: (no findings|\d+ infos?\b)/.test(text) && /The lock .* was written/.test(text)
    made++
    if (!ok || process.env.VERBOSE) console.log(`--- ${id} ${name}: exit ${status}\n${text}`)
    if (ok) renameSync(lock, `${cwd}${name}.lock.json`)
    else {
      rmSync(lock, { force: true })
      failed++
    }
  }
}
console.log(`${made} locks, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
