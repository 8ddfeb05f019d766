/** Finds the property of a record that the parameter of its path carries. */
import { ownValue } from '../../json/own-value.js'
import type { OpenApiDocument } from '../document.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { bareName, singular, wordsOf } from './words.js'

/** Names of keys, the most usual ones first. */
const keyNames = ['id', 'uuid', 'guid', 'sid', 'gid', 'key', 'code', 'slug', 'number', 'name', 'identifier', 'arn']
/** Names of keys that are more often something else. */
const weakNames = ['handle', 'username', 'login', 'email', 'token', 'href']

export interface FoundKey {
  property: string
  /** Why, as a clause. */
  why: string
  isCertain: boolean
}

/** Other names of what a parameter holds. */
const synonyms: Record<string, string[]> = {
  username: ['login', 'handle', 'userlogin', 'screenname', 'nickname'],
  login: ['username', 'handle'],
  handle: ['username', 'login'],
  user: ['login', 'username'],
}

/** Keys are texts or numbers that are not chosen from a few. */
function mayBeKey({ types, keywords, properties, items }: FlatSchema): boolean {
  const isOther = types.size > 0 && !['string', 'integer', 'number'].some((type) => types.has(type as 'string'))
  return (
    !isOther && properties.size === 0 && items === undefined && keywords.enum === undefined && !('const' in keywords)
  )
}

/** What an answer says about itself: `status_code`, `errorCode` */
const statusLike = /^(http)?(status|error|result|response|return)(code|number|id|name|key|text|message)?$/

/**
 * @param parameter the name of the path parameter
 * @param noun what the collection holds, in the singular
 */
export function findKey(
  document: OpenApiDocument,
  record: FlatSchema,
  parameter: string | undefined,
  noun: string,
): FoundKey | undefined {
  const names = [...record.properties]
    .filter(
      ([name, schema]) =>
        name === parameter || (!statusLike.test(bareName(name)) && mayBeKey(flattenSchema(document, schema))),
    )
    .map(([name]) => name)
  const named = (wanted: string) => names.find((name) => bareName(name) === wanted)
  const words = wordsOf(parameter ?? '').filter((word) => word !== 'or')
  // Of several keys in one parameter each is one of a record: `orderIds`
  if (/^(ids|uuids|guids|identifiers|keys|codes|numbers|names)$/.test(words.at(-1) ?? ''))
    words.push(singular(words.pop() ?? ''))
  const bare = words.join('')
  if (parameter !== undefined) {
    const own = names.includes(parameter) ? parameter : named(bare)
    if (own !== undefined) return { property: own, why: `it has the name of {${parameter}}`, isCertain: true }
    const same = (ownValue(synonyms, bare) ?? []).map(named).find((name) => name !== undefined)
    if (same !== undefined) return { property: same, why: `it is another name of {${parameter}}`, isCertain: true }
    // Of `bookId` it is `id`, of `user_name` it is `name`. The first words are those of the collection.
    const last = words.at(-1) ?? ''
    if (words.length > 1) {
      const short = named(last) ?? (last === 'id' ? (named('uuid') ?? named('guid')) : undefined)
      if (short !== undefined) return { property: short, why: `{${parameter}} ends with its name`, isCertain: true }
    }
    // A parameter `book` is the key of the book.
    const ofNoun = [
      `${singular(bare)}id`,
      `${bare}id`,
      `${bareName(noun)}id`,
      `${bare}name`,
      `${bareName(noun)}uuid`,
      `${bareName(noun)}guid`,
      `${bareName(noun)}key`,
      `${bareName(noun)}sid`,
      `${bareName(noun)}arn`,
      `${bare}uuid`,
      `${bare}key`,
      `${bare}code`,
    ]
      .map(named)
      .find((name) => name !== undefined)
    if (ofNoun !== undefined)
      return { property: ofNoun, why: `it is the key of {${parameter}} by its name`, isCertain: words.length === 1 }
    const lastNoun = [`${bareName(noun)}${last}`].map(named).find((name) => name !== undefined)
    if (lastNoun !== undefined) return { property: lastNoun, why: `it is the ${last} of the record`, isCertain: true }
  }
  const ends = names.filter(
    (name) => words.length > 1 && wordsOf(name).length > 1 && wordsOf(name).at(-1) === words.at(-1),
  )
  const usual = [
    ...(ends.length === 1 && words.at(-1) !== 'id' && words.at(-1) !== 'name' ? ends.map(bareName) : []),
    ...keyNames,
    `${bareName(noun)}id`,
    `${bareName(noun)}name`,
    `${bareName(noun)}key`,
    `${bareName(noun)}code`,
  ]
  const found = usual.map(named).find((name) => name !== undefined)
  if (found !== undefined)
    return {
      property: found,
      why: `"${found}" is a usual name of keys`,
      isCertain: parameter === undefined || /^id$/i.test(found),
    }
  const ending = names.find(
    (name) =>
      !/^(result|status|error|response|return|currency|country|language|request|parent|owner)/i.test(name) &&
      /(id|uuid|sid|key|code|arn)$/i.test(name) &&
      /[a-z](Id|ID|Uuid|Sid|Key|Code|Arn)$|_(id|uuid|sid|key|code|arn)$/.test(name),
  )
  const last = ending ?? weakNames.map(named).find((name) => name !== undefined)
  return last === undefined ? undefined : { property: last, why: `its name is as those of keys are`, isCertain: false }
}
