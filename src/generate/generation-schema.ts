/** Turns the schema of a record into one that json-schema-faker makes valid and believable values of. */
import type { Schema, SchemaObject } from '../compile/document.js'
import { hasFlag } from '../compile/schemas/flatten-schema.js'
import { createText, findRange } from './believable.js'
import { callFaker } from './check-hints.js'
import type { CollectionToGenerate } from './collection-to-generate.js'
import type { GenerationSchema } from './generate-value.js'
import { type GenerationNode, toEnumNode, toNumberNode, toPatternNode } from './generation-leaves.js'
import type { Hint } from './hints.js'
import { toVariants } from './schema-variants.js'

export interface SchemaToGenerate extends Omit<CollectionToGenerate, 'validate' | 'random'> {
  schema: Schema
  /** A property whose value is not generated. */
  leftOut: string | undefined
  /** `oneOf`: of an alternative only what is required is made, so that it does not keep another one as well. */
  choice: 'anyOf' | 'oneOf'
}

/** Optional objects and lists of objects stand no deeper than this; those that are required may. */
const maxOptionalDepth = 2
/** What must be deeper than this, as in a schema that requires itself, is not made. */
const maxDepth = 8
/** Items of a list that states no bounds. */
const maxItems = 3
/** How much more often a value comes than null does. */
const valuesPerNull = 4

