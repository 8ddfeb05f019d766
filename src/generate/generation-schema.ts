/** Converts the schema of a record to a schema for which json-schema-faker generates valid and believable values. */

import type { Schema, SchemaObject } from '../compile/document.js'
import { contradictory, rarelyNull } from '../compile/read/tidy/tidy-schema.js'
import { hasFlag } from '../compile/schemas/flatten-schema.js'
import { toVariants } from '../compile/schemas/schema-variants.js'
import { getOrInsert } from '../json/own-value.js'
import { createText, findRange, isWhole } from './believable.js'
import { callFaker } from './check-hints.js'
import type { CollectionToGenerate } from './collection-to-generate.js'
import type { GenerationSchema } from './generate-value.js'
import { type GenerationNode, toEnumNode, toNumberNode, toPatternNode } from './generation-scalars.js'
import type { Hint } from './hints.js'

export interface SchemaToGenerate extends Omit<CollectionToGenerate, 'validate' | 'random'> {
  schema: Schema
  /** The property whose value is not generated. */
  leftOut: string | undefined
  /** `oneOf` generates only the required properties of an alternative, so that the value matches no other one. */
  choice: 'anyOf' | 'oneOf'
}

/** Maximum depth of optional objects and lists of objects. Required ones may be deeper. */
const maxOptionalDepth = 2
/** Maximum depth of required values. A schema that requires itself would exceed any depth. */
const maxDepth = 8
/** The greatest minimum of items, properties and characters for which values are generated. */
const maxMinimum = 1_000
/** Maximum optional properties of an object. Larger objects are not readable for people. */
const maxOptionalProperties = 300
/** Maximum required properties. Larger objects take seconds to generate. */
const maxRequiredProperties = 2_000
/** Maximum values of one record. Beyond this number, only required properties of objects are generated. */
const maxNodes = 1_500
/** Number of items in a list without bounds. */
const maxItems = 3
/** Properties that identify a record for people. */
const naming = /^((display|full|first|last|user)_?)?(name|title|label|subject|email)$/i
/** Minimum number of properties of a record in addition to its key, if its schema has that many. */
const leastTold = 3
/** The number of other values per null. */
const valuesPerNull = 4

