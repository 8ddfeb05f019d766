/** Creates the instances of Ajv that compile validators. */

import {
  _,
  Ajv2020,
  type AnySchemaObject,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  Name,
  type Options,
} from 'ajv/dist/2020.js'
import { _Code } from 'ajv/dist/compile/codegen/code.js'
import { inlineRef } from 'ajv/dist/compile/resolve.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { default as Ajv04 } from 'ajv-draft-04'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { SchemaError, Validate } from '../contract/validator.js'
import type { OpenApiDocument, OpenApiVersion } from '../document/document.js'
import { oncePer, withLazy } from '../document/once.js'
import { boundPattern } from '../document/patterns/bounded-pattern.js'
import { exactBounds, toExactNumber } from '../json/exact-json.js'
import { isMultiple } from '../json/is-multiple.js'
import { getOrInsert, isObject, ownValue } from '../json/own-value.js'
import { isOfType } from '../json/typed-value.js'

// `violations.ts` makes the messages. Strict mode would refuse the additional keywords of OpenAPI. `strictNumbers`
// refuses numbers that are too large for a double.
const options = { strict: false, strictNumbers: true, allErrors: true, messages: false, logger: false } as const

/**
 * An instance for the schemas of a document.
 * @param compileTarget compiles the schema with a name when a `$ref` to it is used
 */
export function createValidating(
  document: OpenApiDocument,
  isForModule: boolean,
  compileTarget: (name: string) => Validate,
): Ajv2020 {
  const used = usedWords(document)
  // Needed if the document uses inherited names such as `constructor`. Other documents skip a check.
  const ownProperties = inherited.some((name) => used.has(name))
  const code = isForModule
    ? { source: true, esm: true, process: addErrors }
    : { optimize: false, regExp, process: (text: string) => keepResults(addErrors(text)) }
  // The schemas of a document were already checked.
  const ajv = createAjv({
    ownProperties,
    validateSchema: false,
    code,
    inlineRefs: maxInlined,
    ...(isForModule && { loopEnum: maxCompared }),
  })
  // Otherwise Ajv collects the properties of each part of a schema, which takes quadratic time for thousands of parts.
  ajv.opts.unevaluated = used.has('unevaluatedProperties') || used.has('unevaluatedItems')
  const noParams = { error: { message: '', params: _`{}` } }
  redefine(ajv, 'uniqueItems', noParams, () => (context) => {
    const { data, schema } = context
    if (schema !== true) return
    const toText = scope(context, toComparableText)
    const exact = _`(${data}[Symbol.for("exact")] ?? ${data})`
    context.fail(_`${data}.length > 1 && new Set(${exact}.map((item) => ${toText}(item))).size < ${data}.length`)
  })
  redefine(ajv, 'multipleOf', {}, () => (context) => {
    context.pass(_`${scope(context, isMultiple)}(${context.data}, ${context.schema}, ${exactOf(context)})`)
  })
  ajv.addKeyword({
    keyword: exactBounds,
    error: { message: '', params: ({ params }) => params['code'] as Code },
    code: compareExactly,
  })
  for (const keyword of ['enum', 'const']) redefine(ajv, keyword, {}, compareByText)
  for (const keyword of ['anyOf', 'oneOf', 'contains', 'propertyNames'])
    judgeAlternatives(ajv, keyword, isForModule ? undefined : compileTarget)
  // What alternatives evaluate is unknown if none is valid.
  const isUnknown = ({ it: { props, items } }: KeywordCxt) => props instanceof Name || items instanceof Name
  for (const keyword of ['unevaluatedItems', 'unevaluatedProperties'])
    redefine(ajv, keyword, {}, (judge) => (context, rule) => {
      context.gen.if(isUnknown(context) ? _`${count} === 0` : true, () => judge(context, rule))
    })
  if (!isForModule) compileReferencesLater(ajv, compileTarget)
  return ajv
}

