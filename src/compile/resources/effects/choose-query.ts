/** What lines say of the pages and filters of a list. */

import type { FilterBy, OperationSaid } from '../../../behaviour/members.js'
import { usualSize } from '../../../behaviour/values.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { ListFilter, ListQuery, PagePosition, RequestValue } from '../../../contract/effects/list-query.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'

/** The parameters that a correction can name: those in the query that are no objects. */
export function isPlain({ in: place, member }: RequestValue): boolean {
  return place === 'query' && member === undefined
}

/** The roles of positions, each with what it has in a page. */
export const roles = ['offset', 'page', 'cursor', 'after', 'before'] as const

/** @param properties of the records */
export function chooseQuery(
  document: OpenApiDocument,
  lines: OperationSaid,
  properties: ReadonlyMap<string, Located<Schema>>,
  query: ListQuery,
): ListQuery {
  const pages = lines.all('page')
  const filters = lines.all('filters')
  const chosen = filters.flatMap((line): ListFilter[] => {
    const { about: name, says: written } = line
    if (written === nothing) return []
    const { property, ...chosen }: FilterBy = typeof written === 'string' ? { property: written } : written
    const known = query.filters.find((each) => isPlain(each) && each.name === name && each.properties[0] === property)
    if (typeof written === 'string' && known?.properties.length === 1) return [known]
    refuseUnknown(line, property, properties.keys(), 'property of the record', name)
    const { types } = flattenSchema(document, properties.get(property) as Located<Schema>)
    return [{ in: 'query', name, properties: [property], types: [...types] as JsonType[], compare: 'is', ...chosen }]
  })
  const others = query.filters.filter((each) => !isPlain(each) || !lines.get('filters', each.name))
  const kept = query.filters.flatMap((each) => (others.includes(each) || chosen.includes(each) ? each : []))
  const added = chosen.filter((each) => !query.filters.includes(each))
  const order = lines.value('page', 'order') as string | undefined
  const property = order?.replace('-', '') ?? ''
  refuseUnknown(lines.get('page', 'order'), property, properties.keys(), 'property of the record', 'order')
  const filtered = {
    ...{ ...query, filters: [...kept, ...added] },
    ...(order !== undefined && { standard: { property, isDescending: order.startsWith('-') } }),
  }
  if (pages.every(({ about }) => about === 'order')) return filtered
  const [first, standard] = ['first', 'standard'].map((name) => lines.value('page', name) as number | undefined)
  const size = lines.value('page', 'size') as string | undefined
  const sizes = query.sizes.filter((each) => !isPlain(each) || each.name === size)
  if (size !== undefined && !sizes.some(({ name }) => name === size)) sizes.push({ in: 'query', name: size })
  const named = roles.flatMap((as): PagePosition[] => {
    const name = lines.value('page', as) as string | undefined
    if (name === undefined) return []
    const known = query.positions.find((each) => isPlain(each) && each.name === name && each.as === as)
    const usual = known?.first ?? (as === 'page' ? 1 : 0)
    return [{ in: 'query', name, as, ...known, first: first ?? usual }]
  })
  const positions = [
    ...query.positions.flatMap((each) => {
      // Links have a parameter of the sandbox's own only if there is no other.
      if (!isPlain(each) || (each.isOwn && !named.some(({ as }) => as !== 'before'))) return each
      return named.find(({ name, as }) => name === each.name && as === each.as) ?? []
    }),
    ...named.filter(({ name, as }) => !query.positions.some((each) => each.name === name && each.as === as)),
  ]
  const defaultSize = standard ?? query.defaultSize ?? (positions.length > 0 ? usualSize : undefined)
  const { defaultSize: _, ...rest } = filtered
  return { ...rest, sizes, positions, ...(defaultSize !== undefined && { defaultSize }) }
}
