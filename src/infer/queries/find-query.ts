/** Says how requests filter, sort and page the records of a list. */

import { guess } from '../../behaviour/line.js'
import { usualSize } from '../../behaviour/values.js'
import type { ListFilter, ListQuery, PageFact, RequestValue } from '../../contract/effects/list-query.js'
import type { JsonType } from '../../contract/request-model.js'
import type { Located, OpenApiDocument, ParameterObject, Schema } from '../../document/document.js'
import { resolve } from '../../document/references.js'
import { isComparedWhole, saysPart, saysUnset } from '../../lexicon/conditions.js'
import { saysBy } from '../../lexicon/operation-names.js'
import { headerFact } from '../../lexicon/pages.js'
import { saysSize } from '../../lexicon/parameter-texts.js'
import { describedFilterHeader, filterHeader, isPageObject } from '../../lexicon/parameters.js'
import { bareName, isSameName } from '../../lexicon/words.js'
import { examplesAt } from '../../schemas/examples.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonContent } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import { sentBy } from '../../schemas/operations/request-record.js'
import { queriedProperties } from '../../schemas/queried-properties.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from '../facts/candidate.js'
import { itemOf } from '../facts/find-reference-keys.js'
import { habitsOf } from '../habits.js'
import type { FoundResources } from '../paths/find-resources.js'
import { lineOf } from '../paths/path-tree.js'
import { findConditions } from './query-conditions.js'
import { findFacts } from './query-facts.js'
import { findFilter, findOpen, isKnownValue, otherValues } from './query-filters.js'
import { findLeaves } from './query-leaves.js'
import {
  controlsList,
  defaultSizeOf,
  findCreated,
  findPositions,
  findSizes,
  findSort,
  findStandardOrder,
  type ListParameter,
  toSource,
} from './query-parameters.js'
import { findView } from './query-views.js'

/** Says it of a list of records, and of one in an answer by example. */
export function findQuery(
  document: OpenApiDocument,
  candidate: Candidate,
  collection: KnownCollection | undefined,
  resources: FoundResources,
): void {
  const { kind, lines, decision } = candidate
  const { list } = decision.facts
  const why = guess('name', 'its parameters are called so')
  if (kind === 'list' && collection) {
    const { model, record: whole } = collection
    const most = list && greatestLength(document, list.schema)
    const equal = findEqual(document, candidate)
    const sent = sentBy(document, collection)
    const query = findQueryOf({ document, candidate, whole, sent, key: model.key, equal, most, resources })
    const views = findView(document, candidate, collection, query)
    lines.add('query', '', { ...query, filters: [...query.filters, ...views] }, why)
  } else if (list && !list.isMap) {
    const plain = { ...candidate, pointer: list.pointer, record: undefined }
    lines.add('query', '', findQueryOf({ document, candidate: plain, key: undefined, equal: [], most: undefined }), why)
  }
}

/** How the query chooses the records that an operation changes or removes. Undefined if it does not. */
export function findChosen(
  document: OpenApiDocument,
  candidate: Candidate,
  { model, record: whole }: KnownCollection,
): ListQuery | undefined {
  const equal = findEqual(document, candidate)
  const query = findQueryOf({ document, candidate, whole, key: model.key, equal, most: undefined })
  const filters = query.filters.filter(({ in: place }) => place === 'query')
  return filters.length > 0 ? { ...query, filters } : undefined
}

interface QueryInput {
  document: OpenApiDocument
  candidate: Candidate
  /** The schema of the records of the collection, of which the list may show only a part. */
  whole?: Located<Schema>
  /** The properties that creations send. */
  sent?: ReadonlyMap<string, Located<Schema>>
  key: string | undefined
  /** Filters by properties of the same name. */
  equal: readonly ListFilter[]
  /** Maximum number of items of the list. */
  most: number | undefined
  resources?: FoundResources
}

