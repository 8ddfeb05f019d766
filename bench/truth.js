/**
 * Compares a sandbox with real servers: sends the requests of recordings to a sandbox of the same document, and counts the answers that
 * are as those of the real server. `truth/README.md` describes recordings and levels.
 *
 * - `npm run bench truth -- --data <folder>` measures the recordings of a folder; `-- --only alpha,beta` some of them.
 * - `-- --list all`, or a level, prints each step that is not right, with all that differs.
 * - `-- --against <commit>` also measures the build of that commit, or of a folder with a built checkout, and prints what changed.
 * - `-- --overlay <file|folder>` adds an overlay; of a folder, `<server>.yaml` to each server that has one.
 * - `-- --learn` learns from the first 70 % of each recording, and measures the others with and without what was learned.
 * - `-- --record <folder>` records the servers of `truth/servers` there, or some `-- --only opencode`, and needs the registry of npm.
 *
 * The sandbox starts without records, as the real servers did.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { overlayOf } from './documents/overlay-of.js'
import { toBuild } from './net/to-build.js'
import { launch } from './servers/launch.js'
import { judgeAnswers, levels } from './truth/judge-answers.js'
import { readRecordings } from './truth/read-recordings.js'
import { record } from './truth/record.js'
import { replay } from './truth/replay.js'
import { toReport } from './truth/report.js'
import { toHar } from './truth/to-har.js'
import { workFolder } from './work-folder.js'
import { WrongUse } from './wrong-use.js'

const ownFolder = fileURLToPath(new URL('..', import.meta.url))
const builds = fileURLToPath(new URL('results/net/', import.meta.url))

/** The share of the exchanges from which is learned. */
const learned = 0.7

export default async function benchTruth({ say, against, list, overlay, learn = false, record: folder, ...options }) {
  if (folder !== undefined) return record(resolve(folder), { ...options, say })
  const lists = ['all', ...levels.slice(1)]
  if (list !== undefined && !lists.includes(list)) {
    throw new WrongUse(`--list takes ${lists.join(', ')} (got "${list}")`)
  }
  const recordings = readRecordings(options)
  if (learn) return measureLearned(recordings, { say, list })
  const before = against && (await measure(recordings, { program: toBuild(against, builds, say), overlay, say }))
  const now = await measure(recordings, { program: ownFolder, overlay, say })
  return toReport({ now, before, against, list })
}

/** Measures the last exchanges of each recording without and with what the others teach. */
async function measureLearned(recordings, { say, list }) {
  const taught = recordings.map((recording) => ({ ...recording, ...learnFrom(recording, say) }))
  const last = (servers) =>
    servers.map(({ name, steps }) => ({ name, steps: steps.slice(Math.ceil(steps.length * learned)) }))
  const before = last(await measure(recordings, { program: ownFolder, say }))
  const now = last(await measure(taught, { program: ownFolder, say }))
  return toReport({ now, before, against: 'nothing learned', list })
}

/** @returns files with what the program learned, for `measure` */
function learnFrom({ name, first, document }, say) {
  const file = (ending) => join(workFolder(), `${name}-learned.${ending}`)
  writeFileSync(file('har'), JSON.stringify(toHar(first, Math.ceil(first.exchanges.length * learned))))
  const files = ['--out', file('yaml'), '--records', file('json'), '--force']
  const args = ['learn', file('har'), '--spec', document, ...files, '--test', '0']
  const { status, stderr } = spawnSync(process.execPath, [join(ownFolder, 'bin/petstore-sandbox.js'), ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`learn of ${name} ended with ${status}: ${stderr}`)
  say(`${name}: ${stderr.split('\n')[0]}`)
  return { learnedOverlay: file('yaml'), learnedRecords: file('json') }
}

/** @param program a folder with a built checkout */
async function measure(recordings, { program, overlay, say }) {
  const servers = []
  for (const recording of recordings) {
    const { name, first, document, learnedOverlay, learnedRecords } = recording
    say(`${name}: ${first.exchanges.length} steps, sandbox of ${program}`)
    const file = learnedOverlay ?? overlayOf(name, overlay)
    const records = learnedRecords === undefined ? ['--records', '0'] : ['--scenario', learnedRecords]
    const args = ['serve', document, ...records, ...(file === undefined ? [] : ['--overlay', file])]
    const sandbox = await launch({
      id: `sandbox-${name}`,
      command: (port) => ({ args: [join(program, 'bin/petstore-sandbox.js'), ...args, '--port', String(port)] }),
      ready: { path: '/_sandbox/health' },
      isPinned: false,
      pollMs: 20,
    })
    try {
      const replayed = await replay(first, sandbox.port)
      if (!sandbox.isRunning()) throw new Error(`the sandbox of ${name} ended: ${sandbox.output().slice(-300)}`)
      servers.push({ name, steps: judgeAnswers(recording, replayed) })
    } finally {
      await sandbox.close()
    }
  }
  return servers
}
