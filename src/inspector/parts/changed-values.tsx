/** What differs between two values of a record, property by property. */
import type { JSX } from 'preact'
import { isPathProperty } from '../../json/path-property.js'
import type { Values } from '../api-types.js'
import { isObject, toText, writeExact } from '../json-text.js'

/** @returns the paths of the properties and items that differ, with their texts */
export function differencesOf(
  before: Values,
  after: Values,
  path = '',
): [path: string, before: string, after: string][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (isPathProperty(name) || writeExact(one) === writeExact(other)) return []
    const at = path + (Array.isArray(before) ? `[${name}]` : path === '' ? name : `.${name}`)
    if ((isObject(one) && isObject(other)) || (Array.isArray(one) && Array.isArray(other)))
      return differencesOf(one as Values, other as Values, at)
    return [[at, toText(one), toText(other)] as [string, string, string]]
  })
}

const maxText = 300

/** Of a record that is only before or after, all values. */
export function ChangedValues(props: { before: Values | undefined; after: Values | undefined }): JSX.Element {
  const { before, after } = props
  const all = differencesOf(before ?? {}, after ?? {})
  const cut = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text) || '—'
  return (
    <>
      {all.length === 0 && <span class="dim">{before && after ? 'No value changed' : 'No values'}</span>}
      {all.map(([path, one, other]) => (
        <span key={path} class="change">
          {path} {before && <del>{cut(one)}</del>} {before && after && <span aria-hidden="true">→</span>}{' '}
          {after && <ins>{cut(other)}</ins>}
        </span>
      ))}
    </>
  )
}
