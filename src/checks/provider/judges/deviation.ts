/** The results of response judges, and the names of their places. */
import type { SchemaError, Validate } from '../../../contract/validator.js'
import { describeSchemaError } from '../../../contract/violations.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { toJson } from '../../../json/exact-json.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'

/** One way in which a response differs from the document. */
export interface Deviation {
  /** Place in the response, e.g. `body[].id` or `header.x-total`; empty for the whole response. */
  at: string
  /** The violated keyword of JSON Schema, e.g. `required`; absent for a wrong media type. */
  kind?: string
  message: string
}

/** Writes indexes as `[]` and names that are not in the document as `{}`, so that a finding is the same for all items. */
export type ToPlace = (path: readonly (string | number)[]) => string

/** Knows the names of all members in the document, as they are and in lower case. */
export function createToPlace(document: OpenApiDocument): ToPlace {
  const names = new Set(['body', 'header'])
  toJson(document, (name, value) => {
    names.add(name).add(name.toLowerCase())
    return value
  })
  return (path) =>
    path.reduce<string>((at, part) => {
      if (/^\d+$/.test(String(part))) return `${at}[]`
      if (!names.has(String(part))) return `${at}{}`
      return at === '' ? String(part) : `${at}.${part}`
    }, '')
}

/**
 * What a validator has found, each kind in each place once.
 * @param root the first parts of the place, e.g. `['body']`
 * @param words what the value and its members are called in messages
 */
export function deviationsOf(
  { errors }: Pick<Validate, 'errors'>,
  toPlace: ToPlace,
  root: readonly string[],
  words: { whole: string; member: string },
): Deviation[] {
  const found = new Map<string, Deviation>()
  for (const error of errors ?? []) {
    const { instancePath, keyword } = error
    // Skips duplicates: the errors of the failed branch, or that of `propertyNames`, say the same.
    if ((keyword === 'if' && (errors?.length ?? 0) > 1) || 'propertyName' in error) continue
    const general = `${keyword} ${instancePath.includes('/') ? instancePath.replace(/\/\d+(?=\/|$)/g, '/0') : ''}`
    if (found.has(general)) continue
    const path = fromJsonPointer(instancePath)
    const place = path.length === 0 ? words.whole : `${words.member} ${path.map(withoutMiddle).join('.')}`
    found.set(general, { at: toPlace([...root, ...path]), kind: keyword, message: describe(error, place) })
  }
  return [...found.values()]
}

/** Replaces a long member name as a whole: a cut name could contain a part of the key, which would not be hidden. */
function withoutMiddle(part: string): string {
  return part.length > maxName ? `(a name of ${part.length} characters)` : part
}

const maxName = 100

/** Does not quote values, because they may be confidential. */
function describe(error: SchemaError, place: string): string {
  const { keyword, params } = error
  if (keyword === 'required') return `${place} must have required property '${params['missingProperty']}'`
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  if (unknown !== undefined) return `${place} must not have the property '${withoutMiddle(String(unknown))}'`
  if (keyword === 'dependentRequired' || keyword === 'dependencies') {
    return `${place} must have property '${params['missingProperty']}', as it has '${params['property']}'`
  }
  if (keyword === 'contains') {
    const most = params['maxContains']
    const bounds = `at least ${params['minContains']}${most === undefined ? '' : ` and at most ${most}`}`
    return `${place} must contain ${bounds} of the described items`
  }
  if (keyword === 'items' || keyword === 'unevaluatedItems' || keyword === 'additionalItems') {
    return `${place} must have at most ${params['limit'] ?? params['len']} items`
  }
  return describeSchemaError(error, place, undefined)
}
