/** Answers that are kept for repeated requests. */
import type { Violation } from '../contract/violations.js'
import type { FilePart } from '../media/fields.js'
import type { Values } from './stored-record.js'

/** Plain data. */
export interface StoredAnswer {
  /** The server and the key of the request. */
  id: string
  /** Identifies the request: its method, address and body. */
  print: string
  /** Milliseconds since 1970, by the clock of the world. */
  at: number
  /** When it is sent, by the system time. Absent if sent at once. */
  until?: number
  /** Absent for a refusal. */
  status?: number
  mediaType?: string
  headers?: Record<string, string>
  body?: string
  /** In place of text, the bytes in Base64. */
  base64?: string
  /** Why the request was refused. */
  refused?: string
  message?: string
  violations?: Violation[]
}

/** The answers of a world by their ids, oldest first. */
export class StoredAnswers {
  readonly #answers: Map<string, StoredAnswer>
  /** Number of characters of all bodies. */
  characters = 0

  constructor(answers: Iterable<StoredAnswer> = []) {
    this.#answers = new Map()
    for (const answer of answers) this.set(answer)
  }

  get size(): number {
    return this.#answers.size
  }

  get(id: string): StoredAnswer | undefined {
    return this.#answers.get(id)
  }

  values(): Iterable<StoredAnswer> {
    return this.#answers.values()
  }

  /** Adds an answer as the newest one. */
  set(answer: StoredAnswer): void {
    this.delete(answer.id)
    this.#answers.set(answer.id, answer)
    this.characters += sizeOf(answer)
  }

  delete(id: string): void {
    const known = this.#answers.get(id)
    if (known) this.characters -= sizeOf(known)
    this.#answers.delete(id)
  }
}

/** The characters of the body of an answer. */
export function sizeOf({ body = '', base64 = '' }: StoredAnswer): number {
  return body.length + base64.length
}

export interface Extras {
  /** Uploaded files, by the server and path of their download. Null for a removed file. */
  files?: ReadonlyMap<string, FilePart | null>
  /** For repeated requests. Changed in place. */
  answers?: StoredAnswers
  /** What overrides keep for themselves. Each change replaces the object. */
  own?: Values | undefined
}
