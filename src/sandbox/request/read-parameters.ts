/** Reads the parameters of a request as typed values. */
import type { RequestContract } from '../../contract/contract.js'
import { decodeText as decodePercent } from '../../contract/path-template.js'
import type { Parameter, ParameterPlace, ParameterStyle } from '../../contract/request-model.js'
import type { Violation } from '../../contract/violations.js'
import { createNamed } from '../../json/own-value.js'
import { toRounded } from '../../json/rounding.js'
import { decodeText } from '../../json/typed-value.js'
import { collectFields, decodeFields, type FieldContext, type Pair, parsePairs, tryJson } from '../../media/fields.js'
import { fitReadings } from '../../media/fit-readings.js'
import { decodeFromPairs, decodeFromText, type StyledValue, wrongSyntax } from '../../media/value-styles.js'
import { cookiesOf } from '../credentials/read-credentials.js'
import type { SandboxRequest } from './request.js'

/** Decoded path parameters by name. Undefined if the percent-encoding is malformed. */
export type PathTexts = Record<string, string | undefined>

export interface ReadParameters {
  /** Values by place and name, only for parameters in the request. */
  values: Record<ParameterPlace, Record<string, unknown>>
  /** The path parameters as they were sent. */
  texts: PathTexts
  /** Parameters that were sent more than once but allow only one value. */
  violations: Violation[]
  /** A sentence for each query parameter that neither the operation nor a security scheme describes. */
  notes: string[]
}

export type ParameterReader = (
  request: SandboxRequest,
  parameters: readonly Parameter[],
  path: PathTexts,
) => ReadParameters

/** Replaces text that cannot be decoded. No schema accepts a symbol, and messages quote its description. */
const malformed = Symbol('a broken percent-encoding')

/** @param readStyled reads parameters with a style. Undefined if the contract has none */
export function createParameterReader(
  contract: Pick<RequestContract, 'textTypes' | 'validators' | 'schemes'>,
  readStyled: ReadStyled | undefined,
): ParameterReader {
  // Keys are known parameters even of operations that require none.
  const keys = Object.values(contract.schemes).flatMap((scheme) =>
    scheme.kind === 'apiKey' && scheme.in === 'query' ? scheme.name : [],
  )
  return function readParameters(request, parameters, path) {
    const values = { path: createNamed(), query: createNamed(), header: createNamed(), cookie: createNamed() }
    const read: ReadParameters = { values, texts: path, violations: [], notes: [] }
    const given = request.query === '' ? undefined : new URLSearchParams(request.query)
    const unknown = given && new Set(given.keys())
    for (const parameter of parameters) {
      const { name, in: place, types, style } = parameter
      let count: number
      if (style && readStyled) {
        const source = { request, parameter, style, parameters, pathText: path[name], contract, unknown }
        const styled = readStyled(source)
        if (styled) values[place][name] = styled.value
        else if (place === 'path') values[place][name] = malformed
        count = styled?.isRepeated ? 2 : 1
      } else {
        const texts = place === 'path' ? [path[name]] : textsOf(request, given, parameter)
        if (place === 'query') unknown?.delete(name)
        count = texts.length
        if (count > 0) values[place][name] = texts[0] === undefined ? malformed : decodeText(texts[0], types)
      }
      if (count > 1) {
        const message = `${place} parameter ${name} must be given only once`
        read.violations.push({ in: place, at: name, rule: 'repeated', message })
      }
    }
    for (const name of unknown ?? []) if (!keys.includes(name)) read.notes.push(`unknown query parameter "${name}"`)
    return read
  }
}

function textsOf(
  request: SandboxRequest,
  query: URLSearchParams | undefined,
  { name, in: place }: Parameter,
): string[] {
  if (place === 'query') return query?.getAll(name) ?? []
  return [request.header(name.toLowerCase()) ?? []].flat()
}

/** A parameter that `read-parameters` cannot read by itself, and its source. */
export interface StyledSource {
  request: SandboxRequest
  parameter: Parameter
  style: ParameterStyle
  /** All parameters of the operation. */
  parameters: readonly Parameter[]
  /** The decoded text in the path. Undefined if its percent-encoding is malformed, or for other parameters. */
  pathText: string | undefined
  contract: Pick<RequestContract, 'textTypes' | 'validators'>
  /** Names in the query that no parameter has read yet. Undefined without a query. */
  unknown: Set<string> | undefined
}

export type ReadStyled = (source: StyledSource) => StyledValue

export function readStyled(source: StyledSource): StyledValue {
  const { textTypes, validators } = source.contract
  const validate = validators[source.style.validate ?? -1]
  return fitReadings((choose) => {
    const read = readOnce(source, { textTypes, choose })
    return { read, exact: read?.value, rounded: toRounded(read?.value) }
  }, validate).read
}

