/** Compiles which properties of a body show those of the record under another name: `id` what is `assetId` elsewhere. */
import type { RecordAccess } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { findKey } from '../facts/find-key.js'
import { bareName, nounsOf } from '../paths/words.js'
import type { Group } from './compile-scope.js'

export function compileAliases(
  document: OpenApiDocument,
  { record }: Candidate,
  { record: own, resource, model }: Group,
): Pick<RecordAccess, 'aliases' | 'hidden'> {
  if (!record || !resource) return {}
  const known = flattenSchema(document, own).properties
  const shown = flattenSchema(document, record).properties
  if (known === shown) return {}
  const missing = [...shown].filter(([name]) => !known.has(name))
  const nouns = nounsOf(resource.name)
  const byBareName = new Map([...known.keys()].filter((name) => !shown.has(name)).map((name) => [bareName(name), name]))
  const aliases = missing.flatMap(([name, schema]): [string, string][] => {
    const same = otherNames(nouns, name)
      .map((other) => byBareName.get(other))
      .find((other) => other !== undefined && haveSameType(document, schema, known.get(other)))
    return same === undefined ? [] : [[name, same]]
  })
  // A record that exists once has no key.
  const key = resource.kind === 'singleton' ? undefined : shownKey(document, record, { resource, model })
  if (key !== undefined && key !== model.key && !aliases.some(([name]) => name === key)) aliases.push([key, model.key])
  // Answers that hide nothing are written as records are stored.
  return aliases.length > 0 ? { aliases, hidden: [] } : {}
}

/** The property of a body that shows the key of a record. */
export function shownKey(
  document: OpenApiDocument,
  body: Located<Schema>,
  { resource, model }: { resource: Group['resource']; model: Pick<Group['model'], 'key'> },
): string | undefined {
  const flat = flattenSchema(document, body)
  if (flat.properties.has(model.key)) return model.key
  const found = resource && findKey(document, flat, resource.item?.step.parameter, resource.name)
  return found?.isCertain ? found.property : undefined
}

/** The same name with or without the noun: of `name` it is `assetname`, and the other way round. */
function otherNames(nouns: readonly string[], name: string): string[] {
  const bare = bareName(name)
  return nouns
    .filter((noun) => noun !== '')
    .flatMap((noun) => (bare.startsWith(noun) ? [noun + bare, bare.slice(noun.length)] : [noun + bare]))
}

function haveSameType(document: OpenApiDocument, one: Located<Schema>, other: Located<Schema> | undefined): boolean {
  if (!other) return false
  const { types } = flattenSchema(document, one)
  return [...flattenSchema(document, other).types].some((type) => type !== 'null' && types.has(type))
}
