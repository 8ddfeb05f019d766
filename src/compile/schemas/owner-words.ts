/** The words of names, and of what has a property: they tell how its values look. */
import { singular, wordsOf } from '../../values/words.js'

/** Words at the end of the names of schemas that do not tell what the record is. */
const generic =
  /(^| )(response|request|result|dto|model|schema|object|resource|entity|data|full|summary|base|view|record|read|output|input|body|payload|item|type|representation|info|v?\d+|get|list|public|minimal|simple|detail|wrapper|envelope|attributes?|properties)$/

/** The words of a schema by reference: `customer` for `#/components/schemas/CustomerResponse`. */
export function ownerOfReference(reference: string): string | undefined {
  if (!reference.startsWith('#/components/schemas/')) return undefined
  let words = spaced(reference.slice(reference.lastIndexOf('/') + 1).replace(/^.*\./, ''))
  while (generic.test(words)) words = words.replace(generic, '')
  return words === '' ? undefined : words
}

/** The words of the owner: `album` for `artists/{id}/albums`. */
export function ownerWords(owner: string): string {
  const segment = owner.split('/').findLast((each) => each !== '' && !each.startsWith('{')) ?? ''
  const words = wordsOf(segment.replace(/\.\w+$/, ''))
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join(' ')
}

/** `categoryId` and `category_id` become `category id`. */
export function spaced(name: string): string {
  return wordsOf(name).join(' ')
}
