/** Finds the property of a record that counts what belongs to it: `comment_count` for `comments`. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isCounting, mayCount } from '../../lexicon/numbers.js'
import { isPlural, sameName, singular, stemOf, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'

/**
 * @param counted the name of a list, or of a path
 * @returns the properties that lead to the number. Undefined if there is none
 * @example // `{num_subtasks: 0}` for `subtasks`: ['num_subtasks']; `{file_counts: {total: 0}}` for `files`: ['file_counts', 'total']
 */
export function findCount(document: OpenApiDocument, record: Located<Schema>, counted: string): string[] | undefined {
  const wanted = sameName(counted)
  for (const [name, schema] of flattenSchema(document, record).properties) {
    if (!mayCount(name)) continue
    const words = wordsOf(name)
    const noun = words.filter((word) => !isCounting(word))
    const isCount = noun.length < words.length || isPlural(words.at(-1) ?? '')
    const named = noun.map(singular).join('')
    // Those who are enrolled are counted by enrollments.
    if (!isCount || noun.length === 0 || (named !== wanted && stemOf(named) !== stemOf(wanted))) continue
    const flat = flattenSchema(document, schema)
    if (isNumber(flat)) return [name]
    if (noun.length === words.length || !isObjectSchema(flat)) continue
    const total = flat.properties.get('total')
    if (total && isNumber(flattenSchema(document, total))) return [name, 'total']
  }
  return undefined
}

function isNumber({ types }: FlatSchema): boolean {
  return types.has('integer') || (types.has('number') && !types.has('string'))
}
