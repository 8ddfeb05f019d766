/** A GET that answers with a file or a text returns an example: `GET /books/{id}/cover` */

import { example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-get-file',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 69,
  right: { medium: 1 },
  find: ({ answersFile }) => (answersFile ? example('it returns a file or a text') : undefined),
}
