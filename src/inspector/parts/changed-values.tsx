/** What differs between two values of a record, property by property. */
import type { JSX } from 'preact'
import { isPathProperty } from '../../json/path-property.js'
import type { Values } from '../api-types.js'
import { isObject, toText, writeExact } from '../json-text.js'

/** @returns the paths of the properties that differ, with their texts. Lists are compared as a whole */
export function differencesOf(
  before: Values,
  after: Values,
  path = '',
): [path: string, before: string, after: string][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (isPathProperty(name) || writeExact(one) === writeExact(other)) return []
    if (isObject(one) && isObject(other)) return differencesOf(one, other, `${path}${name}.`)
    return [[path + name, toText(one), toText(other)] as [string, string, string]]
  })
}

const maxText = 300

export function ChangedValues({ before, after }: { before: Values; after: Values }): JSX.Element {
  const cut = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text) || '—'
  return (
    <>
      {differencesOf(before, after).map(([path, one, other]) => (
        <span key={path} class="change">
          {path} <del>{cut(one)}</del> <span aria-hidden="true">→</span> <ins>{cut(other)}</ins>
        </span>
      ))}
    </>
  )
}
