/** Callbacks and webhooks that are still to be sent. */
import type { RequestContract } from '../../contract/contract.js'
import type { Clock } from '../../state/clock.js'
import type { WritableJournal } from '../../state/journal.js'
import type { KeptWebhook } from '../../state/kept-webhooks.js'
import type { WorldId } from '../../state/world-id.js'
import type { Worlds } from '../worlds.js'

/** The parts of an engine that its webhooks need. */
export interface WebhookEngine {
  contract: RequestContract
  journal: WritableJournal
  worlds: Worlds
  clock: Clock
  onUnexpectedError: (error: unknown) => void
}

export interface PendingWebhook extends KeptWebhook {
  world: WorldId
  /** The attempt has begun, but it is unknown whether it arrived. */
  isBegun?: true
}

/** A pending request, with the clock that decides when it is sent. */
export type TimedWebhook = PendingWebhook & { clock: Clock }

export interface Deliveries {
  /** The requests of a world that wait until they are sent. */
  pending(id: WorldId): readonly PendingWebhook[]
  /** Sends what is due after a clock was moved. @param id of a world. @default all worlds */
  check(id?: WorldId): void
  /** Discards pending requests after the state was replaced. @param id of a world. @default all worlds */
  cancel(id?: WorldId): void
  /** Stops sending. @returns the pending requests */
  close(): PendingWebhook[]
  /** Takes over the pending requests of another sandbox. */
  add(pending: readonly PendingWebhook[]): void
}

/** What follows an exchange: a pending request, or why it is not sent. */
export type Made = TimedWebhook | UnsentWebhook

interface UnsentWebhook extends Pick<TimedWebhook, 'world' | 'name' | 'operation'> {
  method: string
  why: string
}

export function isPending(made: Made): made is TimedWebhook {
  return 'request' in made
}

/** The id of a delivery is in its last header. */
export function deliveryOf({ request }: Pick<TimedWebhook, 'request'>): string {
  return request.headers.at(-1) ?? ''
}
