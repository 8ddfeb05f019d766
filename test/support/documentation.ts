/** The pages of the documentation (README.md and docs/), and their code blocks. */
import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bin, root } from './launch.js'

export interface Page {
  /** Path from the root of the repository: `docs/run.md`. */
  name: string
  text: string
}

export interface Block {
  page: Page
  language: string
  code: string
  /** Line on the page, from 1. */
  line: number
  /** Name of the file in the block: from its first line (`// suite.mjs`, `# books.yaml`) or the comment before it. */
  file: string | undefined
  /** The heading of level 2 that it is below. */
  heading: string | undefined
}

/** README.md first, then docs/ and its folders by name. */
export const pages: readonly Page[] = await readPages()

async function readPages(): Promise<Page[]> {
  const names = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    ['README.md', ...names.map((name) => `docs/${name}`)].map(async (name) => ({
      name,
      text: await readFile(join(root, name), 'utf8'),
    })),
  )
}

const allBlocks: readonly Block[] = pages.flatMap((page) =>
  [...page.text.matchAll(/^(?:<!-- (\S+\.\w+) -->\n)?```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: comment, 2: language = '', 3: code = '' }) => ({
      page,
      language,
      code,
      line: page.text.slice(0, index).split('\n').length,
      file: comment ?? /^(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n/.exec(code)?.[1],
      heading: page.text
        .slice(0, index)
        .match(/^## .+$/gm)
        ?.at(-1)
        ?.slice(3),
    }),
  ),
)

/** The page whose recipes have tests of their own, in test/recipes, because they need more than is installed here. */
const recipes = 'docs/recipes.md'

/** The code blocks in a language of all pages, without the recipes. */
export function blocks(language: string): Block[] {
  return allBlocks.filter((block) => block.language === language && block.page.name !== recipes)
}

/** The code blocks of the recipes, in their order. */
export function recipeBlocks(): Block[] {
  return allBlocks.filter((block) => block.page.name === recipes)
}

/** Writes the files among some blocks to a folder, which it creates. */
export async function writeFiles(folder: string, shown: readonly Block[]): Promise<void> {
  for (const { file, code } of shown) {
    if (file === undefined) continue
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), code)
  }
}

/** The blocks on the page of a block that are below the same heading. */
export function besides({ page, heading }: Block): Block[] {
  return allBlocks.filter((block) => block.page === page && block.heading === heading)
}

/** A name for a block in the title of a test. */
export function titleOf({ page, line }: Block): string {
  return `${page.name}:${line}`
}

/**
 * Creates a folder for each page, below a folder for the test file, because test files run concurrently. A folder has
 * the files of its page, and `openapi.yaml` as the document of the reader.
 * @returns the folder of a page
 */
export async function prepareFolders(suite: string): Promise<(page: Page) => string> {
  const folder = join(root, '.reports', 'documentation', suite)
  const folderOf = ({ name }: Page) => join(folder, name.replace(/\W+/g, '-'))
  await rm(folder, { recursive: true, force: true })
  for (const page of pages) {
    await mkdir(folderOf(page), { recursive: true })
    await cp(join(root, 'test/support/books.openapi.yaml'), join(folderOf(page), 'openapi.yaml'))
  }
  for (const page of pages) {
    await writeFiles(
      folderOf(page),
      allBlocks.filter((block) => block.page === page),
    )
  }
  return folderOf
}

/** A command that takes the place of `npm test`, the reader's test suite. */
export const testSuite: string = `${process.execPath} ${join(root, 'test/support/list-pets.js')}`

/** The test suite of a reader with the document `openapi.yaml`. */
export const ownTestSuite: string = `${testSuite} /books`

/** What runs the tests of another language, and what shows whether it is installed here. */
const languages: [command: RegExp, program: string, ...args: string[]][] = [
  [/ -- python3 -m pytest\b/, 'python3', '-c', 'import pytest, requests'],
  [/ -- go test\b/, 'go', 'version'],
]

/** Whether a command can run here: other languages are not part of the set-up of this project. */
export function canRun(command: string): boolean {
  const [, program, ...args] = languages.find(([pattern]) => pattern.test(command)) ?? []
  return program === undefined || isInstalled(program, ...args)
}

/** Whether a program of another language ends with 0. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** The words of a command line, with the program of this checkout instead of the published one. */
export function toWords(command: string): [program: string, ...args: string[]] {
  const [program = '', ...args] = command.replace(/^(npx )?petstore-sandbox\b/, `${process.execPath} ${bin}`).split(' ')
  return [program, ...args]
}

/** Variables that hide this test runner from a program that it starts. */
export function outsideEnvironment(): Record<string, string> {
  const own = Object.keys(process.env).filter((name) =>
    /^(VITEST|TEST$|NODE_ENV$|MODE$|DEV$|PROD$|BASE_URL$)/.test(name),
  )
  return { ...Object.fromEntries(own.map((name) => [name, ''])), NO_COLOR: '1' }
}
