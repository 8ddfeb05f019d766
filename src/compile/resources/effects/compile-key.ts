/** Compiles how the keys of a collection are made. */
import type { CollectionModel } from '../../../contract/contract.js'
import type { Located, Schema, SchemaObject } from '../../document.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { parameterSchema } from '../../operations/compile-parameters.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { toVariants } from '../../schemas/schema-variants.js'
import type { Candidate } from '../facts/candidate.js'

/**
 * @param name of the key property
 * @param property its schema, if it is described
 */
export function compileKey(
  { document, plans }: OperationContext,
  name: string,
  property: Located<Schema> | undefined,
  members: readonly Candidate[],
): Pick<CollectionModel, 'keyKind' | 'keyPlan'> {
  const own = property && flattenSchema(document, property)
  if (!property || !own?.types.has('string')) {
    const isNarrow = own !== undefined && !allowsAllIntegers(own.keywords)
    return { keyKind: 'integer', ...(property && isNarrow ? { keyPlan: plans.add(property.value) } : {}) }
  }
  // A key must also be valid in the paths of its record.
  const schemas = members.flatMap(({ operation, parameter }) => {
    const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
    return found ? [parameterSchema(found).value] : []
  })
  const schema: Schema = { allOf: [property.value, ...new Set(schemas)] }
  const variants = toVariants(document, schema)
  const all = variants.length > 0 ? variants : toVariants(document, property.value)
  const isUuid = ({ format }: SchemaObject) => format === 'uuid'
  const isOpen = all.every(({ format }) => openFormats.includes(format as string | undefined))
  const isUuidInPath = isOpen && schemas.some((each) => toVariants(document, each).some(isUuid))
  if (isUuidInPath || all.some(isUuid)) return { keyKind: 'uuid' }
  const isNamedUuid = /(uuid|guid)$/i.test(name) && all.every(allowsUuid)
  if (all.every(allowsAllTexts)) return { keyKind: isNamedUuid ? 'uuid' : 'string' }
  return { keyKind: 'string', keyPlan: plans.add(variants.length > 0 ? schema : property.value) }
}

/** Whether the numbers from 1 on are allowed, at least to 2^31. */
function allowsAllIntegers({ minimum = 0, maximum = 2 ** 31, ...others }: SchemaObject): boolean {
  const isBound = ['enum', 'const', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'].some((each) => each in others)
  return minimum <= 1 && maximum >= 2 ** 31 - 1 && !isBound
}

/** Formats that say nothing about which texts are allowed. */
const openFormats = [undefined, 'string', 'int32', 'int64', 'password', 'id']

function allowsAllTexts(variant: SchemaObject): boolean {
  const { format, minLength = 0, maxLength = 20 } = variant
  const isBound = ['enum', 'const'].some((keyword) => keyword in variant) || !matchesNumbers(variant.pattern)
  return minLength <= 1 && maxLength >= 5 && !isBound && openFormats.includes(format)
}

function allowsUuid({ maxLength = 36, pattern }: SchemaObject): boolean {
  return maxLength >= 36 && pattern === undefined
}

/** Whether the texts that are keys of their own accord match a pattern: `1`, `2` and so on. */
function matchesNumbers(pattern: string | undefined): boolean {
  if (pattern === undefined) return true
  const matcher = new RegExp(pattern, 'u')
  return ['1', '20', '12345'].every((text) => matcher.test(text))
}
