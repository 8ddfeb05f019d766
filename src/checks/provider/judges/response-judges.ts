/** Everything that judges responses, prepared from the document once per check. */
import type { OpenApiDocument } from '../../../compile/document.js'
import type { RequestContract } from '../../../contract/contract.js'
import { createBodyJudge } from './body-judge.js'
import { createToPlace } from './deviation.js'
import { createDocumentedResponses } from './documented-content.js'
import { createHeaderJudge } from './header-judge.js'
import { createIntegerJudge } from './integer-judge.js'
import type { ResponseJudges } from './judge-response.js'
import { createPrismJudge } from './prism-judge.js'

export function createResponseJudges(contract: RequestContract, document: OpenApiDocument): ResponseJudges {
  const toPlace = createToPlace(document)
  return {
    contract,
    responses: createDocumentedResponses(document),
    prism: createPrismJudge(document, toPlace),
    headers: createHeaderJudge(document, toPlace),
    bodies: createBodyJudge(document, toPlace),
    integers: createIntegerJudge(document),
  }
}
