/** Makes texts of records from their other values. Drops out with `relations.ts`. */
import type { CollectionModel, MadeValue } from '../../contract/contract.js'
import { valueAt, withNested } from '../../json/nested.js'
import type { Values } from '../../state/stored-record.js'

/** @param before the values before a change: a text that was made from them is made again */
export function withMade({ made = [] }: CollectionModel, values: Values, before: Values | undefined): Values {
  return made.reduce((all, each) => {
    const [own, text] = [valueAt(all, each.pointer), make(each, all)]
    const isOwn = before !== undefined && own !== undefined && own !== make(each, before)
    return text === undefined || text === own || isOwn ? all : withNested(all, each.pointer, text)
  }, values)
}

function make({ parts }: MadeValue, values: Values): string | undefined {
  const made = parts.map((part) => (typeof part === 'string' ? part : valueAt(values, part)))
  return made.every((part) => typeof part === 'string' || typeof part === 'number') ? made.join('') : undefined
}
