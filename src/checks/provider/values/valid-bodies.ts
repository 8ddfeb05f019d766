/** Generates valid bodies with json-schema-faker. */
import { generateSync, type JsonSchema } from 'json-schema-faker'
import type { RequestContract } from '../../../contract/contract.js'
import type { BodyContent } from '../../../contract/request-model.js'
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../../../document/document.js'
import { withFewRepetitions } from '../../../document/patterns/foreign-patterns.js'
import { resolve } from '../../../document/references.js'
import { toRounded } from '../../../json/rounding.js'
import { isSameJson } from '../../../json/same-json.js'
import { allCodecs } from '../../../media/all-codecs.js'
import { hasFlag } from '../../../schemas/flatten-schema.js'
import { withName } from '../../../schemas/schema-variants.js'
import { sentTypeOf, typeParametersOf, writeBody } from '../requests/write-values.js'

/** Maximum characters, items and properties beyond the required minimum. */
const maxMore = 100
const leastOf: Record<string, string> = { maxLength: 'minLength', maxItems: 'minItems', maxProperties: 'minProperties' }

/** A recursive schema is cut at this depth. */
const maxDepth = 6

/** Up to `count` valid values, always the same for the same seed. Fewer if the generator makes invalid ones. */
export function generateBodies(
  document: OpenApiDocument,
  schema: Located<Schema>,
  isValid: (value: unknown) => boolean,
  { count, seed }: { count: number; seed: number },
): unknown[] {
  const plain = toPlain(document, schema.value, 0)
  const bodies: unknown[] = []
  for (let attempt = 0; attempt < count * 4 && bodies.length < count; attempt++) {
    const value = tryToGenerate(plain, seed * 1000 + attempt)
    if (value !== undefined && isValid(value)) bodies.push(value)
  }
  return bodies
}

function tryToGenerate(schema: JsonSchema, seed: number): unknown {
  try {
    return generateSync(schema, { seed, optionalsProbability: 0.5 })
  } catch {
    return undefined
  }
}

/** A copy without `$ref`s, `readOnly` properties and integer formats, none of which the generator supports. */
function toPlain(document: OpenApiDocument, schema: Schema, depth: number): JsonSchema {
  if (typeof schema === 'boolean') return schema
  if (depth > maxDepth) return {}
  if (isReference(schema)) {
    const { $ref, ...siblings } = schema
    const target = toPlain(document, resolve<Schema>(document, { $ref }, []).value, depth + 1)
    const others = toPlain(document, siblings as Schema, depth + 1)
    return Object.keys(siblings).length === 0 ? target : { allOf: [target, others] }
  }
  const mapped = Object.entries(schema).map(([keyword, member]) => [keyword, mapMember(keyword, member)] as const)
  return Object.fromEntries(mapped.filter(([keyword]) => keyword !== 'format' || !isInteger(schema))) as JsonSchema

  function mapMember(keyword: string, member: unknown): unknown {
    if (['allOf', 'oneOf', 'anyOf', 'prefixItems'].includes(keyword)) {
      const isAlternative = keyword === 'oneOf' || keyword === 'anyOf'
      const named = (each: Schema) => (isAlternative ? withName(document, schema as SchemaObject, each) : each)
      return (member as Schema[]).map((each) => toPlain(document, named(each), depth + 1))
    }
    if (keyword === 'properties' || keyword === 'patternProperties') {
      // Callers must not send `readOnly` properties.
      const entries = Object.entries(member as Record<string, Schema>).filter(
        ([, each]) => !hasFlag(document, { value: each, path: [] }, 'readOnly'),
      )
      return Object.fromEntries(entries.map(([name, each]) => [name, toPlain(document, each, depth + 1)]))
    }
    if (keyword === 'pattern' && typeof member === 'string') return withFewRepetitions(member)
    const least = leastOf[keyword]
    // The generator makes any number up to the bound, which can be millions.
    if (least !== undefined && typeof member === 'number') {
      return Math.min(member, Number((schema as SchemaObject)[least] ?? 0) + maxMore)
    }
    if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not') {
      return toPlain(document, member as Schema, depth + 1)
    }
    return member
  }
}

function isInteger({ type }: { type?: string | string[] }): boolean {
  return [type].flat().includes('integer')
}

/** Whether a service that follows the document reads the same value from the body. */
export function canCarryBody(value: unknown, content: BodyContent, contract: RequestContract): boolean {
  if (content.codec === 'binary') return typeof value === 'string' && value !== ''
  if (content.codec !== 'form' && content.codec !== 'multipart' && content.codec !== 'text') return true
  const text = writeBody(value, content, contract)
  const contentType = sentTypeOf(content) + typeParametersOf(content)
  try {
    const { rounded } = allCodecs[content.codec].decode(text, {
      bytes: new TextEncoder().encode(text),
      contentType,
      content,
      contract,
    })
    return isSameJson(rounded, toRounded(value))
  } catch {
    return false
  }
}

/** Maximum characters, items or properties of a generated value. */
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

/** A copy for generating values, without size bounds beyond the maximum. */
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

/** The bounds in a schema that are too large for generated values, e.g. `maxLength 2147483647`. */
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
