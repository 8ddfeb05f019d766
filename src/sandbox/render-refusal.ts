/** Turns a refusal into an answer with the documented error body. */
import type { Operation, RequestContract } from '../contract/contract.js'
import type { ErrorField } from '../contract/documented-response.js'
import { documentedResponse } from '../contract/documented-status.js'
import { getOrInsert } from '../state/get-or-insert.js'
import type { Reason, Refusal, RenderedRefusal } from './outcome.js'
import { codeOf, statusOf } from './refusal-status.js'

export type RenderRefusal = (refusal: Refusal, operation: Operation | undefined) => RenderedRefusal

/** An error response without its message: shared by all refusals of an operation for one reason. */
interface Template {
  status: number
  code: string
  mediaType: string
  /** The body as JSON text, split at the message. */
  around: string[]
}

/** Placeholder for the message in a template. */
const mark = '\0message'

export function createRenderRefusal({ errorBody }: RequestContract): RenderRefusal {
  const templates = new Map<Operation | undefined, Map<Reason | number, Template>>()

  return (refusal, operation) => {
    const { reason, status: requested, message, headers } = refusal
    const byReason = getOrInsert(templates, operation, () => new Map<Reason | number, Template>())
    const template = getOrInsert(byReason, requested ?? reason, () => createTemplate(refusal, operation))
    const { status, code, mediaType, around } = template
    // Joined, it is one text in memory; the journal keeps it.
    return { status, code, mediaType, headers, body: around.join(JSON.stringify(message)) }
  }

  /** Uses the error body that the operation documents for the status, else the common one. */
  function createTemplate(refusal: Refusal, operation: Operation | undefined): Template {
    const status = statusOf(refusal, operation)
    const { mediaType, fields } = (operation && documentedResponse(operation, status)?.error) ?? errorBody
    const code = codeOf(refusal.reason, status)
    const text = JSON.stringify(fillFields(fields, { code, message: mark, status }))
    return { status, code, mediaType, around: text.split(JSON.stringify(mark)) }
  }
}

interface ErrorValues {
  code: string
  message: string
  status: number
}

function fillFields(fields: readonly ErrorField[], values: ErrorValues): Record<string, unknown> {
  const entries = fields.map((field): [string, unknown] => {
    if (field.from === 'fields') return [field.name, fillFields(field.fields, values)]
    return [field.name, field.from === 'constant' ? field.value : values[field.from]]
  })
  return Object.fromEntries(entries)
}
