/** Finds how the body of a search states conditions: `{ field, operator, value }`, alone, in lists, and in groups of `and` and `or`. */
import type { ConditionForm } from '../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { conditionMember } from '../../lexicon/conditions.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'

/** How many schemas deep conditions are searched. */
const maxDepth = 6

/**
 * @param name the property of the body that has the conditions
 * @returns undefined if its schema has no condition
 */
export function findConditions(
  document: OpenApiDocument,
  name: string,
  schema: Located<Schema>,
): ConditionForm | undefined {
  const form: ConditionForm = { properties: [], operators: [], values: [], ends: [], any: [], all: [] }
  const seen = new Set<unknown>()
  let hasCondition = false
  addRole(name)
  visit(schema, 0)
  return hasCondition ? form : undefined

  function addRole(name: string): void {
    const role = conditionMember(name)
    if (role && !form[role].includes(name)) form[role].push(name)
  }

  function visit(at: Located<Schema>, depth: number): void {
    const { properties, items, keywords } = flattenSchema(document, at)
    if (depth > maxDepth || seen.has(keywords)) return
    seen.add(keywords)
    if (items) visit(items, depth + 1)
    for (const each of ['oneOf', 'anyOf'] as const) {
      const alternatives = keywords[each] ?? []
      for (const [index, value] of alternatives.entries()) visit({ value, path: [...at.path, each, index] }, depth + 1)
    }
    // A property and a value of one condition, not those of an order and of a list.
    const own = [...properties.keys()].map(conditionMember)
    hasCondition ||= own.includes('properties') && own.includes('values')
    for (const [name, property] of properties) {
      addRole(name)
      visit(property, depth + 1)
    }
  }
}
