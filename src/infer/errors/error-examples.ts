/** Finds the documented examples of error bodies, and chooses from them the values for each status and reason. */

import {
  isReference,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { resolve, toPointer } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert, isObject, ownValue } from '../../json/own-value.js'
import { isNamed } from '../../lexicon/error-properties.js'
import { chooseByReason, isOfAnyError, isReason, standsForAny, thingsIn } from '../../lexicon/error-words.js'
import { isGeneralErrorName, saysTaken } from '../../lexicon/errors-in-texts.js'
import { parseExample } from '../../schemas/examples.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { describeOperations, isErrorStatus, jsonContent } from '../../schemas/operations/describe-operations.js'
import { isStatusPlace } from './error-names.js'

/** An example of an error body, or the value of a part in it. */
export interface ErrorExample {
  value: unknown
  /** The status of the response. Undefined if the example is for any status. */
  status: string | undefined
  /** The response with the example. Undefined for an example in the schema. */
  at?: string
  /** The machine-readable code in the example, or else its name. */
  code: string
  /** Name, summary and description of the example, and its texts for people. */
  text: string
  /** What its code says is missing or in conflict. */
  things: readonly string[]
  /** The number of operations with this example. */
  count: number
}

/** The error bodies of a document. */
export interface ErrorBodies {
  /** The examples of error bodies with the same schema. */
  findExamples(schema: Located<Schema>): readonly ErrorExample[]
  /** Contents with the schemas of error responses, the most frequent first. @param status only those with this status */
  findUsual(status?: string): ErrorContent[]
}

export type ErrorContent = NonNullable<ReturnType<typeof jsonContent>>

interface ErrorUse {
  content: ErrorContent
  status: string
  /** The number of operations. */
  count: number
}

export function collectErrorBodies(document: OpenApiDocument): ErrorBodies {
  const texts = new Map<unknown, string>()
  const known = new Map<string, readonly ErrorExample[]>()
  const bySchema = new Map<string, Map<string, ErrorUse>>()
  for (const { responses } of describeOperations(document)) {
    for (const [status, response] of responses) {
      const content = isErrorStatus(status) ? errorContent(response) : undefined
      if (!content) continue
      const uses = getOrInsert(bySchema, textOf(schemaOf(content)), () => new Map<string, ErrorUse>())
      getOrInsert(uses, `${status} ${toPointer(content.path)}`, () => ({ content, status, count: 0 })).count++
    }
  }

  return {
    findExamples: (schema) => getOrInsert(known, textOf(schema), () => collect(schema)),
    findUsual(status) {
      const counted = [...bySchema.values()].flatMap((all) => {
        const [first, ...others] = [...all.values()].filter((use) => status === undefined || use.status === status)
        return first ? [{ ...first, count: others.reduce((sum, { count }) => sum + count, first.count) }] : []
      })
      return counted.toSorted((one, other) => other.count - one.count).map(({ content }) => content)
    },
  }

  /** Schemas with the same text are the same, also if each response has its own. */
  function textOf({ value, path }: Located<Schema>): string {
    const target = isReference(value) ? resolve<Schema>(document, value, path).value : value
    return getOrInsert(texts, target, () => toJson(target))
  }

  function collect(schema: Located<Schema>): ErrorExample[] {
    const all = [...(bySchema.get(textOf(schema))?.values() ?? [])]
    const given = all.slice(0, maxUses).flatMap(({ content, status, count }) => {
      const at = toPointer(content.path)
      return examplesOf(document, content).map((each) => withThings({ ...each, at, count, status: statusOf(status) }))
    })
    const shown = exampleIn(document, schema)
    if (shown === undefined) return given
    const [only, ...others] = new Set(all.map(({ status }) => statusOf(status)))
    const status = statusIn(shown) ?? (others.length === 0 ? only : undefined)
    return [...given, { value: shown, status, ...wordsIn(shown), things: [], count: all.length }]
  }
}

function withThings(example: Omit<ErrorExample, 'things'>): ErrorExample {
  const { status, code } = example
  return { ...example, things: status === '404' || status === '409' ? thingsIn(code) : [] }
}

/**
 * The examples without those of other responses that are about something which the place of this one does not name.
 * @param isOfState whether a conflict is about the state of a record, so that it is not about one that exists already
 */
export function withoutOthers(examples: readonly ErrorExample[], at: string, isOfState: boolean): ErrorExample[] {
  const here = thingsIn(at.replaceAll('~1', '/'))
  return examples.filter((each) => {
    const isTaken = isOfState && each.status === '409' && saysTaken(each.code)
    const isOther = each.at !== undefined && each.at !== at
    return !isOther || !(isTaken || each.things.some((thing) => !here.includes(thing)))
  })
}

/**
 * The content of errors in a document without error responses: the list of errors that most successes have as well, or the
 * schema of an error that nothing refers to.
 */
