/** Reads a body: content type, size, UTF-8, JSON, schema; in that order. */
import type { Body, RequestContract, Violation } from '../contract/contract.js'
import { judge } from '../contract/violations.js'
import { type ExactJson, holdsInfinity, NestingError, parseExactJson } from '../json/exact-json.js'
import { pruneByShape } from '../json/prune-by-shape.js'
import type { Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'

export interface ReadBody {
  /** As it came, for the journal; none for an empty body. */
  text?: string
  /** As it will be stored: known properties, every digit kept. */
  value?: unknown
  violations: Violation[]
  /** The properties that are not known and were left out, in words. */
  notes: string[]
}

export const noBody: ReadBody = { violations: [], notes: [] }

const utf8 = new TextDecoder('utf-8', { fatal: true })

export async function readBody(
  { validators, shapes }: RequestContract,
  body: Body,
  request: SandboxRequest,
  maxBytes: number,
): Promise<ReadBody | Refusal> {
  const wrongType = checkContentType(body, request)
  if (wrongType && (body.required || request.header('content-type') !== undefined)) return wrongType
  let bytes: Uint8Array | undefined
  try {
    bytes = await request.body(maxBytes)
  } catch {
    return { reason: 'invalid_request', message: 'The body ended before it was complete' }
  }
  if (!bytes) return { reason: 'payload_too_large', message: `The body must have at most ${maxBytes} bytes` }
  if (bytes.length === 0) {
    return body.required ? { reason: 'invalid_request', message: 'A JSON body is required (got none)' } : noBody
  }
  if (wrongType) return wrongType
  const text = decode(bytes)
  if (text === undefined) return { reason: 'invalid_request', message: 'The body is not valid UTF-8' }
  const json = parse(text)
  if ('reason' in json) return json

  const { exact: value, rounded } = json
  const violations = judge(validators[body.validate], rounded, value, false)
  const notes: string[] = []
  if (violations.length > 0) return { text, violations, notes }
  pruneByShape(value, shapes, body.shape, (path) => notes.push(`unknown property "${path}" was dropped`))
  // Where the document says nothing of a number, no validator has seen it. Most bodies hold none that is inexact.
  if (value !== rounded && holdsInfinity(value)) {
    return { reason: 'invalid_request', message: 'The body holds a number beyond 1.8e308, which cannot be kept', text }
  }
  return { text, value, violations, notes }
}

function checkContentType({ mediaTypes }: Body, request: SandboxRequest): Refusal | undefined {
  const header = request.header('content-type')
  const mediaType = (header?.split(';')[0] ?? '').trim().toLowerCase()
  if (!mediaTypes.includes(mediaType) && !mediaTypes.includes('*/*')) {
    const got = header === undefined ? 'none' : JSON.stringify(header.slice(0, 100))
    return { reason: 'unsupported_media_type', message: `Content-Type must be ${mediaTypes.join(' or ')} (got ${got})` }
  }
  const encoding = request.header('content-encoding')
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined
  return {
    reason: 'unsupported_media_type',
    message: `Content-Encoding "${encoding}" is not supported; send the JSON as it is`,
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function parse(text: string): ExactJson | Refusal {
  try {
    return parseExactJson(text)
  } catch (error) {
    // What JSON.parse says differs from engine to engine; an answer must not.
    const why = error instanceof NestingError ? error.message : 'The body is not valid JSON'
    return { reason: 'invalid_request', message: why, text }
  }
}
