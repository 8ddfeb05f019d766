/** A POST that answers with a picture, a sound, a document or an archive computes it: `POST /chart` */

import { example, type Rule } from '../rule.js'

export const rule: Rule = {
  id: 'post-computes-file',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 16,
  right: { medium: 1 },
  find: ({ answersMedia, body }) => (answersMedia && !body.isFile ? example('it computes a file') : undefined),
}
