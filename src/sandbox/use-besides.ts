/** What operations do besides their effect. Separate, so that bundles that need none of it drop it. */
import type { BulkUse, FileUse } from '../contract/effect.js'
import type { EffectInput } from './effects/effect.js'
import type { Outcome } from './outcome.js'
import { useBulk } from './use-bulk.js'
import { useFiles } from './use-files.js'

/** @param run applies the effect */
export type UseBesides = (use: FileUse | BulkUse, input: EffectInput, run: () => Outcome) => Outcome

export const useBesides: UseBesides = (use, input, run) =>
  use.kind === 'bulk' ? useBulk(use, input, run) : useFiles(use, input, run)
