/** The fields in the form of a record. */
import { singletonKey } from '../../json/path-property.js'
import type { Collection, Values } from '../api-types.js'
import type { FormReference } from '../forms/form.js'
import { type Property, propertiesOf, type Schema, schemaAt, typeOf } from '../schema.js'
import { collections } from '../store.js'

/** The properties of the schema of a variant, then hidden ones, then others that only the record has. */
export function fieldsOf(collection: Collection, schema: Schema, values: Values, names: readonly string[]): Property[] {
  const { scope, openScope } = collection
  // The choice of the variant shows its tag.
  const known = propertiesOf(schema).filter(([name, own]) => own['$isTag'] !== true || own['const'] !== values[name])
  const others = new Set([...names, ...Object.keys(values)])
  for (const [name] of propertiesOf(schema)) others.delete(name)
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
