/** Which of the violations of a request are about which input. */
import type { Violation } from '../api-types.js'

/** @returns the messages about a value or what is in it */
export function messagesAt(violations: Violation[], place: string, name: string): string[] {
  return violations.filter((each) => each.in === place && isAt(each.at, name)).map(({ message }) => message)
}

/** What is about the body, but about none of these properties. */
export function messagesBesides(violations: Violation[], names: string[]): string[] {
  const others = violations.filter((each) => each.in === 'body' && !names.some((name) => isAt(each.at, name)))
  return others.map(({ message }) => message)
}

/** Whether a violation is about a property or what is in it. */
export function isAt(at: string, name: string): boolean {
  return at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}[`)
}
