/** The inputs for the body of a request: fields with JSON, other text or a file. */
import type { JSX } from 'preact'
import type { Form } from '../api.js'
import { InnerFields, shownIn } from '../forms/fields.js'
import { type FormFacts, type FormField, messagesFor } from '../forms/form.js'
import { BesideJson, JsonPane, problemOf, TextPane } from '../forms/json-pane.js'
import { FileInput } from '../forms/value-input.js'
import { variantsOf } from '../forms/variants.js'
import { isObject, toText, writeExact } from '../json-text.js'
import { Check, Options } from '../parts/inputs.js'
import { bareType } from '../requests/replay.js'
import { propertiesOf, resolve, type Schema, schemaAt, typeOf } from '../schema.js'
import type { BodyDraft, Draft } from './drafts.js'

export interface BodyFormProps {
  draft: Draft
  contents: BodyContent[]
  content: BodyContent
  isRequired: boolean
  /** Undefined if no body is sent. */
  body: EditedBody | undefined
  form: FormFacts
}

export function BodyForm(props: BodyFormProps): JSX.Element {
  const { draft, contents, content, isRequired, body, form } = props
  return (
    <fieldset class="body">
      <legend>
        Body {contents.length === 1 && <span class="dim">{content.mediaType}</span>}
        {isRequired && <span class="required"> required</span>}
      </legend>
      <div class="actions">
        {!isRequired && (
          <Check label="Send a body" isOn={body !== undefined} onChange={(isOn) => (draft.hasBody.value = isOn)} />
        )}
        {contents.length > 1 && body && (
          <Options
            aria-label="Media type"
            value={content.mediaType}
            options={contents.map(({ mediaType }) => [mediaType])}
            onChoice={(mediaType) => (draft.mediaType.value = mediaType)}
          />
        )}
      </div>
      {body && <BodyInput key={content.mediaType} body={body} content={content} form={form} />}
    </fieldset>
  )
}

function BodyInput({ body, content, form }: { body: EditedBody; content: BodyContent; form: FormFacts }): JSX.Element {
  const { kind, draft, mediaType, schema, hasFields } = body
  const errors = messagesFor(form, '')
  const files = {
    chosen: draft.files.value[''] ?? [],
    accept: toAccept(mediaType),
    onFiles: (chosen: File[]) => (draft.files.value = { '': chosen }),
  }
  if (kind === 'bytes')
    return (
      <FileInput
        field={{ name: 'File', schema: {}, hint: 'Without a file, a small sample is sent' }}
        {...{ files, errors }}
      />
    )
  if (kind === 'text')
    return (
      <TextPane
        label="Body as text"
        text={textOfBody(body)}
        errors={errors}
        onText={(text) => (draft.text.value = text)}
      />
    )
  const value = bodyValue(body)
  const pane = {
    label: kind === 'json' ? 'Body as JSON' : `Body as JSON, sent as a ${kind === 'form' ? 'form' : 'multipart form'}`,
    value,
    text: draft.text.value,
    hint: kind === 'multipart' ? 'Files are chosen in the form.' : '',
    onText(text: string, read?: { value: unknown }): void {
      if (read && writeExact(read.value) !== writeExact(value)) draft.value.value = read
      draft.text.value = text
    },
  }
  if (!hasFields) return <JsonPane {...pane} errors={errors} />
  const shown = value ?? (typeOf(schema) === 'array' ? [] : typeOf(schema) === 'object' ? {} : undefined)
  return (
    <BesideJson
      {...pane}
      legend="Fields of the body"
      loose={messagesFor(form, '', shownIn(schema, shown))}
      isBroken={problemIn(body) !== undefined}
    >
      <InnerFields
        name=""
        path=""
        {...{ schema, form }}
        value={shown}
        onChange={(next) => {
          draft.value.value = { value: next }
          draft.text.value = undefined
        }}
        describe={kind === 'multipart' ? (field) => withFiles(field, body, content.schema) : undefined}
      />
    </BesideJson>
  )
}

/** Files are chosen for a property that has them. @param contentSchema the place of the schema in the document */
function withFiles(field: FormField, body: EditedBody, contentSchema: string | undefined): FormField {
  const { name, schema, isRequired = false } = field
  const kind = filesOf(schema)
  if (kind === undefined) return field
  const { files, without } = body.draft
  const value = bodyValue(body)
  // A sample is sent if the example has one.
  const mayHaveSample = isRequired || (isObject(value) && value[name] !== undefined)
  return {
    ...field,
    files: {
      chosen: files.value[name] ?? [],
      isMany: kind === 'many',
      accept: acceptOf(contentSchema, name, schema),
      ...(mayHaveSample && { hasSample: !without.value.includes(name) }),
      onFiles: (chosen) => (files.value = { ...files.value, [name]: chosen }),
      onSample: (isSent) => {
        const others = without.value.filter((each) => each !== name)
        without.value = isSent ? others : [...others, name]
      },
    },
  }
}

type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes'
export type BodyContent = NonNullable<Form['body']>['contents'][number]

const text = /^text\/|[/+](xml|yaml|x-yaml|javascript|graphql|x-ndjson|ndjson|jsonl|sql)$/

/** @example kindOf('application/merge-patch+json', {}) // 'json' */
export function kindOf(mediaType: string, schema: Schema): BodyKind {
  const type = bareType(mediaType)
  if (/[/+]json$/.test(type)) return 'json'
  if (/^(\*|application)\/\*$/.test(type)) return isBinary(schema) ? 'bytes' : 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data' || type === 'multipart/*') return 'multipart'
  return text.test(type) ? 'text' : 'bytes'
}

/** JSON if the operation accepts it, because its form shows the most. */
export function usualContent(contents: BodyContent[]): BodyContent | undefined {
  return contents.find(({ mediaType, schema }) => kindOf(mediaType, schemaAt(schema)) === 'json') ?? contents[0]
}

/** An example of a valid body. With several media types, each has its own. */
export function exampleOf(content: BodyContent, form: Form): unknown {
  return 'example' in content ? content.example : form.example.body
}

function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || contentMediaType !== undefined || contentEncoding !== undefined
}

/** @returns undefined for a property that is not a file */
function filesOf(schema: Schema): 'one' | 'many' | undefined {
  if (isBinary(schema)) return 'one'
  return typeOf(schema) === 'array' && isBinary(resolve(schema['items'])) ? 'many' : undefined
}

/** Whether a body can be shown as fields, by its schema and its example. */
export function hasFields(kind: BodyKind, schema: Schema, example: unknown): boolean {
  if (kind === 'text' || kind === 'bytes') return false
  return typeOf(schema) !== 'any' || variantsOf(schema).length > 0 || (kind !== 'json' && isObject(example))
}

/** The documented media types of a file: `image/png, image/jpeg` */
function acceptOf(contentSchema: string | undefined, name: string, schema: Schema): string | undefined {
  const { [name]: encoding } = schemaAt(contentSchema?.replace(/schema$/, 'encoding'))
  const named = isObject(encoding) ? encoding['contentType'] : schema['contentMediaType']
  return typeof named === 'string' ? toAccept(named) : undefined
}

/** The filter of the file dialog. Leaves out the type for any bytes, which no file has. */
function toAccept(mediaTypes: string): string | undefined {
  const types = mediaTypes.split(',').map(bareType)
  return types.some((type) => type === '*/*' || type === 'application/octet-stream') ? undefined : types.join(', ')
}

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
function problemIn({ draft }: EditedBody): string | undefined {
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
