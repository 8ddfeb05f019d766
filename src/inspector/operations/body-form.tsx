/** The inputs for the body of a request: fields, JSON, other text or a file. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Violation } from '../api-types.js'
import { FileInput } from '../parts/file-input.js'
import { messagesBesides } from '../parts/violations.js'
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
          <label class="check">
            <input
              type="checkbox"
              checked={body !== undefined}
              onChange={({ currentTarget }) => {
                draft.hasBody.value = currentTarget.checked
              }}
            />
            Send a body
          </label>
        )}
        {contents.length > 1 && body && (
          <select
            aria-label="Media type"
            value={content.mediaType}
            onChange={({ currentTarget }) => {
              draft.mediaType.value = currentTarget.value
            }}
          >
            {contents.map(({ mediaType }) => (
              <option key={mediaType}>{mediaType}</option>
            ))}
          </select>
        )}
        {body?.hasFields && body.kind !== 'multipart' && <Switch key={content.mediaType} body={body} />}
      </div>
      {body && <BodyInput key={content.mediaType} body={body} content={content} violations={violations} />}
    </fieldset>
  )
}

/** Shows the same value in another way, or says why that cannot be. */
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
        <button type="button" aria-pressed={!isText} onClick={() => isText && show(switchToFields)}>
          Fields
        </button>
        <button type="button" aria-pressed={isText} onClick={() => isText || show(switchToText)}>
          JSON
        </button>
      </fieldset>
      <div class="problem-place" role="alert">
        {problem.value !== '' && <p class="problem">{problem.value}</p>}
      </div>
    </>
  )
}

interface BodyInputProps {
  body: EditedBody
  content: BodyContent
  violations: Violation[]
}

function BodyInput({ body, content, violations }: BodyInputProps): JSX.Element {
  const { kind, draft, mediaType } = body
  if (kind === 'bytes')
    return (
      <FileInput
        name="File"
        files={draft.files.value[''] ?? []}
        accept={toAccept(mediaType)}
        hint="Without a file, a small sample is sent"
        errors={messagesBesides(violations, [])}
        onFiles={(files) => {
          draft.files.value = { '': files }
        }}
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
  return (
    <div class={errors.length > 0 ? 'field wrong' : 'field'}>
      <label for={id}>{labels[kind] ?? 'Body as JSON'}</label>
      <textarea
        id={id}
        rows={Math.min(18, Math.max(4, text.split('\n').length + 1))}
        spellcheck={false}
        aria-invalid={errors.length > 0}
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={({ currentTarget }) => {
          draft.text.value = currentTarget.value
        }}
      />
      <span class="hint" id={`${id}-hint`}>
        {errors.map((message) => (
          <span key={message} class="error">
            {message}
          </span>
        ))}
        {propertiesOf(schema).map(([name, each, isRequired]) => (
          <span key={name} class="property">
            <code>{name}</code>
            {isRequired && <span class="required">*</span>} {describeSchema(each)}
          </span>
        ))}
      </span>
    </div>
  )
}
