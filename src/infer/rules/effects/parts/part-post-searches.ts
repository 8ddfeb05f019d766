/** A POST whose name says that it searches changes nothing: `POST /search` */

import { segmentVerb } from '../../../facts/facts.js'
import { example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-searches',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 41,
  right: { medium: 0.5 },
  find: ({ node, verb }) =>
    (segmentVerb(node)?.kind ?? verb) === 'list'
      ? example('it searches data that the sandbox does not keep')
      : undefined,
}
