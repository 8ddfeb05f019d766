/** An operation to check, with a valid request for it and values to vary. */
import { sampleValid } from '../../../compile/operations/compile-ensure.js'
import { valueContentOf } from '../../../contract/body-content.js'
import type { Operation, RequestContract } from '../../../contract/contract.js'
import { bareMediaType } from '../../../contract/http/media-types.js'
import { itemTypesOf, separatorOf } from '../../../contract/item-types.js'
import type { BodyContent, Parameter } from '../../../contract/request-model.js'
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../../../document/document.js'
import { resolve } from '../../../document/references.js'
import { isObject } from '../../../json/own-value.js'
import { toRounded } from '../../../json/rounding.js'
import { saysFilled } from '../../../lexicon/parameter-texts.js'
import { decodeField } from '../../../media/fields.js'
import { fitReadings } from '../../../media/fit-readings.js'
import { examplesAt } from '../../../schemas/examples.js'
import { flattenSchema, hasFlag, hiddenNames } from '../../../schemas/flatten-schema.js'
import {
  type DescribedOperation,
  describeOperations,
  jsonContent,
} from '../../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../../schemas/operations/request-content.js'
import { findTag, withBranch } from '../../../schemas/tagged.js'
import {
  interestingValues,
  objects,
  unexpectedPlainTexts,
  unexpectedTexts,
  unique,
  withoutReadOnly,
} from '../values/interesting-values.js'
import { canCarryBody, generateBodies, untestedBounds, withBoundedSizes } from '../values/valid-bodies.js'
import {
  createDraft,
  type Draft,
  givenPath,
  isSendableName,
  isValid,
  violationsOf,
  withBody,
  withParameter,
} from './request-draft.js'
import { joinPairs, writeParameter } from './write-values.js'

export interface Subject {
  operation: Operation
  /** A valid request without optional parts; undefined if none could be generated. */
  draft: Draft | undefined
  /** Values of a parameter, valid and invalid ones. */
  valuesOf(parameter: Parameter): unknown[]
  /** Unusual texts for a parameter; an empty list if it takes no text. */
  unusualTexts(parameter: Parameter): unknown[]
  /** The description of a parameter; empty if it has none. */
  describes(parameter: Parameter): string
  /** What the document says about the operation and its bodies, and about its successes. */
  says: { request: string; answer: string }
  /** Whether the document lets callers send a property in the JSON body. */
  mayGive(property: string): boolean
  /** The defaults of properties that callers may leave out, with the names that lead to them in the JSON body. */
  defaults: readonly DefaultValue[]
  /** Properties of the JSON body that answers must not have. */
  writeOnly: readonly string[]
  /** JSON bodies, valid and invalid ones. */
  bodies: unknown[]
  /** Number of further bodies that were left out. */
  omitted: number
  /** Bounds on sizes that are too large to be tested, e.g. `maxLength 2147483647`. */
  untested: string[]
}

export interface DefaultValue {
  path: readonly string[]
  value: unknown
  /** Whether the document says that answers have it even if the request does not. */
  isAlwaysShown: boolean
}

/** Maximum number of bodies for one operation. Each takes several requests. */
const maxBodies = 300

export interface SubjectOptions {
  contract: RequestContract
  document: OpenApiDocument
  /** Makes generated bodies repeatable. */
  seed: number
  /** Number of bodies to generate in addition to those at the bounds. */
  count: number
  /** Whether one body with likely values is enough, if it is valid. @default false */
  isExample?: boolean
}

/** The operations of one server of the document. */
export function createSubjects(options: SubjectOptions, server: string): Subject[] {
  const document = withBoundedSizes(options.document)
  const described = new Map(describeOperations(document).map((each) => [each.id, each]))
  const whole = new Map(describeOperations(options.document).map((each) => [each.id, each]))
  return options.contract.operations.flatMap((operation) => {
    const description = described.get(operation.id)
    if (!description || !operation.servers.includes(server)) return []
    const untested = untestedBoundsOf(options.document, whole.get(operation.id))
    return [{ ...createSubject({ ...options, document }, operation, description), untested }]
  })
}

