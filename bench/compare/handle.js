/** One pair of `handle`: measures two processes of each build in turn, because V8 inlines differently in each. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { onCore } from '../servers/launch.js'
import { rows } from '../servers/subjects.js'
import { inTurns, meansByBuild, shuffle } from './turns.js'

const child = new URL('handle-child.js', import.meta.url)
const rounds = { warmUp: 3, measured: 8 }

/** @returns the processor time of a call, by row and build */
export async function compareHandle(builds, { rows: named }) {
  const processes = inTurns(builds).map(({ id, dist }) => begin(id, dist))
  const measured = named.map((row) => [row, []])
  try {
    for (let round = 0; round < rounds.warmUp + rounds.measured; round++) {
      for (const [row, entries] of shuffle(measured)) {
        for (const each of round % 2 === 0 ? processes : processes.toReversed()) {
          const time = await measure(each, row)
          if (round >= rounds.warmUp) entries.push([each.id, time])
        }
      }
    }
  } finally {
    for (const { process } of processes) process.kill()
  }
  return Object.fromEntries(measured.map(([row, entries]) => [row, meansByBuild(entries)]))
}

function begin(id, dist) {
  const [execPath, ...execArgv] = onCore(0, [process.execPath, '--expose-gc'])
  const begun = fork(child, [dist], { execPath, execArgv })
  return { id, process: begun, ended: once(begun, 'exit') }
}

async function measure({ id, process, ended }, row) {
  process.send(row)
  const [answer] = await Promise.race([once(process, 'message'), ended])
  if (answer?.time === undefined) throw new Error(`${id} did not handle ${row}: it exited with ${answer}`)
  if (rows[row].statuses.includes(answer.status)) return answer.time
  throw new Error(`${id} handled ${row} with ${answer.status}`)
}
