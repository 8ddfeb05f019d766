/** Distinguishes operations whose documented paths differ only in their fragments, which clients do not send. */

import { type PathTemplate, parsePathTemplate } from '../../contract/path-template.js'
import type { Selector } from '../../contract/request-model.js'
import {
  type DocumentPath,
  type Located,
  type OpenApiDocument,
  type ParameterObject,
  schemaOf,
} from '../../document/document.js'
import type { Notes } from '../../document/notes.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert } from '../../json/own-value.js'
import { countTexts } from '../../lexicon/words.js'
import { flattenSchema } from '../flatten-schema.js'

/** The parts of an operation that decide which requests it gets. */
interface Reachable {
  method: string
  /** The documented path with a leading slash. */
  path: string
  template: PathTemplate
  servers: unknown
  parameters: readonly Located<ParameterObject>[]
  at: DocumentPath
}

/** How requests reach an operation, if not by its documented path. */
export interface Reach {
  /** The path of requests, if it differs from the documented one. */
  servedPath?: string
  template?: PathTemplate
  /** A parameter that only this operation of the path has, or that has a fixed value for it. */
  selector?: Selector
}

/** @param notes collects operations that are reached at another path or not at all */
export function tellApart<Operation extends Reachable>(
  document: OpenApiDocument,
  operations: readonly Operation[],
  notes: Notes,
): (Operation & Reach)[] {
  const groups = new Map<string, Operation[]>()
  /** Numbers for lists of servers, by the list and by its text. */
  const numbers = new Map<unknown, number>()
  for (const operation of operations) {
    const { method, template, servers } = operation
    // Lists with the same text have the same number.
    const number = getOrInsert(numbers, servers, () =>
      getOrInsert(numbers, JSON.stringify(servers), () => numbers.size),
    )
    const key = JSON.stringify([method, template.path, template.query, number])
    getOrInsert(groups, key, () => []).push(operation)
  }
  const reaches = new Map<Operation, Reach>()
  for (const group of groups.values()) if (group.length > 1) reachAll(group)
  return operations.map((operation) => ({ ...operation, ...reaches.get(operation) }))

  function reachAll(group: readonly Operation[]): void {
    const all = group.map((operation) => selectorsOf(document, operation, group))
    /** In how many operations of the group each selector is. */
    const counts = countTexts(all.flatMap((selectors) => selectors.map(describeSelector)))
    const taken = new Set<string>()
    let plain: Operation | undefined
    for (const [index, operation] of group.entries()) {
      const selectors = all[index] ?? []
      const unique = selectors.filter((selector) => counts.get(describeSelector(selector)) === 1)
      const named = selectors.filter((selector) => names(operation, selector))
      const [sole] = [...unique.filter((selector) => names(operation, selector)), ...unique]
      const [shared] = named
      const selector = sole ?? (shared && { ...shared, others: othersOf(operation, shared, group) })
      const text = selector && toJson([describeSelector(selector), selector.others?.map(describeSelector).sort()])
      // Without a fragment, an optional parameter need not be sent.
      const isPlain = !plain && fragmentOf(operation) === '' && selector && !requires(operation, selector)
      if (selector && text !== undefined && !taken.has(text) && !isPlain) {
        taken.add(text)
        reaches.set(operation, { selector })
      } else if (plain) reaches.set(operation, reachByFragment(operation, plain))
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

function describeSelector({ in: place, name, value }: Selector): string {
  return JSON.stringify([place, name.toLowerCase(), value])
}

function fragmentOf({ path }: Reachable): string {
  const [, ...fragment] = path.split('#')
  return fragment.join('#')
}

/**
 * The parameters that can select an operation: those with a fixed value, and the one that its fragment names. The value is
 * ignored if the fragment is only the name, as in `#acl`, and no other operation has a different value.
 */
function selectorsOf(document: OpenApiDocument, operation: Reachable, group: readonly Reachable[]): Selector[] {
  const flags = fragmentOf(operation).toLowerCase().split('&')
  return valuesOf(operation).map(({ in: place, name, value }) => {
    const isSame = (other: Selector) => other.in !== place || other.name !== name || other.value === value
    const isFlag = flags.includes(name.toLowerCase()) && group.flatMap(valuesOf).every(isSame)
    return value === undefined || isFlag ? { in: place, name } : { in: place, name, value }
  })

  function valuesOf({ parameters, path }: Reachable): Selector[] {
    const [named = ''] = path.slice(path.indexOf('#') + 1).split(/[=&]/)
    return parameters.flatMap((parameter): Selector[] => {
      const { in: place, name } = parameter.value
      if (place !== 'query' && place !== 'header') return []
      const { keywords } = flattenSchema(document, schemaOf(parameter))
      const values = keywords.const === undefined ? (keywords.enum ?? []) : [keywords.const]
      const [value] = values
      if (values.length === 1 && typeof value !== 'object') return [{ in: place, name, value: String(value) }]
      return path.includes('#') && name.toLowerCase() === named.toLowerCase() ? [{ in: place, name }] : []
    })
  }
}

/** Whether the fragment of an operation contains the name of a parameter. */
function names(operation: Reachable, { name }: Selector): boolean {
  return fragmentOf(operation).toLowerCase().includes(name.toLowerCase())
}

/** The other parameters that this operation requires but not every operation of its group. */
function othersOf(operation: Reachable, selector: Selector, group: readonly Reachable[]): Selector[] {
  return operation.parameters.flatMap(({ value }): Selector[] => {
    const { in: place, name } = value
    if ((place !== 'query' && place !== 'header') || name === selector.name) return []
    return requires(operation, value) && !group.every((each) => requires(each, value)) ? [{ in: place, name }] : []
  })
}

function requires({ parameters }: Reachable, { in: place, name }: Pick<ParameterObject, 'in' | 'name'>): boolean {
  return parameters.some(({ value }) => value.in === place && value.name === name && value.required === true)
}
