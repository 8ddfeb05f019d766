/**
 * What a consumer uses of a contract: operations, parameters and properties with classes of their values, statuses and returned
 * properties. It holds no value that is not in the document, so that it can be committed.
 */
import { bodyContentFor } from '../../contract/body-content.js'
import type { Operation } from '../../contract/contract.js'
import { bareMediaType } from '../../contract/http/media-types.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type RequestBodyObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { groupBy } from '../../json/group-by.js'
import { isObject } from '../../json/own-value.js'
import { endsLikeSecret } from '../../lexicon/keys.js'
import { mayBePersonal } from '../../lexicon/persons.js'
import { formCodec } from '../../media/form-codec.js'
import { multipartCodec } from '../../media/multipart-codec.js'
import { flattenSchema, hasFlag } from '../../schemas/flatten-schema.js'
import {
  type DescribedOperation,
  describeOperations,
  jsonContent,
} from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import { findTag } from '../../schemas/tagged.js'
import { boundariesOf } from './boundaries.js'
import type { Call } from './consumer-rule.js'
import { readJson, requestHeader, usedSchemes } from './exchange-values.js'
import { isSentValue, keyOf, maxSentValues, type Use } from './lock.js'
import { isValidated, toSentValues } from './sent-values.js'

/** Collects uses call by call. */
export interface UsageCounter {
  /** @returns the uses of a call, each once */
  add(call: Call): Use[]
  /** Each use once, in order. */
  all(): Use[]
}

/** Maximum levels of a body, and items of a list, that are read. */
const maxDepth = 100
const maxItems = 10_000

/** @param keepsValues whether sent values are kept, so that patterns and limits of another version can be compared with them */
export function createUsage(document: OpenApiDocument, keepsValues: boolean): UsageCounter {
  const described = new Map(describeOperations(document).map((operation) => [operation.id, operation]))
  const known = new Map<string, Use>()
  return {
    add(call) {
      const all = call.operation ? usesOf(document, call, call.operation, described.get(call.operation.id)) : []
      const uses = keepsValues ? all : all.filter(({ kind }) => !isSentValue(kind))
      for (const use of uses) known.set(keyOf(use), use)
      return uses
    },
    all: () =>
      withFewValues([...known.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use)),
  }
}

function usesOf(
  document: OpenApiDocument,
  call: Call,
  operation: Operation,
  described: DescribedOperation | undefined,
): Use[] {
  const { exchange } = call
  const uses = new Map<string, Use>()
  const name = `${operation.method} ${operation.path}`
  const use: Used = (part, at, kind = '') => {
    const found = { operation: name, part, at, kind }
    uses.set(keyOf(found), found)
  }
  const { status, headers, body } = exchange.response
  // A recording may have requests that were broken off, and statuses that HTTP does not have (RFC 9110, section 15).
  if (status > 99 && status < 600) {
    use('response', String(status), (headers['Content-Type'] ?? '').replace(/;.*$/s, ''))
    const value = typeof body === 'string' ? readJson(body) : undefined
    for (const path of propertiesIn(value, call.documentedNames)) use('returned', `${status} ${path}`)
  }
  if (call.isForced || !isValidated(exchange)) return [...uses.values()]
  use('credentials', '', usedSchemes(call, operation))
  const used: UsedCall = { document, call, operation, described, use }
  addParameters(used)
  addBody(used)
  return [...uses.values()]
}

/** A call with what its uses are read from, and where they go. */
interface UsedCall {
  document: OpenApiDocument
  call: Call
  operation: Operation
  described: DescribedOperation | undefined
  use: Used
}

