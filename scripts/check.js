/**
 * Lints and type-checks at the same time. With `--build` it builds if something has changed, and type-checks as soon as all
 * sources are generated, without linting, which takes longest. Prints the output of each program when it has ended.
 */
import { execFile, fork } from 'node:child_process'

const root = new URL('../', import.meta.url)
const options = { cwd: root.pathname, maxBuffer: Infinity }
// With what the last run knew, as most files have not changed since. TypeScript 5, which is bundled, takes four times as long.
const known = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.tsbuildinfo']

const isBuilding = process.argv.includes('--build')
const linted = isBuilding ? [] : [run('node_modules/.bin/biome', ['check', '.']), run('scripts/lint/words.js')]
const build = isBuilding ? startBuild() : undefined
await build?.generated
const codes = await Promise.all([...linted, build?.ended ?? 0, run('node_modules/typescript-7/bin/tsc', known)])
process.exitCode = codes.find((code) => code !== 0) ?? 0

function run(program, args = []) {
  const file = new URL(program, root).pathname
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      process.stdout.write(stdout)
      process.stderr.write(error && stdout + stderr === '' ? `${error.message}\n` : stderr)
      resolve(error ? 1 : 0)
    })
  })
}

/** `generated` resolves when all sources are there, or the build has ended without them. */
function startBuild() {
  const child = fork(new URL('build.js', import.meta.url), ['--if-changed'], { cwd: root.pathname })
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
  const generated = Promise.race([ended, new Promise((resolve) => child.on('message', resolve))])
  return { ended, generated }
}
