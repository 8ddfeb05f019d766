/** Compiles how requests choose, sort and page the records of a list. */
import type { ListView, ViewField, ViewFilter } from '../../../contract/effects/list-query.js'
import { type DescribedOperation, jsonContent } from '../../describe-operations.js'
import type { Located, OpenApiDocument, ParameterObject, Schema } from '../../document.js'
import { parameterSchema } from '../../operations/compile-parameters.js'
import { resolve } from '../../references.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { findFields, headerFact } from './query-facts.js'
import { findFilter } from './query-filters.js'
import { findPositions, findSizes, findSort, standardSizeOf, toSource, type ViewParameter } from './query-parameters.js'

/** The size of a page where requests can choose a page, and the document says no size. */
const usualSize = 10

export interface ViewInput {
  document: OpenApiDocument
  candidate: Candidate
  key: string | undefined
  /** Parameters that filter the list by the property of the same name, which needs no view. */
  filtered: ReadonlySet<string>
  /** The most items that the list may have. */
  most: number | undefined
}

/** @returns undefined if a request can only limit the list, or filter it by the names of properties */
export function compileView({ document, candidate, key, filtered, most }: ViewInput): ListView | undefined {
  const { operation, record, success, pointer, resource } = candidate
  const properties = propertiesOf(document, record)
  const parameters = parametersOf(document, operation)
  const sizes = findSizes(parameters)
  const [size] = sizes
  const positions = findPositions(parameters, sizes)
  const isScalar = (name: string) => {
    const property = properties.get(name)
    const { types } = property ? flattenSchema(document, property) : { types: new Set<string>() }
    return !types.has('object') && !types.has('array')
  }
  const sort = findSort(parameters, properties, isScalar)
  const paging = new Set<string>([
    ...sizes.map(({ whole }) => whole),
    ...positions.map(({ name, member }) => wholeName(name, member)),
  ])
  const context = { document, properties, key, collection: resource?.name ?? '' }
  const isOpen = ({ whole, name, in: place }: ViewParameter) =>
    !paging.has(whole) &&
    !(place === 'query' && filtered.has(name)) &&
    name !== sort?.name &&
    name !== sort?.direction?.name
  const filters = parameters.filter(isOpen).flatMap((each): ViewFilter | [] => findFilter(each, context) ?? [])
  const fields = success?.schema ? findFields(success.schema, { document, positions, list: pointer }) : []
  const headers = headersOf(document, operation, success?.status)
  const isLimitOnly = size?.whole === 'limit' && size.in === 'query' && positions.length === 0
  const isPaged = positions.length > 0 || (size !== undefined && !isLimitOnly)
  const isPlain = ({ pointer: at, from }: ViewField) => at.length === 1 && /^(total|count|hasNext)$/.test(from)
  const hasNextUrl = fields.some(({ from }) => from === 'nextUrl') || headers.some(({ from }) => from === 'links')
  // Where a list has a size and links, but no parameter for a page, the links have one.
  if (size && hasNextUrl && !positions.some(({ in: place, as }) => place === 'query' && as !== 'before'))
    positions.push({ in: 'query', name: 'cursor', as: 'cursor', first: 0, isOwn: true })
  const isNeeded = isPaged || sort || filters.length > 0 || headers.length > 0 || !fields.every(isPlain)
  if (!isNeeded) return undefined
  const standard = size && standardSizeOf(size)
  const standardSize = Math.min(standard ?? (positions.length > 0 ? usualSize : Infinity), most ?? Infinity)
  const greatest = most ?? size?.flat.keywords.maximum
  return {
    filters,
    positions,
    fields,
    headers,
    ...(sort && { sort }),
    sizes: sizes.map(toSource),
    ...(Number.isFinite(standardSize) && { standardSize }),
    ...(typeof greatest === 'number' && greatest > 0 && { greatestSize: greatest }),
  }
}

/** The properties of a record, with those of the attributes of a resource object (JSON:API 1.1, section 7.2). */
function propertiesOf(
  document: OpenApiDocument,
  record: Located<Schema> | undefined,
): ReadonlyMap<string, Located<Schema>> {
  const own = record ? flattenSchema(document, record).properties : new Map<string, Located<Schema>>()
  const attributes = own.has('type') ? own.get('attributes') : undefined
  if (!attributes) return own
  const inner = [...flattenSchema(document, attributes).properties]
  return new Map([...inner.map(([name, schema]) => [`attributes/${name}`, schema] as const), ...own])
}

function wholeName(name: string, member: string | undefined): string {
  return member === undefined ? name : `${name}[${member}]`
}

/** Query parameters, the members of those that are objects, and the properties of the body of a search. */
function parametersOf(document: OpenApiDocument, operation: DescribedOperation): ViewParameter[] {
  const inQuery = operation.parameters
    .filter(({ value }) => value.in === 'query')
    .flatMap((located): ViewParameter[] => {
      const { name, description = '' } = located.value as ParameterObject & { description?: string }
      const flat = flattenSchema(document, parameterSchema(located))
      const whole: ViewParameter = { in: 'query', name, whole: name, flat, said: said(description, flat) }
      const members = [...flat.properties].map(([member, schema]): ViewParameter => {
        const inner = flattenSchema(document, schema)
        return { in: 'query', name, member, whole: wholeName(name, member), flat: inner, said: said('', inner) }
      })
      if (members.length === 0) return [whole]
      // A number, or a range of them: `created=1` and `created[gte]=1`
      const scalars = [...flat.types].filter((type) => type !== 'object' && type !== 'null')
      const scalar: ViewParameter = { ...whole, flat: { ...flat, types: new Set(scalars), properties: new Map() } }
      return scalars.length > 0 ? [scalar, ...members] : members
    })
  if (operation.method === 'GET' || !operation.body) return inQuery
  const content = jsonContent(operation.body.value.content, operation.body.path)
  if (content?.value.schema === undefined) return inQuery
  const body = flattenSchema(document, { value: content.value.schema, path: [...content.path, 'schema'] })
  const inBody = [...body.properties].map(([name, schema]): ViewParameter => {
    const flat = flattenSchema(document, schema)
    return { in: 'body', name, whole: name, flat, said: said('', flat) }
  })
  return [...inQuery, ...inBody]
}

function said(description: string, { keywords }: FlatSchema): string {
  const { description: own } = keywords as { description?: unknown }
  return `${description} ${typeof own === 'string' ? own : ''}`
}

const narrow = ['enum', 'const', 'pattern', 'maximum', 'maxLength', 'multipleOf']

/** The headers of the success that the document describes. */
function headersOf(
  document: OpenApiDocument,
  { responses }: DescribedOperation,
  status: number | undefined,
): ListView['headers'] {
  const response = responses.get(String(status)) ?? responses.get('2XX') ?? responses.get('default')
  if (!response) return []
  const { headers = {} } = response.value
  return Object.entries(headers).flatMap(([name, written]): ListView['headers'] => {
    const from = headerFact(name)
    const header = resolve<{ schema?: Schema }>(document, written as { schema?: Schema }, [
      ...response.path,
      'headers',
      name,
    ])
    const { schema = true } = header.value
    const { keywords } = flattenSchema(document, { value: schema, path: [...header.path, 'schema'] })
    // What the document says of its values counts more than what is true of the page.
    const isOpen = !narrow.some((keyword) => keyword in keywords) && !(Number(keywords.minimum) > 0)
    return from === undefined || !isOpen ? [] : [{ name, from }]
  })
}
