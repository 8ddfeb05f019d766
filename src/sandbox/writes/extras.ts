/** What operations do in addition to their effect: files, several records at once, links, values of an answer. */
import type { Outcome } from '../outcome.js'
import { applyEffect } from './all-effects.js'
import { withValues } from './answer-values.js'
import { applyBulk } from './bulk.js'
import type { EffectInput } from './effect-input.js'
import { applyFiles } from './files.js'
import { applyLink } from './use-link.js'

/** Applies the effect of an operation, with what it does in addition. */
export function applyExtras(input: EffectInput): Outcome {
  const { extras } = input.operation
  const use = extras?.kind === 'http' ? extras.extras : extras
  if (!use) return applyEffect(input)
  if (use.kind === 'link') return applyLink(use, input)
  if (use.kind === 'values') return withValues(use, input, applyEffect(input))
  return use.kind === 'bulk' ? applyBulk(use, input) : applyFiles(use, input)
}