type KeywordCode = CodeKeywordDefinition['code']

type OwnMembers = Partial<Pick<CodeKeywordDefinition, 'error'>>

/** Replaces the code of a keyword. @param own other members that are replaced */
function redefine(ajv: Ajv2020, keyword: string, own: OwnMembers, change: (code: KeywordCode) => KeywordCode): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  ajv.removeKeyword(keyword).addKeyword({ ...definition, ...own, code: change(definition.code) })
}

/**
 * Compiles the target of a `$ref` only when a value reaches it. Otherwise the first request would compile all schemas that
 * its own refers to, which takes seconds in a large document, and a long chain of them would overflow the stack.
 */
function compileReferencesLater(ajv: Ajv2020, compileTarget: (name: string) => Validate): void {
  const targets = new Map<string, Later | undefined>()
  const toTarget = (name: string) => {
    const schema = ajv.schemas[name]?.schema
    return schema === undefined || inlineRef(schema, maxInlined) ? undefined : toLater({}, () => compileTarget(name))
  }
  const definition = ajv.getKeyword('$ref') as CodeKeywordDefinition
  const compileNow = definition.code
  // Changed in place, because a new keyword would come after the others.
  definition.code = (context, rule) => {
    const { gen, schema: name } = context
    const target = getOrInsert(targets, name, () => toTarget(name))
    if (target) callRef(context, _`${gen.scopeValue('wrapper', { ref: target })}.validate`)
    else compileNow(context, rule)
  }
}

/** A validator that is compiled when a value reaches it. */
interface Later {
  readonly validate: Inner
}

/** A validator that Ajv's code calls. */
type Inner = Validate & { evaluated?: object }

const toLater = <T extends object>(part: T, compile: () => Validate): T & Later => withLazy(part, 'validate', compile)

/** The keyword beside alternatives that says which of them judges a value: that of the value of a property. */
export const chosenBy = 'x-sandbox-chosen-by'

/** The keyword beside alternatives that has their names, or empty texts. */
export const alternativeNames = 'x-sandbox-alternatives'

export interface ChosenBy {
  name: string
  /** The index of an alternative by the comparable text of the property. Others are judged by none. */
  indexes: Record<string, number>
}

/** Variables of compiled code: the number of errors, and the errors. */
const count = new Name('errors')
const found = new Name('vErrors')

/**
 * Of a value that no alternative accepts, only reports what is wrong in the closest one: one mistake is one violation. Of
 * `contains` and `propertyNames`, only reports the keyword, because the other items may be right.
 * @param compileTarget compiles each of many alternatives when a value reaches it. Absent for a module
 */
