/** The inputs for the body of a request: fields with JSON, other text or a file. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { type FormFacts, messagesFor } from '../forms/form.js'
import { JsonPane } from '../forms/json-pane.js'
import { FileInput } from '../parts/file-input.js'
import { Check, describedBy, Field, into, Select } from '../parts/inputs.js'
import { BodyFields } from './body-fields.js'
import { type BodyContent, toAccept } from './body-kind.js'
import { bodyValue, type EditedBody, textOfBody } from './body-value.js'
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
  const { kind, draft, mediaType, hasFields } = body
  const errors = messagesFor(form, '')
  if (kind === 'bytes')
    return (
      <FileInput
        name="File"
        files={draft.files.value[''] ?? []}
        accept={toAccept(mediaType)}
        hint="Without a file, a small sample is sent"
        errors={errors}
        onFiles={(files) => (draft.files.value = { '': files })}
      />
    )
  if (hasFields) return <BodyFields body={body} contentSchema={content.schema} form={form} />
  if (kind === 'text') return <BodyText body={body} errors={errors} />
  return (
    <JsonPane
      label="Body as JSON"
      value={bodyValue(body)}
      text={draft.text.value}
      errors={errors}
      onText={(text, read) => {
        draft.text.value = text
        if (read) draft.value.value = read
      }}
    />
  )
}

function BodyText({ body, errors }: { body: EditedBody; errors: readonly string[] }): JSX.Element {
  const id = useId()
  const text = textOfBody(body)
  return (
    <Field id={id} label="Body as text" errors={errors} hint="">
      <textarea
        {...describedBy(id, errors)}
        rows={Math.min(18, Math.max(4, text.split('\n').length + 1))}
        spellcheck={false}
        value={text}
        onInput={into(body.draft.text)}
      />
    </Field>
  )
}
