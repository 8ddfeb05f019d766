/** Whether a request names one record. */

import { bareName, nounOf } from '../../../lexicon/words.js'
import type { RuleInput } from '../rule.js'

/** Whether the query or the body contains the key of one record. */
export function namesOneRecord(input: RuleInput, place: 'query' | 'body'): boolean {
  const { operation, body, rpc, resource = rpc?.resource } = input
  const noun = nounOf(resource?.name ?? '')
  const keys = [resource?.key ?? 'id', `${noun}id`, 'id'].map(bareName)
  if (place === 'body') return [...(body.flat?.properties.keys() ?? [])].some((name) => keys.includes(bareName(name)))
  return operation.parameters.some(({ value }) => {
    const bare = bareName(value.name)
    return value.in === 'query' && (keys.includes(bare) || (value.required === true && bare === noun))
  })
}
