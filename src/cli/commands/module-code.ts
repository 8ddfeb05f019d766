/** Writes values as code of modules. */
import type { RequestContract } from '../../contract/contract.js'
import { toJson } from '../../json/exact-json.js'

/** The names of the collections that a part of a contract uses, directly or because another collection refers to them. */
export function usedCollections({ collections }: Pick<RequestContract, 'collections'>, part: unknown): Set<string> {
  const used = new Set<string>()
  const add = (part: unknown) => {
    const text = toJson(part) ?? ''
    for (const collection of collections) {
      if (used.has(collection.name) || !text.includes(JSON.stringify(collection.name))) continue
      used.add(collection.name)
      add(collection)
    }
  }
  add(part)
  return used
}

/** A text of JSON as a literal: in single quotes, because it has many double ones. */
export function toLiteral(json: string): string {
  const quoted = json.replace(/[\\']/g, '\\$&')
  // Half of a surrogate pair cannot be written to a file.
  const written = quoted.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
  return `'${written}'`
}
