/** Compiles which properties of a body are those of the record under another name: `id` what is `assetId` elsewhere. */

import { fromAbout, guess } from '../../../behaviour/line.js'
import type { CollectionLines } from '../../../behaviour/members.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { Alias, ListedTexts, RecordAccess } from '../../../contract/effects/effect.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { shownKey } from '../../../infer/facts/candidate.js'
import type { RequestRecord } from '../../../infer/facts/request-record.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { isKey } from '../../../lexicon/keys.js'
import { bareName, countTexts, nounsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import type { Group } from './compile-scope.js'

export function compileAliases(
  document: OpenApiDocument,
  { record }: CompiledCandidate,
  { record: own, resource, model, members }: Group,
): Pick<RecordAccess, 'aliases' | 'hidden'> {
  if (!record || !resource) return {}
  const nouns = nounsOf(resource.name)
  const found = findAliases(document, record, own, (name) => [bareName(name), ...otherNames(nouns, name)])
  // Only requests have texts that are converted.
  const aliases = found.filter(([, , types]) => !types)
  // A record that exists once has no key, and nothing asks for one that is only listed.
  const isNamed = members.some(({ kind, parameter }) => kind !== 'list' || parameter !== undefined)
  const key = resource.kind === 'singleton' || !isNamed ? undefined : shownKey(document, record, { resource, model })
  const isOwn = model.ownKeys?.some(({ property }) => property === key)
  if (key !== undefined && key !== model.key && !isOwn && !aliases.some(([name]) => name === key)) {
    const schema = flattenSchema(document, record).properties.get(key)
    aliases.push([key, model.key, schema && ([...flattenSchema(document, schema).types] as JsonType[])])
  }
  // Answers that hide nothing are written as records are stored.
  return aliases.length > 0 ? { aliases, hidden: [] } : {}
}

/** The same name with or without the noun: of `name` it is `assetname`, and the other way round. */
function otherNames(nouns: readonly string[], name: string): string[] {
  const bare = bareName(name)
  return nouns
    .filter((noun) => noun !== '')
    .flatMap((noun) => (bare.startsWith(noun) ? [noun + bare, bare.slice(noun.length)] : [noun + bare]))
}

/** The name without the noun before it, unless that leaves the name of a key. */
function withoutNoun(nouns: readonly string[], name: string): string[] {
  const bare = bareName(name)
  const others = nouns.filter((noun) => noun !== '' && bare.startsWith(noun)).map((noun) => bare.slice(noun.length))
  return others.filter((other) => other !== '' && !isKey(other))
}

/** The properties of a body that the record has under another name. A name that several may mean is none of them. */
function findAliases(
  document: OpenApiDocument,
  body: Located<Schema>,
  record: Located<Schema>,
  namesOf: (name: string) => string[],
): Alias[] {
  const known = flattenSchema(document, record).properties
  const shown = flattenSchema(document, body).properties
  if (known === shown) return []
  const missing = [...shown].filter(([name]) => !known.has(name))
  const others = [...known.keys()].filter((name) => !shown.has(name))
  const [inBody, inRecord] = [missing.map(([name]) => name), others].map((names) => countTexts(names.map(bareName)))
  const byBareName = new Map(others.map((name) => [bareName(name), name]))
  return missing.flatMap(([name, schema]): Alias[] => {
    const isOnly = (bare: string) => inRecord?.get(bare) === 1 && (bare !== bareName(name) || inBody?.get(bare) === 1)
    const found = namesOf(name)
      .filter(isOnly)
      .map((bare) => toAlias(document, name, schema, byBareName.get(bare), known))
    const alias = found.find((each) => each !== undefined)
    return alias ? [alias] : []
  })
}

/** @returns undefined if the two have other types, and no text can be converted */
function toAlias(
  document: OpenApiDocument,
  name: string,
  schema: Located<Schema>,
  own: string | undefined,
  known: FlatSchema['properties'],
): Alias | undefined {
  const other = own === undefined ? undefined : known.get(own)
  if (own === undefined || !other) return undefined
  const { types } = flattenSchema(document, schema)
  const wanted = [...flattenSchema(document, other).types] as JsonType[]
  if (wanted.some((type) => type !== 'null' && types.has(type))) return [name, own]
  const isConverted = types.has('string') && wanted.some((type) => /^(integer|number|boolean)$/.test(type))
  return isConverted ? [name, own, wanted] : undefined
}

/**
 * The properties of a request that the record has in another spelling, or without the name of the resource before it:
 * `FriendlyName` is its `friendly_name`, and `projectTitle` the `title` of a project.
 */
export function compileGivenAliases(
  document: OpenApiDocument,
  { schema }: RequestRecord,
  { record, resource, lines }: Group,
): Alias[] {
  const nouns = resource ? nounsOf(resource.name) : []
  const inferred = findAliases(document, schema, record, (name) => [bareName(name), ...withoutNoun(nouns, name)])
  const chosen = lines.all('names').filter(({ says }) => !says.startsWith('/'))
  const known = flattenSchema(document, record).properties
  const sent = flattenSchema(document, schema).properties
  const added = chosen.flatMap((line): Alias[] => {
    const { about: name, says: own } = line
    if (own !== nothing) refuseUnknown(line, own, known.keys(), 'property of the record', name)
    const types = sent.get(name)
    const same = inferred.find((each) => each[0] === name && each[1] === own)
    const alias = types && own !== nothing && !same ? toAlias(document, name, types, own, known) : undefined
    return same ? [same] : types && own !== nothing ? [alias ?? [name, own]] : []
  })
  const isChosen = ([name]: Alias) => chosen.some(({ about }) => about === name)
  const kept = inferred.filter((each) => !isChosen(each) || added.includes(each))
  const aliases = [...kept, ...added.filter((each) => !inferred.includes(each))]
  for (const [name, own] of aliases) addSpelling(lines, name, own)
  return aliases
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

export function addSpelling(lines: CollectionLines, name: string, own: string): void {
  const why = `requests have it as ${name}, which differs only in case and separators`
  if (name !== own && bareName(name) === bareName(own)) lines.add('spelling', own, name, guess('schema', why))
}

/** What a request describes, with the names of the record. */
export function withOwnNames(flat: FlatSchema, aliases: readonly Alias[]): FlatSchema {
  if (aliases.length === 0) return flat
  const toOwn = (name: string) => aliases.find(([sent]) => sent === name)?.[1] ?? name
  const properties = new Map([...flat.properties].map(([name, schema]) => [toOwn(name), schema]))
  return { ...flat, properties, required: new Set([...flat.required].map(toOwn)) }
}
