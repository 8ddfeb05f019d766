/** The pending requests of a sandbox, for what reads, moves or replaces its worlds. */
import type { Clock } from '../../state/clock.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { WorldId } from '../../state/world-id.js'
import { Refusal } from '../outcome.js'
import type { Deliveries, PendingWebhook } from './pending.js'
import { clearWaiting, free, noteAttempt, type Sender, send } from './sender.js'

export function createDeliveries(sender: Sender): Deliveries {
  const { schedule, queue, kept, engine } = sender
  return {
    pending: (id) => schedule.list(id),
    check(id) {
      if (!kept || id === undefined) schedule.check(id)
      else withWorld(sender, id, () => schedule.check(id))
    },
    cancel(id) {
      clearWaiting(sender, id)
      for (const { item } of queue.stop(id)) free(sender, item)
      if (!kept) return
      // Requests that came after the replacement.
      for (const each of id === undefined ? engine.worlds.ids() : [id])
        withWorld(sender, each, (world) => world && kept.restart(world))
    },
    close() {
      sender.isClosed = true
      kept?.close()
      const begun = queue.stop().map(({ item, isBegun }) => ({ ...item, ...(isBegun && { isBegun }) }))
      return [...begun, ...schedule.remove()].map(({ clock: _, exchange: __, ...pending }) => {
        free(sender, pending)
        return pending
      })
    },
    add(pending) {
      if (kept) return
      for (const each of pending)
        withWorld(sender, each.world, (world) => resume(sender, each, world?.clock ?? engine.clock))
    },
  }
}

function resume(sender: Sender, { isBegun, ...pending }: PendingWebhook, clock: Clock): void {
  if (!isBegun) {
    send(sender, { ...pending, clock })
    return
  }
  const answer = { status: 0, headers: {}, body: undefined }
  const notes = ['no answer: the document was read again', 'it is sent again at once']
  noteAttempt(sender, pending, { at: clock.now(), request: pending.request, answer, notes }, pending.attempt, 0)
  send(sender, { ...pending, attempt: pending.attempt + 1, clock })
}

/** @param use gets undefined if the world cannot be opened */
function withWorld({ engine }: Sender, id: WorldId, use: (world: StoredWorld | undefined) => void): void {
  const { worlds, onUnexpectedError } = engine
  const opened = worlds.open(id)
  const toWorld = (world: StoredWorld | Refusal) => (world instanceof Refusal ? undefined : world)
  if (opened instanceof Promise)
    void opened
      .then(toWorld)
      .catch(onUnexpectedError)
      .then((world) => use(world ?? undefined))
  else use(toWorld(opened))
}
