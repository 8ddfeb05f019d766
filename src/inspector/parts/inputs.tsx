/** Inputs with their labels, hints and errors. */
import { type AllHTMLAttributes, type ComponentChildren, h, type JSX } from 'preact'
import { useId } from 'preact/hooks'

interface TextInputProps {
  value: { value: string }
  type?: 'text' | 'search' | 'password' | 'datetime-local'
  required?: boolean
  maxLength?: number
  pattern?: string
  /** Said when the text does not match the pattern. */
  title?: string
  placeholder?: string
  step?: number
  class?: string
  'data-filter'?: boolean
  id?: string
}

/** Writes the typed text into a signal. */
export const into =
  (signal: { value: string | undefined }) =>
  ({ currentTarget }: { currentTarget: { value: string } }): void => {
    signal.value = currentTarget.value
  }

/** @param props.label a label for screen readers only */
export function TextInput({
  value,
  label,
  type = 'text',
  ...others
}: TextInputProps & { label?: string }): JSX.Element {
  const name = label !== undefined && { 'aria-label': label }
  const all: AllHTMLAttributes<HTMLInputElement> = { autocomplete: 'off', ...others, ...name, type, value: value.value }
  // The types of JSX require a constant `type`.
  return h('input', { ...all, onInput: into(value) })
}

/** An input below its label. @param props.prefix shown before the text */
export function TextField({
  label,
  prefix,
  ...others
}: TextInputProps & { label: string; prefix?: string }): JSX.Element {
  const id = useId()
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      <span class="prefixed">
        {prefix !== undefined && <span aria-hidden="true">{prefix}</span>}
        <TextInput {...others} id={id} />
      </span>
    </div>
  )
}

/** The filter of a view. The key `/` focuses it. */
export function Filter(props: { value: { value: string }; label: string; placeholder?: string }): JSX.Element {
  return <TextInput type="search" class="filter" data-filter placeholder="Filter  ( / )" {...props} />
}

interface SelectProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label?: string, isDisabled?: boolean])[]
  onChoice: (value: string) => void
}

/** A choice with a label for screen readers only. */
export function Select({ label, ...others }: SelectProps): JSX.Element {
  return <Options {...others} label={label} />
}

/** A choice below its label. */
export function Choice({ label, ...others }: SelectProps): JSX.Element {
  const id = useId()
  return (
    <label for={id}>
      {label}
      <Options {...others} id={id} />
    </label>
  )
}

function Options(props: Omit<SelectProps, 'label'> & { label?: string; id?: string }): JSX.Element {
  const { id, label, value, options, onChoice } = props
  return (
    <select id={id} aria-label={label} value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
      {options.map(([each, text = each, isDisabled = false]) => (
        <option key={each} value={each} disabled={isDisabled}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface CheckProps {
  label: string
  /** For a screen reader. @default the label */
  spoken?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

export function Check({ label, spoken, isOn, onChange }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        aria-label={spoken}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

interface FieldProps {
  /** The id of the input. That of the hint is `<id>-hint`. */
  id: string
  label: string
  isRequired?: boolean | undefined
  errors: readonly string[]
  hint: ComponentChildren
  /** The input, and content next to the label. */
  children: ComponentChildren
}

/** An input with its label, its errors and a hint. */
export function Field({ id, label, isRequired = false, errors, hint, children }: FieldProps): JSX.Element {
  return (
    <div class={errors.length > 0 ? 'field wrong' : 'field'} data-field={label}>
      <label for={id}>
        {label}
        {isRequired && <span class="required"> required</span>}
      </label>
      {children}
      <span class="hint" id={`${id}-hint`}>
        <Errors errors={errors} />
        {hint}
      </span>
    </div>
  )
}

/** The attributes of an input in a field. */
export function describedBy(id: string, errors: readonly string[]): Record<string, unknown> {
  return { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': errors.length > 0 }
}

/** The messages about a field. */
export function Errors({ errors }: { errors: readonly string[] }): JSX.Element {
  return (
    <>
      {errors.map((message) => (
        <span key={message} class="error">
          {message}
        </span>
      ))}
    </>
  )
}

/** A label that names its field for a screen reader. */
export function Spoken({ text, name }: { text: string; name: string }): JSX.Element {
  return (
    <>
      {text}
      <span class="spoken"> {name}</span>
    </>
  )
}
