/** Creates the instances of Ajv that compile validators. */

import {
  _,
  Ajv2020,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  Name,
  type Options,
} from 'ajv/dist/2020.js'
import { inlineRef } from 'ajv/dist/compile/resolve.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { default as Ajv04 } from 'ajv-draft-04'
import type { Validate } from '../contract/validator.js'
import type { OpenApiDocument, OpenApiVersion } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { boundPattern } from '../document/patterns/bounded-pattern.js'
import { exactBounds } from '../json/exact-json.js'
import { isMultiple } from '../json/is-multiple.js'
import { getOrInsert } from '../json/own-value.js'
import {
  compareByText,
  compareExactly,
  exactOf,
  maxCompared,
  redefine,
  scope,
  toComparableText,
} from './ajv-keywords.js'
import { formats } from './formats.js'
import { count, judgeAlternatives, type Later, toLater } from './judge-alternatives.js'

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

/** Ajv uses the property `code` as the code of this function in a module. */
const regExp = Object.assign((pattern: string) => boundPattern(pattern) ?? /(?:)/, { code: 'new RegExp' })

/** Maximum keywords of a schema that Ajv inlines for each `$ref`. Without a limit, the time doubles with each level. */
const maxInlined = 1_000

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
  for (const [name, format] of Object.entries(formats)) {
    if (format instanceof RegExp) ajv.addFormat(name, format)
  }
  return ajv
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
