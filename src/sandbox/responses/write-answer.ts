/** Writes the bodies of answers: the only place where an outcome becomes text. */
import { undoTo } from '../../state/world-content.js'
import { type Outcome, Refusal, type WrittenOutcome } from '../outcome.js'
import type { EffectInput } from '../writes/effect-input.js'

/**
 * Runs an effect and writes its answer. Undoes the changes of a refused request.
 * @returns a refusal also if no valid body exists
 */
export function writeAnswer(input: EffectInput, run: (input: EffectInput) => Outcome): WrittenOutcome {
  const { world } = input
  const { log } = world
  const { length } = log
  let written: WrittenOutcome | undefined
  try {
    written = write(input, run(input))
    return written
  } finally {
    if (!written || written instanceof Refusal) undoTo(world, length)
    else if (log.length > length) written.changes = log.slice(length)
  }
}

function write(input: EffectInput, outcome: Outcome): WrittenOutcome {
  if (outcome instanceof Refusal || !outcome.content) return outcome
  const { status, mediaType, headers, content, cause } = outcome
  const { bytes } = content
  const body = content.text ? content.text() : bytes
  if (body === undefined) return refuseNotMade(input)
  // Copying with `...outcome` would double the time.
  return { status, mediaType, headers, content, changes: undefined, cause, body, bytes: content.text && bytes }
}

export function refuseNotMade({ operation: { method, path } }: Pick<EffectInput, 'operation'>): Refusal {
  return new Refusal('not_made', `No value satisfies the schema of the response of ${method} ${path}`)
}
