/** Turns a refusal into an answer with the documented error body. */
import type { Operation, RequestContract } from '../contract/contract.js'
import type { ErrorField } from '../contract/documented-response.js'
import { documentedResponse } from '../contract/documented-status.js'
import { getOrInsert } from '../state/get-or-insert.js'
import { toAllowed } from './allowed-methods.js'
import { alternativesOf, challengeOf, firstScheme } from './challenge.js'
import type { Filler } from './fill.js'
import type { Answer, Reason, Refusal, RenderedRefusal } from './outcome.js'
import { codeOf, statusOf } from './refusal-status.js'

export type RenderRefusal = (refusal: Refusal, operation: Operation | undefined) => RenderedRefusal

/** An error response without its message: shared by all refusals of an operation for one reason. */
interface Template {
  status: number
  code: string
  mediaType: string
  headers: Answer['headers']
  /** The body as JSON text, split at the message. */
  around: string[]
  /** Makes the body of a message, if its schema may refuse the text above. */
  ensured: ((message: string) => string) | undefined
}

/** Placeholder for the message in a template. */
const mark = '\0message'

/** @param filler makes what the schemas of errors require */
export function createRenderRefusal(contract: RequestContract, filler: Filler | undefined): RenderRefusal {
  const templates = new Map<Operation | undefined, Map<Reason | number, Template>>()

  return (refusal, operation) => {
    const { reason, status: requested, message, headers } = refusal
    const template = templates.get(operation)?.get(requested ?? reason) ?? addTemplate(refusal, operation)
    const { status, code, mediaType, around, headers: required, ensured } = template
    // Joined, it is one text in memory; the journal keeps it.
    const body = ensured ? ensured(message) : around.join(JSON.stringify(message))
    return { status, code, mediaType, headers: headers ? { ...required, ...headers } : required, body }
  }

  function addTemplate(refusal: Refusal, operation: Operation | undefined): Template {
    const template = createTemplate(refusal, operation)
    const byReason = getOrInsert(templates, operation, () => new Map<Reason | number, Template>())
    byReason.set(refusal.status ?? refusal.reason, template)
    return template
  }

  /** Uses the error body that the operation documents for the status, else the common one. */
  function createTemplate(refusal: Refusal, operation: Operation | undefined): Template {
    const status = statusOf(refusal, operation)
    const documented = operation && documentedResponse(operation, status)
    const { mediaType, fields, form, ensure } = documented?.error ?? contract.errorBody
    const code = codeOf(refusal.reason, status)
    const write = (message: string) => {
      const filled = fillFields(fields, { code, message, status })
      return form && filler ? filler.writeError(form, message, filled) : JSON.stringify(filled)
    }
    const text = write(mark)
    const forced = refusal.reason === 'forced' && operation ? requiredHeaders(contract, operation, status) : undefined
    const headers =
      documented?.headers && forced ? { ...documented.headers, ...forced } : (forced ?? documented?.headers)
    const ensured = (message: string) => {
      const written = write(message)
      // A response that no value satisfies gets what comes closest.
      return (ensure && filler?.ensureText(contract, ensure, written, `${operation?.id} ${status}`)) ?? written
    }
    const around = text.split(JSON.stringify(mark))
    const isText = form === 'text' || form === 'xml'
    return {
      status,
      code,
      mediaType,
      headers,
      around,
      ensured: isText ? write : ensure && filler ? ensured : undefined,
    }
  }
}

/**
 * The headers without which a status is not valid (RFC 9110, sections 15.5.2, 15.5.6 and 15.5.8). Of those for 426, the
 * document says nothing.
 */
function requiredHeaders(contract: RequestContract, operation: Operation, status: number): Answer['headers'] {
  const { path, servers } = operation
  if (status === 401 || status === 407) {
    const challenge = challengeOf(contract, firstScheme(alternativesOf(contract, operation)))
    return { [status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate']: challenge }
  }
  if (status !== 405) return undefined
  const others = contract.operations.filter(
    (each) => each.path === path && each.servers.some((name) => servers.includes(name)),
  )
  return { Allow: toAllowed(others.map(({ method }) => method)).join(', ') }
}

interface ErrorValues {
  code: string
  message: string
  status: number
}

function fillFields(fields: readonly ErrorField[], values: ErrorValues): Record<string, unknown> {
  const entries = fields.map((field): [string, unknown] => {
    if (field.from === 'fields') return [field.name, fillFields(field.fields, values)]
    if (field.from === 'list') return [field.name, [fillFields(field.fields, values)]]
    if (field.from === 'messages') return [field.name, [values.message]]
    return [field.name, field.from === 'constant' ? field.value : values[field.from]]
  })
  return Object.fromEntries(entries)
}
