/** Compiles how a list is filtered and paged. */

import type { ListEffect, ListFilter, ListMember } from '../../../contract/effects/effect.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { parameterSchema } from '../../operations/compile-parameters.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { sample, sampleGiven } from '../../schemas/sample.js'
import type { Candidate } from '../facts/candidate.js'
import { compileView } from '../queries/compile-query.js'
import { isKnownValue, otherValues, saysPart } from '../queries/query-filters.js'

/** @param listName the property that contains the list. Undefined if it is the whole body, or deeper in it */
export function compileList(
  { document, ensures }: OperationContext,
  { parameters }: DescribedOperation,
  { flat, schema }: DescribedSuccess,
  listName: string | undefined,
  candidate: Candidate,
  key: string,
): Pick<ListEffect, 'filters' | 'limit' | 'defaultLimit' | 'members' | 'ensureBody' | 'least' | 'view' | 'wrapper'> {
  const { record, decision, pointer } = candidate
  const properties = record ? flattenSchema(document, record).properties : new Map<string, Located<Schema>>()
  const names = parameters.filter(({ value }) => value.in === 'query').map(({ value }) => value.name)
  const filters = names.flatMap((name): ListFilter[] => {
    const property = name === 'limit' ? undefined : properties.get(name)
    const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
    if (!property || !parameter) return []
    const sent = flattenSchema(document, parameterSchema(parameter))
    // What is more than equal to one value is for the view.
    if (saysPart(parameter.value.description ?? '') && !/(id|ids|uuid|guid|key|code)$/i.test(name)) return []
    if (sent.types.has('object') || otherValues(sent, flattenSchema(document, property)).length > 0) return []
    const types = [...typesOfFilter(document, property)] as JsonType[]
    const standard = defaultOf(document, parameters, name)
    const isKnown = isKnownValue(standard.default, flattenSchema(document, property))
    // A default that no record may have is also for the view.
    return standard.default === undefined || isKnown ? [{ parameter: name, property: name, types, ...standard }] : []
  })
  const { list } = decision.facts
  const most = list && greatestLength(document, list.schema)
  const limit = names.includes('limit') ? defaultOf(document, parameters, 'limit') : undefined
  const documented = typeof limit?.default === 'number' ? limit.default : undefined
  const standard = documented === undefined ? most : Math.min(documented, most ?? documented)
  const least = list && leastLength(document, list.schema)
  // Only what is directly in the body may be left out of it.
  const isOptional = pointer.length === 1 && flat !== undefined && !flat.required.has(pointer[0] ?? '')
  const filtered = new Set(filters.map(({ parameter }) => parameter))
  const view = compileView({ document, candidate, key, filtered, most })
  return {
    filters,
    ...(decision.wrapper !== undefined && { wrapper: decision.wrapper }),
    ...(view && { view }),
    ...(least !== undefined && { least: { items: least, isOptional, ...(record && { ensure: ensures.add(record) }) } }),
    ...(limit ? { limit: 'limit' } : {}),
    ...(typeof standard === 'number' ? { defaultLimit: standard } : {}),
    ...(flat && schema && listName !== undefined ? compileMembers({ document, ensures }, flat, listName, schema) : {}),
  }
}

/** The most items that are made for a list without records: one that demands more stays short. */
const maxMade = 100

/** The least items that a list must have. Undefined if it may be empty, or demands more than are made. */
function leastLength(document: OpenApiDocument, list: Located<Schema>): number | undefined {
  const { minItems } = flattenSchema(document, list).keywords
  return typeof minItems === 'number' && minItems > 0 && minItems <= maxMade ? minItems : undefined
}

/** The most items that a list may have. Where alternatives say it, each of them may hold. */
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

/** @param listProperty the property that contains the list */
function compileMembers(
  { document, ensures }: { document: OpenApiDocument; ensures: EnsureCompiler },
  flat: FlatSchema,
  listProperty: string,
  schema: Located<Schema>,
): Pick<ListEffect, 'members' | 'ensureBody'> {
  const members = [...flat.properties].flatMap(([name, property]): ListMember[] => {
    if (name === listProperty) return [{ name, from: 'records' }]
    const { types, keywords } = flattenSchema(document, property)
    const isNumber = types.has('integer') || types.has('number')
    if (isNumber && /^total([_-]?(count|items|records|results))?$/i.test(name)) return [{ name, from: 'total' }]
    if (isNumber && /^(count|size)$/i.test(name)) return [{ name, from: 'count' }]
    if (types.has('boolean') && /^has[_-]?(more|next)$/i.test(name)) return [{ name, from: 'more' }]
    const value = flat.required.has(name) ? sample(document, property) : sampleGiven(keywords)
    return value === undefined ? [] : [{ name, from: 'constant', value }]
  })
  const empty = { records: [], total: 0, count: 0, more: false }
  const toBody = () =>
    Object.fromEntries(
      members.map((field) => [field.name, field.from === 'constant' ? field.value : empty[field.from]]),
    )
  const ensureBody = ensures.addFor(schema, toBody)
  return { members, ...(ensureBody && { ensureBody }) }
}
