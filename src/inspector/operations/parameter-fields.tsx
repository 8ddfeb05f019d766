/** One field for each parameter of an operation. */
import type { JSX } from 'preact'
import type { Form, Violation } from '../api-types.js'
import { ValueInput } from '../parts/value-input.js'
import { messagesAt } from '../parts/violations.js'
import { describeSchema, schemaAt } from '../schema.js'
import type { Draft } from './drafts.js'
import { idOf } from './write-request.js'

interface ParameterFieldsProps {
  form: Form
  draft: Draft
  violations: Violation[]
}

export function ParameterFields({ form, draft, violations }: ParameterFieldsProps): JSX.Element | null {
  const { parameters: texts } = draft
  if (form.parameters.length === 0) return null
  return (
    <div class="fields">
      {form.parameters.map(({ in: place, name, required, description, schema }) => {
        const id = idOf(place, name)
        return (
          <ValueInput
            key={id}
            name={name}
            schema={schemaAt(schema)}
            value={form.example.parameters?.[place]?.[name]}
            text={id in texts.value ? { text: texts.value[id] } : undefined}
            isRequired={required}
            description={description}
            hint={[place, describeSchema(schemaAt(schema))].filter(Boolean).join(', ')}
            errors={messagesAt(violations, place, name)}
            onText={(text) => {
              texts.value = { ...texts.value, [id]: text }
            }}
          />
        )
      })}
    </div>
  )
}
