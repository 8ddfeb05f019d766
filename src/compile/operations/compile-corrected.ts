/** Compiles what `x-sandbox-effect` says of answers, and of further methods. */
import type { BodyTemplate, CorrectedAnswers, Method, Operation } from '../../contract/contract.js'
import {
  type ExpressionTemplate,
  parseExpressionTemplate,
  parseRuntimeExpression,
} from '../../contract/runtime-expression.js'
import { DocumentProblem } from '../../document/document.js'
import { toJson } from '../../json/exact-json.js'
import type { DescribedOperation } from '../describe-operations.js'
import { checkName, effectName, readEffect } from '../resources/corrections/effect-correction.js'

const forms = ['{$request.body#/name}', '{$request.path.name}', '{$response.body#/name}', '{$url}', '{$method}']

/** Adds the corrections of answers. @returns further operations: the same ones with another method */
export function addCorrected(operations: readonly Operation[], described: readonly DescribedOperation[]): Operation[] {
  return described.flatMap((each, index): Operation[] => {
    const { headers, repeated, errors, method } = readEffect(each) ?? {}
    const operation = operations[index]
    if (!operation) return []
    const corrected: CorrectedAnswers = {
      ...(headers && { headers: toHeaders(each, 'headers', headers) }),
      ...(repeated && { repeated: toHeaders(each, 'repeated', repeated) }),
      ...(errors && {
        errors: Object.fromEntries(
          Object.entries(errors).map(([reason, error]) => [reason, toError(each, reason, error)]),
        ),
      }),
    }
    if (headers || repeated || errors) operation.corrected = corrected
    if (method === undefined) return []
    if (operations.some((other) => other.path === operation.path && other.method === method)) {
      const why = `${each.path} has ${method} already; give that operation an ${effectName} of its own`
      throw new DocumentProblem(`${effectName}.method: ${why}`, [...each.at, effectName, 'method'])
    }
    const isForm = !operation.body && method !== 'GET' && { corrected: { ...corrected, isForm: true as const } }
    return [{ ...operation, ...isForm, id: `${operation.id} by ${method}`, method: method as Method }]
  })
}

function toHeaders(
  operation: DescribedOperation,
  member: string,
  headers: Record<string, string>,
): [string, ExpressionTemplate][] {
  return Object.entries(headers).map(([name, text]) => {
    const parts = parseExpressionTemplate(text)
    if (Array.isArray(parts)) return [name, parts]
    checkName(operation, [member, name], parts.wrong, forms, 'expression')
    return [name, []]
  })
}

function toError(
  operation: DescribedOperation,
  reason: string,
  error: number | { status?: number; code?: string; body?: unknown },
) {
  if (typeof error === 'number') return { status: error }
  const { body, ...others } = error
  return { ...others, ...(body !== undefined && { body: toBody(operation, reason, body) }) }
}

/** Texts that are an expression, and expressions in braces: "$request.path.id", "There is no {$request.path.id}". */
function toBody(operation: DescribedOperation, reason: string, body: unknown): BodyTemplate {
  return toJson(body)
    .split(/("\$(?!\$)[^"]*"|\{\$[^{}"]*\})/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll('"$$', '"$')
      const text = part.slice(1, -1)
      const expression = parseRuntimeExpression(text)
      if (expression) return { expression, isInText: part.startsWith('{') }
      checkName(operation, ['errors', reason, 'body'], `{${text}}`, forms, 'expression')
      return ''
    })
}
