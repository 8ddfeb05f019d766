/** Says which texts of a record are those of another one that it names: `categoryName` beside `categoryId`. */

import { guess, toAbout } from '../behaviour/line.js'
import type { OpenApiDocument } from '../document/document.js'
import { mayFind } from '../lexicon/keys.js'
import { familyName, givenName, isCalledBy, wholeName } from '../lexicon/record-names.js'
import { bareName, sameName } from '../lexicon/words.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { type createFindNamed, nounOfKey } from '../schemas/named-keys.js'
import { isWriting } from '../schemas/operations/change.js'
import { findSent } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'

export function findCopies(
  document: OpenApiDocument,
  findNamed: ReturnType<typeof createFindNamed<KnownCollection>>,
  group: KnownCollection,
): void {
  const { record, members, lines, model } = group
  const { properties } = flattenSchema(document, record)
  const isSent = findSent(document, group)
  const keys = [...properties].flatMap(([key, schema]) => {
    const flat = flattenSchema(document, schema)
    const words = nounOfKey(key, flat)
    const found = words.length > 0 && isSent(key) ? findNamed(words, flat, model.name) : undefined
    const isKey = found?.key === found?.named.model.key && found?.named.resource?.kind === 'collection'
    return found && isKey ? [{ key, noun: sameName(words.join('_')), named: found.named }] : []
  })
  for (const [copy, schema] of keys.length > 0 ? properties : []) {
    if (isSent(copy) || !flattenSchema(document, schema).types.has('string')) continue
    const found = keys.find(({ noun }) => sameName(copy).startsWith(noun))
    const value = found && valueFor(document, found, copy)
    if (!found || value === undefined) continue
    const { key, named } = found
    lines.add('references', key, { to: named.path }, guess('name', `${copy} is that of its record`))
    for (const member of members)
      if (isWriting(member.kind))
        member.lines.add('changes', toAbout([copy]), value, guess('name', `${key} names the record`))
  }
}

/** The value of the other record that a copy has: the property with the rest of its name, or the parts of a name. */
function valueFor(
  document: OpenApiDocument,
  { key, noun, named }: { key: string; noun: string; named: KnownCollection },
  copy: string,
): string | undefined {
  const rest = sameName(copy).slice(noun.length)
  const own = [...flattenSchema(document, named.record).properties.keys()]
  const related = (property: string) => `$related.${key}#/${property}`
  const same = own.find((each) => sameName(each) === rest)
  if (same !== undefined) return rest !== '' && (isCalledBy(same) || mayFind(same)) ? related(same) : undefined
  if (bareName(rest) !== 'name') return undefined
  const [first, last, whole] = [givenName(own), familyName(own), wholeName(own)]
  if (first !== undefined && last !== undefined) return `{${related(first)}} {${related(last)}}`
  return whole === undefined ? undefined : related(whole)
}
