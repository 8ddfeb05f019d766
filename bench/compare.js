/**
 * Compares the processor time of this build with that of another checkout, in pairs: before and after, then after and
 * before. Each pair uses new processes, because processes with the same code differ by up to a tenth.
 */
import { toBuilds } from './compare/builds.js'
import { compareHandle } from './compare/handle.js'
import { toReport } from './compare/report.js'
import { compareRequests } from './compare/requests.js'
import { compareStart } from './compare/start.js'
import { writeResult } from './results.js'

const measures = { requests: compareRequests, handle: compareHandle, start: compareStart }

export default async function benchCompare({ against, pairs = 20, rows, parts, minutes, connections, say }) {
  const builds = toBuilds(against)
  const options = { pairs, rows, parts, minutes, connections }
  const measured = {}
  const start = performance.now()
  const minutesSoFar = () => (performance.now() - start) / 60_000
  for (let pair = 0; pair < pairs && minutesSoFar() < (minutes ?? Number.POSITIVE_INFINITY); pair++) {
    for (const part of parts) {
      const times = await measures[part](pair % 2 === 0 ? builds : builds.toReversed(), { rows, connections })
      for (const [row, time] of Object.entries(times)) {
        const name = `${part}: ${row}`
        measured[name] ??= []
        measured[name].push(time)
      }
    }
    // An interrupted run keeps its results.
    const report = toReport(measured, options)
    writeResult('compare', report)
    say(`compare: pair ${pair + 1} of ${pairs}, minute ${minutesSoFar().toFixed(1)}; ${report.bars[0].measured} worse`)
  }
  return toReport(measured, options)
}
