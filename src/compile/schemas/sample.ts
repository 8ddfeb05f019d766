/** Makes a value from the examples and the schema of a document, always the same. */
import { sampleTime } from '../../contract/effects/effect.js'
import { isMultiple, toDecimal } from '../../json/is-multiple.js'
import { ownValue } from '../../json/own-value.js'
import { singular, wordsOf } from '../../values/words.js'
import {
  isReference,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
  schemaOf,
} from '../document.js'
import { contradictory } from '../read/tidy/tidy-schema.js'
import { resolve } from '../references.js'
import { isFailed } from '../resources/effects/states.js'
import { isMade, timeFormOf } from '../resources/effects/time-form.js'
import { type FlatSchema, flattenSchema, hasFlag, isObjectSchema } from './flatten-schema.js'
import { withBranch } from './tagged.js'

/** Returns an example of a response body: that of the media type, else one from its schema. */
export function sampleMediaType(document: OpenApiDocument, media: Located<MediaTypeObject>): unknown {
  const example = exampleOf(document, media)
  return example === undefined && media.value.schema !== undefined ? sample(document, schemaOf(media)) : example
}

/** The first example of a body that the document has beside its schema. */
export function exampleOf(document: OpenApiDocument, media: Located<MediaTypeObject>): unknown {
  const { example, examples } = media.value
  // Some generators write null where there is no example.
  const isNone = example === null && media.value.schema !== undefined && !allowsNull(document, schemaOf(media))
  if (example !== undefined && !isNone) return example
  const [first] = Object.entries(examples ?? {})
  if (first) {
    const [name, written] = first
    const { value } = resolve<{ value?: unknown }>(document, written, [...media.path, 'examples', name])
    if (!isReference(value) && value.value !== undefined) return value.value
  }
  return undefined
}

function allowsNull(document: OpenApiDocument, schema: Located<Schema>): boolean {
  const { types } = flattenSchema(document, schema)
  return types.has('null') || types.size === 0
}

/** Optional values beyond this depth are left out. */
const maxOptionalDepth = 3
/** Maximum values in a sample. The rest is left out, so schemas that require more are not satisfied. */
const maxValues = 5_000
/** Maximum characters of a text. */
const maxLength = 65_536

/** Returns `example`, `examples`, `default`, `const` or the first of `enum`, else the simplest value of the type. */
export function sample(document: OpenApiDocument, schema: Located<Schema>): unknown {
  /** The schemas of the enclosing values, to stop at recursive schemas. */
  const open = new Set<unknown>()
  let values = 0
  return make(schema, undefined)

  /** @param name the name of the property with the value, or with the list of such values */
  function make(located: Located<Schema>, name: string | undefined): unknown {
    values++
    const flat = flattenSchema(document, withBranch(document, located))
    const given = sampleState(name, flat.keywords) ?? sampleGiven(flat.keywords)
    if (given !== undefined) return given
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
        !hasFlag(document, property, 'writeOnly') &&
        (flat.required.has(name) || (depth <= maxOptionalDepth && !isContradictory(property))),
    )
    return Object.fromEntries(shown.map(([name, property]) => [name, make(property, name)]))
  }

  function isContradictory(property: Located<Schema>): boolean {
    return flattenSchema(document, property).keywords[contradictory] === true
  }

  function makeOther(flat: FlatSchema, isEnd: boolean, name: string | undefined): unknown {
    const { types, items, keywords } = flat
    if (types.has('array') || items) {
      const count = Math.max(keywords.minItems ?? 0, open.size <= 1 ? 1 : 0)
      return items === undefined || isEnd || count > maxValues
        ? []
        : Array.from({ length: count }, () => make(items, name && singular(name)))
    }
    // Prefer a value to null.
    if (types.has('null') && types.size === 1) return null
    if (types.has('boolean')) return true
    if (types.has('integer') || types.has('number')) {
      const form = name === undefined ? undefined : timeFormOf(name, flat, isMade.test(name))
      const time = form && (form.as === 'milliseconds' ? sampleTime : sampleTime / 1000)
      return sampleNumber(keywords, time ?? sampleNumberOf(name))
    }
    return sampleString(keywords, name)
  }
}

