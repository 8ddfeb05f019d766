/** Judges the documented headers of a response. They are text, and are read by the types that their schemas allow. */
import { separators } from '../../../contract/item-types.js'
import type { Validate } from '../../../contract/validator.js'
import type { Located, OpenApiDocument, ParameterObject, ResponseObject, Schema } from '../../../document/document.js'
import { createNotes } from '../../../document/notes.js'
import { resolve } from '../../../document/references.js'
import { parseExactJson, toExactNumber } from '../../../json/exact-json.js'
import { toJsonPointer } from '../../../json/json-pointer.js'
import { getOrInsert, ownValue } from '../../../json/own-value.js'
import { toRounded } from '../../../json/rounding.js'
import type { Choose } from '../../../media/fields.js'
import { fitReadings } from '../../../media/fit-readings.js'
import { createValidatorCompiler } from '../../../schemas/compile-validators.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { parameterSchema } from '../../../schemas/operations/request-content.js'
import { type Deviation, deviationsOf, type ToPlace } from './deviation.js'
import { isJsonText } from './documented-content.js'

export type HeaderJudge = (response: Located<ResponseObject>, headers: Record<string, string>) => Deviation[]

interface DocumentedHeader {
  /** In lower case. */
  name: string
  isRequired: boolean
  validate: Validate
  read(text: string, choose: Choose | undefined): unknown
}

/** Compiles the headers of each response when they are first needed. */
export function createHeaderJudge(document: OpenApiDocument, toPlace: ToPlace): HeaderJudge {
  const compiler = createValidatorCompiler(document, createNotes(), { isForModule: false })
  const known = new Map<ResponseObject, DocumentedHeader[]>()

  function compile({ value, path }: Located<ResponseObject>): DocumentedHeader[] {
    // OpenAPI ignores a header of this name.
    const documented = Object.entries(value.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type')
    return documented.flatMap(([name, written]) => {
      const toHeader = () => resolve<ParameterObject>(document, written, [...path, 'headers', name])
      return createNotes().attempt(() => [compileHeader(name, toHeader())], '', [] as DocumentedHeader[])
    })

    function compileHeader(name: string, header: Located<ParameterObject>): DocumentedHeader {
      const { required = false, content = {} } = header.value
      const [media] = Object.keys(content)
      const schema = parameterSchema(header)
      const readMedia = media !== undefined && (isJsonText(media) ? readJson : (text: string) => text)
      // Validators look up the digits of large integers in what holds them.
      const holder = { value: { properties: { value: schema.value } }, path: schema.path }
      const number = compiler.add(holder, 'response')
      const judge = compiler.toFunctions()[number]
      const validate: Validate = (value) => {
        const isValid = judge?.(toRounded({ value })) !== false
        const errors = judge?.errors?.map((error) => ({ ...error, instancePath: error.instancePath.slice(6) }))
        validate.errors = errors ?? null
        return isValid
      }
      return {
        name: name.toLowerCase(),
        isRequired: required,
        validate,
        read: readMedia || ((text, choose) => readSimple(document, schema, text, header.value, choose)),
      }
    }
  }

  return (response, headers) => {
    const documented = getOrInsert(known, response.value, () => compile(response))
    return documented.flatMap(({ name, isRequired, validate, read }): Deviation[] => {
      const text = ownValue(headers, name)
      if (text === undefined && !isRequired) return []
      if (text === undefined) {
        return [{ at: 'header', kind: 'required', message: `Response header must have required property '${name}'` }]
      }
      const readings = fitReadings((choose) => ({ rounded: read(text, choose) }), validate)
      if (validate(readings.rounded)) return []
      const words = `Response header parameter ${name}`
      return deviationsOf(validate, toPlace, ['header', name], { whole: words, member: words })
    })
  }
}

function readJson(text: string): unknown {
  try {
    return parseExactJson(text).exact
  } catch {
    return text
  }
}

/** Reads the style `simple` (RFC 6570, section 3.2.2). */
function readSimple(
  document: OpenApiDocument,
  schema: Located<Schema>,
  text: string,
  { explode = false, style = '' }: Pick<ParameterObject, 'explode' | 'style'>,
  choose: Choose = (_, [first]) => first?.(),
): unknown {
  const flat = flattenSchema(document, schema)
  const parts = text === '' ? [] : text.split(separators[style] ?? ',').map((part) => part.trim())
  const read = (at: string, value: string, own: Located<Schema> | undefined) =>
    choose(toJsonPointer([at]), own ? readScalar(flattenSchema(document, own), value) : [() => value])
  const readings = readScalar(flat, text)
  if (allows(flat, 'object')) {
    const pairs = explode ? parts.map(splitPair) : pairsOf(parts)
    const toEntry = ([name, value]: [string, string]) => [name, read(name, value, flat.properties.get(name))]
    readings.unshift(() => Object.fromEntries(pairs.map(toEntry)))
  }
  if (allows(flat, 'array')) readings.unshift(() => parts.map((part, index) => read(String(index), part, flat.items)))
  return choose('', readings)
}

/** Whether a schema allows an array or object, by its type or by its members. */
function allows({ types, items, properties }: FlatSchema, type: 'array' | 'object'): boolean {
  if (types.size > 0) return types.has(type)
  return type === 'array' ? items !== undefined : properties.size > 0
}

const numberText = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The values that a text may be. Without types, the enum values with the same text. */
function readScalar({ types, keywords }: FlatSchema, text: string): (() => unknown)[] {
  const given = [keywords.const, ...(keywords.enum ?? [])].filter(
    (value) => String(value) === text && value !== undefined,
  )
  const isAny = types.size === 0
  const isNumber = isAny || types.has('integer') || types.has('number')
  const readings: unknown[] = [...given]
  if (isNumber && numberText.test(text)) readings.push(toExactNumber(text, Number(text)))
  if ((isAny || types.has('boolean')) && /^(?:true|false)$/.test(text)) readings.push(text === 'true')
  if ((isAny || types.has('null')) && /^(?:null)?$/.test(text)) readings.push(null)
  return (types.has('string') ? [text, ...readings] : [...readings, text]).map((each) => () => each)
}

function splitPair(part: string): [string, string] {
  const at = part.indexOf('=')
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
}

function pairsOf(parts: readonly string[]): [string, string][] {
  return parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ''] as [string, string]] : []))
}
