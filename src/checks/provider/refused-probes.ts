/** Counts the requests that the provider refused for its own reasons, so that a probe was made in another way or not at all. */
import { shorten } from '../../contract/violations.js'
import type { UniqueExchange } from './send-unique.js'

export interface RefusedProbes {
  /** @param refused the request that the provider refused */
  add(refused: UniqueExchange): void
  /** @param exchange a request that was sent in place of another one */
  addReplacement(exchange: UniqueExchange): void
  /** One sentence for each operation and status, without a full stop. */
  sentences(): string[]
}

/** Starts with none. */
export function countRefusedProbes(): RefusedProbes {
  const reasons = new Map<string, { count: number; example: string }>()
  const replaced = new Map<string, number>()
  return {
    add({ request, response, varied }) {
      if ('why' in response) return
      const { method, path } = varied.draft.operation
      const { status } = response
      const reason = `${method} ${path} answered ${describe(status)}`
      const { count = 0, example } = reasons.get(reason) ?? {}
      reasons.set(reason, {
        count: count + 1,
        example: example ?? shorten(request.body ?? new URL(request.url).pathname),
      })
    },
    addReplacement({ varied, replacedStatus = 0 }) {
      const { method, path } = varied.draft.operation
      const reason = `${method} ${path} answered ${describe(replacedStatus)}`
      replaced.set(reason, (replaced.get(reason) ?? 0) + 1)
    },
    sentences: () => [
      ...[...reasons].map(([reason, { count, example }]) =>
        count === 1
          ? `1 probe could not be made: ${reason} to ${example}`
          : `${count} probes could not be made: ${reason} to requests such as ${example}`,
      ),
      ...[...replaced].map(([reason, count]) =>
        count === 1
          ? `1 request was sent again with other values, as ${reason}`
          : `${count} requests were sent again with other values, as ${reason}`,
      ),
    ],
  }
}

function describe(status: number): string {
  return status < 300 ? `${status} with another record` : String(status)
}
