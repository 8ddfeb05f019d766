/** A body as one field for each property. */
import type { JSX } from 'preact'
import type { Violation } from '../api-types.js'
import { FileInput } from '../parts/file-input.js'
import { Problem } from '../parts/jobs.js'
import { messagesAt, messagesBesides, ValueInput } from '../parts/value-input.js'
import type { Property } from '../schema.js'
import { acceptOf, filesOf } from './body-kind.js'
import { baseOf, type EditedBody, fieldsOfBody } from './body-value.js'

interface BodyFieldsProps {
  body: EditedBody
  /** The place of the schema in the document. */
  contentSchema: string | undefined
  violations: Violation[]
}

export function BodyFields({ body, contentSchema, violations }: BodyFieldsProps): JSX.Element {
  const fields = fieldsOfBody(body)
  const { fields: texts } = body.draft
  const base = baseOf(body)
  const loose = messagesBesides(
    violations,
    fields.map(([name]) => name),
  )
  return (
    <>
      <div class="fields">
        {fields.map((field) => {
          const [name, schema, isRequired] = field
          const errors = messagesAt(violations, 'body', name)
          if (body.kind === 'multipart' && filesOf(schema) !== undefined)
            return <FileField key={name} {...{ body, field, errors, accept: acceptOf(contentSchema, name, schema) }} />
          return (
            <ValueInput
              key={name}
              name={name}
              schema={schema}
              value={base[name]}
              texts={texts.value}
              isRequired={isRequired}
              errors={errors}
              onText={(text) => {
                texts.value = { ...texts.value, [name]: text }
              }}
            />
          )
        })}
      </div>
      {loose.map((message) => (
        <Problem key={message} text={message} />
      ))}
    </>
  )
}

interface FileFieldProps {
  body: EditedBody
  field: Property
  errors: string[]
  accept: string | undefined
}

function FileField({ body, field, errors, accept }: FileFieldProps): JSX.Element {
  const [name, schema, isRequired] = field
  const { description } = schema
  const { files, without } = body.draft
  const isMany = filesOf(schema) === 'many'
  // A sample is sent if the example has one.
  const mayHaveSample = isRequired || baseOf(body)[name] !== undefined
  return (
    <FileInput
      name={name}
      files={files.value[name] ?? []}
      isMany={isMany}
      isRequired={isRequired}
      accept={accept}
      hint={[isMany ? 'one file or several' : 'a file', accept].filter(Boolean).join(', ')}
      description={typeof description === 'string' ? description : undefined}
      errors={errors}
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
