/** Evaluates runtime expressions with the values of an exchange (OpenAPI 3.1, section 4.8.20.4). */
import type { Operation } from '../../contract/contract.js'
import { matchSegment, parsePathTemplate } from '../../contract/path-template.js'
import type { ExpressionTemplate, RuntimeExpression } from '../../contract/runtime-expression.js'
import { valueAt } from '../../json/nested.js'
import { ownValue } from '../../json/own-value.js'
import { tryJson } from '../../media/fields.js'
import type { Exchange } from '../../state/journal.js'

/** The values that expressions refer to. */
export interface ExpressionSource {
  exchange: Exchange
  operation: Operation
  /** The URL that was called. */
  url: string
}

/** @returns undefined if there is no such value */
export function evaluate(expression: RuntimeExpression, { exchange, operation, url }: ExpressionSource): unknown {
  const { request, response } = exchange
  if (!('in' in expression)) {
    return { url, method: request.method, statusCode: response.status }[expression.of]
  }
  const isRequest = expression.of === 'request'
  if (expression.in === 'body') {
    const headers = isRequest ? request.headers : Object.entries(response.headers).flat()
    const body = isRequest ? request.body : response.body
    if (typeof body !== 'string') return undefined
    const { pointer } = expression
    return pointer ? valueAt(parseBody(body, headerOf(headers, 'content-type')), pointer) : body
  }
  const { name } = expression
  if (expression.in === 'header') {
    return headerOf(isRequest ? request.headers : Object.entries(response.headers).flat(), name.toLowerCase())
  }
  if (!isRequest) return undefined
  if (expression.in === 'query') return new URLSearchParams(request.query).get(name) ?? undefined
  return ownValue(pathTextsOf(operation.path, request.path), name)
}

/** The decoded parameters of a path by name, as far as the path matches the documented one. */
export function pathTextsOf(documented: string, path: string): Record<string, string | undefined> {
  const { segments } = parsePathTemplate(documented)
  const parts = path.slice(1).split('/')
  const found = segments.flatMap((segment, index): [string, string | undefined][] => {
    const values = matchSegment(segment, parts[index] ?? '')
    return segment.names.map((name, place) => [name, values?.[place]])
  })
  return Object.fromEntries(found)
}

/**
 * Writes a URL. Values of expressions after the host are percent-encoded, so that they cannot change its structure.
 * @returns the first expression without a value, or with one that would change the path
 */
export function fillTemplate(
  parts: ExpressionTemplate,
  source: ExpressionSource,
): { url: string } | { missing: string } {
  let url = ''
  for (const part of parts) {
    if (typeof part === 'string') url += part
    else {
      const value = expressionText(evaluate(part, source))
      if (value === undefined) return { missing: part.text }
      const isBehindHost = /^(?:[^:/?#]+:\/\/[^/?#]*)?[/?#]/.test(url)
      // Even encoded, these change the path (RFC 3986, section 5.2.4).
      if (isBehindHost && /^\.\.?$/.test(value)) return { missing: part.text }
      url += isBehindHost ? encodeURIComponent(value.toWellFormed()) : value
    }
  }
  return { url }
}

/** @returns undefined for what cannot be a part of a URL */
function expressionText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** @param headers names and values alternately; several values are joined (RFC 9110, section 5.3) */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const values = headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** @returns undefined for a body that is neither JSON nor a form */
export function parseBody(text: string, mediaType = ''): unknown {
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return Object.fromEntries(new URLSearchParams(text))
  // A runtime expression is about the message as it was sent (OpenAPI 3.1, section 4.8.20.4).
  return tryJson(text)
}
