/** The record in the body of a request: the whole body, or what a wrapper such as `{"book": {…}}` holds. */
import { valueContentOf } from '../../contract/body-content.js'
import type { Contract, Operation } from '../../contract/contract.js'
import { isObject } from '../../json/own-value.js'
import { type Draft, withBody } from './requests/request-draft.js'

/** The properties that lead to the record in the bodies of an operation. Empty if it is the whole body. */
export function givenPath({ effect }: Operation): readonly string[] {
  return ('given' in effect && effect.given) || []
}

/** The record in a body of an operation. Undefined if there is no object where it should be. */
export function givenIn(operation: Operation, body: unknown): Record<string, unknown> | undefined {
  const found = givenPath(operation).reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body)
  return isObject(found) ? found : undefined
}

/** The record that a request sends. Empty if it sends none. */
export function sentRecord({ operation, body }: Draft): Record<string, unknown> {
  return (body && 'value' in body && givenIn(operation, body.value)) || {}
}

/** The same request with another record in its body. */
export function withRecord(draft: Draft, record: Record<string, unknown>): Draft {
  const whole = draft.body && 'value' in draft.body ? draft.body.value : {}
  return withBody(draft, put(whole, givenPath(draft.operation), record))
}

function put(value: unknown, [name, ...rest]: readonly string[], record: Record<string, unknown>): unknown {
  if (name === undefined) return record
  const own = isObject(value) ? value : {}
  return { ...own, [name]: put(own[name], rest, record) }
}

/** The number of the shape of the record in the bodies of an operation. */
export function givenShape({ shapes }: Contract, operation: Operation): number | undefined {
  return givenPath(operation).reduce<number | undefined>(
    (shape, name) => shapes[shape ?? 0]?.properties?.find(([known]) => known === name)?.[1],
    valueContentOf(operation)?.shape,
  )
}
