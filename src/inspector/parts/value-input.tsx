/** An input for a value, made from its schema. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { parseExact, toText, writeExact } from '../exact-json.js'
import { choicesOf, describeSchema, type Schema, typeOf } from '../schema.js'

export interface ValueInputProps {
  name: string
  schema: Schema
  value: unknown
  /** The text that was typed in place of the value. Its text is undefined if the value is left out. */
  text: { text: string | undefined } | undefined
  isRequired?: boolean
  isFixed?: boolean
  hint?: string | undefined
  description?: string | undefined
  errors?: string[]
  /** Values to choose from. Others can be typed. */
  suggestions?: readonly string[]
  after?: ComponentChildren
  /** Called with undefined if the value is to be left out. */
  onText: (text: string | undefined) => void
}

export function ValueInput(props: ValueInputProps): JSX.Element {
  const {
    name,
    schema,
    value,
    text,
    isRequired = false,
    isFixed = false,
    errors = [],
    suggestions = [],
    after,
    onText,
  } = props
  const id = useId()
  const shown = text ? (text.text ?? '') : value === undefined ? '' : toInputText(value)
  const isLeftOut = text ? text.text === undefined : value === undefined
  const hint = props.hint ?? describeSchema(schema)
  const choices = choicesOf(schema)
  const type = typeOf(schema)
  const isArea = useKind(id, isLong(value, type))
  const common = {
    id,
    disabled: isFixed,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': errors.length > 0,
    ...(isRequired && { 'aria-required': true }),
  }
  // The types of JSX know `list` only beside some types.
  const listed: object = suggestions.length > 0 ? { list: `${id}-list` } : {}
  return (
    <div class={errors.length > 0 ? 'field wrong' : 'field'} data-field={name}>
      <label for={id}>
        {name}
        {isRequired && <span class="required"> required</span>}
      </label>
      {after}
      {choices ? (
        <select
          {...common}
          value={isLeftOut ? '' : shown}
          onChange={({ currentTarget }) => onText(currentTarget.value === '' ? undefined : currentTarget.value)}
        >
          <option value="">—</option>
          {[...new Set([...choices.map(toInputText), ...(isLeftOut ? [] : [shown])])].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : isArea ? (
        <textarea
          {...common}
          rows={Math.min(12, shown.split('\n').length + 1)}
          spellcheck={false}
          value={shown}
          onInput={({ currentTarget }) => onText(currentTarget.value === '' ? undefined : currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          autocomplete="off"
          spellcheck={false}
          inputMode={type === 'integer' || type === 'number' ? 'numeric' : 'text'}
          value={shown}
          {...listed}
          onInput={({ currentTarget }) => onText(currentTarget.value === '' ? undefined : currentTarget.value)}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <span class="hint" id={`${id}-hint`}>
        {errors.map((message) => (
          <span key={message} class="error">
            {message}
          </span>
        ))}
        {[shorten(props.description), hint].filter(Boolean).join(' · ')}
      </span>
    </div>
  )
}

/** Whether an input is long. It does not change while somebody types into it. */
function useKind(id: string, isLongNow: boolean): boolean {
  const kind = useRef(isLongNow)
  if (document.activeElement?.id !== id) kind.current = isLongNow
  return kind.current
}

/** Some documents explain a property on a whole page. */
function shorten(text = ''): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text
}

function isLong(value: unknown, type: string): boolean {
  if (type === 'object' || type === 'array') return true
  return (
    (typeof value === 'object' && value !== null && !('text' in value)) ||
    (typeof value === 'string' && (value.length > 80 || value.includes('\n')))
  )
}

/** A value as its input shows it. */
export function toInputText(value: unknown): string {
  return typeof value === 'object' && value !== null ? writeExact(value, 2) : toText(value)
}

/**
 * The value of a text. One that is not as its type must be stays text, so that the sandbox can say what is wrong.
 * @throws Error for an object or a list that is no JSON
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
