/**
 * Compares a sandbox with real servers: sends the requests of recordings to a sandbox of the same document, and counts the answers that
 * are as those of the real server. `truth/README.md` describes recordings and levels.
 *
 * - `npm run bench truth -- --data <folder>` measures the recordings of a folder; `-- --only alpha,beta` some of them.
 * - `-- --list all`, or a level, prints each step that is not right, with all that differs.
 * - `-- --against <commit>` also measures the build of that commit, or of a folder with a built checkout, and prints what changed.
 * - `-- --overlay <file|folder>` adds an overlay; of a folder, `<server>.yaml` to each server that has one.
 * - `-- --record <folder>` records the servers of `truth/servers` there, or some `-- --only opencode`, and needs the registry of npm.
 *
 * The sandbox starts without records, as the real servers did.
 */
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
import { WrongUse } from './wrong-use.js'

const ownFolder = fileURLToPath(new URL('..', import.meta.url))
const builds = fileURLToPath(new URL('results/net/', import.meta.url))

export default async function benchTruth({ say, against, list, overlay, record: folder, ...options }) {
  if (folder !== undefined) return record(resolve(folder), { ...options, say })
  const lists = ['all', ...levels.slice(1)]
  if (list !== undefined && !lists.includes(list)) {
    throw new WrongUse(`--list takes ${lists.join(', ')} (got "${list}")`)
  }
  const recordings = readRecordings(options)
  const before = against && (await measure(recordings, { program: toBuild(against, builds, say), overlay, say }))
  const now = await measure(recordings, { program: ownFolder, overlay, say })
  return toReport({ now, before, against, list })
}

/** @param program a folder with a built checkout */
async function measure(recordings, { program, overlay, say }) {
  const servers = []
  for (const recording of recordings) {
    const { name, first, document } = recording
    say(`${name}: ${first.exchanges.length} steps, sandbox of ${program}`)
    const file = overlayOf(name, overlay)
    const args = ['serve', document, '--records', '0', ...(file === undefined ? [] : ['--overlay', file])]
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
