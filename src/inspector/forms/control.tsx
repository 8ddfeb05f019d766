/** The input for a value that is no object and no list, made from its schema: a choice, a search, a text or a day. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { Values } from '../api.js'
import { isComposite, parseExact, toText, writeExact } from '../json-text.js'
import { type Option, Options } from '../parts/inputs.js'
import { choicesOf, listOf, type Schema, typeOf } from '../schema.js'
import type { FormField } from './form.js'
import { ReferenceInput } from './reference-input.js'

interface ControlProps extends Pick<FormField, 'name' | 'isFixed' | 'reference'> {
  /** `$options` has choices with labels, and `$suggestions` values that may be typed. */
  schema: Schema
  /** Undefined if it is left out. */
  value: unknown
  /** Attributes of the input, such as its id. */
  attributes: { id: string } & Record<string, unknown>
  /** Whether the value is read when the user leaves the input, instead of at each key. */
  isLate?: boolean
  onChange: (value: unknown, record?: Values) => void
}

type Typed = { currentTarget: { value: string } }

export function Control(props: ControlProps): JSX.Element {
  const { name, schema, value, attributes, isFixed = false, isLate = false, reference, onChange } = props
  const { id } = attributes
  const typed = useRef<{ text: string; value: unknown }>(undefined)
  const isTyped = typed.current && writeExact(typed.current.value) === writeExact(value)
  const text = isTyped && typed.current ? typed.current.text : textOf(value)
  const type = typeOf(schema)
  const isArea = useKind(id, isLong(value))
  const options = optionsOf(schema, value)
  const suggestions = toOptions(listOf(schema['$suggestions']))
  function onText(text: string): void {
    const read = text === '' ? undefined : readValue(text, schema)
    typed.current = { text, value: read }
    onChange(read)
  }
  const onTyped = ({ currentTarget }: Typed) => onText(currentTarget.value)
  const common = { ...attributes, disabled: isFixed, ...(value === null && { placeholder: 'null' }) }
  if (options) return <Options {...common} value={value === null ? 'null' : text} options={options} onChoice={onText} />
  if (reference && !isFixed)
    return <ReferenceInput common={{ ...common, value: text }} {...{ reference, name, onText }} onRecord={onChange} />
  const written = isLate ? { defaultValue: text, onChange: onTyped } : { value: text, onInput: onTyped }
  const key = isLate ? text : undefined
  if (isArea)
    return (
      <textarea
        key={key}
        {...common}
        rows={Math.min(12, text.split('\n').length + 1)}
        spellcheck={false}
        {...written}
      />
    )
  // The types of JSX allow `list` only with some input types.
  const listed: object = suggestions.length > 0 ? { list: `${id}-list` } : {}
  return (
    <>
      <input
        key={key}
        autocomplete="off"
        spellcheck={false}
        inputMode={type === 'integer' || type === 'number' ? 'numeric' : 'text'}
        {...common}
        {...listed}
        {...written}
      />
      {/^date(-time)?$/.test(String(schema['format'])) && !isFixed && (
        <DatePicker name={name} isTime={schema['format'] === 'date-time'} text={text} onText={onText} />
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

/** The choices of a schema, and the value if it is none of them. Without labels, the value can be left out. */
function optionsOf(schema: Schema, value: unknown): Option[] | undefined {
  if (Array.isArray(schema['$options'])) return toOptions(schema['$options'])
  const choices = choicesOf(schema)
  const now = value === undefined ? [] : [toInputText(value)]
  return choices && [['', '—'], ...[...new Set([...choices.map(toInputText), ...now])].map((each): Option => [each])]
}

function toOptions(all: readonly unknown[]): Option[] {
  return all.map((each) => (Array.isArray(each) ? (each as unknown as Option) : [toInputText(each)]))
}

/** Opens the calendar of the browser. A time keeps the offset that its text has. */
function DatePicker(props: {
  name: string
  isTime: boolean
  text: string
  onText: (text: string) => void
}): JSX.Element {
  const { name, isTime, text, onText } = props
  const input = useRef<HTMLInputElement>(null)
  const [, day = '', time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?))?/.exec(text) ?? []
  const [offset = 'Z'] = /(Z|[+-]\d\d:?\d\d)$/i.exec(text.slice(10)) ?? []
  const local = day === '' ? '' : isTime ? `${day}T${time}` : day
  function onPick({ currentTarget: { value } }: Typed): void {
    onText(value === '' || !isTime ? value : value.padEnd(19, ':00').slice(0, 19) + offset)
  }
  return (
    <span class="picker">
      <button
        type="button"
        class="quiet"
        aria-label={`Pick ${name}`}
        title="Calendar"
        onClick={() => input.current?.showPicker()}
      >
        <span class="calendar" aria-hidden="true" />
      </button>
      <input
        ref={input}
        type={isTime ? 'datetime-local' : 'date'}
        step={1}
        tabIndex={-1}
        aria-hidden="true"
        value={local}
        onInput={onPick}
      />
    </span>
  )
}

/** Whether an input is long. It does not change while the user types. */
function useKind(id: string, isLongNow: boolean): boolean {
  const kind = useRef(isLongNow)
  if (document.activeElement?.id !== id) kind.current = isLongNow
  return kind.current
}

function isLong(value: unknown): boolean {
  return isComposite(value) || (typeof value === 'string' && (value.length > 80 || value.includes('\n')))
}

/** The text of a value in its input. */
export function toInputText(value: unknown): string {
  return typeof value === 'string' ? value : writeExact(value, 2)
}

/** The same, of a value that may be left out. */
export function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : toInputText(value)
}

/** The value of a text. An invalid value stays text, so that the sandbox can report the problem. */
function readValue(text: string, schema: Schema): unknown {
  const choice = choicesOf(schema)?.find((each) => toText(each) === text)
  if (choice !== undefined) return choice
  const type = typeOf(schema)
  if (type === 'string') return text
  try {
    const value = parseExact(text)
    return type === 'any' && typeof value === 'string' ? text : value
  } catch {
    return text
  }
}
