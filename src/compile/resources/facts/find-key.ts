/** Finds the property of a record whose value is in the parameter of its path. */

import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import {
  isId,
  isKeyList,
  isNotId,
  isOfAnswer,
  isText,
  mayIdentifyOwn,
  synonymsOf,
  unusualKeys,
  usualKeys,
} from '../../../lexicon/keys.js'
import { saysName } from '../../../lexicon/texts.js'
import { bareName, nounsOf, singular, wordsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'

export interface FoundKey {
  property: string
  /** Why, as a clause. */
  why: string
  isCertain: boolean
}

/** Whether a schema may be that of a key: a text or number without an enum. */
function mayBeKey(schema: FlatSchema): boolean {
  return isTextOrNumber(schema) && schema.keywords.enum === undefined && !('const' in schema.keywords)
}

function isTextOrNumber({ types, properties, items }: FlatSchema): boolean {
  const isOther = types.size > 0 && !['string', 'integer', 'number'].some((type) => types.has(type as 'string'))
  return !isOther && properties.size === 0 && items === undefined
}

/**
 * @param parameter the name of the path parameter
 * @param name the name of the collection: `insurance-policies`
 * @param said the description of the parameter
 * @param given the schema of the parameter: a text is not the key that a number selects, if there is another one
 */
export function findKey(
  document: OpenApiDocument,
  record: FlatSchema,
  parameter: string | undefined,
  name: string,
  said?: string,
  given?: Located<Schema>,
): FoundKey | undefined {
  const found = findNamed(document, record.properties, parameter, name, said)
  const isNumber = (schema: Located<Schema> | undefined) => {
    const types = schema && flattenSchema(document, schema).types
    return types !== undefined && !types.has('string') && (types.has('integer') || types.has('number'))
  }
  const isSame = bareName(found?.property ?? '') === bareName(parameter ?? '')
  if (!found || isSame || !isNumber(given) || isNumber(record.properties.get(found.property))) return found
  const numbers = new Map([...record.properties].filter(([, schema]) => isNumber(schema)))
  const numbered = findNamed(document, numbers, parameter, name, said)
  return numbered?.isCertain ? numbered : found
}

function findNamed(
  document: OpenApiDocument,
  properties: FlatSchema['properties'],
  parameter: string | undefined,
  name: string,
  said = '',
): FoundKey | undefined {
  const names = [...properties]
    .filter(([name, schema]) => {
      const flat = flattenSchema(document, schema)
      return name === parameter ? isTextOrNumber(flat) : !isOfAnswer(name) && mayBeKey(flat)
    })
    .map(([name]) => name)
  const named = (wanted: string) => names.find((name) => bareName(name) === wanted)
  const firstNamed = (wanted: readonly string[]) => wanted.map(named).find((name) => name !== undefined)
  const nouns = nounsOf(name)
  const noun = nouns.at(-1) ?? ''
  const words = wordsOf(parameter ?? '').filter((word) => word !== 'or')
  // A parameter with several keys has one for each record: `orderIds`
  if (isKeyList(words.at(-1) ?? '')) words.push(singular(words.pop() ?? ''))
  const bare = words.join('')
  // The first of two names is that of the key: `{templateIdOrAlias}`
  const either = wordsOf(parameter ?? '').indexOf('or')
  const first =
    either > 0
      ? wordsOf(parameter ?? '')
          .slice(0, either)
          .join('_')
      : undefined
  const chosen = first === undefined ? undefined : findNamed(document, properties, first, name, said)
  if (chosen?.isCertain) return chosen
  if (parameter !== undefined) {
    // The text of a comment is not a key, so `{comment}` holds its id.
    const id = nouns.includes(bare) && isText(bare) ? firstNamed(['id', 'uuid']) : undefined
    const own = id ?? (names.includes(parameter) ? parameter : named(bare))
    if (own !== undefined) return { property: own, why: `it has the name of {${parameter}}`, isCertain: true }
    const same = firstNamed(synonymsOf(bare))
    if (same !== undefined) return { property: same, why: `it is another name of {${parameter}}`, isCertain: true }
    // `id` for `bookId`, `name` for `user_name`: the first words are those of the collection.
    const last = words.at(-1) ?? ''
    if (words.length > 1) {
      const ends = words.slice(1).map((_, index) => words.slice(index + 1).join(''))
      const short = firstNamed(ends) ?? (last === 'id' ? firstNamed(['uuid', 'guid']) : undefined)
      if (short !== undefined) return { property: short, why: `{${parameter}} ends with its name`, isCertain: true }
    }
    if (words.length === 1 && saysName(said)) {
      const ownName = firstNamed(['name', `${bare}name`])
      if (ownName !== undefined)
        return { property: ownName, why: `{${parameter}} is described as a name`, isCertain: true }
    }
    // A parameter `book` holds the key of the book.
    const ofNoun = firstNamed([
      `${singular(bare)}id`,
      `${bare}id`,
      ...nouns.map((each) => `${each}id`),
      `${bare}name`,
      ...['uuid', 'guid', 'key', 'sid', 'arn'].map((end) => noun + end),
      ...['uuid', 'key', 'code'].map((end) => bare + end),
    ])
    if (ofNoun !== undefined)
      return { property: ofNoun, why: `it is the key of {${parameter}} by its name`, isCertain: words.length === 1 }
    const lastNoun = firstNamed(nouns.map((each) => each + last))
    if (lastNoun !== undefined) return { property: lastNoun, why: `it is the ${last} of the record`, isCertain: true }
  }
  const isOfId = isId(words.at(-1) ?? '')
  const ends = names.filter(
    (name) => words.length > 1 && wordsOf(name).length > 1 && wordsOf(name).at(-1) === words.at(-1),
  )
  const usual = [
    ...(ends.length === 1 && words.at(-1) !== 'id' && words.at(-1) !== 'name' ? ends.map(bareName) : []),
    // An id is not a name.
    ...usualKeys().filter((each) => !isOfId || (each !== 'name' && each !== 'arn')),
    ...nouns.map((each) => `${each}id`),
    // `versionId` may select by the `version`.
    ...(isOfId || words.at(-1) === 'number' ? nouns : []),
    ...['name', 'key', 'code'].map((end) => noun + end).filter((each) => !isOfId || !each.endsWith('name')),
  ]
  const found = firstNamed(usual)
  if (found !== undefined)
    return {
      property: found,
      why: `"${found}" is a usual name of keys`,
      isCertain: parameter === undefined || /^id$/i.test(found),
    }
  const longer = names.filter((name) => noun !== '' && bareName(name).endsWith(`${noun}id`))
  if (longer.length === 1 && longer[0] !== undefined)
    return { property: longer[0], why: 'its name ends like the key of the record', isCertain: false }
  // If there are several, the others are keys of other records.
  const endings = names.filter((name) => mayIdentifyOwn(name))
  const wantedEnd = words.length > 1 && isNotId(words.at(-1) ?? '')
  const possible = endings.filter((name) => (!isOfId || isId(wordsOf(name).at(-1) ?? '')) && !wantedEnd)
  const last = (possible.length === 1 ? possible[0] : undefined) ?? (isOfId ? undefined : firstNamed(unusualKeys()))
  return last === undefined ? undefined : { property: last, why: `its name looks like that of a key`, isCertain: false }
}
