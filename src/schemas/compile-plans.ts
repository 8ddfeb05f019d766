/** Compiles schemas to sampler plans, each on first use. */
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../document/document.js'
import { oncePer, withLazy } from '../document/once.js'
import { resolve } from '../document/references.js'
import { rarelyNull } from '../document/tidy/tidy-schema.js'
import { toJson } from '../json/exact-json.js'
import { getOrInsert, isObject } from '../json/own-value.js'
import { fitsWhole } from '../json/sampler/complete-value.js'
import { anyPlan, type ListPlan, type ObjectPlan, type SamplerPlan } from '../json/sampler/sampler-plan.js'
import type { DescribedMember, ValueLooks } from '../json/sampler/value-looks.js'
import { isOfType } from '../json/typed-value.js'
import { largeIntegers, numberKeywords, toNumberPlan } from './compile-number-plans.js'
import { toTextPlan } from './compile-text-plans.js'
import { type FlatSchema, flattenSchema, hasFlag } from './flatten-schema.js'
import { maxExamples, type PlanContext, type Planning, pick, type WholeContext } from './planning.js'
import { ofNoMember, toVariants } from './schema-variants.js'

export interface PlanCompiler {
  /** Adds the plan of a response schema. @returns its number in `plans` */
  add(schema: Schema, context?: PlanContext): number
  /** The plans. Each is compiled on first read. */
  plans: SamplerPlan[]
  /** Compiles all remaining plans. Returns the plans as plain data. */
  compileAll(): SamplerPlan[]
}

/** What a document is about: its title and the names in its paths. */
export function aboutOf({ info, paths = {} }: OpenApiDocument): string {
  return `${info?.title ?? ''} ${Object.keys(paths).join(' ')}`
}

/** Maximum plans of one document. Further schemas, as of endless recursion, allow any value. */
const maxPlans = 200_000

/**
 * @param looks how values with a name look
 * @param records the number of records in each collection. Absent: the plans are not those of records
 */
export function createPlanCompiler(document: OpenApiDocument, looks: ValueLooks, records?: number): PlanCompiler {
  const plans: SamplerPlan[] = []
  const byContent = new Map<string, number>()
  const bySchema = new Map<Schema, Map<string, number>>()
  const byWords = new Map<readonly string[], number>()
  const planning: Planning = { document, looks, records, plans, add, register, addWords }
  return { add, plans, compileAll }

  function add(schema: Schema, context: PlanContext = {}): number {
    const numbers = getOrInsert(bySchema, schema, () => new Map<string, number>())
    const own = wholeContext(planning, schema, context)
    const id = `${own.owner} ${own.name} ${own.isKey} ${own.description}`
    const make = () => register(plans.length < maxPlans ? () => compile(planning, schema, own) : () => anyPlan)
    if (own.examples.length > 0) return make()
    return getOrInsert(numbers, id, () => {
      // Merged schemas and `$ref`s are different objects each time, so they are compared by content.
      const isSmall = typeof schema === 'boolean' || schema.$ref !== undefined || schema.allOf !== undefined
      return isSmall ? getOrInsert(byContent, `${id} ${toJson(schema)}`, make) : make()
    })
  }

  function register(toPlan: () => SamplerPlan): number {
    const number = plans.length
    withLazy(plans, String(number), toPlan)
    return number
  }

  function addWords(words: readonly string[]): number {
    const make = () => register(() => ({ kind: 'values', values: [...words] }))
    return getOrInsert(byWords, words, () => getOrInsert(byContent, JSON.stringify(words), make))
  }

  function compileAll(): SamplerPlan[] {
    // Compiling a plan adds the plans of its members.
    for (let number = 0; number < plans.length; number++) void plans[number]
    return plans
  }
}

/** The owner of a schema with a name is that name. The owner of other objects is the property. */
function wholeContext(
  { document, looks }: Planning,
  schema: Schema,
  { name = '', owner = '', isKey = false, description = '', examples = [] }: PlanContext,
): WholeContext {
  if (!isStructured(document, schema)) return { name, owner, isKey, description, examples }
  const reference = typeof schema === 'object' ? schema.$ref : undefined
  const named = looks.ownerName({ reference, property: name, owner })
  return { name: '', owner: named, isKey, description: '', examples }
}

/** Whether a schema describes an object. */
function isStructured(document: OpenApiDocument, schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  if (isReference(schema)) return isStructured(document, resolve<Schema>(document, schema, []).value)
  return schema.properties !== undefined || schema.additionalProperties !== undefined || schema.allOf !== undefined
}

function compile(planning: Planning, schema: Schema, context: WholeContext): SamplerPlan {
  if (schema === true) return ofExamples(context.examples)
  const variants = toVariants(planning.document, schema)
  const [only, ...others] = variants.flatMap((variant) => toPlans(planning, variant, context))
  if (only && others.length === 0) return only
  return { kind: 'anyOf', plans: (only ? [only, ...others] : []).map((plan) => planning.register(() => plan)) }
}

