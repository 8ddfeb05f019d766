/** Where reports go: the options of checks, from the command line to files, streams and the exit code. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reportOptions } from '../../src/cli/options/check-options.js'
import { addOptions, applyEnvironment } from '../../src/cli/options/option-values.js'
import { type PreparedReports, prepareReports, type ReportFacts } from '../../src/cli/prepare-reports.js'
import { coverage, findings, partsOf, rules } from '../support/report-parts.js'

let folder: string
const printed = { stdout: '', stderr: '' }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-reports-'))
  await writeFile(join(folder, 'a-file'), 'as it was')
  for (const name of ['stdout', 'stderr'] as const) {
    printed[name] = ''
    vi.spyOn(process[name], 'write').mockImplementation((...args: unknown[]) => {
      printed[name] += args[0]
      const done = args.at(-1)
      if (typeof done === 'function') done()
      return true
    })
  }
  for (const name of ['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY', 'GITHUB_WORKSPACE']) vi.stubEnv(name, '')
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** As a check does: its options are read and judged before it runs. `@` stands for the folder of the test. */
async function prepare(args: readonly string[]): Promise<PreparedReports> {
  const command = addOptions(new Command('check').option('--spec <file>').exitOverride(), reportOptions())
  await command.parseAsync(args.map(inFolder), { from: 'user' })
  applyEnvironment(command, {})
  return prepareReports(command.opts(), rules)
}

async function finish(args: readonly string[], facts: Partial<ReportFacts> = {}): Promise<0 | 1> {
  const { failOn, baseline, ...rest } = partsOf()
  return (await prepare(args)).finish({ ...rest, ...facts })
}

function inFolder(text: string): string {
  return text.replace('@', `${folder}/`)
}

function read(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8')
}

describe('stdout', () => {
  it('has text unless another format is asked for', async () => {
    expect(await finish([])).toBe(1)
    expect(printed.stdout).toMatch(/^error undocumented-operation .*petstore-sandbox: FAILED: .*\n$/s)
    expect(printed.stderr).toBe('')
  })

  it('has text beside files', async () => {
    const args = ['--report', 'json=@made/for/it/report.json', '--report', 'junit=@junit.xml']
    expect(await finish(args)).toBe(1)
    expect(printed.stdout).toContain('petstore-sandbox: FAILED')
    expect(JSON.parse(await read('made/for/it/report.json'))).toMatchObject({ schemaVersion: 1, requests: 34 })
    expect(await read('junit.xml')).toMatch(/^<\?xml/)
    expect((await readdir(folder)).sort()).toEqual(['a-file', 'junit.xml', 'made'])
  })

  it('has one format for machines, and nothing else', async () => {
    expect((await prepare([])).isStdoutTaken).toBe(false)
    expect((await prepare(['--report', 'text'])).isStdoutTaken).toBe(false)
    expect((await prepare(['--report', 'json'])).isStdoutTaken).toBe(true)
    await finish(['--report', 'json', '--report', 'text=@report.txt'])
    expect(JSON.parse(printed.stdout)).toMatchObject({ isPassed: false })
    expect(await read('report.txt')).toContain('petstore-sandbox: FAILED')
  })

  it('takes formats from the environment too', async () => {
    vi.stubEnv('PETSTORE_SANDBOX_REPORT', inFolder('json=@a.json,sarif'))
    vi.stubEnv('PETSTORE_SANDBOX_FAIL_ON', 'never')
    vi.stubEnv('PETSTORE_SANDBOX_BASELINE', inFolder('@known.json'))
    vi.stubEnv('PETSTORE_SANDBOX_UPDATE_BASELINE', 'true')
    expect(await finish([])).toBe(0)
    expect(JSON.parse(printed.stdout).version).toBe('2.1.0')
    expect(JSON.parse(await read('a.json')).failOn).toBe('never')
    expect(JSON.parse(await read('known.json')).findings).toHaveLength(3)
  })
})

describe('the exit code', () => {
  const lighter = findings().slice(0, 2)
  const cases: [args: string[], facts: Partial<ReportFacts>, code: 0 | 1][] = [
    [['--fail-on', 'never'], {}, 0],
    [[], { findings: lighter }, 0],
    [['--fail-on', 'warning'], { findings: lighter }, 1],
    [['--fail-on', 'warning'], { findings: lighter.slice(0, 1) }, 0],
    [['--fail-on', 'info'], { findings: lighter.slice(0, 1) }, 1],
    [[], { findings: [], coverage, minimumCoverage: 60 }, 0],
    [[], { findings: [], coverage, minimumCoverage: 70 }, 1],
  ]

  it.each(cases)('with %j and %o is %i', async (args, facts, code) => {
    expect(await finish(args, facts)).toBe(code)
  })
})

