/** Shows the fields of a form. What is inside a value is a form of its own: an object, a list, or the fields of a variant. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Values } from '../api.js'
import { isComposite, isObject } from '../json-text.js'
import { Button } from '../parts/bits.js'
import { Errors, Options, Spoken } from '../parts/inputs.js'
import { Problem } from '../parts/jobs.js'
import { describeSchema, isNullable, isOfType, itemOf, othersOf, propertiesOf, type Schema, typeOf } from '../schema.js'
import {
  type FormFacts,
  type FormField,
  fieldsOf,
  idOf,
  messagesFor,
  sampleOf,
  toPath,
  withMember,
  withRecords,
} from './form.js'
import { FileInput, Hint, ValueInput } from './value-input.js'
import { fitOf, toVariant, variantOf, variantsOf } from './variants.js'

interface FieldsProps {
  fields: readonly FormField[]
  /** By the ids of the fields. */
  values: Values
  form: FormFacts
  /** Where the values are in the body. */
  path?: string
  /** @param record the record whose key was chosen */
  onChange: (field: FormField, value: unknown, record?: Values) => void
}

/** Up to this number, optional fields are shown at once. */
const fewFields = 8

/** Required fields, and optional ones that can be folded. A message opens them. */
export function Fields({ fields, values, form, path = '', onChange }: FieldsProps): JSX.Element {
  const isFirst = ({ isRequired = false, isFirst = isRequired }: FormField) => isFirst
  const [first, optional] = [fields.filter(isFirst), fields.filter((each) => !isFirst(each))]
  const filled = optional.filter((each) => values[idOf(each)] !== undefined).length
  const isWrong = optional.some(
    ({ name, in: part, after }) => after || messagesFor(form, toPath(path, name), [], part).length > 0,
  )
  const isOpen = useSignal(optional.length <= fewFields)
  useEffect(() => {
    if (isWrong) isOpen.value = true
  }, [isWrong])
  const show = (field: FormField) => (
    <ValueField
      key={idOf(field)}
      {...{ field, form }}
      path={toPath(path, field.name)}
      value={values[idOf(field)]}
      onChange={(value, record) => onChange(field, value, record)}
    />
  )
  return (
    <>
      {first.length > 0 && <div class="fields">{first.map(show)}</div>}
      {optional.length > 0 && (
        <details
          class="optional"
          open={isOpen.value || isWrong}
          onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
        >
          <summary>
            Optional <span class="dim">{`${filled} of ${optional.length} set`}</span>
          </summary>
          {isOpen.value || isWrong ? <div class="fields">{optional.map(show)}</div> : null}
        </details>
      )}
    </>
  )
}

interface ValueFieldProps {
  field: FormField
  /** Where the value is in the body. @example 'items[0].price' */
  path: string
  value: unknown
  form: FormFacts
  /** Whether the list or the map around it has the control that removes it. */
  isKept?: boolean
  /** Called with undefined if the value is to be left out. */
  onChange: (value: unknown, record?: Values) => void
}

/** Shows a value of any schema, or files. */
function ValueField(props: ValueFieldProps): JSX.Element {
  const { field, path, value, form, onChange } = props
  const { name, schema, files, in: part } = field
  const errors = messagesFor(form, path, [], part)
  if (files) return <FileInput {...{ field, files, errors }} />
  const type = typeOf(schema)
  if (variantsOf(schema).length > 0 || type === 'object' || type === 'array' || isComposite(value))
    return <Group {...props} />
  const reference = 'reference' in field ? field.reference : form.referenceOf(name.replace(/\[\d+\]$/, ''))
  return <ValueInput field={{ ...field, reference }} {...{ value, errors, onChange }} />
}

