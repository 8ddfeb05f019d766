/** Short forms in a line: each field is below its label. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Values, Violation } from '../api.js'
import { Errors } from '../parts/inputs.js'
import { type Jobs, ProblemText, useJobs } from '../parts/jobs.js'
import { Control } from './control.js'
import { type FormField, messagesFor, useFocusOnWrong, withMember } from './form.js'

interface InlineFieldsProps {
  fields: readonly FormField[]
  values: Values
  violations?: readonly Violation[]
  onChange: (values: Values, field: FormField) => void
}

export function InlineFields({ fields, values, violations = [], onChange }: InlineFieldsProps): JSX.Element {
  return (
    <>
      {fields.map((field) => (
        <InlineField
          key={field.name}
          field={field}
          value={values[field.name]}
          errors={messagesFor({ violations }, field.name)}
          onChange={(value) => onChange(withMember(values, field.name, value), field)}
        />
      ))}
    </>
  )
}

interface InlineFieldProps {
  field: FormField
  value: unknown
  errors: readonly string[]
  onChange: (value: unknown) => void
}

function InlineField({ field, value, errors, onChange }: InlineFieldProps): JSX.Element {
  const { name, label = name, schema, isRequired, after } = field
  const { pattern, maxLength, description, format, type, $prefix: prefix, $placeholder: placeholder } = schema
  const id = useId()
  return (
    <div class={type === 'integer' ? 'text-field short' : schema['$suggestions'] ? 'text-field wide' : 'text-field'}>
      <label for={id}>{label}</label>
      <span class="prefixed">
        {prefix !== undefined && <span aria-hidden="true">{String(prefix)}</span>}
        <Control
          {...{ name, schema, value, onChange }}
          attributes={{
            ...{ id, required: isRequired, pattern, maxLength, title: description, placeholder },
            ...(format === 'password' && { type: format }),
            ...(errors.length > 0 && { 'aria-invalid': true, 'aria-describedby': `${id}-hint` }),
          }}
        />
        {after}
      </span>
      {errors.length > 0 && (
        <span class="hint" role="alert" id={`${id}-hint`}>
          <Errors errors={errors} />
        </span>
      )}
    </div>
  )
}

interface ShortFormProps {
  fields: readonly FormField[] | ((values: Values) => readonly FormField[])
  /** The values at first. */
  usual?: Values
  /** The field that is empty again after the form was sent. */
  once?: string
  /** The text of the button. */
  submit: string
  kind?: 'primary'
  /** Runs it, and forgets why it failed when the form around it changes. */
  jobs?: Jobs
  onSubmit: (values: Values) => Promise<unknown>
  /** Called when a value changes. */
  onChange?: () => void
  /** Content behind the button. */
  children?: ComponentChildren
}

/** A form that is sent as a whole. */
export function ShortForm(props: ShortFormProps): JSX.Element {
  const { fields, usual = {}, once, submit, kind, onSubmit, onChange, children } = props
  const own = useJobs()
  const { jobs = own } = props
  const values: Signal<Values> = useSignal(usual)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnWrong(form, jobs.problem.value)
  const shown = typeof fields === 'function' ? fields(values.value) : fields
  const { violations = [] } = jobs.problem.value ?? {}
  const names = shown.map(({ name }) => name)
  const isElsewhere = violations.length === 0 || messagesFor({ violations }, '', names).length > 0
  async function send(event: Event): Promise<void> {
    event.preventDefault()
    const isSent = await jobs.run(() => onSubmit(values.value))
    if (isSent && once !== undefined) values.value = withMember(values.value, once, undefined)
  }
  return (
    <form class="inline-form" ref={form} onSubmit={send}>
      <InlineFields
        fields={shown}
        values={values.value}
        violations={violations}
        onChange={(next) => {
          values.value = next
          onChange?.()
        }}
      />
      <button type="submit" class={kind} disabled={jobs.isBusy.value}>
        {submit}
      </button>
      {children}
      {isElsewhere && <ProblemText jobs={jobs} />}
    </form>
  )
}