function untestedBoundsOf(document: OpenApiDocument, described: DescribedOperation | undefined): string[] {
  if (!described) return []
  const { parameters, body } = described
  const json = body && jsonContent(body.value.content, body.path)
  const schemas = [
    ...parameters.map(parameterSchema),
    ...(json?.value.schema === undefined ? [] : [{ value: json.value.schema, path: json.path }]),
  ]
  return [...new Set(schemas.flatMap((schema) => untestedBounds(document, schema)))]
}

/** Where the values of an operation come from. */
interface Source extends SubjectOptions {
  operation: Operation
  described: DescribedOperation
  content: BodyContent | undefined
  /** Of the sent bodies. */
  schema: Located<Schema> | undefined
}

/** An operation with a valid request for it, and values to vary. */
export function createSubject(
  options: SubjectOptions,
  operation: Operation,
  described: DescribedOperation,
): Omit<Subject, 'untested'> {
  const content = valueContentOf(operation)
  const { document } = options
  const source: Source = {
    ...options,
    operation,
    described,
    content,
    schema: content && valueSchema(content, described),
  }
  const all = createBodies(source)
  const bodies = spread(all, maxBodies)
  return {
    operation,
    draft: createValidDraft(source, bodies),
    bodies,
    defaults: source.schema ? [...defaultsOf(document, source.schema, [])] : [],
    writeOnly: source.schema ? hiddenNames(document, flattenSchema(document, source.schema), 'response') : [],
    omitted: all.length - bodies.length,
    valuesOf: (parameter) => valuesOf(source, parameter),
    unusualTexts: (parameter) => unusualTexts(source, parameter),
    describes: (parameter) => parameterIn(described, parameter)?.value.description ?? '',
    says: {
      request: textsIn(document, [
        described.value.description,
        described.value.summary,
        described.body?.value,
        described.responses.get('409'),
      ]),
      answer: textsIn(
        document,
        [...described.responses].filter(([status]) => status.startsWith('2')),
      ),
    },
    mayGive: (property) => mayGive(source, property),
  }
}

/** All descriptions in a part of the document. Those that are deeper are left out. */
function textsIn(document: OpenApiDocument, part: unknown, depth = 0): string {
  if (typeof part === 'string') return depth === 1 ? part : ''
  if (typeof part !== 'object' || part === null || depth > maxTextDepth) return ''
  if (isReference(part)) return textsIn(document, resolve<object>(document, part, []).value, depth)
  return Object.entries(part)
    .map(([name, inner]) =>
      name === 'description' && typeof inner === 'string' ? inner : textsIn(document, inner, depth + 1),
    )
    .join('\n')
}

const maxTextDepth = 10

function valuesOf(source: Source, parameter: Parameter): unknown[] {
  const { contract, document } = source
  const own = schemaOf(source, parameter)
  const types = itemTypesOf(contract, parameter)
  // A key in a path is the key of some record.
  const name = parameter.in === 'path' ? undefined : parameter.name
  return (own ? interestingValues(document, own, name) : [])
    .flatMap((value) => toSendable(value, types, parameter.types.includes('array')))
    .map((value) => asRead(contract, parameter, value))
    .filter((value) => canCarry(parameter, value))
}

/** The value that the sent texts mean, if they may be values of several types. */
function asRead({ textTypes, validators }: RequestContract, { style }: Parameter, value: unknown): unknown {
  if (style?.validate === undefined) return value
  const leaves = [value].flat().map(String)
  return fitReadings((choose) => {
    const exact = decodeField({ leaves }, style.type, { textTypes, choose })
    return { exact, rounded: toRounded(exact) }
  }, validators[style.validate]).exact
}

function schemaOf({ described }: Source, parameter: Parameter): Located<Schema> | undefined {
  const located = parameterIn(described, parameter)
  return located && parameterSchema(located)
}

function parameterIn({ parameters }: DescribedOperation, { name, in: place }: Parameter) {
  return parameters.find(({ value }) => value.name === name && value.in === place)
}

