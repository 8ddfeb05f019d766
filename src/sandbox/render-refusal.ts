/** Turns a refusal into an answer: the body that the operation documents for its status. */
import type { ErrorField, Operation, RequestContract } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import type { Answer } from './applied.js'
import { codeOf, type Reason, type Refusal, statusOf } from './refusal.js'

/** A rendered refusal, with its machine-readable code. */
export type Rendered = Answer & { code: string }

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
  const templates = new Map<Operation | undefined, Map<Reason, Template>>()

  return (refusal, operation) => {
    const make = () => compile(refusal, operation)
    // A status that somebody asked for may be any.
    const { status, code, mediaType, around } =
      refusal.status === undefined
        ? getOrInsert(getOrInsert(templates, operation, newMap), refusal.reason, make)
        : make()
    const body = around.join(JSON.stringify(refusal.message))
    return { status, code, mediaType, headers: refusal.headers, body }
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
