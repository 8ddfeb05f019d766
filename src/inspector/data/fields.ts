/** The fields of the form of a record, and the values that it has. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api.js'
import type { Collection, Page, Values } from '../api-types.js'
import { toText } from '../exact-json.js'
import { readValue } from '../parts/value-input.js'
import { propertiesOf, type Schema, schemaAt, typeOf } from '../schema.js'
import { collections, dataVersion, world } from '../store.js'
import type { Draft } from './drafts.js'
import { toPath } from './place.js'

export type Field = [name: string, schema: Schema, isRequired: boolean]

/** Those of the schema, then others: what only paths have, and what the record has besides. */
export function fieldsOf(collection: Collection, values: Values, names: readonly string[]): Field[] {
  const { scope, openScope } = collection
  const known = propertiesOf(schemaAt(collection.schema))
  const others = new Set([...names, ...Object.keys(values)])
  for (const [name] of known) others.delete(name)
  others.delete('{}')
  const isOwner = (name: string) => scope.includes(name) && !openScope.includes(name)
  const all = [
    ...known.map(([name, own, isRequired]): Field => [name, typed(own, values[name]), isRequired || isOwner(name)]),
    ...[...others].map((name): Field => {
      return [name, typed(ownerSchema(collection, name), values[name]), isOwner(name)]
    }),
  ]
  // The key comes first, as in the table.
  const isKey = ([name]: Field) => name === collection.key
  return [...all.filter(isKey), ...all.filter((each) => !isKey(each))]
}

/** A text stays one where the schema does not say what it is. */
function typed(schema: Schema, value: unknown): Schema {
  return typeOf(schema) === 'any' && typeof value === 'string' ? { ...schema, type: 'string' } : schema
}

/** Values that nobody changed stay as they are, with every digit. @throws Error for what is no JSON */
export function withTexts(values: Values, { texts }: Draft, fields: readonly Field[]): Values {
  const whole: Values = { ...values }
  for (const [name, text] of Object.entries(texts)) {
    const [, own = {}] = fields.find(([each]) => each === name) ?? []
    if (text === undefined) delete whole[name]
    else whole[name] = readValue(text, own, name)
  }
  return whole
}

/** The schema of the key of the record to which a record belongs. Only paths have it. */
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

/** @returns the keys that a property can have, by its name; none for one that refers to nothing */
export function useSuggestions(collection: Collection): (property: string) => readonly string[] {
  const found = useSignal<Readonly<Record<string, readonly string[]>>>({})
  const version = dataVersion.value
  useEffect(() => {
    for (const { collection: name, values: pairs } of collection.links) {
      const target = collections.value.find((each) => each.name === name)
      if (!target) continue
      get<Page>(toPath(target, '', `&limit=${maxKeys}`)).then(
        ({ records }) => {
          const lists = pairs.map(
            ({ own, other }) => [own, records.map(({ values }) => toText(values[other]))] as const,
          )
          const known = lists.map(([own, texts]) => [own, [...new Set(texts)].filter(Boolean)] as const)
          found.value = { ...found.value, ...Object.fromEntries(known) }
        },
        () => {},
      )
    }
  }, [collection, world.value, version])
  return (property) => found.value[property] ?? []
}
