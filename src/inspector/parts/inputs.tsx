/** Inputs with their labels, hints and errors. */
import type { ComponentChildren, JSX } from 'preact'

/** The filter of a view. The key `/` focuses it. */
export function Filter(props: { value: { value: string }; label: string; placeholder?: string }): JSX.Element {
  const { value, label, placeholder = 'Filter  ( / )' } = props
  return (
    <input
      type="search"
      class="filter"
      data-filter
      autocomplete="off"
      aria-label={label}
      placeholder={placeholder}
      value={value.value}
      onInput={({ currentTarget }) => (value.value = currentTarget.value)}
    />
  )
}

export type Option = readonly [value: string, label?: string, isDisabled?: boolean]

interface OptionsProps {
  value: string
  options: readonly Option[]
  onChoice: (value: string) => void
}

export function Options({ options, onChoice, ...others }: OptionsProps & Record<string, unknown>): JSX.Element {
  return (
    <select {...others} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
      {options.map(([each, label = each, isDisabled = false]) => (
        <option key={each} value={each} disabled={isDisabled}>
          {label}
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
export function describedBy(id: string, errors: readonly string[]): { id: string } & Record<string, unknown> {
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