function addParameters({ document, call, operation, described, use }: UsedCall): void {
  const values = toSentValues(call, operation)
  for (const { value, path } of described?.parameters ?? []) {
    if (!operation.parameters.some(({ name, in: place }) => name === value.name && place === value.in)) continue
    const at = `${value.in} ${value.name}`
    const sent = values.get(at)
    // A refused value is no use: tests of refusals send anything.
    if (!sent && call.exchange.violations?.length) continue
    const schema = parameterSchema({ value, path })
    for (const each of sent ?? []) {
      for (const kind of kindsOf(document, schema, each, value.name)) use('parameter', at, kind)
      if ((sent?.length ?? 0) > 1) use('parameter', at, 'several')
      if (hasTwice(sent ?? [])) use('parameter', at, 'repeated')
      // A list has its items, and an object its properties.
      const add = (inner: string, kind: string) => use('parameter', `${at} ${inner}`, kind)
      addValue({ document, names: call.documentedNames, add }, schema, each)
    }
    if (!sent) use('parameter', at, 'absent')
  }
}

function addBody({ document, call, operation, described, use }: UsedCall): void {
  const { exchange, documentedNames: names } = call
  if (exchange.violations?.length || !described?.body) return
  const { value: documented, path } = described.body
  const type = requestHeader(exchange, 'content-type')?.replace(/;.*$/s, '').trim().toLowerCase() ?? ''
  // The bytes of files are not kept.
  if (!exchange.request.body && type === '') {
    use('type', '', 'absent')
    return
  }
  const known = Object.keys(documented.content).map(bareMediaType)
  const isRange = known.some((each) => each === '*/*' || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))))
  use('type', '', known.includes(type) || isRange ? type : 'other')
  if (!exchange.request.body) return
  const form = readForm(call, operation)
  const content = form ? findMember(described.body, type) : jsonContent(documented.content, path)
  if (!content?.value.schema) return
  const add = (at: string, kind: string) => use('body', at, kind)
  addValue({ document, names, add }, schemaOf(content), form ?? readJson(exchange.request.body))
}

/** What the values in a parameter or a body are added to. */
interface ValueUses {
  document: OpenApiDocument
  /** Every name in the document. */
  names: ReadonlySet<string>
  add(at: string, kind: string): void
}

/** Adds a value, unless it is a whole object or list, and all that is in it. */
function addValue(uses: ValueUses, schema: Located<Schema>, value: unknown, at = '', depth = 0): void {
  const { document, names, add } = uses
  for (const kind of at === '' && typeof value === 'object' ? [] : kindsOf(document, schema, value, at)) add(at, kind)
  if (depth > maxDepth || typeof value !== 'object' || value === null) return
  const flat = flattenSchema(document, schema)
  if (Array.isArray(value)) {
    if (at !== '') add(at, `~${value.length}`)
    if (at !== '' && hasTwice(value)) add(at, 'repeated')
    const items = flat.items ?? { value: true, path: [] }
    for (const item of value.slice(0, maxItems)) addValue(uses, items, item, `${at}[]`, depth + 1)
    return
  }
  const prefix = at === '' ? '' : `${at}.`
  const tag = findTag(document, schema)
  const { additionalProperties: map } = flat.keywords
  const isKept = at !== '' && !mayBePersonal(at) && !endsLikeSecret(at)
  for (const [name, inner] of Object.entries(value)) {
    const property = flat.properties.get(name)
    const isKey = !property && (typeof map === 'object' || !names.has(name))
    if (isKept && isKey && name.length <= maxLength) add(at, `~${name}`)
    // The name of an alternative is in the document, as the values of an enum are.
    const isName = name === tag?.name && tag.branches.some(({ values }) => values.includes(inner))
    if (isName) add(prefix + name, `=${inner}`)
    else if (property) addValue(uses, property, inner, prefix + name, depth + 1)
    else if (typeof map === 'object') addValue(uses, { value: map, path: [] }, inner, `${prefix}{}`, depth + 1)
    else add(`${prefix}${names.has(name) ? name : '{}'}`, 'other')
  }
  for (const [name, property] of flat.properties) {
    const isLeftOut = !Object.hasOwn(value, name) && !hasFlag(document, property, 'readOnly')
    if (isLeftOut) add(prefix + name, 'absent')
  }
}

