/** Reads `x-sandbox-effect`, by which authors correct what is inferred for an operation. */
import { suggestion } from '../../../contract/suggest-closest.js'
import { DocumentProblem } from '../../../document/document.js'
import type { DescribedOperation } from '../../describe-operations.js'
import { checkCorrection } from './check-correction.js'
import { type comparisons, effectVocabulary } from './vocabulary.js'

export const effectName = 'x-sandbox-effect'

export interface FilterCorrection {
  property: string
  compare?: (typeof comparisons)[number]
  unset?: string[]
  all?: string[]
}

/** What the vocabulary of `x-sandbox-effect` allows. */
export interface EffectCorrection {
  effect?: string
  collection?: string
  key?: string
  parameter?: string
  list?: string
  record?: string
  request?: string
  page?: Partial<Record<'size' | 'offset' | 'page' | 'cursor' | 'after' | 'before', string>> & {
    first?: number
    standard?: number
    order?: string
  }
  filters?: Record<string, string | FilterCorrection>
  changes?: Record<string, unknown>
  needs?: Record<string, unknown>
  related?: Record<string, Record<string, unknown>>
  answer?: Record<string, unknown>
  headers?: Record<string, string>
  repeated?: Record<string, string>
  errors?: Record<string, number | { status?: number; code?: string; body?: unknown }>
  starts?: string
  method?: string
}

/** @throws DocumentProblem for an invalid correction */
export function readEffect({ value, at }: DescribedOperation): EffectCorrection | undefined {
  const written: unknown = value[effectName]
  if (written === undefined) return undefined
  checkCorrection(effectName, written, effectVocabulary, [...at, effectName])
  return typeof written === 'string' ? { effect: written } : (written as EffectCorrection)
}

/** @param at the members that lead to the text @throws DocumentProblem with the closest name for a text that is not known */
export function checkName(
  operation: Pick<DescribedOperation, 'at'>,
  at: readonly string[],
  text: string,
  known: Iterable<string>,
  what: string,
): void {
  const names = [...known]
  if (names.includes(text)) return
  const message = `${[effectName, ...at].join('.')}: there is no ${what} "${text}"${suggestion(text, names)}`
  throw new DocumentProblem(message, [...operation.at, effectName, ...at])
}
