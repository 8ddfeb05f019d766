/** An input for a value that is no object and no list, made from its schema. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Named } from '../data/named.js'
import type { Target } from '../data/place.js'
import type { FormReference } from '../forms/form.js'
import { ReferenceInput } from '../forms/reference-input.js'
import { isComposite, parseExact, toText, writeExact } from '../json-text.js'
import { choicesOf, describeSchema, exampleIn, isNullable, listOf, type Schema, typeOf } from '../schema.js'
import { collections, isEmpty } from '../store.js'
import { Toggle } from './bits.js'
import { describedBy, Field } from './inputs.js'
import { Markdown } from './markdown.js'

export interface ValueInputProps {
  name: string
  schema: Schema
  /** Undefined if it is left out. */
  value: unknown
  isRequired?: boolean | undefined
  isFixed?: boolean | undefined
  /** @default what the schema allows */
  hint?: string | undefined
  /** @default that of the schema */
  description?: string | undefined
  /** @default that of the schema */
  example?: unknown
  errors: readonly string[]
  /** The records that the value names. */
  reference?: FormReference | undefined
  /** @default the record with this key, of a reference to keys */
  target?: Target | undefined
  after?: ComponentChildren
  onChange: (value: unknown, record?: Record<string, unknown>) => void
}

export function ValueInput(props: ValueInputProps): JSX.Element {
  const { name, schema, value, isRequired = false, isFixed = false, errors, reference, after, onChange } = props
  const { hint = describeSchema(schema), description = schema['description'], example = exampleIn(schema) } = props
  const id = useId()
  const typed = useRef<{ text: string; value: unknown }>(undefined)
  const isTyped = typed.current && writeExact(typed.current.value) === writeExact(value)
  const text =
    isTyped && typed.current ? typed.current.text : value === undefined || value === null ? '' : toInputText(value)
  const choices = choicesOf(schema)
  const type = typeOf(schema)
  const isArea = useKind(id, isLong(value))
  const suggestions = listOf(schema['$suggestions']).map(toInputText)
  function onText(text: string): void {
    const read = text === '' ? undefined : readValue(text, schema)
    typed.current = { text, value: read }
    onChange(read)
  }
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value)
  const common = {
    ...describedBy(id, errors),
    disabled: isFixed,
    ...(isRequired && { 'aria-required': true }),
    ...(value === null && { placeholder: 'null' }),
    value: choices && value === null ? 'null' : text,
  }
  // The types of JSX allow `list` only with some input types.
  const listed: object = suggestions.length > 0 ? { list: `${id}-list` } : {}
  const shown = example === undefined || isComposite(example) ? '' : `such as ${shorten(toInputText(example), 60)}`
  const none = reference && !isFixed && isEmpty(reference.collection) ? `no record in ${reference.collection} yet` : ''
  const named = collections.value.find((each) => each.name === reference?.collection && each.key === reference.property)
  const { target = named && text !== '' && none === '' && { collection: named, key: text, parents: [] } } = props
  const about = [hint, isFixed ? '' : shown, none].filter(Boolean).join(' · ')
  return (
    <Field {...{ id, isRequired, errors }} label={name} hint={<Hint description={description} about={about} />}>
      {after}
      {target && <Named target={target} />}
      {isNullable(schema) && !choices && !isFixed && (
        <Toggle
          class="null"
          label={<NullLabel name={name} />}
          isOn={value === null}
          onClick={() => onChange(value === null ? undefined : null)}
        />
      )}
      {choices ? (
        <select {...common} onChange={onInput}>
          <option value="">—</option>
          {[...new Set([...choices.map(toInputText), ...(common.value === '' ? [] : [common.value])])].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : reference && !isFixed ? (
        <ReferenceInput
          {...{ common, reference, name }}
          onText={onText}
          onRecord={(key, record) => onChange(key, record)}
        />
      ) : isArea ? (
        <textarea {...common} rows={Math.min(12, text.split('\n').length + 1)} spellcheck={false} onInput={onInput} />
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
      {/^date(-time)?$/.test(String(schema['format'])) && !isFixed && (
        <DatePicker name={name} isTime={schema['format'] === 'date-time'} text={text} onText={onText} />
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

function NullLabel({ name }: { name: string }): JSX.Element {
  return (
    <>
      null<span class="spoken"> as {name}</span>
    </>
  )
}

/** A description, shortened, and what is allowed. */
export function Hint({ description, about }: { description: unknown; about: string }): JSX.Element {
  return (
    <>
      {typeof description === 'string' && <Markdown text={shorten(description)} isInline />}
      {typeof description === 'string' && description !== '' && about !== '' && ' · '}
      {about}
    </>
  )
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
  function onPick({ currentTarget: { value } }: { currentTarget: { value: string } }): void {
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

/** Shortens descriptions, which are very long in some documents. */
function shorten(text: string, length = 200): string {
  if (text.length <= length) return text
  // A link would be cut.
  const plain = text.replace(/<[^<>]*>/g, '').replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain
}

function isLong(value: unknown): boolean {
  return isComposite(value) || (typeof value === 'string' && (value.length > 80 || value.includes('\n')))
}

/** The text of a value in its input. */
export function toInputText(value: unknown): string {
  return typeof value === 'string' ? value : writeExact(value, 2)
}

/** The value of a text. An invalid value stays text, so that the sandbox can report the problem. */
export function readValue(text: string, schema: Schema): unknown {
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