function findQueryOf({ document, candidate, whole, sent, key, equal, most, resources }: QueryInput): ListQuery {
  const { operation, record, success, pointer, resource } = candidate
  const properties = queriedProperties(document, record, whole)
  const parameters = parametersOf(document, operation)
  const sizes = findSizes(parameters)
  const [size] = sizes
  const positions = findPositions(parameters, sizes)
  const isScalar = (name: string) => {
    const property = properties.get(name)
    const { types } = property ? flattenSchema(document, property) : { types: new Set<string>() }
    return !types.has('object') && !types.has('array')
  }
  const order = findSort(parameters, properties, isScalar)
  const paging = new Set<string>([
    ...sizes.map(({ whole }) => whole),
    ...positions.map((each) => parameters.find((one) => isSameValue(one, each))?.whole ?? each.name),
  ])
  const open = findOpen(document, properties)
  const besides = parameters.flatMap(({ in: place, member }) =>
    place === 'header' && member !== undefined ? [member] : [],
  )
  const context = { document, properties, key, collection: resource?.name ?? '', besides }
  const filtered = new Set(equal.map(({ name }) => name))
  const ordering = [order, order?.direction].filter((each) => each !== undefined)
  const isOpen = (each: ListParameter) =>
    !paging.has(each.whole) &&
    !(each.in === 'query' && filtered.has(each.name)) &&
    !(each.in !== 'query' && each.member !== undefined) &&
    !ordering.some((other) => isSameValue(each, other))
  const onlySent = new Map([...(sent ?? [])].filter(([name]) => !properties.has(name)))
  const others = [...parameters.filter(isOpen), ...(resources ? inPath(document, candidate, resources) : [])].flatMap(
    (each): ListFilter | [] => findFilter(each, context) ?? findSentFilter(document, each, onlySent) ?? [],
  )
  const facts = success?.schema
    ? findFacts(success.schema, {
        document,
        positions,
        list: pointer,
        examples: bodyExamples(document, success.schema),
      })
    : []
  const headers = headersOf(document, operation, success?.status)
  const hasNextUrl = facts.some(({ from }) => from === 'nextUrl') || headers.some(({ from }) => from === 'links')
  // If a list has a size and links but no page parameter, its links get one.
  if (size && hasNextUrl && !positions.some(({ in: place, as }) => place === 'query' && as !== 'before'))
    positions.push({ in: 'query', name: 'cursor', as: 'cursor', first: 0, isOwn: true })
  const created = findCreated(document, properties, key)
  const { summary = '', description = '' } = operation.value as { summary?: string; description?: string }
  const said = `${summary}. ${description}`
  const standardOrder = findStandardOrder(said, [...properties.keys()].filter(isScalar), parameters, {
    sort: order,
    created,
  })
  const page = parameters.find(({ name, member }) => name === positions[0]?.name && member === positions[0]?.member)
  const standard = size ? defaultSizeOf(size) : saysSize(page?.said ?? '')
  const defaultSize = Math.min(standard ?? (positions.length > 0 ? usualSize : Infinity), most ?? Infinity)
  const greatest = most ?? size?.flat.keywords.maximum
  const query: ListQuery = {
    filters: [...equal, ...others],
    positions,
    facts,
    headers,
    ...(hasAddress([...facts, ...headers]) && { hasLinks: true as const }),
    ...(order && { order: { ...order, ...(open !== undefined && { open }) } }),
    ...(standardOrder && { standard: standardOrder }),
    ...(habitsOf(document).value('order') === 'oldest' && { isOldestFirst: true as const }),
    ...(created.length > 0 && (order || standardOrder) && { created }),
    sizes: sizes.map(toSource),
    ...(Number.isFinite(defaultSize) && { defaultSize }),
    ...(typeof greatest === 'number' && greatest > 0 && { maxSize: greatest }),
  }
  return query
}

function bodyExamples(document: OpenApiDocument, { path }: Located<Schema>): unknown[] {
  return examplesAt(document, { path: path.slice(0, -1), is: 'list' })
}

function hasAddress(facts: readonly { from: PageFact | 'links' }[]): boolean {
  return facts.some(({ from }) => from === 'links' || from.endsWith('Url'))
}

function isSameValue(one: RequestValue, other: RequestValue): boolean {
  return one.in === other.in && one.name === other.name && one.member === other.member
}

function wholeName(name: string, member: string | undefined): string {
  return member === undefined ? name : `${name}[${member}]`
}

