/** The recipes of docs/recipes.md as projects: their files and commands, in a folder with the tools that they need. */
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, extname, join } from 'node:path'
import { type Block, outsideEnvironment, recipeBlocks, writeFiles } from '../support/documentation.js'
import { findBrowser } from '../support/find-browser.js'
import { root, run } from '../support/launch.js'
import { execute, nodeOf, type Packed, pack } from '../support/package.js'

/** One recipe, as the page shows it. */
export interface Recipe {
  /** The heading: `Vitest with jsdom`. */
  name: string
  /** The shared files first. */
  files: Block[]
  /** The lines that a reader types, in their order. */
  commands: string[]
}

const toCommands = (blocks: readonly Block[]) =>
  blocks.flatMap(({ language, code }) => (language === 'sh' ? code.trim().split('\n') : []))

/** The heading whose files all recipes share. */
const sharedHeading = 'The code under test'
const shared = recipeBlocks().filter(({ heading }) => heading === sharedHeading)

export const recipes: readonly Recipe[] = [...new Set(recipeBlocks().map(({ heading = '' }) => heading))]
  .filter((heading) => heading !== sharedHeading)
  .map((name) => {
    const blocks = recipeBlocks().filter(({ heading }) => heading === name)
    // The test in the shared files is for Vitest.
    const files = [...shared.filter(({ file }) => name.startsWith('Vitest') || file?.startsWith('src/')), ...blocks]
    return { name, files, commands: toCommands(blocks) }
  })

/** Finds a recipe by its heading. */
export function recipe(name: string): Recipe {
  const found = recipes.find((each) => each.name === name)
  if (!found) throw new Error(`docs/recipes.md has no recipe "${name}"`)
  return found
}

/** The tools are installed in one folder with MSW 2. Its folder `msw-3` has MSW 3 in addition. */
export async function installTools(): Promise<Packed> {
  const packed = await pack()
  const install = (...args: string[]) => [
    'install',
    ...args,
    packed.tarball,
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ]
  await cp(join(root, 'test/recipes/package.json'), join(packed.folder, 'package.json'))
  await execute('npm', install(), packed.folder)
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const second = join(packed.folder, 'msw-3')
  await mkdir(second)
  await writeFile(join(second, 'package.json'), '{ "private": true, "type": "module" }\n')
  await execute('npm', install(devDependencies['msw-3'].replace('npm:', '')), second)
  return packed
}

export interface Project {
  folder: string
  /** Runs a line of the recipe. @throws for any exit code but 0, with the output. @returns stdout */
  run(line: string): Promise<string>
}

/** Creates a folder with the files of a recipe. The replacements change the text of its files. */
export async function createProject(
  packed: Packed,
  { name, files }: Recipe,
  version: '2' | '3' = '2',
  replacements: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const folder = join(packed.folder, version === '3' ? 'msw-3' : '', name.replace(/\W+/g, '-').toLowerCase())
  const changes = Object.entries({
    ...(version === '3' && { onUnhandledRequest: 'onUnhandledFrame' }),
    ...replacements,
  })
  const own = files.map((block) => ({
    ...block,
    code: changes.reduce((code, [before, after]) => code.replaceAll(before, after), block.code),
  }))
  await writeFiles(folder, own)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const node = version === '3' ? await nodeOf('22') : process.execPath
  const env = {
    ...outsideEnvironment(),
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    NEXT_TELEMETRY_DISABLED: '1',
    STORYBOOK_DISABLE_TELEMETRY: '1',
  }
  return {
    folder,
    run: async (line) => {
      const { code, stdout, stderr } = await run([], { command: ['sh', '-c', line], cwd: folder, env })
      if (code !== 0) throw new Error(`"${line}" ended with ${code}\n${stdout}\n${stderr}`)
      return stdout
    },
  }
}

/** The launch options for the browser of these tests, as text for a configuration. */
export async function browserOptions(): Promise<string> {
  const { launchOptions = {} } = await findBrowser()
  return JSON.stringify(launchOptions)
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
}

/** Serves the files of a folder. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const content = await readFile(join(folder, pathname)).catch(() => undefined)
    const type = mediaTypes[extname(pathname)] ?? 'application/octet-stream'
    response.writeHead(content ? 200 : 404, { 'Content-Type': type }).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
