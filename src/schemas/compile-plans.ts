/** Compiles schemas to fill plans, each on first use. */

import {
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../document/document.js'
import { withLazy } from '../document/once.js'
import { resolve } from '../document/references.js'
import { rarelyNull } from '../document/tidy/tidy-schema.js'
import { exactBounds, toJson } from '../json/exact-json.js'
import { getOrInsert, isObject } from '../json/own-value.js'
import { createRandom } from '../json/random.js'
import { fitsWhole } from '../json/sampler/complete-value.js'
import { makeText } from '../json/sampler/make-text.js'
import { makeValue } from '../json/sampler/make-value.js'
import {
  anyPlan,
  type ListPlan,
  type NumberPlan,
  type ObjectPlan,
  type SamplerPlan,
  type TextPart,
  type TextPlan,
} from '../json/sampler/sampler-plan.js'
import { isOfType } from '../json/typed-value.js'
import { ownerOfReference, ownerWords, singular, spaced } from '../lexicon/words.js'
import { chooseText, type KnownTexts, recipesToTry, type WantedText } from '../values/choose-text.js'
import { findName } from '../values/names-of-things.js'
import { usualNumber } from '../values/numbers-by-name.js'
import type { Recipe } from '../values/recipe.js'
import { boundPattern } from './bounded-pattern.js'
import { compilePattern } from './compile-pattern.js'
import { type FlatSchema, flattenSchema, hasFlag } from './flatten-schema.js'
import { ofNoMember, toVariants } from './schema-variants.js'

export interface PlanCompiler {
  /** Adds the plan of a response schema. @returns its number in `plans` */
  add(schema: Schema, context?: PlanContext): number
  /** The plans. Each is compiled on first read. */
  plans: SamplerPlan[]
  /** Compiles all remaining plans. Returns the plans as plain data. */
  compileAll(): SamplerPlan[]
}

/** What a value is: its name and that of its owner tell how it looks. */
export interface PlanContext {
  /** The name of the property, or of the list that contains the value. */
  name?: string
  /** The name of the collection, or of the property with the object. */
  owner?: string
  /** Whether values must differ, so that none is an example. */
  isKey?: boolean
  /** The description of the list with the value. */
  said?: string
  /** What examples of whole records have here. */
  shown?: readonly unknown[]
}

/** Maximum plans of one document. Further schemas, as of endless recursion, allow any value. */
const maxPlans = 200_000

/** @param records the number of records in each collection. Absent: the plans are not those of records */
export function createPlanCompiler(document: OpenApiDocument, records?: number): PlanCompiler {
  const plans: SamplerPlan[] = []
  const byContent = new Map<string, number>()
  const bySchema = new Map<Schema, Map<string, number>>()
  const byWords = new Map<readonly string[], number>()
  const known: KnownTexts = new Map()

  function add(schema: Schema, context: PlanContext = {}): number {
    const numbers = getOrInsert(bySchema, schema, () => new Map<string, number>())
    const own = contextOf(schema, context)
    const id = `${own.owner} ${own.name} ${own.isKey} ${own.said}`
    if (own.shown.length > 0) return register(plans.length < maxPlans ? () => compile(schema, own) : () => anyPlan)
    return getOrInsert(numbers, id, () => addOnce(schema, own, id))
  }

  /** The owner of a schema with a name is that name. The owner of other objects is the property. */
  function contextOf(
    schema: Schema,
    { name = '', owner = '', isKey = false, said = '', shown = [] }: PlanContext,
  ): Required<PlanContext> {
    const named = typeof schema === 'object' && schema.$ref !== undefined ? ownerOfReference(schema.$ref) : undefined
    return isStructured(schema)
      ? { name: '', owner: telling([named, name], owner), isKey, said: '', shown }
      : { name, owner, isKey, said, shown }
  }

  /** The first of several names for an object whose kind is known. The owner of an object only names the object if nothing else does. */
  function telling([named, name = '']: [string | undefined, string], owner: string): string {
    const others = name === '' ? [named, owner] : / by$/.test(ownerWords(name)) ? [name, named] : [named, name]
    return others.find(isKnown) ?? ((isPart.test(name) ? '' : name) || named || owner || name)
  }

  /** Whether a schema describes an object. */
  function isStructured(schema: Schema): boolean {
    if (typeof schema === 'boolean') return false
    if (isReference(schema)) return isStructured(resolve<Schema>(document, schema, []).value)
    return schema.properties !== undefined || schema.additionalProperties !== undefined || schema.allOf !== undefined
  }

  function addOnce(schema: Schema, context: Required<PlanContext>, id: string): number {
    // Merged schemas and `$ref`s are different objects each time, so they are compared by content.
    const isSmall = typeof schema === 'boolean' || schema.$ref !== undefined || schema.allOf !== undefined
    const content = isSmall ? `${id} ${toJson(schema)}` : undefined
    const make = () => register(plans.length < maxPlans ? () => compile(schema, context) : () => anyPlan)
    return content === undefined ? make() : getOrInsert(byContent, content, make)
  }

  function register(toPlan: () => SamplerPlan): number {
    const number = plans.length
    withLazy(plans, String(number), toPlan)
    return number
  }

  function compile(schema: Schema, context: Required<PlanContext>): SamplerPlan {
    if (schema === true) return ofShown(context.shown)
    const variants = toVariants(document, schema)
    const [only, ...others] = variants.flatMap((variant) => toPlans(variant, context))
    if (only && others.length === 0) return only
    return { kind: 'anyOf', plans: (only ? [only, ...others] : []).map((plan) => register(() => plan)) }
  }

  /** One plan for each type that a variant allows. */
  function toPlans(variant: SchemaObject, context: Required<PlanContext>): SamplerPlan[] {
    const types = typesOf(variant)
    if (variant.enum) {
      const values = variant.enum.filter((value) => !types || types.some((type) => isOfType(value, type)))
      // Null comes last, because some readers of OpenAPI 3.0 do not allow it if only `nullable` does.
      const others = values.filter((value) => value !== null)
      const ofNull: SamplerPlan[] = others.length < values.length ? [{ kind: 'null', isRare: true }] : []
      const example = ofRecord(variant, (each) => others.includes(each as never))
      return others.length === 0 ? ofNull : [{ kind: 'values', values: others, ...example }, ...ofNull]
    }
    const large = types?.some((type) => type === 'integer' || type === 'number') ? largeIntegers(variant) : []
    if (large.length > 0) return [{ kind: 'values', values: large }]
    if (types) return types.flatMap((type) => toPlan(type, variant, context) ?? [])
    return [context.shown.length > 0 || context.name === '' ? ofShown(context.shown) : ofName(variant, context)]
  }

  /** A value of a schema without a type, as far as its name says what it is. */
  function ofName(variant: SchemaObject, context: Required<PlanContext>): SamplerPlan {
    const number = toNumber('number', variant, context, records ?? 20)
    if (number.usual && !/(id|version|code)s?$/i.test(context.name)) return number
    const text = toText(variant, context)
    return text.isGuess || context.isKey ? anyPlan : text
  }

  function toPlan(type: string, variant: SchemaObject, context: Required<PlanContext>): SamplerPlan | undefined {
    if (type === 'object') return toObject(variant, context)
    if (type === 'array') return toList(variant, context)
    if (type === 'string') return toText(variant, context)
    if (type === 'integer' || type === 'number') return toNumber(type, variant, context, records ?? 20)
    if (type === 'null') return { kind: 'null', ...(variant[rarelyNull] === true && { isRare: true }) }
    if (type !== 'boolean') return undefined
    return { kind: 'boolean', ...(ofRecord(variant, (each) => typeof each === 'boolean') as { example?: boolean }) }
  }

  /** The first example of a schema that is a value of it. */
  function ofRecord(variant: SchemaObject, isValue: (each: unknown) => boolean): { example?: unknown } {
    const example = records === undefined ? undefined : examplesOf(variant).find(isValue)
    return example === undefined ? {} : { example }
  }

  /** The whole examples of a schema that fit its plan. */
  function withExamples<Plan extends ListPlan | ObjectPlan>(plan: Plan, variant: SchemaObject): Plan {
    if (records === undefined) return plan
    const examples = examplesOf(variant).filter(
      (each) =>
        typeof each === 'object' && each !== null && Object.keys(each).length > 0 && fitsWhole(plans, plan, each),
    )
    return examples.length > 0 ? { ...plan, examples } : plan
  }

  function toText(variant: SchemaObject, { name, owner, isKey, said, shown }: Required<PlanContext>): TextPlan {
    const { format, pattern, minLength, maxLength, description } = variant
    const lengths = pick(variant, 'minLength', 'maxLength')
    // Paths are no URIs, although examples have them.
    const isForm = (each: string) => format !== 'uri' || /^[a-z][\w+.-]*:/i.test(each)
    const isShown = (each: unknown) =>
      typeof each === 'string' &&
      each !== '' &&
      isForm(each) &&
      spaced(each) !== spaced(name) &&
      !isPlaceholder.test(each)
    const own = isKey ? [] : examplesOf(variant).filter(isShown)
    const texts = own.length > 0 || isKey ? own : [...new Set(shown)].filter(isShown).slice(0, maxShown)
    const examplesBeside = (recipe: unknown) =>
      texts.length > 0 && (own.length > 0 || recipe === undefined) ? { examples: texts as string[] } : {}
    if (isKey && pattern === undefined && format === undefined)
      return { kind: 'text', parts: keyParts(minLength, maxLength, examplesOf(variant)[0]), ...lengths }
    const wanted: WantedText = {
      words: spaced(name),
      owner: ownerWords(owner),
      format,
      examples: texts as string[],
      description: String(description ?? said),
      known,
    }
    if (pattern !== undefined) {
      const likely = isKey ? undefined : findMatching(wanted, pattern, minLength, maxLength)
      const parts = likely ?? patternParts(pattern, minLength) ?? similarParts(wanted)
      return { kind: 'text', ...examplesBeside(parts), ...(parts && { parts }), isStrict: true, ...lengths }
    }
    const { recipe, isStrict = false, isGuess = false } = chooseText(wanted)
    return {
      kind: 'text',
      ...examplesBeside(recipe),
      ...(recipe && { parts: toParts(recipe) }),
      ...(isStrict && { isStrict }),
      ...(isGuess && { isGuess }),
      ...lengths,
    }
  }

  /** Texts like an example, for patterns that only the example shows how to keep. */
  function similarParts(wanted: WantedText): TextPart[] | undefined {
    const { recipe } = wanted.examples.length > 0 ? chooseText(wanted) : {}
    return recipe && toParts(recipe)
  }

  /** The first recipe whose texts match a pattern. */
  function findMatching(
    wanted: WantedText,
    pattern: string,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
  ): TextPart[] | undefined {
    const expression = boundPattern(pattern)
    if (!expression) return undefined
    const recipes = recipesToTry(
      wanted,
      strayTexts.some((each) => expression.test(each)),
    )
    const isMatch = (text: unknown) =>
      typeof text === 'string' && text.length >= minLength && text.length <= maxLength && expression.test(text)
    return recipes.map(toParts).find((parts) => {
      const making = { random: createRandom(1) }
      const make = () => makeText({ kind: 'text', parts }, making, (number) => makeValue(plans, number, making))
      return Array.from({ length: 6 }, make).every(isMatch)
    })
  }

  /** The same recipe as plain data: lists of words are plans of their own. */
  function toParts(recipe: Recipe): TextPart[] {
    return recipe.map((part): TextPart => {
      if (typeof part === 'string' || 'oneOf' in part || 'time' in part) return part
      if ('anyOf' in part) return { anyOf: part.anyOf.map(toParts) }
      if ('repeat' in part) return { ...part, repeat: toParts(part.repeat) }
      const { words } = part
      if (words.length === 1) return words[0] ?? ''
      const content = JSON.stringify(words)
      const known = () =>
        getOrInsert(byContent, content, () => register(() => ({ kind: 'values', values: [...words] })))
      return { of: getOrInsert(byWords, words, known) }
    })
  }

  /** By schema and depth: schemas that refer to each other would be visited by every path. */
  const knownExamples = new WeakMap<FlatSchema, boolean[]>()

  function hasExample(schema: Located<Schema>, depth: number): boolean {
    const flat = flattenSchema(document, schema)
    const known = knownExamples.get(flat) ?? []
    knownExamples.set(flat, known)
    known[depth] ??= findExample(flat, depth)
    return known[depth]
  }

  function findExample(flat: FlatSchema, depth: number): boolean {
    if (examplesOf({ ...flat.keywords, default: undefined }).some((each) => each != null)) return true
    if (depth > maxShownDepth) return false
    if (flat.items) return hasExample(flat.items, depth + 1)
    return flat.properties.size > 0 && shownAmong([...flat.properties], depth + 1) !== undefined
  }

  /** The properties with examples, if these are most of them. */
  function shownAmong(properties: [string, Located<Schema>][], depth: number): string[] | undefined {
    const shown = properties.filter(([, property]) => hasExample(property, depth))
    return shown.length > 0 && shown.length * 2 >= properties.length ? shown.map(([name]) => name) : undefined
  }

  function toObject(variant: SchemaObject, { owner, name, shown: values }: Required<PlanContext>): SamplerPlan {
    const { properties = {}, patternProperties = {}, additionalProperties, required = [] } = variant
    const objects = values.filter((each) => isObject(each))
    if (Object.keys(properties).length === 0 && objects.length > 0) return ofShown(objects)
    const shownIn = (name: string) =>
      objects.flatMap((each) => (isObject(each) && each[name] != null ? [each[name]] : []))
    const isHidden = (name: string) =>
      Object.hasOwn(properties, name) &&
      hasFlag(document, { value: properties[name] ?? true, path: [] } satisfies Located<Schema>, 'writeOnly')
    const shown = Object.entries(properties).filter(([name]) => !isHidden(name))
    const [pattern, ...patterns] = Object.entries(patternProperties)
    const isMixed = pattern && (patterns.length > 0 || additionalProperties !== undefined)
    const others = pattern?.[1] ?? additionalProperties ?? true
    const names = variant.propertyNames ?? (pattern && { type: 'string', pattern: pattern[0] })
    const own = owner || name
    const isAddress = shown.some(([each]) => /^(city|town|street|zip|zip_?code|postal_?code|post_?code)$/i.test(each))
    const isTyped = shown.some(([each]) => /^(attributes|relationships)$/.test(each))
    const nameOf = (each: string) => {
      if (isTyped && each === 'type') return 'resource type'
      return isAddress && /^state$/i.test(each) ? 'region' : each
    }
    const told = shown.map(([each]) => each).filter((each) => naming.test(each) || isId.test(each))
    const plan: ObjectPlan = {
      kind: 'object',
      properties: shown.map(([each, property]) => [
        each,
        add(property, { name: nameOf(each), owner: own, shown: shownIn(each) }),
      ]),
      ...(told.length > 0 && { told }),
      required: required.filter((name) => !isHidden(name)),
      ...(others === false ? {} : { others: add(others, { owner: own, name: 'value' }) }),
      ...(names && { names: add(names) }),
      ...(isMixed && { isMixed }),
      ...(variant[ofNoMember] === true && { isRare: true as const }),
      ...pick(variant, 'minProperties', 'dependentRequired'),
    }
    if (records === undefined) return plan
    const located = shown.map(([each, value]): [string, Located<Schema>] => [each, { value, path: [] }])
    const examples = shownAmong(located, 0)
    return { ...withExamples(plan, variant), ...(examples && { shown: examples }) }
  }

  function toList(variant: SchemaObject, { name, owner, shown }: Required<PlanContext>): ListPlan {
    const texts = examplesOf(variant)
      .flat()
      .filter((each) => typeof each === 'string')
    const context = {
      ...{ name: singular(name), owner, said: String(variant.description ?? '') },
      shown: shown.length > 0 ? shown.flat() : texts,
    }
    const { items = true, prefixItems, contains, minContains = 1, uniqueItems } = variant
    const plan: ListPlan = {
      kind: 'list',
      items: add(items, context),
      ...(prefixItems === undefined ? {} : { first: prefixItems.map((each) => add(each, context)) }),
      ...(contains === undefined ? {} : { contains: { plan: add(contains, context), min: minContains } }),
      ...pick(variant, 'minItems', 'maxItems'),
      ...(uniqueItems === true ? { isUnique: true } : {}),
    }
    return withExamples(plan, variant)
  }

  function compileAll(): SamplerPlan[] {
    // Compiling a plan adds the plans of its members.
    for (let number = 0; number < plans.length; number++) void plans[number]
    return plans
  }

  return { add, plans, compileAll }
}

function isKnown(owner = ''): boolean {
  return owner !== '' && findName(ownerWords(owner)) !== undefined
}

/** Words of paths that say what is done, or which records there are. */
const isDone =
  /^(get|list|find|fetch|search|query|show|all|my)|\b(search|all|me|list|recent|current|latest|\w{2,}(ed|ing))$/

/** The name of the records of a collection: that of their schema, if the path only says what is done: `users/starred` */
export function ownerOfRecords(collection: string, { value, path }: Located<Schema>): string {
  const place = `#/${path.filter((key) => key !== 'items').join('/')}`
  const named = ownerOfReference(typeof value === 'object' && value.$ref !== undefined ? value.$ref : place)
  const isAction = isDone.test(ownerWords(collection))
  const names = isAction ? [named, collection] : [collection, named]
  return names.find(isKnown) ?? names.find((each) => each !== undefined) ?? collection
}

/** The keywords of a schema that it has. */
function pick<Name extends keyof SchemaObject>(schema: SchemaObject, ...names: Name[]): Pick<SchemaObject, Name> {
  const entries = names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]])
  return Object.fromEntries(entries)
}

