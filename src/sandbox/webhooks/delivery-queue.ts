/** Does the work of one world at one place in order, and all other work concurrently. */
import { getOrInsert } from '../../json/own-value.js'
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import { bytesOf, type MemoryBudget } from '../../state/memory-budget.js'
import type { WorldId } from '../../state/world-id.js'
import type { PendingWebhook } from './schedule.js'

export interface DeliveryQueueOptions<Item> {
  /** The place of an item. Items of a world at the same place are done one after another. */
  placeOf(item: Item): string
  /** @param signal aborted when the work is no longer needed */
  work(item: Item, signal: AbortSignal): Promise<void>
  onError(error: unknown): void
}

/** An item that was not done. */
export interface Undone<Item> {
  item: Item
  /** Whether its work began. */
  isBegun: boolean
}

export interface DeliveryQueue<Item> {
  add(item: Item): void
  /** Adds an item before all items that are due later. */
  addByTime(item: Item): void
  /** Ends all work of a world. @default of all worlds. @returns what was not done */
  stop(id?: WorldId): Undone<Item>[]
}

/** The work of one world. */
interface World<Item> {
  controller: AbortController
  /** Items by place. The first item of each place is in progress. */
  places: Map<string, Item[]>
}

export function createDeliveryQueue<Item extends { world: WorldId; due: number }>({
  placeOf,
  work,
  onError,
}: DeliveryQueueOptions<Item>): DeliveryQueue<Item> {
  const worlds = new Map<WorldId, World<Item>>()

  async function workThrough(id: WorldId, world: World<Item>, place: string, items: Item[]): Promise<void> {
    for (let item = items[0]; item && !world.controller.signal.aborted; item = items[0]) {
      await work(item, world.controller.signal).catch(onError)
      items.shift()
    }
    world.places.delete(place)
    if (world.places.size === 0 && worlds.get(id) === world) worlds.delete(id)
  }

  /** @param indexIn returns where to insert among the other items. The first of them is in progress */
  function insert(item: Item, indexIn: (items: readonly Item[]) => number): void {
    const { world: id } = item
    const world = getOrInsert(worlds, id, () => ({ controller: new AbortController(), places: new Map() }))
    const place = placeOf(item)
    const items = world.places.get(place)
    if (items) items.splice(indexIn(items), 0, item)
    else {
      const begun = [item]
      world.places.set(place, begun)
      void workThrough(id, world, place, begun)
    }
  }

  return {
    add: (item) => insert(item, (items) => items.length),
    addByTime: (item) =>
      insert(item, (items) => {
        const later = items.findIndex(({ due }, index) => index > 0 && due > item.due)
        return later === -1 ? items.length : later
      }),
    stop(id) {
      const stopped = [...worlds].filter(([each]) => each === (id ?? each))
      const left = stopped.flatMap(([, { places }]) =>
        [...places.values()].flatMap((items) => items.map((item, index) => ({ item, isBegun: index === 0 }))),
      )
      for (const [each, { controller }] of stopped) {
        worlds.delete(each)
        controller.abort()
      }
      return left
    },
  }
}

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
