/** Writes the figures of all servers, side by side, into docs/documents.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { ownName, toFigures } from './report.js'
import { servers } from './servers.js'

const page = new URL('../../docs/documents.md', import.meta.url)
const block = /(?<=<!-- documents -->\n)[\s\S]*?(?=<!-- \/documents -->)/

const percent = (value, digits = 1) => `${value.toFixed(digits)} %`
const rounded = (figures, unit, scale = 1) =>
  `${Object.values(figures)
    .map((value) => (value / scale).toFixed(scale === 1 ? 0 : 1))
    .join(' / ')} ${unit}`

const rows = [
  ['documents that load and serve', ({ loaded }) => percent(loaded)],
  ['time to ready: median / p90 / longest', ({ startMs }) => rounded(startMs, 's', 1000)],
  ['peak memory: median / p90 / most', ({ peakMegabytes }) => rounded(peakMegabytes, 'MB')],
  ['valid requests with a documented, valid success', ({ succeeded }) => percent(succeeded)],
  ['success bodies that break their schema', ({ brokenBodies }) => percent(brokenBodies, 2)],
  ['operations with a documented, valid success, of all', ({ operationsOfAll }) => percent(operationsOfAll)],
  ['… in the documents that all three load', (_, { operationsOfAll }) => percent(operationsOfAll)],
  ['invalid requests refused', ({ refused }) => percent(refused)],
  ['… with a documented answer, where one fits', ({ documented }) => percent(documented)],
  ['server ended on a request', ({ crashes }) => String(crashes)],
  ['answers 5xx, except 501', ({ internalErrors }) => String(internalErrors)],
  ['operations that act on state', ({ fromState }, _, id) => (id === 'ours' ? percent(fromState) : '-')],
  ['… that answer by example', ({ byExample }, _, id) => (id === 'ours' ? percent(byExample) : '-')],
]

/**
 * @param resultsOf returns the results of a server by name of the document
 * @throws Error if a document was not measured with every server
 */
export function writePage({ documents, corpus, seed, operations, resultsOf }) {
  if (corpus !== ownName) throw new Error(`--page writes the figures of ${ownName}; leave out --corpus`)
  const ids = Object.keys(servers)
  const results = ids.map((id) => {
    const measured = resultsOf(id)
    const missing = documents.find(({ name }) => !measured.has(name))
    if (missing) throw new Error(`${missing.name} was not measured with --server ${id}`)
    return documents.map(({ name }) => measured.get(name))
  })
  const isShared = (index) => results.every((all) => all[index].outcome === 'measured')
  const columns = results.map((all, index) => {
    const shared = all.filter((_, position) => isShared(position))
    const [figures, common] = [toFigures(all).values, toFigures(shared).values]
    return rows.map(([, show]) => show(figures, common, ids[index]))
  })
  const table = [
    ['what', ...Object.values(servers).map(({ title, version }) => `${title} ${version}`)],
    ['---', ...ids.map(() => '---')],
    ...rows.map(([what], row) => [what, ...columns.map((column) => column[row])]),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  const date = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
  const text = `Measured on ${date}: ${documents.length} documents, at most ${operations} operations of each, with seed ${seed}.`
  const before = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    before.replace(block, () => [text, '', ...table, ''].join('\n')),
  )
}
