/** A POST whose name says that it changes the record whose key is sent: `POST /books` with `updateBook` */

import { does, type Rule } from '../../rule.js'
import { namesOneRecord } from '../one-record.js'

export const rule: Rule = {
  id: 'collection-post-changes',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 5,
  find(input) {
    if (input.success?.status === 201 || input.verb !== 'update' || !namesOneRecord(input, 'body')) return undefined
    return does('update', 'medium', 'its name says that it changes the record whose key is in the body')
  },
}
