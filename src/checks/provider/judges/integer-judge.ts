/** Finds integers in a response that do not fit their documented format, int32 or int64. Compares every digit. */
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { getOrInsert } from '../../../json/own-value.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'

/** Returns one entry per place with an integer that is out of range: where it is in the body, and what is wrong. */
export type IntegerJudge = (schema: Located<Schema>, body: unknown) => { at: string; message: string }[]

/** Bits of a format, without the sign. */
const bits: Record<string, bigint> = { int32: 31n, int64: 63n }

/** Reads the schemas of responses when they are first needed. */
export function createIntegerJudge(document: OpenApiDocument): IntegerJudge {
  const known = new Map<Schema, FlatSchema>()
  return (schema, body) => {
    const found = new Map<string, { at: string; message: string }>()
    visit(schema, body, 'body')
    return [...found.values()]

    function visit(schema: Located<Schema>, value: unknown, at: string): void {
      // Each schema is flattened once, not for each value.
      const flat = getOrInsert(known, schema.value, () => flattenSchema(document, schema))
      const { keywords, items, properties } = flat
      if (Array.isArray(value)) {
        if (items) for (const item of value) visit(items, item, `${at}[]`)
      } else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          const property = properties.get(name)
          if (property) visit(property, inner, `${at}.${name}`)
        }
      } else if (isBeyond(value, bits[keywords.format ?? ''])) {
        getOrInsert(found, at, () => ({ at, message: `${at} is ${value}, which is beyond ${keywords.format}` }))
      }
    }
  }
}

function isBeyond(value: unknown, exponent: bigint | undefined): boolean {
  if (exponent === undefined || !(typeof value === 'bigint' || Number.isInteger(value))) return false
  const integer = BigInt(value as number | bigint)
  return integer < -(2n ** exponent) || integer >= 2n ** exponent
}
