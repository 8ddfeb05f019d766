/** POST to a collection adds a record: `POST /books` */

import { does, example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'collection-post',
  says: 'effect',
  from: 'habit',
  methods: ['POST'],
  providers: 345,
  right: { backed: 0.96, high: 0.91, medium: 0.43, low: 0.6 },
  find({ resource, verb, list, words, shownCollection }) {
    if (!resource) return undefined
    if (verb === 'compute' && !resource.item) return example('its name says that it computes')
    const isOne = shownCollection !== undefined && shownCollection === resource
    if (list?.hasRecords && (verb === 'read' || verb === 'list') && !isOne && !words.has('create'))
      return does('list', 'low', 'it returns a list, and its name does not say that it creates')
    const sure = verb === 'create' || resource.item ? 'high' : 'medium'
    return does('create', sure, `it adds a record to ${resource.home}`)
  },
}
