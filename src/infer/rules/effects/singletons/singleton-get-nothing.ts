/** A GET that returns nothing that is known to be kept returns an example: `GET /welcome` */

import { example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'singleton-get-nothing',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 216,
  right: { medium: 0.59 },
  find({ answersObject, resource, verb }) {
    if (!answersObject || resource?.kind !== 'singleton') return example('it returns nothing that is known to be kept')
    return verb === 'action' ? example('its name says that it does something') : undefined
  },
}