function unusualTexts({ contract }: Source, parameter: Parameter): unknown[] {
  const types = itemTypesOf(contract, parameter)
  if (types.length > 0 && !types.includes('string')) return []
  const isList = parameter.types.includes('array')
  const texts = parameter.in === 'header' || parameter.in === 'cookie' ? unexpectedPlainTexts : unexpectedTexts
  return texts.map((text) => (isList ? [text] : text)).filter((value) => canCarry(parameter, value))
}

/** Generates a value for a schema that no usual value satisfies, such as one with a pattern. */
function generate(source: Source, parameter: Parameter, isAccepted: (value: unknown) => boolean): unknown {
  const { document, seed } = source
  const own = schemaOf(source, parameter)
  const isUsable = (value: unknown) => typeof value !== 'object' && canCarry(parameter, value) && isAccepted(value)
  return own && generateBodies(document, own, isUsable, { count: 1, seed })[0]
}

function mayGive({ document, operation, schema }: Source, property: string): boolean {
  if (!schema) return false
  const record = givenPath(operation).reduce<Located<Schema> | undefined>(
    (found, name) => found && flattenSchema(document, found).properties.get(name),
    schema,
  )
  if (!record) return false
  const { properties, open } = flattenSchema(document, record)
  const described = properties.get(property)
  return described ? !hasFlag(document, described, 'readOnly') : open || properties.size === 0
}

function* defaultsOf(
  document: OpenApiDocument,
  schema: Located<Schema>,
  path: readonly string[],
): Iterable<DefaultValue> {
  const branches = findTag(document, schema)?.branches ?? []
  for (const { whole } of branches.slice(1)) yield* defaultsOf(document, { value: whole, path: schema.path }, path)
  const { properties, required } = flattenSchema(document, withBranch(document, schema))
  for (const [name, property] of path.length < maxDefaultDepth ? properties : []) {
    const { default: value, description } = flattenSchema(document, property).keywords as SchemaObject & {
      description?: string
    }
    const isAlwaysShown = saysFilled(description ?? '')
    const isShown = !hasFlag(document, property, 'writeOnly') && !hasFlag(document, property, 'readOnly')
    if (value !== undefined && value !== null && !required.has(name) && isShown)
      yield { path: [...path, name], value, isAlwaysShown }
    yield* defaultsOf(document, property, [...path, name])
  }
}

/** Defaults that are deeper in a body are not compared. */
const maxDefaultDepth = 3

