/** Reads the value of a body from its form. */
import { problemOf } from '../forms/json-pane.js'
import { isObject, toText, writeExact } from '../json-text.js'
import { propertiesOf, type Schema } from '../schema.js'
import { type BodyKind, bareType, filesOf } from './body-kind.js'
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

/** The value that the fields and the JSON show. */
export function bodyValue({ draft, example }: EditedBody): unknown {
  return draft.value.value ? draft.value.value.value : example
}

/** Why there is no value for the fields. */
export function problemIn({ draft }: EditedBody): string | undefined {
  return draft.text.value === undefined ? undefined : problemOf(draft.text.value)
}

/** The text of the whole body: what was typed, else the value. */
export function textOfBody(body: EditedBody): string {
  const { kind, mediaType, draft, example } = body
  if (draft.text.value !== undefined) return draft.text.value
  if (kind === 'text') return toSample(mediaType, toText(example))
  const value = bodyValue(body)
  return value === undefined ? '' : writeExact(value, 2)
}

/** The sandbox does not parse XML, so the example may be any text. */
function toSample(mediaType: string, example: string): string {
  if (/xml$/.test(bareType(mediaType)) && !/^\s*</.test(example)) return '<sample/>'
  return example || 'sample'
}

/** The value from which the sandbox writes a form. Chosen files have a placeholder. @throws Error for text that is not JSON */
export function valueOfForm(body: EditedBody): unknown {
  const problem = problemIn(body)
  if (problem !== undefined) throw new Error(problem)
  const value = bodyValue(body) ?? {}
  if (body.kind !== 'multipart' || !isObject(value)) return value
  const { files, without } = body.draft
  const own = propertiesOf(body.schema).flatMap(([name, schema, isRequired]) => {
    if (filesOf(schema) === undefined) return []
    const hasFile = (files.value[name] ?? []).length > 0
    if (!hasFile && without.value.includes(name)) return [[name, undefined]]
    return hasFile || (isRequired && value[name] === undefined) ? [[name, 'sample']] : []
  })
  const all = Object.entries({ ...value, ...Object.fromEntries(own) })
  return Object.fromEntries(all.filter(([, each]) => each !== undefined))
}
