/** Which values a check has sent to a collection, and which of them its records have. */
import { type Leaf, leafAt, leavesOf, normalize } from './values/leaves.js'

export interface ValueHistory {
  /** A number that no earlier call returned for this place. Counts up from 0. */
  next(name: string): number
  /** Whether a request already had the value in this place. */
  isSent(name: string, value: unknown): boolean
  addSent(body: unknown): void
  /** A record has the values of this body. @param isNew the record is in addition to all others */
  addHeld(body: unknown, isNew: boolean): void
  /** Whether a record has the value in this place already, and no two records have had the same one there. */
  isTaken(leaf: Leaf): boolean
  /** Whether a body and a record have the same value, in a place where no two records have had the same one. */
  sharesValue(body: unknown, record: unknown): boolean
}

/** Starts empty. Values are compared as services do that ignore the case and spaces around a text. */
export function createValueHistory(): ValueHistory {
  const sent = new Map<string, Set<string>>()
  const held = new Map<string, Set<string>>()
  /** Places in which two records have the same value. */
  const common = new Set<string>()
  const counts = new Map<string, number>()

  const add = (values: typeof sent, name: string, value: unknown) => {
    const known = values.get(name)
    if (known) known.add(normalize(value))
    else values.set(name, new Set([normalize(value)]))
  }
  const has = (values: typeof sent, name: string, value: unknown) => values.get(name)?.has(normalize(value)) === true
  const mayBeUnique = ({ name, value }: Leaf) => typeof value !== 'boolean' && value !== null && !common.has(name)

  return {
    next(name) {
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return count
    },
    isSent: (name, value) => has(sent, name, value),
    addSent(body) {
      for (const { name, value } of leavesOf(body)) add(sent, name, value)
    },
    addHeld(body, isNew) {
      for (const { name, value } of leavesOf(body)) {
        if (isNew && has(held, name, value)) common.add(name)
        add(held, name, value)
      }
    },
    isTaken: (leaf) => mayBeUnique(leaf) && has(held, leaf.name, leaf.value),
    sharesValue: (body, record) =>
      leavesOf(body).some(
        (leaf) => mayBeUnique(leaf) && normalize(leafAt(record, leaf.path)) === normalize(leaf.value),
      ),
  }
}
