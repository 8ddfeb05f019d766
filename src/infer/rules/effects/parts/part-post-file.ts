/** A file is uploaded to a record: `POST /books/{id}/cover` */

import { segmentVerb } from '../../../facts/facts.js'
import { type Rule, upload } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-file',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 17,
  right: { high: 0.5, medium: 0.5, low: 0.5 },
  find: ({ body, node, owner }) => (body.isFile && segmentVerb(node)?.kind !== 'compute' && owner ? upload : undefined),
}
