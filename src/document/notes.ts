/** Collects notes: parts of a document that are left out or approximated. */
import { DocumentProblem, type Place } from './document.js'

/** A part of a document that is left out or approximated, with its place. */
export interface ProblemNote {
  /** What is wrong, as a sentence without a full stop. */
  message: string
  /** What is done instead, as a clause: `it is ignored`. */
  instead: string
  path: Place
  /** Whether the document is correct and only this program is limited. */
  isLimit: boolean
}

/** A note with its place in the text. */
export interface DocumentNote {
  /** What is wrong, as a sentence without a full stop. */
  message: string
  /** What is done instead, as a clause: `it is ignored`. */
  instead: string
  file: string
  /** From 1. */
  line: number
  /** From 1. */
  column: number
}

export interface Notes {
  readonly list: readonly ProblemNote[]
  add(path: Place, message: string, instead: string): void
  /** Adds a note about a limit of this program, not a mistake in the document. `--strict` accepts it. */
  addLimit(path: Place, message: string, instead: string): void
  /** The first mistake in the document. */
  readonly mistake: ProblemNote | undefined
  /** Returns the result of a function. If it throws a problem, adds a note and returns the fallback. */
  attempt<Result>(run: () => Result, instead: string, fallback: Result): Result
}

export function createNotes(): Notes {
  const byText = new Map<string, ProblemNote>()

  function add(path: Place, message: string, instead: string, isLimit = false): void {
    // Parts that several operations use are read several times, so duplicates are skipped.
    const text = JSON.stringify([path, message])
    if (!byText.has(text)) byText.set(text, { message, instead, path, isLimit })
  }

  return {
    get list() {
      return [...byText.values()]
    },
    get mistake() {
      return [...byText.values()].find(({ isLimit }) => !isLimit)
    },
    add: (path, message, instead) => add(path, message, instead),
    addLimit: (path, message, instead) => add(path, message, instead, true),
    attempt(run, instead, fallback) {
      try {
        return run()
      } catch (error) {
        if (!(error instanceof DocumentProblem)) throw error
        add(error.path, error.message, instead)
        return fallback
      }
    },
  }
}
