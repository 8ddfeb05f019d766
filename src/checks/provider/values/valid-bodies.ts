/** Generates valid bodies with json-schema-faker. */
import { generateSync, type JsonSchema } from 'json-schema-faker'
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../../../document/document.js'
import { withFewRepetitions } from '../../../document/patterns/foreign-patterns.js'
import { resolve } from '../../../document/references.js'
import { hasFlag } from '../../../schemas/flatten-schema.js'
import { withName } from '../../../schemas/schema-variants.js'

/** Maximum characters, items and properties beyond the required minimum. */
const maxMore = 100
const leastOf: Record<string, string> = { maxLength: 'minLength', maxItems: 'minItems', maxProperties: 'minProperties' }

/** A recursive schema is cut at this depth. */
const maxDepth = 6

/**
 * Up to `count` valid values, always the same for the same seed. Fewer if the generator makes invalid ones.
 */
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
