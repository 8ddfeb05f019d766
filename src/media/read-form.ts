/** Decodes the fields of a form or multipart body by the types of their schemas. */
import { toJsonPointer } from '../json/json-pointer.js'
import { toRounded } from '../json/rounding.js'
import type { BodySource, DecodedBody } from './codec.js'
import {
  type Choose,
  collectFields,
  decodeFields,
  type FieldContext,
  type FilePart,
  type Pair,
  propertyType,
} from './fields.js'
import { fitReadings } from './fit-readings.js'
import { decodeFromPairs } from './value-styles.js'

export function readForm(pairs: readonly Pair[], source: BodySource): DecodedBody {
  return fitReadings((choose) => read(pairs, source, choose), source.contract.validators[source.content.validate])
}

function read(pairs: readonly Pair[], source: BodySource, choose: Choose | undefined): DecodedBody {
  const [file] = pairs.flatMap(({ value }) => (typeof value !== 'string' && 'bytes' in value ? value : []))
  const exact = decode(pairs, source, { choose, fromFile: ({ name = '' }) => name })
  if (!file) return { exact, rounded: toRounded(exact) }
  return { exact, rounded: toRounded(decode(pairs, source, { choose, fromFile: toValidated })), file }
}

function decode(
  pairs: readonly Pair[],
  { content, contract: { textTypes } }: BodySource,
  options: Omit<FieldContext, 'textTypes'>,
): Record<string, unknown> {
  const context: FieldContext = { textTypes, ...options }
  const type = textTypes[content.textType ?? -1]
  const styled: [string, unknown][] = []
  const used = new Set<string>()
  for (const [name, style] of Object.entries(content.styles ?? {})) {
    const own = { ...context, at: toJsonPointer([name]) }
    const found = decodeFromPairs(pairs, name, style, own, new Set(type?.properties?.map(([each]) => each)))
    if (!found) continue
    // Many clients repeat the name of each list.
    const { value } = (found.isRepeated && decodeFromPairs(pairs, name, { ...style, explode: true }, own)) || found
    styled.push([name, value])
    for (const each of found.names) used.add(each)
  }
  const others = pairs.filter(({ name }) => !used.has(name))
  const fields = collectFields(others, (name) => propertyType(type, name) !== undefined && isKnown(name))
  return Object.fromEntries([...Object.entries(decodeFields(fields, type, context)), ...styled])

  function isKnown(name: string): boolean {
    return type?.properties?.some(([each]) => each === name) === true
  }
}

/** The text of a file for validators, or a character for each byte. */
function toValidated({ bytes }: FilePart): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