function createBodies(source: Source): unknown[] {
  const { contract, document, operation, schema, content, seed, count, isExample } = source
  if (!schema) return []
  const isValidBody = (value: unknown) =>
    violationsOf(contract, withBody(createDraft(operation), value)).every((violation) => violation.in !== 'body')
  const examples = content ? mediaExamples(source, content) : []
  // The first one is that from which the others are varied.
  const varied = objects(document, schema, 0)
  const likely = isExample ? withoutReadOnly(document, schema, sampleValid(document, schema)) : undefined
  const made =
    likely !== undefined && isValidBody(likely) && content && canCarryBody(likely, content, contract)
      ? [likely]
      : [
          ...varied.slice(0, 1),
          ...examples.filter(isValidBody),
          ...varied.slice(1),
          ...interestingValues(document, schema),
          ...generateBodies(document, schema, isValidBody, { count, seed }),
        ]
  const { effect } = operation
  const key = effect.kind === 'create' ? effect.serviceWritten.find((fill) => fill.with === 'key')?.property : undefined
  const bodies = made.map((body) => withoutReadOnly(document, schema, body)).map((body) => withoutKey(body, key))
  return unique(content ? bodies.filter((body) => canCarryBody(body, content, contract)) : bodies)

  /** Removes an optional key: a fixed one would be taken after the first request. */
  function withoutKey(body: unknown, key: string | undefined): unknown {
    if (key === undefined || typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return body
    const { [key]: _, ...others } = body as Record<string, unknown>
    return isValidBody(body) && isValidBody(others) ? others : body
  }
}

const writing: ReadonlySet<string> = new Set(['create', 'replace', 'update'])

function createValidDraft(source: Source, bodies: readonly unknown[]): Draft | undefined {
  const { contract, operation } = source
  let draft = createDraft(operation)
  for (const parameter of operation.parameters.filter(({ required }) => required)) {
    const { name, in: place } = parameter
    const isAccepted = (value: unknown) =>
      violationsOf(contract, withParameter(draft, place, name, value)).every(
        (violation) => violation.in !== place || violation.at.split(/[.[]/)[0] !== name,
      )
    const value = valuesOf(source, parameter).find(isAccepted) ?? generate(source, parameter, isAccepted)
    if (value === undefined) return undefined
    draft = withParameter(draft, place, name, value)
  }
  // Few documents that let callers leave a body out mean a record without values.
  if (operation.body && (operation.body.required || writing.has(operation.effect.kind))) {
    const valid = bodies.filter((value) => isValid(contract, withBody(draft, value)))
    const body = valid.find(isObject) ?? valid[0]
    if (body === undefined && operation.body.required) return undefined
    if (body !== undefined) draft = withBody(draft, body)
  }
  return isValid(contract, draft) ? draft : undefined
}

/** The examples of the request body. */
function mediaExamples({ document, described: { body } }: Source, { mediaType }: BodyContent): unknown[] {
  const name = Object.keys(body?.value.content ?? {}).find((each) => bareMediaType(each) === mediaType)
  return body && name !== undefined ? examplesAt(document, { path: [...body.path, 'content', name], is: 'record' }) : []
}

/** The schema of the sent bodies: that of JSON, else of the chosen media type. */
function valueSchema({ mediaType, codec }: BodyContent, { body }: DescribedOperation): Located<Schema> | undefined {
  if (!body) return undefined
  const { content } = body.value
  const own = Object.entries(content).find(([name]) => bareMediaType(name) === mediaType)
  const found = codec === 'json' ? jsonContent(content, body.path) : undefined
  const name = own?.[0] ?? Object.keys(content)[0] ?? ''
  const media = found ?? { value: content[name] ?? {}, path: [...body.path, 'content', name] }
  return { value: media.value.schema ?? true, path: [...media.path, 'schema'] }
}

/** At most this many values, evenly from the whole list. */
function spread(values: unknown[], most: number): unknown[] {
  if (values.length <= most) return values
  return Array.from({ length: most }, (_, index) => values[Math.floor((index * values.length) / most)])
}

const numberText = /^-?\d/
/** Texts that every server and client accepts in a header and a cookie (RFC 9110, section 5.5; RFC 6265, section 4.1.1). */
const headerText = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
const cookieText = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/

/** Maximum characters of a parameter: every server accepts a request line of 8,000 octets (RFC 9112, section 3). */
const maxParameterLength = 7000

/** Whether a parameter can carry a value, so that the provider reads the same value. */
function canCarry(parameter: Parameter, value: unknown): boolean {
  const { in: place } = parameter
  const separator = separatorOf(parameter)
  if ((place === 'header' || place === 'cookie') && !isSendableName(place, parameter.name)) return false
  const items = [value].flat().map(String)
  if (separator !== undefined && items.some((item) => item.includes(separator))) return false
  if (joinPairs(writeParameter(parameter, value)).length > maxParameterLength) return false
  if (place === 'header') return items.every((item) => headerText.test(item))
  return place !== 'cookie' || items.every((item) => cookieText.test(item))
}

/** The value as it can be sent in a URL or header, in a list of one; an empty list if it would mean another value. */
function toSendable(value: unknown, types: readonly string[], isList: boolean): unknown[] {
  if (isList) {
    if (!Array.isArray(value) || value.length === 0) return []
    const items = value.flatMap((item) => toSendable(item, types, false))
    return items.length === value.length ? [items] : []
  }
  if (value === null || typeof value === 'object') return []
  if (types.includes('string')) return [String(value)]
  const isNumeric = types.includes('integer') || types.includes('number')
  // In a URL the text 1 and the number 1 are the same.
  return typeof value === 'string' && isNumeric && numberText.test(value) ? [] : [value]
}