/** Values of examples, where the schema does not say what they are. */
function ofShown(shown: readonly unknown[]): SamplerPlan {
  return shown.length === 0 ? anyPlan : { kind: 'values', values: shown.slice(0, maxShown) }
}

/** Maximum depth at which examples of properties are looked for. */
const maxShownDepth = 3

/** Maximum values of examples for one property. */
const maxShown = 20

/** Names of parts that say nothing about what is in them. */
const isPart =
  /^(data|items?|values?|results?|attributes|properties|nodes?|entry|entries|object|record|body|payload|content)$/i

/** Texts of all kinds: a pattern that matches one of them says little about texts. */
const strayTexts = ['9', 'q', 'Zq7-_ x.', '?']

/** A pattern without an end matches longer texts, too. */
function patternParts(pattern: string, minLength: number | undefined): TextPart[] | undefined {
  const parts = compilePattern(pattern)
  return parts && minLength !== undefined && !pattern.endsWith('$') ? [...parts, { repeat: [letter], min: 0 }] : parts
}

const letter: TextPart = { oneOf: 'abcdefghijklmnopqrstuvwxyz' }

/** Letters, so that keys are rarely used up, or as many digits as an example of a number has. */
function keyParts(minLength = 0, maxLength = Number.POSITIVE_INFINITY, example?: unknown): TextPart[] {
  const isNumber = /^\d{6,}$/.test(String(example))
  const length = Math.min(Math.max(minLength, isNumber ? String(example).length : 8), maxLength)
  return [{ repeat: [isNumber ? { oneOf: '123456789' } : letter], min: length, max: length }]
}

