/** Every recipe of docs/recipes.md works with the published package, and with the tools from the npm registry. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { outsideEnvironment } from '../support/documentation.js'
import { findBrowser } from '../support/find-browser.js'
import { root, start } from '../support/launch.js'
import type { Packed } from '../support/package.js'
import {
  browserOptions,
  createProject,
  freePort,
  installTools,
  recipe,
  recipes,
  serveFolder,
} from './recipe-project.js'

let packed: Packed
beforeAll(async () => {
  packed = await installTools()
})
afterAll(() => packed.remove())

it('are those of this list', () => {
  const tested = ['Vitest with jsdom', 'Vitest with happy-dom', 'Vitest browser mode', 'Jest with jest-fixed-jsdom']
  expect(recipes.map(({ name }) => name)).toEqual([...tested, 'Playwright', 'Storybook', 'Next.js'])
})

it.each(recipes)('$name installs only packages that these tests use', async ({ commands }) => {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'test/recipes/package.json'), 'utf8'))
  const packages = commands
    .filter((line) => line.startsWith('npm install '))
    .flatMap((line) => line.split(' ').filter((word) => !/^(npm|install|--save-dev)$/.test(word)))
  expect(packages).toContain('petstore-sandbox')
  expect(Object.keys({ ...devDependencies, 'petstore-sandbox': '' })).toEqual(expect.arrayContaining(packages))
  expect(commands.filter((line) => !/^(npm install|npx) /.test(line))).toEqual([])
})

/** Runs the lines after the installation. A browser is here already. @returns what the last line printed */
async function follow(name: string, version: '2' | '3' = '2', replacements: Record<string, string> = {}) {
  const project = await createProject(packed, recipe(name), version, replacements)
  const lines = recipe(name).commands.filter((line) => !/^npm install|^npx playwright install/.test(line))
  let printed = ''
  for (const line of lines) printed = await project.run(line)
  return { printed, ...project }
}

const runners = ['Vitest with jsdom', 'Vitest with happy-dom', 'Vitest browser mode', 'Jest with jest-fixed-jsdom']
const withMsw = runners.flatMap((name) => (['2', '3'] as const).map((version) => ({ name, version })))

it.each(withMsw)('$name passes its tests with MSW $version', async ({ name, version }) => {
  const browser = { 'playwright()': `playwright({ launchOptions: ${await browserOptions()} })` }
  const { printed } = await follow(name, version, browser)
  // Jest prints its summary to stderr.
  if (!name.startsWith('Jest')) expect(printed).toMatch(/Tests +2 passed \(2\)/)
})

it('Playwright passes its tests', async () => {
  const browser = { 'use: {': `use: { launchOptions: ${await browserOptions()},` }
  const { printed } = await follow('Playwright', '2', { ...browser, 5173: String(await freePort()) })
  expect(printed).toMatch(/2 passed/)
})

it('Storybook shows its stories with the data of the sandbox', async () => {
  const { folder } = await follow('Storybook')
  const { url, close } = await serveFolder(join(folder, 'storybook-static'))
  onTestFinished(close)
  const page = await (await launchBrowser()).newPage()
  page.setDefaultTimeout(240_000)
  const namesOf = async (story: string, awaited: string) => {
    await page.goto(`${url}/iframe.html?id=pets--${story}&viewMode=story`)
    await page.locator('#storybook-root').getByText(awaited).waitFor()
    return (await page.locator('#storybook-root li').allTextContents()).slice(0, 2)
  }
  expect(await namesOf('with-rex', 'Rex')).toEqual(['Rex', 'Captain'])
  expect(await namesOf('newest', 'Captain')).toEqual(['Captain', 'Socks'])
  const answered = page.waitForEvent('console', (message) =>
    message.text().includes('GET https://api.petstore.example'),
  )
  await page.goto(`${url}/iframe.html?id=pets--none&viewMode=story`)
  await answered
  expect(await page.locator('#storybook-root li').count()).toBe(0)
})

it('Next.js renders the data of the sandbox, and what the page adds to it', async () => {
  const [sandboxPort, port] = [String(await freePort()), String(await freePort())]
  const { folder } = await createProject(packed, recipe('Next.js'), '2', { 4010: sandboxPort })
  const command = ['sh', '-c', `${recipe('Next.js').commands.at(-1)} --port ${port}`] as const
  const env = { ...outsideEnvironment(), NEXT_TELEMETRY_DISABLED: '1' }
  const program = start([], { command, cwd: folder, env, isGroup: true })
  await new Promise<void>((resolve, reject) => {
    program.child.stdout?.on('data', () => program.stdout().includes('Ready in') && resolve())
    program.ended.then(({ stdout, stderr }) => reject(new Error(stdout + stderr)), reject)
  })
  const html = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  expect(html).toContain('<li>Captain</li>')
  const page = await (await launchBrowser()).newPage()
  page.setDefaultTimeout(240_000)
  await page.goto(`http://localhost:${port}/`)
  await page.getByRole('button', { name: 'Add Rex' }).click()
  await page.getByText('Rex', { exact: true }).waitFor()
  expect(await page.getByRole('listitem').first().textContent()).toBe('Rex')
})

async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch((await findBrowser()).launchOptions)
  onTestFinished(() => browser.close())
  return browser
}

it('type-check', async () => {
  const projects = await Promise.all(recipes.map(async (each) => ({ each, ...(await createProject(packed, each)) })))
  const files = projects.flatMap(({ each, folder }) =>
    each.files.flatMap(({ file = '' }) => (/\.tsx?$/.test(file) ? [join(folder, file)] : [])),
  )
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    jsx: ts.JsxEmit.ReactJSX,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    typeRoots: [join(packed.folder, 'node_modules/@types')],
    types: ['node'],
  })
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
  expect(problems).toEqual([])
  expect(files.length).toBeGreaterThan(15)
})
