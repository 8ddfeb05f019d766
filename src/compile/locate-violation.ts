/** Finds the part of a document that a request violates: the keyword of the schema if it exists, else the closest part. */

import { findContent } from '../contract/body-content.js'
import { bareMediaType, patches } from '../contract/http/media-types.js'
import type { SentBody, Violation } from '../contract/violations.js'
import { type DocumentPath, isReference, type Located, type OpenApiDocument } from '../document/document.js'
import { followOnce } from '../document/references.js'
import { isObject, ownValue } from '../json/own-value.js'
import { type DescribedOperation, jsonContent } from '../schemas/operations/describe-operations.js'
import { parameterSchema } from '../schemas/operations/request-content.js'
import { findTag } from '../schemas/tagged.js'

type AnySchema = Located<unknown>

/** Keywords whose schemas describe the same value. */
const sameValue = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const
/** Maximum schemas to search for one value, because alternatives may have alternatives. */
const maxSchemas = 200

/**
 * @param sent selects the violated content by its media type, and the alternative by its discriminator
 * @returns the path of the keyword, else that of the closest schema, parameter or body
 * @example locateViolation(document, createBook, { in: 'body', at: 'title', rule: 'maxLength' })
 * // ['components', 'schemas', 'Book', 'properties', 'title', 'maxLength']
 */
export function locateViolation(
  document: OpenApiDocument,
  { at, parameters, body }: DescribedOperation,
  { in: place, at: name, rule }: Pick<Violation, 'in' | 'at' | 'rule'>,
  sent?: SentBody,
): DocumentPath {
  if (place === 'body') {
    if (!body) return at
    const all = Object.entries(body.value.content ?? {}).map(([key, value]) => {
      return { mediaType: bareMediaType(key), value, path: [...body.path, 'content', key] }
    })
    const chosen = findContent({ content: all }, sent?.contentType ?? '')
    // A body that could not be read violates no schema.
    if (rule === '') return chosen?.path ?? body.path
    // The result of a JSON Patch is a record.
    const isOfRecord = patches[chosen?.mediaType ?? ''] === 'json-patch' && !name.startsWith('[')
    const content = (isOfRecord ? undefined : chosen) ?? jsonContent(body.value.content, body.path) ?? all[0]
    const schema = content?.value.schema
    return schema === undefined ? body.path : find({ value: schema, path: [...(content?.path ?? []), 'schema'] }, name)
  }
  const [found] = parameters
    .filter(({ value }) => value.in === place && isAt(name, value.name))
    .toSorted((one, other) => other.value.name.length - one.value.name.length)
  if (!found || rule === 'required' || rule === 'repeated') return found?.path ?? at
  const schema = parameterSchema(found)
  return schema.value === true ? found.path : find(schema, restOf(name, found.value.name))

  function find(schema: AnySchema, at: string): DocumentPath {
    const reached = schemasTo(document, schema, at, sent?.value)
    // The place of a missing property ends with its name.
    const requiring = reached.find(({ value, rest }) => [value['required']].flat().includes(rest))
    if (rule === 'required' && requiring) return [...requiring.path, rule]
    const candidates = reached.filter(({ rest }) => rest === '')
    const exact = candidates.find(({ value }) => Object.hasOwn(value, rule))
    const described = candidates.find(({ value }) => !isReference(value)) ?? candidates[0]
    return exact ? [...exact.path, rule] : (described?.path ?? schema.path)
  }
}

/** Whether a place is the given name or inside it. */
function isAt(place: string, name: string): boolean {
  return place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`)
}

function restOf(place: string, start: string): string {
  return place.slice(start.length).replace(/^\./, '')
}

/** A schema on the path to a place. `rest` is the remaining path. */
interface Reached extends Located<Record<string, unknown>> {
  rest: string
}

/**
 * All schemas that describe the value at a place such as `tags[2].name`, and the values that contain it. The schemas of one
 * value are in the order in which they refer to each other.
 */
function schemasTo(document: OpenApiDocument, start: AnySchema, place: string, sent: unknown): Reached[] {
  const reached = new Map<string, Reached>()
  visit(start, place, sent)
  return [...reached.values()]

  function visit({ value, path }: AnySchema, rest: string, given: unknown): void {
    const id = `${path.join('\0')} ${rest}`
    if (reached.has(id) || reached.size > maxSchemas || !isObject(value)) return
    reached.set(id, { value, path, rest })
    for (const [part, inner, left] of rest === '' ? [] : partsOf(value, rest))
      visit({ value: part, path: [...path, ...inner] }, left, memberOf(given, rest, left))
    const tagged = isObject(given) ? findTag(document, { value, path }) : undefined
    const named = tagged?.branches.find(({ values }) => values.includes(ownValue(Object(given), tagged.name)))
    for (const keyword of sameValue) {
      const { [keyword]: inner } = value
      const index = keyword === tagged?.keyword ? named?.index : undefined
      for (const [at, each] of Array.isArray(inner) ? inner.entries() : []) {
        if (at === (index ?? at)) visit({ value: each, path: [...path, keyword, at] }, rest, given)
      }
      visit({ value: inner, path: [...path, keyword] }, rest, given)
    }
    if (isReference(value)) visit(followOnce(document, value, path), rest, given)
  }
}

/** The value of the first part of a place. @param left the remaining place */
function memberOf(given: unknown, place: string, left: string): unknown {
  const name = place.slice(0, place.length - left.length).replace(/^\[|\]?\.?$/g, '')
  return typeof given === 'object' && given !== null ? ownValue(Object(given), name) : undefined
}

type Part = [value: unknown, path: (string | number)[], rest: string]

/** The schemas of the first part of a place, and the remaining place. */
function partsOf(
  { prefixItems, items, properties, additionalProperties }: Record<string, unknown>,
  place: string,
): Part[] {
  const [whole, digits] = /^\[(\d+)\]/.exec(place) ?? []
  if (whole !== undefined) {
    const index = Number(digits)
    const own = Array.isArray(prefixItems) && index < prefixItems.length
    const [item, path] = own ? [prefixItems[index], ['prefixItems', index]] : [items, ['items']]
    return [[item, path, restOf(place, whole)]]
  }
  const named = Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => isAt(place, name))
    .sort(([one], [other]) => other.length - one.length)
    .map(([name, value]): Part => [value, ['properties', name], restOf(place, name)])
  const [other = ''] = /^[^.[]+/.exec(place) ?? []
  return named.length > 0 ? named : [[additionalProperties, ['additionalProperties'], restOf(place, other)]]
}
