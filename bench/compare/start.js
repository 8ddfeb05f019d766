/** One pair of `start`: processor time until the first 200, for a few starts of each build. */
import { preciseProcessorTime } from '../processor-time.js'
import { launch } from '../servers/launch.js'
import { inTurns, meansByBuild } from './turns.js'

const repeats = 2

/** @returns the processor time and the time to ready, by build */
export async function compareStart(builds) {
  const [used, ready] = [[], []]
  for (const { id, subject } of Array.from({ length: repeats }, () => inTurns(builds)).flat()) {
    const { pid, startMs, close } = await launch({ ...subject, ready: subject.requests.list })
    used.push([id, preciseProcessorTime(pid)])
    ready.push([id, startMs * 1000])
    await close()
  }
  return { 'processor time': meansByBuild(used), 'time to ready': meansByBuild(ready) }
}