/** @returns nothing where no value can be valid */
export function toGenerationSchema(wanted: SchemaToGenerate): GenerationSchema | undefined {
  const { document, model, hints, records, faker, choice } = wanted
  const formats: Record<string, () => string> = {}
  const methods: Record<string, () => unknown> = {}
  // Schemas refer to each other in many ways; each is turned once for a name and a depth.
  const known = new Map<Schema, Map<string, GenerationNode | undefined>>()
  const roots = toVariants(document, wanted.schema).map((variant) => toObject(variant, 0))
  const schema = choose(roots)
  return schema && { schema, formats, methods }

  function toNode(each: Schema, name: string, depth: number): GenerationNode | undefined {
    const nodes = known.get(each) ?? new Map<string, GenerationNode | undefined>()
    known.set(each, nodes)
    const id = `${depth} ${name}`
    if (!nodes.has(id)) nodes.set(id, choose(toVariants(document, each).flatMap((one) => toTypes(one, name, depth))))
    return nodes.get(id)
  }

  function choose(nodes: (GenerationNode | undefined)[]): GenerationNode | undefined {
    const possible = nodes.filter((node) => node !== undefined)
    return possible.length > 1 ? { [choice]: possible } : possible[0]
  }

  /** One for each type, so that null can come less often than the others. */
  function toTypes(variant: SchemaObject, name: string, depth: number): (GenerationNode | undefined)[] {
    if (variant.enum) return [toEnumNode(variant.enum, variant.type)]
    return typesOf(variant).flatMap((type) => {
      const node = toTyped(type, variant, name, depth)
      return type === 'null' ? [node] : Array.from({ length: valuesPerNull }, () => node)
    })
  }

  function toTyped(type: string, variant: SchemaObject, name: string, depth: number): GenerationNode | undefined {
    if (type === 'object') return toObject(variant, depth)
    if (type === 'array') return toList(variant, name, depth)
    if (type === 'string') return toText(variant, name)
    if (type === 'integer' || type === 'number') return toNumberNode(type, variant, findRange(name, records))
    return { type }
  }

  function toText(variant: SchemaObject, name: string): GenerationNode {
    const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = variant as TextKeywords
    if (pattern !== undefined) return toPatternNode(variant, pattern)
    // As a format, of all keywords, a text outlives the generator's own merging of schemas.
    const id = `text ${Object.keys(formats).length}`
    formats[id] = createText(faker, { name, collection: model.name, format, minLength, maxLength })
    return { type: 'string', format: id }
  }

  function toList(variant: SchemaObject, name: string, depth: number): GenerationNode | undefined {
    if (depth >= maxDepth) return undefined
    const { contains, maxItems: most, minContains = 1, uniqueItems = false } = variant as ListKeywords
    const { minItems = 0, prefixItems = [] } = variant
    const toItem = (item: Schema) => toNode(item, name, depth + 1)
    const items = toItem(variant.items ?? { type: 'string' })
    const first = prefixItems.map(toItem)
    const isMade = items && first.every((item) => item !== undefined)
    if (!isMade) return minItems === 0 ? { enum: [[]] } : undefined
    const usual = depth > maxOptionalDepth && isNested(items) ? minItems : Math.max(minItems, maxItems)
    return {
      type: 'array',
      items,
      minItems,
      maxItems: Math.min(most ?? usual, usual),
      uniqueItems,
      ...(first.length > 0 ? { prefixItems: first } : {}),
      ...(contains === undefined ? {} : { contains: toItem(contains) ?? true, minContains }),
    }
  }

  function toObject(variant: SchemaObject, depth: number): GenerationNode | undefined {
    if (depth >= maxDepth) return undefined
    const { properties = {}, additionalProperties, required = [] } = variant
    const schemaOf = (name: string) =>
      (Object.hasOwn(properties, name) ? properties[name] : additionalProperties) ?? true
    const names = [...new Set([...Object.keys(properties), ...required])].filter(
      (name) =>
        !(depth === 0 && name === wanted.leftOut) &&
        !hasFlag(document, { value: schemaOf(name), path: [] }, 'writeOnly'),
    )
    const nodes: Record<string, GenerationNode> = {}
    const needed: string[] = []
    for (const name of names) {
      const hint = depth === 0 && Object.hasOwn(hints, name) ? hints[name] : undefined
      const node = hint ? toHinted(schemaOf(name), name, hint) : toNode(schemaOf(name), name, depth + 1)
      // What is left out of a share of the records is made for each, and left out then.
      const isNeeded = required.includes(name) || hint?.absent !== undefined
      if (!node && isNeeded) return undefined
      if (!node || (!isNeeded && depth >= maxOptionalDepth && isNested(node))) continue
      nodes[name] = node
      if (isNeeded) needed.push(name)
    }
    const others = additionalProperties === undefined ? undefined : toNode(additionalProperties, 'value', depth + 1)
    const kept = ['minProperties', 'maxProperties', 'dependentRequired'].filter((keyword) => keyword in variant)
    return {
      type: 'object',
      properties: nodes,
      required: needed,
      additionalProperties: others ?? additionalProperties !== false,
      ...Object.fromEntries(kept.map((keyword) => [keyword, variant[keyword]])),
    }
  }

  /** A hint is laid over what the document says. */
  function toHinted(property: Schema, name: string, hint: Hint): GenerationNode | undefined {
    const { faker: method, absent: _, ...keywords } = hint
    const variants = toVariants(document, property).map((variant) => ({ ...variant, ...keywords }))
    if (method === undefined) return choose(variants.flatMap((variant) => toTypes(variant, name, 1)))
    const [type = 'string'] = variants.flatMap(typesOf)
    const isDay = variants.some(({ format }) => format === 'date')
    const id = `method${Object.keys(methods).length}`
    methods[id] = () => {
      const value = callFaker(faker, method, `${model.name}.${name}`)
      return value instanceof Date ? value.toISOString().slice(0, isDay ? 10 : undefined) : value
    }
    return { type, faker: `hint.${id}` }
  }
}

interface TextKeywords {
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
}

interface ListKeywords {
  contains?: Schema
  minContains?: number
  maxItems?: number
  uniqueItems?: boolean
}

/** The types that a schema names, else the one that its keywords are about. */
function typesOf(variant: SchemaObject): string[] {
  if (variant.type !== undefined) return [variant.type].flat()
  if (variant.properties || variant.required || variant.additionalProperties) return ['object']
  if (variant.items !== undefined || variant.prefixItems || variant.minItems !== undefined) return ['array']
  return variant.minimum !== undefined || variant.maximum !== undefined ? ['number'] : ['string']
}

/** Whether a value may hold an object. */
function isNested(node: GenerationNode): boolean {
  const { type, items, anyOf = [], oneOf = [] } = node
  const inner = [...anyOf, ...oneOf, ...(items === undefined ? [] : [items])]
  return type === 'object' || inner.some((each) => typeof each === 'object' && isNested(each))
}
