/** Words for values and conditions in messages. */
import { toJson } from '../../../json/exact-json.js'
import type { Excess } from '../excess.js'
import type { SchemaView } from '../schema-view.js'

const maxListed = 5

/** `"a", "b" and 3 more` */
export function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, maxListed).map((value) => toJson(value) ?? 'undefined')
  const rest = values.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

export function verbFor(all: readonly unknown[]): string {
  return all.length === 1 ? 'is' : 'are'
}

/** `string or null`; `anything` for all types. */
export function listTypes({ types, conditions }: SchemaView): string {
  if (types.size >= 6) return 'anything'
  if (types.size === 0) return 'nothing'
  const names = [...types].map((type) => (type === 'number' && conditions.has('integer') ? 'integer' : type))
  return names.join(' or ')
}

const limits: Record<string, string> = {
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  minLength: 'at least characters',
  maxLength: 'at most characters',
  minItems: 'at least items',
  maxItems: 'at most items',
  minProperties: 'at least properties',
  maxProperties: 'at most properties',
}

/** `at most 40 characters` */
export function describeLimit(keyword: string, limit: number): string {
  const [, words, unit] = /^(\w+ \w+) ?(.*)$/s.exec(limits[keyword] ?? keyword) ?? []
  return `${words} ${limit}${unit ? ` ${limit === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit}` : ''}`
}

/** The limit of the one version, and that of the other in words: `at most 40 characters, not 80`. */
export function describeLimits({ kind, limits: [own, other] = [undefined, 0] }: Excess): string {
  return `${describeLimit(kind, other)}${own === undefined ? '' : `, not ${own}`}`
}
