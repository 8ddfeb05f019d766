/** Counts requests that no client can send. They say nothing about the provider. */
import type { Operation } from '../../contract/contract.js'

export interface UnsentRequests {
  /** @param why continues a sentence about the operation, without a full stop */
  add(operation: Operation, why: string): void
  /** One sentence for each operation and reason, without a full stop. */
  sentences(): string[]
}

/** Starts with none. */
export function countUnsentRequests(): UnsentRequests {
  const counts = new Map<string, number>()
  return {
    add({ id }, why) {
      const reason = `${id} ${why}`
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    },
    sentences: () =>
      [...counts].map(([reason, count]) =>
        count === 1 ? `1 request was not sent: ${reason}` : `${count} requests were not sent: ${reason}`,
      ),
  }
}
