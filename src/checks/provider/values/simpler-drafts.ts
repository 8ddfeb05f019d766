/** Simplifies requests: fewer parameters and properties, shorter values. */
import type { ParameterPlace } from '../../../contract/request-model.js'
import { type Draft, withBody, withParameter } from '../requests/request-draft.js'

/**
 * Variants of a request that are one step simpler.
 * @param isSameCase whether a variant is still valid, or invalid in the same way
 */
export function* simplerDrafts(draft: Draft, isSameCase: (draft: Draft) => boolean): Iterable<Draft> {
  for (const candidate of candidates(draft)) if (isSameCase(candidate)) yield candidate
}

function* candidates(draft: Draft): Iterable<Draft> {
  for (const place of ['query', 'header', 'cookie'] as const satisfies ParameterPlace[]) {
    for (const name of Object.keys(draft.parameters[place])) yield withParameter(draft, place, name, undefined)
  }
  if (!draft.body || 'text' in draft.body) return
  for (const value of simplerValues(draft.body.value)) yield withBody(draft, value)
}

/** Yields simpler values, largest steps first. */
function* simplerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string') {
    const characters = [...value]
    if (characters.length > 1) yield 'a'
    if (characters.length > 3) {
      const half = Math.ceil(characters.length / 2)
      yield characters.slice(0, half).join('')
      yield characters.slice(half).join('')
    }
    if (characters.length > 1 && characters.length <= 40) {
      for (const index of characters.keys()) yield characters.filter((_, other) => other !== index).join('')
    }
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    if (value !== 1 && value !== 0) yield 1
  } else if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(0, 1)
    for (const [index, item] of value.entries())
      for (const simpler of simplerValues(item)) yield value.with(index, simpler)
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
    for (const [name, inner] of entries) {
      for (const simpler of simplerValues(inner)) yield { ...value, [name]: simpler }
    }
  }
}
