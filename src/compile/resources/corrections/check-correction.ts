/** Checks a correction by its vocabulary, with the line and the nearest right name of what is wrong. */
import { suggestion } from '../../../contract/suggest-closest.js'
import { type DocumentPath, DocumentProblem } from '../../../document/document.js'
import { quoteValue } from '../../../document/quote-value.js'
import { isObject } from '../../../json/own-value.js'
import type { Vocabulary } from './vocabulary.js'

/** @param name of the extension @throws DocumentProblem for what the vocabulary does not have */
export function checkCorrection(name: string, value: unknown, vocabulary: Vocabulary, at: DocumentPath): void {
  const { title, type, enum: allowed, pattern, minimum, maximum, anyOf } = vocabulary
  const refuse = (why: string, path = at) => {
    throw new DocumentProblem(`${name} ${why}`, path)
  }
  const got = `(got ${quoteValue(value)})`
  if (anyOf) {
    const branch = anyOf.find((each) => ('const' in each ? each.const === value : !each.type || isOf(value, each.type)))
    if (!branch) refuse(`must be ${title} ${got}`)
    else if (!('const' in branch)) checkCorrection(name, value, branch, at)
    return
  }
  if (type && !isOf(value, type)) refuse(`must be ${(type !== 'string' && title) || `a ${type}`} ${got}`)
  if (allowed && !allowed.includes(value)) {
    const names = allowed.map(String)
    refuse(`must be one of ${names.join(', ')} ${got}${suggestion(String(value), names)}`)
  }
  const isWrong = typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value) // unmeasured: a pattern of the schema of corrections
  const isBeyond = typeof value === 'number' && (value < (minimum ?? value) || value > (maximum ?? value))
  if (isWrong || isBeyond) refuse(`must be ${title} ${got}`)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkCorrection(name, item, vocabulary.items ?? {}, [...at, index])
  } else if (isObject(value) && type === 'object') checkMembers(name, value, vocabulary, at)
}

function checkMembers(
  name: string,
  value: Record<string, unknown>,
  { properties = {}, additionalProperties, required = [] }: Vocabulary,
  at: DocumentPath,
): void {
  const known = Object.keys(properties)
  const lost = required.find((member) => !Object.hasOwn(value, member))
  if (lost !== undefined) throw new DocumentProblem(`${name} has no "${lost}"`, at)
  for (const [member, inner] of Object.entries(value)) {
    const own = Object.hasOwn(properties, member) ? properties[member] : additionalProperties
    const path = [...at, member]
    if (!own) throw new DocumentProblem(`${name} has no member "${member}"${suggestion(member, known)}`, path)
    checkCorrection(`${name}.${member}`, inner, own, path)
  }
}

function isOf(value: unknown, type: NonNullable<Vocabulary['type']>): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value) && !Array.isArray(value)
  return typeof value === type
}
