/** The pages of the documentation link to each other, and list everything that the program has. */
import { access, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { changeRules } from '../src/checks/changes/change-rules.js'
import { consumerRules } from '../src/checks/consumer/consumer-rules.js'
import { providerRules } from '../src/checks/provider/provider-rules.js'
import { type Page, pages } from './support/documentation.js'
import { root } from './support/launch.js'

const isUpdating = process.env['UPDATE_DOCS'] === '1'

const table = /(?<=<!-- rules -->\n)[\s\S]*?(?=<!-- \/rules -->)/

function rulesTable(): string {
  const rows = (
    [
      ['run', consumerRules],
      ['check', providerRules],
      ['diff', changeRules],
    ] as const
  ).flatMap(([command, rules]) =>
    rules.map(({ id, severity, looksAt }) => `| \`${id}\` | ${command} | ${severity} | ${looksAt} |`),
  )
  return ['| rule | of | severity | looks at |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}

it('lists every rule', async () => {
  const page = pages.find(({ text }) => table.test(text))
  expect(page?.name).toBe('docs/rules.md')
  if (isUpdating && page)
    return writeFile(
      join(root, page.name),
      page.text.replace(table, () => rulesTable()),
    )
  expect(table.exec(page?.text ?? '')?.[0].trim()).toBe(rulesTable().trim())
})

interface Link {
  /** Path from the root of the repository. */
  target: string
  anchor: string | undefined
}

/** Links and images that point to a file of the repository. */
function linksOf({ name, text }: Page): Link[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
    target: path === '' ? name : relative(root, join(root, dirname(name), path)),
    anchor,
  }))
}

/** Anchors of a page on GitHub: its headings in lower case, with hyphens. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) => heading,
  )
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Files with links that are not pages of the documentation. */
const papers = await Promise.all(
  ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'examples/frontend/README.md'].map(async (name) => ({
    name,
    text: await readFile(join(root, name), 'utf8'),
  })),
)

it.each([...pages, ...papers])('$name has no broken links', async (page) => {
  for (const { target, anchor } of linksOf(page)) {
    await expect(access(join(root, target)), target).resolves.toBeUndefined()
    if (anchor !== undefined) expect(anchorsOf(await readFile(join(root, target), 'utf8')), target).toContain(anchor)
  }
})

it('links from the README to the index, and from the index to every page and to every task', () => {
  const linkedFrom = (wanted: string) => pages.filter(({ name }) => name === wanted).flatMap(linksOf)
  const [readme, index] = ['README.md', 'docs/README.md'].map((name) => linkedFrom(name).map(({ target }) => target))
  const others = pages.map(({ name }) => name).filter((name) => !/README\.md$/.test(name))
  expect(others.filter((name) => !index?.includes(name))).toEqual([])
  expect(readme).toContain('docs/README.md')
  expect(others.filter((name) => name.startsWith('docs/tasks/')).length).toBeGreaterThan(10)
})

it('names only existing files to contributors', async () => {
  const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
  const files = [...guide.matchAll(/`(src\/[\w/-]+\.ts)`/g)].map(([, file = '']) => file)
  for (const file of files) await expect(access(join(root, file)), file).resolves.toBeUndefined()
  expect(files.length).toBeGreaterThan(10)
})

it('calls every entry of the package stable', async () => {
  const page = pages.find(({ name }) => name === 'docs/stability.md')
  const { name, exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).map((entry) => `\`${entry.replace(/^\./, name)}\``)
  expect(entries.filter((entry) => !page?.text.includes(entry))).toEqual([])
  expect(entries.length).toBeGreaterThan(5)
})
