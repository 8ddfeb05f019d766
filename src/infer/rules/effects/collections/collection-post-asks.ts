/** A POST whose name says that it searches changes nothing: `POST /books` with `searchBooks` */

import { does, example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'collection-post-asks',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 18,
  right: { medium: 1 },
  find({ verb, list, success, words }) {
    if (verb !== 'list' || words.has('create') || words.has('add')) return undefined
    if (list?.hasRecords) return does('list', 'medium', 'its name says that it searches, and it returns a list')
    return success?.status === 201 ? undefined : example('its name says that it only searches')
  },
}