function readOnce(source: StyledSource, context: FieldContext): StyledValue {
  const { parameter, style, pathText } = source
  const { in: place, name } = parameter
  if (place === 'query') return readQuery(source, context)
  if (place === 'cookie') return readCookie(source, context)
  const sent = place === 'path' ? pathText : source.request.header(name.toLowerCase())
  if (sent === undefined) return undefined
  const text = style.isQuotable ? (parseKey(sent) ?? sent) : sent
  // Items of a header may have spaces around them (RFC 9110, section 5.6.1).
  const tidy =
    place === 'header' && style.name === 'simple'
      ? text
          .split(',')
          .map((item) => item.trim())
          .join()
      : text
  return isNone(tidy, style) ? undefined : { value: decodeFromText(tidy, name, style, context) }
}

function isNone(text: string, { isEmptyNone }: ParameterStyle): boolean {
  return isEmptyNone === true && text === ''
}

function readQuery(source: StyledSource, context: FieldContext): StyledValue {
  const { request, parameter, style, parameters, unknown } = source
  const pairs = parsePairs(request.query)
  if (style.name === 'query-json' || style.name === 'query-form') {
    unknown?.clear()
    return request.query === '' ? undefined : { value: decodeWhole(request.query, pairs, style, context) }
  }
  const others = parameters.filter((each) => each.in === 'query' && each !== parameter)
  const taken = new Set(others.map(({ name }) => name))
  unknown?.delete(parameter.name)
  if (pairs.some(({ name, value }) => name === parameter.name && isNone(String(value), style))) return undefined
  const read = decodeFromPairs(pairs, parameter.name, style, context, taken)
  for (const name of read?.names ?? []) unknown?.delete(name)
  return read
}

function decodeWhole(query: string, pairs: readonly Pair[], style: ParameterStyle, context: FieldContext): unknown {
  if (style.name === 'query-form')
    return decodeFields(
      collectFields(pairs, () => false),
      context.textTypes[style.type],
      context,
    )
  const text = decodePercent(query) ?? query
  const value = tryJson(text)
  return value === undefined ? wrongSyntax('text that is not JSON') : value
}

/** Only the style `form` percent-encodes cookies. Items are separated by `&` or commas, or are cookies of the same name. */
function readCookie({ request, parameter, style }: StyledSource, context: FieldContext): StyledValue {
  const { name } = parameter
  const decode = (text: string) => (style.name === 'cookie' ? text : (decodePercent(text) ?? text))
  const header = request.header('cookie') ?? ''
  const pairs = header.split(/; *|&/).flatMap((each): Pair[] => {
    const end = each.indexOf('=')
    return end === -1 ? [] : [{ name: each.slice(0, end).trim(), value: decode(each.slice(end + 1)) }]
  })
  const types = context.textTypes[style.type]?.types ?? []
  const isStructured = types.includes('array') || types.includes('object')
  const texts = cookiesOf(request, name)
  if (!isStructured || style.name === 'json' || !style.explode) {
    const [text] = texts
    if (text === undefined || isNone(text, style)) return undefined
    const isRaw = isStructured && style.name === 'form'
    // Only commas that are not percent-encoded separate items.
    const value = isRaw ? decodeRaw(text) : decodeFromText(decode(text), name, style, context)
    return { value, isRepeated: texts.length > 1 }
  }
  const own = pairs.filter((pair) => pair.name === name)
  if (own.length === 1 && types.includes('array')) return { value: decodeRaw(texts[0] ?? '') }
  return decodeFromPairs(pairs, name, style, context)

  function decodeRaw(text: string): unknown {
    const pair = { name, value: decode(text), raw: text.replaceAll('+', '%2B') }
    return decodeFromPairs([pair], name, { ...style, explode: false }, context)?.value
  }
}

/** Maximum number of characters of a key. */
export const maxKeyLength: number = 1024

/**
 * A String of Structured Fields (RFC 9651, section 3.3.3), or the bare text that most clients send.
 * @returns undefined if the text is not a valid key
 * @example parseKey('"8e03978e"') // '8e03978e'
 */
export function parseKey(field: string): string | undefined {
  const text = field.trim()
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"(?:;.*)?$/.exec(text)
  const key = quoted ? quoted[1]?.replace(/\\(.)/g, '$1') : /^[\x20\x21\x23-\x7e]+$/.test(text) ? text : undefined
  return key !== undefined && key.length > 0 && key.length <= maxKeyLength ? key : undefined
}