/** Keys of a record, of which it may have several. */
export const isId: RegExp = /^_?(id|gid|uid|uuid|guid)$/i
/** Properties that identify a record for people. */
export const naming: RegExp = /^((display|full|first|last|user)_?)?(name|title|label|subject|email)$/i
/** The examples of a schema, including its default. */
export function examplesOf({ example, examples, default: standard }: SchemaObject): unknown[] {
  const shown = [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])]
  return (shown.length > 0 ? shown : [standard])
    .flatMap((each) => (typeof each === 'string' && isListOfTexts.test(each) ? textsOf(each) : [each]))
    .filter((each) => typeof each !== 'string' || !isPlaceholder.test(each))
}

/** All allowed texts in one: `["EUR", "USD"]` */
const isListOfTexts = /^\s*\[\s*"[^"]*"(\s*,\s*"[^"]*")*\s*\]\s*$/
const textsOf = (list: string) => list.split('"').filter((_, index) => index % 2 === 1)

/** Examples that only say where a text would be. */
export const isPlaceholder: RegExp =
  /^(\.{2,}|…|<[\w .-]+>|\{+[\w .-]+\}+|string|text|value|empty|example|sample|test|foo|bar|(your|my)[-_][\w-]+|lorem ipsum.*|(this is )?(an?|my|the|some|your) (\w+ )?(example|description|name|title|text|value|string)\b.*)$/i

