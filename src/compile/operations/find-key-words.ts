/**
 * Finds words that callers may send in place of a key: `me`, `last-used`. Eight documents describe `me`, four `current`, three
 * `latest`.
 */
import type { Effect } from '../../contract/effects/effect.js'
import type { KeyWord } from '../../contract/request-model.js'
import type { DescribedOperation } from '../describe-operations.js'

/** Words that stand for a record, and no names of parameters or properties. */
const standing =
  /^[@~]?(?:me|self|myself|default|current|latest|last|primary|root|main|(?:my|last|current|default|primary)[-_]\w+)$/i
/** What descriptions have around such words: `“last-used” can be used to specify the last used budget` */
const quoted = /[`"'“‘]([@~]?[a-z][\w-]{1,20})[`"'”’]/gi
const saysUse =
  /\b(used?|uses|using|specif(?:y|ies)|keyword|special|alias|value|pass|provide|refers? to|authenticated)\b/i

/** @returns the words for each parameter of the path that is the key of a record. Undefined if there are none */
export function findKeyWords({ parameters }: DescribedOperation, effect: Effect): KeyWord[] | undefined {
  const placed = 'place' in effect ? (effect.place?.values ?? []) : []
  const own =
    'parameter' in effect && effect.parameter !== undefined ? [{ ...effect, parameter: effect.parameter }] : []
  const found = [...placed, ...own].flatMap(({ parameter, collection }): KeyWord[] => {
    const described = parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
    const said = String(described?.value.description ?? '')
    const words = [...said.matchAll(quoted)].flatMap(({ 1: word = '', index }) => {
      const around = said.slice(Math.max(0, index - 60), index + 60)
      return standing.test(word) && saysUse.test(around) ? [word] : []
    })
    return words.length > 0 && collection !== undefined ? [{ parameter, words, collection }] : []
  })
  return found.length > 0 ? found : undefined
}
