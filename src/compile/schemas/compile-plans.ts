/** Compiles schemas to fill plans, each on first use. */
import { getOrInsert } from '../../json/own-value.js'
import {
  anyPlan,
  type ListPlan,
  type NumberPlan,
  type ObjectPlan,
  type SamplerPlan,
} from '../../json/sampler/sampler-plan.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../document.js'
import { withLazy } from '../once.js'
import { compilePattern } from './compile-pattern.js'
import { hasFlag } from './flatten-schema.js'
import { toVariants } from './schema-variants.js'

export interface PlanCompiler {
  /** Adds the plan of a response schema. @returns its number in `plans` */
  add(schema: Schema): number
  /** The plans. Each is compiled on first read. */
  plans: SamplerPlan[]
  /** Compiles all remaining plans. Returns the plans as plain data. */
  compileAll(): SamplerPlan[]
}

/** Maximum plans of one document. Further schemas, as of endless recursion, allow any value. */
const maxPlans = 200_000

export function createPlanCompiler(document: OpenApiDocument): PlanCompiler {
  const plans: SamplerPlan[] = []
  const byContent = new Map<string, number>()
  const bySchema = new Map<Schema, number>()

  function add(schema: Schema): number {
    return getOrInsert(bySchema, schema, () => addOnce(schema))
  }

  function addOnce(schema: Schema): number {
    // Merged schemas and `$ref`s are different objects each time, so they are compared by content.
    const isSmall = typeof schema === 'boolean' || schema.$ref !== undefined || schema.allOf !== undefined
    const content = isSmall ? JSON.stringify(schema) : undefined
    const make = () => register(plans.length < maxPlans ? () => compile(schema) : () => anyPlan)
    return content === undefined ? make() : getOrInsert(byContent, content, make)
  }

  function register(toPlan: () => SamplerPlan): number {
    const number = plans.length
    withLazy(plans, String(number), toPlan)
    return number
  }

  function compile(schema: Schema): SamplerPlan {
    if (schema === true) return anyPlan
    const variants = toVariants(document, schema)
    const [only, ...others] = variants.flatMap(toPlans)
    if (only && others.length === 0) return only
    return { kind: 'anyOf', plans: (only ? [only, ...others] : []).map((plan) => register(() => plan)) }
  }

  /** One plan for each type that a variant allows. */
  function toPlans(variant: SchemaObject): SamplerPlan[] {
    const types = typesOf(variant)
    if (variant.enum) {
      const values = variant.enum.filter((value) => !types || types.some((type) => isOfType(value, type)))
      // Null comes last, because some readers of OpenAPI 3.0 do not allow it if only `nullable` does.
      const others = values.filter((value) => value !== null)
      const ofNull: SamplerPlan[] = others.length < values.length ? [{ kind: 'null' }] : []
      return others.length === 0 ? ofNull : [{ kind: 'values', values: others }, ...ofNull]
    }
    return types ? types.flatMap((type) => toPlan(type, variant) ?? []) : [anyPlan]
  }

  function toPlan(type: string, variant: SchemaObject): SamplerPlan | undefined {
    if (type === 'object') return toObject(variant)
    if (type === 'array') return toList(variant)
    if (type === 'string') return textPlan(variant)
    if (type === 'integer' || type === 'number') return toNumber(type, variant)
    return type === 'boolean' || type === 'null' ? { kind: type } : undefined
  }

  function toObject(variant: SchemaObject): ObjectPlan {
    const { properties = {}, patternProperties = {}, additionalProperties, required = [] } = variant
    const { propertyNames, minProperties, dependentRequired } = variant
    const isHidden = (name: string) =>
      Object.hasOwn(properties, name) &&
      hasFlag(document, { value: properties[name] ?? true, path: [] } satisfies Located<Schema>, 'writeOnly')
    const shown = Object.entries(properties).filter(([name]) => !isHidden(name))
    const [pattern] = Object.entries(patternProperties)
    const others = pattern?.[1] ?? additionalProperties ?? true
    const names = propertyNames ?? (pattern && { type: 'string', pattern: pattern[0] })
    return {
      kind: 'object',
      properties: shown.map(([name, property]) => [name, add(property)]),
      required: required.filter((name) => !isHidden(name)),
      ...(others === false ? {} : { others: add(others) }),
      ...(names === undefined ? {} : { names: add(names) }),
      ...(minProperties === undefined ? {} : { minProperties }),
      ...(dependentRequired === undefined ? {} : { dependentRequired }),
    }
  }

  function toList(variant: SchemaObject): ListPlan {
    const { items = true, prefixItems, contains, minContains = 1, minItems, maxItems, uniqueItems } = variant
    return {
      kind: 'list',
      items: add(items),
      ...(prefixItems === undefined ? {} : { first: prefixItems.map(add) }),
      ...(contains === undefined ? {} : { contains: { plan: add(contains), min: minContains } }),
      ...(minItems === undefined ? {} : { minItems }),
      ...(maxItems === undefined ? {} : { maxItems }),
      ...(uniqueItems === true ? { isUnique: true } : {}),
    }
  }

  function compileAll(): SamplerPlan[] {
    // Compiling a plan adds the plans of its members.
    for (let number = 0; number < plans.length; number++) void plans[number]
    return plans
  }

  return { add, plans, compileAll }
}

function textPlan({ format, pattern, minLength, maxLength }: SchemaObject): SamplerPlan {
  const parts = pattern === undefined ? undefined : compilePattern(pattern)
  return {
    kind: 'text',
    ...(format === undefined ? {} : { format }),
    ...(parts === undefined ? {} : { pattern: parts }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  }
}

const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

function toNumber(type: string, variant: SchemaObject): NumberPlan {
  const bounds = numberKeywords.filter((keyword) => typeof variant[keyword] === 'number')
  return {
    kind: 'number',
    isInteger: type === 'integer',
    ...Object.fromEntries(bounds.map((keyword) => [keyword, variant[keyword]])),
  }
}

/** The types of a schema, or the type that its keywords apply to. Undefined if it allows any value. */
export function typesOf(variant: SchemaObject): string[] | undefined {
  if (variant.type !== undefined) return [variant.type].flat()
  if (variant.enum) return undefined
  const [type] = Object.entries(keywordsOfTypes).find(([, keywords]) => keywords.some((each) => each in variant)) ?? []
  return type === undefined ? undefined : [type]
}

const keywordsOfTypes: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  string: ['pattern', 'minLength', 'maxLength', 'format'],
  number: numberKeywords.slice(),
}

/** Whether a value is of a type of JSON Schema. @example isOfType(1, 'integer') // true */
export function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
