/** Whether a request names one record. */

import { isKeyOf } from '../../../lexicon/record-names.js'
import { bareName, nounOf } from '../../../lexicon/words.js'
import type { RuleInput } from '../rule.js'

/** Whether the query or the body contains the key of one record. */
export function namesOneRecord(input: RuleInput, place: 'query' | 'body'): boolean {
  const { operation, body, rpc, resource = rpc?.resource } = input
  const { name = '', key } = resource ?? {}
  if (place === 'body') return [...(body.flat?.properties.keys() ?? [])].some((each) => isKeyOf(each, name, key))
  return operation.parameters.some(
    ({ value }) =>
      value.in === 'query' &&
      (isKeyOf(value.name, name, key) || (value.required === true && bareName(value.name) === nounOf(name))),
  )
}
