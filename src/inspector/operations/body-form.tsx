/** The inputs for the body of a request: fields, JSON, other text or a file. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Violation } from '../api-types.js'
import { Toggle } from '../parts/bits.js'
import { FileInput } from '../parts/file-input.js'
import { Check, describedBy, Field, into, Select } from '../parts/inputs.js'
import { Problem } from '../parts/jobs.js'
import { messagesBesides } from '../parts/value-input.js'
import { describeSchema, propertiesOf } from '../schema.js'
import { BodyFields } from './body-fields.js'
import { type BodyContent, type BodyKind, toAccept } from './body-kind.js'
import { type EditedBody, isShownAsText, switchToFields, switchToText, textOfBody } from './body-value.js'
import type { Draft } from './drafts.js'

export interface BodyFormProps {
  draft: Draft
  contents: BodyContent[]
  content: BodyContent
  isRequired: boolean
  /** Undefined if no body is sent. */
  body: EditedBody | undefined
  violations: Violation[]
}

export function BodyForm(props: BodyFormProps): JSX.Element {
  const { draft, contents, content, isRequired, body, violations } = props
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
        {body?.hasFields && body.kind !== 'multipart' && <Switch key={content.mediaType} body={body} />}
      </div>
      {body && <BodyInput key={content.mediaType} body={body} content={content} violations={violations} />}
    </fieldset>
  )
}

/** Shows the same value in another way, or says why that is not possible. */
function Switch({ body }: { body: EditedBody }): JSX.Element {
  const problem = useSignal('')
  const isText = isShownAsText(body)
  function show(change: (body: EditedBody) => void): void {
    problem.value = ''
    try {
      change(body)
    } catch (error) {
      problem.value = (error as Error).message
    }
  }
  return (
    <>
      <fieldset class="segments">
        <legend class="spoken">Show the body as</legend>
        <Toggle label="Fields" isOn={!isText} onClick={() => isText && show(switchToFields)} />
        <Toggle label="JSON" isOn={isText} onClick={() => isText || show(switchToText)} />
      </fieldset>
      <div class="problem-place" role="alert">
        <Problem text={problem.value} />
      </div>
    </>
  )
}

function BodyInput(props: { body: EditedBody; content: BodyContent; violations: Violation[] }): JSX.Element {
  const { body, content, violations } = props
  const { kind, draft, mediaType } = body
  if (kind === 'bytes')
    return (
      <FileInput
        name="File"
        files={draft.files.value[''] ?? []}
        accept={toAccept(mediaType)}
        hint="Without a file, a small sample is sent"
        errors={messagesBesides(violations, [])}
        onFiles={(files) => (draft.files.value = { '': files })}
      />
    )
  return isShownAsText(body) ? (
    <BodyText body={body} violations={violations} />
  ) : (
    <BodyFields body={body} contentSchema={content.schema} violations={violations} />
  )
}

const labels: Partial<Record<BodyKind, string>> = { text: 'Body as text', form: 'Body as JSON, sent as a form' }

function BodyText({ body, violations }: { body: EditedBody; violations: Violation[] }): JSX.Element {
  const id = useId()
  const { kind, draft, schema } = body
  const text = textOfBody(body)
  const errors = messagesBesides(violations, [])
  const properties = propertiesOf(schema).map(([name, each, isRequired]) => (
    <span key={name} class="property">
      <code>{name}</code>
      {isRequired && <span class="required">*</span>} {describeSchema(each)}
    </span>
  ))
  return (
    <Field id={id} label={labels[kind] ?? 'Body as JSON'} errors={errors} hint={properties}>
      <textarea
        {...describedBy(id, errors)}
        rows={Math.min(18, Math.max(4, text.split('\n').length + 1))}
        spellcheck={false}
        value={text}
        onInput={into(draft.text)}
      />
    </Field>
  )
}
