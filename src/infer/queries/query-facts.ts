/** Finds the facts about a page in the body and the headers of a list. */
import { guess } from '../../behaviour/line.js'
import type { BodyFact, PageFact, PagePosition } from '../../contract/effects/list-query.js'
import type { JsonType } from '../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { isObject, ownValue } from '../../json/own-value.js'
import {
  countsAll,
  flagOf,
  isCursor,
  isLink,
  isLinks,
  isPageLink,
  leadsTo,
  linkOf,
  mayDescribePage,
  neighbourOf,
  numberOf,
  type Paging,
  textOf,
} from '../../lexicon/pages.js'
import { bareName } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'

interface FactContext {
  document: OpenApiDocument
  positions: readonly PagePosition[]
  /** The names that lead to the list. */
  list: readonly string[]
  /** The documented examples of the body. */
  examples: readonly unknown[]
}

/** Says what is beside a record or a list in an answer: counts, and links to other pages. */
export function findBeside(document: OpenApiDocument, candidate: Candidate): void {
  const { success, pointer, decision, lines, kind } = candidate
  const { schema } = success ?? {}
  // Lists have the facts of their pages, and examples have no record.
  const isPage = kind === 'list' && pointer.at(-1) !== '0'
  const isOther = kind === 'example' && !lines.get('bulk') && !lines.get('links')
  if (!schema || isPage || isOther) return
  const own = pointer.at(-1) === '0' ? pointer.slice(0, -1) : pointer
  const pages = pageLinksOf(document, schema)
  for (const list of [own, decision.facts.list?.pointer ?? []]) {
    if (list.length === 0 || lines.get('beside', toJsonPointer(list))) continue
    const facts = findFacts(schema, { document, positions: [], list, examples: [] })
    const counts = facts.flatMap(({ from, pointer }) => (from === 'total' || from === 'count' ? [pointer] : []))
    if (counts.length + pages.length > 0)
      lines.add('beside', toJsonPointer(list), { counts, pages }, guess('name', 'they are called so'))
  }
}

function pageLinksOf(document: OpenApiDocument, body: Located<Schema>): string[][] {
  return [...flattenSchema(document, body).properties].flatMap(([name, schema]) => {
    const links = isLinks(name) ? [...flattenSchema(document, schema).properties.keys()] : []
    return links.flatMap((link) => (isPageLink(link) ? [[name, link]] : []))
  })
}

/** @param body the schema of the success body */
export function findFacts(body: Located<Schema>, context: FactContext): BodyFact[] {
  const { document, list } = context
  const paging = pagingOf(context.positions)
  const found: BodyFact[] = []
  visit(body, [], 0, undefined)
  return withTotals(found)

  function visit(schema: Located<Schema>, pointer: string[], isInside: number, optional: number | undefined): void {
    const flat = flattenSchema(document, schema)
    for (const [name, property] of flat.properties) {
      const here = [...pointer, name]
      if (here.join('/') === list.join('/')) continue
      const inner = flattenSchema(document, property)
      const isOptional = !flat.required.has(name)
      if (isObjectSchema(inner) && inner.properties.size > 0) {
        const isOnWay = list.slice(0, here.length).join('/') === here.join('/')
        const isAbout = mayDescribePage(name) && pointer.length < 4
        const isPart = neighbourOf(name) !== undefined && isOptional
        if (isOnWay || isAbout) visit(property, here, isInside + 1, isPart ? here.length : optional)
        continue
      }
      if (inner.types.has('array') || inner.types.has('object')) continue
      const from = factOf(here, inner, paging, list.at(-1) ?? '')
      if (from === undefined) continue
      const leftOut = isOptional ? here.length : undefined
      const isAbsolute = from.endsWith('Url') && isAbsoluteLink(inner, here, context)
      const types = [...inner.types] as JsonType[]
      const absolute = isAbsolute ? { isAbsolute: true as const } : {}
      // Beside a cursor, a link that cannot be made is left out alone.
      const isAlone = leftOut !== undefined && from.endsWith('Url') && [...flat.properties.keys()].some(isCursor)
      found.push({ pointer: here, from, types, ...absolute, ...leaveOut(isAlone ? leftOut : (optional ?? leftOut)) })
    }
  }
}

/** Links have a host if their format requires it, or if their examples have one. */
function isAbsoluteLink({ keywords }: FlatSchema, pointer: readonly string[], { examples }: FactContext): boolean {
  if (/^(uri|url|iri)$/.test(keywords.format ?? '')) return true
  const shown = examples.map((body) =>
    pointer.reduce((at, name) => (isObject(at) ? ownValue(at, name) : undefined), body),
  )
  return [keywords.example, ...shown].some((value) => /^https?:\/\/./.test(String(value)))
}

function leaveOut(names: number | undefined): { leftOut?: number } {
  return names === undefined ? {} : { leftOut: names }
}

/** A count is the total number of records, unless the body also has a total. */
function withTotals(fields: BodyFact[]): BodyFact[] {
  const hasTotal = fields.some(({ from }) => from === 'total')
  const isCount = ({ pointer }: BodyFact) => bareName(pointer.at(-1) ?? '') === 'count'
  return fields.map((field) => (!hasTotal && isCount(field) ? { ...field, from: 'total' } : field))
}

function pagingOf(positions: readonly PagePosition[]): Paging {
  return {
    hasPages: positions.length > 0,
    hasNumber: positions.some(({ as }) => as === 'page'),
    hasCursor: positions.some(({ as }) => as === 'cursor' || as === 'after'),
  }
}

/** @param list the name of the list */
function factOf(pointer: readonly string[], flat: FlatSchema, paging: Paging, list: string): PageFact | undefined {
  const name = pointer.at(-1) ?? ''
  const above = pointer.at(-2) ?? ''
  if (flat.types.has('boolean')) return flagOf(name)
  const isText = flat.types.size === 0 || flat.types.has('string')
  const isUrl = isLink(name, pointer.slice(0, -1), paging) || hasLink(flat)
  const neighbour = neighbourOf(above)
  if (neighbour) {
    if (isUrl) return `${neighbour}Url`
    return isText && leadsTo(neighbour, name) ? `${neighbour}Cursor` : undefined
  }
  if (isUrl && isText) return linkOf(name, above)
  if (flat.types.has('integer') || flat.types.has('number'))
    return numberOf(name, paging) ?? (countsAll(name, list) ? 'total' : undefined)
  return isText ? textOf(name, paging) : undefined
}

function hasLink({ keywords }: FlatSchema): boolean {
  return /^uri|^url$/.test(keywords.format ?? '') || /^(https?:\/)?\//.test(String(keywords.example ?? ''))
}
