/** Relations that only paths name, and no body shows. */
import type { ScopePart } from '../contract.js'

/**
 * Whether a property has the keys of records to which a record is related, without belonging to them.
 * @example isRelation('{teamId}', undefined) // true
 */
export function isRelation(property: string, scope: readonly ScopePart[] | undefined): boolean {
  return property.startsWith('{') && !scope?.some((part) => part.property === property)
}
