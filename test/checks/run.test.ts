/** `run`: the consumer's own command, started and ended as its users do it. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilRefused } from '../support/in-flight.js'
import { isRunning, type Lasting, lastingIn, untilGone, untilThere } from '../support/lasting.js'
import { bin, type Ending, type Launch, type Program, root, run, start } from '../support/launch.js'
import { expectBefore } from '../support/prompt.js'

const books = join(root, 'test/support/books.openapi.yaml')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-run-'))
})

afterAll(() => rm(folder, { recursive: true }))

const lasting = (name: string, ignored?: readonly string[]): Promise<Lasting> => lastingIn(folder, name, ignored)

/** A consumer in JavaScript. */
function consumer(code: string): string[] {
  return ['--', process.execPath, '-e', code]
}

const printVariables = consumer(
  'console.log(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PETSTORE_|SANDBOX_URL|API_|T_)/.test(name)))))',
)

/** Of what the command printed: the report comes after it. */
function firstLine({ stdout }: Ending): string {
  return stdout.split('\n')[0] ?? ''
}

async function variables(args: readonly string[] = [], launch?: Launch): Promise<Record<string, string>> {
  return JSON.parse(firstLine(await run(['run', ...args, ...printVariables], launch)))
}

describe('the environment of the command', () => {
  it('says where each server is, and a key', async () => {
    const { SANDBOX_URL: url, ...others } = await variables()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(others).toEqual({
      PETSTORE_BASE_URL: `${url}/v1`,
      PETSTORE_PRODUCTION_URL: `${url}/v1`,
      PETSTORE_STAGING_URL: `${url}/staging/v1`,
      PETSTORE_QUICKSTART_URL: url,
      PETSTORE_API_KEY: 'sandbox',
      PETSTORE_SANDBOX_URL: url,
    })
  })

  it('has what is mapped as well', async () => {
    const mappings = ['API_URL=staging', 'API_TOKEN=api-key', 'API_ORIGIN=sandbox', 'PETSTORE_BASE_URL=staging']
    const { PETSTORE_SANDBOX_URL: url, ...found } = await variables(mappings.flatMap((each) => ['--env', each]))
    expect(found).toMatchObject({
      API_URL: `${url}/staging/v1`,
      API_TOKEN: 'sandbox',
      API_ORIGIN: url,
      PETSTORE_BASE_URL: `${url}/staging/v1`,
    })
    const fromVariable = await variables([], { env: { PETSTORE_SANDBOX_ENV: 'API_A=production,API_B=api-key' } })
    expect(fromVariable).toMatchObject({ API_A: fromVariable['PETSTORE_BASE_URL'], API_B: 'sandbox' })
  })

  it('keeps what was there', async () => {
    expect(await variables([], { env: { T_OWN: 'mine', PORT: 'not for us' } })).toMatchObject({ T_OWN: 'mine' })
  })

  it('names the servers of another document, and the key that was given', async () => {
    const found = await variables(['--spec', books, '--api-key', 'first', '--api-key', 'second'])
    const url = found['PETSTORE_SANDBOX_URL']
    expect(found).toMatchObject({
      PETSTORE_MAIN_URL: `${url}/api`,
      PETSTORE_BASE_URL: `${url}/api`,
      PETSTORE_API_KEY: 'first',
    })
    expect(found).not.toHaveProperty('PETSTORE_STAGING_URL')
  })

  it('leads to a sandbox that answers, with the data that was asked for', async () => {
    const code = `const response = await fetch(process.env.PETSTORE_BASE_URL + '/pets?limit=100', {
      headers: { Authorization: 'Bearer ' + process.env.PETSTORE_API_KEY } })
      console.log((await response.json()).length)`
    const listing = ['--', process.execPath, '--input-type=module', '-e', code]
    expect(firstLine(await run(['run', '--records', '3', ...listing]))).toBe('3')
    expect(firstLine(await run(['run', '--scenario', 'empty', ...listing]))).toBe('0')
  })
})

