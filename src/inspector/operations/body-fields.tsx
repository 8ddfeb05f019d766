/** A body as fields, with its JSON beside them. */
import type { JSX } from 'preact'
import { type FormFacts, messagesFor } from '../forms/form.js'
import { JsonPane } from '../forms/json-pane.js'
import { shownIn } from '../forms/object-fields.js'
import { InnerFields } from '../forms/value-field.js'
import { isObject, writeExact } from '../json-text.js'
import { FileInput } from '../parts/file-input.js'
import { Errors } from '../parts/inputs.js'
import { Problem } from '../parts/jobs.js'
import { type Schema, typeOf } from '../schema.js'
import { acceptOf, filesOf } from './body-kind.js'
import { bodyValue, type EditedBody, problemIn } from './body-value.js'

interface BodyFieldsProps {
  body: EditedBody
  /** The place of the schema in the document. */
  contentSchema: string | undefined
  form: FormFacts
}

export function BodyFields({ body, contentSchema, form }: BodyFieldsProps): JSX.Element {
  const { kind, schema, draft } = body
  const value = bodyValue(body)
  const isBroken = problemIn(body) !== undefined
  const shown = value ?? (typeOf(schema) === 'array' ? [] : typeOf(schema) === 'object' ? {} : undefined)
  const loose = messagesFor(form, '', shownIn(schema, shown))
  return (
    <div class="beside">
      {/* What is typed as JSON stays until it can be read. */}
      <fieldset class="plain" disabled={isBroken}>
        <legend class="spoken">Fields of the body</legend>
        {isBroken && <Problem text="The fields are shown again once the JSON can be read." />}
        {loose.length > 0 && (
          <div class="hint" data-wrong tabIndex={-1}>
            <Errors errors={loose} />
          </div>
        )}
        <InnerFields
          name=""
          path=""
          {...{ schema, form }}
          value={shown}
          onChange={(next) => {
            draft.value.value = { value: next }
            draft.text.value = undefined
          }}
          renderField={(name, own, isRequired) =>
            kind === 'multipart' && filesOf(own) !== undefined ? (
              <FileField key={name} {...{ body, name, isRequired, contentSchema, form }} schema={own} />
            ) : undefined
          }
        />
      </fieldset>
      <JsonPane
        label={
          kind === 'json' ? 'Body as JSON' : `Body as JSON, sent as a ${kind === 'form' ? 'form' : 'multipart form'}`
        }
        value={value}
        text={draft.text.value}
        hint={kind === 'multipart' ? 'Files are chosen in the form.' : ''}
        onText={(text, read) => {
          if (read && writeExact(read.value) !== writeExact(value)) draft.value.value = read
          draft.text.value = text
        }}
      />
    </div>
  )
}

interface FileFieldProps extends BodyFieldsProps {
  name: string
  schema: Schema
  isRequired: boolean
}

function FileField({ body, name, schema, isRequired, contentSchema, form }: FileFieldProps): JSX.Element {
  const { description } = schema
  const { files, without } = body.draft
  const isMany = filesOf(schema) === 'many'
  const accept = acceptOf(contentSchema, name, schema)
  const value = bodyValue(body)
  // A sample is sent if the example has one.
  const mayHaveSample = isRequired || (isObject(value) && value[name] !== undefined)
  return (
    <FileInput
      name={name}
      files={files.value[name] ?? []}
      isMany={isMany}
      isRequired={isRequired}
      accept={accept}
      hint={[isMany ? 'one file or several' : 'a file', accept].filter(Boolean).join(', ')}
      description={typeof description === 'string' ? description : undefined}
      errors={messagesFor(form, name)}
      {...(mayHaveSample && { hasSample: !without.value.includes(name) })}
      onFiles={(chosen) => {
        files.value = { ...files.value, [name]: chosen }
      }}
      onSample={(isSent) => {
        const others = without.value.filter((each) => each !== name)
        without.value = isSent ? others : [...others, name]
      }}
    />
  )
}