function judgeAlternatives(ajv: Ajv2020, keyword: string, compileTarget?: (name: string) => Validate): void {
  let added = 0
  const laterOf = (part: AnySchemaObject | boolean) => {
    const schema = typeof part === 'boolean' ? { allOf: [part] } : part
    const isTarget = typeof schema.$ref === 'string' && Object.keys(schema).length === 1
    const name: string = isTarget ? schema.$ref : `${keyword}${added++}`
    if (!isTarget) ajv.addSchema(schema, name)
    return toLater({ schema }, () => compileTarget?.(name) as Validate)
  }
  redefine(ajv, keyword, {}, (judge) => (context, rule) => {
    const { gen, it, data, schema, parentSchema, subschema, error } = context
    const parts: AnySchemaObject[] = Array.isArray(schema) ? schema : []
    const chosen: ChosenBy | undefined = parts.length > 0 ? parentSchema[chosenBy] : undefined
    const names = parts.map((_part, index) => parentSchema[alternativeNames]?.[index] || `number ${index + 1}`)
    // Code for each of many alternatives would be nested as deeply, and take quadratic time.
    if (compileTarget && parts.length > maxCompared && (chosen || !it.opts.unevaluated)) {
      const later = parts.map(laterOf)
      const ref = chosen ? byProperty(chosen, later) : byClosest(ajv, keyword, later, names)
      callRef(context, gen.scopeValue('validate', { ref }))
      return
    }
    if (chosen) {
      const exact = _`(${data}?.[Symbol.for("exact")] ?? ${data})?.[${chosen.name}]`
      const indexes = new _Code(JSON.stringify(chosen.indexes))
      const at = gen.const('at', _`(${indexes})[${scope(context, toComparableText)}(${exact})]`)
      const valid = gen.name('_valid')
      for (const schemaProp of new Set(Object.values(chosen.indexes))) {
        gen.if(_`${at} === ${schemaProp}`, () => {
          context.mergeValidEvaluated(context.subschema({ keyword, schemaProp }, valid), valid)
        })
      }
      return
    }
    const start = gen.const('start', count)
    const ends = parts.map(() => gen.let('end', -1))
    context.subschema = (part, valid) => {
      const result = subschema.call(context, part, valid)
      const end = ends[Number('schemaProp' in part ? part.schemaProp : -1)]
      if (end && it.createErrors !== false) gen.assign(end, count)
      return result
    }
    context.error = (...args) => {
      error.apply(context, args)
      if (it.createErrors === false) return
      const list = ends.reduce((code, end) => _`${code}, ${end}`, _`${start}`)
      const written = new _Code(JSON.stringify(names))
      gen.assign(count, _`${scope(context, chooseClosest)}(${found}, [${list}], ${written})`)
    }
    judge(context, rule)
  })
}

/** Validates by the alternative that a property chooses. */
function byProperty({ name, indexes }: ChosenBy, parts: readonly Later[]): Inner {
  const validate: Inner = (value, context) => {
    const known = value as Record<string | symbol, Record<string, unknown>> | null | undefined
    const text = toComparableText((known?.[Symbol.for('exact')] ?? known)?.[name])
    const chosen = parts[ownValue(indexes, text) ?? -1]?.validate
    const isValid = chosen?.(value, context) ?? true
    return Object.assign(validate, { errors: chosen?.errors, evaluated: chosen?.evaluated ?? {} }) && isValid
  }
  return validate
}

/**
 * Validates by the alternatives that a value may satisfy, as far as types and names say, or else by the few that are closest:
 * to compile one takes about a millisecond, to look at it a microsecond.
 */
function byClosest(
  ajv: Ajv2020,
  keyword: string,
  parts: readonly (Later & { schema: AnySchemaObject })[],
  names: readonly string[],
): Inner {
  const validate: Inner = (value, context) => {
    const errors: SchemaError[] = []
    const ends = [0]
    const passing: number[] = []
    const distances = parts.map(({ schema }, index) => ({ index, distance: distanceOf(ajv, schema, value) }))
    const possible = distances.filter(({ distance }) => distance === 0)
    // Of other types, one each: the message lists them.
    const byType = distances.map(
      (each) => [each.distance < 1e9 ? each.index : String(parts[each.index]?.schema.type), each] as const,
    )
    const closest = [...new Map(byType).values()]
      .sort((one, other) => one.distance - other.distance)
      .slice(0, maxCompared)
    const tried: string[] = []
    for (const { index } of possible.length > 0 ? possible : closest) {
      tried.push(names[index] ?? '')
      const part = parts[index] as Later
      // Validators are called once without a value, which need not compile the alternatives.
      if (value === undefined || part.validate(value, context)) passing.push(index)
      else for (const each of part.validate.errors ?? []) errors.push(each)
      ends.push(errors.length)
      if (passing.length === (keyword === 'oneOf' && value !== undefined ? 2 : 1)) break
    }
    const isValid = passing.length === 1
    const params = { passingSchemas: passing.length > 1 ? passing : null }
    errors.push({ keyword, instancePath: context?.instancePath ?? '', params })
    chooseClosest(errors, ends, [...tried, ...names.slice(tried.length)])
    validate.errors = isValid ? null : errors
    return isValid
  }
  return validate
}

