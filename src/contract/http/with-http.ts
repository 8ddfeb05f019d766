/** Gives every operation of a contract HTTP semantics, even if its document describes none. */

import type { Operation, RequestContract } from '../contract.js'
import type { DocumentedResponse } from '../documented-response.js'
import type { ListEffect } from '../effects/effect.js'
import type { ListQuery } from '../effects/list-query.js'
import { chooseHttp, type HttpEvidence } from './choose-http.js'

/**
 * Adds entity tags and conditional requests (RFC 9110, sections 8.8 and 13), `Idempotency-Key` for POST and PATCH (IETF
 * draft), `Location` of new records, `Retry-After`, links to the pages of lists (RFC 8288) and 406 to each operation.
 * @returns another contract
 * @example
 * const { contract } = await compileDocument(text)
 * const sandbox = createSandbox({ contract: withHttpCare(contract) })
 */
export function withHttpCare<Model extends RequestContract>(contract: Model): Model {
  const operations = contract.operations.map((operation) => {
    const semantics = chooseHttp(operation, contract, evidenceOf(operation))
    const { effect, representations, responses } = operation
    const isChoosing = representations === undefined && 'mediaType' in effect && effect.mediaType !== undefined
    return {
      ...operation,
      effect: effect.kind === 'list' ? withLinks(effect) : effect,
      responses: responses.map(withRetryAfter),
      ...(isChoosing && { representations: [] }),
      ...(semantics && { extras: semantics }),
    }
  })
  return { ...contract, operations, exposed: exposeAll(contract.exposed), hasHttpSemantics: true }
}

/** Adds the headers that pages can only read if they are exposed (Fetch standard, section 3.3.3). */
function exposeAll(documented = ''): string {
  const names = documented.toLowerCase().split(', ')
  const others = ['ETag', 'Location'].filter((name) => !names.includes(name.toLowerCase()))
  return documented + others.map((name) => `, ${name}`).join('')
}

/** What the document says, and all else. */
function evidenceOf(operation: Operation): HttpEvidence {
  const { extras } = operation
  const documented = extras?.kind === 'http' ? extras : undefined
  const isChanging = operation.method === 'POST' || operation.method === 'PATCH'
  return {
    hasVersions: true,
    isRequired: documented?.versions?.isRequired === true,
    idempotencyKey: documented?.idempotencyKey ?? (isChanging ? 'idempotency-key' : undefined),
    idempotencyProperty: documented?.idempotencyProperty,
    location: documented?.location ?? { header: 'Location' },
  }
}

function withLinks(effect: ListEffect): ListEffect {
  const { query } = effect
  if (query.positions.length === 0 || query.headers.some(({ from }) => from === 'links')) return effect
  const headers: ListQuery['headers'] = [...query.headers, { name: 'Link', from: 'links' }]
  return { ...effect, query: { ...query, headers, hasLinks: true } }
}

function withRetryAfter(response: DocumentedResponse): DocumentedResponse {
  const { status, headers } = response
  const isKnown = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'retry-after')
  if (isKnown || (status !== '429' && status !== '503')) return response
  return { ...response, headers: { ...headers, 'Retry-After': '1' } }
}