describe('the command', () => {
  it('speaks for itself: its output, its input and its exit code pass through', async () => {
    const code = "console.log('out'); process.stderr.write('err'); process.exitCode = 7"
    const ending = await run(['run', ...consumer(code)])
    expect([ending.code, firstLine(ending)]).toEqual([7, 'out'])
    expect(ending.stderr).toMatch(/^err/)
    const piped = `echo hello | "${process.execPath}" "${bin}" run -- cat`
    expect((await run([], { command: ['sh', '-c', piped] })).stdout).toContain('hello\n')
  })

  it('takes its own options, and needs no shell for special characters', async () => {
    const words = ['--version', '-V', '--report', 'json', '--', '$HOME', 'a b', "it's", '']
    const print = ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...words]
    expect(JSON.parse(firstLine(await run(['run', '--', process.execPath, ...print])))).toEqual(words)
  })

  it('leaves stdout to the report', async () => {
    const { stdout, stderr } = await run([
      'run',
      '--allow-no-requests',
      '--report',
      'json',
      ...consumer("console.log('from the consumer')"),
    ])
    expect(JSON.parse(stdout)).toMatchObject({ requests: 0, commandExitCode: 0 })
    expect(stderr).toContain('from the consumer')
  })

  it('gives 128 and the number of the signal that ended it', async () => {
    expect((await run(['run', '--', 'sh', '-c', 'kill -KILL $$'])).code).toBe(137)
  })

  it('keeps its own failure before that of the findings', async () => {
    const request = "await fetch(process.env.PETSTORE_BASE_URL + '/pets')"
    const failing = ['--', process.execPath, '--input-type=module', '-e', `${request}; process.exitCode = 3`]
    expect((await run(['run', ...failing])).code).toBe(3)
    expect((await run(['run', ...failing.slice(0, -1), request])).code).toBe(1)
  })

  it('has the terminal, colours and all', async () => {
    const line = `"${process.execPath}" "${bin}" run --allow-no-requests -- "${process.execPath}" -p "[process.stdin, process.stdout, process.stderr].every((stream) => stream.isTTY)"`
    const { stdout, code } = await run([], { command: ['script', '-qec', line, '/dev/null'] })
    expect(stdout).toContain('true')
    expect(code).toBe(0)
  })
})

