/** Tracks the values that a check has sent to a collection, and those that its records have. */
import { getOrInsert } from '../../../json/own-value.js'
import { type Leaf, leavesOf, normalize, valueAt } from '../values/leaves.js'

export interface ValueHistory {
  /** A number that no earlier call returned for this place. Counts up from 0. */
  next(name: string): number
  /** Whether a request already had the value in this place. */
  isSent(name: string, value: unknown): boolean
  addSent(body: unknown): void
  /** A record has the values of this body. @param isNew the record is in addition to all others */
  addHeld(body: unknown, isNew: boolean): void
  /** Whether a record already has the value in this place, and no two records had equal values there. */
  isTaken(leaf: Leaf): boolean
  /** Whether a body and a record have the same value in a place where no two records had equal values. */
  sharesValue(body: unknown, record: unknown): boolean
}

/** Starts empty. Compares texts without case and surrounding spaces, as some services do. */
export function createValueHistory(): ValueHistory {
  const sent = new Map<string, Set<string>>()
  const held = new Map<string, Set<string>>()
  /** The same values, compared exactly. */
  const written = new Map<string, Set<string>>()
  /** Places in which two records have the same value. */
  const common = new Set<string>()
  const counts = new Map<string, number>()

  const add = (values: typeof sent, name: string, text: string) => getOrInsert(values, name, () => new Set()).add(text)
  const has = (values: typeof sent, name: string, text: string) => values.get(name)?.has(text) === true
  const mayBeUnique = ({ name, value }: Leaf) => typeof value !== 'boolean' && value !== null && !common.has(name)

  return {
    next(name) {
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return count
    },
    isSent: (name, value) => has(sent, name, normalize(value)),
    addSent(body) {
      for (const { name, value } of leavesOf(body)) add(sent, name, normalize(value))
    },
    addHeld(body, isNew) {
      for (const { name, value } of leavesOf(body)) {
        const text = `${typeof value} ${value}`
        // A service may distinguish texts that differ in case or spaces.
        if (isNew && has(written, name, text)) common.add(name)
        add(written, name, text)
        add(held, name, normalize(value))
      }
    },
    isTaken: (leaf) => mayBeUnique(leaf) && has(held, leaf.name, normalize(leaf.value)),
    sharesValue: (body, record) =>
      leavesOf(body).some(
        (leaf) => mayBeUnique(leaf) && normalize(valueAt(record, leaf.path)) === normalize(leaf.value),
      ),
  }
}
