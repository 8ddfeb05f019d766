/** The undo log of one world: every change that is not committed yet, in order, with what takes it back. */

export class ChangeLog {
  #undos: (() => void)[] = []

  /** How many changes are not committed. */
  get length(): number {
    return this.#undos.length
  }

  /** Adds a change. @param undo takes exactly this change back, when all later ones are taken back already */
  add(undo: () => void): void {
    this.#undos.push(undo)
  }

  /** Takes back the newest changes until `length` of them are left. */
  undoTo(length: number): void {
    for (const undo of this.#undos.splice(length).reverse()) undo()
  }

  /** Forgets the oldest changes: they are committed. */
  forget(count: number): void {
    this.#undos.splice(0, count)
  }
}
