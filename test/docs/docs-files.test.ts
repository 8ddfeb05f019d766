/** Every file in README.md and docs/ works: pipelines, npm scripts, scenarios and OpenAPI documents. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { compileDocument } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { blocks, ownTestSuite, type Page, pages, prepareFolders, titleOf } from '../support/documentation.js'
import { root, run } from '../support/launch.js'
import { runWarm, serveWarm } from '../support/warm.js'

const folderOf = await prepareFolders('files')

const yaml = blocks('yaml').map((block) => ({ ...block, title: titleOf(block), value: parse(block.code) }))
const commanding = yaml.filter(({ code, value }) => code.includes('npx petstore-sandbox') && !('services' in value))
const pipelines = commanding.filter(({ code }) => code.includes('--report'))
/** Start a server for their later steps. */
const serving = commanding.filter(({ code }) => code.includes('/_sandbox/health'))
const documents = yaml.filter(({ value }) => 'openapi' in value)
/** Applied on the pages that show them. */
const overlays = yaml.filter(({ value }) => 'overlay' in value)
/** Followed by the command on their page. */
const arazzo = yaml.filter(({ value }) => 'arazzo' in value)
/** Their inputs are compared with action.yml in docs-action.test.ts. */
const workflows = yaml.filter(({ code }) => code.includes('petstore-sandbox@'))
/** For Docker Compose, which no test can run. Their commands are options of the program. */
const composed = yaml.filter(({ value }) => 'services' in value)
/** For systems that run containers, which no test can run. */
const containers = yaml.filter(({ code }) => code.includes('registry.example/petstore-sandbox'))
const json = blocks('json').map((block) => ({ ...block, title: titleOf(block), value: JSON.parse(block.code) }))
const manifests = json.filter(({ value }) => 'scripts' in value)
const scenarios = json.filter(({ value }) => 'pets' in value)
/** Used by the commands on their pages. */
const locks = json.filter(({ value }) => 'reads' in value)
const expectations = json.filter(({ value }) => 'records' in value)

it('shows only files of these kinds', () => {
  const kinds = [arazzo, pipelines, serving, documents, overlays, workflows, composed, containers]
  expect(kinds.flat().length).toBe(yaml.length)
  expect([manifests, scenarios, locks, expectations].flat().length).toBe(json.length)
  expect(pages.length).toBeGreaterThan(10)
})

it('shows what must be true at the end as the program and its schema read it', async () => {
  const schema = JSON.parse(await readFile(join(root, 'spec/expect.schema.json'), 'utf8'))
  for (const { page, code, value } of expectations) {
    expect(new Ajv2020({ allowUnionTypes: true }).validate(schema, value)).toBe(true)
    const cwd = folderOf(page)
    await writeFile(join(cwd, 'end.json'), code)
    const options = ['run', '--expect', 'end.json', '--allow-no-requests', '--ignore', 'call-count']
    const { code: ended, stdout } = await run([...options, '--', process.execPath, '-e', '0'], { cwd })
    expect([ended, stdout]).toEqual([1, expect.stringContaining('error end-state')])
  }
  expect(expectations.length).toBe(1)
})

it('shows containers with variables that the program reads', async () => {
  const { stdout } = await runWarm(['serve', '--help'])
  const used = pages.flatMap(
    ({ name, text }) =>
      (name !== 'docs/github-action.md' ? [] : text.match(/PETSTORE_SANDBOX_(?:[A-Z]+_)*[A-Z]+/g)) ?? [],
  )
  expect(used.filter((name) => !new RegExp(`^ +${name}$`, 'm').test(stdout))).toEqual([])
  expect(containers.length).toBe(2)
  expect(used.length).toBe(3)
})

it('shows compositions whose program takes its options and variables', async () => {
  for (const { page, value } of composed) {
    const { command, environment } = value.services.sandbox
    const [, line = ''] = /^(?:npx --yes petstore-sandbox )?\S*openapi\.yaml (.*)$/.exec(command) ?? []
    const { PETSTORE_SANDBOX_STORE: _, ...env } = environment
    const server = await serveWarm(['openapi.yaml', ...line.split(' '), '--log', 'none'], { cwd: folderOf(page), env })
    expect(server.url).toMatch(/^http/)
    const worlds = `${server.url}/_sandbox/worlds`
    const Authorization = `Bearer ${environment.PETSTORE_SANDBOX_CONTROL_TOKEN}`
    expect((await fetch(worlds)).status).toBe(401)
    expect((await fetch(worlds, { headers: { Authorization } })).status).toBe(200)
  }
  expect(composed.length).toBe(2)
})

