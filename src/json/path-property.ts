/**
 * Properties of records that no body shows: what only paths say of a record, and whether it is removed. Records have
 * them beside their own, and scenarios write them in the same way, with the parameter in braces. Only this file knows
 * how they are written.
 */

/**
 * The property that has the value of a path parameter.
 * @example toPathProperty('bookId') // '{bookId}'
 */
export function toPathProperty(parameter: string): string {
  return `{${parameter}}`
}

/** @example isPathProperty('{bookId}') // true */
export function isPathProperty(property: string): boolean {
  return property.startsWith('{')
}

/** The key of a record that exists once, so that no parameter selects it. */
export const singletonKey = '{}'

/** The property of a record that was removed from a collection in which every other key has a record. */
export const removedMark = '{removed}'

/**
 * Whether a property has the keys of records to which a record is related, without belonging to them.
 * @example isRelation('{teamId}', undefined) // true
 */
export function isRelation(property: string, scope: readonly { property: string }[] | undefined): boolean {
  return isPathProperty(property) && !scope?.some((part) => part.property === property)
}
