/**
 * Runs programs as clients of in-house services would have them, against sandboxes of their documents, and counts the steps that go as
 * with the service. The programs, their documents and the runner that starts the sandbox are in a folder of yours.
 *
 * - `npm run bench inhouse -- --data <folder>` runs the programs of a folder; `-- --only orders,billing` some of them.
 * - `-- --list all`, or `doc`, `guess` or `code`, prints each check that fails, with what was there instead.
 * - `-- --against <commit>` also runs them with the build of that commit, or of a folder with a built checkout, and prints what changed.
 * - `-- --overlay <file|folder>` adds an overlay; of a folder, `<program>.yaml` to each program that has one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { overlayOf } from './documents/overlay-of.js'
import { sources, toReport } from './inhouse/report.js'
import { toBuild } from './net/to-build.js'
import { workFolder } from './work-folder.js'
import { WrongUse } from './wrong-use.js'

const ownFolder = fileURLToPath(new URL('..', import.meta.url))
const builds = fileURLToPath(new URL('results/net/', import.meta.url))
const runner = 'run-all.mjs'
const layout = `The folder must contain
  programs/<name>.mjs  a program for each service
  docs                 their documents
  ${runner}          runs programs: node ${runner} [<name> …] --json <file>
The runner starts the program in the environment variable SANDBOX, with the overlay OVERLAYS/<name>.yaml if there is one. It writes
  { programs: [{ name, error?, steps: [{ id, title, verdict, withoutCode, checks: [{ source, label, ok, got? }] }] }] }
A verdict is right, shallow, wrong, or after; the source of a check is doc, guess or code.`

export default async function benchInhouse({ say, data, only, overlay, against, list }) {
  const lists = ['all', ...sources]
  if (list !== undefined && !lists.includes(list)) {
    throw new WrongUse(`--list takes ${lists.join(', ')} (got "${list}")`)
  }
  const names = chooseNames(data, only)
  const overlays = linkOverlays(names, overlay)
  const measure = (program, id) => run({ folder: resolve(data), names, program, overlays, id, say })
  const before = against && (await measure(toBuild(against, builds, say), 'before'))
  return toReport({ now: await measure(ownFolder, 'now'), before, against, list })
}

/** @throws WrongUse if the folder lacks something, or for unknown names */
function chooseNames(data, only) {
  if (data === undefined) throw new WrongUse(`inhouse requires --data <folder>. ${layout}`)
  const missing = ['', runner, 'programs', 'docs'].find((name) => !existsSync(join(data, name)))
  if (missing !== undefined) throw new WrongUse(`There is no "${join(data, missing)}". ${layout}`)
  const names = readdirSync(join(data, 'programs')).flatMap((file) => /^(.+)\.mjs$/.exec(file)?.[1] ?? [])
  if (names.length === 0) throw new WrongUse(`"${join(data, 'programs')}" contains no program. ${layout}`)
  const chosen = only?.split(',') ?? names.sort()
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new WrongUse(`--only takes names of programs: ${names.join(', ')} (got "${unknown}")`)
  return chosen
}

/** @returns a folder with the overlay of each program, or undefined without `--overlay` */
function linkOverlays(names, overlay) {
  if (overlay === undefined) return undefined
  const folder = join(workFolder(), 'overlays')
  mkdirSync(folder)
  for (const name of names) {
    const file = overlayOf(name, overlay)
    if (file !== undefined) symlinkSync(file, join(folder, `${name}.yaml`))
  }
  return folder
}

/** @param program a folder with a built checkout @returns the programs with their judged steps */
async function run({ folder, names, program, overlays, id, say }) {
  say(`${names.length} programs, sandbox of ${program}`)
  const file = join(workFolder(), `inhouse-${id}.json`)
  const child = spawn(process.execPath, [join(folder, runner), ...names, '--json', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SANDBOX: join(program, 'bin/petstore-sandbox.js'),
      ...(overlays === undefined ? {} : { OVERLAYS: overlays }),
    },
  })
  const [code] = await once(child, 'exit')
  if (!existsSync(file)) throw new Error(`${runner} wrote no ${file}; it exited with ${code}`)
  return JSON.parse(readFileSync(file, 'utf8')).programs
}
