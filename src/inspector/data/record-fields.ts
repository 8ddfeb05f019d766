/** The fields in the form of a record. */
import { singletonKey } from '../../json/path-property.js'
import type { Collection, Values } from '../api.js'
import { type FormField, type FormReference, fieldsOf } from '../forms/form.js'
import { fixedOf, type Property, propertiesOf, type Schema, schemaAt, typeOf } from '../schema.js'
import { collections } from '../store.js'
import { toTarget } from './place.js'

/** What decides on the fields of a record. */
export interface RecordState {
  collection: Collection
  /** The schema of its variant. */
  schema: Schema
  values: Values
  /** The values with the input. */
  now: Values
  isNew: boolean
  /** Names of further properties. */
  others: readonly string[]
}

/** The properties of the schema, then hidden ones, then others that only the record has. The key comes first, as in the table. */
export function fieldsOfRecord({ collection, schema, values, now, isNew, others }: RecordState): FormField[] {
  const { key, scope, openScope } = collection
  const known = fieldsOf(schema, values, { hasReadOnly: true })
  const names = new Set([...others, ...Object.keys(values)])
  for (const [name] of propertiesOf(schema)) names.delete(name)
  names.delete(singletonKey)
  const more = [...names].map((name): FormField => ({ name, schema: ownerSchema(collection, name) }))
  const all = [...known, ...more].map(({ name, schema: own, isRequired }): FormField => {
    const isKey = name === key
    const isOwner = scope.includes(name)
    const isWritten = isNew && own['readOnly'] === true
    const isNeeded = (isRequired || (isOwner && !openScope.includes(name))) && !isWritten
    return {
      ...{ name, schema: typed(own, values[name]), isRequired: isNeeded && !(isNew && isKey) },
      isFirst: isNeeded || isKey,
      isFixed: !isNew && (isKey || isOwner),
      hint: hintOf(isNew, isKey, isOwner, isWritten),
      target: toTarget(collection, now, name),
    }
  })
  return all.toSorted((one, other) => Number(other.name === key) - Number(one.name === key))
}

function hintOf(isNew: boolean, isKey: boolean, isOwner: boolean, isWritten: boolean): string | undefined {
  if (isNew) return isKey ? 'Generated if it is left out' : isWritten ? 'The service writes it' : undefined
  return isKey ? 'The key stays' : isOwner ? 'Its owner stays' : undefined
}

/** A text stays a text if the schema has no type. */
function typed(schema: Schema, value: unknown): Schema {
  return typeOf(schema) === 'any' && typeof value === 'string' ? { ...schema, type: 'string' } : schema
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

/** The records that a property names. @returns undefined if it is no reference */
export function referenceIn({ links }: Collection, property: string): FormReference | undefined {
  for (const { collection, values } of links) {
    const other = values.find(({ own }) => own === property)?.other
    if (other !== undefined) return { name: property, collection, property: other }
  }
  return undefined
}

/** The values that each record of a variant has. */
export function toFixed(properties: readonly Property[]): Values {
  const all = properties.flatMap(([name, own, isRequired]) => (isRequired ? [[name, fixedOf(own)]] : []))
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** The required properties that name records of other collections, without values. Owners are chosen. */
export function toReferences(collection: Collection, properties: readonly Property[]): Values {
  const isReference = ([name, , isRequired]: Property) =>
    isRequired && !collection.scope.includes(name) && referenceIn(collection, name) !== undefined
  return Object.fromEntries(properties.filter(isReference).map(([name]) => [name, undefined]))
}
