/** GET reads what other methods of the path write: `GET /settings` */

import { does, type Rule, type RuleInput } from '../../rule.js'

export const rule: Rule = {
  id: 'singleton-get-written',
  says: 'effect',
  from: 'habit',
  methods: ['GET'],
  providers: 122,
  right: { high: 0.95, low: 0.5 },
  find(input) {
    const { answersObject, resource, success, list } = input
    const isAnswered = answersObject || list !== undefined || success?.flat === undefined
    return resource?.kind === 'singleton' && isAnswered && isWritten(input)
      ? does('read', 'high', 'it returns a record that exists once, and other methods write it')
      : undefined
  },
}

/** Whether other methods of the path write the value that GET reads. */
function isWritten({ other }: RuleInput): boolean {
  return ['PUT', 'PATCH', 'DELETE', 'POST'].some((method) => {
    const facts = other(method)
    return facts !== undefined && facts.verb !== 'action' && facts.verb !== 'compute'
  })
}
