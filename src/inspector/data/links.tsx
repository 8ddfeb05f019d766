/** Values that name a record of another collection, as links to it. */
import type { JSX } from 'preact'
import type { Collection, Values } from '../api-types.js'
import { toText } from '../exact-json.js'
import { toHash } from '../router.js'
import { collections } from '../store.js'

/** @returns where the record is that a property names; undefined if it names none */
export function toTarget(collection: Collection, values: Values, property: string): string | undefined {
  for (const { collection: name, values: pairs } of collection.links) {
    const target = collections.value.find((each) => each.name === name)
    const own = pairs.find(({ other }) => other === target?.key)?.own
    const { [own ?? '']: key } = values
    if (!target || own !== property || key === undefined || key === null) continue
    const parents = target.scope.map((part) => {
      const from = pairs.find(({ other }) => other === part)?.own
      return from === undefined ? undefined : values[from]
    })
    const query = new URLSearchParams({ key: toText(key) })
    if (parents.every((each) => each !== undefined)) for (const each of parents) query.append('parent', toText(each))
    return `${toHash('data', name)}?${query}`
  }
  return undefined
}

export function Cell(props: { collection: Collection; values: Values; property: string }): JSX.Element {
  const { collection, values, property } = props
  const { [property]: value } = values
  const target = toTarget(collection, values, property)
  const text = toText(value)
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text
  if (target === undefined) return <span class={kindOf(value)}>{shown}</span>
  return (
    <a
      href={target}
      onClick={(event) => {
        // The row itself opens the record.
        event.stopPropagation()
      }}
    >
      {shown}
    </a>
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'dim'
  if (typeof value === 'string') return 'v-text'
  return typeof value === 'object' && !('text' in value) ? 'dim' : 'v-number'
}
