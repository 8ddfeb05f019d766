/** PUT replaces what exists once, or does what its name says: `PUT /settings` */

import { segmentVerb } from '../../../facts/facts.js'
import { does, example, type Rule, upload } from '../../rule.js'
import { isBatch } from '../many-records.js'
import { onlyCreates } from '../questions.js'
import { singletonAbove } from '../record-above.js'

export const rule: Rule = {
  id: 'singleton-put',
  says: 'effect',
  from: 'habit',
  methods: ['PUT'],
  providers: 130,
  right: { high: 0.8, medium: 0.86, low: 0.82 },
  find(input) {
    const { node, owner, body, verb, other, resource } = input
    if (isBatch(input)) return example('it changes many records at once', 'medium', 'bulk-replace')
    const { shownCollection: shown } = input
    if (shown?.item && shown !== owner && onlyCreates(input))
      return does('create', 'medium', `it answers a new record of ${shown.home}`, shown)
    const above = singletonAbove(input)
    const isRead = other('GET') !== undefined
    const verbOfPath = segmentVerb(node)
    if (above && (verbOfPath || verb === 'action' || (!isRead && verb !== 'create')))
      return does('action', 'medium', `its name says what it does to ${above.home}`, above)
    if (body.isFile) return upload
    if (!isRead && owner && (verbOfPath || verb === 'action' || !body.exists))
      return does('action', 'medium', `its name says what it does to a record of ${owner.home}`, owner)
    if (!isRead && !owner && verbOfPath?.isCertain)
      return example('its name says that it does something, but not to which record')
    return resource && does('replace', isRead ? 'high' : 'medium', 'it replaces a record that exists once')
  },
}
