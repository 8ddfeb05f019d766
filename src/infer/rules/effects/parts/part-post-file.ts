/** A file is uploaded to a record: `POST /books/{id}/cover` */

import { segmentVerb } from '../../../facts/facts.js'
import { type Rule, upload } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-file',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 17,
  right: { medium: 1, low: 0 },
  find: ({ body, node, owner }) => (body.isFile && segmentVerb(node)?.kind !== 'compute' && owner ? upload : undefined),
}
