/** Makes a valid request with values from the schemas. Loaded on first use, because it loads json-schema-faker. */
import { createSubject } from '../../checks/provider/requests/checked-operation.js'
import { createDraft, type Draft, withBody, withParameter } from '../../checks/provider/requests/request-draft.js'
import { violationsOf } from '../../checks/provider/values/judge-draft.js'
import { describeOperations } from '../../compile/describe-operations.js'
import type { OpenApiDocument } from '../../compile/document.js'
import type { Operation, RequestContract } from '../../contract/contract.js'

/** A body that the operation accepts. @returns undefined if none was found */
export function createExampleBody(contract: RequestContract, document: OpenApiDocument, operation: Operation): unknown {
  const described = describeOperations(document).find(({ id }) => id === operation.id)
  if (!described) return undefined
  const { bodies } = createSubject({ contract, document, seed: 1, count: 3 }, operation, described)
  return bodies.find((body) =>
    violationsOf(contract, withBody(createDraft(operation), body)).every((violation) => violation.in !== 'body'),
  )
}

/** @returns undefined if no valid request was found */
export function createExampleDraft(
  contract: RequestContract,
  document: OpenApiDocument,
  operation: Operation,
): Draft | undefined {
  const described = describeOperations(document).find(({ id }) => id === operation.id)
  if (!described) return undefined
  const { draft } = createSubject({ contract, document, seed: 1, count: 3 }, operation, described)
  if (!draft) return undefined
  return described.parameters.reduce((best, { value: { name, in: place, example, required } }) => {
    // The whole query is no value of one parameter.
    if (!required || example === undefined || place === 'querystring') return best
    const better = withParameter(best, place, name, example)
    return violationsOf(contract, better).length === 0 ? better : best
  }, draft)
}
