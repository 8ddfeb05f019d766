/** Every TypeScript snippet in README.md and docs/ type-checks, runs, and prints the output in its comments. */
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Block, blocks, outsideEnvironment, prepareFolders, titleOf } from '../support/documentation.js'
import { findBrowser } from '../support/find-browser.js'
import { root, run, serve } from '../support/launch.js'

const folderOf = await prepareFolders('snippets')

/** What runs a snippet. `test/docs/readme.test.ts` runs the command that the page shows for its files. */
type Kind = 'file' | 'playwright' | 'page' | 'script'

interface Snippet extends Block {
  title: string
  kind: Kind
  /** Name of the file, without its extension. */
  stem: string
}

const snippets: Snippet[] = blocks('ts').map((block) => ({
  ...block,
  title: titleOf(block),
  kind: kindOf(block),
  stem: `snippet-${block.line}`,
}))

function kindOf({ code, file }: Block): Kind {
  if (file !== undefined) return 'file'
  if (/from '@playwright\/test'/.test(code)) return 'playwright'
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

it.each(ofKind('playwright'))('shows a test that Playwright passes: $title', async ({ page, code, stem }) => {
  const server = await serve(['--log', 'none'])
  // What `@playwright/test` exports comes from here.
  const own = code.replace('@playwright/test', 'playwright/test').replaceAll('4010', String(server.port))
  const folder = join(folderOf(page), stem)
  await mkdir(folder)
  const configuration = { workers: 1, outputDir: 'results', use: await findBrowser() }
  await writeFile(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(configuration)}\n`)
  await writeFile(join(folder, 'docs.spec.ts'), own)
  const command = [process.execPath, join(root, 'node_modules/playwright/cli.js'), 'test', '--reporter=line'] as const
  const { code: exit, stdout, stderr } = await run([], { command, cwd: folder, env: outsideEnvironment() })
  expect(exit === 0 ? '' : stdout + stderr).toBe('')
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
  page.setDefaultTimeout(240_000)
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
  expect([...kinds].sort()).toEqual(['file', 'page', 'playwright', 'script'])
  expect(ofKind('script').length).toBeGreaterThan(2)
})

describe('the types of snippets', () => {
  let program: ts.Program
  let titles: Map<string, string>

  beforeAll(async () => {
    const files = snippets.map(({ page, stem, code, title, heading = '', file }) => {
      // Files below one heading import each other.
      const name = file === undefined ? `${stem}.mts` : join(heading.replace(/\W+/g, '-'), file)
      return { title, path: join(folderOf(page), name), code: code.replace('@playwright/test', 'playwright/test') }
    })
    for (const { path, code } of files) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, code)
    }
    titles = new Map(files.map(({ path, title }) => [path, title]))
    program = ts.createProgram([...titles.keys()], {
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: ['node', 'vite/client'],
    })
  })

  it('are right', () => {
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${titles.get(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    expect(problems).toEqual([])
  })

  it('have an await for each promise that nothing else uses', () => {
    const checker = program.getTypeChecker()
    const found: string[] = []
    for (const [path, title] of titles) visit(program.getSourceFile(path), title)
    expect(found).toEqual([])

    function visit(node: ts.Node | undefined, title: string): void {
      if (!node) return
      if (ts.isExpressionStatement(node) && checker.getTypeAtLocation(node.expression).getProperty('then'))
        found.push(`${title}: ${node.getText()}`)
      ts.forEachChild(node, (child) => visit(child, title))
    }
  })
})
