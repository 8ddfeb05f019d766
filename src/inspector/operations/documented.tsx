/** What the document says of an operation: its bodies and responses, with schemas and examples. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Operation } from '../api.js'
import type { FormField } from '../forms/form.js'
import { Hint } from '../forms/value-input.js'
import { variantsOf } from '../forms/variants.js'
import { isComposite, isObject, toText } from '../json-text.js'
import { Status } from '../parts/bits.js'
import { TextBody } from '../parts/body-view.js'
import { Markdown } from '../parts/markdown.js'
import {
  describeSchema,
  exampleIn,
  isNullable,
  itemOf,
  memberOf,
  objectAt,
  othersOf,
  partAt,
  propertiesOf,
  type Schema,
  schemaAt,
  typeOf,
} from '../schema.js'

/** The place of an operation in the document. */
export function placeOf({ path, method, id }: Pick<Operation, 'path' | 'method' | 'id'>): string {
  const name = method.toLowerCase()
  const paths = Object.keys(objectAt('/paths')).filter((each) => (each.startsWith('/') ? each : `/${each}`) === path)
  const places = paths.map((each) => `${innerOf(memberOf('/paths', each))}/${name}`)
  return places.find((each) => objectAt(each)['operationId'] === id) ?? places[0] ?? ''
}

/** The place that a reference leads to. */
function innerOf(pointer: string): string {
  const part = partAt(pointer)
  const { $ref } = isObject(part) ? part : {}
  return typeof $ref === 'string' ? innerOf(decodeURIComponent($ref.slice(1))) : pointer
}

/** A body or the content of a response: for each media type its schema and an example. */
export function Contents({ at }: { at: string }): JSX.Element | null {
  const content = innerOf(at)
  const types = Object.keys(objectAt(`${content}/content`))
  if (types.length === 0) return <p class="dim">No body</p>
  return (
    <>
      {types.map((type) => {
        const place = memberOf(`${content}/content`, type)
        const schema = schemaAt(`${place}/schema`)
        const example = exampleIn(objectAt(place)) ?? exampleIn(schema)
        return (
          <section key={type} class="content" aria-label={type}>
            <code class="dim">{type}</code>
            <SchemaTree schema={schema} />
            {example !== undefined && (
              <details>
                <summary>Example</summary>
                <TextBody
                  text={isComposite(example) ? JSON.stringify(example) : toText(example)}
                  label={`Example, ${type}`}
                />
              </details>
            )}
          </section>
        )
      })}
    </>
  )
}

/** @param props.met the statuses that occurred; undefined for a request that the service sends */
export function Responses({ at, isMet }: { at: string; isMet?: (status: string) => boolean }): JSX.Element {
  return (
    <>
      {Object.keys(objectAt(`${at}/responses`)).map((status) => {
        const place = innerOf(memberOf(`${at}/responses`, status))
        const { description } = objectAt(place)
        const head = (
          <>
            <Status status={status} />
            <span>{typeof description === 'string' && <Markdown text={description} isInline />}</span>
            {isMet && <span class="dim">{isMet(status) ? 'occurred' : 'not yet'}</span>}
          </>
        )
        return (
          <Folded key={status} class={`response ${isMet?.(status) ? 'met' : ''}`} summary={head}>
            {() => <Contents at={place} />}
          </Folded>
        )
      })}
    </>
  )
}

export function Description({ at }: { at: string }): JSX.Element | null {
  const { description } = objectAt(at)
  return typeof description === 'string' && description.trim() !== '' ? <Markdown text={description} /> : null
}

/** A schema as a tree. What is inside is shown when it is opened, because schemas may contain themselves. */
function SchemaTree({ schema }: { schema: Schema }): JSX.Element {
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

type LineProps = Pick<FormField, 'name' | 'schema' | 'isRequired'> & { isVariant?: boolean }

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