/** A state that says that all is well, if a schema only lists states. */
function sampleState(
  name: string | undefined,
  { enum: allowed, example, examples, default: standard }: SchemaObject,
): unknown {
  const isKnown = example != null || examples?.[0] !== undefined || standard !== undefined
  if (isKnown || name === undefined || !/^(status|state)$/.test(wordsOf(name).at(-1) ?? '')) return undefined
  return allowed?.find((value) => typeof value === 'string' && value !== '' && !isFailed(value))
}

/** Returns a value that the schema contains, or undefined. */
export function sampleGiven(keywords: SchemaObject): unknown {
  const { example, examples, enum: allowed } = keywords
  return example ?? examples?.[0] ?? keywords.default ?? keywords.const ?? allowed?.[0]
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

const formats: Record<string, string> = {
  'date-time': new Date(sampleTime).toISOString(),
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'someone@service.example',
  uri: 'https://service.example/',
  'uri-reference': '/',
  hostname: 'service.example',
  ipv4: '127.0.0.1',
  ipv6: '::1',
}

function sampleString(
  { format, minLength: least = 0, maxLength: most }: SchemaObject,
  name: string | undefined,
): string {
  const minLength = Math.min(least, maxLength)
  const byFormat = ownValue(formats, format ?? '')?.padEnd(minLength)
  return (
    byFormat ??
    sampleTextOf(name)
      .slice(0, most ?? maxLength)
      .padEnd(minLength, '.')
  )
}

const usual: readonly (readonly [RegExp, string])[] = [
  [/\bemail( address)?$/, 'someone@service.example'],
  [/\b(url|uri|link|href|website|callback|webhook)$/, 'https://service.example/'],
  [/\b(phone|mobile|fax)( number)?$/, '+1 555 0100'],
  [/\b(first|given) name$/, 'Ada'],
  [/\b(last|family|sur) ?name$/, 'Meyer'],
  [/\b((full|contact|customer) name|author|owner|recipient)$/, 'Ada Meyer'],
  [/\b(company|organi[sz]ation)( name)?$/, 'Meyer Group'],
  [/\b(date|birthday|birth ?date)$/, '2026-01-01'],
  [
    /\b(time|timestamp|((created|updated|modified|deleted|started|ended|expires|published)( at| on| time)?))$/,
    '2026-01-01T00:00:00Z',
  ],
  [/\bcity$/, 'Berlin'],
  [/\bcountry( code)?$/, 'DE'],
  [/\b(zip|postal)( ?code)?$/, '10115'],
  [/\bstreet( name)?$|\baddress( line)?( \d)?$/, '1 Main Street'],
  [/\bcurrency( code)?$/, 'EUR'],
  [/\b(language|locale|lang)( code)?$/, 'en'],
  [/\btime ?zone$/, 'Europe/Berlin'],
  [/\b(status|state)$/, 'active'],
  [/\b(type|kind|mode)$/, 'standard'],
  [/\bversion$/, '1.0.0'],
  [/\bip( address)?$/, '192.0.2.1'],
  [/\b(price|amount|cost|total|balance)$/, '10.00'],
  [/\bid$/, '1'],
]

/** Names of numbers that are 0 if all is well. */
const zero = /\b(code|errors?|status|count|offset|skipped|failed|warnings?)$/

/** @param name the name of the property, if any */
function sampleNumberOf(name = ''): number {
  return zero.test(wordsOf(name).join(' ')) ? 0 : 1
}

/** @param name the name of the property, if any */
function sampleTextOf(name: string | undefined): string {
  if (name === undefined) return 'string'
  const words = wordsOf(name).join(' ')
  const known = usual.find(([pattern]) => pattern.test(words))?.[1]
  return known ?? (words === '' ? 'string' : `${words} 1`)
}
