/**
 * Observes from outside whether the records of documents of others are kept: what is created can be read, listed,
 * changed and removed. Which collections can be observed is decided from the document alone.
 *
 * - `npm run bench state` observes a sample of 300 documents by seed; `-- --sample 60 --seed 2` another one.
 * - `-- --only <text>` takes the documents with the text in their path, `-- --corpus <folder>` those of a folder.
 * - What is observed is kept in `bench/results/state` and not observed again, except with `-- --again`.
 * - `-- --list observable|claimed` prints each collection that disagrees; `claimed` those that `explain` says it keeps.
 */
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseDocuments } from './documents/choose-documents.js'
import { measureAll } from './documents/measure-all.js'
import { ownName } from './documents/report.js'
import { listDisagreements, toReport } from './state/report.js'

const folder = fileURLToPath(new URL('results/state/', import.meta.url))
const lists = ['observable', 'claimed']

export default async function benchState({ say, ...options }) {
  const { seed, operations, list, again, limit, against } = options
  if (list !== undefined && !lists.includes(list)) throw new Error(`--list takes ${lists.join(', ')} (got "${list}")`)
  const corpus = options.corpus === undefined ? ownName : basename(resolve(options.corpus))
  const { results } = await measureAll({
    documents: chooseDocuments(options),
    script: new URL('state/measure-collections.js', import.meta.url),
    task: { seed, operations, against },
    file: join(folder, `${corpus}-${seed}-${operations}.jsonl`),
    again,
    limit,
    say,
  })
  if (list !== undefined) return { hasFailed: false, lists: [{ title: list, lines: listDisagreements(results, list) }] }
  return toReport(results, { corpus, seed, operations })
}
