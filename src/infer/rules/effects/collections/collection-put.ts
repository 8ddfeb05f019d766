/** PUT or PATCH of a collection writes the record whose key is sent, or many: `PUT /books` */

import { findKey } from '../../../facts/find-key.js'
import { does, example, type Rule } from '../../rule.js'
import { isMany } from '../many-records.js'
import { namesOneRecord } from '../one-record.js'
import { onlyCreates } from '../questions.js'

export const rule: Rule = {
  id: 'collection-put',
  says: 'effect',
  from: 'schema',
  methods: ['PUT', 'PATCH'],
  providers: 102,
  right: { medium: 0.67, low: 0.33 },
  find(input) {
    const { document, body, verb, resource } = input
    if (isMany(input) && (verb === 'create' || input.saysUpsert))
      return example('it adds many records', 'medium', 'bulk-create')
    if (isMany(input)) return example('it replaces the records of a whole collection', 'medium', 'bulk-replace')
    if (input.saysUpsert && resource)
      return does('replace', 'medium', 'its name says that it adds or replaces a record')
    if (verb === 'create') return does('create', 'medium', 'its name says that it adds a record')
    if (onlyCreates(input) && !namesOneRecord(input, 'body'))
      return does('create', 'medium', 'it only says that a record was created')
    if (
      body.flat &&
      (namesOneRecord(input, 'body') || (resource?.record && findKey(document, body.flat, undefined, resource.name)))
    )
      return does(input.method === 'PUT' ? 'replace' : 'update', 'medium', 'its body has the key of the record')
    return example('it changes a whole collection', 'low', 'bulk-replace')
  },
}
