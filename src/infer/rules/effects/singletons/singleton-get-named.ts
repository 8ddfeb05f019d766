/** A GET with the name of something that exists once for a caller reads it: `GET /me` */

import { isOnce } from '../../../../lexicon/kinds.js'
import { does, type Rule } from '../../rule.js'
import { lastWord } from '../computed.js'

export const rule: Rule = {
  id: 'singleton-get-named',
  says: 'effect',
  from: 'name',
  methods: ['GET'],
  providers: 93,
  right: { medium: 0.9, low: 1 },
  find: (input) =>
    isOnce(lastWord(input)) ? does('read', 'medium', 'its name is that of something that exists once') : undefined,
}
