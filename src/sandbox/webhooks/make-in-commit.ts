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

export interface UnsentWebhook extends Pick<TimedWebhook, 'key' | 'name' | 'operation'> {
  method: string
  why: string
}

/** @param outcome the outcome of the request as it was sent */
export type MakeWebhooks = (exchange: Exchange, outcome: WrittenOutcome) => readonly Made[]

/** Returns a webhook for a store, claimed if it is due at once and several programs share the store. */
export type ClaimWebhook = (webhook: TimedWebhook) => KeptWebhook

/** Makes webhooks in commits. */
export interface MakingInCommits {
  /** The parts of an engine that does so. */
  parts: EngineParts
  /** @param known gets the ids of what is made @param claim claims what is due at once */
  start(engine: Pick<Engine, 'worlds' | 'journal'>, known: Set<string>, claim: ClaimWebhook): MadeInCommits
}

export interface MadeInCommits {
  /** Makes the webhooks of a request when its effect is applied. */
  expect(progress: Progress, make: MakeWebhooks): void
  /** Returns what was committed with the effect of a request. Undefined: nothing was, because it had none. */
  take(progress: Progress): readonly Made[] | undefined
  /** Gives an exchange the next number. Deliveries are named by it, because some are made before their exchange is in the journal. */
  withNumber(exchange: Exchange): Exchange
}

/** A request whose webhooks are made when its effect is applied. */
interface Expected {
  progress: Progress
  make: MakeWebhooks
  made: readonly Made[]
  isCommitted: boolean
}

export function isPending(made: Made): made is TimedWebhook {
  return 'request' in made
}

/** The id of a delivery is in its last header. */
export function deliveryOf({ request }: Pick<TimedWebhook, 'request'>): string {
  return request.headers.at(-1) ?? ''
}

export function makeInCommits(parts: EngineParts): MakingInCommits {
  const expected = new WeakMap<object, Expected>()
  let applyExpected: ((input: ApplyInput, steps: Steps, request: Expected) => ReturnType<Steps['apply']>) | undefined

  return {
    parts: {
      ...parts,
      wrapSteps(given) {
        const steps = parts.wrapSteps?.(given) ?? given
        const apply: Steps['apply'] = (input) => {
          const request = expected.get(input.context.progress)
          return request && applyExpected ? applyExpected(input, steps, request) : steps.apply(input)
        }
        return { ...steps, apply }
      },
    },
    start({ worlds, journal }, known, claim) {
      const { attempt } = worlds
      const { add } = journal
      let isInside = false
      let shown: Entry | undefined
      let count = 0
      // The steps run within an attempt that is wider than their own, and show the exchange before it is in the journal.
      worlds.attempt = (world, run, context) => (isInside ? run() : attempt(world, run, context))
      journal.add = (entry) => {
        if (isInside) shown = entry
        else add(entry)
      }

      const withNumber = (exchange: Exchange): Exchange => ({ ...exchange, id: ++count })

      function forget({ made }: Expected): void {
        for (const each of made) if (isPending(each)) known.delete(deliveryOf(each))
      }

      /** Applies an effect, and shows its exchange. */
      function run({ input, steps, request }: { input: ApplyInput; steps: Steps; request: Expected }): WrittenOutcome {
        const { operation, request: sent, world } = input
        const { negotiate, finish } = steps
        forget(request)
        isInside = true
        try {
          const outcome = steps.apply(input) as WrittenOutcome
          const represent = operation.representations && negotiate?.(sent, operation, operation.representations)
          let end = outcome
          const onEnd = (ended: WrittenOutcome) => {
            end = ended
          }
          finish(sent, { ...request.progress, onEnd }, typeof represent === 'function' ? represent(outcome) : outcome)
          request.made = request.make(withNumber(toExchange(shown as Entry)), end)
          for (const each of request.made.filter(isPending)) {
            const id = deliveryOf(each)
            known.add(id)
            const kept = claim(each)
            each.claim = kept.claim
            putWebhook(world, id, kept)
          }
          return outcome
        } finally {
          isInside = false
        }
      }

      applyExpected = (input, steps, request) => {
        const applied = attempt(input.world, () => run({ input, steps, request }), input.context)
        const commit = (outcome: WrittenOutcome) => {
          request.isCommitted = true
          return outcome
        }
        return applied instanceof Promise ? applied.then(commit) : commit(applied)
      }

      return {
        withNumber,
        expect(progress, make) {
          expected.set(progress, { progress, make, made: [], isCommitted: false })
        },
        take(progress) {
          const request = expected.get(progress)
          expected.delete(progress)
          if (request?.isCommitted) return request.made
          if (request) forget(request)
          return undefined
        },
      }
    },
  }
}
