/** The fields in the form of a record, and the values that their texts mean. */
import { singletonKey } from '../../json/path-property.js'
import { get } from '../api.js'
import type { Collection, Page, Values } from '../api-types.js'
import { toText } from '../json-text.js'
import { useLoaded } from '../parts/jobs.js'
import { readValue } from '../parts/value-input.js'
import { type Property, propertiesOf, type Schema, schemaAt, typeOf } from '../schema.js'
import { collections, dataVersion, world } from '../store.js'
import type { Draft } from './drafts.js'
import { toPath } from './place.js'

/** The properties of the schema, then hidden ones, then others that only the record has. */
export function fieldsOf(collection: Collection, values: Values, names: readonly string[]): Property[] {
  const { scope, openScope } = collection
  const known = propertiesOf(schemaAt(collection.schema))
  const others = new Set([...names, ...Object.keys(values)])
  for (const [name] of known) others.delete(name)
  others.delete(singletonKey)
  const isOwner = (name: string) => scope.includes(name) && !openScope.includes(name)
  const all = [...known, ...[...others].map((name): Property => [name, ownerSchema(collection, name), false])].map(
    ([name, own, isRequired]): Property => [name, typed(own, values[name]), isRequired || isOwner(name)],
  )
  // The key comes first, as in the table.
  const isKey = ([name]: Property) => name === collection.key
  return [...all.filter(isKey), ...all.filter((each) => !isKey(each))]
}

/** A text stays a text if the schema has no type. */
function typed(schema: Schema, value: unknown): Schema {
  return typeOf(schema) === 'any' && typeof value === 'string' ? { ...schema, type: 'string' } : schema
}

/** Unedited values stay unchanged, with every digit. @throws Error for invalid JSON */
export function withTexts(values: Values, { texts }: Draft, fields: readonly Property[]): Values {
  const whole: Values = { ...values }
  for (const [name, text] of Object.entries(texts)) {
    const [, own = {}] = fields.find(([each]) => each === name) ?? []
    if (text === undefined) delete whole[name]
    else whole[name] = readValue(text, own, name)
  }
  return whole
}

/** The schema of a hidden property with the key of the owner. */
function ownerSchema({ links }: Collection, property: string): Schema {
  for (const { collection, values } of links) {
    const other = values.find(({ own }) => own === property)?.other
    const target = collections.value.find(({ name }) => name === collection)
    const found = propertiesOf(schemaAt(target?.schema)).find(([name]) => name === other)
    if (found) return { ...found[1], description: `the ${other} of its record in ${collection}` }
  }
  return {}
}

const maxKeys = 200

/** @returns the keys that a property can have, by its name; none if it is not a reference */
export function useSuggestions(collection: Collection): (property: string) => readonly string[] {
  const { loaded } = useLoaded(async () => {
    const lists = collection.links.map(async ({ collection: name, values: pairs }) => {
      const target = collections.value.find((each) => each.name === name)
      const page = target && (await get<Page>(toPath(target, '', `&limit=${maxKeys}`)).catch(() => undefined))
      if (!page) return []
      return pairs.map(({ own, other }) => {
        const texts = page.records.map(({ values }) => toText(values[other]))
        return [own, [...new Set(texts)].filter(Boolean)] as const
      })
    })
    return new Map((await Promise.all(lists)).flat())
  }, [collection, world.value, dataVersion.value])
  return (property) => loaded.value?.get(property) ?? []
}
