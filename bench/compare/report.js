/** Reports the pairs so far: as a table, a bar and figures. */
import { holds } from '../bars.js'
import { limit, toRatio } from './ratio.js'

/** Fewer pairs give no reliable verdict. */
export const enoughPairs = 20
const percent = Math.round((limit - 1) * 100)
/** Shown without a verdict, because it varies with other load on the machine. */
const unjudged = ['start: time to ready']

/** @param measured by row: pairs of { before, after } in microseconds */
export function toReport(measured, options) {
  const rows = Object.entries(measured).map(([row, pairs]) => judge(row, pairs))
  const judged = rows.filter(({ row }) => !unjudged.includes(row))
  const worse = judged.filter(({ isWorse }) => isWorse)
  const count = `${worse.length} of ${judged.length}`
  const names = worse.map(({ row }) => row).join('; ')
  return {
    options,
    tables: [
      {
        title: 'Processor time, after / before',
        head: ['', 'before, µs', 'after, µs', 'median ratio', '95 % interval', 'pairs', 'worse?'],
        rows: rows.map(toCells),
      },
    ],
    bars: [holds('rows that are worse than before', names ? `${count}: ${names}` : count, 'none', worse.length === 0)],
    notes: toNotes(rows),
    hasFailed: worse.length > 0,
    data: { rows, measured },
  }
}

function judge(row, pairs) {
  const mean = (id) => pairs.reduce((sum, pair) => sum + pair[id], 0) / pairs.length
  return { row, before: mean('before'), after: mean('after'), ...toRatio(pairs) }
}

function toCells({ row, before, after, median, low, high, count, isWorse, isBetter }) {
  const word = unjudged.includes(row) ? '-' : isWorse ? 'WORSE' : isBetter ? 'better' : 'no'
  const interval = count > 1 ? `${low.toFixed(3)} to ${high.toFixed(3)}` : '-'
  return [row, before.toFixed(2), after.toFixed(2), median.toFixed(3), interval, count, word]
}

function toNotes(rows) {
  const least = Math.min(...rows.map(({ count }) => count))
  return [
    `a row is worse if its whole interval is above ${percent} %; the interval is Student's t for the mean of the log ratios`,
    ...(least < enoughPairs ? [`only ${least} pairs: a verdict requires ${enoughPairs}`] : []),
  ]
}
