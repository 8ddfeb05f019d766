/** Finds the state that the records of a view have: `/orders/pending`, `Lists the active users` */

import type { ListFilter, ListQuery } from '../../contract/effects/list-query.js'
import type { JsonType } from '../../contract/request-model.js'
import type { OpenApiDocument } from '../../document/document.js'
import { nounOf, singular, wordsOf } from '../../lexicon/words.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from '../facts/candidate.js'
import { nameOf } from '../facts/facts.js'
import { statesOf } from '../preconditions.js'

/** A filter without a parameter, for a list beside that of all records. */
export function findView(
  document: OpenApiDocument,
  { node, resource, operation }: Candidate,
  { record, members }: KnownCollection,
  { filters }: ListQuery,
): ListFilter[] {
  const isOnly = members.every((each) => each.kind !== 'list' || each.node === node)
  if (!resource || isOnly) return []
  const { summary = '', description = '' } = operation.value as { summary?: string; description?: string }
  const noun = nounOf(resource.name)
  const segment = wordsOf(nameOf(node))
  return statesOf(document, { record }).flatMap(({ property, values }): ListFilter[] => {
    if (filters.some(({ properties }) => properties.includes(property))) return []
    const named = [...values.keys()].filter((state) => {
      const words = wordsOf(state)
      if (segment.join(' ') === words.join(' ')) return true
      return [segment, wordsOf(summary), wordsOf(description)].some((said) => isBefore(said, words, noun))
    })
    const [state, ...others] = named
    const value = state === undefined || others.length > 0 ? undefined : values.get(state)
    const types: JsonType[] = [typeof value === 'boolean' ? 'boolean' : 'string']
    return value === undefined ? [] : [{ in: 'path', name: '', properties: [property], compare: 'is', types, default: value }]
  })
}

/** Whether the words of a state are before a noun, with at most two words between them: `active fee structures` */
function isBefore(said: readonly string[], state: readonly string[], noun: string): boolean {
  return said.some((_, at) => {
    const after = at + state.length
    const isState = state.every((word, index) => said[at + index] === word)
    return isState && said.slice(after, after + 3).some((word) => singular(word) === noun)
  })
}
