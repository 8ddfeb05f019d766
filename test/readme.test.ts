/**
 * Everything that the README shows is run, and gives what the README says it gives.
 * `UPDATE_README=1 npx vitest run test/readme.test.ts` writes down what the commands print now.
 */
import { once } from 'node:events'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { consumerRules } from '../src/checks/consumer/consumer-rules.js'
import { providerRules } from '../src/checks/provider/provider-rules.js'
import { findBrowser } from './support/find-browser.js'
import { bin, root, run, serve, start, untilReady } from './support/launch.js'

const file = join(root, 'README.md')
const readme = await readFile(file, 'utf8')
const folder = join(root, '.reports', 'readme')
const isUpdating = process.env['UPDATE_README'] === '1'

/** The contents of all code blocks in a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, text = '']) =>
    found === language ? [text] : [],
  )
}

/** A command with what it prints. */
interface Shown {
  command: string
  output: string
}

function toShown(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf('\n')
      return { command: text.slice(0, end), output: text.slice(end + 1).trimEnd() }
    })
}

const sessions = blocks('console').map(toShown)
beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // A script whose first line is its name.
  for (const code of blocks('js')) await writeFile(join(folder, /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1] ?? ''), code)
})

/** What changes from run to run or says nothing about the service is not shown. */
function withoutNoise(output: string): string {
  return output
    .replaceAll('\r', '')
    .replace(/^(Date|Connection|Keep-Alive): .*\n/gm, '')
    .replace(/ in \d+\.\d s(?=, compared with)/g, ' in 0.5 s')
    .trimEnd()
}

it('prints what the README says it prints', async () => {
  const server = await serve(['--log', 'none'])
  const port = String(server.port)
  const print = async (command: string): Promise<string> => {
    if (command === 'petstore-sandbox') return server.stdout()
    const [program = '', ...args] = command.split(' ')
    if (program === 'petstore-sandbox') {
      const own = args.map((argument) => argument.replace('4010', port))
      return (await run(own, { cwd: folder })).stdout
    }
    if (program !== 'curl') throw new Error(`The README shows a command that this test does not know: ${command}`)
    return (await run([], { command: ['sh', '-c', command.replaceAll('4010', port)] })).stdout
  }
  const printed: Shown[] = []
  for (const { command } of sessions.flat()) {
    printed.push({ command, output: withoutNoise(await print(command)).replaceAll(port, '4010') })
  }
  await server.stop()
  if (isUpdating) return writeFile(file, withRules(withSessions(printed)))
  expect(printed).toEqual(sessions.flat())
  expect(printed.length).toBeGreaterThan(7)
})

/** The README with these commands and outputs in its sessions. */
function withSessions(printed: Shown[]): string {
  const left = [...printed]
  return readme.replace(/^```console\n([\s\S]*?)^```$/gm, (_, block: string) => {
    const shown = left.splice(0, toShown(block).length)
    return `\`\`\`console\n${shown.map(({ command, output }) => `$ ${command}\n${output}\n`).join('')}\`\`\``
  })
}

const table = /(?<=<!-- rules -->\n)[\s\S]*?(?=<!-- \/rules -->)/

function withRules(text: string): string {
  return text.replace(table, () => rulesTable())
}

