/** A field for a value that is no object and no list, or for files: its label, its input, its messages and a hint. */
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Values } from '../api.js'
import { Named } from '../data/cell.js'
import { isComposite } from '../json-text.js'
import { Toggle } from '../parts/bits.js'
import { Check, describedBy, Field, Spoken } from '../parts/inputs.js'
import { Markdown } from '../parts/markdown.js'
import { choicesOf, describeSchema, exampleIn, isNullable } from '../schema.js'
import { collections, isEmpty } from '../store.js'
import { Control, textOf, toInputText } from './control.js'
import type { FileChoice, FormField } from './form.js'

interface ValueInputProps {
  field: FormField
  /** Undefined if it is left out. */
  value: unknown
  errors: readonly string[]
  onChange: (value: unknown, record?: Values) => void
}

export function ValueInput({ field, value, errors, onChange }: ValueInputProps): JSX.Element {
  const { name, schema, isRequired = false, isFixed = false, reference, after } = field
  const { hint = describeSchema(schema) } = field
  const id = useId()
  const text = textOf(value)
  const example = exampleIn(schema)
  const such =
    isFixed || example === undefined || isComposite(example) ? '' : `such as ${shorten(toInputText(example), 60)}`
  const none = reference && !isFixed && isEmpty(reference.collection) ? `no record in ${reference.collection} yet` : ''
  const named = collections.value.find((each) => each.name === reference?.collection && each.key === reference.property)
  const { target = named && text !== '' && none === '' && { collection: named, key: text, parents: [] } } = field
  const about = [hint, such, none].filter(Boolean).join(' · ')
  return (
    <Field
      {...{ id, isRequired, errors }}
      label={name}
      hint={<Hint description={schema['description']} about={about} />}
    >
      {after}
      {target && <Named target={target} />}
      {isNullable(schema) && !choicesOf(schema) && !isFixed && (
        <Toggle
          class="null"
          label={<Spoken text="null" name={`as ${name}`} />}
          isOn={value === null}
          onClick={() => onChange(value === null ? undefined : null)}
        />
      )}
      <Control
        attributes={{ ...describedBy(id, errors), ...(isRequired && { 'aria-required': true }) }}
        {...{ name, schema, value, isFixed, reference, onChange }}
      />
    </Field>
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

/** Shortens descriptions, which are very long in some documents. */
function shorten(text: string, length = 200): string {
  if (text.length <= length) return text
  // A link would be cut.
  const plain = text.replace(/<[^<>]*>/g, '').replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain
}

interface FileInputProps {
  field: Pick<FormField, 'name' | 'isRequired' | 'hint' | 'schema'>
  files: FileChoice
  errors: string[]
}

/** An input for a file or several. A small sample is sent until one is chosen. */
export function FileInput({ field, files, errors }: FileInputProps): JSX.Element {
  const { name, isRequired, schema } = field
  const { chosen, isMany = false, accept, hasSample, onFiles, onSample } = files
  const id = useId()
  const ref = useRef<HTMLInputElement>(null)
  // A new input shows the files that were chosen before.
  useEffect(() => {
    const { current } = ref
    if (!current || areSameFiles([...(current.files ?? [])], chosen)) return
    const transfer = new DataTransfer()
    for (const file of chosen) transfer.items.add(file)
    current.files = transfer.files
  }, [chosen])
  // The input itself shows the name of only one file.
  const describe = (file: File) => (chosen.length > 1 ? `${file.name}, ${describeFile(file)}` : describeFile(file))
  const { hint = [isMany ? 'one file or several' : 'a file', accept].filter(Boolean).join(', ') } = field
  const { description } = schema
  const about = [typeof description === 'string' && description, ...(chosen.length > 0 ? chosen.map(describe) : [hint])]
  return (
    <Field {...{ id, isRequired, errors }} label={name} hint={about.filter(Boolean).join(' · ')}>
      {chosen.length > 0 && (
        <button type="button" class="quiet" aria-label={`Remove the file of ${name}`} onClick={() => onFiles([])}>
          Remove
        </button>
      )}
      <input
        {...describedBy(id, errors)}
        ref={ref}
        type="file"
        multiple={isMany}
        accept={accept}
        onChange={({ currentTarget }) => onFiles([...(currentTarget.files ?? [])])}
      />
      {hasSample !== undefined && chosen.length === 0 && (
        <Check
          label="Send a small sample"
          spoken={`Send a small sample as ${name}`}
          isOn={hasSample}
          onChange={(isOn) => onSample?.(isOn)}
        />
      )}
    </Field>
  )
}

function areSameFiles(one: File[], other: File[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index])
}

function describeFile({ size, type }: File): string {
  return [`${size.toLocaleString('en')} bytes`, type].filter(Boolean).join(', ')
}
