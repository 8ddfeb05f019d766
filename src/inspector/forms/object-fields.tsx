/** The fields of an object: required ones, optional ones that can be folded, and properties that its schema does not name. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Values } from '../api-types.js'
import { isObject } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Spoken } from '../parts/inputs.js'
import { Problem } from '../parts/jobs.js'
import { othersOf, type Property, propertiesOf, type Schema } from '../schema.js'
import { type FormFacts, messagesFor, sampleOf, toPath, type ValueFields } from './form.js'
import { variantsOf } from './variants.js'

interface ObjectFieldsProps {
  name: string
  path: string
  schema: Schema
  value: Values
  form: FormFacts
  /** Shows the inner values. */
  Value: ValueFields
  onChange: (value: unknown) => void
  /** Shows some of the properties differently. */
  renderField?: ((name: string, schema: Schema, isRequired: boolean) => JSX.Element | undefined) | undefined
}

export function ObjectFields({
  name,
  path,
  schema,
  value,
  form,
  Value,
  onChange,
  renderField,
}: ObjectFieldsProps): JSX.Element {
  const all = propertiesOf(schema)
  const known = all.filter(
    ([name, own]) =>
      (form.hasReadOnly || own['readOnly'] !== true || Object.hasOwn(value, name)) &&
      // The choice of the variant shows it.
      !(own['$isTag'] === true && own['const'] === value[name]),
  )
  const others = Object.keys(value).filter((name) => !all.some(([each]) => each === name))
  const inner = othersOf(schema)
  const set = (name: string, next: unknown) => onChange(withMember(value, name, next))
  const show = ([own, each, isRequired]: Property): JSX.Element =>
    renderField?.(own, each, isRequired) ?? (
      <Value
        key={own}
        {...{ name: own, schema: each, form, isRequired }}
        path={toPath(path, own)}
        value={value[own]}
        onChange={(next) => set(own, next)}
      />
    )
  const optional = known.filter(([, , isRequired]) => !isRequired)
  return (
    <>
      <Sections
        required={known.filter(([, , isRequired]) => isRequired).map(show)}
        optional={optional.map(show)}
        filled={optional.filter(([name]) => value[name] !== undefined).length}
        isWrong={optional.some(([name]) => messagesFor(form, toPath(path, name)).length > 0)}
      />
      {others.length > 0 && (
        <ul class="entries">
          {others.map((other, index) => (
            // The place stays while the name changes.
            <li key={index}>
              <EntryName
                name={other}
                taken={Object.keys(value)}
                onName={(next) => onChange(renamed(value, other, next))}
              />
              <Value
                {...{ name: other, schema: inner ?? {}, form }}
                path={toPath(path, other)}
                isKept
                value={value[other]}
                onChange={(next) => set(other, next ?? '')}
              />
              <Button
                kind="quiet"
                label={<Spoken text="Remove" name={other} />}
                onClick={() => set(other, undefined)}
              />
            </li>
          ))}
        </ul>
      )}
      {inner && (
        <Button
          label={
            <Spoken
              text={known.length > 0 ? 'Add a property' : 'Add an entry'}
              name={name === '' ? '' : `to ${name}`}
            />
          }
          onClick={async () => set(freeName(value), (await sampleOf(inner, name)) ?? '')}
        />
      )}
    </>
  )
}

/** The name of an entry, which changes when the user leaves the input. */
function EntryName(props: { name: string; taken: string[]; onName: (name: string) => void }): JSX.Element {
  const { name, taken, onName } = props
  const problem = useSignal('')
  return (
    <>
      <input
        class="entry-name"
        aria-label={`Name of ${name}`}
        defaultValue={name}
        onChange={({ currentTarget }) => {
          const { value: next } = currentTarget
          const isTaken = next !== name && taken.includes(next)
          problem.value = isTaken ? `There is a property ${next} already` : ''
          if (isTaken) currentTarget.value = name
          else if (next !== name) onName(next)
        }}
      />
      <Problem text={problem.value} />
    </>
  )
}

interface SectionsProps {
  required: JSX.Element[]
  optional: JSX.Element[]
  /** The number of optional fields with a value. */
  filled: number
  /** Whether an optional field has a message. */
  isWrong: boolean
}

/** Up to this number, optional fields are shown at once. */
const fewFields = 8

/** Required fields, and optional ones that can be folded. A message opens them. */
export function Sections({ required, optional, filled, isWrong }: SectionsProps): JSX.Element {
  const isOpen = useSignal(optional.length <= fewFields)
  useEffect(() => {
    if (isWrong) isOpen.value = true
  }, [isWrong])
  return (
    <>
      {required.length > 0 && <div class="fields">{required}</div>}
      {optional.length > 0 && (
        <details
          class="optional"
          open={isOpen.value || isWrong}
          onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
        >
          <summary>
            Optional <span class="dim">{`${filled} of ${optional.length} set`}</span>
          </summary>
          {isOpen.value || isWrong ? <div class="fields">{optional}</div> : null}
        </details>
      )}
    </>
  )
}

/** A copy with a value in its place. Undefined leaves it out. */
function withMember(value: Values, name: string, next: unknown): Values {
  if (next !== undefined) return { ...value, [name]: next }
  const { [name]: _, ...others } = value
  return others
}

function renamed(value: Values, name: string, next: string): Values {
  return Object.fromEntries(Object.entries(value).map(([each, own]) => [each === name ? next : each, own]))
}

function freeName(value: Values): string {
  for (let number = 1; ; number++) if (!Object.hasOwn(value, `name${number}`)) return `name${number}`
}

/** The names of the fields that a value has. Messages about others are shown beside the value. */
export function shownIn(schema: Schema, value: unknown): string[] {
  if (Array.isArray(value)) return value.map((_, index) => `[${index}]`)
  if (!isObject(value)) return []
  const all = [schema, ...variantsOf(schema).map((each) => each.schema)].flatMap((each) => propertiesOf(each))
  return [...all.map(([name]) => name), ...Object.keys(value)]
}
