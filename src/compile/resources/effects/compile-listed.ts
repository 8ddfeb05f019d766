/** Finds lists of texts in requests that become lists of objects, each with one of the texts. */
import type { ChangeAccess, ListedTexts, Reference } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { isKey } from '../../../lexicon/keys.js'
import { bareName, singular, wordsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema, hasFlag, isObjectSchema } from '../../../schemas/flatten-schema.js'
import { addFact, type ResourceFact } from '../facts/evidence.js'

/**
 * @param request what the request describes, with the names of the record
 * @example // `{"allowedOrigins": ["https://a.example"]}` becomes `{"allowedOrigins": [{"domain": "https://a.example"}]}`
 */
export function findListed(document: OpenApiDocument, request: FlatSchema, record: Located<Schema>): ListedTexts[] {
  return [...flattenSchema(document, record).properties].flatMap(([property, schema]): ListedTexts[] => {
    const { items } = flattenSchema(document, schema)
    const item = items && flattenSchema(document, items)
    if (!item || !isObjectSchema(item)) return []
    const texts = [...item.properties].filter(
      ([name, each]) => !isKey(name) && !hasFlag(document, each, 'readOnly') && isText(flattenSchema(document, each)),
    )
    const keys = [...item.properties.keys()].filter((name) => isKey(name))
    // A text could be the key, unless an object must have another text and no key.
    const isValue = ([name]: (typeof texts)[number]) =>
      keys.length === 0 || (item.required.has(name) && !keys.some((key) => item.required.has(key)))
    for (const [from, sent] of request.properties) {
      const { items: given } = flattenSchema(document, sent)
      if (!given || !isText(flattenSchema(document, given))) continue
      const text =
        from === property
          ? texts.length === 1 && texts.find(isValue)
          : !request.properties.has(property) &&
            texts.find(([name]) => namesOf(property, name).includes(bareName(from)))
      if (!text) continue
      return [{ from, property, name: text[0] }]
    }
    return []
  })
}

/** Decides about texts that may be keys of other records, too. Those of a list with the same name are not. */
export function chooseListed(effect: ChangeAccess, facts: ResourceFact[]): void {
  const { listed = [], references = [] } = effect
  const isSame = (one: ListedTexts, other: Reference) => one.from === other.from || one.property === other.property
  const chosen = listed.filter(
    (each) => each.from === each.property || !references.some((other) => isSame(each, other)),
  )
  for (const { from, property, name } of chosen) {
    const why = `requests list the "${name}" of each in "${from}"`
    addFact(facts, { fact: 'spelling', about: property, evidence: 'schema', why })
  }
  if (chosen.length < listed.length) effect.listed = chosen
  const left = references.filter((other) => !chosen.some((each) => isSame(each, other)))
  if (left.length < references.length) effect.references = left
}

/** The names of lists with a property of the objects of another list: `playback_policy` for `playback_ids` */
function namesOf(list: string, property: string): string[] {
  const words = wordsOf(list)
  const stems = [words.slice(0, -1), [...words.slice(0, -1), singular(words.at(-1) ?? '')]]
  return stems
    .filter((stem) => stem.length > 0)
    .map((stem) => bareName(stem.join('') + property))
    .flatMap((name) => [name, `${name}s`, name.replace(/y$/, 'ies')])
}

function isText({ types }: FlatSchema): boolean {
  return types.has('string') && !types.has('object') && !types.has('array')
}
