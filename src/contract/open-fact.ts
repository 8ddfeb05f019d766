/** A fact about the behaviour that nobody knows: a guess that is often wrong, a habit by majority alone, a made value, or what has no effect. */
export interface OpenFact {
  /** From 1, in the order of the document. */
  number: number
  /** The id of the operation, or the name of the collection. Neither: it is about the whole service. */
  operation?: string
  collection?: string
  kind:
    | 'effect'
    | 'optional'
    | 'first'
    | 'changes'
    | 'refusal'
    | 'left'
    | 'parameter'
    | 'status'
    | 'errors'
    | 'order'
    | 'request'
    | 'key'
    | 'related'
    | 'collection'
  /** The properties, the parameter or the status that it is about. Empty: all of it. */
  about: readonly string[]
  /** What is assumed, as a sentence without a full stop. */
  fact: string
  /** From what, as a clause without a full stop. */
  why: string
  /** How often such a fact is right, from 0 to 1. Absent if nothing tells. */
  right?: number
  /** It is taken for right until requests contradict it. */
  isDoubt?: true
  /** The overlay actions that correct it, to be edited, and that confirm it. */
  correct: FactAction
  confirm: FactAction
}

/** An action of an OpenAPI Overlay. */
export interface FactAction {
  target: string
  update: Readonly<Record<string, unknown>>
}

const finders = new WeakMap<object, () => readonly OpenFact[]>()

/** Remembers how the open facts of a contract are found. */
export function rememberOpenFacts(contract: object, find: () => readonly OpenFact[]): void {
  finders.set(contract, find)
}

/** The open facts of a contract that was compiled in this process. Empty for others, such as exported ones. */
export function openFactsOf(contract: object): readonly OpenFact[] {
  return finders.get(contract)?.() ?? []
}
