/** The GitHub Action: its script runs as the runner would run it, and its page lists what it has. */
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocks, pages } from '../support/documentation.js'
import { root, run, serve } from '../support/launch.js'

interface Action {
  inputs: Record<string, { description: string; default?: string }>
  outputs: Record<string, { description: string; value: string }>
  runs: { using: string; steps: { id: string; shell: string; env: Record<string, string>; run: string }[] }
}

const action: Action = parse(await readFile(join(root, 'action.yml'), 'utf8'))
const [step] = action.runs.steps
const workspace = join(root, '.reports/documentation/action')
const requests = `const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env
await fetch(url + '/pets?limit=500', { headers: { Authorization: 'Bearer ' + key } })`

beforeAll(async () => {
  await rm(workspace, { recursive: true, force: true })
  await mkdir(join(workspace, 'node_modules/.bin'), { recursive: true })
  await symlink(root, join(workspace, 'node_modules/petstore-sandbox'))
  await symlink(join(root, 'bin/petstore-sandbox.js'), join(workspace, 'node_modules/.bin/petstore-sandbox'))
  await writeFile(
    join(workspace, 'package.json'),
    '{ "private": true, "devDependencies": { "petstore-sandbox": "*" } }',
  )
  await writeFile(join(workspace, 'bad.mjs'), requests)
})

/** Runs the script of the step with inputs, as the runner does. */
async function runStep(inputs: Record<string, string>, { folder = root, cwd = workspace, env = {} } = {}) {
  const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name))
  if (unknown.length > 0 || !step) throw new Error(`The action has no input ${unknown}`)
  const textOf = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? ''
  const expand = (text: string) =>
    text
      .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => textOf(name))
      .replace(/\$\{\{ github\.action_path \}\}/, folder)
  const own = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, expand(value)]))
  const [script, output, summary] = ['step.sh', 'output', 'summary'].map((name) => join(workspace, name))
  if (script === undefined || output === undefined || summary === undefined) throw new Error('There is no script')
  await writeFile(script, step.run)
  await writeFile(output, '')
  await writeFile(summary, '')
  const github = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary }
  const ended = await run([], {
    command: ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail', script],
    cwd,
    env: { ...github, GITHUB_WORKSPACE: workspace, ...own, ...env },
  })
  const lines = (await readFile(output, 'utf8')).trim().split('\n')
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  return { ...ended, outputs, summary: await readFile(summary, 'utf8') }
}

it('fails for findings of a test command, and writes every report', async () => {
  const ended = await runStep({ run: 'node bad.mjs', reports: 'junit=contract.xml\njson=contract.json\n' })
  expect(ended).toMatchObject({ code: 1, outputs: { 'exit-code': '1', sarif: './petstore-sandbox.sarif' } })
  expect(ended.stdout).toContain('error invalid-parameter GET /pets query limit')
  expect(ended.stdout).toMatch(/^::error .*invalid-parameter/m)
  expect(ended.summary).toContain('invalid-parameter')
  const sarif = JSON.parse(await readFile(join(workspace, 'petstore-sandbox.sarif'), 'utf8'))
  expect(sarif.runs[0].results).toHaveLength(1)
  expect(await readFile(join(workspace, 'contract.xml'), 'utf8')).toContain('<testsuite')
  expect(JSON.parse(await readFile(join(workspace, 'contract.json'), 'utf8')).isPassed).toBe(false)
})

it('passes for findings that are not to fail the step', async () => {
  const ended = await runStep({ run: 'node bad.mjs', 'fail-on': 'never', sarif: '' })
  expect(ended).toMatchObject({ code: 0, outputs: { 'exit-code': '0' } })
  expect(ended.outputs).not.toHaveProperty('sarif')
})

it('passes a test command with quotes and operators on to bash', async () => {
  const command = `test "$PETSTORE_API_KEY" = sandbox && echo 'two  words' > written.txt`
  expect(await runStep({ run: command, sarif: '', options: '--allow-no-requests' })).toMatchObject({ code: 0 })
  expect(await readFile(join(workspace, 'written.txt'), 'utf8')).toBe('two  words\n')
})

it('fails with the code of the test command', async () => {
  expect(await runStep({ run: 'exit 7', sarif: '' })).toMatchObject({ code: 7, outputs: { 'exit-code': '7' } })
})

it('passes document, coverage and further options on', async () => {
  await writeFile(join(workspace, 'books.yaml'), await readFile(join(root, 'test/support/books.openapi.yaml'), 'utf8'))
  const inputs = { spec: 'books.yaml', 'min-coverage': '90', options: '--scenario\n./no such file.json\n', sarif: '' }
  const ended = await runStep({ run: 'true', ...inputs })
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('no such file.json') })
  const uncovered = await runStep({ run: 'true', ...inputs, options: '--coverage' })
  expect(uncovered).toMatchObject({ code: 1, stdout: expect.stringContaining('Books') })
})

