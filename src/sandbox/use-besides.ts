/** What operations do besides their effect. Separate, so that bundles that need none of it drop it. */
import type { BulkUse, FileUse } from '../contract/effect.js'
import type { HttpCare } from '../contract/http-care.js'
import { useCare } from './care/use-care.js'
import type { EffectInput } from './effects/effect.js'
import type { Outcome } from './outcome.js'
import { useBulk } from './use-bulk.js'
import { useFiles } from './use-files.js'

/** @param run applies the effect */
export type UseBesides = (use: FileUse | BulkUse | HttpCare, input: EffectInput, run: () => Outcome) => Outcome

export const useBesides: UseBesides = (use, input, run) => {
  if (use.kind === 'bulk') return useBulk(use, input, run)
  if (use.kind !== 'care') return useFiles(use, input, run)
  const { besides } = use
  return useCare(use, input, besides ? () => useBesides(besides, input, run) : run)
}
