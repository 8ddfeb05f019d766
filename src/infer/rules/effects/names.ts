/** What the names of operations and paths say. */

import { isOnce } from '../../../lexicon/kinds.js'
import { wordsOf } from '../../../lexicon/words.js'
import type { OperationFacts } from '../../facts/facts.js'
import { lastWord } from './computed.js'

/** Whether a path has the name of something that exists once for each caller: `/me` */
export function isNamedOnce({ node }: Pick<OperationFacts, 'node'>): boolean {
  return isOnce(lastWord({ node }))
}

/** The first word of an operationId, without the name of a group. */
export function firstVerb({ value }: OperationFacts['operation']): string {
  const id = typeof value.operationId === 'string' ? value.operationId : ''
  return wordsOf(id.split(/[./_]/).at(-1) ?? '')[0] ?? ''
}
