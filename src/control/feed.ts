/** Tells clients what changes besides the exchanges: by the control API, and by a document that was saved. */

/** What an operation of the control API changed. */
export interface Change {
  /** Id of the operation, such as `addRecord`. */
  operation: string
  /** The id of the world that it changed, if it names one. */
  key?: string
}

/** Which document is served. */
export interface Served {
  /** Another one for each start, and for each document that is read again: exchanges count from 1 in each. */
  instance: string
  /** Why the document that was saved last is not served: a sentence, with the file and the lines around if they are known. */
  problem?: string
}

export type Told = { served: Served } | { change: Change }

export interface Feed {
  readonly served: Served
  tellChange(change: Change): void
  tellProblem(problem: string): void
  /** @returns a function that unsubscribes */
  subscribe(listener: (told: Told) => void): () => void
}

export function createFeed(): Feed {
  const listeners = new Set<(told: Told) => void>()
  let served: Served = { instance: crypto.randomUUID() }
  const tell = (told: Told) => {
    for (const listener of listeners) listener(told)
  }
  return {
    get served() {
      return served
    },
    tellChange: (change) => tell({ change }),
    tellProblem(problem) {
      served = { ...served, problem }
      tell({ served })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
