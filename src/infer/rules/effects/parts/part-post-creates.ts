/** A POST after a collection that answers with the key of its records adds one: `POST /books/manual` */

import { isOfUser, isPassword } from '../../../../lexicon/keys.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { nameOf, segmentVerb } from '../../../facts/facts.js'
import type { PathNode } from '../../../paths/path-tree.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-creates',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 22,
  right: { low: 0.53 },
  find(input) {
    const { node, above, success, answersKey, verb, operation, owner, body } = input
    if (above?.kind !== 'collection' || above === owner) return undefined
    if (!success?.flat || !answersKey(above) || verb === 'action' || verb === 'list') return undefined
    const said = saidByPath(node)
    if (said !== undefined) return does(said, 'low', `its name says what it does to a record of ${above.home}`, above)
    const sent = [...(body.flat?.properties.keys() ?? [])]
    // Who sends a name and a password logs in.
    if (sent.some(isPassword) && sent.some(isOfUser)) return undefined
    const asksKey = operation.parameters.some(({ value }) => value.in === 'query' && value.required)
    return asksKey ? undefined : does('create', 'low', `it answers with a record of ${above.home}`, above)
  },
}

/** The effect of an RPC operation after a collection on one of its records, by its name. */
function saidByPath(node: PathNode): 'update' | 'action' | undefined {
  const verb = segmentVerb(node)
  if (!verb || !(verb.isCertain || wordsOf(nameOf(node)).length > 1)) return undefined
  if (verb.kind === 'update' || verb.kind === 'replace') return 'update'
  return verb.kind === 'action' ? 'action' : undefined
}
