import type { KeyMaking } from '../../behaviour/model.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../../document/document.js'
import { endsLikeName } from '../../lexicon/record-names.js'
import { saysUuid } from '../../lexicon/texts.js'
import { propertyExamples, schemaExamples } from '../../schemas/examples.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { findKeyForm } from '../../schemas/key-form.js'
import { findExamplePlaces } from '../../schemas/operations/example-places.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import { toVariants } from '../../schemas/schema-variants.js'
import { habitsOf } from '../habits.js'
import type { Candidate } from './candidate.js'
import { findReferringKeys, findShownKeys } from './find-shown-keys.js'

/** Whether a schema may be that of a key: any text, or any number. */
export function isOpenKey({ types, keywords }: FlatSchema): boolean {
  return types.has('string') !== types.has('integer') && !('enum' in keywords) && !('const' in keywords)
}

/** The same operations without the parameter that has the key, which says nothing about further keys. */
export function withoutParameters(members: readonly Candidate[]): Candidate[] {
  return members.map((member) => ({ ...member, parameter: undefined }))
}

/**
 * @param name of the key property
 * @param property its schema, or that of the path parameter that has it
 * @param record the schema of the records
 * @param examples of the key, besides those of the operations
 */
export function findKeyMaking(
  document: OpenApiDocument,
  name: string,
  property: Located<Schema> | undefined,
  record: Located<Schema>,
  members: readonly Candidate[],
  examples: readonly unknown[] = [],
): KeyMaking {
  const own = property && flattenSchema(document, property)
  if (!property || !own?.types.has('string')) {
    const isNarrow = own !== undefined && !allowsAllIntegers(own.keywords)
    return {
      keyKind: 'integer',
      ...(property && isNarrow && { schema: property.value }),
    }
  }
  // A key must also be valid in the paths of its record.
  const parameters = members.flatMap(
    ({ operation, parameter }) =>
      operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter) ?? [],
  )
  const schemas = parameters.map((each) => parameterSchema(each).value)
  const schema: Schema = { allOf: [property.value, ...new Set(schemas)] }
  const variants = toVariants(document, schema)
  const all = variants.length > 0 ? variants : toVariants(document, property.value)
  const isUuid = ({ format }: SchemaObject) => format === 'uuid'
  const isOpen = all.every(({ format }) => openFormats.includes(format as string | undefined))
  const isUuidInPath = isOpen && schemas.some((each) => toVariants(document, each).some(isUuid))
  const isOpenForm = all.every(allowsUuid)
  const habit = habitsOf(document).value('keys')
  const form = habit !== 'number' && isOpen && all.every(allowsForm) ? formOf() : undefined
  const isNamedUuid =
    (habit === 'uuid' || /(uuid|guid)$/i.test(name) || saysUuid(String(own.keywords.description))) && isOpenForm
  if (isUuidInPath || all.some(isUuid) || (form === 'uuid' && isOpenForm) || (isNamedUuid && all.every(allowsAllTexts)))
    return { keyKind: 'uuid', schema: { type: 'string', format: 'uuid' } }
  if (form !== undefined && form !== 'uuid') return { keyKind: 'string', schema: { type: 'string', pattern: form } }
  if (all.every(allowsAllTexts)) return { keyKind: 'string' }
  return { keyKind: 'string', schema: variants.length > 0 ? schema : property.value }

  /** The form that examples and descriptions of the key show, anywhere in the document. */
  function formOf(): string | undefined {
    const places = findExamplePlaces(document, { members: [...members], record })
    const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
    const examplesAt = (some: typeof places) => some.flatMap((place) => propertyExamples(document, place, name))
    const shown = [
      ...examples,
      ...examplesAt(places.filter(({ is }) => is !== 'key')),
      ...(own ? schemaExamples(document, property as Located<Schema>) : []),
    ].filter(isText)
    // Other places show names of all kinds.
    const isNamed = endsLikeName(name)
    const said = [own?.keywords.description, ...parameters.map(({ value }) => value.description)].filter(isText)
    // A path may also be given another name of the record.
    const inPaths = [...shown, ...examplesAt(places)].filter(isText)
    const path = members.find(({ resource }) => resource)?.resource?.home
    const ranks = [
      () => shown,
      () => (isNamed ? [] : findShownKeys(document, members, record, name)),
      () => inPaths,
      () => (isNamed || path === undefined ? [] : findReferringKeys(document, path, name)),
    ]
    for (const rank of ranks) {
      const examples = rank()
      const form = examples.length > 0 ? findKeyForm(examples, []) : undefined
      if (form !== undefined) return form
      // Texts of another form are names.
      if (examples.some((each) => each.length > mostOfPlaceholder)) return undefined
    }
    return findKeyForm([], said)
  }
}

/** Longer texts are no placeholders: `string`, `1`, `abc123` */
const mostOfPlaceholder = 8

/** Whether all numbers from 1 to at least 2^31 are allowed. */
function allowsAllIntegers({ minimum = 0, maximum = 2 ** 31, ...others }: SchemaObject): boolean {
  const isBound = ['enum', 'const', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'].some((each) => each in others)
  return minimum <= 1 && maximum >= 2 ** 31 - 1 && !isBound
}

/** Formats that do not restrict texts. */
const openFormats = [undefined, 'string', 'int32', 'int64', 'password', 'id']

function allowsAllTexts(variant: SchemaObject): boolean {
  const { format, minLength = 0, maxLength = 20 } = variant
  const isBound = ['enum', 'const'].some((keyword) => keyword in variant) || !matchesNumbers(variant.pattern)
  return minLength <= 1 && maxLength >= 5 && !isBound && openFormats.includes(format)
}

/** Whether a pattern only says which characters a text has: `^[a-zA-Z0-9_.-]+$` */
const onlyCharacters = /^\^?(\[[^\]^][^\]]*\]|\\w)(([+*]|\{[01]?,\d*\})\$?)?$/

/** Whether keys may have the form of the examples. */
function allowsForm({ maxLength = 50, pattern }: SchemaObject): boolean {
  return maxLength >= 36 && (pattern === undefined || onlyCharacters.test(pattern))
}

function allowsUuid({ maxLength = 36, pattern }: SchemaObject): boolean {
  return maxLength >= 36 && pattern === undefined
}

/** Whether the default text keys match a pattern: `1`, `2` and so on. */
function matchesNumbers(pattern: string | undefined): boolean {
  if (pattern === undefined) return true
  const matcher = new RegExp(pattern, 'u') // unmeasured: it reads three short numbers
  return ['1', '20', '12345'].every((text) => matcher.test(text))
}
