/** The pages of the documentation (README.md and docs/), and their code blocks. */
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
}

/** README.md first, then docs/ by name. */
export const pages: readonly Page[] = await readPages()

async function readPages(): Promise<Page[]> {
  const names = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort()
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
      file: comment ?? /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1],
    }),
  ),
)

/** The code blocks of all pages in a language. */
export function blocks(language: string): Block[] {
  return allBlocks.filter((block) => block.language === language)
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
  for (const { page, file, code } of allBlocks) {
    if (file === undefined) continue
    const path = join(folderOf(page), file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
  }
  return folderOf
}

/** A command that takes the place of `npm test`, the reader's test suite. */
export const testSuite: string = `${process.execPath} ${join(root, 'test/support/list-pets.js')}`

/** The words of a command line, with the program of this checkout instead of the published one. */
export function toWords(command: string): [program: string, ...args: string[]] {
  const [program = '', ...args] = command.replace(/^(npx )?petstore-sandbox\b/, `${process.execPath} ${bin}`).split(' ')
  return [program, ...args]
}