/** How far a value is from a schema: the number of names that are missing or not allowed. At least 1e9 for another type. */
function distanceOf(ajv: Ajv2020, schema: AnySchemaObject | boolean | undefined, value: unknown): number {
  if (typeof schema !== 'object') return schema === false ? 1 : 0
  const { $ref, type, required = [], properties = {}, patternProperties, additionalProperties, allOf = [] } = schema
  const isOther = type !== undefined && ![type].flat().some((each) => isOfType(value, each))
  if (isOther) return type === 'null' ? 2e9 : 1e9
  const parts = $ref === undefined ? allOf : [...allOf, ajv.schemas[$ref]?.schema]
  const distance = parts.reduce((sum: number, part: AnySchemaObject) => sum + distanceOf(ajv, part, value), 0)
  if (!isObject(value)) return distance
  const missing = required.filter((name: string) => !Object.hasOwn(value, name))
  const isClosed = additionalProperties === false && !patternProperties
  const unknown = isClosed ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name)) : []
  return distance + missing.length + unknown.length
}

/**
 * Removes the errors of all alternatives but the closest one, and that of the keyword itself, which is the last. Validators
 * contain the code of this function, so it must not use anything outside of itself.
 * @param ends where the errors of the alternatives begin and end
 * @param names those of the alternatives, and of others that were not tried
 * @returns the number of errors
 */
function chooseClosest(all: SchemaError[], [start = 0, ...ends]: number[], names: readonly string[]): number {
  const [whole] = all.slice(-1) as [SchemaError]
  let before = start
  const parts = ends.flatMap((end, index) => {
    const part = all.slice(before, Math.max(end, 0))
    before = Math.max(before, end)
    const here = part.filter(({ instancePath }) => instancePath === whole.instancePath)
    const own = here.find(({ keyword }) => keyword === 'type')
    const listed = here.find(({ keyword }) => keyword === 'const' || keyword === 'enum')
    // A constant distinguishes alternatives, so that a wrong one counts more than other mistakes, as does what is missing.
    const costs: Record<string, number> = { const: 10, enum: 10, required: 3 }
    const cost = part.reduce((sum, { keyword }) => sum + (costs[keyword] ?? 1), 0)
    const far = own?.params['type'] === 'null' ? 2e9 : 1e9
    return part.length > 0 ? [{ part, own, listed, cost: own ? far : cost, name: names[index] }] : []
  })
  all.length = start
  const [closest] = parts.sort((one, other) => (one.cost < other.cost ? -1 : Number(one.cost > other.cost)))
  const left = !closest || whole.params['passingSchemas'] ? [whole] : closest.part
  for (const each of left) all.push(each)
  // Other types and values are in the message.
  const unclear = parts.filter(({ own, listed }) => !own && !listed).length
  const isUnclear = left === closest?.part && unclear > 0 && (unclear > 1 || names.length > ends.length)
  if (isUnclear) for (const { params } of left) params['closest'] ??= `; the closest alternative is ${closest?.name}`
  // A value that no alternative has says which there are: `must be a string or null`, `must be one of a, b`.
  const types = new Set(parts.flatMap(({ own }) => own?.params['type'] ?? []))
  if (closest?.own) closest.own.params = { type: [...types] }
  const values = parts.flatMap(({ listed }) => listed?.params['allowedValues'] ?? listed?.params['allowedValue'] ?? [])
  if (closest?.listed) Object.assign(closest.listed, { keyword: 'enum', params: { allowedValues: values } })
  return all.length
}

/** Compares by text, because Ajv calls `toString` and `valueOf` of compared objects, which callers may send as properties. */
function compareByText(compare: KeywordCode): KeywordCode {
  return (context, rule) => {
    const allowed = context.keyword === 'enum' ? [context.schema].flat() : [context.schema]
    if (allowed.length <= maxCompared && !allowed.some((value) => typeof value === 'object' && value !== null))
      compare(context, rule)
    else context.pass(isOneOf(context, allowed.map(toComparableText), context.data))
  }
}