/** Query parameters, members of object parameters, and properties of the body of a search. */
function parametersOf(document: OpenApiDocument, operation: DescribedOperation): ListParameter[] {
  const inQuery = operation.parameters
    .filter(({ value }) => value.in === 'query')
    .flatMap((located): ListParameter[] => {
      const { name, description = '' } = located.value as ParameterObject & { description?: string }
      const flat = flattenSchema(document, parameterSchema(located))
      const whole: ListParameter = { in: 'query', name, whole: name, flat, said: said(description, flat) }
      const isControl = controlsList(flat)
      const members = [...flat.properties].map(([member, schema]): ListParameter => {
        const inner = flattenSchema(document, schema)
        const own = isControl ? member : wholeName(name, member)
        return { in: 'query', name, member, whole: own, flat: inner, said: said('', inner) }
      })
      if (members.length === 0) return [whole]
      // A number or a range: `created=1` and `created[gte]=1`
      const scalars = [...flat.types].filter((type) => type !== 'object' && type !== 'null')
      const scalar: ListParameter = { ...whole, flat: { ...flat, types: new Set(scalars), properties: new Map() } }
      return scalars.length > 0 ? [scalar, ...members] : members
    })
  const inHeader = [...headerParameters(document, operation), ...describedHeader(document)]
  if (operation.method === 'GET' || !operation.body) return [...inQuery, ...inHeader]
  const content = jsonContent(operation.body.value.content, operation.body.path)
  if (content?.value.schema === undefined) return inQuery
  const body = flattenSchema(document, { value: content.value.schema, path: [...content.path, 'schema'] })
  const inBody = [...body.properties].flatMap(([name, schema]): ListParameter[] => {
    const flat = flattenSchema(document, schema)
    const whole: ListParameter = { in: 'body', name, whole: name, flat, said: said('', flat) }
    if (isPageObject(name) && flat.properties.size > 0) {
      const members = [...flat.properties].map(([member, each]) => ({ member, flat: flattenSchema(document, each) }))
      return members.map(({ member, flat }) => ({
        in: 'body',
        name,
        member,
        whole: member,
        flat,
        said: said('', flat),
      }))
    }
    const isScalar = ['string', 'integer', 'number', 'boolean'].some((type) => flat.types.has(type as JsonType))
    const conditions = isScalar ? undefined : findConditions(document, name, schema)
    const leaves = isScalar || conditions ? [] : findLeaves(document, name, schema)
    if (leaves.length > 0) return leaves
    return [{ ...whole, ...(conditions && { conditions }) }]
  })
  return [...inQuery, ...inBody]
}

/** The parameters of a path behind its collection that select no record: `/orders/buyer/{buyerId}`, `/orders/by-buyer/{buyerId}` */
function inPath(
  document: OpenApiDocument,
  { node, resource, operation, decision: { steps } }: Candidate,
  { byItem }: FoundResources,
): ListParameter[] {
  const line = lineOf(node)
  const start = line.findIndex((each) => each === resource?.node || saysBy(each.step.text ?? ''))
  return line.flatMap((each, index): ListParameter | [] => {
    const name = steps[index]?.parameter
    const isOpen = start >= 0 && index > start && !byItem.has(each)
    const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === name)
    if (name === undefined || !found || !isOpen) return []
    return { in: 'path', name, whole: name, flat: flattenSchema(document, parameterSchema(found)), said: '' }
  })
}

/** Headers that filter. */
function headerParameters(document: OpenApiDocument, { parameters }: DescribedOperation): ListParameter[] {
  return parameters.flatMap((located): ListParameter[] => {
    const { name, in: place, description = '' } = located.value as ParameterObject & { description?: string }
    const whole = place === 'header' ? filterHeader(name) : undefined
    if (whole === undefined) return []
    const flat = flattenSchema(document, parameterSchema(located))
    return [{ in: 'header', name, whole, flat, said: said(description, flat) }]
  })
}

/** The header with a filter that the description of the document has, with its order. */
function describedHeader({ info }: OpenApiDocument): ListParameter[] {
  const { description = '' } = (info ?? {}) as { description?: string }
  const described = describedFilterHeader(description)
  if (!described) return []
  const { name, members } = described
  const flat = flattenSchema({} as OpenApiDocument, { value: { type: 'string' }, path: [] })
  const filter: ListParameter = { in: 'header', name, whole: 'filter', flat, said: '' }
  return [filter, ...members.map((member): ListParameter => ({ ...filter, member, whole: member }))]
}

