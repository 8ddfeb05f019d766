/**
 * Runs every command in README.md and docs/, and compares its output with the page.
 * `UPDATE_DOCS=1 npx vitest run --project docs test/docs/readme.test.ts` updates the outputs on the pages.
 */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type Block,
  besides,
  blocks,
  canRun,
  outsideEnvironment,
  ownTestSuite,
  type Page,
  pages,
  prepareFolders,
  testSuite,
  toWords,
  writeFiles,
} from '../support/documentation.js'
import { bin, root, run, start, untilReady } from '../support/launch.js'
import { runWarm, serveWarm, type WarmServer } from '../support/warm.js'

const isUpdating = process.env['UPDATE_DOCS'] === '1'
const folderOf = await prepareFolders('commands')

/** A command with its output. */
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

function sessionOf(page: Page): Shown[] {
  return blocks('console')
    .filter((block) => block.page === page)
    .flatMap(({ code }) => toShown(code))
}

/** Removes output that changes from run to run or does not describe the service. */
function withoutNoise(output: string): string {
  return (
    output
      .replaceAll('\r', '')
      .replace(/^(Date|Connection|Keep-Alive): .*\n/gm, '')
      .replace(/ in \d+\.\d s(?=, )/g, ' in 0.5 s')
      // The clock of a world begins at this second, and its commands take some.
      .replace(/\b17951328\d\d\b/g, '1795132800')
      .trimEnd()
  )
}

/** Runs the commands of a page in turn. Each that names a port uses the last server that was started, or a default one. */
async function printAll(page: Page, session: readonly Shown[]): Promise<Shown[]> {
  const cwd = folderOf(page)
  const printed: Shown[] = []
  let server: WarmServer | undefined
  for (const { command, output: shown } of session) {
    if (command.includes('4010')) server ??= await serveWarm(['--log', 'none'])
    const own = command.replace(/^npx /, '').replaceAll('4010', String(server?.port))
    const [program, ...args] = own.split(' ')
    let output: string
    if (program === 'curl') {
      output = (await run([], { command: ['sh', '-c', own] })).stdout
    } else if (program !== 'petstore-sandbox') {
      throw new Error(`${page.name} shows a command that this test does not know: ${command}`)
    } else if (isServing(args)) {
      await server?.stop()
      server = await serveWarm([...args, '--log', 'none'], { cwd })
      output = server.stdout()
    } else {
      // The output of a consumer goes to that of its own process.
      output = (await (/^(run|proxy)$/.test(args[0] ?? '') ? run : runWarm)(args, { cwd })).stdout
    }
    const documented = server ? output.replaceAll(String(server.port), '4010') : output
    printed.push({ command, output: abbreviate(withoutNoise(documented), shown) })
  }
  await server?.stop()
  return printed
}

/** A line `…` matches any lines. */
function abbreviate(output: string, shown: string): string {
  const [before, after] = shown.split(/^…$\n?/m)
  if (before === undefined || after === undefined) return output
  const lines = output.split('\n')
  const head = lines.slice(0, before.split('\n').length - 1)
  const tail = after === '' ? [] : lines.slice(-after.split('\n').length)
  return [...head, '…', ...tail].join('\n')
}

function isServing([first]: readonly string[]): boolean {
  if (first === undefined || first === 'serve') return true
  return first.startsWith('--') ? !/^--(help|version)$/.test(first) : /\.(yaml|json)$/.test(first)
}

it.each(pages.filter((page) => sessionOf(page).length > 0))(
  '$name shows the current output of its commands',
  async (page) => {
    const session = sessionOf(page)
    const printed = await printAll(page, session)
    if (isUpdating) return writeFile(join(root, page.name), withSession(page, printed))
    expect(printed).toEqual(session)
  },
)

/** Replaces the commands and outputs in the sessions of a page. */
function withSession({ text }: Page, printed: Shown[]): string {
  const left = [...printed]
  return text.replace(/^```console\n([\s\S]*?)^```$/gm, (_, block: string) => {
    const shown = left.splice(0, toShown(block).length)
    return `\`\`\`console\n${shown.map(({ command, output }) => `$ ${command}\n${output}\n`).join('')}\`\`\``
  })
}

it('shows the output of commands', () => {
  expect(pages.slice(0, 1).flatMap(sessionOf).length).toBeGreaterThan(5)
  expect(pages.flatMap(sessionOf).length).toBeGreaterThan(30)
})

const lines = blocks('sh').flatMap((block) =>
  block.code
    .trim()
    .split('\n')
    .map((command) => ({ block, page: block.page, command, title: `${block.page.name}: ${command}` })),
)

/** Commands of other languages run where these are installed. `docs-languages.test.ts` checks at least the syntax of their files. */
const runnable = lines.filter(({ command }) => canRun(command))
it.skip.each(lines.filter((line) => !runnable.includes(line)))('does not run $title: its language is missing', () => {})

