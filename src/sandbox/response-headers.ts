/** The headers that responses of an operation share. */
import type { Operation } from '../contract/contract.js'
import { lifecycleHeaders } from './lifecycle.js'
import type { SandboxResponse } from './request.js'
import { toSendableHeaders } from './sendable-response.js'

export type Headers = SandboxResponse['headers']

/** @param base the path of the base that was called; @param mediaType of the body, if there is one */
export type HeadersOf = (operation: Operation | undefined, base: string, mediaType: string | undefined) => Headers

/** Bases come from adapters and media types from the document: there are few of each for an operation. */
const maxKept = 16

interface Kept {
  base: string
  mediaType: string | undefined
  headers: Headers
}

/** The journal keeps the headers of a thousand exchanges: shared, they cost nothing. They can be sent as they are. */
export function createHeadersOf(operations: readonly Operation[]): HeadersOf {
  const keptOf = new Map(operations.map((operation): [Operation, Kept[]] => [operation, []]))

  return (operation, base, mediaType) => {
    const kept = operation && keptOf.get(operation)
    const known = kept?.find((each) => each.base === base && each.mediaType === mediaType)
    if (known) return known.headers
    const headers = toSendableHeaders({
      ...(mediaType !== undefined && { 'Content-Type': mediaType }),
      ...(operation && lifecycleHeaders(operation, base)),
    })
    if (kept && kept.length < maxKept) kept.push({ base, mediaType, headers })
    return headers
  }
}