it('checks a server with a key that it does not print, and a baseline', async () => {
  const server = await serve(['--log', 'none', '--api-key', 'a-secret-key'])
  const inputs = { check: `${server.url}/v1`, 'api-key': 'a-secret-key', sarif: 'check.sarif' }
  const ended = await runStep(inputs)
  expect(ended).toMatchObject({ code: 0, outputs: { 'exit-code': '0', sarif: './check.sarif' } })
  expect(ended.stdout).toContain('passed: no findings')
  expect(ended.stdout + ended.stderr + ended.summary).not.toContain('a-secret-key')
  const missing = await runStep({ ...inputs, baseline: 'missing.json' })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('missing.json') })
})

/** A folder outside of this project, with an npm that has nothing installed and builds nothing. */
async function createStrange() {
  const cwd = await mkdtemp(join(tmpdir(), 'action-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await mkdir(join(cwd, 'bin'))
  await writeFile(join(cwd, 'package.json'), '{ "private": true }')
  await writeFile(join(cwd, 'bad.mjs'), requests)
  const script = '#!/bin/sh\necho "$(basename "$0") $*" >> "$CALLS"\nexit 1\n'
  for (const name of ['npm', 'npx']) {
    await writeFile(join(cwd, 'bin', name), script)
    await chmod(join(cwd, 'bin', name), 0o755)
  }
  const calls = join(cwd, 'calls')
  return { cwd, calls, env: { PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`, CALLS: calls } }
}

it('uses the code of its own tag where the program is not installed', async () => {
  const { cwd, calls, env } = await createStrange()
  const ended = await runStep({ run: 'node bad.mjs', sarif: '' }, { cwd, env })
  expect(ended).toMatchObject({ code: 1, outputs: { 'exit-code': '1' } })
  expect(ended.stdout).toContain('error invalid-parameter GET /pets query limit')
  expect(await readFile(calls, 'utf8')).toBe('npx --no -- petstore-sandbox --version\n')
})

it('builds its own code first, and says what to do if that fails', async () => {
  const { cwd, calls, env } = await createStrange()
  const ended = await runStep({ run: 'true' }, { cwd, env, folder: cwd })
  expect(ended).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } })
  expect(ended.stdout).toMatch(/^::error::Failed to build petstore-sandbox .* "version" of npm$/m)
  expect(await readFile(calls, 'utf8')).toContain('npm ci --ignore-scripts')
})

it('uses a version of npm if it is named', async () => {
  const { cwd, calls, env } = await createStrange()
  await runStep({ run: 'true', version: '0.1.0', sarif: '' }, { cwd, env })
  expect(await readFile(calls, 'utf8')).toMatch(/^npx --yes petstore-sandbox@0\.1\.0 run /)
})

const wrong: Record<string, string>[] = [{}, { run: 'true', check: 'http://127.0.0.1:1' }]

it.each(wrong)('refuses the inputs %j', async (inputs) => {
  const ended = await runStep(inputs)
  expect(ended).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } })
  expect(ended.stdout).toMatch(/^::error::Give the input "run" .* or "check"/)
})

it('puts no input into the script, where it would be run', () => {
  expect(step?.run).not.toContain('${{')
  expect(Object.keys(action.inputs).filter((name) => !JSON.stringify(step).includes(`inputs.${name} `))).toEqual([])
})

const table = /(?<=<!-- inputs -->\n)[\s\S]*?(?=<!-- \/inputs -->)/

it('lists its inputs and outputs on its page', async () => {
  const page = pages.find(({ name }) => name === 'docs/github-action.md')
  const inputs = Object.entries(action.inputs).map(
    ([name, { description, default: value }]) =>
      `| \`${name}\` | ${description}${value ? ` Default: \`${value}\`` : ''} |`,
  )
  const outputs = Object.entries(action.outputs).map(([name, { description }]) => `| \`${name}\` | ${description} |`)
  const head = (title: string) => [`| ${title} | |`, '| --- | --- |']
  const text = ['', ...head('input'), ...inputs, '', ...head('output'), ...outputs, '', ''].join('\n')
  if (process.env['UPDATE_DOCS'] === '1' && page) {
    return writeFile(
      join(root, page.name),
      page.text.replace(table, () => text),
    )
  }
  expect(table.exec(page?.text ?? '')?.[0]).toBe(text)
})

it('is shown with inputs and outputs that it has', () => {
  const text = blocks('yaml').flatMap(({ code }) => (code.includes('petstore-sandbox@') ? [code] : []))
  const steps = text.flatMap((code) => Object.values<{ steps: { uses?: string; with?: object }[] }>(parse(code).jobs))
  const used = steps
    .flatMap((job) => job.steps)
    .filter(({ uses }) => uses?.includes('petstore-sandbox@'))
    .flatMap((each) => Object.keys(each.with ?? {}))
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([])
  const outputs = text.flatMap((code) => [...code.matchAll(/\.outputs\.([\w-]+)/g)].map(([, name = '']) => name))
  expect(outputs.filter((name) => !Object.hasOwn(action.outputs, name))).toEqual([])
})
