/** The variants of a value: the alternatives of `oneOf` and `anyOf`, and the schemas that extend one with a discriminator. */
import { isObject } from '../json-text.js'
import { fixedOf, isOfType, listOf, partAt, propertiesOf, resolve, type Schema, typeOf } from '../schema.js'

export interface Variant {
  /** The value of the discriminator, the title, the name of the schema, or its type. */
  label: string
  /** With what all variants have in common. */
  schema: Schema
}

const known = new WeakMap<Schema, Variant[]>()

/** @returns an empty list for a schema without a choice */
export function variantsOf(schema: Schema): Variant[] {
  const found = known.get(schema) ?? findVariants(schema)
  known.set(schema, found)
  return found
}

function findVariants(schema: Schema): Variant[] {
  const { oneOf, anyOf, discriminator, ...common } = schema
  const { propertyName: tag, mapping: written } = isObject(discriminator) ? discriminator : {}
  const mapping = Object.entries(isObject(written) ? written : {}).map(([value, to]) => [
    value,
    toReference(String(to)),
  ])
  const listed = listOf(oneOf ?? anyOf)
  const isTagged = typeof tag === 'string'
  const members =
    listed.length > 0
      ? listed
      : isTagged
        ? extensionsOf(
            schema,
            mapping.map(([, to]) => to),
          )
        : []
  if (members.length === 0 || members.every(isOnlyCondition)) return []
  const variants = members.flatMap((member): Variant[] => {
    const { $ref } = isObject(member) ? member : {}
    const own = resolve(member)
    if (own['type'] === 'null') return []
    const name = own['$name']
    const inner = name !== undefined && name === schema['$name'] ? without(own, 'discriminator') : own
    const fixed = isTagged ? fixedOf(resolve(Object(inner['properties'])[tag])) : undefined
    const mapped = mapping.filter(([, to]) => to === $ref).map(([value]) => value)
    const values = mapped.length > 0 ? mapped : [fixed ?? (isTagged ? name : undefined)]
    return values.map((value) => {
      const label = [value, inner['title'], name, onlyFixed(inner)].find((each) => each !== undefined && each !== '')
      return {
        label: String(label ?? describeType(inner)),
        schema: join(common, inner, isTagged && value !== undefined ? [tag, value] : undefined),
      }
    })
  })
  const isTwice = ({ label }: Variant) => variants.filter((each) => each.label === label).length > 1
  return variants.map((each, index) => (isTwice(each) ? { ...each, label: `${each.label} (${index + 1})` } : each))
}

function toReference(to: string): string {
  return to.includes('/') || to.includes('#') ? to : `#/components/schemas/${to}`
}

/** The schemas that extend one by `allOf`, for a discriminator without `oneOf`. */
function extensionsOf({ $name }: Schema, mapped: unknown[]): unknown[] {
  if (mapped.length > 0) return [...new Set(mapped)].map(($ref) => ({ $ref }))
  const own = `#/components/schemas/${$name}`
  const extendsIt = (part: unknown) => isObject(part) && part['$ref'] === own
  return Object.entries(Object(partAt('/components/schemas')))
    .filter(([, each]) => isObject(each) && listOf(each['allOf']).some(extendsIt))
    .map(([name]) => ({ $ref: `#/components/schemas/${name}` }))
}

/** An alternative that says only what must be there, such as `required`, is no variant. */
function isOnlyCondition(member: unknown): boolean {
  return (
    isObject(member) &&
    !Object.keys(member).some((each) =>
      /^(\$ref|type|properties|items|enum|const|allOf|oneOf|anyOf|additionalProperties)$/.test(each),
    )
  )
}

function join(common: Schema, own: Schema, tag: [name: string, value: unknown] | undefined): Schema {
  const properties = { ...Object(common['properties']), ...Object(own['properties']) }
  if (tag) properties[tag[0]] = { ...resolve(properties[tag[0]]), const: tag[1], enum: undefined, $isTag: true }
  const required = [...listOf(common['required']), ...listOf(own['required']), ...(tag ? [tag[0]] : [])]
  return {
    ...without(common, '$name'),
    ...own,
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [...new Set(required)],
  }
}

function without({ ...schema }: Schema, name: string): Schema {
  delete schema[name]
  return schema
}

/** The value of the only required property that has just one. */
function onlyFixed(schema: Schema): unknown {
  const fixed = propertiesOf(schema).flatMap(([, each, isRequired]) => (isRequired ? (fixedOf(each) ?? []) : []))
  return fixed.length === 1 ? fixed[0] : undefined
}

function describeType(schema: Schema): string {
  const type = typeOf(schema)
  if (type === 'array') return `list of ${resolve(schema['items'])['$name'] ?? typeOf(resolve(schema['items']))}`
  return type === 'string' ? 'text' : type === 'any' ? 'anything' : type
}

/** The index of the variant that a value is. */
export function variantOf(variants: readonly Variant[], value: unknown): number {
  const fits = variants.map(({ schema }) => fitOf(schema, value))
  return fits.indexOf(Math.max(...fits))
}

/** How well a value fits a schema; below 0 if it cannot be meant. */
export function fitOf(schema: Schema, value: unknown): number {
  if (value === undefined) return 0
  const fixed = fixedOf(schema)
  if (!isOfType(schema, value) || (fixed !== undefined && fixed !== value)) return -1
  if (!isObject(value)) return 1
  let fit = 1
  for (const [name, own, isRequired] of propertiesOf(schema)) {
    const only = fixedOf(own)
    if (!Object.hasOwn(value, name)) fit -= isRequired ? 0.5 : 0
    else if (only !== undefined && only !== value[name]) return -1
    else fit += only !== undefined ? 10 : isOfType(own, value[name]) ? 1 : -0.5
  }
  return Math.max(0, fit)
}

/** Changes a value into another variant: what fits both stays. @param sample a value of the new variant */
export function toVariant(value: unknown, from: Schema, to: Schema, sample: unknown): unknown {
  if (!isObject(value) || typeOf(to) !== 'object') return fitOf(to, value) > 0 ? value : trim(sample, to)
  const own = new Map(propertiesOf(to).map(([name, schema]) => [name, schema]))
  const old = new Set(propertiesOf(from).map(([name]) => name))
  const kept = Object.entries(value).filter(([name, each]) => {
    const schema = own.get(name)
    return schema ? fixedOf(schema) === undefined && fitOf(schema, each) > 0 : !old.has(name)
  })
  return { ...Object(trim(sample, to)), ...Object.fromEntries(kept) }
}

/** A sample without what requests must not have, and without optional lists and objects, but with all fixed values. */
export function trim(sample: unknown, schema: Schema): unknown {
  if (!isObject(sample) || typeOf(schema) !== 'object') return sample
  const variants = variantsOf(schema)
  const [{ schema: own } = { schema }] = variants.length > 0 ? variants.slice(variantOf(variants, sample)) : []
  const all = propertiesOf(own).flatMap(([name, each, isRequired]) => {
    const value = isRequired ? (fixedOf(each) ?? sample[name]) : sample[name]
    const isLeft = value === undefined || each['readOnly'] === true || (!isRequired && typeof value === 'object')
    return isLeft ? [] : [[name, trim(value, each)]]
  })
  const others = Object.entries(sample).filter(([name]) => !Object.hasOwn(Object(own['properties']), name))
  return { ...Object.fromEntries(all), ...Object.fromEntries(others) }
}