/** An object, a list or a variant: added with a sample, and removed as a whole. */
function Group(props: ValueFieldProps): JSX.Element {
  const { field, path, value, form, onChange } = props
  const { name, schema, isRequired = false, in: part, after } = field
  const { isKept = isRequired } = props
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  const isSet = value !== undefined && value !== null
  const errors = messagesFor(form, path, isSet ? shownIn(schema, value) : [], part)
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

interface InnerProps {
  name: string
  path: string
  schema: Schema
  value: unknown
  form: FormFacts
  /** Says more about the fields of the object. */
  describe?: ((field: FormField) => FormField) | undefined
  onChange: (value: unknown) => void
}

/** The fields in a value, without a head. */
export function InnerFields(props: InnerProps): JSX.Element {
  const { name, path, schema, value, form, onChange } = props
  if (variantsOf(schema).length > 0) return <VariantFields {...props} />
  const type = typeOf(schema)
  // Where the schema does not say it, the value does. A value of the wrong type is a single input, with its message.
  if (type === 'array' || (type === 'any' && Array.isArray(value))) {
    if (Array.isArray(value)) return <ListFields {...props} value={value} />
  } else if (isObject(value) && (type === 'object' || type === 'any')) return <ObjectFields {...props} value={value} />
  return (
    <ValueInput field={{ name, schema, isRequired: true }} {...{ value, onChange }} errors={messagesFor(form, path)} />
  )
}

/** A choice of variants, each with its own fields. */
function VariantFields(props: InnerProps): JSX.Element {
  const { name, path, value, form, onChange } = props
  const { own, key, choice } = useVariant({ ...props, referenceOf: form.referenceOf })
  const isPlain = typeOf(own) !== 'object' && typeOf(own) !== 'array' && variantsOf(own).length === 0
  return (
    <>
      {choice}
      {isPlain && isOfType(own, value) ? (
        <ValueInput
          field={{ name, schema: own, isRequired: true }}
          {...{ value, onChange }}
          errors={messagesFor(form, path)}
        />
      ) : (
        <InnerFields key={key} {...props} schema={own} />
      )}
    </>
  )
}

/** The fields of a list, with controls that add and remove items. */
function ListFields(props: InnerProps & { value: unknown[] }): JSX.Element {
  const { name, path, schema, value, form, onChange } = props
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
            <ValueField
              field={{ name: `${name}[${index}]`, schema: itemOf(schema, index) }}
              path={`${path}[${index}]`}
              value={item}
              form={form}
              isKept
              onChange={(next) => onChange(value.map((each, at) => (at === index ? (next ?? '') : each)))}
            />
            <Remove name={`${name}[${index}]`} onClick={() => remove(index)} />
          </li>
        ))}
      </ul>
      <button type="button" class="add" onClick={() => void add()}>
        <Spoken text="Add an item" name={`to ${name || 'the list'}`} />
      </button>
    </>
  )
}

function Remove({ name, onClick }: { name: string; onClick: () => void }): JSX.Element {
  return <Button kind="quiet" label={<Spoken text="Remove" name={name} />} onClick={onClick} />
}

/** The fields of an object, and the properties that its schema does not name. */
function ObjectFields(props: InnerProps & { value: Values }): JSX.Element {
  const { name, path, schema, value, form, describe = (field) => field, onChange } = props
  const fields = fieldsOf(schema, value, form)
  const named = propertiesOf(schema).map(([each]) => each)
  const others = Object.keys(value).filter((each) => !named.includes(each))
  const inner = othersOf(schema)
  const set = (name: string, next: unknown) => onChange(withMember(value, name, next))
  return (
    <>
      <Fields
        fields={fields.map(describe)}
        values={value}
        {...{ form, path }}
        onChange={(field, next) => set(field.name, next)}
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
              <ValueField
                field={{ name: other, schema: inner ?? {} }}
                path={toPath(path, other)}
                form={form}
                isKept
                value={value[other]}
                onChange={(next) => set(other, next ?? '')}
              />
              <Remove name={other} onClick={() => set(other, undefined)} />
            </li>
          ))}
        </ul>
      )}
      {inner && (
        <Button
          label={
            <Spoken
              text={fields.length > 0 ? 'Add a property' : 'Add an entry'}
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

type VariantProps = Pick<InnerProps, 'name' | 'schema' | 'value' | 'onChange'> & Pick<FormFacts, 'referenceOf'>

/** The variant that a value is, and the choice of another one. What fits both stays. */
export function useVariant({ name, schema, value, referenceOf, onChange }: VariantProps): {
  /** The schema of the variant; the schema itself if it has none. */
  own: Schema
  key: number
  choice: JSX.Element | null
} {
  const id = useId()
  const variants = variantsOf(schema)
  const chosen = useSignal<number | undefined>(undefined)
  const isStill = chosen.value !== undefined && fitOf(variants[chosen.value]?.schema ?? {}, value) >= 0
  const current = isStill && chosen.value !== undefined ? chosen.value : variantOf(variants, value)
  const { schema: own = schema } = variants[current] ?? {}
  async function choose(index: number): Promise<void> {
    const next = variants[index]?.schema ?? {}
    const sample = await withRecords(await sampleOf(next, name), referenceOf)
    chosen.value = index
    onChange(toVariant(value, own, next, sample))
  }
  const choice = (
    <label class="variant" for={id}>
      <span>
        Variant<span class="spoken"> of {name}</span>
      </span>
      <Options
        id={id}
        value={String(current)}
        options={variants.map(({ label }, index) => [String(index), label])}
        onChoice={(index) => void choose(Number(index))}
      />
    </label>
  )
  return { own, key: current, choice: variants.length > 0 ? choice : null }
}