/** One plan for each type that a variant allows. */
function toPlans(planning: Planning, variant: SchemaObject, context: WholeContext): SamplerPlan[] {
  const types = typesOf(variant)
  const { inOrder } = planning.looks
  if (variant.enum) return ofValues(planning, variant, inOrder?.(context.name, variant.enum) ?? variant.enum)
  const large = types?.some((type) => type === 'integer' || type === 'number') ? largeIntegers(variant) : []
  if (large.length > 0) return [{ kind: 'values', values: large }]
  if (types) return types.flatMap((type) => toPlan(planning, type, variant, context) ?? [])
  const { examples, name } = context
  return [examples.length > 0 || name === '' ? ofExamples(examples) : ofName(planning, variant, context)]
}

function ofValues(planning: Planning, variant: SchemaObject, allowed: readonly unknown[]): SamplerPlan[] {
  const types = typesOf(variant)
  const values = allowed.filter((value) => !types || types.some((type) => isOfType(value, type)))
  // Null comes last, because some readers of OpenAPI 3.0 do not allow it if only `nullable` does.
  const others = values.filter((value) => value !== null)
  const ofNull: SamplerPlan[] = others.length < values.length ? [{ kind: 'null', isRare: true }] : []
  const example = ofRecord(planning, variant, (each) => others.includes(each as never))
  return others.length === 0 ? ofNull : [{ kind: 'values', values: others, ...example }, ...ofNull]
}

/** A value of a schema without a type, as far as its name says what it is. */
function ofName(planning: Planning, variant: SchemaObject, context: WholeContext): SamplerPlan {
  const number = toNumberPlan(planning, 'number', variant, context)
  if (number.usual && planning.looks.mayBeNumber(context.name)) return number
  const text = toTextPlan(planning, variant, context)
  return text.isGuess || context.isKey ? anyPlan : text
}

function toPlan(
  planning: Planning,
  type: string,
  variant: SchemaObject,
  context: WholeContext,
): SamplerPlan | undefined {
  if (type === 'object') return toObject(planning, variant, context)
  if (type === 'array') return toList(planning, variant, context)
  if (type === 'string') return toTextPlan(planning, variant, context)
  if (type === 'integer' || type === 'number') return toNumberPlan(planning, type, variant, context)
  if (type === 'null') {
    const identifies = planning.looks.identifies(context.name ?? '')
    return { kind: 'null', ...(variant[rarelyNull] === true && { isRare: true }), ...(identifies && { identifies }) }
  }
  if (type !== 'boolean') return undefined
  const isFlag = (each: unknown) => typeof each === 'boolean'
  return { kind: 'boolean', ...(ofRecord(planning, variant, isFlag) as { example?: boolean }) }
}

/** The first example of a schema that is a value of it. */
function ofRecord(
  { records, looks }: Planning,
  variant: SchemaObject,
  isValue: (each: unknown) => boolean,
): { example?: unknown } {
  const example = records === undefined ? undefined : looks.examplesOf(variant).find(isValue)
  return example === undefined ? {} : { example }
}

function toObject(planning: Planning, variant: SchemaObject, { owner, name, examples }: WholeContext): SamplerPlan {
  const { document, looks, records } = planning
  const { properties = {}, patternProperties = {}, additionalProperties, required = [] } = variant
  const objects = examples.filter((each) => isObject(each))
  if (Object.keys(properties).length === 0 && objects.length > 0) return ofExamples(objects)
  const examplesIn = (name: string) =>
    objects.flatMap((each) => (isObject(each) && each[name] != null ? [each[name]] : []))
  const isHidden = (name: string) =>
    Object.hasOwn(properties, name) && hasFlag(document, { value: properties[name] ?? true, path: [] }, 'writeOnly')
  const isLeftOut = ([name, schema]: [string, Schema]) =>
    !required.includes(name) &&
    looks.isLeftOut?.(name, [...flattenSchema(document, { value: schema, path: [] }).types]) === true
  const shown = Object.entries(properties).filter((each) => !isHidden(each[0]) && !isLeftOut(each))
  const names = shown.map(([each]) => each)
  const [pattern, ...patterns] = Object.entries(patternProperties)
  const isMixed = pattern && (patterns.length > 0 || additionalProperties !== undefined)
  const others = pattern?.[1] ?? additionalProperties ?? true
  const ofNames = variant.propertyNames ?? (pattern && { type: 'string', pattern: pattern[0] })
  const own = owner || name
  const told = names.filter((each) => looks.identifies(each))
  const relations = looks.relations(
    shown.flatMap(([each, property]) => describe(document, each, property) ?? []),
    own,
  )
  const plan: ObjectPlan = {
    kind: 'object',
    properties: shown.map(([each, property]) => [
      each,
      planning.add(property, { name: looks.memberName(each, names), owner: own, examples: examplesIn(each) }),
    ]),
    ...(told.length > 0 && { told }),
    ...(relations.length > 0 && { relations }),
    required: required.filter((name) => !isHidden(name)),
    ...(others === false ? {} : { others: planning.add(others, { owner: own, name: 'value' }) }),
    ...(ofNames && { names: planning.add(ofNames) }),
    ...(isMixed && { isMixed }),
    ...(variant[ofNoMember] === true && { isRare: true as const }),
    ...pick(variant, 'minProperties', 'dependentRequired'),
  }
  if (records === undefined) return plan
  const located = shown.map(([each, value]): [string, Located<Schema>] => [each, { value, path: [] }])
  const withOwn = propertiesWithExamples(planning, located, 0)
  return { ...withWholeExamples(planning, plan, variant), ...(withOwn && { shown: withOwn }) }
}

