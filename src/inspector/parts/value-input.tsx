/** An input for a value, made from its schema. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Violation } from '../api-types.js'
import { isComposite, parseExact, toText, writeExact } from '../json-text.js'
import { choicesOf, describeSchema, type Schema, typeOf } from '../schema.js'
import { describedBy, Field } from './inputs.js'

export interface ValueInputProps {
  name: string
  schema: Schema
  value: unknown
  /** The typed texts. A text is undefined if the value is left out. */
  texts: Readonly<Record<string, string | undefined>>
  /** Name of its text. @default the name */
  id?: string
  isRequired?: boolean
  isFixed?: boolean
  /** @default what the schema allows */
  hint?: string | undefined
  /** @default that of the schema */
  description?: string | undefined
  errors: string[]
  /** Values to choose from. Others can be typed. */
  suggestions?: readonly string[]
  after?: ComponentChildren
  /** Called with undefined if the value is to be left out. */
  onText: (text: string | undefined) => void
}

export function ValueInput(props: ValueInputProps): JSX.Element {
  const { name, schema, value, texts, isRequired = false, errors, suggestions = [], after, onText } = props
  const { id: textId = name, hint = describeSchema(schema), description = descriptionOf(schema) } = props
  const id = useId()
  const text = Object.hasOwn(texts, textId) ? texts[textId] : value === undefined ? undefined : toInputText(value)
  const shown = text ?? ''
  const choices = choicesOf(schema)
  const type = typeOf(schema)
  const isArea = useKind(id, isLong(value, type))
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value || undefined)
  const common = {
    ...describedBy(id, errors),
    disabled: props.isFixed ?? false,
    ...(isRequired && { 'aria-required': true }),
    value: shown,
  }
  // The types of JSX allow `list` only with some input types.
  const listed: object = suggestions.length > 0 ? { list: `${id}-list` } : {}
  return (
    <Field {...{ id, isRequired, errors }} label={name} hint={[shorten(description), hint].filter(Boolean).join(' · ')}>
      {after}
      {choices ? (
        <select {...common} onChange={onInput}>
          <option value="">—</option>
          {[...new Set([...choices.map(toInputText), ...(text === undefined ? [] : [text])])].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : isArea ? (
        <textarea {...common} rows={Math.min(12, shown.split('\n').length + 1)} spellcheck={false} onInput={onInput} />
      ) : (
        <input
          {...common}
          autocomplete="off"
          spellcheck={false}
          inputMode={type === 'integer' || type === 'number' ? 'numeric' : 'text'}
          {...listed}
          onInput={onInput}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </Field>
  )
}

/** Whether an input is long. It does not change while the user types. */
function useKind(id: string, isLongNow: boolean): boolean {
  const kind = useRef(isLongNow)
  if (document.activeElement?.id !== id) kind.current = isLongNow
  return kind.current
}

function descriptionOf({ description }: Schema): string | undefined {
  return typeof description === 'string' ? description : undefined
}

/** Shortens descriptions, which are very long in some documents. */
function shorten(text = ''): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text
}

function isLong(value: unknown, type: string): boolean {
  if (type === 'object' || type === 'array' || isComposite(value)) return true
  return typeof value === 'string' && (value.length > 80 || value.includes('\n'))
}

/** The text of a value in its input. */
export function toInputText(value: unknown): string {
  return typeof value === 'string' ? value : writeExact(value, 2)
}

/**
 * The value of a text. An invalid value stays text, so that the sandbox can report the problem.
 * @throws Error for an object or a list that is not JSON
 */
export function readValue(text: string, schema: Schema, name: string): unknown {
  const choice = choicesOf(schema)?.find((each) => toText(each) === text)
  if (choice !== undefined) return choice
  const type = typeOf(schema)
  if (type === 'string') return text
  try {
    const value = parseExact(text)
    return type === 'any' && typeof value === 'string' ? text : value
  } catch {
    if (type !== 'object' && type !== 'array') return text
    throw new Error(`${name} must be JSON, such as ${type === 'array' ? '["one", "two"]' : '{"name": "value"}'}`)
  }
}

/** @returns the messages about a value and nested values */
export function messagesAt(violations: Violation[], place: string, name: string): string[] {
  return violations.filter((each) => each.in === place && isAt(each.at, name)).map(({ message }) => message)
}

/** The messages about the body that concern none of these properties. */
export function messagesBesides(violations: Violation[], names: string[]): string[] {
  const others = violations.filter((each) => each.in === 'body' && !names.some((name) => isAt(each.at, name)))
  return others.map(({ message }) => message)
}

/** Whether a violation concerns a property or a nested value. */
export function isAt(at: string, name: string): boolean {
  return at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}[`)
}
