/**
 * Compares what two builds make of the same documents, requests and programs: facts, contracts and answers, by rule.
 *
 * - `npm run bench net -- --against <commit>` builds that commit (or takes a folder with a built checkout) and compares it with the
 *   build of this folder: 200 documents by seed, then the open programs of client libraries.
 * - `-- --sample 20`, `-- --only <text>` and `-- --corpus <folder>` choose other documents; `-- --parts documents` leaves programs out.
 * - `-- --list facts|contracts|answers` prints each change of that kind.
 *
 * Both builds get the requests of `bench documents`, which are made from the answers of the commit. There is no verdict: you decide
 * whether each change is wanted.
 */
import { fileURLToPath } from 'node:url'
import { toReport } from './clients/report.js'
import { chooseNames, prepare } from './clients.js'
import { chooseDocuments } from './documents/choose-documents.js'
import { measureAll } from './documents/measure-all.js'
import { toBuild } from './net/to-build.js'

const folder = fileURLToPath(new URL('results/net/', import.meta.url))
const kinds = ['facts', 'contracts', 'answers']
/** Rows of a table: the most frequent groups. */
const maxRows = 40

export default async function benchNet({ say, against, sample = 200, parts, list, limit, ...options }) {
  if (list !== undefined && !kinds.includes(list)) throw new Error(`--list takes ${kinds.join(', ')} (got "${list}")`)
  const before = toBuild(against, folder, say)
  const result = { tables: [], lists: [], notes: [] }
  if (parts.includes('documents')) await compareDocuments({ ...options, say, before, sample, list, limit }, result)
  if (parts.includes('programs')) await comparePrograms({ ...options, say, before, limit }, result)
  return result
}

async function compareDocuments({ before, list, limit, say, operations, ...options }, { tables, lists, notes }) {
  const { results, minutes } = await measureAll({
    documents: chooseDocuments(options),
    script: new URL('net/compare-document.js', import.meta.url),
    task: { before, operations, seed: options.seed },
    file: `${folder}documents.jsonl`,
    again: true,
    limit,
    say,
  })
  const compared = results.filter(({ outcome }) => outcome === 'compared')
  const total = (kind) => compared.reduce((sum, { counts }) => sum + counts[kind], 0)
  for (const kind of kinds) {
    const changes = compared.flatMap(({ name, changes }) => changes[kind].map((change) => ({ ...change, name })))
    const head = [kind, 'changes', 'documents', 'for example']
    tables.push({ title: `Changed ${kind}: ${changes.length} of ${total(kind)}`, head, rows: toRows(changes) })
    if (list === kind)
      lists.push({ title: kind, lines: changes.map(({ name, group, what }) => `${name} ${group}: ${what}`) })
  }
  notes.push(`${compared.length} of ${results.length} documents compared in ${minutes.toFixed(1)} minutes`)
  for (const { name, outcome, why } of results) if (outcome !== 'compared') notes.push(`${name}: ${outcome}: ${why}`)
}

/** Changes by what they have in common, the most frequent ones first. */
function toRows(changes) {
  const groups = new Map()
  for (const change of changes) {
    if (!groups.has(change.group)) groups.set(change.group, [])
    groups.get(change.group).push(change)
  }
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length)
  return sorted.slice(0, maxRows).map(([group, members]) => {
    const [{ name, what }] = members
    return [
      group,
      String(members.length),
      String(new Set(members.map((each) => each.name)).size),
      `${name} ${what}`.slice(0, 120),
    ]
  })
}

async function comparePrograms({ before, limit, say, ...options }, { tables, lists, notes }) {
  const found = await Promise.all(chooseNames({}).map((name) => prepare(name, options)))
  const documents = found.filter(({ file }) => file !== undefined)
  const measured = {}
  for (const [id, against] of [
    ['before', before],
    ['after', undefined],
  ]) {
    const task = { server: 'ours', against }
    const script = new URL('clients/run-program.js', import.meta.url)
    measured[id] = await measureAll({ documents, script, task, file: `${folder}${id}.jsonl`, again: true, limit, say })
  }
  const report = (id, earlier) =>
    toReport(measured[id].results, { name: 'net', title: id, missing: [], minutes: measured[id].minutes, earlier })
  const after = report('after', report('before').data)
  tables.push(after.tables[0])
  lists.push(...after.lists)
  notes.push(...after.notes)
}
