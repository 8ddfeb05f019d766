/** The inputs for the body of a request: fields with JSON, other text or a file. */
import type { JSX } from 'preact'
import { InnerFields, shownIn } from '../forms/fields.js'
import { type FormFacts, type FormField, messagesFor } from '../forms/form.js'
import { BesideJson, JsonPane, TextPane } from '../forms/json-pane.js'
import { FileInput } from '../forms/value-input.js'
import { isObject, writeExact } from '../json-text.js'
import { Check, Select } from '../parts/inputs.js'
import { typeOf } from '../schema.js'
import {
  acceptOf,
  type BodyContent,
  bodyValue,
  type EditedBody,
  filesOf,
  problemIn,
  textOfBody,
  toAccept,
} from './body.js'
import type { Draft } from './drafts.js'

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
          <Select
            label="Media type"
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
