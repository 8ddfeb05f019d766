/** Lints and type-checks at the same time. Prints the output of each program when it has ended. */
import { execFile } from 'node:child_process'

const root = new URL('../', import.meta.url)
// With what the last run knew, as most files have not changed since.
const known = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.tsbuildinfo']

const codes = await Promise.all([run('biome', ['check', '.']), run('tsc', known)])
process.exitCode = codes.find((code) => code !== 0) ?? 0

function run(program, args) {
  const file = new URL(`node_modules/.bin/${program}`, root).pathname
  return new Promise((resolve) => {
    execFile(file, args, { cwd: root.pathname, maxBuffer: Infinity }, (error, stdout, stderr) => {
      process.stdout.write(stdout)
      process.stderr.write(error && stdout + stderr === '' ? `${error.message}\n` : stderr)
      resolve(error ? 1 : 0)
    })
  })
}
