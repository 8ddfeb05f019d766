/** A verb that reads, after the name of a collection or a record: `POST /book/get` */

import { allMethods, type Rule } from '../../rule.js'
import { named } from '../rpc-verb.js'

export const rule: Rule = {
  id: 'rpc-read',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 61,
  right: { backed: 1, high: 0.7, low: 0.5 },
  find(input) {
    const { rpc, success, answersObject, list } = input
    if (rpc?.kind !== 'read') return undefined
    const { resource } = rpc
    if (success?.flat && !answersObject && !list) return undefined
    return named('read', resource, 'reads a record of')
  },
}
