/**
 * Hidden properties of records that no body shows: values that occur only in paths, whether the record was removed, the password
 * of a user, and when its job went on.
 * Scenarios write them in the same way, with the parameter in braces. Only this file knows how they are written.
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

/** Marks a removed record in a collection in which every other key has a record. */
export const removedMark = '{removed}'

/** The property of a user with the password of the registration. */
export const passwordProperty = '{password}'

/** The property with the time, in milliseconds since 1970, at which the job of a record reached its state. */
export const reachedMark = '{reached}'

/**
 * Whether a property holds the keys of related records that do not own the record.
 * @example isRelation('{teamId}', undefined) // true
 */
export function isRelation(property: string, scope: readonly { property: string }[] | undefined): boolean {
  return isPathProperty(property) && !scope?.some((part) => part.property === property)
}

/** A name that no other part of a key has. */
export function freeName(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? freeName(`{${name}}`, taken) : name
}
