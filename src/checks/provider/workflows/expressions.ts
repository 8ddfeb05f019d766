/** Evaluates the expressions and criteria of workflows and links (Arazzo 1.0.1, sections 4.6 and 4.7; OpenAPI 3.1, section 4.8.20.4). */
import { exec, type JsonValue } from 'jsonpath-rfc9535'
import { parseRuntimeExpression } from '../../../contract/runtime-expression.js'
import type { ExactValue } from '../../../json/exact-value.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'
import { valueAt } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import { isSameJson } from '../../../json/same-json.js'
import type { SentResponse } from '../probe-runner.js'
import { bodyValue, type Caller, toProviderRequest } from '../requests/request-draft.js'
import { WorkflowError } from './workflows.js'

/** What expressions refer to. */
export interface Scope {
  /** The last exchange. Absent before the first one. */
  answer?: SentResponse | undefined
  /** The values of `$inputs`, `$steps` and other names. */
  names: Readonly<Record<string, unknown>>
  caller: Caller
}

/** @returns the text itself if it is no expression; undefined if there is no such value */
export function evaluate(text: string, { answer, names, caller }: Scope): unknown {
  // `$response.body.items[0].id` means the same as `$response.body#/items/0/id`.
  const [, body, members = ''] = /^(\$(?:request|response)\.body)((?:\.[^.[\]#]+|\[\d+\])+)$/.exec(text) ?? []
  const pointer = members.replace(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')
  const known = parseRuntimeExpression(body === undefined ? text : `${body}#${pointer}`)
  if (!known) {
    const [, name = '', rest = '', inner = ''] = /^\$(\w+)((?:\.[^.#\s]+)*)(?:#(.*))?$/s.exec(text) ?? []
    if (!Object.hasOwn(names, name)) return text
    return valueAt(names[name], [...rest.split('.').slice(1), ...fromJsonPointer(inner)])
  }
  if (!answer) return undefined
  const { draft } = answer.sent
  if (!('in' in known)) {
    return { url: toProviderRequest(draft, caller).url, method: draft.operation.method, statusCode: answer.status }[
      known.of
    ]
  }
  const whole = known.of === 'request' ? bodyValue(draft) : (answer.json?.exact ?? answer.text)
  if (known.in === 'body') return known.pointer ? valueAt(whole, known.pointer) : whole
  if (known.of === 'response') return known.in === 'header' ? answer.headers[known.name.toLowerCase()] : undefined
  return draft.parameters[known.in][known.name]
}

/** A value with the expressions in it: `$…` alone has its type, `{$…}` in a text becomes a part of it. */
export function fill(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((each) => fill(each, scope))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, scope)]))
  if (typeof value !== 'string') return value
  if (value.startsWith('$')) return evaluate(value, scope)
  return fillText(value, scope)
}

function fillText(text: string, scope: Scope): string {
  return text.replace(/\{(\$[^{}]*)\}/g, (_, inner: string) => String(evaluate(inner, scope) ?? ''))
}

export interface Criterion {
  condition?: unknown
  context?: unknown
  type?: unknown
}

/** Whether a criterion is met. @throws WorkflowError for one that cannot be read */
export function isMet({ condition, context, type = 'simple' }: Criterion, scope: Scope): boolean {
  const kind = isObject(type) ? type['type'] : type
  if (typeof condition !== 'string') throw new WorkflowError('a criterion has no condition')
  if (kind === 'simple') return isTruthy(readCondition(condition, scope))
  const value = typeof context === 'string' ? evaluate(context, scope) : undefined
  if (kind === 'regex') return value !== undefined && new RegExp(fillText(condition, scope), 'u').test(String(value))
  if (kind !== 'jsonpath') throw new WorkflowError(`criteria of the type ${String(kind)} are not supported`)
  const written = fillText(condition, scope)
  const query = written.startsWith('$') ? written : `$[?${written}]`
  let isFound = false
  exec(value as JsonValue, query, () => {
    isFound = true
  })
  return isFound
}

/** `$statusCode == 200 && ($response.body#/state == 'done' || !$inputs.isStrict)` */
function readCondition(text: string, scope: Scope): unknown {
  const tokens = [
    ...text.matchAll(/\s*('(?:[^']|'')*'|\|\||&&|[<>=!]=|[<>!()]|[^\s()<>=!&|]+(?:#[^\s()<>=!&|]*)?)/gy),
  ].map(([, token = '']) => token)
  if (tokens.join('').length !== text.replace(/\s+(?=(?:[^']*'[^']*')*[^']*$)/g, '').length)
    throw new WorkflowError(`the condition ${text} cannot be read`)
  let at = 0
  const value = any()
  if (at < tokens.length)
    throw new WorkflowError(`the condition ${text} cannot be read after "${tokens.slice(0, at).join(' ')}"`)
  return value

  function any(): unknown {
    let left = all()
    while (tokens[at] === '||') {
      at++
      const right = all()
      left = isTruthy(left) || isTruthy(right)
    }
    return left
  }

  function all(): unknown {
    let left = comparison()
    while (tokens[at] === '&&') {
      at++
      const right = comparison()
      left = isTruthy(left) && isTruthy(right)
    }
    return left
  }

  function comparison(): unknown {
    const left = single()
    const operator = tokens[at] ?? ''
    if (!/^(?:[<>=!]=|[<>])$/.test(operator)) return left
    at++
    return compare(operator, left, single())
  }

  function single(): unknown {
    const token = tokens[at++] ?? ''
    if (token === '!') return !isTruthy(single())
    if (token === '(') {
      const inner = any()
      if (tokens[at++] !== ')') throw new WorkflowError(`the condition ${text} has no closing parenthesis`)
      return inner
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
    if (/^(?:true|false|null)$/.test(token)) return JSON.parse(token)
    if (/^-?\d+(?:\.\d+)?$/.test(token)) return Number(token)
    return evaluate(token, scope)
  }
}

function isTruthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}

/** Texts are compared without case (Arazzo 1.0.1, section 4.6.9.4). */
function compare(operator: string, one: unknown, other: unknown): boolean {
  const toComparable = (value: unknown) =>
    typeof value === 'string' ? value.toLowerCase() : typeof value === 'bigint' ? Number(value) : value
  const [left, right] = [toComparable(one), toComparable(other)]
  const isNumeric = typeof left === 'number' || typeof right === 'number'
  if (operator === '==' || operator === '!=') {
    const isSame =
      isNumeric && left !== undefined && left !== null
        ? Number(left) === Number(right)
        : isSameJson((left ?? null) as ExactValue, (right ?? null) as ExactValue)
    return isSame === (operator === '==')
  }
  if (left === undefined || right === undefined || left === null || right === null) return false
  const [a, b] = isNumeric ? [Number(left), Number(right)] : [String(left), String(right)]
  return operator === '<' ? a < b : operator === '>' ? a > b : operator === '<=' ? a <= b : a >= b
}
