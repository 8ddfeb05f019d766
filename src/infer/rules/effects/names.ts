/** What the names of operations and paths say. */

import { wordsOf } from '../../../lexicon/words.js'
import type { OperationFacts } from '../../facts/facts.js'
import { lastWord } from './computed.js'

/** Words for what exists once for each caller. */
const once: ReadonlySet<string> = new Set(
  (
    'me self account profile settings setting config configuration preferences preference user whoami current myself ' +
    'subscription plan company organization organisation tenant wallet cart basket quota limits policy branding theme ' +
    'options license billing session'
  ).split(' '),
)

/** Whether a path has the name of something that exists once for each caller: `/me` */
export function isNamedOnce({ node }: Pick<OperationFacts, 'node'>): boolean {
  return once.has(lastWord({ node }))
}

/** The first word of an operationId, without the name of a group. */
export function firstVerb({ value }: OperationFacts['operation']): string {
  const id = typeof value.operationId === 'string' ? value.operationId : ''
  return wordsOf(id.split(/[./_]/).at(-1) ?? '')[0] ?? ''
}
