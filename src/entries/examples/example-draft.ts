/** Makes valid requests with values from the schemas. Loaded on first use, because it loads json-schema-faker. */
import { createSubject } from '../../checks/provider/requests/checked-operation.js'
import {
  createDraft,
  type Draft,
  violationsOf,
  withBody,
  withParameter,
} from '../../checks/provider/requests/request-draft.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { OpenApiDocument } from '../../document/document.js'
import { type DescribedOperation, describeOperations } from '../../schemas/operations/describe-operations.js'

/** Examples of requests of the operations of a document. */
export interface Examples {
  /** A body that the operation accepts. @returns undefined if none was found */
  bodyOf(operation: Operation): unknown
  /** @returns undefined if no valid request was found */
  draftOf(operation: Operation): Draft | undefined
}

/** @param described the operations of the document. @default describes them */
export function createExamples(
  contract: RequestContract,
  document: OpenApiDocument,
  described: readonly DescribedOperation[] = describeOperations(document),
): Examples {
  const options = { contract, document, seed: 1, count: 3, isExample: true }
  const byId = new Map(described.map((each) => [each.id, each]))
  return {
    bodyOf(operation) {
      const found = byId.get(operation.id)
      if (!found) return undefined
      const { bodies } = createSubject(options, operation, found)
      return bodies.find((body) =>
        violationsOf(contract, withBody(createDraft(operation), body)).every((violation) => violation.in !== 'body'),
      )
    },
    draftOf(operation) {
      const found = byId.get(operation.id)
      if (!found) return undefined
      const { draft } = createSubject(options, operation, found)
      return found.parameters.reduce((best, { value: { name, in: place, example, required } }) => {
        // The whole query is not the value of one parameter.
        if (!best || !required || example === undefined || place === 'querystring') return best
        const better = withParameter(best, place, name, example)
        return violationsOf(contract, better).length === 0 ? better : best
      }, draft)
    },
  }
}
