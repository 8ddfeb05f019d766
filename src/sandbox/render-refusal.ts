/** Turns a refusal into an answer: the body that the operation documents for its status. */
import type { ErrorField, Operation, RequestContract } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import { codeOf, type Reason, type Refusal, type Rendered, statusOf } from './refusal.js'

export type RenderRefusal = (refusal: Refusal, operation: Operation | undefined) => Rendered

/** All that refusals of an operation with one reason share. */
interface Template {
  status: number
  code: string
  mediaType: string
  /** The body as JSON text, cut where the message stands. */
  around: string[]
}

/** Stands for the message while a body is cut. */
const mark = '\0message'

export function createRenderRefusal({ errorBody }: RequestContract): RenderRefusal {
  const templates = new Map<Operation | undefined, Map<Reason | number, Template>>()

  return (refusal, operation) => {
    const { reason, status, message, headers } = refusal
    const known = getOrInsert(templates, operation, newMap)
    const template = getOrInsert(known, status ?? reason, () => compile(refusal, operation))
    refusal.rendered ??= {
      status: template.status,
      code: template.code,
      mediaType: template.mediaType,
      headers,
      body: template.around.join(JSON.stringify(message)),
    }
    return refusal.rendered
  }

  /** The body that the operation documents for the status, else the one that is common in the document. */
  function compile(refusal: Refusal, operation: Operation | undefined): Template {
    const status = statusOf(refusal, operation)
    const { mediaType, fields } = (operation && documentedResponse(operation, status)?.error) ?? errorBody
    const code = codeOf(refusal.reason, status)
    const text = JSON.stringify(fillFields(fields, { code, message: mark, status }))
    return { status, code, mediaType, around: text.split(JSON.stringify(mark)) }
  }
}

interface ErrorWords {
  code: string
  message: string
  status: number
}

function fillFields(fields: readonly ErrorField[], words: ErrorWords): Record<string, unknown> {
  const filled: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.from === 'fields') filled[field.name] = fillFields(field.fields, words)
    else filled[field.name] = field.from === 'constant' ? field.value : words[field.from]
  }
  return filled
}
