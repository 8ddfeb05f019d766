/** The pages of the documentation link to each other, and list everything that the program has. */
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { changeRules } from '../../src/checks/changes/change-rules.js'
import { consumerRules } from '../../src/checks/consumer/consumer-rules.js'
import { providerRules } from '../../src/checks/provider/provider-rules.js'
import { type Page, pages } from '../support/documentation.js'
import { root } from '../support/launch.js'
import { runWarm } from '../support/warm.js'

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
    rules.map(
      ({ id, severity, looksAt, restsOn }) => `| \`${id}\` | ${command} | ${severity} | ${looksAt} | ${restsOn} |`,
    ),
  )
  return ['| rule | of | severity | looks at | rests on |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n')
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

const optionTable = /(?<=<!-- options -->\n)[\s\S]*?(?=<!-- \/options -->)/

/** The commands that have each option, by the help texts on the page of the command line. */
function commandsByOption(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [, help = ''] of text.matchAll(
    /^Usage: petstore-sandbox ((?!\[options\] \[command\])[\s\S]*?)(?=^```$)/gm,
  )) {
    const [command = ''] = help.split(' [')
    for (const [, option = ''] of help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm))
      if (option !== '--help') found.set(option, [...(found.get(option) ?? []), command])
  }
  return found
}

const optionsPage = pages.find(({ text }) => optionTable.test(text))
const commands = commandsByOption(optionsPage?.text ?? '')
const optionRows = (optionTable.exec(optionsPage?.text ?? '')?.[0] ?? '')
  .split('\n')
  .slice(2, -1)
  .map((row) => row.slice(2, -2).split(' | '))

it('lists every option with its commands, its default and an example', async () => {
  const rows = [...commands].sort().map(([option, of]) => {
    const [, , usual = '', example = ''] = optionRows.find(([name]) => name === `\`${option}\``) ?? []
    return [`\`${option}\``, of.map((name) => `\`${name}\``).join(', '), usual, example]
  })
  if (isUpdating && optionsPage) {
    const head = ['option | of | default | example', '--- | --- | --- | ---']
    const table = [...head, ...rows.map((row) => row.join(' | '))].map((row) => `| ${row} |\n`).join('')
    return writeFile(
      join(root, optionsPage.name),
      optionsPage.text.replace(optionTable, () => table),
    )
  }
  expect(optionRows).toEqual(rows)
  expect(rows.filter((row) => row.some((cell) => cell.trim() === ''))).toEqual([])
  expect(rows.length).toBeGreaterThan(50)
})

it.each(optionRows)(
  'shows an example of %s that the program accepts',
  async (option = '', _of = '', _usual = '', example = '') => {
    const words = example.replaceAll('`', '').split(' ')
    expect(`\`${words[0]}\``).toBe(option)
    for (const command of commands.get(words[0] ?? '') ?? [])
      expect(await runWarm([...command.split(' '), ...words, '--help']), command).toMatchObject({ code: 0, stderr: '' })
  },
)

const errorsPage = pages.find(({ name }) => name === 'docs/errors.md')?.text ?? ''
const sources = await readSources(join(root, 'src'))

/** The sources without what is generated, each sentence on one line. */
async function readSources(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true })
  const own = found.filter(
    (name) => name.endsWith('.ts') && !name.startsWith('generated') && !name.startsWith('inspector'),
  )
  return (await Promise.all(own.map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
}

it('lists only messages that the program has, each with what to do', () => {
  const [, ...tables] = errorsPage.split('| message ')
  const rows = tables.flatMap((text) => [...text.matchAll(/^\| `([^`]+)` +\| (.+) \|$/gm)])
  const missing = rows.filter(([, message = '']) =>
    message.split(/…|(?=: )/).some((part) => !sources.includes(part.trim())),
  )
  expect(missing.map(([, message]) => message)).toEqual([])
  expect(rows.filter(([, , advice = '']) => advice.trim().length < 10)).toEqual([])
  expect(rows.length).toBeGreaterThan(40)
})

it('lists every code of SandboxError', () => {
  const [, union = ''] = /type SandboxErrorCode =([\s\S]*?)\n\n/.exec(sources) ?? []
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  const [, listed = ''] = errorsPage.split('## Codes of `SandboxError`')
  expect([...listed.matchAll(/^\| `(\w+)` /gm)].map(([, code]) => code).sort()).toEqual(codes.sort())
  expect(codes.length).toBeGreaterThan(10)
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