/** @returns undefined if no value can be valid */
export function toGenerationSchema(input: SchemaToGenerate): GenerationSchema | undefined {
  const { document, model, hints, records, faker, choice } = input
  const formats: Record<string, () => string> = {}
  const methods: Record<string, () => unknown> = {}
  let texts = 0
  let count = 0
  // Each schema is converted once per name and depth, because many schemas may refer to it.
  const known = new Map<Schema, Map<string, GenerationNode | undefined>>()
  const roots = toVariants(document, input.schema).map((variant) => toObject(variant, model.name, 0))
  const schema = choose(roots)
  return schema && { schema, formats, methods }

  /** @param owner the owner of the value: the collection, or the property that holds the object */
  function toNode(each: Schema, name: string, owner: string, depth: number): GenerationNode | undefined {
    const nodes = getOrInsert(known, each, () => new Map<string, GenerationNode | undefined>())
    const id = `${depth} ${owner} ${name}`
    if (!nodes.has(id) && ++count > 2 * maxNodes) return undefined
    if (!nodes.has(id))
      nodes.set(id, choose(toVariants(document, each).flatMap((one) => toTypes(one, name, owner, depth))))
    return nodes.get(id)
  }

  function choose(nodes: (GenerationNode | undefined)[]): GenerationNode | undefined {
    const possible = nodes.filter((node) => node !== undefined)
    return possible.length > 1 ? { [choice]: possible } : possible[0]
  }

  /** Returns one node per type, so that null can be rarer than other values. */
  function toTypes(variant: SchemaObject, name: string, owner: string, depth: number): (GenerationNode | undefined)[] {
    if (variant.enum) return [toEnumNode(variant.enum, variant.type)]
    return variantTypes(variant).flatMap((type) => {
      const node = toTyped(type, variant, name, owner, depth)
      return type === 'null' ? [node] : Array.from({ length: valuesPerNull }, () => node)
    })
  }

  function toTyped(
    type: string,
    variant: SchemaObject,
    name: string,
    owner: string,
    depth: number,
  ): GenerationNode | undefined {
    if (type === 'object') return toObject(variant, name, depth)
    if (type === 'array') return toList(variant, name, owner, depth)
    if (type === 'string') return textNode(variant, name, owner)
    if (type === 'integer' || type === 'number') {
      const [example] = examplesOf(variant).filter((each): each is number => typeof each === 'number')
      return toNumberNode(type, variant, findRange(name, records, example), isWhole(name, example))
    }
    return { type }
  }

  function textNode(variant: SchemaObject, name: string, owner: string): GenerationNode | undefined {
    const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = variant
    if (minLength > maxMinimum * 100) return undefined
    if (pattern !== undefined) return toPatternNode(variant, pattern)
    // Texts are made by a format, because that keyword survives when the generator merges schemas.
    const id = `text ${texts++}`
    const examples = examplesOf(variant).filter((each): each is string => typeof each === 'string')
    const description = typeof variant['description'] === 'string' ? variant['description'] : ''
    formats[id] = createText(faker, { name, owner, format, minLength, maxLength, examples, description })
    return { type: 'string', format: id }
  }

  function toList(variant: SchemaObject, name: string, owner: string, depth: number): GenerationNode | undefined {
    if (depth >= maxDepth) return undefined
    const { contains, maxItems: most, minContains = 1, uniqueItems = false, minItems = 0, prefixItems = [] } = variant
    if (minItems > maxMinimum) return undefined
    const toItem = (item: Schema) => (isContradictory(item) ? undefined : toNode(item, name, owner, depth + 1))
    const items = toItem(variant.items ?? { type: 'string' })
    const first = prefixItems.map(toItem)
    const hasAllItems = items && first.every((item) => item !== undefined)
    if (!hasAllItems) return minItems === 0 ? { enum: [[]] } : undefined
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

  function toObject(variant: SchemaObject, owner: string, depth: number): GenerationNode | undefined {
    if (depth >= maxDepth) return undefined
    const { properties = {}, additionalProperties, required = [], minProperties = 0 } = variant
    if (minProperties > maxMinimum || required.length > maxRequiredProperties) return undefined
    const schemaOf = (name: string) =>
      (Object.hasOwn(properties, name) ? properties[name] : additionalProperties) ?? true
    const shown = count < maxNodes ? Object.keys(properties).slice(0, maxOptionalProperties) : []
    const names = [...new Set([...shown, ...required])].filter(
      (name) =>
        !(depth === 0 && name === input.leftOut) &&
        (required.includes(name) || !isContradictory(schemaOf(name))) &&
        !hasFlag(document, { value: schemaOf(name), path: [] }, 'writeOnly'),
    )
    const isAddress = names.some((name) => /^(city|town|street|zip|zip_?code|postal_?code|post_?code)$/i.test(name))
    const nodes: Record<string, GenerationNode> = {}
    const needed: string[] = []
    for (const name of names) {
      const hint = depth === 0 && Object.hasOwn(hints, name) ? hints[name] : undefined
      const node = hint
        ? toHinted(schemaOf(name), name, hint)
        : toNode(schemaOf(name), isAddress && /^state$/i.test(name) ? 'addressState' : name, owner, depth + 1)
      // A property that a hint makes absent is generated for each record, and removed from some later.
      const isNeeded = required.includes(name) || hint?.absent !== undefined
      if (!node && isNeeded) return undefined
      if (!node || (!isNeeded && depth >= maxOptionalDepth && isNested(node))) continue
      nodes[name] = node
      // A record without its name is meaningless to people.
      if (isNeeded || (choice === 'anyOf' && depth === 0 && naming.test(name))) needed.push(name)
    }
    // An empty object is meaningless to people, but it may be the only one that satisfies overlapping schemas.
    const telling = (choice === 'anyOf' ? names : []).filter(
      (name) => nodes[name] && !isNested(nodes[name]) && !needed.includes(name),
    )
    needed.push(...telling.slice(0, Math.max((depth === 0 ? leastTold : 1) - needed.length, 0)))
    const others =
      additionalProperties === undefined ? undefined : toNode(additionalProperties, 'value', owner, depth + 1)
    const kept = ['minProperties', 'maxProperties', 'dependentRequired'].filter((keyword) => keyword in variant)
    return {
      type: 'object',
      properties: nodes,
      required: needed,
      additionalProperties: others ?? additionalProperties !== false,
      ...Object.fromEntries(kept.map((keyword) => [keyword, variant[keyword]])),
    }
  }

  /** Whether no value satisfies a schema as written. Such values are made only if they are required. */
  function isContradictory(each: Schema): boolean {
    const variants = toVariants(document, each)
    return variants.length > 0 && variants.every((variant) => variant[contradictory] === true)
  }

  /** A hint overrides the keywords of the document. */
  function toHinted(property: Schema, name: string, hint: Hint): GenerationNode | undefined {
    const { faker: method, absent: _, ...keywords } = hint
    const variants = toVariants(document, property).map((variant) => ({ ...variant, ...keywords }))
    if (method === undefined) return choose(variants.flatMap((variant) => toTypes(variant, name, model.name, 1)))
    const [type = 'string'] = variants.flatMap(variantTypes)
    const isDay = variants.some(({ format }) => format === 'date')
    const id = `method${Object.keys(methods).length}`
    methods[id] = () => {
      const value = callFaker(faker, method, `${model.name}.${name}`)
      return value instanceof Date ? value.toISOString().slice(0, isDay ? 10 : undefined) : value
    }
    return { type, faker: `hint.${id}` }
  }
}

/** The examples of a schema, including its default. */
function examplesOf({ example, examples, default: standard }: SchemaObject): unknown[] {
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : []), standard]
}

/** The types that a schema names, else the type that its keywords apply to. */
function variantTypes(variant: SchemaObject): string[] {
  if (variant.type !== undefined) {
    const types = [variant.type].flat()
    return types.length > 1 && variant[rarelyNull] === true ? types.filter((type) => type !== 'null') : types
  }
  if (variant.properties || variant.required || variant.additionalProperties) return ['object']
  if (variant.items !== undefined || variant.prefixItems || variant.minItems !== undefined) return ['array']
  return variant.minimum !== undefined || variant.maximum !== undefined ? ['number'] : ['string']
}

/** Whether a value may contain an object. */
function isNested(node: GenerationNode): boolean {
  const { type, items, anyOf = [], oneOf = [] } = node
  const inner = [...anyOf, ...oneOf, ...(items === undefined ? [] : [items])]
  return type === 'object' || inner.some((each) => typeof each === 'object' && isNested(each))
}
