/** A GET that requires values in its query computes from them: `GET /station?near=x` */

import { example, type Rule } from '../../rule.js'
import { hasInput } from '../questions.js'

export const rule: Rule = {
  id: 'singleton-get-asked',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 57,
  right: { medium: 0.88 },
  find(input) {
    if (hasInput(input)) return example('the answer depends on query parameters that are required')
    return /^(api|v\d)/.test(input.node.step.text ?? '') ? example('it describes the service') : undefined
  },
}
