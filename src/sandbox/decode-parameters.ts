/** Turns the text of parameters into typed values. */
import type { JsonType, Parameter, ParameterPlace, Violation } from '../contract/contract.js'
import { toExactInteger } from '../json/exact-json.js'
import { cookiesOf } from './read-credentials.js'
import type { SandboxRequest } from './request.js'
import type { Route } from './route.js'

export interface Decoded {
  /** Values by place and name. */
  values: Record<ParameterPlace, Record<string, unknown>>
  /** Of parameters that are given more than once and hold only one value. */
  violations: Violation[]
  /** Query parameters that the operation does not have, in words. */
  notes: string[]
}

/** Stands for a parameter whose text cannot be decoded: no schema takes it, and a message shows its description. */
const malformed = Symbol('a broken percent-encoding')

/**
 * All parameters, defaults filled in.
 * @param path texts of the path parameters; none for one that cannot be decoded
 */
export function decodeParameters(
  request: SandboxRequest,
  parameters: readonly Parameter[],
  path: Route['path'],
): Decoded {
  const decoded: Decoded = { values: { path: {}, query: {}, header: {}, cookie: {} }, violations: [], notes: [] }
  const given = request.query === '' ? undefined : new URLSearchParams(request.query)
  for (const parameter of parameters) {
    const { name, in: place, list } = parameter
    const texts = place === 'path' ? [path[name]] : textsOf(request, given, parameter)
    const [text] = texts
    if (texts.length > 1 && list?.separator !== 'repeat') {
      const message = `${place} parameter ${name} must be given only once`
      decoded.violations.push({ in: place, at: name, rule: 'repeated', message })
    }
    const value =
      texts.length === 0
        ? parameter.default
        : text === undefined
          ? malformed
          : decodeTexts(texts as string[], parameter)
    if (value !== undefined) decoded.values[place][name] = value
  }
  for (const name of given ? new Set(given.keys()) : []) {
    const isKnown = parameters.some((parameter) => parameter.in === 'query' && parameter.name === name)
    if (!isKnown) decoded.notes.push(`unknown query parameter "${name}"`)
  }
  return decoded
}

function textsOf(
  request: SandboxRequest,
  query: URLSearchParams | undefined,
  { name, in: place }: Parameter,
): string[] {
  if (place === 'query') return query?.getAll(name) ?? []
  if (place === 'header') return [request.header(name.toLowerCase()) ?? []].flat()
  return cookiesOf(request, name)
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
function decodeText(text: string, types: readonly JsonType[]): unknown {
  for (const type of types) {
    if ((type === 'integer' || type === 'number') && integer.test(text)) return toExactInteger(text)
    if (type === 'number' && number.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    if (type === 'null' && text === 'null') return null
    if (type === 'string') return text
  }
  return text
}
