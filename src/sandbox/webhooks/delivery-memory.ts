/** Counts the memory of pending requests, and of the connections that send them. */
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import { bytesOf, type MemoryBudget } from '../../state/memory-budget.js'
import type { WorldId } from '../../state/world-id.js'
import type { PendingWebhook } from './schedule.js'

export interface DeliveryMemory {
  /** Counts a pending request until it is freed. @returns whether there is room */
  hold(pending: PendingWebhook): boolean
  free(pending: PendingWebhook): void
  /** Counts a connection for a world until it ends. @returns whether there is room */
  connect(world: WorldId): boolean
  disconnect(world: WorldId): void
}

/** Bytes of a pending request in addition to its content, and bytes of its connection. */
const ownBytes = 2 * 1024
const connectionBytes = 128 * 1024

export const noMemory =
  'there is no memory left for it: callbacks and webhooks take at most half of it, and a quarter for one world (--max-memory)'

/** Bytes of the memory for all worlds, and for each. */
interface Reserved {
  bytes: number
  ofWorlds: Map<WorldId, number>
}

/** @param memory @default not counted */
export function createDeliveryMemory(memory: MemoryBudget | undefined): DeliveryMemory {
  if (!memory) return { hold: () => true, free: () => {}, connect: () => true, disconnect: () => {} }
  /** Bytes of pending requests. */
  const taken = new Map<WebhookRequest, number>()
  // Counted separately, so that pending requests leave room for the connections that send them.
  const waiting: Reserved = { bytes: 0, ofWorlds: new Map() }
  const connected: Reserved = { bytes: 0, ofWorlds: new Map() }
  return {
    hold({ world, request }) {
      const bytes = ownBytes + bytesOf(request.url) + bytesOf(request.headers) + 2 * (request.body?.length ?? 0)
      if (!reserve(memory, waiting, world, bytes)) return false
      taken.set(request, bytes)
      return true
    },
    free({ world, request }) {
      release(memory, waiting, world, taken.get(request) ?? 0)
      taken.delete(request)
    },
    connect: (world) => reserve(memory, connected, world, connectionBytes),
    disconnect: (world) => release(memory, connected, world, connectionBytes),
  }
}

/** Limits the memory of each world, and of all worlds together. @returns whether there is room */
function reserve(memory: MemoryBudget, reserved: Reserved, id: WorldId, bytes: number): boolean {
  const { maxBytes } = memory
  const ofWorld = (reserved.ofWorlds.get(id) ?? 0) + bytes
  if (ofWorld > maxBytes / 8 || reserved.bytes + bytes > maxBytes / 4 || !memory.take(bytes)) return false
  reserved.bytes += bytes
  reserved.ofWorlds.set(id, ofWorld)
  return true
}

function release(memory: MemoryBudget, reserved: Reserved, id: WorldId, bytes: number): void {
  memory.free(bytes)
  reserved.bytes -= bytes
  const left = (reserved.ofWorlds.get(id) ?? 0) - bytes
  if (left > 0) reserved.ofWorlds.set(id, left)
  else reserved.ofWorlds.delete(id)
}
