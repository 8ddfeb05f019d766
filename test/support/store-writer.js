/**
 * Commits to a store in a file until it is killed, and prints a line for each commit that was answered. With `--early`
 * its store has a planted fault: it answers before the commit is durable.
 */
import { writeSync } from 'node:fs'
import { openStore } from 'petstore-sandbox/node'

const [path, round, fault] = process.argv.slice(2)
const store = await openStore(`file:${path}`)
if (!store) throw new Error('There is no store')

/** Answers before the commit is durable, except for the first one of a world. */
function commitEarly(id, commit) {
  const answer = store.commit(id, commit)
  return commit.on ? { ...commit.on, sequence: commit.on.sequence + 1 } : answer
}

const commitTo = fault === '--early' ? commitEarly : store.commit
await Promise.all(Array.from({ length: 8 }, (_, lane) => write(`lane-${lane}`)))

async function write(id) {
  let on = (await store.open(id))?.stamp
  for (;;) {
    const next = (on?.sequence ?? 0) + 1
    const commitId = `${id}:${next}:${round}`
    const entries = [
      { name: 'count', text: String(next) },
      { name: `record ${next}`, text: JSON.stringify({ next, round, filler: 'x'.repeat(100) }) },
    ]
    on = await commitTo(id, { commitId, on, isWhole: false, entries })
    if (on === 'conflict') throw new Error(`A conflict at ${commitId}`)
    writeSync(1, `${id} ${next} ${commitId}\n`)
    // Others have their turn, so the commits of several worlds are in one transaction.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
