/** Bounds the sizes of values that are made for requests: a bound of 2^31 characters must not make a text of 4 GiB. */
import { isReference, type Located, type OpenApiDocument, type Schema } from '../../../compile/document.js'
import { resolve } from '../../../compile/references.js'

/** Most characters, items or properties of a value that is made. */
const mostByKeyword: Readonly<Record<string, number>> = {
  minLength: 65_536,
  maxLength: 65_536,
  minItems: 10_000,
  maxItems: 10_000,
  minProperties: 10_000,
  maxProperties: 10_000,
}

/** Keywords whose members have names that the document chooses. */
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'schemas']
/** Keywords with values, not schemas. */
const literals = ['example', 'examples', 'default', 'const', 'enum', 'value']

/** A copy without bounds on sizes beyond those of a value that is made. Only values are made from it. */
export function withBoundedSizes(document: OpenApiDocument): OpenApiDocument {
  return copy(document, false) as OpenApiDocument
}

function copy(value: unknown, isMap: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copy(item, false))
  const members = Object.entries(value).filter(([name, inner]) => isMap || !isBeyond(name, inner))
  return Object.fromEntries(
    members.map(([name, inner]) => {
      const isLiteral = !isMap && literals.includes(name)
      return [name, isLiteral ? inner : copy(inner, !isMap && maps.includes(name))]
    }),
  )
}

function isBeyond(keyword: string, value: unknown): boolean {
  return typeof value === 'number' && Object.hasOwn(mostByKeyword, keyword) && value > (mostByKeyword[keyword] ?? 0)
}

/** The bounds in a schema that no value is made for, e.g. `maxLength 2147483647`. */
export function untestedBounds(document: OpenApiDocument, schema: Located<Schema>): string[] {
  const found = new Set<string>()
  const seen = new Set<unknown>()
  visit(schema.value, false)
  return [...found]

  function visit(value: unknown, isMap: boolean): void {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (!isMap && isReference(value)) visit(resolve<Schema>(document, value, schema.path).value, false)
    for (const [name, inner] of Object.entries(value)) {
      if (!isMap && isBeyond(name, inner)) found.add(`${name} ${inner}`)
      else if (isMap || !literals.includes(name)) visit(inner, !isMap && maps.includes(name))
    }
  }
}
