/** Reports changes other than exchanges to clients: by the control API, and by a saved document. */

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

/** What clients are informed of. */
export type News = { served: Served } | { change: Change }

export interface Feed {
  readonly served: Served
  reportChange(change: Change): void
  reportProblem(problem: string): void
  /** @returns a function that unsubscribes */
  subscribe(listener: (news: News) => void): () => void
}

export function createFeed(): Feed {
  const listeners = new Set<(news: News) => void>()
  let served: Served = { instance: crypto.randomUUID() }
  const report = (news: News) => {
    for (const listener of listeners) listener(news)
  }
  return {
    get served() {
      return served
    },
    reportChange: (change) => report({ change }),
    reportProblem(problem) {
      served = { ...served, problem }
      report({ served })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