describe('wrong use', () => {
  it.each([
    { args: [], says: ['"--"', 'run -- npm test'] },
    { args: ['--'], says: ['"--"', 'run -- npm test'] },
    { args: ['vitest', 'src'], says: ['run -- vitest src'] },
    { args: ['vitest', '--', 'src'], says: ['"vitest"', '"--"'] },
    { args: ['--prot', '1', '--', 'true'], says: ["'--prot'", '--help'] },
    { args: ['--', 'no-such-command', 'x'], says: ['"no-such-command"', 'no such command'] },
    { args: ['--', 'npm test'], says: ['"npm test"', 'pass each argument separately'] },
    { args: ['--', './package.json'], says: ['"./package.json"', 'may not run it'] },
    {
      args: ['--env', 'API_URL=prod', '--', 'true'],
      says: ['"prod"', 'production, staging, quickstart, api-key, sandbox'],
    },
    { args: ['--env', 'production', '--', 'true'], says: ['"production"', 'API_URL=production'] },
    { args: ['--min-coverage', '101', '--', 'true'], says: ['--min-coverage', '"101"', 'from 0 to 100'] },
    { args: ['--scenario', 'emtpy', '--', 'true'], says: ['"emtpy"', 'sold-out'] },
  ])('is told plainly: run $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await run(['run', ...args])
    for (const part of says) expect(stderr).toContain(part)
    expect(stderr).not.toMatch(/^\s+at .*:\d+/m)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})

/** In milliseconds. After 10 seconds the command is killed, whatever it was told. */
const lessThanPatience = 9_000

describe('the end', () => {
  it.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
    { signal: 'SIGHUP', code: 129 },
  ] as const)('comes by $signal for all, with $code and no report', async ({ signal, code }) => {
    await expectBefore(lessThanPatience, async (begin) => {
      const { code: script, file } = await lasting(`end-${signal}`)
      const program = start(['run', '--report', 'json', ...consumer(script)])
      const { pid, port } = await untilThere(file)
      begin()
      program.signal(signal)
      const ending = await program.ended
      expect(ending).toMatchObject({ code, stdout: '' })
      expect(ending.stderr).toBe(`petstore-sandbox: interrupted by ${signal}; there is no report\n`)
      await untilGone(pid)
      await untilRefused(port)
    })
  })

  it('lets the command clean up on Ctrl-C, and is the same when the command then says that all is well', async () => {
    const cleaned = join(folder, 'cleaned')
    const { code, file } = await lasting('cleaning')
    const cleaning = `process.on('SIGINT', () => setTimeout(() => { require('fs').writeFileSync('${cleaned}', 'yes'); process.exit(0) }, 300));${code}`
    const program = start(['run', ...consumer(cleaning)])
    await untilThere(file)
    program.signal('SIGINT')
    expect((await program.ended).code).toBe(130)
    expect(await readFile(cleaned, 'utf8')).toBe('yes')
  })

  it('comes at once by the second Ctrl-C where the first one is ignored', async () => {
    await expectBefore(lessThanPatience, async (begin) => {
      const { code, file } = await lasting('stubborn', ['SIGTERM'])
      const ignored = join(await mkdtemp(join(folder, 'ignored-')), 'SIGINT')
      const ignoring = `process.on('SIGINT', () => require('fs').writeFileSync('${ignored}', ''));${code}`
      const program = start(['run', ...consumer(ignoring)])
      const { pid } = await untilThere(file)
      program.signal('SIGINT')
      while (!existsSync(ignored)) await sleep(20)
      // What comes within a tenth of a second is the same press.
      await sleep(300)
      expect(isRunning(pid)).toBe(true)
      begin()
      program.signal('SIGINT')
      expect((await program.ended).code).toBe(130)
      await untilGone(pid)
    })
  })

  it('comes by Ctrl-C in a terminal', async () => {
    const { code, file } = await lasting('terminal')
    const path = join(folder, 'terminal.cjs')
    await writeFile(path, code)
    const line = `"${process.execPath}" "${bin}" run -- "${process.execPath}" "${path}"`
    // What is written to `script` is typed on its terminal: 3 is Ctrl-C. The end of the input would hang up.
    const typing = `(while [ ! -e "${file}" ]; do sleep 0.05; done; printf '\\003'; sleep 20)`
    const program = start([], { command: ['sh', '-c', `${typing} | script -qec '${line}' /dev/null`], isGroup: true })
    const { pid, port } = await untilThere(file)
    await untilGone(pid)
    await untilRefused(port)
    while (!program.stdout().includes('interrupted by SIGINT')) await sleep(20)
  })

  it('ends what the command left running, even what ignores being asked', async () => {
    const gentle = await lasting('left-gentle')
    const stubborn = await lasting('left-stubborn', ['SIGTERM', 'SIGINT', 'SIGHUP'])
    const code = `const { spawn } = require('child_process')
      for (const code of ${JSON.stringify([gentle.code, stubborn.code])}) spawn(process.execPath, ['-e', code], { stdio: 'inherit' }).unref()
      const wait = () => [${JSON.stringify([gentle.file, stubborn.file])}].flat().every((file) => require('fs').existsSync(file)) ? process.exit(0) : setTimeout(wait, 20)
      wait()`
    const program = start(['run', '--allow-no-requests', '--report', 'json', ...consumer(code)])
    const [first, second] = [await untilThere(gentle.file), await untilThere(stubborn.file)]
    const { code: exitCode, stdout } = await program.ended
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ commandExitCode: 0 })
    await untilGone(first.pid)
    await untilGone(second.pid)
  })

  it('ends the command and what that started when it is killed itself', async () => {
    const child = await lasting('killed-child')
    const grandchild = await lasting('killed-grandchild', ['SIGTERM', 'SIGINT', 'SIGHUP'])
    const code = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild.code)}]);${child.code}`
    const program = start(['run', ...consumer(code)])
    const [first, second] = [await untilThere(child.file), await untilThere(grandchild.file)]
    program.signal('SIGKILL')
    await untilGone(first.pid)
    await untilGone(second.pid)
    await untilRefused(first.port)
  })

  it('comes when whoever started it was killed', async () => {
    const { code, file } = await lasting('orphan')
    const args = JSON.stringify([bin, 'run', ...consumer(code)])
    const parent = `require('child_process').spawn(process.execPath, ${args}, { stdio: 'ignore', detached: true }); setInterval(() => {}, 1000)`
    const program: Program = start([], { command: [process.execPath, '-e', parent] })
    const { pid, port } = await untilThere(file)
    program.signal('SIGKILL')
    await untilGone(pid)
    await untilRefused(port)
  })
})
