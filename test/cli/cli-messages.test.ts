/** Messages of the program: a build server executes nothing of what they quote. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWarm, serveWarm as serve } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-messages-'))
})

afterAll(() => rm(folder, { recursive: true }))

const forged =
  'x\n::error::forged\r\n \u00a0::add-mask::e\n\u200b::debug::x ##[error]forged ##vso[task.complete]x ##teamcity[x]'

const document = {
  openapi: '3.1.0',
  info: { title: forged, version: forged },
  paths: { '/things': { get: { operationId: 'listThings', responses: { 200: { description: 'Fine' } } } } },
}

interface Case {
  name: string
  args: readonly string[]
  /** The content of the file that `@` stands for. */
  file?: string
}

const cases: readonly Case[] = [
  { name: 'a command', args: [forged] },
  { name: 'an option', args: ['run', `--${forged}`, '--', 'true'] },
  { name: 'the value of an option', args: ['--port', forged] },
  { name: 'a scenario', args: ['--scenario', forged] },
  { name: 'a mapping', args: ['run', '--env', `A=${forged}`, '--', 'true'] },
  { name: 'a word before the command', args: ['run', forged, '--', 'true'] },
  { name: 'the name of a command', args: ['run', '--', forged] },
  { name: 'a report format', args: ['run', '--report', forged, '--', 'true'] },
  { name: 'an address', args: ['check', forged] },
  { name: 'the name of a file', args: ['run', '--spec', forged, '--', 'true'] },
  { name: 'a baseline that is not JSON', args: ['run', '--baseline', '@', '--', 'true'], file: `\n${forged}` },
  {
    name: 'the version of a baseline',
    args: ['run', '--baseline', '@', '--', 'true'],
    file: JSON.stringify({ version: forged }),
  },
  { name: 'a scenario file that is not JSON', args: ['--scenario', '@'], file: `\n${forged}` },
  {
    name: 'a document that is not YAML',
    args: ['--spec', '@'],
    file: `openapi: 3.1.0\n::error::forged\n"##[error]x\n`,
  },
  {
    name: 'a document with a wrong part',
    args: ['--strict', '--spec', '@'],
    file: JSON.stringify({ ...document, [forged]: 1 }, null, 1),
  },
]

describe('a message that quotes', () => {
  it.each(cases)('$name has no command', async ({ args, file = '' }) => {
    const path = join(folder, 'file.json')
    await writeFile(path, file)
    const { code, stdout, stderr } = await runWarm(args.map((each) => (each === '@' ? path : each)))
    expect(code).toBe(2)
    expect(stderr).not.toBe('')
    expectNoCommand(stdout + stderr)
  })
})

it('the banner, which quotes the document, has no command', async () => {
  const path = join(folder, 'forged.json')
  await writeFile(path, JSON.stringify(document))
  const program = await serve(['--spec', path])
  expect(program.stdout()).toContain('/things')
  expectNoCommand(program.stdout())
})

/** GitHub Actions ignores white space before `::`; the others are executed anywhere in a line. */
function expectNoCommand(text: string): void {
  const lines = text.split(/\r\n|\r|\n/)
  expect(lines.filter((line) => /^[^\p{L}\p{N}\p{P}\p{S}]*::/u.test(line) || /##\w*\[/.test(line))).toEqual([])
}
