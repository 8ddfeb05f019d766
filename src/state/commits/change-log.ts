/** The undo log of one world: how to undo every uncommitted change, oldest first. */

export class ChangeLog {
  #undos: (() => void)[] = []

  /** The number of uncommitted changes. */
  get length(): number {
    return this.#undos.length
  }

  /** Adds a change. @param undo undoes only this change; all later changes are undone before */
  add(undo: () => void): void {
    this.#undos.push(undo)
  }

  /** Undoes the newest changes until `length` changes are left. */
  undoTo(length: number): void {
    for (const undo of this.#undos.splice(length).reverse()) undo()
  }

  /** Forgets the oldest changes after they were committed. */
  forget(count: number): void {
    this.#undos.splice(0, count)
  }
}
