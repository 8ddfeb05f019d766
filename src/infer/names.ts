/** Says which properties of bodies are those of the record under another name: `id` what is `assetId` elsewhere. */
import { guess } from '../behaviour/line.js'
import type { CollectionLines } from '../behaviour/members.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { isId, isKey } from '../lexicon/keys.js'
import { bareName, countTexts, nounsOf, singular, wordsOf } from '../lexicon/words.js'
import { toAlias } from '../schemas/aliases.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { findRequestRecord, sentBy } from '../schemas/operations/request-record.js'
import type { KnownCollection } from './collection.js'
import { type Candidate, shownKey } from './facts/candidate.js'
import { findKeyNames } from './facts/find-key-name.js'

interface Named {
  name: string
  own: string
}

export function findNames(document: OpenApiDocument, collection: KnownCollection): void {
  for (const member of collection.members) {
    findShown(document, member, collection)
    findGiven(document, member, collection)
    findListed(document, member, collection)
    findKeyNames(document, member, collection)
    findPlaces(document, member, collection)
  }
}

/** Says where bodies have the record. */
function findPlaces(document: OpenApiDocument, member: Candidate, { record: own, lines }: KnownCollection): void {
  const { kind, at, record, success, pointer } = member
  if (kind === 'list') return
  const answered = record && success?.schema ? pointer : []
  const given = at ? [] : (findRequestRecord(document, member, own)?.given ?? [])
  const isSame = given.length > 0 && given.join('.') === answered.join('.')
  const why = isSame ? 'requests and answers agree' : 'their schema has it there'
  const places = [
    [answered, 'answers'],
    [given, 'requests'],
  ] as const
  for (const [names, bodies] of places)
    if (names.length > 0) lines.add('places', `${names.join('.')} of ${bodies}`, [...names], guess('schema', why))
}

/** Says how filters of a list write the names of properties. */
export function findFilterNames({ kind, keys, lines }: Candidate, collection: KnownCollection | undefined): void {
  if (kind !== 'list' || keys || !collection) return
  for (const { name, properties } of lines.value('query')?.filters ?? []) {
    const [own = name] = properties
    if (!own.includes('/')) addSpelling(collection.lines, name, own)
  }
}

/** Says which names answers have for the properties of records. */
function findShown(document: OpenApiDocument, { record, lines }: Candidate, collection: KnownCollection): void {
  const { record: own, resource, model, members } = collection
  if (!record || !resource) return
  const nouns = nounsOf(resource.name)
  const found = findAliases(document, record, own, (name) => [bareName(name), ...otherNames(nouns, name)])
  const why = guess('schema', 'the answer has it under another name')
  for (const { name, own } of found) lines.add('shows', name, own, why)
  // A record that exists once has no key, and nothing asks for one that is only listed.
  const isNamed = members.some(({ kind, parameter }) => kind !== 'list' || parameter !== undefined)
  const key = resource.kind === 'singleton' || !isNamed ? undefined : shownKey(document, record, { resource, model })
  // What callers send, and is no id, is shown as it was sent.
  const isGiven = key !== undefined && !isId(key) && sentBy(document, collection).has(key)
  if (key !== undefined && !isGiven && key !== model.key && !collection.lines.get('keys', key))
    lines.add('shows', key, model.key, why)
}

/**
 * Says which names requests have for the properties of records: another spelling, or without the name of the resource before it:
 * `FriendlyName` is its `friendly_name`, and `projectTitle` the `title` of a project.
 */
function findGiven(document: OpenApiDocument, member: Candidate, { record, resource, lines }: KnownCollection): void {
  const request = findRequestRecord(document, member, record)
  if (!request) return
  const nouns = resource ? nounsOf(resource.name) : []
  const found = findAliases(document, request.schema, record, (name) => [bareName(name), ...withoutNoun(nouns, name)])
  for (const { name, own } of found) {
    if (lines.get('names', name)) continue
    member.lines.add('names', name, own, guess('schema', 'the request has it under another name'))
    addSpelling(lines, name, own)
  }
}

/**
 * Says which texts that requests list become objects of a list, each with one of them: `{ "origins": ["https://a.example"] }` is
 * `{ "origins": [{ "domain": "https://a.example" }] }`, and `playback_policy` has the `policy` of each of `playback_ids`.
 */
function findListed(document: OpenApiDocument, member: Candidate, { record, lines }: KnownCollection): void {
  const request = findRequestRecord(document, member, record)
  const sent = request ? flattenSchema(document, request.schema).properties : new Map<string, Located<Schema>>()
  const textsOf = (schema: Located<Schema> | undefined) => schema && [...flattenSchema(document, schema).types].join()
  const listed = [...sent].filter(([, each]) => textsOf(flattenSchema(document, each).items) === 'string')
  if (listed.length === 0) return
  for (const [list, schema] of flattenSchema(document, record).properties) {
    const { items } = flattenSchema(document, schema)
    const { properties, required } = items ? flattenSchema(document, items) : flattenSchema(document, schema)
    if (!items || properties.size === 0) continue
    const texts = [...properties].filter(([name, each]) => !isKey(name) && textsOf(each) === 'string')
    const keys = [...properties.keys()].filter(isKey)
    // A text could be the key, unless an object must have another text and no key.
    const isValue = (name: string) =>
      !keys.some((key) => required.has(key)) && (keys.length === 0 || required.has(name))
    const stem = wordsOf(list).slice(0, -1).join('')
    for (const [from] of listed) {
      const own = from === list ? texts.length === 1 && isValue(texts[0]?.[0] ?? '') : !sent.has(list) && stem !== ''
      const text = texts.find(([name]) => from === list || singular(bareName(from)) === stem + bareName(name))
      if (own && text)
        lines.add('names', from, `/${list}/${text[0]}`, guess('schema', `it lists the ${text[0]} of each`))
    }
  }
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
): Named[] {
  const known = flattenSchema(document, record).properties
  const shown = flattenSchema(document, body).properties
  if (known === shown) return []
  const missing = [...shown].filter(([name]) => !known.has(name))
  const others = [...known.keys()].filter((name) => !shown.has(name))
  const [inBody, inRecord] = [missing.map(([name]) => name), others].map((names) => countTexts(names.map(bareName)))
  const byBareName = new Map(others.map((name) => [bareName(name), name]))
  return missing.flatMap(([name, schema]): Named[] => {
    const isOnly = (bare: string) => inRecord?.get(bare) === 1 && (bare !== bareName(name) || inBody?.get(bare) === 1)
    const found = namesOf(name).filter(isOnly)
    const owns = found.flatMap((bare) => byBareName.get(bare) ?? [])
    const own = owns.find((each) => toAlias(document, name, schema, each, known))
    return own === undefined ? [] : [{ name, own }]
  })
}

function addSpelling(lines: CollectionLines, name: string, own: string): void {
  const why = `requests have it as ${name}, which differs only in case and separators`
  if (name !== own && bareName(name) === bareName(own)) lines.add('spelling', own, name, guess('schema', why))
}
