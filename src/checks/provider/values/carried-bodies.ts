/** Decides which values a body can carry: a form has only texts, so a number instead of a text is a valid text. */
import type { RequestContract } from '../../../contract/contract.js'
import type { BodyContent } from '../../../contract/request-model.js'
import { isReference, type Located, type OpenApiDocument, type Schema } from '../../../document/document.js'
import { resolve } from '../../../document/references.js'
import { toRounded } from '../../../json/rounding.js'
import { isSameJson } from '../../../json/same-json.js'
import { allCodecs } from '../../../media/all-codecs.js'
import { sentTypeOf, typeParametersOf, writeBody } from '../requests/write-values.js'

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
