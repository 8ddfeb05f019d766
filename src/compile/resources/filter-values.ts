/** Finds the values that records have to have so that filters of lists find some: those that the parameter allows. */
import type { Effect } from '../../contract/effect.js'
import { parameterSchema } from '../compile-parameters.js'
import type { DescribedOperation } from '../describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { flattenSchema } from '../schemas/flatten-schema.js'

/** Values that stand for all records, or for none in particular. */
const isNoValue = (value: unknown) => typeof value !== 'string' || /^(|all|any|both|none|everything|\*)$/i.test(value)

/**
 * The values of properties that may have any text, as filters of lists name them.
 * @param lists the operations of a collection with their effects
 */
export function findFilterValues(
  document: OpenApiDocument,
  record: Located<Schema>,
  lists: readonly { operation: DescribedOperation; effect: Effect }[],
): Record<string, string[]> {
  const { properties } = flattenSchema(document, record)
  const found = new Map<string, string[]>()
  for (const { operation, effect } of lists) {
    if (effect.kind !== 'list') continue
    const own = effect.filters.map(({ parameter, property }) => ({ parameter, property }))
    const further = (effect.view?.filters ?? []).flatMap(({ in: place, name, properties: names, compare }) =>
      place === 'query' && compare === 'is' ? names.map((property) => ({ parameter: name, property })) : [],
    )
    for (const { parameter, property } of [...own, ...further]) {
      const described = properties.get(property)
      const values = valuesOf(document, operation, parameter)
      if (described && values.length > 0 && !found.has(property) && mayBeAny(document, described))
        found.set(property, values)
    }
  }
  return Object.fromEntries(found)
}

function valuesOf(document: OpenApiDocument, { parameters }: DescribedOperation, name: string): string[] {
  const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
  if (!parameter) return []
  const { keywords, items } = flattenSchema(document, parameterSchema(parameter))
  const allowed: unknown = keywords.enum ?? (items && flattenSchema(document, items).keywords.enum)
  return Array.isArray(allowed) ? allowed.filter((value) => !isNoValue(value)) : []
}

/** Whether the schema of a property says no more than that it is a text. */
function mayBeAny(document: OpenApiDocument, property: Located<Schema>): boolean {
  const { types, keywords } = flattenSchema(document, property)
  const limits = ['enum', 'const', 'pattern', 'format', 'maxLength', 'minLength', 'example', 'examples']
  return types.has('string') && limits.every((keyword) => !(keyword in keywords))
}
