/** Facts of the resource model, and why they are believed. */

/** What says so, the strongest first. A fact without any of these is left out. */
export const evidences = ['extension', 'example', 'schema', 'description', 'name'] as const
export type Evidence = (typeof evidences)[number]

/** One thing that is known about the records of a collection. `explain` prints them. */
export interface ResourceFact {
  fact:
    | 'key'
    | 'owner'
    | 'place'
    | 'reference'
    | 'unique'
    | 'spelling'
    | 'path'
    | 'link'
    | 'first'
    | 'made'
    | 'change'
    | 'progress'
    | 'merge'
    | 'file'
    | 'value'
  /** What it is about: a property, a path or an operation. */
  about: string
  evidence: Evidence
  /** Why, as a clause without a full stop. */
  why: string
}

/** Adds a fact that is not there yet. @example addFact(facts, { fact: 'key', about: 'id', evidence: 'name', why: '…' }) */
export function addFact(facts: ResourceFact[], added: ResourceFact): void {
  const isKnown = facts.some(({ fact, about }) => fact === added.fact && about === added.about)
  if (!isKnown) facts.push(added)
}
