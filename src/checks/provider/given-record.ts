/** The record in a request body: the whole body, or the content of a wrapper such as `{"book": {…}}`. */
import { valueContentOf } from '../../contract/body-content.js'
import type { Contract, Operation } from '../../contract/contract.js'
import { isObject } from '../../json/own-value.js'
import { bodyValue, type Draft, withBody } from './requests/request-draft.js'
import { withValueAt } from './values/leaves.js'

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
export function sentRecord(draft: Draft): Record<string, unknown> {
  return givenIn(draft.operation, bodyValue(draft)) ?? {}
}

/** The same request with another record in its body. */
export function withRecord(draft: Draft, record: Record<string, unknown>): Draft {
  return withBody(draft, withValueAt(bodyValue(draft), givenPath(draft.operation), record))
}

/** The same request, with another value of one property of the record in its body. */
export function withProperty(draft: Draft, name: string, value: unknown): Draft {
  const { contentType } = draft
  return {
    ...withRecord(draft, { ...sentRecord(draft), [name]: value }),
    ...(contentType !== undefined && { contentType }),
  }
}

/** The number of the shape of the record in the bodies of an operation. */
export function givenShape({ shapes }: Contract, operation: Operation): number | undefined {
  return givenPath(operation).reduce<number | undefined>(
    (shape, name) => shapes[shape ?? 0]?.properties?.find(([known]) => known === name)?.[1],
    valueContentOf(operation)?.shape,
  )
}