function rulesTable(): string {
  const rows = (
    [
      ['run', consumerRules],
      ['check', providerRules],
    ] as const
  ).flatMap(([command, rules]) =>
    rules.map(({ id, severity, looksAt }) => `| \`${id}\` | ${command} | ${severity} | ${looksAt} |`),
  )
  return ['| rule | of | severity | looks at |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}

it('lists every rule', () => {
  if (!isUpdating) expect(table.exec(readme)?.[0].trim()).toBe(rulesTable().trim())
})

it('shows pipelines whose commands work', async () => {
  const documents = blocks('yaml').map((text) => parse(text))
  expect(documents.length).toBe(2)
  const lines = blocks('yaml').flatMap((text) =>
    [...text.matchAll(/npx petstore-sandbox (.*)$/gm)].map(([, line = '']) => line),
  )
  const server = await serve(['--log', 'none'])
  for (const line of lines) {
    const args = line.replace('"$STAGING_URL"', `${server.url}/staging/v1`).replace('npm test', 'true').split(' ')
    const env = { PETSTORE_API_KEY: 'sandbox' }
    expect(await run(args, { cwd: folder, env }), line).toMatchObject({ code: 0 })
    const [, report = ''] = /--report \w+=(\S+)/.exec(line) ?? []
    expect((await readFile(join(folder, report), 'utf8')).length, line).toBeGreaterThan(100)
    expect(blocks('yaml').join(), line).toMatch(new RegExp(`(sarif_file|junit): ${report}`))
  }
  expect(lines.length).toBe(3)
})

it('shows scripts for npm that work', async () => {
  const [, json = ''] = blocks('json')
  const { scripts } = JSON.parse(json) as { scripts: Record<string, string> }
  const server = await serve(['--log', 'none'])
  await run(['run', '--baseline', 'contract.json', '--update-baseline', '--', 'true'], { cwd: folder })
  const [, ...own] = Object.values(scripts)
  for (const script of own) {
    const line = script.replace('https://staging.petstore.example', server.url).replace('npm test', 'true')
    const args = line.replace('petstore-sandbox ', '').split(' ')
    expect(await run(args, { cwd: folder, env: { PETSTORE_API_KEY: 'sandbox' } }), script).toMatchObject({ code: 0 })
  }
  expect(own.length).toBe(2)
})

const snippets = blocks('ts').map((code, index) => ({ code, path: join(folder, `snippet-${index + 1}.mts`) }))
const scripts = snippets.filter(({ code }) => kindOf(code) === 'script')

/** Who runs a snippet. */
function kindOf(code: string): 'vitest' | 'playwright' | 'node:test' | 'page' | 'script' {
  if (/from '@playwright\/test'/.test(code)) return 'playwright'
  if (/from 'node:test'/.test(code)) return 'node:test'
  if (/from 'vitest'/.test(code)) return 'vitest'
  return /'msw\/browser'/.test(code) ? 'page' : 'script'
}

function ofKind(kind: ReturnType<typeof kindOf>): string[] {
  return snippets.flatMap(({ code }) => (kindOf(code) === kind ? [code] : []))
}

function toJavaScript(code: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  return ts.transpileModule(code, { compilerOptions }).outputText
}

it.each(scripts)('runs the snippet $path', async ({ code, path }) => {
  const script = path.replace('.mts', '.mjs')
  await writeFile(script, toJavaScript(code))
  const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text)
  const { code: exit, stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect(stderr).toBe('')
  expect(stdout.trimEnd().split('\n')).toEqual(promised)
  expect(exit).toBe(0)
})

/** Runs a test runner in a folder of its own, without what this one says to those that it starts. */
async function runTests(name: string, code: string, ...command: [file: string, ...args: string[]]): Promise<string> {
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code)
  const foreign = Object.keys(process.env).filter((each) => /^(VITEST|TEST$|NODE_ENV$)/.test(each))
  const env = Object.fromEntries(foreign.map((each) => [each, '']))
  const { code: exit, stdout, stderr } = await run([], { command, cwd: dirname(file), env: { ...env, NO_COLOR: '1' } })
  expect(exit === 0 ? '' : stdout + stderr).toBe('')
  return stdout
}

it.each(ofKind('vitest').map((code, index) => ({ code, index })))(
  'shows a test that Vitest passes: $index',
  async ({ code, index }) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const name = `vitest-${index}/readme.test.ts`
    await mkdir(join(folder, `vitest-${index}`))
    // Else it would take the configuration of this checkout.
    await writeFile(join(folder, `vitest-${index}/vitest.config.mjs`), 'export default {}\n')
    const stdout = await runTests(name, code, process.execPath, vitest, 'run')
    expect(stdout).toMatch(/Tests +1 passed \(1\)/)
  },
)

