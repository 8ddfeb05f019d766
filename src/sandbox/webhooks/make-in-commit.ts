/** Makes the callbacks and webhooks of a request when its effect is applied, so that a store gets both in one commit. */
import { type Entry, type Exchange, toExchange } from '../../state/journal.js'
import type { KeptWebhook } from '../../state/kept-webhooks.js'
import { putWebhook } from '../../state/world-content.js'
import type { ApplyInput } from '../apply.js'
import type { Engine, EngineParts } from '../create-engine.js'
import type { Progress } from '../finish.js'
import type { Steps } from '../handle.js'
import type { WrittenOutcome } from '../outcome.js'
import type { TimedWebhook } from './schedule.js'

/** What follows an exchange: a pending request, or why it is not sent. */
export type Made = TimedWebhook | UnsentWebhook

export interface UnsentWebhook extends Pick<TimedWebhook, 'world' | 'name' | 'operation'> {
  method: string
  why: string
}

/** The webhooks of a request. */
export interface Making {
  progress: Progress
  /** @param outcome the outcome as it was sent */
  make(exchange: Exchange, outcome: WrittenOutcome): readonly Made[]
  /** What was made. Committed if the effect is. */
  made?: readonly Made[]
  isCommitted?: boolean
}

export interface MakeInCommits {
  /** The parts of an engine that makes webhooks in commits. */
  parts: EngineParts
  /** The requests that webhooks may follow, by their progress. */
  makings: WeakMap<object, Making>
  /** @param toKept returns a webhook for the store */
  start(
    engine: Pick<Engine, 'worlds' | 'journal'>,
    known: Set<string>,
    toKept: (made: TimedWebhook) => KeptWebhook,
  ): void
  /** Gives an exchange the next number. Deliveries are named by it, because some are made before their exchange is in the journal. */
  withNumber(exchange: Exchange): Exchange
}

export function isPending(made: Made): made is TimedWebhook {
  return 'request' in made
}

/** The id of a delivery is in its last header. */
export function deliveryOf({ request }: Pick<TimedWebhook, 'request'>): string {
  return request.headers.at(-1) ?? ''
}

/** Forgets webhooks that were made and not committed. */
export function forgetMade({ made = [] }: Making, known: Set<string>): void {
  for (const each of made) if (isPending(each)) known.delete(deliveryOf(each))
}

export function makeInCommits(parts: EngineParts): MakeInCommits {
  const makings: MakeInCommits['makings'] = new WeakMap()
  let count = 0
  const withNumber = (exchange: Exchange): Exchange => ({ ...exchange, id: ++count })
  let applyMaking = (input: ApplyInput, { apply }: Steps): ReturnType<Steps['apply']> => apply(input)
  return {
    parts: {
      ...parts,
      wrapSteps(given) {
        const steps = parts.wrapSteps?.(given) ?? given
        return { ...steps, apply: (input) => applyMaking(input, steps) }
      },
    },
    makings,
    withNumber,
    start({ worlds, journal }, known, toKept) {
      const { attempt } = worlds
      const { add } = journal
      let isInside = false
      let shown: Entry | undefined
      // The steps run within an attempt that is wider than their own, and show the exchange before it is in the journal.
      worlds.attempt = (world, run, context) => (isInside ? run() : attempt(world, run, context))
      journal.add = (entry, outcome) => {
        if (isInside) shown = entry
        else add(entry, outcome)
      }

      /** Applies an effect, and makes what follows its exchange. */
      function run(input: ApplyInput, { apply, negotiate, finish }: Steps, making: Making): WrittenOutcome {
        const { operation, request, world } = input
        forgetMade(making, known)
        isInside = true
        try {
          const outcome = apply(input) as WrittenOutcome
          const represent = operation.representations && negotiate?.(request, operation, operation.representations)
          let end = outcome
          const onEnd = (ended: WrittenOutcome) => {
            end = ended
          }
          finish(request, { ...making.progress, onEnd }, typeof represent === 'function' ? represent(outcome) : outcome)
          making.made = making.make(withNumber(toExchange(shown as Entry)), end)
          for (const each of making.made.filter(isPending)) {
            const kept = toKept(each)
            each.claim = kept.claim
            known.add(deliveryOf(each))
            putWebhook(world, deliveryOf(each), kept)
          }
          return outcome
        } finally {
          isInside = false
        }
      }

      applyMaking = (input, steps) => {
        const { world, context } = input
        const making = makings.get(context.progress)
        if (!making) return steps.apply(input)
        const applied = attempt(world, () => run(input, steps, making), context)
        const commit = (outcome: WrittenOutcome) => {
          making.isCommitted = true
          return outcome
        }
        return applied instanceof Promise ? applied.then(commit) : commit(applied)
      }
    },
  }
}
