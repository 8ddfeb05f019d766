/** A POST that says that it adds or replaces a record does both: `POST /books` with `Create or update a book` */

import { does, type Rule } from '../../rule.js'
import { namesOneRecord } from '../one-record.js'

export const rule: Rule = {
  id: 'collection-post-upserts',
  says: 'effect',
  from: 'description',
  methods: ['POST'],
  providers: 15,
  right: { medium: 1 },
  find(input) {
    const { saysUpsert, resource, body } = input
    // Without a body, nothing says which record there is.
    const isKnown = body.exists || namesOneRecord(input, 'query')
    return saysUpsert && !body.isList && resource && isKnown
      ? does('replace', 'medium', 'its name says that it adds or replaces a record')
      : undefined
  },
}