function said(description: string, { keywords }: FlatSchema): string {
  const { description: own } = keywords as { description?: unknown }
  return `${description} ${typeof own === 'string' ? own : ''}`
}

const narrow = ['enum', 'const', 'pattern', 'maximum', 'maxLength', 'multipleOf']

/** The documented headers of the success. */
function headersOf(
  document: OpenApiDocument,
  { responses }: DescribedOperation,
  status: number | undefined,
): ListQuery['headers'] {
  const response = responses.get(String(status)) ?? responses.get('2XX') ?? responses.get('default')
  if (!response) return []
  const { headers = {} } = response.value
  return Object.entries(headers).flatMap(([name, written]): ListQuery['headers'] => {
    const from = headerFact(name)
    const header = resolve<{ schema?: Schema }>(document, written as { schema?: Schema }, [
      ...response.path,
      'headers',
      name,
    ])
    const { schema = true } = header.value
    const { keywords } = flattenSchema(document, { value: schema, path: [...header.path, 'schema'] })
    // A schema that restricts the value is more important than the real value for the page.
    const isOpen = !narrow.some((keyword) => keyword in keywords) && !(Number(keywords.minimum) > 0)
    return from === undefined || !isOpen ? [] : [{ name, from }]
  })
}

/** Filters by properties of the same name. */
function findEqual(document: OpenApiDocument, candidate: Candidate): ListFilter[] {
  const { record, operation } = candidate
  const { parameters } = operation
  const properties = record ? flattenSchema(document, record).properties : new Map<string, Located<Schema>>()
  const names = parameters.filter(({ value }) => value.in === 'query').map(({ value }) => value.name)
  return names.flatMap((name): ListFilter[] => {
    const property = name === 'limit' ? undefined : properties.get(name)
    const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
    if (!property || !parameter) return []
    const sent = flattenSchema(document, parameterSchema(parameter))
    // Substrings, and values that mean all records or those without the property, need more than equality.
    const said = parameter.value.description ?? ''
    if (saysUnset(said) !== undefined) return []
    if (saysPart(said) && !isComparedWhole(name)) return []
    if (sent.types.has('object') || otherValues(sent, flattenSchema(document, property)).length > 0) return []
    const types = [...typesOfFilter(document, property)] as JsonType[]
    // A key chooses by the record that it leads to.
    if (itemOf(document, property).flat.properties.size > 0) return []
    const standard = defaultOf(document, parameters, name)
    const isKnown = isKnownValue(standard.default, flattenSchema(document, property))
    if (standard.default !== undefined && !isKnown) return []
    return [{ in: 'query', name, properties: [name], compare: 'equal', types, ...standard }]
  })
}

/** A filter by what creations send and no answer shows. */
function findSentFilter(
  document: OpenApiDocument,
  parameter: ListParameter,
  sent: ReadonlyMap<string, Located<Schema>>,
): ListFilter | undefined {
  const same = [...sent].filter(([each]) => isSameName(each, parameter.whole))
  const [name, schema] = same.find(([each]) => bareName(each) === bareName(parameter.whole)) ?? same[0] ?? []
  if (name === undefined || !schema || parameter.in === 'header') return undefined
  const types = [...typesOfFilter(document, schema)] as JsonType[]
  if (types.includes('object')) return undefined
  return { ...toSource(parameter), properties: [name], compare: 'is', types, isOpen: true }
}

/** The maximum number of items, by the schema or any of its alternatives. */
function greatestLength(document: OpenApiDocument, list: Located<Schema>): number | undefined {
  const { keywords } = flattenSchema(document, list)
  const { maxItems, oneOf, anyOf } = keywords
  return typeof maxItems === 'number' && !oneOf && !anyOf && !('if' in keywords) ? maxItems : undefined
}

/** The types of a property, or of its items if it is an array. */
function typesOfFilter(document: OpenApiDocument, property: Located<Schema>): Set<string> {
  const { types, items } = flattenSchema(document, property)
  return types.has('array') && items ? flattenSchema(document, items).types : types
}

/** The default of a query parameter, if any. */
function defaultOf(
  document: OpenApiDocument,
  parameters: DescribedOperation['parameters'],
  name: string,
): { default?: unknown } {
  const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
  const standard = parameter && flattenSchema(document, parameterSchema(parameter)).keywords.default
  return standard === undefined ? {} : { default: standard }
}
