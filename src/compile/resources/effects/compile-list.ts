/** Compiles how a list is filtered and paged. */

import type { Envelope, ListEffect } from '../../../contract/effects/effect.js'
import type { ListQuery } from '../../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { toJson } from '../../../json/exact-json.js'
import { exampleValue, type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { sentBy } from '../../../schemas/operations/request-record.js'
import { queriedProperties } from '../../../schemas/queried-properties.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { sample } from '../../samples/sample.js'
import type { CompiledCandidate } from '../known-operation.js'
import { chooseQuery } from './choose-query.js'
import type { Group } from './compile-scope.js'

/**
 * @param listName the property that contains the list. Undefined if the list is the whole body or nested deeper
 * @param whole the schema of the records of the collection, of which the list may show only a part
 */
export function compileList(
  { document, ensures }: OperationContext,
  { flat, schema }: DescribedSuccess,
  listName: string | undefined,
  candidate: CompiledCandidate,
  { members, record: whole }: Group,
): Pick<ListEffect, 'query' | 'envelope' | 'least' | 'wrapper'> {
  const { record, list, wrapper, pointer, lines } = candidate
  const least = list && leastLength(document, list.schema)
  // Only a list that is directly in the body can be left out.
  const isOptional = pointer.length === 1 && flat !== undefined && !flat.required.has(pointer[0] ?? '')
  const found = lines.value('query')
  const properties = () =>
    new Map([...sentBy(document, { members, record: whole }), ...queriedProperties(document, record, whole)])
  const query = found ? chooseQuery(document, lines, properties(), found) : noQuery
  return {
    query,
    ...(wrapper !== undefined && { wrapper }),
    ...(least !== undefined && { least: { items: least, isOptional, ...(record && { ensure: ensures.add(record) }) } }),
    ...(flat &&
      schema &&
      listName !== undefined && { envelope: envelopeOf({ document, ensures }, flat, listName, schema, query) }),
  }
}

const noQuery: ListQuery = { filters: [], sizes: [], positions: [], facts: [], headers: [] }

/** Maximum items that are made for a list without records. */
const maxMade = 100

/** The minimum number of items. Undefined if the list may be empty, or requires more than are made. */
function leastLength(document: OpenApiDocument, list: Located<Schema>): number | undefined {
  const { minItems } = flattenSchema(document, list).keywords
  return typeof minItems === 'number' && minItems > 0 && minItems <= maxMade ? minItems : undefined
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
