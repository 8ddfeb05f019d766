/** Finds the state that the records of a view have: `/orders/pending`, `Lists the active users` */

import type { ListFilter, ListQuery } from '../../contract/effects/list-query.js'
import type { JsonType } from '../../contract/request-model.js'
import type { OpenApiDocument } from '../../document/document.js'
import { nounOf, wordsOf } from '../../lexicon/words.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from '../facts/candidate.js'
import { nameOf } from '../facts/facts.js'
import { saysStateOf, statesOf } from '../preconditions.js'

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
    const named = [...values.keys()].filter(
      (state) =>
        segment.join(' ') === wordsOf(state).join(' ') ||
        [nameOf(node), summary, description].some((said) => saysStateOf(said, state, noun, 2)),
    )
    const [state, ...others] = named
    const value = state === undefined || others.length > 0 ? undefined : values.get(state)
    const types: JsonType[] = [typeof value === 'boolean' ? 'boolean' : 'string']
    return value === undefined
      ? []
      : [{ in: 'path', name: '', properties: [property], compare: 'is', types, default: value }]
  })
}
