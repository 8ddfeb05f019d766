/** Every TypeScript snippet in README.md and docs/ type-checks, runs, and prints the output in its comments. */
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { expect, it, onTestFinished } from 'vitest'
import { type Block, blocks, prepareFolders, titleOf } from './support/documentation.js'
import { findBrowser } from './support/find-browser.js'
import { root, run, serve } from './support/launch.js'

const folderOf = await prepareFolders('snippets')

/** What runs a snippet. */
type Kind = 'vitest' | 'playwright' | 'node:test' | 'page' | 'script'

interface Snippet extends Block {
  title: string
  kind: Kind
  /** Name of the file, without its extension. */
  stem: string
}

const snippets: Snippet[] = blocks('ts').map((block) => ({
  ...block,
  title: titleOf(block),
  kind: kindOf(block.code),
  stem: `snippet-${block.line}`,
}))

function kindOf(code: string): Kind {
  if (/from '@playwright\/test'/.test(code)) return 'playwright'
  if (/from 'node:test'/.test(code)) return 'node:test'
  if (/from 'vitest'/.test(code)) return 'vitest'
  return /'msw\/browser'/.test(code) ? 'page' : 'script'
}

function ofKind(kind: Kind): Snippet[] {
  return snippets.filter((snippet) => snippet.kind === kind)
}

function toJavaScript(code: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  return ts.transpileModule(code, { compilerOptions }).outputText
}

it.each(ofKind('script'))('runs the script $title', async ({ page, code, stem }) => {
  const script = join(folderOf(page), `${stem}.mjs`)
  await writeFile(script, toJavaScript(code))
  const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text)
  const launch = { command: [process.execPath, script], cwd: folderOf(page) } as const
  const { code: exit, stdout, stderr } = await run([], launch)
  expect(stderr).toBe('')
  expect(stdout.trimEnd().split('\n')).toEqual(promised)
  expect(exit).toBe(0)
})

/** Runs a test runner in its own folder, without the environment variables of this test runner. */
async function runTests(file: string, code: string, ...command: [file: string, ...args: string[]]): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code)
  const foreign = Object.keys(process.env).filter((each) => /^(VITEST|TEST$|NODE_ENV$)/.test(each))
  const env = Object.fromEntries(foreign.map((each) => [each, '']))
  const { code: exit, stdout, stderr } = await run([], { command, cwd: dirname(file), env: { ...env, NO_COLOR: '1' } })
  expect(exit === 0 ? '' : stdout + stderr).toBe('')
  return stdout
}

it.each(ofKind('vitest'))('shows a test that Vitest passes: $title', async ({ page, code, stem }) => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const folder = join(folderOf(page), stem)
  await mkdir(folder)
  // Otherwise it would use the configuration of this checkout.
  await writeFile(join(folder, 'vitest.config.mjs'), 'export default {}\n')
  const stdout = await runTests(join(folder, 'docs.test.ts'), code, process.execPath, vitest, 'run')
  expect(stdout).toMatch(/Tests +1 passed \(1\)/)
})

it.each(ofKind('node:test'))('shows a test that node:test passes: $title', async ({ page, code, stem }) => {
  const args = ['--test', '--test-reporter=tap', 'docs.test.mjs']
  const file = join(folderOf(page), stem, 'docs.test.mjs')
  const stdout = await runTests(file, toJavaScript(code), process.execPath, ...args)
  expect(stdout).toMatch(/^# pass 1$/m)
})

it.each(ofKind('playwright'))('shows a test that Playwright passes: $title', async ({ page, code, stem }) => {
  const server = await serve(['--log', 'none'])
  // What `@playwright/test` exports comes from here.
  const own = code.replace('@playwright/test', 'playwright/test').replaceAll('4010', String(server.port))
  const folder = join(folderOf(page), stem)
  await mkdir(folder)
  const configuration = { workers: 1, outputDir: 'results', use: await findBrowser() }
  await writeFile(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(configuration)}\n`)
  const args = [join(root, 'node_modules/playwright/cli.js'), 'test', '--reporter=line']
  const stdout = await runTests(join(folder, 'docs.spec.ts'), own, process.execPath, ...args)
  expect(stdout).toMatch(/1 passed/)
})

it.each(ofKind('page'))('shows what puts a sandbox behind a page: $title', async ({ page: source, code, stem }) => {
  const entry = join(folderOf(source), `${stem}.mjs`)
  await writeFile(entry, toJavaScript(code.replace('import.meta.env.DEV', 'true')))
  const bundle = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm' })
  const chunks = output.flatMap((each) => (each.type === 'chunk' ? [each] : []))
  const main = chunks.find(({ isEntry }) => isEntry)?.fileName
  const files = new Map<string, string>([
    ['/', `<script type="module" src="/${main}"></script>`],
    ['/mockServiceWorker.js', await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8')],
    ...chunks.map(({ fileName, code: text }): [string, string] => [`/${fileName}`, text]),
  ])
  const server = createServer(({ url = '' }, response) => {
    const text = files.get(url)
    const type = url === '/' ? 'text/html' : 'text/javascript'
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type }).end(text)
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
  const kinds = new Set(snippets.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['node:test', 'page', 'playwright', 'script', 'vitest'])
  expect(ofKind('script').length).toBeGreaterThan(2)
})

it('shows snippets that type-check', async () => {
  const files = snippets.map(({ page, stem, code, title }) => ({
    title,
    path: join(folderOf(page), `${stem}.mts`),
    code,
  }))
  await Promise.all(files.map(({ path, code }) => writeFile(path, code.replace('@playwright/test', 'playwright/test'))))
  const program = ts.createProgram(
    files.map(({ path }) => path),
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
  const problems = diagnostics.map(({ file, messageText }) => {
    return `${files.find(({ path }) => path === file?.fileName)?.title}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
  expect(problems).toEqual([])
})
