/** A number of records is calculated: `GET /books/count` */

import { isCount } from '../../../../lexicon/computed.js'
import { nameOf } from '../../../facts/facts.js'
import type { Rule } from '../../rule.js'
import { calculated } from '../computed.js'

export const rule: Rule = {
  id: 'part-count',
  says: 'effect',
  from: 'name',
  methods: ['GET', 'POST'],
  providers: 19,
  right: 1,
  find: ({ node, other }) => (isCount(nameOf(node)) && !other('PUT') ? calculated({ node }) : undefined),
}
