/**
 * Checks our own sandboxes of other people's documents with our own `check`: each finding is a fault of one of the two.
 *
 * - `npm run bench self-check` checks 100 documents by seed; `-- --sample 20 --seed 2` others, `-- --all` all.
 * - `-- --corpus <folder>` takes the documents of a folder, `-- --only <text>` those with the text in their path.
 * - What is checked is kept in `bench/results/self-check` and not checked again, except with `-- --again`.
 */
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, holds } from './bars.js'
import { chooseDocuments } from './documents/choose-documents.js'
import { measureAll } from './documents/measure-all.js'
import { ownName } from './documents/report.js'

const folder = fileURLToPath(new URL('results/self-check/', import.meta.url))
const usualSample = 100
const shown = 100

export default async function benchSelfCheck({ say, ...options }) {
  const { seed, again, limit } = options
  const corpus = options.corpus === undefined ? ownName : basename(resolve(options.corpus))
  const documents = chooseDocuments({ ...options, sample: options.sample ?? usualSample })
  const { results } = await measureAll({
    documents,
    script: new URL('self-check/check-document.js', import.meta.url),
    task: {},
    file: join(folder, `${corpus}-${seed}.jsonl`),
    again,
    limit,
    say,
  })
  const unchecked = results.filter(({ outcome }) => outcome !== 'checked')
  const findings = results.flatMap(({ name, findings: own = [] }) => own.map((finding) => `${name}: ${finding}`))
  const requests = results.reduce((sum, { requests: own = 0 }) => sum + own, 0)
  const clean = results.filter(({ outcome, findings: own }) => outcome === 'checked' && own.length === 0)
  const bars = [
    holds('documents that are clean', `${clean.length} of ${results.length}`, 'all', clean.length === results.length),
    atMost('findings', findings.length, 0),
  ]
  return {
    title: 'Our own check of our own sandboxes',
    bars,
    notes: [`${requests} requests`],
    lists: [
      { title: 'not checked', lines: unchecked.map(({ name, outcome, why }) => `${name}: ${outcome}: ${why}`) },
      { title: 'findings', lines: findings.slice(0, shown) },
    ].filter(({ lines }) => lines.length > 0),
    hasFailed: bars.some(({ isKept }) => !isKept),
  }
}
