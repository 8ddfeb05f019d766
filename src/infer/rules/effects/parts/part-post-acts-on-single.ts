/** A verb is done to what exists once: `POST /account/close` */

import { segmentVerb } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'
import { singletonAbove } from '../record-above.js'

export const rule: Rule = {
  id: 'part-post-acts-on-single',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 30,
  right: { medium: 0, low: 1 },
  find(input) {
    const { node, owner, verb } = input
    const pathVerb = segmentVerb(node)
    const single = singletonAbove(input)
    const isAction = pathVerb?.kind === 'action' || verb === 'action'
    if (single?.node === node.parent && isAction)
      return does('action', 'medium', `its name says what it does to ${single?.home}`, single)
    if (owner || !single || !(isAction || verb === 'update' || verb === 'create')) return undefined
    const effect = verb === 'update' ? 'update' : 'action'
    return does(effect, 'low', `its name says what it does to ${single.home}`, single)
  },
}