describe('wrong use', () => {
  it.each([
    [['--report', 'xml'], 'Unknown report format "xml"; available: text, json, junit, sarif, github, gitlab, markdown'],
    [['--report', 'toString=a'], 'Unknown report format "toString"; available: text, json'],
    [
      ['--report', 'json', '--report', 'junit'],
      'would both be written to stdout; write one of them to a file: --report junit=<file>',
    ],
    [['--report', 'json='], '--report json= names no file'],
    [['--report', 'json=@a', '--report', 'sarif=@a'], 'would be written twice'],
    [['--report', 'json=@a', '--baseline', '@a', '--update-baseline'], 'would be written twice'],
    [['--report', 'json=@a', '--report', 'sarif=@./a'], 'would be written twice'],
    [['--spec', '@a-file', '--report', 'json=@a-file'], 'is the document; a report would replace it'],
    [['--spec', '@a-file', '--report', 'json=@deep/../a-file'], 'is the document; a report would replace it'],
    [
      ['--spec', '@a-file', '--baseline', '@./a-file', '--update-baseline'],
      'is the document; the baseline would replace',
    ],
    [['--report', 'json=@a-file/report.json'], 'a-file" is a file, not a folder'],
    [['--report', 'json=@a-file/deep/report.json'], 'a-file" is a file, not a folder'],
    [['--report', 'json=@'], 'it is a folder'],
    [['--update-baseline'], '--update-baseline needs --baseline <file>'],
    [['--baseline', '@missing.json'], 'there is no such file. Add --update-baseline once to create it'],
    [['--baseline', '@a-file'], 'it is not JSON'],
    [['--baseline', '@a-file', '--update-baseline'], 'it is not JSON'],
    [['--baseline', '@a-file/known.json', '--update-baseline'], 'a-file" is a file, not a folder'],
  ])('%j is told before anything runs', async (args, message) => {
    await expect(prepare(args)).rejects.toMatchObject({
      name: 'SandboxError',
      message: expect.stringContaining(message),
    })
    expect(await readdir(folder)).toEqual(['a-file'])
    expect(await read('a-file')).toBe('as it was')
  })

  it('of --fail-on is told by the choices that there are', async () => {
    await expect(prepare(['--fail-on', 'fatal'])).rejects.toThrow(/error, warning, info, never/)
  })
})

describe('a baseline', () => {
  it('is made, knows the findings in the next run, and loses those that are gone', async () => {
    const update = ['--baseline', '@team/known.json', '--update-baseline']
    expect(await finish(update)).toBe(0)
    const first = await read('team/known.json')
    expect(JSON.parse(first).findings).toHaveLength(3)
    expect(await finish(update.slice(0, 2))).toBe(0)
    expect(await finish(update.slice(0, 2), { findings: findings().slice(1) })).toBe(0)
    expect(printed.stdout).toContain('  - deprecated-operation GET /pets/find\n')
    expect(await read('team/known.json')).toBe(first)
    expect(await finish(update, { findings: findings().slice(1) })).toBe(0)
    expect(JSON.parse(await read('team/known.json')).findings).toHaveLength(2)
    expect(await finish(update.slice(0, 2), { findings: findings() })).toBe(0)
    expect(printed.stdout).toMatch(/passed: 1 info, allowed by --fail-on error; 2 known\n$/)
  })

  it('is not updated when the command failed, which is said', async () => {
    const args = ['--baseline', '@known.json', '--update-baseline']
    expect(await finish(args, { commandExitCode: 7 })).toBe(1)
    expect(existsSync(join(folder, 'known.json'))).toBe(false)
    expect(printed.stdout).toMatch(/note: The baseline \S+known\.json was not updated, as the command exited with 7\n/)
  })

  it('is written through a link, which stays one', async () => {
    await mkdir(join(folder, 'real'))
    await writeFile(join(folder, 'real/known.json'), '{"version":2,"findings":[]}')
    await symlink(join(folder, 'real/known.json'), join(folder, 'link.json'))
    await finish(['--baseline', '@link.json', '--update-baseline'])
    expect(JSON.parse(await read('real/known.json')).findings).toHaveLength(3)
    expect(await readdir(join(folder, 'real'))).toEqual(['known.json'])
  })
})