it.each(runnable)('shows a command that works in $title', async ({ block, page, command }) => {
  if (command === 'npm cit') {
    // This command would run this test again. CI runs it.
    expect(await readFile(join(root, '.ci/run'), 'utf8')).toMatch(/^npm cit\b/m)
  } else if (command.startsWith('npx msw init')) await initialiseMsw(command)
  else if (command.startsWith('npm install')) await installPackage(command)
  else if (/^(npx vitest|node) /.test(command)) await runTests(block, command)
  else if (/^npx petstore-sandbox (run|check|proxy|diff|rules|export)\b/.test(command)) await runToItsEnd(page, command)
  else await serveAndInterrupt(page, command)
})

async function initialiseMsw(command: string): Promise<void> {
  const project = await createProject('msw-init')
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
  expect(await run([], { command: ['sh', '-c', command], cwd: project })).toMatchObject({ code: 0 })
  const worker = await readFile(join(project, 'public/mockServiceWorker.js'), 'utf8')
  expect(worker).toBe(await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8'))
}

/** Uses this checkout instead of the published package. The tests of the package install the tarball. */
async function installPackage(command: string): Promise<void> {
  const project = await createProject('install')
  const packages = command.split(' ').slice(3)
  const [program = '', ...args] = command
    .split(' ')
    .filter((word) => !packages.includes(word) || word === 'petstore-sandbox')
    .map((word) => (word === 'petstore-sandbox' ? root : word))
  const flags = ['--ignore-scripts', '--offline', '--no-audit', '--no-fund']
  expect(await run([], { command: [program, ...args, ...flags], cwd: project })).toMatchObject({ code: 0 })
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.devDependencies)).toEqual(['petstore-sandbox'])
  // The others are installed in this checkout.
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(Object.keys({ ...devDependencies, 'petstore-sandbox': '' })).toEqual(expect.arrayContaining(packages))
  const version = await run([], { command: ['npx', 'petstore-sandbox', '--version'], cwd: project })
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
}

async function createProject(name: string): Promise<string> {
  const project = join(root, '.reports/documentation/commands', name)
  await mkdir(project, { recursive: true })
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  return project
}

/** Runs a test runner on the files below the heading. */
async function runTests(block: Block, command: string): Promise<void> {
  const shown = besides(block)
  const project = join(folderOf(block.page), `line-${block.line}`)
  await writeFiles(project, shown)
  // Vitest would take the configuration of this checkout.
  const hasOwn = shown.some(({ file }) => file?.startsWith('vitest.config'))
  if (!hasOwn) await writeFile(join(project, 'vitest.config.js'), 'export default { test: { testTimeout: 240_000 } }\n')
  // Without it, `npx` installs this checkout into its cache, which builds it while other tests run.
  const programs = join(project, 'node_modules/.bin')
  await rm(programs, { recursive: true, force: true })
  await mkdir(programs, { recursive: true })
  await symlink(bin, join(programs, 'petstore-sandbox'))
  const env = outsideEnvironment()
  const { code, stdout, stderr } = await run([], { command: toWords(command), cwd: project, env })
  expect(code === 0 ? '' : stdout + stderr).toBe('')
  const tests = shown.flatMap(({ file = '', code: text }) =>
    /\.test\.\w+$/.test(file) ? (text.match(/^test(\.\w+)?\(/gm) ?? []) : [],
  )
  expect(Number(/(?:Tests +|[#ℹ] pass )(\d+)/.exec(stdout)?.[1])).toBe(tests.length)
}

/** `npm test` is the reader's test suite. The staging server of the service does not exist. */
async function runToItsEnd(page: Page, command: string): Promise<void> {
  const staging = 'https://staging.petstore.example'
  const url = command.includes(staging) ? (await serveWarm(['--log', 'none'])).url : ''
  const suite = /^npx petstore-sandbox run openapi\.yaml\b/.test(command) ? ownTestSuite : testSuite
  const own = command.replace(staging, url).replace('npm test', suite)
  // One `run` may be the command of another one.
  const [, , ...args] = own.replace('-- npx petstore-sandbox ', `-- ${process.execPath} ${bin} `).split(' ')
  const env = { PETSTORE_API_KEY: 'sandbox' }
  expect(await runWarm(args, { cwd: folderOf(page), env })).toMatchObject({ code: 0 })
}

async function serveAndInterrupt(page: Page, command: string): Promise<void> {
  const [program, ...args] = toWords(command.replace('npm ci && ', '').replace(/--port \d+/, '--port 0'))
  const env = { PETSTORE_SANDBOX_PORT: '0' }
  const cwd = program === 'npm' ? root : folderOf(page)
  // Signal the whole group, as Ctrl-C on a terminal does: npm does not forward signals.
  const running = start([], { command: [program, ...args], env, cwd, isGroup: true })
  expect((await fetch(`${await untilReady(running)}/_sandbox/health`)).status).toBe(200)
  running.signal('SIGINT')
  const { code, signal } = await running.ended
  // npm exits by the signal after the program has exited.
  expect(code ?? signal).toBe(program === 'npm' ? 'SIGINT' : 0)
}