/** Whether a value has one of the texts, which takes as long for a thousand. */
function isOneOf(context: KeywordCxt, texts: readonly string[], data: Code): Code {
  const code = new _Code(`new Set(${JSON.stringify(texts)})`)
  const known = context.gen.scopeValue('schema', { ref: new Set(texts), code })
  return _`${known}.has(${scope(context, toComparableText)}(${data}))`
}

/** When a number is outside of a bound. */
const outside: Record<string, string> = { minimum: '<', exclusiveMinimum: '<=', maximum: '>', exclusiveMaximum: '>=' }

/** The value with every digit, which `toRounded` keeps. */
const exactOf = ({ data, it }: KeywordCxt) =>
  _`(${it.parentData}?.[Symbol.for("exact")]?.[${it.parentDataProperty}] ?? ${data})`

/** Compares the value with every digit with what a schema says of numbers beyond doubles. */
function compareExactly(context: KeywordCxt): void {
  const [data, exact] = [context.data, exactOf(context)]
  for (const [keyword, written] of Object.entries(context.schema as Record<string, string | string[]>)) {
    const limit = new _Code(`${written}n`)
    if (Array.isArray(written)) {
      const allowed = new _Code(JSON.stringify(written))
      const code = keyword === 'enum' ? _`{allowedValues: ${allowed}}` : _`{allowedValue: ${allowed}[0]}`
      Object.assign(context, { keyword, params: { code } })
      context.fail(_`!${isOneOf(context, written, exact)}`)
    } else {
      // As a double is written, if that is the same number: 1e+23.
      const short = String(Number(written))
      const shown = toExactNumber(short, Number(written)) === BigInt(written) ? short : written
      Object.assign(context, { keyword, params: { code: _`{limit: ${shown}, multipleOf: ${shown}}` } })
      const operator = outside[keyword]
      const isOutside = operator
        ? _`${exact} ${new _Code(operator)} ${limit}`
        : _`!Number.isInteger(${data}) || BigInt(${exact}) % ${limit} !== 0n`
      context.fail(_`typeof ${data} == "number" && (${isOutside})`)
    }
  }
}

/** The name of a function in compiled code, which contains a copy of it. */
function scope({ gen }: KeywordCxt, ref: (...values: never[]) => unknown): Name {
  return gen.scopeValue('func', { ref, code: new _Code(`(${ref})`) })
}

/** Ajv uses the property `code` as the code of this function in a module. */
const regExp = Object.assign((pattern: string) => boundPattern(pattern) ?? /(?:)/, { code: 'new RegExp' })

/** Maximum keywords of a schema that Ajv inlines for each `$ref`. Without a limit, the time doubles with each level. */
const maxInlined = 1_000

/** The code of a module compares up to this many values one by one. */
const maxCompared = 12

/** Number of calls in one validation after which results are cached. Most validations need only a few calls. */
const callsUntilKept = 1_000

/**
 * Caches the results of a schema function for each object: nested alternatives would otherwise validate the same objects
 * again and again, which takes exponential time. All functions of one validation share the object `dynamicAnchors`. A
 * cached invalid result only has one of its errors, because their number would also grow exponentially.
 */
