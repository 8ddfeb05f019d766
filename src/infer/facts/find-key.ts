/** Finds the property of a record whose value is in the parameter of its path. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import {
  calledAfterNoun,
  isId,
  isKeyList,
  isNotId,
  isOfAnswer,
  isText,
  keysOfNoun,
  keysOfParameter,
  mayIdentifyOwn,
  synonymsOf,
  unusualKeys,
  usualKeys,
} from '../../lexicon/keys.js'
import { saysName } from '../../lexicon/texts.js'
import { bareName, nounsOf, singular, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'

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
  if (numbered?.isCertain) return numbered
  // A number selects no slug: only paths have such a key.
  return found.isCertain || isId(wordsOf(found.property).at(-1) ?? '') ? found : undefined
}

/** What is compared to find the key: the parameter and the properties that may be one. */
interface Wanted {
  parameter: string | undefined
  /** Its words, in the singular. */
  words: readonly string[]
  /** The names of the record, longest first. */
  nouns: readonly string[]
  /** Names of properties. */
  names: readonly string[]
  /** The first property with one of some names without separators. */
  firstNamed(wanted: readonly string[]): string | undefined
}

function findNamed(
  document: OpenApiDocument,
  properties: FlatSchema['properties'],
  parameter: string | undefined,
  name: string,
  said = '',
): FoundKey | undefined {
  const flats = new Map([...properties].map(([each, schema]) => [each, flattenSchema(document, schema)]))
  // Where others have types, one without is any value, and no key.
  const isTyped = [...flats.values()].some(({ types }) => types.size > 0)
  const isPossible = ([each, flat]: [string, FlatSchema]) =>
    each === parameter ? isTextOrNumber(flat) : !isOfAnswer(each) && mayBeKey(flat) && (!isTyped || flat.types.size > 0)
  const names = [...flats].filter(isPossible).map(([each]) => each)
  const firstNamed = (wanted: readonly string[]) =>
    wanted.flatMap((each) => names.find((property) => bareName(property) === each) ?? [])[0]
  const all = wordsOf(parameter ?? '')
  // Of two names, an id is the key, which no change renames, else the first: `{templateIdOrAlias}`, `{name_or_uuid}`
  const either = all.indexOf('or')
  const parts = either > 0 ? [all.slice(0, either), all.slice(either + 1)] : []
  const named = parts
    .flatMap((words) => findNamed(document, properties, words.join('_'), name, said) ?? [])
    .filter(({ isCertain }) => isCertain)
  const [first] = named.toSorted((a, b) => Number(isId(b.property)) - Number(isId(a.property)))
  if (first) return first
  const words = all.filter((word) => word !== 'or')
  // A parameter with several keys has one for each record: `orderIds`
  if (isKeyList(words.at(-1) ?? '')) words.push(singular(words.pop() ?? ''))
  const wanted: Wanted = { parameter, words, names, nouns: nounsOf(name), firstNamed }
  return (parameter === undefined ? undefined : byParameter(wanted, parameter, said)) ?? byUse(wanted) ?? byEnd(wanted)
}

/** The property that the name of the parameter means. */
function byParameter(wanted: Wanted, parameter: string, said: string): FoundKey | undefined {
  const { words, nouns, names, firstNamed } = wanted
  const [bare, last] = [words.join(''), words.at(-1) ?? '']
  const noun = nouns.at(-1) ?? ''
  // The text of a comment is not a key, so `{comment}` holds its id.
  const id = nouns.includes(bare) && isText(bare) ? firstNamed(['id', 'uuid']) : undefined
  const own = id ?? (names.includes(parameter) ? parameter : firstNamed([bare]))
  if (own !== undefined) return { property: own, why: `it has the name of {${parameter}}`, isCertain: true }
  const same = firstNamed(synonymsOf(bare))
  if (same !== undefined) return { property: same, why: `it is another name of {${parameter}}`, isCertain: true }
  // `id` for `bookId`, `name` for `user_name`: the first words are those of the collection.
  const ends = words.slice(1).map((_, index) => words.slice(index + 1).join(''))
  const short = firstNamed([...ends, ...(words.length > 1 && last === 'id' ? ['uuid', 'guid'] : [])])
  if (short !== undefined) return { property: short, why: `{${parameter}} ends with its name`, isCertain: true }
  const called = words.length === 1 && saysName(said) ? firstNamed(['name', `${bare}name`]) : undefined
  if (called !== undefined) return { property: called, why: `{${parameter}} is described as a name`, isCertain: true }
  // A parameter `book` holds the key of the book.
  const ofNoun = firstNamed([
    ...[`${singular(bare)}id`, `${bare}id`, ...nouns.map((each) => `${each}id`), `${bare}name`],
    ...keysOfNoun(noun),
    ...keysOfParameter(bare),
  ])
  if (ofNoun !== undefined)
    return { property: ofNoun, why: `it is the key of {${parameter}} by its name`, isCertain: words.length === 1 }
  const lastNoun = firstNamed(nouns.map((each) => each + last))
  return lastNoun === undefined
    ? undefined
    : { property: lastNoun, why: `it is the ${last} of the record`, isCertain: true }
}

/** A property with a usual name of keys. */
function byUse({ parameter, words, nouns, names, firstNamed }: Wanted): FoundKey | undefined {
  const last = words.at(-1) ?? ''
  const isOfId = isId(last)
  const isSameEnd = (each: string) => wordsOf(each).length > 1 && wordsOf(each).at(-1) === last
  const ends = words.length > 1 && last !== 'id' && last !== 'name' ? names.filter(isSameEnd) : []
  const found = firstNamed([
    ...(ends.length === 1 ? ends.map(bareName) : []),
    // An id is not a name.
    ...usualKeys().filter((each) => !isOfId || (each !== 'name' && each !== 'arn')),
    ...nouns.map((each) => `${each}id`),
    // `versionId` may select by the `version`.
    ...(isOfId || last === 'number' ? nouns : []),
    ...calledAfterNoun(nouns.at(-1) ?? '').filter((each) => !isOfId || !each.endsWith('name')),
  ])
  if (found === undefined) return undefined
  const isCertain = parameter === undefined || found.toLowerCase() === 'id'
  return { property: found, why: `"${found}" is a usual name of keys`, isCertain }
}

/** The only property whose name ends like that of a key. */
function byEnd({ words, nouns, names, firstNamed }: Wanted): FoundKey | undefined {
  const noun = nouns.at(-1) ?? ''
  const last = words.at(-1) ?? ''
  const isOfId = isId(last)
  const [only, ...more] = names.filter((each) => noun !== '' && bareName(each).endsWith(`${noun}id`))
  if (only !== undefined && more.length === 0)
    return { property: only, why: 'its name ends like the key of the record', isCertain: false }
  // If there are several, the others are keys of other records.
  const wantsOther = words.length > 1 && isNotId(last)
  const isEnd = (each: string) => mayIdentifyOwn(each) && (!isOfId || isId(wordsOf(each).at(-1) ?? ''))
  const [possible, ...others] = wantsOther ? [] : names.filter(isEnd)
  const found =
    others.length === 0 && possible !== undefined ? possible : isOfId ? undefined : firstNamed(unusualKeys())
  return found === undefined
    ? undefined
    : { property: found, why: 'its name looks like that of a key', isCertain: false }
}
