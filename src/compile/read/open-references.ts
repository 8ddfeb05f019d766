/** Shows the parts of a document that are in other files in the place of their `$ref`s, so that a JSONPath matches them. */
import { isObject } from '../../json/is-object.js'
import { type DocumentPath, filesMember, isReference } from '../document.js'
import type { Resolver, Target } from './resolve-reference.js'

/** How many levels below the root have `$ref`s to other files that are opened. */
const opened: Record<string, number> = { paths: 2, components: 2, definitions: 1, parameters: 1, responses: 1 }

export interface OpenedDocument {
  view: Record<string, unknown>
  /** Converts a path in the view to one in the document. */
  toPath(path: DocumentPath): DocumentPath
}

export function openReferences(document: Record<string, unknown>, resolver: Resolver): OpenedDocument {
  const homes = new Map<string, DocumentPath>()

  function open(target: Target, at: DocumentPath, levels: number): unknown {
    const { value, path } = follow(target, resolver)
    if (path !== target.path) homes.set(JSON.stringify(at.map(String)), path)
    if (levels === 0 || !isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, value]) => [
        name,
        open({ value, path: [...path, name] }, [...at, name], levels - 1),
      ]),
    )
  }

  const view = { ...document }
  delete view[filesMember]
  for (const [name, levels] of Object.entries(opened)) {
    if (name in view) view[name] = open({ value: view[name], path: [name] }, [name], levels)
  }
  return {
    view,
    toPath(path) {
      for (let length = Math.min(path.length, 3); length > 0; length--) {
        const home = homes.get(JSON.stringify(path.slice(0, length).map(String)))
        if (home) return [...home, ...path.slice(length)]
      }
      return path
    },
  }
}

/** Follows `$ref`s that lead to other files. */
function follow(target: Target, resolver: Resolver): Target {
  let found = target
  for (let steps = 0; steps < 100 && isReference(found.value); steps++) {
    const isInside = found.value.$ref.startsWith('#') && found.path[0] !== filesMember
    const next = isInside ? undefined : resolver.attempt(found.value.$ref, found.path)
    if (!next) break
    found = next
  }
  return found
}
