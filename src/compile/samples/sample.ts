/** Makes a value from the examples and the schema of a document, always the same. */

import {
  isReference,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
  schemaOf,
} from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { contradictory } from '../../document/tidy/tidy-schema.js'
import { isMultiple, toDecimal } from '../../json/is-multiple.js'
import { getOrInsert } from '../../json/own-value.js'
import { createRandom, toSeed } from '../../json/random.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { isErrorProperty } from '../../lexicon/errors-in-texts.js'
import { isWrittenText } from '../../lexicon/kinds.js'
import { isZeroAtBest } from '../../lexicon/numbers.js'
import { endsWithState, isFailed } from '../../lexicon/stages.js'
import { isSetByService } from '../../lexicon/times.js'
import { singular } from '../../lexicon/words.js'
import { createPlanCompiler } from '../../schemas/compile-plans.js'
import { exampleOf } from '../../schemas/examples.js'
import { exampleValue, type FlatSchema, flattenSchema, hasFlag, isObjectSchema } from '../../schemas/flatten-schema.js'
import { withBranch } from '../../schemas/tagged.js'
import { sampleTimeIn, timeFormOf } from '../../schemas/time-form.js'
import { createValueLooks } from '../../values/value-looks.js'

/** Returns an example of a response body: that of the media type, else one from its schema. */
export function sampleMediaType(document: OpenApiDocument, media: Located<MediaTypeObject>): unknown {
  const example = exampleOf(document, media)
  return example === undefined && media.value.schema !== undefined ? sample(document, schemaOf(media)) : example
}

/** Optional values beyond this depth are left out. */
const maxOptionalDepth = 3
/** Maximum values in a sample. The rest is left out, so schemas that require more are not satisfied. */
const maxValues = 5_000
/** Maximum characters of a text. */
const maxLength = 65_536

/**
 * Returns `example`, `examples`, `default`, `const` or the first of `enum`, else the simplest value of the type.
 * @param name the name of the property or parameter
 * @param isBrief whether only what is required, fixed or a text is in it, and null where nothing is a text
 */
export function sample(document: OpenApiDocument, schema: Located<Schema>, name?: string, isBrief = false): unknown {
  /** The schemas of the enclosing values, to stop at recursive schemas. */
  const open = new Set<unknown>()
  let values = 0
  const status = schema.path[schema.path.indexOf('responses') + 1]
  const isSuccess = /^2..$/.test(String(status))
  return make(schema, name)

  /** @param name the name of the property with the value, or with the list of such values */
  function make(located: Located<Schema>, name: string | undefined): unknown {
    values++
    const flat = flattenSchema(document, withBranch(document, located))
    const given = sampleState(name, flat.keywords) ?? exampleValue(flat.keywords)
    if (given !== undefined) return given
    if (isBrief && isWrittenText(name ?? '') && flat.types.has('string')) return textsOf(document)(flat.keywords, name)
    if (isBrief && flat.types.has('null')) return null
    // The same schema object for all `$ref`s to it.
    const { value } = isReference(located.value) ? resolve<Schema>(document, located.value, located.path) : located
    const isInside = open.has(value)
    if (!isInside) open.add(value)
    const isEnd = isInside || values > maxValues
    const made = isObjectSchema(flat) ? makeObject(flat, isEnd) : makeOther(flat, isEnd, name)
    if (!isInside) open.delete(value)
    return made
  }

  function makeObject(flat: FlatSchema, isEnd: boolean): unknown {
    if (isEnd) return {}
    const depth = open.size
    const shown = [...flat.properties].filter(
      ([name, property]) =>
        !hasFlag(document, property, 'writeOnly') && (flat.required.has(name) || isUsual(name, property, flat, depth)),
    )
    return Object.fromEntries(shown.map(([name, property]) => [name, make(property, name)]))
  }

  /** Whether a sample has an optional property. */
  function isUsual(name: string, property: Located<Schema>, flat: FlatSchema, depth: number): boolean {
    if (isBrief) return isTold(name, property, flat)
    // A success has only the number of what went wrong, 0.
    if (isSuccess && isErrorProperty(name)) return flattenSchema(document, property).types.has('integer')
    return depth <= maxOptionalDepth && !isContradictory(property)
  }

  /** Whether a property says what was made: a text, if no object has it, the number of the entry, or a word of a few. */
  function isTold(name: string, property: Located<Schema>, { properties }: FlatSchema): boolean {
    const { types, keywords } = flattenSchema(document, property)
    const isText = isWrittenText(name) && types.has('string')
    const isElsewhere = () =>
      [...properties].some(([each, other]) => isWrittenText(each) && isObjectSchema(flattenSchema(document, other)))
    if (isText || keywords.deprecated === true) return isText && !isElsewhere()
    const isWord = keywords.enum !== undefined || typeof (keywords.const ?? keywords.default) === 'string'
    return name === 'index' || (isWord && !types.has('null')) || (isWrittenText(name) && !types.has('array'))
  }

  function isContradictory(property: Located<Schema>): boolean {
    return flattenSchema(document, property).keywords[contradictory] === true
  }

  function makeOther(flat: FlatSchema, isEnd: boolean, name: string | undefined): unknown {
    const { types, items, keywords } = flat
    if (types.has('array') || items) {
      const isVector = isBrief && items !== undefined && flattenSchema(document, items).types.has('number')
      const count = Math.max(keywords.minItems ?? 0, isVector ? 3 : open.size <= 1 ? 1 : 0)
      return items === undefined || isEnd || count > maxValues
        ? []
        : Array.from({ length: count }, () => make(items, name && singular(name)))
    }
    // Prefer a value to null.
    if (types.has('null') && types.size === 1) return null
    if (types.has('boolean')) return !isBrief
    const form = timeFormOf(name ?? '', flat, isSetByService(name ?? ''))
    const time = form && sampleTimeIn(form.as)
    if (types.has('integer') || types.has('number'))
      return sampleNumber(keywords, typeof time === 'number' ? time : sampleNumberOf(name))
    if (typeof time === 'string') return time
    return textsOf(document)(keywords, name)
  }
}

