/** What the document says of an operation: its bodies and responses, with schemas and examples. */
import type { JSX } from 'preact'
import type { Operation } from '../api-types.js'
import { isComposite, isObject, toText } from '../json-text.js'
import { Status } from '../parts/bits.js'
import { TextBody } from '../parts/body-view.js'
import { Markdown } from '../parts/markdown.js'
import { exampleIn, memberOf, objectAt, partAt, schemaAt } from '../schema.js'
import { Folded, SchemaTree } from './schema-tree.js'

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
