/** A POST that answers with the record of a collection elsewhere adds one there: `POST /register` */

import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-answers-record',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 7,
  find: ({ shownCollection: shown, verb, success, body }) =>
    shown && (verb === 'create' || success?.status === 201 || body.isFile)
      ? does('create', 'low', `it answers a new record of ${shown.home}`, shown)
      : undefined,
}
