/** What operations do besides their effect. Separate, so that bundles that need none of it drop it. */
import type { Operation } from '../../contract/contract.js'
import type { BulkUse, FileUse } from '../../contract/effects/effect.js'
import type { HttpCare } from '../../contract/http/http-semantics.js'
import { useCare } from '../http/apply-http.js'
import type { Outcome } from '../outcome.js'
import { noBody } from '../request/read-body.js'
import { allEffects } from './all-effects.js'
import { useBulk } from './bulk.js'
import { type ApplyEffect, type EffectInput, modelOf } from './effect.js'
import { useFiles } from './files.js'

/** @param run applies the effect */
export type UseBesides = (use: FileUse | BulkUse | HttpCare, input: EffectInput, run: () => Outcome) => Outcome

export const useBesides: UseBesides = (use, input, run) => {
  if (use.kind === 'bulk') return useBulk(use, input, run)
  if (use.kind !== 'care') return useFiles(use, input, run)
  const { besides } = use
  const runInner = besides ? () => useBesides(besides, input, run) : run
  return useCare(use, input, runInner, () => readTarget(input))
}

/** Answers GET at the path of a request, without a query. @returns undefined if no operation does */
function readTarget(input: EffectInput): Outcome | undefined {
  const { contract, operation, server, request } = input
  const reads = ({ method, path, servers }: Operation) =>
    method === 'GET' && path === operation.path && servers.includes(server)
  const found = contract.operations.find(reads)
  if (!found) return undefined
  const { effect, besides } = found
  const model =
    'collection' in effect && effect.collection !== undefined ? modelOf(contract, effect.collection) : input.model
  const read = {
    ...input,
    operation: found,
    effect,
    model,
    query: '',
    request: { ...request, query: {}, body: noBody },
  }
  const run = () => (allEffects[effect.kind] as ApplyEffect<typeof effect>)(read)
  const inner = besides?.kind === 'care' ? besides.besides : besides
  return inner ? useBesides(inner, read, run) : run()
}
