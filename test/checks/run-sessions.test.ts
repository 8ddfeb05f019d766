/** Processes that leave the session of the command of `run`: they end with it. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRunning, lastingIn, untilGone, untilThere } from '../support/lasting.js'
import { bin, run, start } from '../support/launch.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-sessions-'))
})

afterAll(() => rm(folder, { recursive: true }))

const node = `"${process.execPath}"`

/** Shell lines that start a program in its own session. */
const escapes: { name: string; line(program: string): string }[] = [
  { name: 'by setsid', line: (program) => `setsid ${node} "${program}" &` },
  { name: 'by setsid and two forks', line: (program) => `setsid sh -c '(${node} "${program}" &)' &` },
  { name: 'by setsid within setsid', line: (program) => `setsid setsid nohup ${node} "${program}" > /dev/null &` },
  {
    name: 'as a detached process of Node.js',
    line: (program) =>
      `${node} -e "require('child_process').spawn(process.execPath, ['${program}'], { detached: true, stdio: 'ignore' }).unref()"`,
  },
  {
    name: 'without its environment, below one that has it',
    line: (program) => `setsid sh -c 'env -i ${node} "${program}"; true' &`,
  },
  {
    name: 'in a run within the run',
    line: (program) => `${node} "${bin}" run -- sh -c 'setsid ${node} "${program}" & sleep 1000' > /dev/null 2>&1 &`,
  },
]

/** How a run ends, after the process has started. */
const ends: { name: string; after: string; signal?: NodeJS.Signals }[] = [
  { name: 'ends', after: 'exit 0' },
  { name: 'fails', after: 'exit 3' },
  { name: 'is interrupted', after: 'sleep 1000', signal: 'SIGINT' },
  { name: 'is terminated', after: 'sleep 1000', signal: 'SIGTERM' },
]
const cases = escapes.flatMap((way) => ends.map((end) => ({ way, end, title: `${way.name} when the run ${end.name}` })))

async function escaping(name: string, ignored: readonly string[] = []): Promise<{ program: string; file: string }> {
  const { code, file } = await lastingIn(folder, name, ignored)
  const program = `${file}.cjs`
  await writeFile(program, code)
  return { program, file }
}

function runScript(line: string, file: string, after: string) {
  const wait = `while [ ! -e "${file}" ]; do sleep 0.05; done`
  return start(['run', '--allow-no-requests', '--', 'sh', '-c', `${line}\n${wait}; ${after}`])
}

describe.runIf(existsSync('/proc/self/environ'))('a process in its own session', () => {
  it.each(cases)('ends $title', async ({ way, end }) => {
    const { program, file } = await escaping('escaped')
    const running = runScript(way.line(program), file, end.after)
    const { pid } = await untilThere(file)
    if (end.signal) running.signal(end.signal)
    await running.ended
    expect(isRunning(pid) ? await untilGone(pid) : undefined).toBeUndefined()
  })

  it.each(['ends', 'is killed'])('ends if it ignores all that can be ignored when the run %s', async (how) => {
    const { program, file } = await escaping('stubborn', ['SIGTERM', 'SIGINT', 'SIGHUP'])
    const running = runScript(`setsid ${node} "${program}" &`, file, how === 'ends' ? 'exit 0' : 'sleep 1000')
    const { pid } = await untilThere(file)
    if (how === 'is killed') running.signal('SIGKILL')
    await running.ended
    await untilGone(pid)
  })

  it.each(escapes.slice(0, 4))('ends $name when the run is killed', async ({ line }) => {
    const { program, file } = await escaping('killed')
    const running = runScript(line(program), file, 'sleep 1000')
    const { pid } = await untilThere(file)
    running.signal('SIGKILL')
    await untilGone(pid)
  })

  it('of another run goes on when a command cannot be started', async () => {
    const { program, file } = await escaping('bystander')
    const long = runScript(`setsid ${node} "${program}" &`, file, 'sleep 1000')
    const { pid } = await untilThere(file)
    expect(await run(['run', '--', 'no-such-command'])).toMatchObject({ code: 2 })
    // The guard of that run has nothing to end. It would do so now.
    await sleep(500)
    expect(isRunning(pid)).toBe(true)
    long.signal('SIGTERM')
    await long.ended
  })

  it('goes on if it belongs to another run', async () => {
    const [mine, other] = [await escaping('mine'), await escaping('other')]
    const long = runScript(`setsid ${node} "${other.program}" &`, other.file, 'sleep 1000')
    const kept = await untilThere(other.file)
    const short = runScript(`setsid ${node} "${mine.program}" &`, mine.file, 'exit 0')
    const gone = await untilThere(mine.file)
    await short.ended
    await untilGone(gone.pid)
    expect(isRunning(kept.pid)).toBe(true)
    long.signal('SIGTERM')
    await long.ended
    await untilGone(kept.pid)
  })
})