const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

function toNumber(
  type: string,
  variant: SchemaObject,
  { name, isKey, shown }: Required<PlanContext>,
  records: number,
): NumberPlan {
  const bounds = numberKeywords.filter((keyword) => typeof variant[keyword] === 'number')
  const [example] = isKey
    ? []
    : [...examplesOf(variant), ...shown].filter((each) => typeof each === 'number' || typeof each === 'bigint')
  const usual =
    name !== '' && !isKey
      ? usualNumber(
          spaced(name),
          example === undefined ? undefined : Number(example),
          type === 'integer',
          records,
          String(variant.description ?? ''),
        )
      : {}
  // Bounds on both sides say what the number is.
  if (variant.minimum !== undefined && variant.maximum !== undefined) delete usual.isGuess
  return {
    kind: 'number',
    isInteger: type === 'integer',
    ...Object.fromEntries(bounds.map((keyword) => [keyword, variant[keyword]])),
    ...usual,
    ...(typeof example === 'bigint' && { example }),
  }
}

/** Integers of a schema that allows none that are doubles, or none but 0, by bounds that are not. */
function largeIntegers(variant: SchemaObject): bigint[] {
  const exact = (variant[exactBounds] ?? {}) as Record<string, bigint | undefined>
  const bound = (keyword: (typeof numberKeywords)[number], above: bigint) => {
    const { [keyword]: double = Number.NaN } = variant
    const written = exact[keyword] ?? (Number.isFinite(double) ? BigInt(Math.ceil(double)) : undefined)
    return written === undefined ? undefined : written + above
  }
  const [lower, upper] = [
    bound('minimum', 0n) ?? bound('exclusiveMinimum', 1n),
    bound('maximum', 0n) ?? bound('exclusiveMaximum', -1n),
  ]
  const step = exact['multipleOf'] ?? BigInt(Math.ceil(variant.multipleOf ?? 1))
  const isAbove = lower !== undefined && lower > Number.MAX_SAFE_INTEGER
  const isBelow = upper !== undefined && upper < -Number.MAX_SAFE_INTEGER
  if (!isAbove && !isBelow && exact['multipleOf'] === undefined) return []
  // The first multiple from the bound on; BigInt division rounds towards zero.
  const first = isBelow ? (upper / step) * step : (((lower ?? 0n) + (isAbove ? step - 1n : 0n)) / step) * step
  const values = Array.from({ length: maxLarge }, (_, index) => first + BigInt(isBelow ? -index : index) * step)
  return values.filter((each) => {
    const isOutside = variant.format === 'int64' && BigInt.asIntN(64, each) !== each
    return !isOutside && each <= (upper ?? each) && each >= (lower ?? each)
  })
}

const maxLarge = 20

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
