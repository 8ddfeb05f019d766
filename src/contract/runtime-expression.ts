/** Runtime expressions: references to values of a request and its response (OpenAPI 3.1, section 4.8.20.4). */

export type RuntimeExpression = { /** As it is written: `$request.body#/url` */ text: string } & (
  | { of: 'url' | 'method' | 'statusCode' }
  | { of: 'request' | 'response'; in: 'header' | 'query' | 'path'; name: string }
  /** The pointer is absent for the whole body. */
  | { of: 'request' | 'response'; in: 'body'; pointer?: string[] }
)

/** A text with values in it. */
export type ExpressionTemplate = (string | RuntimeExpression)[]

/** The characters of a token (RFC 9110, section 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** A JSON Pointer (RFC 6901, section 3). */
const pointer = /^(?:\/(?:[^/~]|~[01])*)*$/

/**
 * Reads a runtime expression.
 * @returns undefined for any other text
 * @example
 * parseRuntimeExpression('$request.body#/hooks/0') // of request, in body, pointer ['hooks', '0']
 */
export function parseRuntimeExpression(text: string): RuntimeExpression | undefined {
  if (text === '$url' || text === '$method' || text === '$statusCode') {
    return { text, of: text.slice(1) as 'url' | 'method' | 'statusCode' }
  }
  const [, of, source = ''] = /^\$(request|response)\.(.*)$/s.exec(text) ?? []
  if (of !== 'request' && of !== 'response') return undefined
  if (source === 'body') return { text, of, in: 'body' }
  if (source.startsWith('body#')) {
    const written = source.slice('body#'.length)
    return pointer.test(written) ? { text, of, in: 'body', pointer: parsePointer(written) } : undefined
  }
  const [, place, name = ''] = /^(header|query|path)\.(.*)$/s.exec(source) ?? []
  if (place === 'header') return token.test(name) ? { text, of, in: place, name } : undefined
  return place === 'query' || place === 'path' ? { text, of, in: place, name } : undefined
}

/**
 * Reads a text with expressions in braces, or a bare expression.
 * @returns the first invalid expression, if there is one
 * @example
 * parseExpressionTemplate('{$request.body#/url}?status={$statusCode}')
 */
export function parseExpressionTemplate(text: string): ExpressionTemplate | { wrong: string } {
  const parts: ExpressionTemplate = []
  for (const [index, part] of text.split(/(\{[^{}]*\})/).entries()) {
    if (part === '') continue
    const isBraced = index % 2 === 1
    if (!isBraced && !(index === 0 && part.startsWith('$'))) {
      if (/[{}]/.test(part)) return { wrong: part }
      parts.push(part)
      continue
    }
    const expression = parseRuntimeExpression(isBraced ? part.slice(1, -1) : part)
    if (!expression) return { wrong: part }
    parts.push(expression)
  }
  return parts
}

function parsePointer(text: string): string[] {
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
