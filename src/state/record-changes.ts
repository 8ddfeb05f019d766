/** Keeps the changes of records with the exchanges that made them, for their history. Handlers for MSW need none. */
import type { ExactValue } from '../json/exact-value.js'
import { isSameJson } from '../json/same-json.js'
import type { Change, RecordChange } from './change.js'
import type { Entry, Exchange, WritableJournal } from './journal.js'
import { bytesOf } from './memory-budget.js'

/** The latest exchanges have their changes, as long as these take less memory. */
const maxBytes = 16 * 1024 * 1024
const maxExchanges = 1000

/** What an exchange changed. Slots are used again: an object that lives longer than a request costs the garbage collector more. */
interface Slot {
  /** Id of the exchange. */
  id: number
  bytes: number
  /** A copy of the first change. */
  first: RecordChange
  others: readonly RecordChange[]
}

const none: readonly RecordChange[] = []

const keeping = new WeakSet<WritableJournal>()

/** From now on, the exchanges of a journal have their changes. */
export function keepChanges(journal: WritableJournal): void {
  if (keeping.has(journal)) return
  keeping.add(journal)
  const { add, list, subscribe } = journal
  const slots: Slot[] = []
  /** The numbers of the oldest slot in use, and of the next one. */
  let oldest = 0
  let next = 0
  let bytes = 0
  /** What is added now: a listener may add a further exchange. */
  let current: { entry: Entry; slot: Slot | undefined } | undefined

  journal.add = (entry, outcome) => {
    const { changes } = (outcome ?? {}) as { changes?: readonly Change[] }
    const slot = changes && keep(changes)
    const outer = current
    current = { entry, slot }
    add(entry, outcome)
    if (slot) slot.id = entry.id
    current = outer
  }
  journal.list = (key) => {
    const byId = new Map(slots.map((slot) => [slot.id, slot]))
    if (current?.slot) byId.set(current.entry.id, current.slot)
    return list(key).map((exchange) => withChanges(exchange, byId.get(exchange.id)))
  }
  journal.subscribe = (listener) => subscribe((exchange) => listener(withChanges(exchange, current?.slot)))

  /** @returns undefined if nothing is kept, because it alone is too large or changes no record */
  function keep(changes: readonly Change[]): Slot | undefined {
    const first = changes.find(isOfRecord)
    if (!first) return undefined
    if (next - oldest === maxExchanges) forgetOldest()
    const others = changes.length > 1 ? changes.filter(isOfRecord).slice(1) : none
    const own = others.reduce((sum, change) => sum + sizeOf(change), sizeOf(first))
    const at = next++ % maxExchanges
    const slot = slots[at] ?? { id: 0, bytes: 0, first: { ...first }, others }
    slots[at] = slot
    slot.bytes = own
    slot.others = others
    Object.assign(slot.first, first)
    bytes += own
    while (bytes > maxBytes) forgetOldest()
    return bytes > 0 ? slot : undefined
  }

  function forgetOldest(): void {
    const slot = slots[oldest++ % maxExchanges] as Slot
    bytes -= slot.bytes
    slot.id = 0
    slot.first.before = slot.first.after = undefined
    slot.others = none
  }
}

function sizeOf({ before, after }: RecordChange): number {
  return bytesOf(before) + bytesOf(after)
}

/** Whether something of a record is different afterwards: what a request gives may be there already. */
function isOfRecord(change: Change): change is RecordChange {
  if (change.kind !== 'record') return false
  const { before, after } = change
  return !before || !after || !isSameJson(before as ExactValue, after as ExactValue)
}

function withChanges(exchange: Exchange, slot: Slot | undefined): Exchange {
  return slot ? { ...exchange, changes: [{ ...slot.first }, ...slot.others] } : exchange
}
