/** A schema as a tree. What is inside is shown when it is opened, because schemas may contain themselves. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { variantsOf } from '../forms/variants.js'
import { isComposite } from '../json-text.js'
import { Hint } from '../parts/value-input.js'
import {
  describeSchema,
  exampleIn,
  isNullable,
  itemOf,
  othersOf,
  propertiesOf,
  type Schema,
  typeOf,
} from '../schema.js'

export function SchemaTree({ schema }: { schema: Schema }): JSX.Element {
  const lines = linesOf(schema)
  if (lines.length === 0) return <p class="dim">{describeType(schema)}</p>
  return (
    <ul class="tree">
      {lines.map((each) => (
        <Line key={each.name} {...each} />
      ))}
    </ul>
  )
}

/** What is folded is made when it is opened first. */
export function Folded(props: {
  summary: ComponentChildren
  class?: string
  children: () => JSX.Element
}): JSX.Element {
  const isOpen = useSignal(false)
  return (
    <details class={props.class} onToggle={({ currentTarget }) => (isOpen.value ||= currentTarget.open)}>
      <summary>{props.summary}</summary>
      {isOpen.value && props.children()}
    </details>
  )
}

interface LineProps {
  name: string
  schema: Schema
  isRequired?: boolean
  isVariant?: boolean
}

function Line({ name, schema, isRequired = false, isVariant = false }: LineProps): JSX.Element {
  const example = exampleIn(schema)
  const head = (
    <>
      {isVariant ? <span class="tag">{name}</span> : <code>{name}</code>}
      {isRequired && <span class="required"> required</span>} <span class="dim">{describeType(schema)}</span>
      {schema['readOnly'] === true && <span class="tag">read only</span>}
      {schema['writeOnly'] === true && <span class="tag">write only</span>}
      {schema['deprecated'] === true && <span class="tag warn">deprecated</span>}
      <span class="about">
        <Hint
          description={schema['description']}
          about={example === undefined || isComposite(example) ? '' : `such as ${String(example).slice(0, 60)}`}
        />
      </span>
    </>
  )
  if (linesOf(schema).length === 0) return <li>{head}</li>
  return (
    <li>
      <Folded summary={head}>{() => <SchemaTree schema={schema} />}</Folded>
    </li>
  )
}

function linesOf(schema: Schema): LineProps[] {
  const variants = variantsOf(schema).map(({ label, schema: own }) => ({ name: label, schema: own, isVariant: true }))
  if (variants.length > 0) return variants
  if (typeOf(schema) === 'array') return linesOf(itemOf(schema, 0))
  const others = typeOf(schema) === 'object' && schema['additionalProperties'] ? othersOf(schema) : undefined
  const own = propertiesOf(schema).map(([name, each, isRequired]) => ({ name, schema: each, isRequired }))
  return others && Object.keys(others).length > 0
    ? [...own, { name: 'any name', schema: others, isVariant: true }]
    : own
}

function describeType(schema: Schema): string {
  const count = variantsOf(schema).length
  const end = isNullable(schema) ? ' or null' : ''
  if (count > 0) return `one of ${count}${end}`
  const words = describeSchema(schema)
  if (typeOf(schema) !== 'array') return (words || 'anything') + end
  return words.replace(/^array/, `list of ${describeType(itemOf(schema, 0))}`) + end
}
