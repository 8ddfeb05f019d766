/** Chooses which documented response of an operation is its success. */
import type { Method } from '../../contract/contract.js'
import type { Located, ResponseObject, Schema } from '../../document/document.js'
import { effectName } from '../../document/refuse-unknown.js'
import { isObject } from '../../json/own-value.js'
import { isErrorName, saysError, saysExisting } from '../../lexicon/errors-in-texts.js'
import type { DescribedOperation } from './describe-operations.js'

export interface ChosenSuccess {
  status: number
  response: Located<ResponseObject>
  /** Whether the success has no content, as the response describes an error, or its status allows none. */
  isError?: boolean
}

type Responses = DescribedOperation['responses']

/** Statuses for the range `2XX`, unless `x-sandbox-status` sets one from 200 to 299. */
const usual: Partial<Record<Method, number>> = { POST: 201, DELETE: 204 }

/**
 * Chooses the first 2xx, else `default`, else a redirect. A `default` that describes an error does not describe the
 * success, so a redirect is preferred to it.
 * A person can choose another status.
 * @returns undefined if a read documents only errors with a status
 */
export function chooseSuccess(operation: DescribedOperation): ChosenSuccess | undefined {
  const { responses, value } = operation
  const { status } = isObject(value[effectName]) ? value[effectName] : {}
  const chosen = typeof status === 'number' ? responses.get(String(status)) : undefined
  const found = chosen ? { status: Number(status), response: chosen } : chooseDocumented(operation)
  return found && typeof status === 'number' ? { ...found, status, ...(status === 204 && { isError: true }) } : found
}

function chooseDocumented({ method, responses }: DescribedOperation): ChosenSuccess | undefined {
  const successes = ofClass(responses, '2')
  const success = successes.find(([, { value }]) => !saysExisting(String(value.description))) ?? successes[0]
  if (success) return withStatus(success, usual[method] ?? 200)
  const response = responses.get('default')
  const isError = response !== undefined && describesError(response, responses)
  // 304 only answers a condition, so it is not a success.
  const [redirect] = ofClass(responses, '3').filter(([status]) => status !== '304')
  if (response && !isError) return { status: chosenStatus(response) ?? 200, response }
  if (redirect) return withStatus(redirect, 302)
  // A change that describes only errors succeeds without content.
  const [first] = changes.has(method) ? responses.values() : []
  const described = response ?? first
  return described && { status: 204, response: described, isError: true }
}

const changes: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Responses with a status or range of a class, lowest first. */
function ofClass(responses: Responses, digit: string): [string, Located<ResponseObject>][] {
  const isOfClass = (status: string) => status.startsWith(digit) && /^\d(\d\d|XX)$/i.test(status)
  return [...responses].filter(([status]) => isOfClass(status)).toSorted(([a], [b]) => a.localeCompare(b))
}

function withStatus([status, response]: [string, Located<ResponseObject>], inRange: number): ChosenSuccess {
  const exact = /XX/i.test(status) ? (chosenStatus(response) ?? inRange) : Number(status)
  return { status: exact, response }
}

function chosenStatus({ value }: Located<ResponseObject>): number | undefined {
  const chosen = Number(value['x-sandbox-status'])
  return chosen >= 200 && chosen <= 299 && Number.isInteger(chosen) ? chosen : undefined
}

/** Whether a `default` describes an error: by its words, the name of its schema, or the schema of a documented error. */
function describesError({ value }: Located<ResponseObject>, responses: Responses): boolean {
  const text = String(value.description ?? '')
  if (saysError(text)) return true
  const names = referencesIn(value)
  const ofErrors = [...responses].filter(([status]) => /^[45]/.test(status))
  const known = new Set(ofErrors.flatMap(([, error]) => referencesIn(error.value)))
  return names.some((name) => isErrorName(name.slice(name.lastIndexOf('/') + 1)) || known.has(name))
}

/** The schemas of a response by reference. */
function referencesIn({ content }: ResponseObject): string[] {
  const schemas = Object.values(content ?? {}).map(({ schema }: { schema?: Schema }) => schema)
  return schemas.flatMap((schema) => (typeof schema === 'object' && schema.$ref !== undefined ? [schema.$ref] : []))
}
