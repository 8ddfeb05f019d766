/**
 * Runs programs of official client libraries against a sandbox that serves the document of each library's provider, and counts the steps
 * that go as they would with the real service. `clients/README.md` describes the programs.
 *
 * - `npm run bench clients` runs the open programs; `-- --only stripe,asana` some of them.
 * - `-- --sealed 1` or `2` runs the programs of a sealed lot, and only these.
 * - `-- --server prism` measures Prism; `-- --server examples` our own with every operation forced to answer by example.
 * - `-- --overlay <file|folder>` adds an overlay; of a folder, `<name>.yaml` to each program that has one.
 * - `-- --overrides <file|folder>` adds overrides; of a folder, `<name>.ts`, `.js` or `.mjs` to each program that has one.
 * - `-- --list <class>` or `all` prints the failing steps with their requests and answers.
 * - `-- --against <file>` compares with an earlier result, a copy of `bench/results/clients.json`.
 * - `-- --json` prints the result as JSON. `-- --page` writes the figures into docs/documents.md.
 * - `-- --repositories <folder>` has clones of the repositories of the documents that no npm package has.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalog } from './clients/catalog.js'
import { classes } from './clients/classes.js'
import { findDocument } from './clients/documents.js'
import { lots } from './clients/lots.js'
import { writePage } from './clients/page.js'
import { listFailures, toReport } from './clients/report.js'
import { servers } from './clients/servers.js'
import { measureAll } from './documents/measure-all.js'
import { overlayOf, overridesOf } from './documents/overlay-of.js'

const results = fileURLToPath(new URL('results/', import.meta.url))
const installed = fileURLToPath(new URL('clients/node_modules/', import.meta.url))

export default async function benchClients({ say, ...options }) {
  const { server, list, page, against } = options
  if (!Object.hasOwn(servers, server)) {
    throw new Error(`--server takes ${Object.keys(servers).join(', ')} (got "${server}")`)
  }
  for (const name of ['overlay', 'overrides']) {
    if (options[name] !== undefined && server !== 'ours')
      throw new Error(`--${name} changes our own server, not ${server}`)
  }
  if (list !== undefined && list !== 'all' && !Object.hasOwn(classes, list)) {
    throw new Error(`--list takes all, ${Object.keys(classes).join(', ')} (got "${list}")`)
  }
  if (page) return writePage(results)
  const earlier = against === undefined ? undefined : JSON.parse(readFileSync(against, 'utf8')).data
  const programs = await Promise.all(chooseNames(options).map((name) => prepare(name, options)))
  const { results: measured, minutes } = await measureAll({
    documents: programs.filter(({ file }) => file !== undefined),
    script: new URL('clients/run-program.js', import.meta.url),
    task: { server },
    file: join(results, `clients/${server}.jsonl`),
    again: true,
    limit: options.limit,
    say,
  })
  const missing = programs.filter(({ file }) => file === undefined)
  const report = toReport(measured, {
    name: nameResult(options),
    title: servers[server].title,
    missing,
    minutes,
    earlier,
  })
  return list === undefined
    ? report
    : { ...report, tables: [], lists: [{ title: list, lines: listFailures(measured, list) }] }
}

/** A part of the programs does not replace the result of all. */
function nameResult({ server, sealed, only, overlay, overrides }) {
  const added = [overlay && 'overlay', overrides && 'overrides']
  const parts = [server !== 'ours' && server, sealed && `sealed-${sealed}`, only && 'only', ...added]
  return ['clients', ...parts.filter(Boolean)].join('-')
}

/** Sealed programs run only with their lot. */
export function chooseNames({ only, sealed }) {
  const lotOf = (name) => Object.keys(lots).find((lot) => lots[lot].includes(name))
  if (sealed !== undefined && !Object.hasOwn(lots, sealed)) {
    throw new Error(`--sealed takes ${Object.keys(lots).join(' or ')} (got "${sealed}")`)
  }
  const names = Object.keys(catalog).filter((name) => lotOf(name) === sealed)
  if (only === undefined) return names
  const wanted = only.split(',')
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown === undefined) return wanted
  if (lotOf(unknown) !== undefined)
    throw new Error(`"${unknown}" is sealed: it runs only with --sealed ${lotOf(unknown)}`)
  throw new Error(`--only takes names of programs: ${names.join(', ')} (got "${unknown}")`)
}

export async function prepare(name, { overlay, overrides, repositories }) {
  const { library, document } = catalog[name]
  const [, id, version] = /^(.+)@([^@]+)$/.exec(library)
  const manifest = join(installed, id, 'package.json')
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== version) {
    throw new Error(`${library} is not installed; run "npm ci --prefix bench/clients"`)
  }
  const added = { overlay: overlayOf(name, overlay), overrides: overridesOf(name, overrides) }
  return { name, ...(await findDocument(document, repositories)), ...added }
}
