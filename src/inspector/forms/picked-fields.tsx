/** Properties that are picked one by one, each with a value, or with several that are allowed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Values } from '../api.js'
import { Button } from '../parts/bits.js'
import { Check, Options } from '../parts/inputs.js'
import { choicesOf, type Property, type Schema } from '../schema.js'
import { Control, toInputText } from './control.js'
import { withMember } from './form.js'

interface PickedFieldsProps {
  title: string
  /** What stands between a property and its value. */
  word: string
  values: Values
  properties: readonly Property[]
  /** Whether each may have one of several values. */
  isSeveral?: boolean
  /** Shown in an empty input. */
  placeholder: string
  /** The value of a property that is picked. */
  usualOf?: (schema: Schema) => unknown
  onChange: (values: Values) => void
}

export function PickedFields(props: PickedFieldsProps): JSX.Element | null {
  const { title, word, values, properties, isSeveral = false, placeholder, usualOf, onChange } = props
  // Their values may not be chosen yet.
  const added = useSignal<readonly string[]>([])
  const schemas = new Map(properties.map(([name, schema]) => [name, schema]))
  if (schemas.size === 0) return null
  const shown = new Set([...Object.keys(values), ...added.value])
  const free = [...schemas.keys()].filter((name) => !shown.has(name))
  const set = (name: string, to: unknown) => onChange(withMember(values, name, to))
  function add(name: string): void {
    added.value = [...added.value, name]
    const usual = usualOf?.(schemas.get(name) ?? {})
    if (usual !== undefined) set(name, usual)
  }
  function remove(name: string): void {
    added.value = added.value.filter((each) => each !== name)
    set(name, undefined)
  }
  return (
    <fieldset class="value-rows">
      <legend>{title}</legend>
      {[...shown].map((name) => (
        <div key={name} class="actions">
          <code>{name}</code> {word}
          <PickedValue
            {...{ name, isSeveral, placeholder }}
            schema={schemas.get(name) ?? {}}
            value={values[name]}
            onChange={(to) => set(name, to)}
          />
          <Button label={`Remove ${name}`} kind="quiet" onClick={() => remove(name)} />
        </div>
      ))}
      {free.length > 0 && (
        <Options
          aria-label={`${title}: add a property`}
          value=""
          options={[['', 'Add a property'], ...free.map((name) => [name] as const)]}
          onChoice={add}
        />
      )}
    </fieldset>
  )
}

interface PickedValueProps {
  name: string
  schema: Schema
  value: unknown
  isSeveral: boolean
  placeholder: string
  onChange: (value: unknown) => void
}

function PickedValue({ name, schema, value, isSeveral, placeholder, onChange }: PickedValueProps): JSX.Element {
  const id = useId()
  const choices = choicesOf(schema) ?? []
  const chosen = isSeveral && Array.isArray(value) ? value : value === undefined ? [] : [value]
  const isListed = choices.length > 0 && chosen.every((each) => choices.includes(each))
  if (isListed && isSeveral) {
    const toggle = (each: unknown, isOn: boolean) => {
      const now = choices.filter((other) => (other === each ? isOn : chosen.includes(other)))
      onChange(now.length > 1 ? now : now[0])
    }
    return (
      <>
        {choices.map((each) => (
          <Check
            key={toInputText(each)}
            label={toInputText(each)}
            isOn={chosen.includes(each)}
            onChange={(isOn) => toggle(each, isOn)}
          />
        ))}
      </>
    )
  }
  return (
    <Control
      {...{ name, value, onChange }}
      // An expression of the vocabulary is typed.
      schema={isListed ? schema : { type: schema['type'] }}
      isLate
      attributes={{ id, 'aria-label': `Value of ${name}`, ...(!isListed && { placeholder, size: 40 }) }}
    />
  )
}
