/** Reads parameters with an OpenAPI `style`. Separate, so that bundles without such parameters drop it. */
import type { Parameter, ParameterStyle, TextType } from '../../contract/request-model.js'
import { collectFields, decodeFields, type Pair, parsePairs, tryJson } from '../../media/fields.js'
import { decodeFromPairs, decodeFromText, type StyledValue, wrongSyntax } from '../../media/value-styles.js'
import { cookiesOf } from '../credentials/read-credentials.js'
import { parseKey } from '../http/parse-key.js'
import type { SandboxRequest } from './request.js'

/** A parameter that `read-parameters` cannot read by itself, and its source. */
export interface StyledSource {
  request: SandboxRequest
  parameter: Parameter
  style: ParameterStyle
  /** All parameters of the operation. */
  parameters: readonly Parameter[]
  /** The decoded text in the path. Undefined if its percent-encoding is malformed, or for other parameters. */
  pathText: string | undefined
  textTypes: readonly TextType[]
  /** Names in the query that no parameter has read yet. Undefined without a query. */
  unknown: Set<string> | undefined
}

export type ReadStyled = (source: StyledSource) => StyledValue

export function readStyled(source: StyledSource): StyledValue {
  const { parameter, style, pathText } = source
  const { in: place, name } = parameter
  if (place === 'query') return readQuery(source)
  if (place === 'cookie') return readCookie(source)
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
  return isNone(tidy, style) ? undefined : { value: decodeFromText(tidy, name, style, source) }
}

function isNone(text: string, { isEmptyNone }: ParameterStyle): boolean {
  return isEmptyNone === true && text === ''
}

function readQuery(source: StyledSource): StyledValue {
  const { request, parameter, style, parameters, unknown } = source
  const pairs = parsePairs(request.query)
  if (style.name === 'query-json' || style.name === 'query-form') {
    unknown?.clear()
    return request.query === '' ? undefined : { value: decodeWhole(request.query, pairs, source) }
  }
  const others = parameters.filter((each) => each.in === 'query' && each !== parameter)
  const taken = new Set(others.map(({ name }) => name))
  unknown?.delete(parameter.name)
  if (pairs.some(({ name, value }) => name === parameter.name && isNone(String(value), style))) return undefined
  const read = decodeFromPairs(pairs, parameter.name, style, source, taken)
  for (const name of read?.names ?? []) unknown?.delete(name)
  return read
}

function decodeWhole(query: string, pairs: readonly Pair[], { style, textTypes }: StyledSource): unknown {
  const context = { textTypes }
  if (style.name === 'query-form')
    return decodeFields(
      collectFields(pairs, () => false),
      textTypes[style.type],
      context,
    )
  const text = percentDecode(query)
  const value = tryJson(text)
  return value === undefined ? wrongSyntax('text that is not JSON') : value
}

/** Only the style `form` percent-encodes cookies. Items are separated by `&` or commas, or are cookies of the same name. */
function readCookie(source: StyledSource): StyledValue {
  const { request, parameter, style, textTypes } = source
  const { name } = parameter
  const decode = style.name === 'cookie' ? (text: string) => text : percentDecode
  const header = request.header('cookie') ?? ''
  const pairs = header.split(/; *|&/).flatMap((each): Pair[] => {
    const end = each.indexOf('=')
    return end === -1 ? [] : [{ name: each.slice(0, end).trim(), value: decode(each.slice(end + 1)) }]
  })
  const types = textTypes[style.type]?.types ?? []
  const isStructured = types.includes('array') || types.includes('object')
  const texts = cookiesOf(request, name)
  if (!isStructured || style.name === 'json' || !style.explode) {
    const [text] = texts
    if (text === undefined || isNone(text, style)) return undefined
    const isRaw = isStructured && style.name === 'form'
    // Only commas that are not percent-encoded separate items.
    const value = isRaw ? decodeRaw(text, source, decode) : decodeFromText(decode(text), name, style, source)
    return { value, isRepeated: texts.length > 1 }
  }
  const own = pairs.filter((pair) => pair.name === name)
  if (own.length === 1 && types.includes('array')) return { value: decodeRaw(texts[0] ?? '', source, decode) }
  return decodeFromPairs(pairs, name, style, source)
}

function decodeRaw(text: string, { parameter, style, textTypes }: StyledSource, decode: (text: string) => string) {
  const pair = { name: parameter.name, value: decode(text), raw: text.replaceAll('+', '%2B') }
  return decodeFromPairs([pair], parameter.name, { ...style, explode: false }, { textTypes })?.value
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
