/** Names of calculated answers. */

import { singular, wordsOf } from '../../../lexicon/words.js'
import { nameOf } from '../facts/facts.js'
import { lineOf, type PathNode } from '../paths/path-tree.js'
import { example, type RuleInput, type Verdict } from './rule.js'

/** Words for answers that are calculated for each request. */
const computed = new Set(
  (
    'stats statistic statistics report reports analytics usage metrics metric summary summaries count counts health healthcheck ' +
    'ping version history forecast calculate total totals aggregate aggregates aggregated aggregation insights ' +
    'performance availability trend trends timeseries series chart graph diff compare comparison preview estimate quote ' +
    'quotes rates overview dashboard breakdown distribution histogram search export download token tokens captcha time now ' +
    'random convert validate check test nearby weather status heartbeat ready readiness liveness live capabilities ' +
    'autocomplete suggestions suggestion suggest score scores prediction recommendations result results facets distance openapi swagger wsdl'
  ).split(' '),
)

/** Words with this meaning anywhere in a path. */
const measured = new Set(
  'stats statistic statistics analysis analytics metrics metric weather forecast telemetry timeseries'.split(' '),
)

/** Segments that are computing verbs. */
const computing = new Set('verify validate convert calculate calculator predict estimate geocode'.split(' '))

export function lastWord({ node }: Pick<RuleInput, 'node'>): string {
  return wordsOf(nameOf(node)).at(-1) ?? ''
}

/** Whether the last word of a path means a calculated answer. */
export function isComputed(input: Pick<RuleInput, 'node'>): boolean {
  return computed.has(lastWord(input))
}

/** Whether the noun of an RPC operation means a calculated answer. A status can be stored. */
export function isComputedNoun(noun: string): boolean {
  const words = wordsOf(noun)
  const last = words.at(-1) ?? ''
  return (
    (computed.has(last) && last !== 'status' && last !== 'version' && last !== 'result') ||
    words.some((word) => measured.has(word) || singular(word) === 'report')
  )
}

/** Words for lists that are calculated. */
const counted = new Set(
  (
    'totals total count counts aggregate aggregates aggregated summary trend trends timeseries histogram distribution ' +
    'breakdown usage suggest suggestion suggestions facet facets'
  ).split(' '),
)

/** Whether a list is calculated from records of another collection. */
export function isCounted(input: Pick<RuleInput, 'node'>): boolean {
  const { node } = input
  const isBelowCounts = /^(counts|totals|aggregates?)$/.test(node.parent?.step.text ?? '')
  return (counted.has(lastWord(input)) || isBelowCounts) && !isAnswered(node)
}

/** The verdict for an answer that is calculated by its name. @param end of the reason */
export function calculated({ node }: Pick<RuleInput, 'node'>, end = ''): Verdict {
  const words = lineOf(node).flatMap(({ step }) => wordsOf(step.text ?? ''))
  const said = words.findLast((word) => [computed, measured, computing, counted].some((all) => all.has(word)))
  const reason = said === undefined ? 'its name says that it computes' : `"${said}" is a word for something calculated`
  return example(`${reason}${end}`)
}

/** Whether a name is that of stored descriptions of measures: `metric-definitions` */
function isDefined(name: string): boolean {
  return /^(definitions?|types?|names?|settings?|configs?|configurations?|rules?|alerts?|alarms?|policy|policies|sources?)$/.test(
    wordsOf(name).at(-1) ?? '',
  )
}

/** Whether a path is about measures that nothing writes. */
export function isMeasured({ node }: Pick<RuleInput, 'node'>): boolean {
  const line = lineOf(node)
  const at = line.findIndex(
    ({ step }) =>
      (wordsOf(step.text ?? '').some((word) => measured.has(word)) && !isDefined(step.text ?? '')) ||
      computing.has(step.text ?? ''),
  )
  const top = line[at]
  return top !== undefined && !isWritten(top)
}

/** Whether the path has operations that are not only queries. */
function isAnswered(node: PathNode): boolean {
  const isOnlyPost = node.operations.every(({ method }) => method === 'POST')
  return isOnlyPost ? node.children.some(isWritten) : isWritten(node)
}

function isWritten(node: PathNode): boolean {
  return node.operations.some(({ method }) => method !== 'GET' && method !== 'HEAD') || node.children.some(isWritten)
}
