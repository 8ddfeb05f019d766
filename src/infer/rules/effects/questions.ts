/** Whether operations ask, and ask the same. */

import { isInput } from '../../../lexicon/parameters.js'
import { bareName } from '../../../lexicon/words.js'
import type { OperationFacts } from '../../facts/facts.js'
import type { RuleInput } from '../rule.js'

/** Whether a caller must give values for a computation. */
export function hasInput({ operation: { template, parameters } }: RuleInput): boolean {
  if (template.query.length > 0) return true
  return parameters.some(({ value }) => value.in === 'query' && value.required === true && isInput(value.name))
}

/** Whether the only success is that something was created. */
export function onlyCreates({ success, operation: { responses } }: RuleInput): boolean {
  return success?.status === 201 && !['200', '202', '204'].some((status) => responses.has(status))
}

/** Whether GET and POST of a path do the same: `searchGet` and `searchPost` */
export function isTwin(one: OperationFacts, other: OperationFacts): boolean {
  const stem = ({ operation: { value } }: OperationFacts) =>
    bareName(String(value.operationId ?? '')).replace(/^(get|post)|(using)?(get|post)$/g, '')
  const summary = ({ operation: { value } }: OperationFacts) => String(value.summary ?? '')
  return (stem(one) !== '' && stem(one) === stem(other)) || (summary(one) !== '' && summary(one) === summary(other))
}

/** Whether GET takes the same values in its query as POST in its body, and both return the same. */
export function asksTheSame(get: OperationFacts, post: OperationFacts): boolean {
  const answered = ({ success }: OperationFacts) => [...(success?.flat?.properties.keys() ?? [])].sort().join()
  if (answered(get) === '' || answered(get) !== answered(post)) return false
  const asked = get.operation.parameters.flatMap(({ value }) => (value.in === 'query' ? bareName(value.name) : []))
  const sent = [...(post.body.flat?.properties.keys() ?? [])].map(bareName)
  const shared = sent.filter((name) => asked.includes(name)).length
  return shared > 1 && 2 * shared >= sent.length
}