export function findUndescribed(document: OpenApiDocument): ErrorContent | undefined {
  const successes = describeOperations(document).flatMap(({ responses }) => {
    const [found] = [...responses].flatMap(([status, each]) =>
      status.startsWith('2') ? (errorContent(each) ?? []) : [],
    )
    return found ? [found] : []
  })
  const shared = successes.flatMap((content) => {
    const properties = [...flattenSchema(document, schemaOf(content)).properties]
    const [name, schema] = properties.find(([each]) => /^errors$/i.test(each)) ?? []
    if (name === undefined || !schema || !flattenSchema(document, schema).types.has('array')) return []
    return [toContent({ type: 'object', properties: { [name]: schema.value }, required: [name] })]
  })
  if (shared.length > 2 && shared.length * 2 > successes.length) return shared[0]
  const names = Object.keys(document.components?.schemas ?? {}).filter(isGeneralErrorName)
  const text = names.length > 0 ? toJson(document) : ''
  const unused = names.find((each) => !text.includes(`"#/components/schemas/${each}"`))
  return unused === undefined ? undefined : toContent({ $ref: `#/components/schemas/${unused}` })
}

/** A schema that is not that of a response has no place of its own. */
const toContent = (schema: Schema): ErrorContent => ({ mediaType: 'application/json', value: { schema }, path: [] })

/** Further responses with the same schema are not searched for examples. */
const maxUses = 200

/** The JSON body of a response. */
export function errorContent({ value, path }: Located<ResponseObject>): ErrorContent | undefined {
  const content = jsonContent(value.content, path)
  return content?.value.schema === undefined ? undefined : content
}

const statusOf = (status: string) => (/^\d{3}$/.test(status) ? status : undefined)

/** All examples of a media type, those that are JSON text as values. */
function examplesOf(
  document: OpenApiDocument,
  media: Located<MediaTypeObject>,
): Pick<ErrorExample, 'value' | 'code' | 'text'>[] {
  const { example, examples = {} } = media.value
  const named = Object.entries(examples).map(([name, written]) => {
    const { value } = resolve<NamedExample>(document, written, [...media.path, 'examples', name])
    return { value: value.value, text: [name, value.summary, value.description].join(' ') }
  })
  return [{ value: example, text: '' }, ...named].flatMap(({ value, text }) => {
    const parsed = (typeof value === 'string' ? parseExample(document, media, value) : undefined) ?? value
    const { code, text: inside } = wordsIn(parsed)
    return parsed === undefined ? [] : [{ value: parsed, code, text: `${text} ${inside}` }]
  })
}

/** The first code in an example, and its texts for people. */
function wordsIn(value: unknown): Pick<ErrorExample, 'code' | 'text'> {
  const found: { code?: string; texts: string[] } = { texts: [] }
  visit(value, '', 0)
  return { code: found.code ?? '', text: found.texts.join(' ') }

  function visit(each: unknown, name: string, depth: number): void {
    if (typeof each === 'string') {
      if (/\s\S+\s/.test(each)) found.texts.push(each)
      else if (found.code === undefined && isNamed('code', `error ${name}`)) found.code = each
    } else if (typeof each === 'object' && depth < maxDepth)
      for (const [key, inner] of Object.entries(each ?? {})) visit(inner, Array.isArray(each) ? name : key, depth + 1)
  }
}

interface NamedExample {
  value?: unknown
  summary?: string
  description?: string
}

const maxDepth = 4
/** Maximum schemas of one body that are searched for examples. */
const maxSchemas = 500

/** The example of a schema, or one of the examples of its properties. */
function exampleIn(document: OpenApiDocument, root: Located<Schema>): unknown {
  let count = 0
  return visit(root, 0)

  function visit(schema: Located<Schema>, depth: number): unknown {
    const { keywords, properties, items } = flattenSchema(document, schema)
    const given = keywords.example ?? keywords.examples?.[0]
    if (given !== undefined || depth > maxDepth || ++count > maxSchemas) return given
    const item = items && visit(items, depth + 1)
    if (item !== undefined) return [item]
    const members = [...properties].map(([name, property]) => [name, visit(property, depth + 1)] as const)
    const shown = members.filter(([, value]) => value !== undefined)
    return shown.length === 0 ? undefined : Object.fromEntries(shown)
  }
}

/** The status that an example has as one of its values. */
function statusIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const found = Object.entries(value).find(
    ([name, each]) => /^[45]\d\d$/.test(String(each)) && isStatusPlace(name, { type: typeof each as 'number' }, each),
  )
  return found ? String(found[1]) : statusIn(value['error'])
}

