/** What a POST does whose path names many records of the collection before it: `/users/batch` */
import { nameOf } from '../facts/facts.js'
import { wordsOf } from '../paths/words.js'
import { example, type Rule } from './rule.js'

/** Verbs that read. */
const reading = /^(get|read|retrieve|fetch|describe|lookup)$/

export const readsMany: Rule = {
  name: 'POST that reads many records by their keys',
  judge: ({ method, node, list, resources, words }) => {
    const said = [...wordsOf(nameOf(node)), ...words]
    const isBatch = said.some((word) => /^(batch|bulk)$/.test(word)) && said.some((word) => reading.test(word))
    if (method !== 'POST' || !isBatch || !list?.hasRecords) return undefined
    const parent = node.parent && resources.at.get(node.parent)
    const resource = parent?.kind === 'collection' ? parent : undefined
    return { effect: 'list', resource, reason: 'its name says that it reads many records', sure: 'low' }
  },
}

export const changesMany: Rule = {
  name: 'POST of many records behind their collection',
  judge: ({ method, node, body, resources, words }) => {
    const parent = node.parent && resources.at.get(node.parent)
    const ofPath = wordsOf(nameOf(node))
    const isNamed = ofPath.some((word) => /^(batch|bulk|multiple|many)$/.test(word))
    if (method !== 'POST' || parent?.kind !== 'collection' || !isNamed || !(body.isList || body.hasList))
      return undefined
    const says = (...wanted: string[]) => wanted.some((word) => ofPath.includes(word) || words.has(word))
    if (says('delete', 'remove')) return example('it deletes many records at once', 'medium', 'bulk-remove')
    if (says('update', 'replace', 'patch', 'modify'))
      return example('it changes many records at once', 'medium', 'bulk-replace')
    return says('create', 'add', 'insert', 'upsert') || body.isList
      ? example('its body has many records', 'medium', 'bulk-create')
      : undefined
  },
}
