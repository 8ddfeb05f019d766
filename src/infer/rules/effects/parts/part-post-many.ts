/** A batch with a list adds, changes or removes many records: `POST /books/batch` */

import { saysMany } from '../../../../lexicon/verbs.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { nameOf } from '../../../facts/facts.js'
import { operationAt } from '../../../paths/path-tree.js'
import { example, type Rule } from '../../rule.js'
import { hasKeysOf, isActing } from '../many-records.js'

export const rule: Rule = {
  id: 'part-post-many',
  says: 'effect',
  from: 'name',
  methods: ['POST', 'PUT', 'PATCH'],
  providers: 14,
  right: { medium: 1 },
  find(input) {
    const { node, body, above, words, saysUpsert, method } = input
    const ofPath = wordsOf(`${nameOf(node)} ${node.parent?.step.text}`)
    const isNamed = ofPath.some(saysMany)
    if (above?.kind !== 'collection' || !(body.isList || body.hasList)) return undefined
    if (isActing(node) && hasKeysOf(above, input))
      return example('its name says what it does to many records', 'medium', 'bulk-replace')
    if (!isNamed || method !== 'POST') return undefined
    const says = (...wanted: string[]) => wanted.some((word) => ofPath.includes(word) || words.has(word))
    // `batch/archive` does what the DELETE of one record is called: `Archive a contact`
    const removal = above.item && operationAt(above.item, 'DELETE')
    const called = [removal?.value.summary ?? '', removal?.called ?? ''].map((text) => wordsOf(String(text)))
    const isRemoval = called.some((said) => [said[0], said.at(-1)].includes(wordsOf(nameOf(node))[0]))
    if (isRemoval || says('delete', 'remove'))
      return example('it deletes many records at once', 'medium', 'bulk-remove')
    if (says('update', 'replace', 'patch', 'modify') && !saysUpsert)
      return example('it changes many records at once', 'medium', 'bulk-replace')
    return says('create', 'add', 'insert', 'upsert') || body.isList
      ? example('its body has many records', 'medium', 'bulk-create')
      : undefined
  },
}
