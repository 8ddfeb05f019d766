/** Turns the text of parameters into typed values. */
import type { JsonType, Parameter } from '../contract/contract.js'
import { toExactInteger } from '../contract/exact-json.js'
import type { SandboxRequest } from './request.js'

export interface Decoded {
  /** Values by place and name. */
  values: Record<'query' | 'header' | 'cookie', Record<string, unknown>>
  /** Parameters that are given more than once and hold only one value. */
  repeated: Parameter[]
  /** Query parameters that the operation does not have. */
  unknown: string[]
}

/** Everything but path parameters, defaults filled in. */
export function decodeParameters(request: SandboxRequest, parameters: readonly Parameter[]): Decoded {
  const decoded: Decoded = { values: { query: {}, header: {}, cookie: {} }, repeated: [], unknown: [] }
  const given = request.query === '' ? undefined : new URLSearchParams(request.query)
  const names = new Set<string>()
  for (const parameter of parameters) {
    const { name, in: place } = parameter
    if (place === 'path') continue
    if (place === 'query') names.add(name)
    const texts = textsOf(request, given, parameter)
    if (texts.length > 1 && parameter.list?.separator !== 'repeat') decoded.repeated.push(parameter)
    const value = texts.length === 0 ? parameter.default : decodeTexts(texts, parameter)
    if (value !== undefined) decoded.values[place][name] = value
  }
  if (given) decoded.unknown = [...new Set(given.keys())].filter((name) => !names.has(name))
  return decoded
}

function textsOf(
  request: SandboxRequest,
  query: URLSearchParams | undefined,
  { name, in: place }: Parameter,
): string[] {
  if (place === 'query') return query?.getAll(name) ?? []
  if (place === 'header') return [request.header(name.toLowerCase()) ?? []].flat()
  const cookies = (request.header('cookie') ?? '').split(/; */).map((cookie) => cookie.split('='))
  return cookies.filter(([cookie]) => cookie === name).map(([, ...value]) => value.join('='))
}

function decodeTexts(texts: string[], { types, list }: Parameter): unknown {
  const [text = ''] = texts
  if (!list) return decodeText(text, types)
  const items = list.separator === 'repeat' ? texts : text.split(list.separator)
  return items.map((item) => decodeText(item, list.itemTypes))
}

const integer = /^-?(?:0|[1-9]\d*)$/
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The first type that the text can be read as; text that is none of them stays text, for the validator to refuse. */
export function decodeText(text: string, types: readonly JsonType[]): unknown {
  for (const type of types) {
    if (type === 'integer' && integer.test(text)) return toExactInteger(text)
    if (type === 'number' && number.test(text)) return integer.test(text) ? toExactInteger(text) : Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    if (type === 'null' && text === 'null') return null
    if (type === 'string') return text
  }
  return text
}
