/** The fields of a value of any schema: a choice of variants, an object, a list, a map, or a single input. */

import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { isComposite, isObject } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Errors, Spoken } from '../parts/inputs.js'
import { Hint, ValueInput } from '../parts/value-input.js'
import { describeSchema, isNullable, isOfType, type Schema, typeOf } from '../schema.js'
import { type FormFacts, messagesFor, sampleOf, type ValueFieldProps, withRecords } from './form.js'
import { ListFields } from './list-fields.js'
import { ObjectFields, shownIn } from './object-fields.js'
import { fitOf, toVariant, variantOf, variantsOf } from './variants.js'

export function ValueField(props: ValueFieldProps): JSX.Element {
  const { name, path, schema, value, form, isRequired, after, onChange } = props
  const variants = variantsOf(schema)
  const type = typeOf(schema)
  const isGroup = variants.length > 0 || type === 'object' || type === 'array' || isComposite(value)
  if (isGroup) return <Group {...props} />
  return (
    <ValueInput
      {...{ name, schema, value, isRequired, after, onChange }}
      reference={form.referenceOf(name.replace(/\[\d+\]$/, ''))}
      errors={messagesFor(form, path)}
    />
  )
}

/** An object, a list or a variant: added with a sample, and removed as a whole. */
function Group(props: ValueFieldProps): JSX.Element {
  const { name, path, schema, value, form, isRequired = false, isKept = isRequired, after, onChange } = props
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  const isSet = value !== undefined && value !== null
  const errors = messagesFor(form, path, isSet ? shownIn(schema, value) : [])
  async function add(): Promise<void> {
    onChange((await sampleOf(schema, name)) ?? (typeOf(schema) === 'array' ? [] : {}))
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('input, select, textarea')?.focus())
  }
  function remove(): void {
    onChange(undefined)
    requestAnimationFrame(() => element.current?.querySelector('button')?.focus())
  }
  const isWrong = errors.length > 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot have the buttons beside it
    <div
      ref={element}
      class={`group${isWrong ? ' wrong' : ''}`}
      role="group"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-hint`}
      data-field={name}
      data-wrong={isWrong || undefined}
      tabIndex={isWrong ? -1 : undefined}
    >
      <div class="group-head">
        <span id={`${id}-name`} class="name">
          {name}
          {isRequired && <span class="required"> required</span>}
        </span>
        {after}
        {!isSet && <Button label={<Spoken text="Add" name={name} />} onClick={add} />}
        {isNullable(schema) && value !== null && (
          <Button kind="quiet" label={<Spoken text="null" name={name} />} onClick={() => onChange(null)} />
        )}
        {value === null && <code>null</code>}
        {(isSet || value === null) && !isKept && (
          <Button kind="quiet" label={<Spoken text="Remove" name={name} />} onClick={remove} />
        )}
      </div>
      <span class="hint" id={`${id}-hint`}>
        <Errors errors={errors} />
        <Hint
          description={schema['description']}
          about={typeOf(schema) === 'array' ? describeSchema(schema).replace(/^array(, )?/, '') : ''}
        />
      </span>
      {isSet && <InnerFields {...{ name, path, schema, value, form, onChange }} />}
    </div>
  )
}

type InnerProps = Pick<ValueFieldProps, 'name' | 'path' | 'schema' | 'value' | 'form' | 'onChange'> & {
  /** Shows some of the properties differently. */
  renderField?: (name: string, schema: Schema, isRequired: boolean) => JSX.Element | undefined
}

/** The fields in a value, without a head. */
export function InnerFields(props: InnerProps): JSX.Element {
  const { schema, value } = props
  if (variantsOf(schema).length > 0) return <VariantFields {...props} />
  const type = typeOf(schema)
  // Where the schema does not say it, the value does. A value of the wrong type is a single input, with its message.
  if (type === 'array' || (type === 'any' && Array.isArray(value))) {
    if (Array.isArray(value)) return <ListFields {...props} value={value} Value={ValueField} />
  } else if (isObject(value) && (type === 'object' || type === 'any'))
    return <ObjectFields {...props} value={value} Value={ValueField} />
  const { name, path, form, onChange } = props
  return <ValueInput {...{ name, schema, value, onChange }} isRequired errors={messagesFor(form, path)} />
}

/** A choice of variants, each with its own fields. */
function VariantFields(props: InnerProps): JSX.Element {
  const { name, value, onChange } = props
  const { own, key, choice } = useVariant(props)
  const isPlain = typeOf(own) !== 'object' && typeOf(own) !== 'array' && variantsOf(own).length === 0
  return (
    <>
      {choice}
      {isPlain && isOfType(own, value) ? (
        <ValueInput
          {...{ name, value, onChange }}
          schema={own}
          isRequired
          errors={messagesFor(props.form, props.path)}
        />
      ) : (
        <InnerFields key={key} {...props} schema={own} />
      )}
    </>
  )
}

/** The variant that a value is, and the choice of another one. What fits both stays. */
export function useVariant(
  props: Pick<InnerProps, 'name' | 'schema' | 'value' | 'onChange'> & { form: Pick<FormFacts, 'referenceOf'> },
): {
  /** The schema of the variant; the schema itself if it has none. */
  own: Schema
  key: number
  choice: JSX.Element | null
} {
  const { name, schema, value, form, onChange } = props
  const id = useId()
  const variants = variantsOf(schema)
  const chosen = useSignal<number | undefined>(undefined)
  const isStill = chosen.value !== undefined && fitOf(variants[chosen.value]?.schema ?? {}, value) >= 0
  const current = isStill && chosen.value !== undefined ? chosen.value : variantOf(variants, value)
  const { schema: own = schema } = variants[current] ?? {}
  async function choose(index: number): Promise<void> {
    const next = variants[index]?.schema ?? {}
    const sample = await withRecords(await sampleOf(next, name), form.referenceOf)
    chosen.value = index
    onChange(toVariant(value, own, next, sample))
  }
  const choice = (
    <label class="variant" for={id}>
      <span>
        Variant<span class="spoken"> of {name}</span>
      </span>
      <select id={id} value={current} onChange={({ currentTarget }) => void choose(Number(currentTarget.value))}>
        {variants.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
  return { own, key: current, choice: variants.length > 0 ? choice : null }
}
