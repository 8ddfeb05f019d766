/**
 * Measures how well documents of others are served: time, memory and notes of each document; valid and invalid requests
 * for each operation, built and judged by tools that are not ours.
 *
 * - `npm run bench documents` measures a sample of 300 by seed; `-- --sample 60 --seed 2` another one, `-- --all` all.
 * - `-- --corpus <folder>` takes the documents of a folder, `-- --only <text>` those with the text in their path.
 * - `-- --server prism` or `scalar` measures another server.
 * - What is measured is kept in `bench/results/documents` and not measured again, except with `-- --again`.
 * - `-- --against <folder>` measures the build of another checkout.
 * - `-- --page` writes the figures of all servers, side by side, into docs/documents.md.
 * - `-- --list failed|body-breaks|undocumented|accepted|silent` prints each failure by name.
 */
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseDocuments } from './documents/choose-documents.js'
import { measureAll, readMeasured } from './documents/measure-all.js'
import { writePage } from './documents/page.js'
import { listFailures, ownName, toReport } from './documents/report.js'
import { servers } from './documents/servers.js'

const folder = fileURLToPath(new URL('results/documents/', import.meta.url))

export default async function benchDocuments({ say, ...options }) {
  const { server, seed, operations, list, again, limit, against } = options
  if (!Object.hasOwn(servers, server)) {
    throw new Error(`--server takes ${Object.keys(servers).join(', ')} (got "${server}")`)
  }
  const documents = chooseDocuments(options)
  const corpus = options.corpus === undefined ? ownName : basename(resolve(options.corpus))
  const fileOf = (id) => join(folder, `${id}-${corpus}-${seed}-${operations}.jsonl`)
  if (options.page) {
    writePage({ documents, corpus, seed, operations, resultsOf: (id) => readMeasured(fileOf(id)) })
    return { notes: ['the figures are in docs/documents.md'], hasFailed: false }
  }
  const script = new URL('documents/measure-document.js', import.meta.url)
  const task = { server, seed, operations, against }
  const { results, minutes, measured } = await measureAll({
    documents,
    script,
    task,
    file: fileOf(server),
    again,
    limit,
    say,
  })
  if (list !== undefined) return { hasFailed: false, lists: [{ title: list, lines: listFailures(results, list) }] }
  return toReport(results, { title: servers[server].title, corpus, server, seed, operations, minutes, measured })
}
