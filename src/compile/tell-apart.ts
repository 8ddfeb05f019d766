/** Tells operations apart whose documented paths differ only in their fragments, which no client sends. */

import { type PathTemplate, parsePathTemplate } from '../contract/path-template.js'
import type { Selector } from '../contract/request-model.js'
import type { DocumentPath, Located, OpenApiDocument, ParameterObject } from './document.js'
import type { Notes } from './notes.js'
import { flattenSchema } from './schemas/flatten-schema.js'

/** What decides which requests an operation gets. */
interface Reachable {
  method: string
  /** The documented path with a leading slash. */
  path: string
  template: PathTemplate
  servers: unknown
  parameters: readonly Located<ParameterObject>[]
  at: DocumentPath
}

/** How requests reach an operation, if its documented path does not say so. */
export interface Reach {
  /** The path of requests, if it is another one. */
  servedPath?: string
  template?: PathTemplate
  /** A parameter that only this one of the operations with its path has, or that has only one value for it. */
  selector?: Selector
}

/** @param notes gets operations that are reached at another path or not at all */
export function tellApart<Operation extends Reachable>(
  document: OpenApiDocument,
  operations: readonly Operation[],
  notes: Notes,
): (Operation & Reach)[] {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const { method, template, servers } = operation
    const key = JSON.stringify([method, template.path, template.query, servers])
    const group = groups.get(key)
    if (group) group.push(operation)
    else groups.set(key, [operation])
  }
  const reaches = new Map<Operation, Reach>()
  for (const group of groups.values()) if (group.length > 1) reachAll(group)
  return operations.map((operation) => ({ ...operation, ...reaches.get(operation) }))

  function reachAll(group: readonly Operation[]): void {
    const all = group.map((operation) => selectorsOf(document, operation))
    /** In how many operations of the group each selector is. */
    const counts = new Map<string, number>()
    for (const text of all.flatMap((selectors) => selectors.map(toText))) counts.set(text, (counts.get(text) ?? 0) + 1)
    let plain: Operation | undefined
    for (const [index, operation] of group.entries()) {
      const own = (all[index] ?? []).filter((selector) => counts.get(toText(selector)) === 1)
      const fragment = fragmentOf(operation).toLowerCase()
      const [selector] = [...own.filter(({ name }) => fragment.includes(name.toLowerCase())), ...own]
      if (selector) reaches.set(operation, { selector })
      else if (plain) reaches.set(operation, reachByFragment(operation, plain))
      else plain = operation
    }
  }

  function reachByFragment(operation: Operation, earlier: Operation): Reach {
    const { method, path, template, at } = operation
    const fragment = fragmentOf(operation)
    const message = `${method} ${path} and ${method} ${earlier.path} are the same`
    if (fragment === '') {
      notes.add(at, message, 'only the first is served')
      return {}
    }
    const query = /\?[^#]*/.exec(path)?.[0] ?? ''
    const servedPath = `${template.path}%23${encodeURIComponent(fragment)}${query}`
    notes.add(at, message, `the second is reached at "${servedPath}"`)
    return { servedPath, template: parsePathTemplate(servedPath) }
  }
}

function toText({ in: place, name, value }: Selector): string {
  return JSON.stringify([place, name.toLowerCase(), value])
}

function fragmentOf({ path }: Reachable): string {
  const [, ...fragment] = path.split('#')
  return fragment.join('#')
}

/** The parameters that can select an operation: those of one value, and the one that its fragment names. */
function selectorsOf(document: OpenApiDocument, operation: Reachable): Selector[] {
  const [named = ''] = fragmentOf(operation).split(/[=&]/)
  return operation.parameters.flatMap((parameter): Selector[] => {
    const { in: place, name, schema } = parameter.value
    if (place !== 'query' && place !== 'header') return []
    const { keywords } = flattenSchema(document, { value: schema ?? true, path: [...parameter.path, 'schema'] })
    const values = keywords.const === undefined ? (keywords.enum ?? []) : [keywords.const]
    const [value] = values
    if (values.length === 1 && typeof value !== 'object') return [{ in: place, name, value: String(value) }]
    return name.toLowerCase() === named.toLowerCase() ? [{ in: place, name }] : []
  })
}
