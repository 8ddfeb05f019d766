/**
 * Judges from outside whether the lists of documents of others are paged, counted, filtered and sorted truly, whether
 * searches by a body find what they ask for, and whether records say something, have the examples of the document among
 * them, and name records that exist. What a list can do is decided from the document alone; what the document leaves open
 * is not judged, and counted.
 *
 * - `npm run bench lists` judges a sample of 300 documents by seed; `-- --sample 60 --seed 2` another one.
 * - `-- --only <text>` takes the documents with the text in their path, `-- --corpus <folder>` those of a folder.
 * - What is judged is kept in `bench/results/lists` and not judged again, except with `-- --again`.
 * - `-- --list loops|totals|links|filters|sorts|searches|hollow|examples|references` prints each disagreement, `open` all that was not judged.
 */
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseDocuments } from './documents/choose-documents.js'
import { measureAll } from './documents/measure-all.js'
import { ownName } from './documents/report.js'
import { kinds, listDisagreements, toReport } from './lists/report.js'

const folder = fileURLToPath(new URL('results/lists/', import.meta.url))
const lists = [...kinds, 'open']

export default async function benchLists({ say, ...options }) {
  const { seed, operations, list, again, limit, against } = options
  if (list !== undefined && !lists.includes(list)) throw new Error(`--list takes ${lists.join(', ')} (got "${list}")`)
  const corpus = options.corpus === undefined ? ownName : basename(resolve(options.corpus))
  const { results } = await measureAll({
    documents: chooseDocuments(options),
    script: new URL('lists/measure-lists.js', import.meta.url),
    task: { seed, operations, against },
    file: join(folder, `${corpus}-${seed}-${operations}.jsonl`),
    again,
    limit,
    say,
  })
  if (list !== undefined) return { hasFailed: false, lists: [{ title: list, lines: listDisagreements(results, list) }] }
  return toReport(results, { corpus, seed, operations })
}
