/** Finds the values inside of the body of a search: `{ query: { filter: { email: { exact } }, sort: { field, order } } }`. */

import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { bareName } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { ListParameter } from './query-parameters.js'

/** How many objects deep values are searched. */
const maxDepth = 5

/** Names of objects that only hold what a search asks for. */
const wrapper = /(query|filters?|where|criteria|search|conditions?|options)$/
const ordering = /^(sorts?|sorting|order|orderby|ordering)$/
const ordered = /^(sort|order)?(field|property|column|key|by)(name|key|id)?$/
const direction = /^(sort|order)?(order|direction|dir)$/

/** What members of an object with the name of a property mean, as the end of a name: `created_at[gte]` */
const operators: Readonly<Record<string, string>> = {
  ...{ exact: 'eq', eq: 'eq', equals: 'eq', equal: 'eq', is: 'eq', value: 'eq', in: 'in', any: 'in', values: 'in' },
  ...{ startat: 'gte', gte: 'gte', min: 'gte', from: 'gte', since: 'gte', gt: 'gt', after: 'gt' },
  ...{ endat: 'lte', lte: 'lte', max: 'lte', to: 'lte', until: 'lte', lt: 'lt', before: 'lt' },
  ...{ contains: 'contains', fuzzy: 'contains', like: 'contains' },
}

/** @param name the property of the body that has an object */
export function findLeaves(document: OpenApiDocument, name: string, schema: Located<Schema>): ListParameter[] {
  return visit(name, schema, [name])

  function visit(name: string, schema: Located<Schema>, pointer: string[]): ListParameter[] {
    const flat = flattenSchema(document, schema)
    const bare = bareName(name)
    if (ordering.test(bare)) return ofOrder(schema, pointer)
    if (flat.properties.size === 0) return pointer.length > 1 ? [toLeaf(name, schema, pointer)] : []
    if (pointer.length > maxDepth) return []
    return [...flat.properties].flatMap(([member, each]) => {
      const within = [...pointer, member]
      if (wrapper.test(bare)) return visit(member, each, within)
      const operator = operators[bareName(member)]
      return operator === undefined ? [] : [toLeaf(`${name}[${operator}]`, each, within)]
    })
  }

  /** `{ field, direction }`, or a list of such objects, of which the first one counts most. */
  function ofOrder(schema: Located<Schema>, pointer: string[]): ListParameter[] {
    const { properties, items } = flattenSchema(document, schema)
    const members = items ? flattenSchema(document, items).properties : properties
    const at = items ? [...pointer, '0'] : pointer
    if (members.size === 0) return pointer.length > 1 ? [toLeaf('sort', schema, pointer)] : []
    return [...members].flatMap(([member, each]) => {
      const bare = bareName(member)
      const role = direction.test(bare) ? 'sort_order' : ordered.test(bare) ? 'sort_by' : undefined
      return role === undefined ? [] : [toLeaf(role, each, [...at, member])]
    })
  }

  function toLeaf(whole: string, schema: Located<Schema>, pointer: string[]): ListParameter {
    const flat = flattenSchema(document, schema)
    const { description } = flat.keywords as { description?: unknown }
    const said = typeof description === 'string' ? description : ''
    return { in: 'body', name: pointer.join('.'), pointer, whole, flat, said }
  }
}
