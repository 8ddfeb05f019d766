/** Rewrites keywords of a schema so that validators follow the document. Each function modifies its argument. */

import { int64End } from '../contract/violations.js'
import { isReference, type Located, type Schema, type SchemaObject } from '../document/document.js'
import { memberOf } from '../document/tidy/object-kinds.js'
import { annotations } from '../document/tidy/tidy-schema.js'
import { exactBounds } from '../json/exact-json.js'
import { ownValue } from '../json/own-value.js'
import { toRounded } from '../json/rounding.js'
import { isOfType } from '../json/typed-value.js'
import { toComparableText } from './ajv-keywords.js'

/** Makes hidden properties optional with any value, because they are dropped. Includes the parts of the schema. */
export function hideProperties(schema: SchemaObject, hidden: ReadonlySet<string>): void {
  const { properties, required, allOf } = schema
  if (properties) {
    const entries = Object.entries(properties)
    schema.properties = Object.fromEntries(entries.map(([name, value]) => [name, hidden.has(name) ? true : value]))
  }
  if (required) schema.required = required.filter((name) => !hidden.has(name))
  if (!allOf) return
  schema.allOf = allOf.map((part) => {
    if (typeof part === 'boolean' || isReference(part) || !part.required) return part
    return { ...part, required: part.required.filter((name) => !hidden.has(name)) }
  })
}

/** Replaces integer formats by bounds, so that validators need no format. 2^63 is a double, 2^63−1 is not. */
export function withIntegerBounds(schema: SchemaObject): void {
  if (schema.format !== 'int64' && schema.format !== 'int32') return
  const end = schema.format === 'int64' ? int64End : 2 ** 31
  schema.minimum = Math.max(schema.minimum ?? -end, -end)
  schema.exclusiveMaximum = Math.min(schema.exclusiveMaximum ?? end, end)
  delete schema.format
}

/** Moves what no double can represent to the keyword that compares every digit. */
export function withExactNumbers(schema: SchemaObject): void {
  const exact: Record<string, unknown> = {}
  for (const [keyword, bound] of Object.entries(schema[exactBounds] ?? {})) exact[keyword] = String(bound)
  if (toRounded(schema.enum) !== schema.enum) exact['enum'] = schema.enum?.map(toComparableText)
  if (toRounded(schema.const) !== schema.const) exact['const'] = [toComparableText(schema.const)]
  if (Object.keys(exact).length === 0) return
  for (const keyword in exact) delete schema[keyword]
  schema[exactBounds] = exact
}

/** Writes alternatives that are all listed values as `enum`, which is as fast for thousands of them. */
export function withConstants(schema: SchemaObject, behind: (part: Schema) => Schema): void {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const lists = schema[keyword]?.map((part) => valuesOf(behind(part)))
    if (!lists?.every((values) => values !== undefined)) continue
    const counts = new Map<string, number>()
    for (const text of lists.flat().map(toComparableText)) counts.set(text, (counts.get(text) ?? 0) + 1)
    // What two alternatives allow, `oneOf` does not.
    const values = lists.flat().filter((each) => keyword === 'anyOf' || counts.get(toComparableText(each)) === 1)
    delete schema[keyword]
    schema.allOf = [...(schema.allOf ?? []), values.length > 0 ? { enum: values } : false]
  }
}

/** The values of a schema that only lists them. */
function valuesOf(schema: Schema): unknown[] | undefined {
  if (typeof schema === 'boolean') return undefined
  const { type, const: only, enum: listed = only === undefined ? undefined : [only], ...others } = schema
  const isPlain = Object.keys(others).every((keyword) => annotations.test(keyword) && keyword !== exactBounds)
  const isOwn = (value: unknown) => type === undefined || [type].flat().some((each) => isOfType(value, each))
  return isPlain && (only === undefined || !schema.enum) ? listed?.filter(isOwn) : undefined
}

/** Moves `__proto__` to a pattern, because Ajv ignores a property with this name. */
export function withPrototypeName(schema: SchemaObject): void {
  const own = ownValue(schema.properties ?? {}, '__proto__')
  if (own === undefined) return
  const others = Object.entries(schema.properties ?? {}).filter(([name]) => name !== '__proto__')
  schema.properties = Object.fromEntries(others)
  schema.patternProperties = { ...schema.patternProperties, '^__proto__$': own }
}

/** Applies a change to a schema and all nested schemas, but not to values such as those of `const`. */
export function mapSchema(schema: Located<Schema>, change: (schema: Located<SchemaObject>) => SchemaObject): Schema {
  const { value, path } = schema
  if (typeof value === 'boolean') return value
  const mapped = change({ value, path })
  const inner = (member: unknown, ...keys: (string | number)[]) =>
    mapSchema({ value: member as Schema, path: [...path, ...keys] }, change)
  for (const [keyword, member] of Object.entries(mapped)) {
    const { kind, holds } = memberOf('schema', keyword) ?? {}
    if (kind !== 'schema' || keyword === 'definitions') continue
    if (holds === 'list') mapped[keyword] = (member as Schema[]).map((item, index) => inner(item, keyword, index))
    else if (holds === 'one') mapped[keyword] = inner(member, keyword)
    else {
      const entries = Object.entries(member as object).map(([name, item]) => [name, inner(item, keyword, name)])
      mapped[keyword] = Object.fromEntries(entries)
    }
  }
  return mapped
}
