/** Names of answers that are calculated anew each time, and of what exists once. */
import { nameOf } from '../facts/facts.js'
import { lineOf, type PathNode } from '../paths/path-tree.js'
import { singular, wordsOf } from '../paths/words.js'
import type { RuleInput } from './rule.js'

/** Words of what is calculated anew for each answer. */
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

/** Words that say the same wherever they stand in a path. */
const measured = new Set(
  'stats statistic statistics analysis analytics metrics metric weather forecast telemetry timeseries'.split(' '),
)

/** Segments whose name is a verb that computes. */
const computing = new Set('verify validate convert calculate calculator predict estimate geocode'.split(' '))

export function lastWord({ node }: Pick<RuleInput, 'node'>): string {
  return wordsOf(nameOf(node)).at(-1) ?? ''
}

/** Whether the last word of a path says that the answer is calculated. */
export function isComputed(input: Pick<RuleInput, 'node'>): boolean {
  return computed.has(lastWord(input))
}

/** Whether the noun of an RPC operation says that the answer is calculated, though a status can be kept. */
export function isComputedNoun(noun: string): boolean {
  const words = wordsOf(noun)
  const last = words.at(-1) ?? ''
  return (
    (computed.has(last) && last !== 'status' && last !== 'version' && last !== 'result') ||
    words.some((word) => measured.has(word) || singular(word) === 'report')
  )
}

/** Words that say of a list too that it is calculated. */
const counted = new Set(
  (
    'totals total count counts aggregate aggregates aggregated summary trend trends timeseries histogram distribution ' +
    'breakdown usage suggest suggestion suggestions facet facets'
  ).split(' '),
)

/** Whether a list is calculated from records that are kept elsewhere. */
export function isCounted(input: Pick<RuleInput, 'node'>): boolean {
  const { node } = input
  const isBelowCounts = /^(counts|totals|aggregates?)$/.test(node.parent?.step.text ?? '')
  return (counted.has(lastWord(input)) || isBelowCounts) && !isAnswered(node)
}

/** Whether a name is of what describes measures, which is kept: `metric-definitions` */
function isDefined(name: string): boolean {
  return /^(definitions?|types?|names?|settings?|configs?|configurations?|rules?|alerts?|alarms?|policy|policies|sources?)$/.test(
    wordsOf(name).at(-1) ?? '',
  )
}

/** Whether a path is about measures, and nothing writes them. */
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

/** Whether something else than a question is asked of a path. */
function isAnswered(node: PathNode): boolean {
  const isOnlyPost = node.operations.every(({ method }) => method === 'POST')
  return isOnlyPost ? node.children.some(isWritten) : isWritten(node)
}

function isWritten(node: PathNode): boolean {
  return node.operations.some(({ method }) => method !== 'GET' && method !== 'HEAD') || node.children.some(isWritten)
}
