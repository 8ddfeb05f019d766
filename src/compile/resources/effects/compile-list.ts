/** Compiles how a list is filtered and paged. */

import type { Envelope, ListEffect } from '../../../contract/effects/effect.js'
import type { ListFilter, ListQuery } from '../../../contract/effects/list-query.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { itemOf } from '../../../infer/facts/find-reference-keys.js'
import { compileQuery } from '../../../infer/queries/compile-query.js'
import { isKnownValue, otherValues } from '../../../infer/queries/query-filters.js'
import { toJson } from '../../../json/exact-json.js'
import { isComparedWhole, saysPart, saysUnset } from '../../../lexicon/conditions.js'
import { exampleValue, type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../../schemas/operations/request-content.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { sample } from '../../samples/sample.js'
import type { CompiledCandidate } from '../compiled-candidate.js'

/**
 * @param listName the property that contains the list. Undefined if the list is the whole body or nested deeper
 * @param whole the schema of the records of the collection, of which the list may show only a part
 */
export function compileList(
  { document, ensures }: OperationContext,
  { parameters }: DescribedOperation,
  { flat, schema }: DescribedSuccess,
  listName: string | undefined,
  candidate: CompiledCandidate,
  { key, whole }: { key: string; whole: Located<Schema> },
): Pick<ListEffect, 'query' | 'envelope' | 'least' | 'wrapper'> {
  const { record, decision, pointer } = candidate
  const properties = record ? flattenSchema(document, record).properties : new Map<string, Located<Schema>>()
  const names = parameters.filter(({ value }) => value.in === 'query').map(({ value }) => value.name)
  const equal = names.flatMap((name): ListFilter[] => {
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
  const { list } = decision.facts
  const most = list && greatestLength(document, list.schema)
  const least = list && leastLength(document, list.schema)
  // Only a list that is directly in the body can be left out.
  const isOptional = pointer.length === 1 && flat !== undefined && !flat.required.has(pointer[0] ?? '')
  const query = compileQuery({ document, candidate, whole, key, equal, most })
  return {
    query,
    ...(decision.wrapper !== undefined && { wrapper: decision.wrapper }),
    ...(least !== undefined && { least: { items: least, isOptional, ...(record && { ensure: ensures.add(record) }) } }),
    ...(flat &&
      schema &&
      listName !== undefined && { envelope: envelopeOf({ document, ensures }, flat, listName, schema, query) }),
  }
}

/** Maximum items that are made for a list without records. */
const maxMade = 100

/** The minimum number of items. Undefined if the list may be empty, or requires more than are made. */
function leastLength(document: OpenApiDocument, list: Located<Schema>): number | undefined {
  const { minItems } = flattenSchema(document, list).keywords
  return typeof minItems === 'number' && minItems > 0 && minItems <= maxMade ? minItems : undefined
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

/** The object with the list in a property, and its required and example values. */
function envelopeOf(
  { document, ensures }: { document: OpenApiDocument; ensures: EnsureCompiler },
  flat: FlatSchema,
  listName: string,
  schema: Located<Schema>,
  { facts }: ListQuery,
): Envelope {
  const isFact = (name: string) => facts.some(({ pointer }) => pointer.length === 1 && pointer[0] === name)
  const toBody = () => {
    const members = [...flat.properties].flatMap(([name, property]): [string, unknown][] => {
      if (name === listName) return [[name, []]]
      const isNeeded = flat.required.has(name) || isFact(name)
      const value = isNeeded
        ? sample(document, property, name)
        : exampleValue(flattenSchema(document, property).keywords)
      return value === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries(members)
  }
  const ensure = ensures.addFor(schema, toBody)
  return withLazy({ pointer: [listName], ...(ensure && { ensure }) }, 'body', () => toJson(toBody()))
}