it.each(ofKind('node:test'))('shows a test that node:test passes', async (code) => {
  const args = ['--test', '--test-reporter=tap', 'readme.test.mjs']
  const stdout = await runTests('node-test/readme.test.mjs', toJavaScript(code), process.execPath, ...args)
  expect(stdout).toMatch(/^# pass 1$/m)
})

it.each(ofKind('playwright'))('shows a test that Playwright passes', async (code) => {
  const server = await serve(['--log', 'none'])
  // What `@playwright/test` exports comes from here.
  const own = code.replace('@playwright/test', 'playwright/test').replaceAll('4010', String(server.port))
  const config = join(folder, 'playwright/playwright.config.mjs')
  await mkdir(dirname(config), { recursive: true })
  await writeFile(
    config,
    `export default ${JSON.stringify({ workers: 1, outputDir: 'results', use: await findBrowser() })}\n`,
  )
  const playwright = join(root, 'node_modules/playwright/cli.js')
  const stdout = await runTests(
    'playwright/readme.spec.ts',
    own,
    process.execPath,
    playwright,
    'test',
    '--reporter=line',
  )
  expect(stdout).toMatch(/1 passed/)
})

it.each(ofKind('page'))('shows what puts a sandbox behind a page', async (code) => {
  const entry = join(folder, 'page.mjs')
  await writeFile(entry, toJavaScript(code.replace('import.meta.env.DEV', 'true')))
  const bundle = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm' })
  const files = new Map<string, string>([
    ['/', '<script type="module" src="/page.js"></script>'],
    ['/mockServiceWorker.js', await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8')],
  ])
  for (const each of output) if (each.type === 'chunk') files.set(`/${each.fileName}`, each.code)
  const types = { '/': 'text/html' } as Record<string, string>
  const server = createServer(({ url = '' }, response) => {
    const text = files.get(url)
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': types[url] ?? 'text/javascript' }).end(text)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const browser = await chromium.launch((await findBrowser()).launchOptions)
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const started = page.waitForEvent('console', (message) => message.text().includes('Mocking enabled'))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await started
  const names = await page.evaluate(async () => {
    const headers = { Authorization: 'Bearer sandbox' }
    const response = await fetch('https://api.petstore.example/v1/pets?limit=2', { headers })
    return ((await response.json()) as { name: string }[]).map(({ name }) => name)
  })
  expect(names).toEqual(['Captain', 'Socks'])
})

it('shows each kind of snippet', () => {
  const kinds = snippets.map(({ code }) => kindOf(code))
  expect([...new Set(kinds)].sort()).toEqual(['node:test', 'page', 'playwright', 'script', 'vitest'])
})

it('shows snippets that type-check', async () => {
  await Promise.all(
    snippets.map(({ path, code }) => writeFile(path, code.replace('@playwright/test', 'playwright/test'))),
  )
  const program = ts.createProgram(
    snippets.map(({ path }) => path),
    {
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: ['node', 'vite/client'],
    },
  )
  const diagnostics = ts.getPreEmitDiagnostics(program)
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  expect(snippets.length).toBeGreaterThan(2)
})

it('shows a scenario file that can be served', async () => {
  const [json = ''] = blocks('json')
  const scenario = join(folder, 'scenario.json')
  await writeFile(scenario, json)
  const own = await serve(['--log', 'none', '--scenario', scenario])
  const response = await fetch(`${own.url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
  expect(await response.json()).toEqual(Object.values(JSON.parse(json))[0])
  await own.stop()
})

it.each(blocks('sh').flatMap((block) => block.trim().split('\n')))(
  'shows a command that works: %s',
  async (command) => {
    if (command === 'npm cit') {
      // The one command that would run this test again; CI runs it, and only it runs this.
      expect(await readFile(join(root, '.ci/run'), 'utf8')).toMatch(/^npm cit\b/m)
      return
    }
    if (command.startsWith('npx msw init')) {
      const project = join(folder, 'msw-init')
      await mkdir(project, { recursive: true })
      await writeFile(join(project, 'package.json'), '{}')
      await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
      expect(await run([], { command: ['sh', '-c', command], cwd: project })).toMatchObject({ code: 0 })
      const worker = await readFile(join(project, 'public/mockServiceWorker.js'), 'utf8')
      expect(worker).toBe(await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8'))
      return
    }
    const words = command.replace('npm ci && ', '').replace('npx petstore-sandbox', `node ${bin}`).split(' ')
    const [program = '', ...args] = words
    const env = { PETSTORE_SANDBOX_PORT: '0' }
    // A signal to all of the group, as Ctrl-C on a terminal: npm does not pass one on.
    const running = start([], { command: [program, ...args], env, isGroup: true })
    expect((await fetch(`${await untilReady(running)}/_sandbox/health`)).status).toBe(200)
    running.signal('SIGINT')
    const { code, signal } = await running.ended
    // npm ends by the signal itself, when the program has.
    expect(code ?? signal).toBe(program === 'npm' ? 'SIGINT' : 0)
  },
)
