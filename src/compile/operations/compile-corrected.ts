/** Compiles what `x-sandbox-effect` says of answers, and of further methods. */

import type { Line } from '../../behaviour/line.js'
import type { OperationMembers, OperationSaid } from '../../behaviour/members.js'
import type { BodyTemplate, CorrectedAnswers, Method, Operation } from '../../contract/contract.js'
import {
  type ExpressionTemplate,
  parseExpressionTemplate,
  parseRuntimeExpression,
} from '../../contract/runtime-expression.js'
import { DocumentProblem } from '../../document/document.js'
import { effectName, refuseUnknown } from '../../document/refuse-unknown.js'
import { toJson } from '../../json/exact-json.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'

const forms = ['{$request.body#/name}', '{$request.path.name}', '{$response.body#/name}', '{$url}', '{$method}']

/** Adds the corrections of answers. @returns further operations: the same ones with another method */
export function addCorrected(
  operations: readonly Operation[],
  described: readonly (readonly [DescribedOperation, OperationSaid])[],
): Operation[] {
  return described.flatMap(([each, lines], index): Operation[] => {
    const [headers, repeated, errors] = [lines.all('headers'), lines.all('repeated'), lines.all('errors')]
    const method = lines.value('method')
    const operation = operations[index]
    if (!operation) return []
    const corrected: CorrectedAnswers = {
      ...(headers.length > 0 && { headers: headers.map(toHeader) }),
      ...(repeated.length > 0 && { repeated: repeated.map(toHeader) }),
      ...(errors.length > 0 && { errors: Object.fromEntries(errors.map((line) => [line.about, toError(line)])) }),
    }
    if (Object.keys(corrected).length > 0) operation.corrected = corrected
    if (method === undefined) return []
    if (operations.some((other) => other.path === operation.path && other.method === method)) {
      const why = `${each.path} has ${method} already; give that operation an ${effectName} of its own`
      throw new DocumentProblem(`${effectName}.method: ${why}`, [...each.at, effectName, 'method'])
    }
    const isForm = !operation.body && method !== 'GET' && { corrected: { ...corrected, isForm: true as const } }
    return [{ ...operation, ...isForm, id: `${operation.id} by ${method}`, method: method as Method }]
  })
}

function toHeader(line: Line<string>): [string, ExpressionTemplate] {
  const parts = parseExpressionTemplate(line.says)
  if (Array.isArray(parts)) return [line.about, parts]
  refuseUnknown(line, parts.wrong, forms, 'expression', line.about)
  return [line.about, []]
}

function toError(line: Line<OperationMembers['errors']>) {
  if (typeof line.says === 'number') return { status: line.says }
  const { body, ...others } = line.says
  return { ...others, ...(body !== undefined && { body: toBody(line, body) }) }
}

/** What bodies have anew. */
const made: Readonly<Record<string, 'random' | 'now'>> = { $random: 'random', $now: 'now' }

/** Texts that are an expression, `$random` for a UUID, `$now` for the time, and expressions in braces: "$request.path.id", "There is no {$request.path.id}". */
function toBody(line: Line, body: unknown): BodyTemplate {
  return toJson(body)
    .split(/("\$(?!\$)[^"]*"|\{\$[^{}"]*\})/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll('"$$', '"$')
      const text = part.slice(1, -1)
      const expression = made[text] ?? parseRuntimeExpression(text)
      if (expression) return { expression, isInText: part.startsWith('{') }
      refuseUnknown(line, `{${text}}`, forms, 'expression', line.about, 'body')
      return ''
    })
}
