/** Which names say that an answer is calculated, and not kept. */
import { table } from './table.js'
import { singular, wordsOf } from './words.js'

/** Last words for answers that are calculated for each request. */
const computed = table(
  'segment',
  `stats 39, statistics 17, report 19, reports 45, analytics 14, usage 22, metrics 29, metric 2, summary 32,
  summaries 7, count 26, counts 11, health 32, healthcheck 8, ping 26, version 31, history 50, forecast 6,
  calculate 10, total 3, totals 4, aggregate 5, aggregates 5, aggregated 3, aggregation 2, insights 11, performance 7,
  availability 10, trends 4, timeseries 8, series 12, chart 7, graph 4, diff 4, compare 6, comparison 2, preview 16,
  estimate 7, quote 7, quotes 11, rates 4, overview 6, dashboard 8, breakdown 1, distribution 3, histogram 1,
  search 148, export 42, download 40, token 57, tokens 28, time 8, now 3, random 10, convert 11, validate 34,
  check 18, test 29, nearby 2, weather 1, status 104, heartbeat 7, ready 3, readiness 1, liveness 3, live 9,
  capabilities 7, autocomplete 15, suggestions 12, suggest 10, score 2, scores 4, prediction 2, recommendations 13,
  result 11, results 12, facets 7, distance 6, openapi 8, swagger 11`,
)
/** Words with this meaning anywhere in a path. */
const measured = table(
  'segment',
  `stats 39, statistics 17, analysis 5, analytics 14, metrics 29, metric 2, weather 1, forecast 6, telemetry 2,
  timeseries 8`,
)
/** Segments that are computing verbs. */
const computing = table('segment', `verify 29, validate 34, convert 11, calculate 10, predict 5, estimate 7, geocode 3`)
/** Words for lists that are calculated. */
const counted = table(
  'segment',
  `totals 4, total 3, count 26, counts 11, aggregate 5, aggregates 5, aggregated 3, summary 32, trends 4, timeseries 8,
  histogram 1, distribution 3, breakdown 1, usage 22, suggest 10, suggestions 12, facet 1, facets 7`,
)
/** Segments of counts, which have counts below them. */
const counts = new Set(['counts', 'totals', 'aggregate', 'aggregates'])
/** Words of computed answers that may be kept as well. */
const alsoKept = new Set(['status', 'version', 'result'])
/** Last words of stored descriptions of measures: `metric-definitions` */
const definitions = table(
  'word',
  `definition 35, type 455, name 493, setting 17, config 71, configuration 34, rule 43, alert 17, alarm 3, policy 53,
  source 177`,
)

/** Whether the last word of a path means a calculated answer. */
export function isComputed(word: string): boolean {
  return computed.has(word)
}

/** Whether the noun of an RPC operation means a calculated answer. A status can be stored. */
export function isComputedNoun(noun: string): boolean {
  const words = wordsOf(noun)
  const last = words.at(-1) ?? ''
  return (
    ([last, `${last}s`].some(computed.has) && !alsoKept.has(last)) ||
    words.some((word) => [word, `${word}s`].some(measured.has) || singular(word) === 'report')
  )
}

/** Whether a list with a word at its end is calculated. */
export function isCounted(word: string): boolean {
  return counted.has(word)
}

/** Whether the path of counts ends with a segment, so that what is below it is counted, too. */
export function isOfCounts(segment: string): boolean {
  return counts.has(segment)
}

/** Whether a segment is about measures, and not about stored descriptions of them. */
export function isMeasured(segment: string): boolean {
  const words = wordsOf(segment)
  const isDefined = definitions.has(singular(words.at(-1) ?? ''))
  return (!isDefined && words.some((word) => measured.has(word))) || computing.has(segment)
}

/** Whether a word says that something is calculated. */
export function isOfCalculation(word: string): boolean {
  return [computed, measured, computing, counted].some((all) => all.has(word))
}

/** Whether a path has the number of records: `/books/count` */
export const isCount = (segment: string): boolean => /^(count|counts)$/i.test(segment)
/** Whether a path asks the service, not a record: `/health/{host}`, `/search/{term}` */
export const asksService = (word: string): boolean =>
  /^(health|healthcheck|ping|heartbeat|search|lookup|autocomplete|suggest|suggestions)$/.test(word)