/** What is known about a property of an object. */
function describe(document: OpenApiDocument, name: string, schema: Schema): DescribedMember | undefined {
  const { types, items, keywords, properties } = flattenSchema(document, { value: schema, path: [] })
  // Decimals are often written as texts.
  if (types.has('string') && (keywords.format === 'decimal' || keywords.pattern?.startsWith('^-?\\d')))
    return { name, kind: 'number' }
  if (types.has('string')) return { name, kind: 'text', ...(keywords.enum && { isEnum: true }) }
  const inner = types.has('array') && items ? flattenSchema(document, items).properties : properties
  if (types.has('array')) return items && { name, kind: 'list', items: [...inner.keys()] }
  if (types.has('object')) return { name, kind: 'object', items: [...inner.keys()] }
  const kinds = ['integer', 'number', 'boolean'] as const
  const kind = kinds.find((each) => types.has(each))
  return kind && { name, kind }
}

function toList(planning: Planning, variant: SchemaObject, { name, owner, examples }: WholeContext): ListPlan {
  const { looks } = planning
  const ofItems = looks.examplesOf(variant).flat()
  const { items = true } = variant
  const isOpen = typeof items === 'boolean' || Object.keys(items).length === 0
  const context = {
    ...{ name: looks.itemName(name), owner, description: String(variant.description ?? '') },
    examples:
      examples.length > 0
        ? examples.flat()
        : ofItems.filter((each) => (isOpen && each !== undefined) || typeof each === 'string'),
  }
  const { prefixItems, contains, minContains = 1, uniqueItems } = variant
  const add = (schema: Schema) => planning.add(schema, context)
  const plan: ListPlan = {
    kind: 'list',
    items: add(items),
    ...(prefixItems === undefined ? {} : { first: prefixItems.map(add) }),
    ...(contains === undefined ? {} : { contains: { plan: add(contains), min: minContains } }),
    ...pick(variant, 'minItems', 'maxItems'),
    ...(uniqueItems === true ? { isUnique: true } : {}),
  }
  return withWholeExamples(planning, plan, variant)
}

/** The whole examples of a schema that fit its plan. */
function withWholeExamples<Plan extends ListPlan | ObjectPlan>(
  { records, looks, plans }: Planning,
  plan: Plan,
  variant: SchemaObject,
): Plan {
  if (records === undefined) return plan
  const examples = looks
    .examplesOf(variant)
    .filter(
      (each) =>
        typeof each === 'object' && each !== null && Object.keys(each).length > 0 && fitsWhole(plans, plan, each),
    )
  return examples.length > 0 ? { ...plan, examples } : plan
}

/** Maximum depth at which examples of properties are looked for. */
const maxDepth = 3

/** Whether a schema has an example, by depth: schemas that refer to each other would be visited by every path. */
const knownExamples = oncePer((_: FlatSchema): boolean[] => [])

function hasExample(planning: Planning, schema: Located<Schema>, depth: number): boolean {
  const flat = flattenSchema(planning.document, schema)
  const known = knownExamples(flat)
  known[depth] ??= findExample(planning, flat, depth)
  return known[depth]
}

function findExample(planning: Planning, flat: FlatSchema, depth: number): boolean {
  if (planning.looks.examplesOf({ ...flat.keywords, default: undefined }).some((each) => each != null)) return true
  if (depth > maxDepth) return false
  if (flat.items) return hasExample(planning, flat.items, depth + 1)
  return flat.properties.size > 0 && propertiesWithExamples(planning, [...flat.properties], depth + 1) !== undefined
}

/** The properties with examples, if these are most of them. */
function propertiesWithExamples(
  planning: Planning,
  properties: readonly [string, Located<Schema>][],
  depth: number,
): string[] | undefined {
  const shown = properties.filter(([, property]) => hasExample(planning, property, depth))
  return shown.length > 0 && shown.length * 2 >= properties.length ? shown.map(([name]) => name) : undefined
}

/** Values of examples, where the schema does not say what they are. */
function ofExamples(examples: readonly unknown[]): SamplerPlan {
  return examples.length === 0 ? anyPlan : { kind: 'values', values: examples.slice(0, maxExamples) }
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
