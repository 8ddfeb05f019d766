/** Writes the figures of programs of clients, of our sandbox and of Prism, into docs/documents.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countSteps, tableOfClasses, tableOfNeeds } from './report.js'

const page = new URL('../../docs/documents.md', import.meta.url)
const block = /(?<=<!-- clients -->\n)[\s\S]*?(?=<!-- \/clients -->)/
const files = { ours: 'clients.json', prism: 'clients-prism.json' }

/** @param folder where the results are @throws Error if one is missing */
export function writePage(folder) {
  const [ours, prism] = Object.entries(files).map(([server, file]) => {
    const path = join(folder, file)
    if (!existsSync(path)) throw new Error(`no result of "npm run bench clients -- --server ${server}" in ${folder}`)
    return JSON.parse(readFileSync(path, 'utf8'))
  })
  const { programs } = ours.data
  const steps = programs.flatMap((program) => program.steps)
  const date = new Date(ours.machine.date).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const text = [
    `Measured on ${date}: ${programs.length} programs with ${steps.length} steps.`,
    '',
    ...toMarkdown(librariesSideBySide(programs, prism.data.programs)),
    '',
    'Failing steps by class (a step can be in several):',
    '',
    ...toMarkdown(tableOfClasses(programs)),
    '',
    ...toMarkdown(tableOfNeeds(steps)),
    '',
  ].join('\n')
  const before = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    before.replace(block, () => text),
  )
  return { name: 'clients-page', notes: ['the figures are in docs/documents.md'], hasFailed: false }
}

function librariesSideBySide(ours, prism) {
  const head = [
    'library',
    'steps',
    'right',
    'shallow',
    'wrong',
    'checks',
    'ready',
    'Prism: right',
    'Prism: shallow',
    'Prism: wrong',
  ]
  const others = new Map(prism.map((program) => [program.name, program]))
  const hasStarted = (program) => program?.outcome === 'measured'
  const rows = ours.map(({ name, library, steps, startMs }) => {
    const { all, right, shallow, wrong, checks } = countSteps(steps)
    const other = others.get(name)
    const counts = hasStarted(other) ? countSteps(other.steps) : undefined
    const ofPrism = counts ? [counts.right, counts.shallow, counts.wrong] : ['does not start', '', '']
    return [library, all, right, shallow, wrong, checks, startMs ? `${(startMs / 1000).toFixed(1)} s` : '-', ...ofPrism]
  })
  const started = prism.filter(hasStarted)
  const [own, same, of] = [ours, ours.filter(({ name }) => hasStarted(others.get(name))), started].map((programs) =>
    countSteps(programs.flatMap(({ steps }) => steps)),
  )
  const shares = ({ all, right, shallow, wrong }) => [right, shallow, wrong].map((each) => toPercent(each, all))
  return {
    head,
    rows: [
      ...rows,
      ['all', own.all, ...shares(own), own.checks, '', '', '', ''],
      ['those that Prism starts', same.all, ...shares(same), same.checks, '', ...shares(of)],
    ],
  }
}

function toPercent(part, whole) {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} %`
}

function toMarkdown({ head, rows }) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
