/** Says where the made values of a record come from. */

import type { ResourceFact } from '../behaviour/explain.js'
import type { Source } from '../behaviour/line.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { toJson } from '../json/exact-json.js'
import { ownerWords, spaced } from '../lexicon/words.js'
import { flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import { type ChosenText, chooseText, type KnownTexts } from '../values/choose-text.js'
import { usualNumber } from '../values/numbers-by-name.js'
import { examplesOf } from '../values/value-looks.js'

/**
 * Explains the values of the properties of a record, as `compile-plans.ts` chooses them.
 * @param collection the name of the collection
 * @example explainValues(document, schema, 'books') // [{ fact: 'value', about: 'title', evidence: 'name', why: 'its name says what it is' }]
 */
export function explainValues(document: OpenApiDocument, record: Located<Schema>, collection: string): ResourceFact[] {
  const known: KnownTexts = new Map()
  return [...flattenSchema(document, record).properties].map(([name, schema]): ResourceFact => {
    const [evidence, why] = sourceOf(name, schema)
    return { fact: 'value', about: name, evidence, why }
  })

  function sourceOf(name: string, schema: Located<Schema>): readonly [Source, string] {
    const flat = flattenSchema(document, schema)
    const { keywords, types } = flat
    const { enum: allowed, pattern, format, description } = keywords
    const examples = examplesOf(keywords).filter((each) => each !== undefined && each !== null)
    const [example] = examples
    if ('x-sandbox-hint' in keywords) return ['extension', 'x-sandbox-hint says so']
    if (allowed || 'const' in keywords) return ['schema', 'only some values are allowed']
    if (isObjectSchema(flat) || types.has('array') || types.has('boolean')) return ['schema', 'its parts are made']
    if (types.has('integer') || types.has('number')) {
      if (example !== undefined) return ['example', `numbers near ${String(example)}`]
      const { usual, time, isGuess } = usualNumber({
        ...{ words: spaced(name), example: undefined, isInteger: true, records: 1 },
        description: String(description ?? ''),
      })
      if (time) return ['name', 'it is a time']
      return usual ? ['name', `usual numbers: ${usual.join(' to ')}`] : ['schema', isGuess ? guess : 'its bounds']
    }
    const texts = examples.filter((each) => typeof each === 'string')
    const wanted = { words: spaced(name), owner: ownerWords(collection), format, examples: texts, known }
    const chosen = chooseText({ ...wanted, description: String(description ?? '') })
    if (pattern !== undefined && chosen.by !== 'example') return ['schema', 'its pattern']
    return reasons[chosen.isGuess ? 'guess' : (chosen.by ?? 'guess')](chosen, format)
  }
}

const guess = 'nothing says what it is, so records only have it where they must'

const reasons: Record<
  NonNullable<ChosenText['by']> | 'guess',
  (chosen: ChosenText, format: string | undefined) => readonly [Source, string]
> = {
  example: ({ examples = [] }) => ['example', `texts like ${toJson(examples[0])}`],
  schema: (_, format) => ['schema', `its format is ${format}`],
  description: () => ['description', 'its description says what it is'],
  name: () => ['name', 'its name says what it is'],
  guess: () => ['schema', guess],
}