function keepResults(code: string): string {
  const name = /return function (validate\d+)\(/.exec(code)?.[1]
  if (name === undefined) return code
  const judging = code.replace(`return function ${name}(`, 'const judge = function (')
  return `${judging}
function ${name}(data, context = {}) {
  const run = (context.dynamicAnchors ??= {})
  run.calls = (run.calls ?? 0) + 1
  if (run.calls < ${callsUntilKept} || typeof data !== 'object' || data === null) return judge(data, context)
  run.kept ??= new Map()
  let kept = run.kept.get(judge)
  if (!kept) run.kept.set(judge, (kept = new Map()))
  const known = kept.get(data)
  if (known) {
    ${name}.errors = known.errors
    ${name}.evaluated = known.evaluated
    return known.errors === null
  }
  const isValid = judge(data, context)
  kept.set(data, { errors: isValid ? null : ${name}.errors.slice(0, 1), evaluated: ${name}.evaluated })
  return isValid
}
return ${name}`
}

/** Ajv copies all errors before it adds those of a `$ref`: with 50,000 wrong items that takes minutes. */
function addErrors(code: string): string {
  // Skips string literals, because a text of the document may look like this code.
  return code.replaceAll(/"(?:[^"\\]|\\.)*"?|vErrors\.concat\(([\w.]+)\.errors\)/g, (found, name?: string) =>
    name === undefined ? found : `(${name}.errors.forEach((error) => void vErrors.push(error)), vErrors)`,
  )
}

/** An instance of Ajv with our pattern formats. */
function createAjv(own: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...options, ...own })
  for (const [name, format] of Object.entries({ ...fullFormats, ...formats })) {
    if (format instanceof RegExp) ajv.addFormat(name, format)
  }
  return ajv
}

/** Whether a text has a format. True for formats that validators do not check. */
export function matchesFormat(name: string, text: string): boolean {
  const format = ownValue<unknown>({ ...fullFormats, ...formats }, name)
  return !(format instanceof RegExp) || new RegExp(format.source, format.flags).test(text) // unmeasured: the formats are measured where they are written
}

/** Compiles a validator of whole documents from the official JSON Schema: draft 4 up to 3.0, draft 2020-12 for others. */
export function compileDocumentCheck(version: OpenApiVersion, schema: object): Validate {
  const checkOptions = { ...options, validateFormats: false, code: { process: addErrors } }
  const ajv = version === '2.0' || version === '3.0' ? new Ajv04.default(checkOptions) : new Ajv2020(checkOptions)
  return ajv.compile(schema) as Validate
}

/** The listed words that a document uses as a name or a text. Cached, because one document needs several instances. */
const usedWords = oncePer((document: OpenApiDocument): ReadonlySet<string> => {
  const found = new Set<string>()
  const look = (text: string) => text.length <= longest && words.has(text) && found.add(text)
  const seen = new Set<object>()
  const open: object[] = [document]
  for (let value = open.pop(); value; value = open.pop()) {
    if (seen.has(value)) continue
    seen.add(value)
    for (const name in value) {
      const inner: unknown = value[name as never]
      look(name)
      if (typeof inner === 'string') look(inner)
      else if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return found
})

const inherited = Object.getOwnPropertyNames(Object.prototype)
const words: ReadonlySet<string> = new Set([...inherited, 'unevaluatedProperties', 'unevaluatedItems'])
const longest = Math.max(...[...words].map(({ length }) => length))

// Months with 31 days, with 30 days, February, and its 29th in leap years (RFC 3339, appendix C).
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`

const day = String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])`

const date = String.raw`(?:\d{4}-(?:${day})|${leapYear}-02-29)`

const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`

/** Formats by name that ajv-formats checks with functions. */
const formats: Record<string, RegExp> = {
  date: new RegExp(`^${date}$`),
  time: new RegExp(`^${time}$`, 'i'),
  'date-time': new RegExp(`^${date}t${time}$`, 'i'),
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
}

/**
 * Returns the same text for equal JSON values, and only for these. Validators contain the code of this function, so it must
 * not use anything outside of itself.
 * @example toComparableText({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function toComparableText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => toComparableText(item)).join()}]`
  const values = value as Record<string, unknown>
  const members = Object.keys(values).map((name) => `${JSON.stringify(name)}:${toComparableText(values[name])}`)
  return `{${members.sort().join()}}`
}