it('shows a workflow that starts a server for its later steps', async () => {
  for (const { page, value } of serving) {
    const steps: { run?: string; if?: string }[] = value.jobs.tests.steps
    const [serve = '', ...others] = steps.flatMap((step) => (step.run === undefined ? [] : [step.run]))
    const [, line = ''] = /^npx petstore-sandbox (.*) > sandbox\.log 2>&1 &$/.exec(serve) ?? []
    const server = await serveWarm([...line.split(' '), '--log', 'none'], { cwd: folderOf(page) })
    const asked = others
      .filter((command) => command.startsWith('curl '))
      .map((text) => text.replaceAll('4010', `${server.port}`))
    for (const command of asked)
      expect(await run([], { command: ['sh', '-c', command] }), command).toMatchObject({ code: 0 })
    expect(asked.length).toBe(2)
  }
  expect(serving.length).toBe(1)
})

it('shows pipelines whose commands work', async () => {
  const commands = pipelines.flatMap(({ page, code }) =>
    [...code.matchAll(/npx petstore-sandbox (.*)$/gm)].map(([, line = '']) => ({ page, code, line })),
  )
  const cwd = folderOf(commands[0]?.page as Page)
  const server = await serveWarm(['openapi.yaml', '--log', 'none'], { cwd })
  for (const { page, code, line } of commands) {
    const args = line.replace('"$STAGING_URL"', `${server.url}/api`).replace('npm test', ownTestSuite).split(' ')
    expect(await runIn(page, args), line).toMatchObject({ code: 0 })
    const [, report = ''] = /--report \w+=(\S+)/.exec(line) ?? []
    expect((await readFile(join(folderOf(page), report), 'utf8')).length, line).toBeGreaterThan(100)
    expect(code, line).toMatch(new RegExp(`(sarif_file|junit|path): ${report}`))
  }
  expect(pipelines.length).toBe(3)
  expect(commands.length).toBe(4)
})

it('shows npm scripts that work', async () => {
  const cwd = folderOf(manifests[0]?.page as Page)
  const server = await serveWarm(['openapi.yaml', '--log', 'none'], { cwd })
  const commands = manifests.flatMap(({ page, value }) =>
    Object.values<string>(value.scripts).map((script) => ({ page, script })),
  )
  const own = commands.filter(({ script }) => script.startsWith('petstore-sandbox '))
  for (const { page, script } of own) {
    const line = script.replace('https://staging.example.com', server.url).replace('npm test', ownTestSuite)
    const [, baseline] = /--baseline (\S+)/.exec(line) ?? []
    const suite = ownTestSuite.split(' ')
    if (baseline)
      await runIn(page, ['run', 'openapi.yaml', '--baseline', baseline, '--update-baseline', '--', ...suite])
    const args = line.replace('petstore-sandbox ', '').split(' ')
    expect(await runIn(page, args), script).toMatchObject({ code: 0 })
  }
  expect(own.length).toBe(2)
})

function runIn(page: Page, args: readonly string[]) {
  return runWarm(args, { cwd: folderOf(page), env: { PETSTORE_API_KEY: 'sandbox' } })
}

it.each(scenarios)('shows a scenario file that can be served: $title', async ({ page, file = '', value }) => {
  const own = await serveWarm(['--log', 'none', '--scenario', `./${file}`], { cwd: folderOf(page) })
  const response = await fetch(`${own.url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
  // Lists begin with the newest record.
  expect(await response.json()).toEqual(value.pets.toReversed())
  await own.stop()
})

it.each(documents)('shows a document that compiles: $title', async ({ code, value }) => {
  const { contract } = await compileDocument(code)
  const paths = Object.keys(value.paths)
  expect([...new Set(contract.operations.map(({ path }) => path))]).toEqual(paths)
})

it('shows at least one file of each kind', () => {
  expect([pipelines, documents, manifests, scenarios].filter(({ length }) => length === 0)).toEqual([])
})
