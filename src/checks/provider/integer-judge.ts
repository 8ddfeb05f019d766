/** Finds integers in a response that do not fit their documented format, int32 or int64. Compares every digit. */

import { describeOperations, jsonContent } from '../../compile/describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../../compile/document.js'
import { type FlatSchema, flattenSchema } from '../../compile/schemas/flatten-schema.js'
import type { Operation } from '../../contract/contract.js'

/** Returns one entry per integer that is out of range: where it is in the body, and what is wrong. */
export type IntegerJudge = (operation: Operation, status: string, body: unknown) => { at: string; message: string }[]

/** Bits of a format, without the sign. */
const bits: Record<string, bigint> = { int32: 31n, int64: 63n }

/** Reads the documented response schemas of all operations. */
export function createIntegerJudge(document: OpenApiDocument): IntegerJudge {
  const known = new Map<Schema, FlatSchema>()
  const operations = new Map(describeOperations(document).map((operation) => [operation.id, operation]))
  return (operation, status, body) => {
    const responses = operations.get(operation.id)?.responses ?? new Map()
    const response = [...responses].find(([documented]) => documented.toUpperCase() === status.toUpperCase())?.[1]
    const json = response && jsonContent(response.value.content, response.path)
    if (!json?.value.schema) return []
    const found: { at: string; message: string }[] = []
    visit({ value: json.value.schema, path: [...json.path, 'schema'] }, body, 'body')
    return found

    /** Each schema is flattened once, not for each value. */
    function flatten(schema: Located<Schema>): FlatSchema {
      const flat = known.get(schema.value) ?? flattenSchema(document, schema)
      known.set(schema.value, flat)
      return flat
    }

    function visit(schema: Located<Schema>, value: unknown, at: string): void {
      const { keywords, items, properties } = flatten(schema)
      if (Array.isArray(value)) {
        if (items) for (const item of value) visit(items, item, `${at}[]`)
      } else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          const property = properties.get(name)
          if (property) visit(property, inner, `${at}.${name}`)
        }
      } else if (isBeyond(value, bits[keywords.format ?? ''])) {
        found.push({ at, message: `${at} is ${value}, which is beyond ${keywords.format}` })
      }
    }
  }
}

function isBeyond(value: unknown, exponent: bigint | undefined): boolean {
  if (exponent === undefined || !(typeof value === 'bigint' || Number.isInteger(value))) return false
  const integer = BigInt(value as number | bigint)
  return integer < -(2n ** exponent) || integer >= 2n ** exponent
}
