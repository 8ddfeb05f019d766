/** Names of calculated answers. */

import * as lexicon from '../../../lexicon/computed.js'
import { wordsOf } from '../../../lexicon/words.js'
import { nameOf } from '../../facts/facts.js'
import { lineOf, type PathNode } from '../../paths/path-tree.js'
import { example, type RuleInput, type Verdict } from '../rule.js'

export function lastWord({ node }: Pick<RuleInput, 'node'>): string {
  return wordsOf(nameOf(node)).at(-1) ?? ''
}

/** Whether the last word of a path means a calculated answer. */
export function isComputed(input: Pick<RuleInput, 'node'>): boolean {
  return lexicon.isComputed(lastWord(input))
}

/** Whether a list is calculated from records of another collection. */
export function isCounted(input: Pick<RuleInput, 'node'>): boolean {
  const { node } = input
  const isBelowCounts = lexicon.isOfCounts(node.parent?.step.text ?? '')
  return (lexicon.isCounted(lastWord(input)) || isBelowCounts) && !isAnswered(node)
}

/** The verdict for an answer that is calculated by its name. @param end of the reason */
export function calculated({ node }: Pick<RuleInput, 'node'>, end = ''): Verdict {
  const words = lineOf(node).flatMap(({ step }) => wordsOf(step.text ?? ''))
  const said = words.findLast(lexicon.isOfCalculation)
  const reason = said === undefined ? 'its name says that it computes' : `"${said}" is a word for something calculated`
  return example(`${reason}${end}`)
}

/** Whether a path is about measures that nothing writes. */
export function isMeasured({ node }: Pick<RuleInput, 'node'>): boolean {
  const line = lineOf(node)
  const top = line.find(({ step }) => lexicon.isMeasured(step.text ?? ''))
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
