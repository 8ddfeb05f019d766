/** The headers that responses of an operation share. */
import type { Operation } from '../contract/contract.js'
import { lifecycleHeaders } from './lifecycle.js'
import type { SandboxResponse } from './request.js'
import { toSendableHeaders } from './sendable-response.js'

export type Headers = SandboxResponse['headers']

/**
 * @param base the path of the base that was called
 * @param mediaType of the body, if there is one
 * @param prepared further headers: an object that exists once for each operation
 */
export type HeadersOf = (
  operation: Operation | undefined,
  base: string,
  mediaType: string | undefined,
  prepared: Headers | undefined,
) => Headers

/** Bases come from adapters and media types from the document: there are few of each for an operation. */
const maxKept = 16

interface Kept {
  base: string
  mediaType: string | undefined
  prepared: Headers | undefined
  headers: Headers
}

/** The journal keeps the headers of a thousand exchanges: shared, they cost nothing. They can be sent as they are. */
export function createHeadersOf(operations: readonly Operation[]): HeadersOf {
  const keptOf = new Map(operations.map((operation): [Operation, Kept[]] => [operation, []]))

  return (operation, base, mediaType, prepared) => {
    const kept = operation && keptOf.get(operation)
    for (const each of kept ?? []) {
      if (each.base === base && each.mediaType === mediaType && each.prepared === prepared) return each.headers
    }
    const headers = toSendableHeaders({
      ...(mediaType !== undefined && { 'Content-Type': mediaType }),
      ...(operation && lifecycleHeaders(operation, base)),
      ...prepared,
    })
    if (kept && kept.length < maxKept) kept.push({ base, mediaType, prepared, headers })
    return headers
  }
}