/** Whether a list has a text or a number twice. */
function hasTwice(items: readonly unknown[]): boolean {
  const scalars = items.filter((item) => typeof item !== 'object').map(String)
  return new Set(scalars).size < scalars.length
}

/** The fields of a form by the types of their schemas; undefined for another body. */
function readForm({ contract, exchange }: Call, operation: Operation): unknown {
  const { body: text } = exchange.request
  const contentType = requestHeader(exchange, 'content-type')
  const content = bodyContentFor(operation, contentType)
  if (text === undefined || (content?.codec !== 'form' && content?.codec !== 'multipart')) return undefined
  const source = { bytes: new TextEncoder().encode(text), contentType, content, contract }
  try {
    return (content.codec === 'form' ? formCodec : multipartCodec).decode(text, source).exact
  } catch {
    // Its files are not kept.
    return undefined
  }
}

function findMember({ value, path }: Located<RequestBodyObject>, type: string): Located<MediaTypeObject> | undefined {
  const name = Object.keys(value.content).find((each) => bareMediaType(each) === type)
  const found = name === undefined ? undefined : value.content[name]
  return found && { value: found, path: [...path, 'content', name ?? ''] }
}

type Used = (part: Use['part'], at: string, kind?: string) => void

/** Maximum characters of a value that is kept. */
const maxLength = 64

/** The class of a value, and the value itself, if the class does not say it. None of a credential or a person is kept. */
function kindsOf(document: OpenApiDocument, schema: Located<Schema>, value: unknown, name: string): string[] {
  const kind = classOf(document, schema, value)
  const isKept =
    (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') &&
    !kind.startsWith('=') &&
    String(value).length <= maxLength &&
    // A whole body has no name that says what it is.
    name !== '' &&
    !mayBePersonal(name) &&
    !endsLikeSecret(name) &&
    flattenSchema(document, schema).keywords.format !== 'password'
  return isKept ? [kind, `~${value}`] : [kind]
}

/** At most a number of values for each place: the first ones, and the smallest and the largest number. */
function withFewValues(uses: readonly Use[]): Use[] {
  const values = groupBy(
    uses.filter(({ kind }) => isSentValue(kind)),
    (use) => keyOf({ ...use, kind: '' }),
  )
  const kept = new Set<Use>()
  for (const group of values.values()) {
    const numberOf = ({ kind }: Use) => Number(kind.slice(1))
    const ordered = group.every((use) => !Number.isNaN(numberOf(use)))
      ? group.toSorted((one, other) => numberOf(one) - numberOf(other))
      : group
    const last = ordered.at(-1)
    for (const use of [...ordered.slice(0, maxSentValues - 1), ...(last ? [last] : [])]) kept.add(use)
  }
  return uses.filter((use) => !isSentValue(use.kind) || kept.has(use))
}

/** The first class that a value has: of no other value than those in the document. */
function classOf(document: OpenApiDocument, schema: Located<Schema>, value: unknown): string {
  if (value === null) return 'null'
  const boundary = boundariesOf(document, schema).find((each) => each.isMetBy(value))
  if (boundary) return boundary.label.trim()
  return isFraction(value) && flattenSchema(document, schema).types.has('number') ? 'fraction' : 'other'
}

function isFraction(value: unknown): boolean {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && !Number.isInteger(number)
}

/** The paths of all properties, with `[]` for items of lists and `{}` for names that the document does not have. */
function* propertiesIn(value: unknown, names: ReadonlySet<string>, at = '', depth = 0): Generator<string> {
  if (depth > maxDepth) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, maxItems)) yield* propertiesIn(item, names, `${at}[]`, depth + 1)
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const path = `${at === '' ? '' : `${at}.`}${names.has(name) ? name : '{}'}`
      yield path
      yield* propertiesIn(inner, names, path, depth + 1)
    }
  }
}
