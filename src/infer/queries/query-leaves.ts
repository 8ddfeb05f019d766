/** Finds the values inside of the body of a search: `{ query: { filter: { email: { exact } }, sort: { field, order } } }`. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { memberComparison } from '../../lexicon/conditions.js'
import { hasRole, isSearchWrapper, orderMember } from '../../lexicon/parameters.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { ListParameter } from './query-parameters.js'

/** How many objects deep values are searched. */
const maxDepth = 5

/** @param name the property of the body that has an object */
export function findLeaves(document: OpenApiDocument, name: string, schema: Located<Schema>): ListParameter[] {
  return visit(name, schema, [name])

  function visit(name: string, schema: Located<Schema>, pointer: string[]): ListParameter[] {
    const flat = flattenSchema(document, schema)
    if (hasRole(name, 'sort')) return ofOrder(schema, pointer)
    if (flat.properties.size === 0) return pointer.length > 1 ? [toLeaf(name, schema, pointer)] : []
    if (pointer.length > maxDepth) return []
    return [...flat.properties].flatMap(([member, each]) => {
      const within = [...pointer, member]
      if (isSearchWrapper(name)) return visit(member, each, within)
      const operator = memberComparison(member)
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
      const role = orderMember(member)
      return role === undefined ? [] : [toLeaf(role === 'sort' ? 'sort_by' : 'sort_order', each, [...at, member])]
    })
  }

  function toLeaf(whole: string, schema: Located<Schema>, pointer: string[]): ListParameter {
    const flat = flattenSchema(document, schema)
    const { description } = flat.keywords as { description?: unknown }
    const said = typeof description === 'string' ? description : ''
    return { in: 'body', name: pointer.join('.'), pointer, whole, flat, said }
  }
}