/** The examples of a part: of the property, or of the items. */
export function examplesAt(examples: readonly ErrorExample[], name?: string): ErrorExample[] {
  return examples.flatMap((example) => {
    const { value } = example
    const inner = name === undefined ? Object.values(isObject(value) || Array.isArray(value) ? value : {}) : undefined
    const values = inner ?? (isObject(value) && name !== undefined ? [ownValue(value, name)] : [])
    return values.flatMap((each) => {
      const words = name === undefined && isObject(each) ? wordsIn(each) : undefined
      return each === undefined || each === null ? [] : [{ ...example, ...words, value: each }]
    })
  })
}

/** The reasons of the statuses for which examples are chosen. */
const reasonOf: Record<string, string> = {
  ...{ 400: 'invalid_request', 401: 'unauthorized', 403: 'unauthorized', 404: 'not_found', 409: 'conflict' },
  ...{ 410: 'removed', 422: 'invalid_request', 429: 'rate_limited', 500: 'internal_error', 503: 'unavailable' },
}

export interface ShownValues {
  /** By status, keyword and reason. */
  values: Record<string, unknown>
  /** For all others. */
  otherwise?: unknown
}

/**
 * Chooses values of a part that examples show. Of the examples of the response itself, one is chosen for each reason. Values
 * of other responses are used if their words have the reason, or if several operations agree.
 * @param examples of this part
 * @param place the status of the response, and the pointer to its content
 */
export function chooseShown(
  examples: readonly ErrorExample[],
  place: { status: string; at: string; isEntry: boolean },
): ShownValues {
  const usable = examples.filter(({ value }) => !standsForAny(String(value)))
  const chosen: Record<string, unknown> = {}
  const own = statusOf(place.status)
  const ofStatus = (status: string | undefined) => {
    const all = usable.filter((example) => example.status === status)
    const inside = all.filter(({ at }) => at === place.at)
    const fitting = inside.length > 0 ? chooseExample(inside, true) : chooseValue(all, place.isEntry)
    const reason = ownValue(reasonOf, status ?? '') ?? ''
    const first = inside.length > 0 ? inside[0] : mostUsual(all)
    const usual = first && !isOfOther(first, reason, place.isEntry) ? first.value : undefined
    const isOnly = !place.isEntry && new Set(inside.map(({ value }) => value)).size === 1
    return { fitting, reason, isOnly, usual: ownValue(fitting, reason) ?? usual }
  }
  const constant = new Set(usable.map(({ value }) => value)).size === 1 ? usable[0]?.value : undefined
  const statuses = new Set(usable.flatMap(({ status }) => status ?? []))
  const isOfAll = statuses.size > 1 || isOfAnyError(constant)
  let otherwise = constant !== undefined && isOfAll ? constant : undefined
  if (own !== undefined) {
    const { fitting, usual, isOnly } = ofStatus(own)
    Object.assign(chosen, fitting)
    // A value that all examples of the response have is better than one whose words have the reason.
    if (isOnly && usual !== undefined) chosen[own] = usual
    otherwise = usual ?? otherwise
  }
  for (const status of own === undefined ? statuses : []) {
    const { fitting, reason, usual } = ofStatus(status)
    if (usual !== undefined) chosen[status] = usual
    if (reason !== 'invalid_request') continue
    for (const [key, value] of Object.entries(fitting)) if (!isReason(key)) chosen[key] ??= value
  }
  const values = { ...ofStatus(undefined).fitting, ...chosen }
  return { values, ...(otherwise !== undefined && { otherwise }) }
}

/** Whether the code of an example for invalid requests is of another reason, or that of a violation is of one keyword. */
function isOfOther(example: ErrorExample, reason: string, isEntry: boolean): boolean {
  if (reason !== 'invalid_request') return false
  const keys = Object.keys(chooseExample([{ ...example, text: '' }], isEntry))
  return isEntry ? keys.some((key) => key !== reason) : keys.some(isReason) && !keys.includes(reason)
}

/** Chooses an example for each reason and keyword by its code, or else by its texts, and returns the values of the part. */
function chooseExample(examples: readonly ErrorExample[], isEntry: boolean): Record<string, unknown> {
  const codes = examples.map(({ code }) => code)
  const texts = examples.map(({ text }) => text)
  const chosen = Object.entries(chooseByReason(codes, texts, isEntry))
  return Object.fromEntries(chosen.map(([key, code]) => [key, examples[codes.indexOf(String(code))]?.value]))
}

function chooseValue(examples: readonly ErrorExample[], isEntry: boolean): Record<string, unknown> {
  const values = examples.map(({ value }) => value)
  return chooseByReason(values, [], isEntry)
}

/** The value that several operations have, and most of them. */
function mostUsual(examples: readonly ErrorExample[]): ErrorExample | undefined {
  const counts = new Map<unknown, number>()
  for (const { value, count } of examples) counts.set(value, (counts.get(value) ?? 0) + count)
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one)
  const total = examples.reduce((sum, { count }) => sum + count, 0)
  return first && first[1] > 1 && first[1] * 2 >= total ? examples.find(({ value }) => value === first[0]) : undefined
}
