/** Finds corrections in an overlay of what is missing, so that none is dropped silently. */
import parse from 'jsonpath-rfc9535/parser'
import { suggestion } from '../contract/suggest-closest.js'
import { isObject, ownValue } from '../json/own-value.js'
import type { DocumentPath } from './document.js'

/** The extensions that correct what is inferred. */
const corrections = ['x-sandbox-service', 'x-sandbox-effect', 'x-sandbox-resource', 'x-sandbox-lifecycle']

/** The name of a correction in an update. Undefined if it has none. */
export function correctionIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = corrections.find((name) => name in value)
  return own ?? Object.values(value).reduce<string | undefined>((found, each) => found ?? correctionIn(each), undefined)
}

/** Says why a target of a correction matches nothing, as a sentence without a full stop. */
export function lostTarget(target: string, correction: string, document: Record<string, unknown>): string {
  const described = `The target "${target}" of an ${correction} matches nothing`
  const names = namesOf(target)
  let value: unknown = document
  for (const name of names.leading) {
    const inner = isObject(value) ? ownValue(value, name) : undefined
    if (inner === undefined) {
      return `${described}: there is no "${name}"${suggestion(name, Object.keys(isObject(value) ? value : {}))}`
    }
    value = inner
  }
  const paths = isObject(document['paths']) ? document['paths'] : {}
  const operations = Object.values(paths).flatMap((item) => (isObject(item) ? Object.values(item) : []))
  const ids = operations.flatMap((each) =>
    isObject(each) && typeof each['operationId'] === 'string' ? each['operationId'] : [],
  )
  const hint = names.quoted.map((name) => suggestion(name, [...ids, ...Object.keys(paths)])).find((each) => each !== '')
  return `${described}${hint ?? ''}`
}

/** Finds a correction of a missing operation, in an update that mirrors the document. */
export function findLostCorrection(
  document: Record<string, unknown>,
  to: DocumentPath,
  update: unknown,
): { path: DocumentPath; message: string } | undefined {
  const found: { path: DocumentPath; message: string }[] = []
  visit(valueAt(document, to), update, [])
  return found[0]

  function visit(current: unknown, added: unknown, path: DocumentPath): void {
    if (!isObject(added)) return
    // A new operation with responses may have a correction.
    const correction = corrections.find((name) => name in added)
    const isNew = 'responses' in added || Object.values(added).some((each) => isObject(each) && 'responses' in each)
    if (correction !== undefined && current === undefined && !isNew) {
      found.push({ path: [...path, correction], message: describeLost(correction, [...to, ...path]) })
      return
    }
    for (const [name, inner] of Object.entries(added)) {
      if (!corrections.includes(name))
        visit(isObject(current) ? ownValue(current, name) : undefined, inner, [...path, name])
    }
  }

  function describeLost(correction: string, path: DocumentPath): string {
    for (const [depth, name] of path.entries()) {
      const holder = valueAt(document, path.slice(0, depth))
      const names = isObject(holder) ? Object.keys(holder) : []
      if (!names.includes(String(name)))
        return `${correction} corrects what the document does not have: there is no "${name}"${suggestion(String(name), names)}`
    }
    return `${correction} corrects what the document does not have`
  }
}

function valueAt(root: unknown, path: DocumentPath): unknown {
  let value = root
  for (const part of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
  return value
}

/** The leading names of a JSONPath, and the quoted texts in it. */
function namesOf(target: string): { leading: string[]; quoted: string[] } {
  const leading: string[] = []
  for (const segment of parse(target).segments) {
    const name = segment.type === 'ChildSegment' ? selectorName(segment.node) : undefined
    if (name === undefined) break
    leading.push(name)
  }
  return { leading, quoted: [...target.matchAll(/(['"])(.*?)\1/g)].map(([, , text = '']) => text) }
}

function selectorName(node: {
  type: string
  value?: unknown
  selectors?: readonly { type: string; value?: unknown }[]
}) {
  if (node.type === 'MemberNameShorthand') return String(node.value)
  const [first, second] = node.selectors ?? []
  return first?.type === 'NameSelector' && !second ? String(first.value) : undefined
}
