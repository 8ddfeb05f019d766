/** Reads the value of a body from its form. */
import { ControlError } from '../api.js'
import type { Values, Violation } from '../api-types.js'
import { isObject, parseExact, toText, writeExact } from '../json-text.js'
import { readValue } from '../parts/value-input.js'
import type { Property, Schema } from '../schema.js'
import { type BodyKind, bareType, fieldsOf, filesOf } from './body-kind.js'
import type { BodyDraft } from './drafts.js'

/** A body that the user fills in. */
export interface EditedBody {
  kind: BodyKind
  mediaType: string
  schema: Schema
  example: unknown
  hasFields: boolean
  draft: BodyDraft
}

export function isShownAsText({ hasFields, draft }: EditedBody): boolean {
  return !hasFields || draft.isText.value
}

/** The value that the fields change: the example, or the edited JSON. */
export function baseOf({ draft, example }: EditedBody): Values {
  return draft.base.value ?? (isObject(example) ? example : {})
}

export function fieldsOfBody(body: EditedBody): Property[] {
  return fieldsOf(body.schema, baseOf(body))
}

/** The text in the area for the whole body. */
export function textOfBody({ kind, mediaType, draft, example }: EditedBody): string {
  if (draft.text.value !== undefined) return draft.text.value
  if (kind === 'text') return toSample(mediaType, toText(example))
  return example === undefined ? '' : writeExact(example, 2)
}

/** The sandbox does not parse XML, so the example may be any text. */
function toSample(mediaType: string, example: string): string {
  if (/xml$/.test(bareType(mediaType)) && !/^\s*</.test(example)) return '<sample/>'
  return example || 'sample'
}

/** @throws ControlError with the name of a field that is not JSON */
export function valueOfFields(body: EditedBody): Values {
  const fields = fieldsOfBody(body)
  const typed = Object.entries(body.draft.fields.value).map(([name, text]) => {
    const [, schema = {}] = fields.find(([each]) => each === name) ?? []
    return [name, text === undefined ? undefined : readField('body', name, text, schema)]
  })
  return withoutNone({ ...baseOf(body), ...Object.fromEntries(typed) })
}

/** The value from which the sandbox writes a form. Chosen files have a placeholder. @throws Error for text that is not JSON */
export function valueOfForm(body: EditedBody): unknown {
  const text = isShownAsText(body) ? textOfBody(body) : undefined
  if (text !== undefined) return text.trim() === '' ? {} : parseText(text)
  const value = valueOfFields(body)
  if (body.kind !== 'multipart') return value
  const { files, without } = body.draft
  const own = fieldsOfBody(body).flatMap(([name, schema, isRequired]) => {
    if (filesOf(schema) === undefined) return []
    const hasFile = (files.value[name] ?? []).length > 0
    if (!hasFile && without.value.includes(name)) return [[name, undefined]]
    const isSent = hasFile || (isRequired && value[name] === undefined)
    return isSent ? [[name, 'sample']] : []
  })
  return withoutNone({ ...value, ...Object.fromEntries(own) })
}

function withoutNone(value: Values): Values {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

/** @throws ControlError that names the wrong field */
export function readField(place: Violation['in'], name: string, text: string, schema: Schema): unknown {
  try {
    return readValue(text, schema, name)
  } catch (error) {
    const { message } = error as Error
    throw new ControlError(0, message, [{ in: place, at: name, rule: 'json', message }])
  }
}

function parseText(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new Error(`The text is not JSON: ${(error as Error).message}`)
  }
}

/** Shows the same value as JSON. @throws ControlError for a field that is not JSON */
export function switchToText(body: EditedBody): void {
  body.draft.text.value = writeExact(valueOfFields(body), 2)
  body.draft.isText.value = true
}

/** Shows the same value as fields. @throws Error for text without fields */
export function switchToFields(body: EditedBody): void {
  const value = parseText(textOfBody(body))
  if (!isObject(value)) throw new Error('Only a JSON object such as {"name": "value"} has fields')
  const { base, fields, isText } = body.draft
  base.value = value
  fields.value = {}
  isText.value = false
}
