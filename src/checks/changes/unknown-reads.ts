/** Finds what people wrote into the `reads` of a lock, and what no answer of the document has. */

import { suggestName } from '../../contract/suggest-closest.js'
import { schemaOf } from '../../document/document.js'
import { jsonContent } from '../../schemas/operations/describe-operations.js'
import type { Lock } from '../consumer/lock.js'
import type { VersionOperation } from './change.js'
import { splitRead, withoutNames } from './operation-use.js'
import { responseFor } from './pair-parts.js'
import type { SchemaPart } from './schema-view.js'

/** @returns a sentence without a full stop for each part that has no effect */
export function findUnknownReads(operations: readonly VersionOperation[], { reads }: Lock): string[] {
  const byName = new Map(operations.map((each) => [withoutNames(`${each.method} ${each.path}`), each]))
  const names = operations.map(({ method, path }) => `${method} ${path}`)
  return Object.entries(reads).flatMap(([at, paths]) => {
    const [name, status] = splitRead(at)
    const operation = byName.get(withoutNames(name))
    if (!operation) {
      const closest = suggestName(name, names)
      return [`"reads" has "${name}", which the document does not have${closest ? `; did you mean "${closest}"?` : ''}`]
    }
    const roots = rootsOf(operation, status)
    if (roots.length === 0) return [`"reads" has "${at}", an answer that the document does not have as JSON`]
    return paths
      .filter((path) => !roots.some((root) => hasPath(root, path)))
      .map((path) => `"reads" has "${path}" of "${at}", which the document does not have`)
  })
}

function rootsOf(operation: VersionOperation, status: string): SchemaPart[] {
  const response = status === '' ? undefined : responseFor(operation, status.toUpperCase())
  const all = response ? [response] : status === '' ? [...operation.responses.values()] : []
  return all.flatMap(({ value, path }) => {
    const json = jsonContent(value.content, path)
    return json ? [operation.viewOf(schemaOf(json))] : []
  })
}

/** Names may have dots, so each beginning of the rest is tried. */
function hasPath(part: SchemaPart, path: string): boolean {
  const { types, properties, others, items, isOpen, alternatives } = part.view()
  if (path === '') return true
  if (path.startsWith('[]')) return types.has('array') && (!items || hasPath(items, path.slice(2).replace(/^\./, '')))
  const known = [...properties, ...[...(alternatives ?? [])].flatMap(([, each]) => [...each.part.view().properties])]
  const isAny = properties.size === 0 && !others && isOpen && types.has('object')
  return (
    isAny ||
    (others !== undefined && hasPath(others, path.replace(/^[^.[]*\.?/, ''))) ||
    known.some(([name, inner]) => {
      const rest = path.startsWith(name) ? path.slice(name.length) : undefined
      return rest !== undefined && /^(?:$|\.|\[\])/.test(rest) && hasPath(inner, rest.replace(/^\./, ''))
    })
  )
}