/** A state that says that all is well, if a schema only lists states. */
function sampleState(
  name: string | undefined,
  { enum: allowed, example, examples, default: standard }: SchemaObject,
): unknown {
  const isKnown = example != null || examples?.[0] !== undefined || standard !== undefined
  if (isKnown || name === undefined || !endsWithState(name)) return undefined
  return allowed?.find((value) => typeof value === 'string' && value !== '' && !isFailed(value))
}

function sampleNumber(keywords: SchemaObject, value: number): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = keywords
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : Math.floor(exclusiveMinimum) + 1)
  const high = maximum ?? (exclusiveMaximum === undefined ? undefined : Math.ceil(exclusiveMaximum) - 1)
  const usual = Math.max(value, low ?? Number.NEGATIVE_INFINITY)
  const nearest = Math.min(usual, high ?? usual)
  const step = keywords.multipleOf ?? 0
  if (step === 0 || isMultiple(nearest, step)) return nearest
  const above = toDecimal(Math.ceil(nearest / step) * step)
  return above <= (high ?? above) ? above : toDecimal(Math.floor(nearest / step) * step)
}

/** Makes texts in the same way as those of records. A property has the same text wherever its schema says the same. */
const textsOf = oncePer((document: OpenApiDocument) => {
  const compiler = createPlanCompiler(document, createValueLooks())
  const known = new Map<string, unknown>()
  return ({ format, pattern, description, minLength = 0, maxLength: most = maxLength }: SchemaObject, name = '') => {
    if (name === '' && format === undefined && pattern === undefined)
      return 'string'.padEnd(minLength, '.').slice(0, most)
    const lengths = { minLength: Math.min(minLength, maxLength), maxLength: most }
    return getOrInsert(known, JSON.stringify([name, format, pattern, description, lengths]), () => {
      const plan = compiler.add({ type: 'string', format, pattern, description, ...lengths }, { name })
      return makeValue(compiler.plans, plan, { random: createRandom(toSeed(name)) }) ?? ''
    })
  }
})

/** @param name the name of the property, if any */
function sampleNumberOf(name = ''): number {
  return isZeroAtBest(name) ? 0 : 1
}
