/** Reports changes other than exchanges to clients: changes by the control API, and saved documents. */

/** A change by an operation of the control API. */
export interface Change {
  /** Id of the operation, such as `addRecord`. */
  operation: string
  /** The id of the world that it changed, if it names one. */
  key?: string
}

export interface Served {
  /** Unique for each start, and for each reload or correction of the document. */
  instance: string
  /** Why the latest saved document is not served: a sentence, with the file and a code frame if known. */
  problem?: string
}

/** A message to clients. */
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
