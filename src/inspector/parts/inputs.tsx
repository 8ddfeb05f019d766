/** Inputs whose text is a signal. */
import type { Signal } from '@preact/signals'
import { type AllHTMLAttributes, type ComponentChildren, h, type JSX } from 'preact'
import { useId } from 'preact/hooks'

interface TextInputProps {
  value: Signal<string>
  type?: 'text' | 'search' | 'password' | 'datetime-local'
  required?: boolean
  maxLength?: number
  pattern?: string
  placeholder?: string
  step?: number
  class?: string
  'data-filter'?: boolean
  id?: string
}

/** @param props.label what only a screen reader says */
export function TextInput({
  value,
  label,
  type = 'text',
  ...others
}: TextInputProps & { label?: string }): JSX.Element {
  const all: AllHTMLAttributes<HTMLInputElement> = {
    autocomplete: 'off',
    ...others,
    ...(label !== undefined && { 'aria-label': label }),
    type,
    value: value.value,
    onInput: ({ currentTarget }) => {
      value.value = currentTarget.value
    },
  }
  // The types of JSX know only a `type` that is known.
  return h('input', all)
}

/** An input below its label. @param props.prefix what stands before the text */
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

/** The filter of a view, which the key `/` goes to. */
export function Filter({ value, label, hint = 'Filter  ( / )' }: FilterProps): JSX.Element {
  return <TextInput type="search" class="filter" data-filter label={label} placeholder={hint} value={value} />
}

interface FilterProps {
  value: Signal<string>
  label: string
  hint?: string
}

/** A choice among a few. The children are options. */
export function Choice(props: { label: string; value: Signal<string>; children: ComponentChildren }): JSX.Element {
  const { label, value, children } = props
  return (
    <label>
      {label}
      <select
        value={value.value}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.value
        }}
      >
        {children}
      </select>
    </label>
  )
}
