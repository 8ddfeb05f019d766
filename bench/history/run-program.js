/** Runs the built program with a limit of time and memory. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../bin/petstore-sandbox.js', import.meta.url))
const memoryMb = 1500
const greatestOutput = 4000

/** @returns `{ code, output }`; the code is undefined if it was ended */
export function runProgram(args, { limitMs, cwd }) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, program, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', CI: '1' },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = `${output}${chunk}`.slice(-greatestOutput)
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      settle({ code: code ?? undefined, output })
    })
  })
}
