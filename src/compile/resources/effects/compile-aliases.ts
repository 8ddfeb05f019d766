/** Compiles which properties of a body are those of the record under another name: `id` what is `assetId` elsewhere. */

import { fromAbout } from '../../../behaviour/line.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { Alias, ListedTexts, RecordAccess } from '../../../contract/effects/effect.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { toAlias } from '../../../schemas/aliases.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { RequestRecord } from '../../../schemas/operations/request-record.js'
import type { CompiledCandidate } from '../known-operation.js'
import type { Group } from './compile-scope.js'

export function compileAliases(
  document: OpenApiDocument,
  { record, lines }: CompiledCandidate,
  { record: own, model }: Group,
): Pick<RecordAccess, 'aliases' | 'hidden'> {
  if (!record) return {}
  const shown = flattenSchema(document, record).properties
  const known = flattenSchema(document, own).properties
  const aliases = lines.all('shows').flatMap(({ about: name, says: property }): Alias[] => {
    const schema = shown.get(name)
    if (!schema) return []
    const alias = toAlias(document, name, schema, property, known)
    // Only requests have texts that are converted, besides keys.
    if (alias && !alias[2]) return [alias]
    return property === model.key ? [[name, property, [...flattenSchema(document, schema).types] as JsonType[]]] : []
  })
  // Answers that hide nothing are written as records are stored.
  return aliases.length > 0 ? { aliases, hidden: [] } : {}
}

/** The names that a request has for the properties of records. What is said of all requests counts more. */
export function compileGivenAliases(
  document: OpenApiDocument,
  { schema }: RequestRecord,
  { lines }: CompiledCandidate,
  { record, lines: ofRecords }: Group,
): Alias[] {
  const known = flattenSchema(document, record).properties
  const sent = flattenSchema(document, schema).properties
  const said = ofRecords.all('names').filter(({ says }) => !says.startsWith('/'))
  for (const line of said)
    if (line.says !== nothing) refuseUnknown(line, line.says, known.keys(), 'property of the record', line.about)
  const own = lines.all('names').filter(({ about }) => !said.some((each) => each.about === about))
  return [...own, ...said].flatMap(({ about: name, says: property }): Alias[] => {
    const given = sent.get(name)
    return given && property !== nothing ? [toAlias(document, name, given, property, known) ?? [name, property]] : []
  })
}

/** Lists of texts in requests that lines name, each with the text in the objects of a list: `/origins/domain` */
export function chosenListed(document: OpenApiDocument, { record, lines }: Group): ListedTexts[] {
  return lines.all('names').flatMap((line): ListedTexts[] => {
    const { about: from, says: own } = line
    if (!own.startsWith('/')) return []
    const [property = '', name = ''] = fromAbout(own)
    const { properties } = flattenSchema(document, record)
    const { items } = flattenSchema(document, properties.get(property) ?? record)
    refuseUnknown(line, property, properties.keys(), 'property of the record', from)
    refuseUnknown(line, name, items ? flattenSchema(document, items).properties.keys() : [], 'text of a list', from)
    return [{ from, property, name }]
  })
}
