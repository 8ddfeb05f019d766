/** A response, with what the rules about a single one read. */
import type { Operation, RequestContract } from '../../../contract/contract.js'
import type { DocumentedResponse } from '../../../contract/documented-response.js'
import { type ExactJson, NestingError, parseExactJson } from '../../../json/exact-json.js'
import type { FindingRule } from '../../finding.js'
import type { ProviderResponse } from '../client.js'
import type { Deviation } from '../judges/deviation.js'

/**
 * The expected result of a request. `found`: success, because the record exists; `invalid`: a refusal because of its
 * parameters or body; `absent`: a refusal, because the record does not exist; `any`: success or a refusal.
 */
export type Expected = 'success' | 'found' | 'invalid' | 'unauthorized' | 'absent' | 'any'

export const requestKinds: Record<Expected, string> = {
  success: 'a valid request',
  found: 'a request for an existing record',
  invalid: 'an invalid request',
  unauthorized: 'a request without a valid key',
  absent: 'a request for a missing record',
  any: 'a request',
}

/** The purpose of a request. */
export interface RequestDetails {
  /** Part of the request, e.g. `query limit maximum`. @default '' for the whole request */
  at?: string
  /** The special property of the request, e.g. `limit=0: query parameter limit must be at least 1`. */
  description?: string | undefined
  /** The record is known to exist. @default false */
  isKnownToExist?: boolean
}

/** A response with its parsed body. */
export interface ParsedResponse extends ProviderResponse {
  /** Absent if the body is not JSON. */
  json?: ExactJson
  /** Why it is not. */
  unreadable?: string
}

/** Parses the body as JSON, with every digit of its integers. */
export function parseResponse(response: ProviderResponse): ParsedResponse {
  try {
    return { ...response, json: parseExactJson(response.text) }
  } catch (error) {
    // Messages of other errors quote a part of the body, which could contain an unrecognized part of the key.
    const why = error instanceof NestingError ? error.message : 'it is not JSON'
    return { ...response, unreadable: response.text === '' ? 'it is empty' : why }
  }
}

export interface Answer {
  contract: RequestContract
  operation: Operation
  expected: Expected
  /** See `RequestDetails`. */
  at: string
  isKnownToExist: boolean
  /** E.g. `an invalid request (limit=0: query parameter limit must be at least 1)`. */
  request: string
  response: ParsedResponse
  /** What the operation documents for its status. */
  documented: DocumentedResponse | undefined
  /** How its media type, headers and body differ from that. */
  deviations: readonly Deviation[]
  /** Its integers that do not fit their format. */
  outOfRange: readonly Deviation[]
}

/** A rule about a single response, by itself. */
export type ResponseRule = FindingRule<Answer>
