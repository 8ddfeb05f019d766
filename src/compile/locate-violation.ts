/** Finds the part of a document that a request violates: the keyword of the schema, as far as it is there. */
import { findContent } from '../contract/body-content.js'
import type { SentBody, Violation } from '../contract/violations.js'
import { isObject } from '../json/is-object.js'
import { ownValue } from '../json/own-value.js'
import { type DescribedOperation, jsonContent } from './describe-operations.js'
import {
  type DocumentPath,
  DocumentProblem,
  isReference,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
} from './document.js'
import { bareMediaType, patches } from './media-types.js'
import { followOnce } from './references.js'
import { findTag } from './schemas/tagged.js'

type AnySchema = Located<unknown>

/** Keywords whose schemas describe the same value. */
const sameValue = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', '$ref'] as const
/** Schemas that are looked at for one value: alternatives may have alternatives. */
const maxSchemas = 200

/**
 * @param sent says by its type which content is violated, and by its tag which alternative
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
    // What a JSON Patch leads to is a record.
    const isOfRecord = patches[chosen?.mediaType ?? ''] === 'json-patch' && !name.startsWith('[')
    const content = (isOfRecord ? undefined : chosen) ?? jsonContent(body.value.content, body.path) ?? all[0]
    return content?.value.schema === undefined ? body.path : find(schemaOf(content), name, rule)
  }
  const found = parameters
    .filter(({ value }) => value.in === place && (name === value.name || isBelow(name, value.name)))
    .toSorted((one, other) => other.value.name.length - one.value.name.length)[0]
  if (!found) return at
  const [content] = Object.entries(found.value.content ?? {})
  const holder: Located<MediaTypeObject> = content
    ? { value: content[1], path: [...found.path, 'content', content[0]] }
    : (found as Located<MediaTypeObject>)
  if (holder.value.schema === undefined || rule === 'required' || rule === 'repeated') return found.path
  return find(schemaOf(holder), name.slice(found.value.name.length).replace(/^\./, ''), rule)

  function find(schema: AnySchema, place: string, keyword: string): DocumentPath {
    // The name of a missing property is the last of its place.
    const above = keyword === 'required' ? parentsOf(schema, place) : []
    const requiring = above.find(({ schema: { value }, name }) => isRequiredIn(value, name))
    if (requiring) return [...requiring.schema.path, 'required']
    const candidates = schemasAt(document, schema, place, sent?.value)
    const exact = candidates.find(({ value }) => isObject(value) && Object.hasOwn(value, keyword))
    const described = candidates.find(({ value }) => !isReference(value)) ?? candidates[0]
    return exact ? [...exact.path, keyword] : (described?.path ?? schema.path)
  }

  /** The schemas of the object that lacks a property, for each way in which its place can be read. */
  function parentsOf(schema: AnySchema, place: string): { schema: AnySchema; name: string }[] {
    const ends = [...place.matchAll(/\./g)].map(({ index }) => index).toReversed()
    return [...ends, -1].flatMap((end) =>
      schemasAt(document, schema, place.slice(0, Math.max(end, 0)), sent?.value).map((each) => ({
        schema: each,
        name: place.slice(end + 1),
      })),
    )
  }
}

function schemaOf({ value, path }: Located<MediaTypeObject>): AnySchema {
  return { value: value.schema, path: [...path, 'schema'] }
}

function isBelow(place: string, name: string): boolean {
  return place.startsWith(`${name}.`) || place.startsWith(`${name}[`)
}

function isRequiredIn(value: unknown, name: string): boolean {
  return isObject(value) && Array.isArray(value['required']) && value['required'].includes(name)
}

/** All schemas that describe the value at a place such as `tags[2].name`, those without a reference first. */
function schemasAt(document: OpenApiDocument, start: AnySchema, place: string, sent: unknown): AnySchema[] {
  const found: AnySchema[] = []
  const seen = new Set<string>()
  visit(start, place, sent)
  return found

  function visit({ value, path }: AnySchema, rest: string, given: unknown): void {
    const id = `${path.join('\0')} ${rest}`
    if (seen.has(id) || seen.size > maxSchemas || !isObject(value)) return
    seen.add(id)
    if (rest === '') found.push({ value, path })
    else
      for (const [part, inner, left] of partsOf(value, rest))
        visit({ value: part, path: [...path, ...inner] }, left, memberOf(given, rest, left))
    const tagged = isObject(given) ? findTag(document, { value, path }) : undefined
    const named = tagged?.branches.find(({ values }) => values.includes(ownValue(Object(given), tagged.name)))
    for (const keyword of sameValue) {
      const { [keyword]: branch } = value
      if (keyword === '$ref') {
        const target = follow(document, { value, path })
        if (target) visit(target, rest, given)
      } else if (Array.isArray(branch)) {
        for (const [index, each] of branch.entries()) {
          if (named && keyword === tagged?.keyword && index !== named.index) continue
          visit({ value: each, path: [...path, keyword, index] }, rest, given)
        }
      } else visit({ value: branch, path: [...path, keyword] }, rest, given)
    }
  }
}

/** The value of the first part of a place. @param left the rest of the place */
function memberOf(given: unknown, place: string, left: string): unknown {
  const name = place.slice(0, place.length - left.length).replace(/^\[|\]?\.?$/g, '')
  return typeof given === 'object' && given !== null ? ownValue(Object(given), name) : undefined
}

function follow(document: OpenApiDocument, { value, path }: AnySchema): AnySchema | undefined {
  if (!isReference(value)) return undefined
  try {
    return followOnce<unknown>(document, value, path)
  } catch (error) {
    if (error instanceof DocumentProblem) return undefined
    throw error
  }
}

type Part = [value: unknown, path: (string | number)[], rest: string]

/** The schemas of the first part of a place, and what is left of the place. */
function partsOf(schema: Record<string, unknown>, place: string): Part[] {
  const [whole, digits] = /^\[(\d+)\]\.?/.exec(place) ?? []
  if (whole !== undefined) {
    const rest = place.slice(whole.length)
    const index = Number(digits)
    const { prefixItems, items } = schema
    const own = Array.isArray(prefixItems) && index < prefixItems.length
    return own ? [[prefixItems[index], ['prefixItems', index], rest]] : [[items, ['items'], rest]]
  }
  const { properties, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const named = Object.keys(known)
    .filter((name) => place === name || isBelow(place, name))
    .sort((one, other) => other.length - one.length)
    .map((name): Part => [known[name], ['properties', name], place.slice(name.length).replace(/^\./, '')])
  const [other = ''] = /^[^.[]+/.exec(place) ?? []
  return named.length > 0
    ? named
    : [[additionalProperties, ['additionalProperties'], place.slice(other.length).replace(/^\./, '')]]
}
