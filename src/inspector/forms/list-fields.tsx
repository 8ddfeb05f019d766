/** The fields of a list, with controls that add and remove items. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from '../parts/bits.js'
import { Spoken } from '../parts/inputs.js'
import { itemOf, type Schema } from '../schema.js'
import { type FormFacts, sampleOf, type ValueFields } from './form.js'

interface ListFieldsProps {
  name: string
  path: string
  schema: Schema
  value: unknown[]
  form: FormFacts
  /** Shows the inner values. */
  Value: ValueFields
  onChange: (value: unknown) => void
}

export function ListFields({ name, path, schema, value, form, Value, onChange }: ListFieldsProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  function focusOn(selector: string): void {
    requestAnimationFrame(() => list.current?.parentElement?.querySelector<HTMLElement>(selector)?.focus())
  }
  async function add(): Promise<void> {
    onChange([...value, (await sampleOf(itemOf(schema, value.length), name)) ?? ''])
    focusOn(':scope > .items > :last-child :is(input, select, textarea)')
  }
  function remove(index: number): void {
    onChange(value.filter((_, each) => each !== index))
    focusOn(':scope > .add')
  }
  return (
    <>
      <ul class="items" ref={list}>
        {value.map((item, index) => (
          <li key={index}>
            <Value
              name={`${name}[${index}]`}
              path={`${path}[${index}]`}
              schema={itemOf(schema, index)}
              value={item}
              form={form}
              isKept
              onChange={(next) => onChange(value.map((each, at) => (at === index ? (next ?? '') : each)))}
            />
            <Button
              kind="quiet"
              label={<Spoken text="Remove" name={`${name}[${index}]`} />}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ul>
      <button type="button" class="add" onClick={() => void add()}>
        <Spoken text="Add an item" name={`to ${name || 'the list'}`} />
      </button>
    </>
  )
}