describe('--ignore', () => {
  const ruleOf = (text: string) => JSON.parse(text).findings.map(({ rule }: { rule: string }) => rule)

  it('leaves out the findings of a rule, and says so', async () => {
    await finish(['--report', 'json'])
    const all: string[] = ruleOf(printed.stdout)
    const [ignored = ''] = all
    printed.stdout = ''
    await finish(['--report', 'json', '--ignore', ignored])
    const { notes, rules: applied } = JSON.parse(printed.stdout)
    const count = all.filter((rule) => rule === ignored).length
    expect(ruleOf(printed.stdout)).toEqual(all.filter((rule) => rule !== ignored))
    expect(notes).toContain(`--ignore ${ignored}: ${count} finding${count === 1 ? '' : 's'} left out`)
    expect(applied.map(({ id }: { id: string }) => id)).not.toContain(ignored)
  })

  it('takes several rules, and may make a run pass', async () => {
    const ids = [...new Set(findings().map(({ rule }) => rule))]
    expect(await finish(ids.flatMap((id) => ['--ignore', id]))).toBe(0)
    expect(printed.stdout).toContain(`note: --ignore ${ids.join(', ')}: ${findings().length} findings left out\n`)
  })

  it('does not take what is ignored for gone from the baseline', async () => {
    const [finding] = findings()
    const known = JSON.stringify({ version: 2, findings: [finding?.id] })
    await writeFile(join(folder, 'known.json'), known)
    await finish(['--report', 'json', '--baseline', '@known.json', '--ignore', finding?.rule ?? ''])
    expect(JSON.parse(printed.stdout).baseline.gone).toEqual([])
  })

  it('refuses a rule that the check does not have', async () => {
    await expect(prepare(['--ignore', 'mising-credentials'])).rejects.toThrow('"mising-credentials"')
  })
})

describe('a pipe', () => {
  beforeEach(() => execFileSync('mkfifo', [join(folder, 'pipe')]))

  it.each([
    ['a report', ['--report', 'markdown=@pipe']],
    ['a baseline', ['--baseline', '@pipe', '--update-baseline']],
  ])('is refused for %s before the check', async (_, args) => {
    await expect(prepare(args)).rejects.toThrow(/Failed to write ".*pipe": it is not an ordinary file/)
  })

  it('is refused after the check if it replaced the file', async () => {
    const prepared = await prepare(['--report', 'json=@late'])
    execFileSync('mkfifo', [join(folder, 'late')])
    await expect(prepared.finish(partsOf())).rejects.toThrow('it is not an ordinary file')
  })

  it('is refused for a known baseline', async () => {
    await expect(prepare(['--baseline', '@pipe'])).rejects.toThrow('it is not an ordinary file')
  })

  it('is refused for the summary of the job, which is no failure', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true')
    vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'pipe'))
    expect(await finish(['--fail-on', 'never'])).toBe(0)
    expect(printed.stderr).toContain('The job summary could not be written: ')
  })
})

it('leaves a device what it is', async () => {
  await finish(['--report', 'markdown=/dev/null'])
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
})

describe('under GitHub Actions', () => {
  beforeEach(async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true')
    vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'summary.md'))
    await writeFile(join(folder, 'summary.md'), '# Before\n')
  })

  it('annotations follow the text, in which nothing is taken for a command', async () => {
    await finish([], { subject: 'x\n::error::forged' })
    const [, token = ''] = /^::stop-commands::(\S+)\n/.exec(printed.stdout) ?? []
    expect(token).not.toBe('')
    const [text, annotations = ''] = printed.stdout.split(`\n::${token}::\n`)
    expect(text).toContain('petstore-sandbox: FAILED')
    expect(annotations).toMatch(/^::error .*\n::warning .*\n::notice .*\n$/)
    expect(printed.stderr).toBe('')
  })

  it('the summary of the job is written behind what is there', async () => {
    await finish(['--fail-on', 'never'])
    expect(await read('summary.md')).toMatch(/^# Before\n## ✅ petstore-sandbox passed: /)
  })

  it('annotations go to stderr where stdout is for machines', async () => {
    await finish(['--report', 'json'])
    expect(JSON.parse(printed.stdout)).toMatchObject({ schemaVersion: 1 })
    expect(printed.stderr).toMatch(/^::error /)
  })

  it('annotations that were asked for are printed once', async () => {
    await finish(['--report', 'github'])
    expect(printed.stdout.match(/^::error /gm)).toHaveLength(1)
    expect(printed.stderr).toBe('')
  })

  it('annotations point to files from the root of the repository', async () => {
    vi.stubEnv('GITHUB_WORKSPACE', join(process.cwd(), '..'))
    await finish(['--report', 'github'])
    expect(printed.stdout).toMatch(/^::warning file=[^/]+\/api\/petstore\.yaml,line=41,/m)
  })

  it('a summary that cannot be written is no failure', async () => {
    vi.stubEnv('GITHUB_STEP_SUMMARY', folder)
    expect(await finish(['--fail-on', 'never'])).toBe(0)
    expect(printed.stderr).toMatch(/^petstore-sandbox: The job summary could not be written: /)
  })
})
