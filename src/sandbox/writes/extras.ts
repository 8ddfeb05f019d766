/** What operations do in addition to their effect. A separate file, so that bundles without extras drop it. */
import type { Operation } from '../../contract/contract.js'
import type { BulkUse, FileUse, LinkUse, ValueUse } from '../../contract/effects/effect.js'
import type { HttpSemantics } from '../../contract/http/http-semantics.js'
import { applyHttp } from '../http/apply-http.js'
import type { Outcome, WrittenOutcome } from '../outcome.js'
import { noBody } from '../request/read-body.js'
import { writeAnswer } from '../responses/write-answer.js'
import { allEffects } from './all-effects.js'
import { withValues } from './answer-values.js'
import { useBulk } from './bulk.js'
import { type ApplyEffect, type EffectInput, modelOf } from './effect-input.js'
import { useFiles } from './files.js'
import { useLink } from './use-link.js'

/** @param run applies the effect */
export type UseExtras = (
  use: FileUse | BulkUse | LinkUse | ValueUse | HttpSemantics,
  input: EffectInput,
  run: () => Outcome,
) => WrittenOutcome

export const useExtras: UseExtras = (use, input, run) => {
  const inner = use.kind === 'http' ? use.extras : use
  const runInner = inner ? () => useOne(inner, input, run) : run
  const apply = () => writeAnswer(input, runInner)
  return use.kind === 'http' ? applyHttp(use, input, apply, () => readTarget(input)) : apply()
}

function useOne(use: FileUse | BulkUse | LinkUse | ValueUse, input: EffectInput, run: () => Outcome): Outcome {
  if (use.kind === 'link') return useLink(use, input, run)
  if (use.kind === 'values') return withValues(use, input, run())
  return use.kind === 'bulk' ? useBulk(use, input, run) : useFiles(use, input, run)
}

/** Answers GET at the path of a request, without a query. @returns undefined if no operation does */
function readTarget(input: EffectInput): WrittenOutcome | undefined {
  const { contract, operation, server, request } = input
  const reads = ({ method, path, servers }: Operation) =>
    method === 'GET' && path === operation.path && servers.includes(server)
  const found = contract.operations.find(reads)
  if (!found) return undefined
  const { effect, extras } = found
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
  const inner = extras?.kind === 'http' ? extras.extras : extras
  return inner ? useExtras(inner, read, run) : writeAnswer(read, run)
}
