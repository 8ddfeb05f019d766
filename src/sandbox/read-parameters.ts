/** Reads the parameters of a request as typed values. */
import type { JsonType, Parameter, ParameterPlace, Violation } from '../contract/contract.js'
import { toExactInteger } from '../json/exact-json.js'
import { createNamed } from '../json/own-value.js'
import { cookiesOf } from './read-credentials.js'
import type { SandboxRequest } from './request.js'

/** Decoded path parameters by name. Undefined if the percent-encoding is malformed. */
export type PathTexts = Record<string, string | undefined>

export interface ReadParameters {
  /** Values by place and name, only for parameters in the request. */
  values: Record<ParameterPlace, Record<string, unknown>>
  /** Parameters that are sent more than once and take only one value. */
  violations: Violation[]
  /** A sentence for each unknown query parameter. */
  notes: string[]
}

/** Replaces text that cannot be decoded. No schema accepts a symbol, and messages quote its description. */
const malformed = Symbol('a broken percent-encoding')

export function readParameters(
  request: SandboxRequest,
  parameters: readonly Parameter[],
  path: PathTexts,
): ReadParameters {
  const values = { path: createNamed(), query: createNamed(), header: createNamed(), cookie: createNamed() }
  const read: ReadParameters = { values, violations: [], notes: [] }
  const given = request.query === '' ? undefined : new URLSearchParams(request.query)
  for (const parameter of parameters) {
    const { name, in: place, list } = parameter
    const texts = place === 'path' ? [path[name]] : textsOf(request, given, parameter)
    if (texts.length > 1 && list?.separator !== 'repeat') {
      const message = `${place} parameter ${name} must be given only once`
      read.violations.push({ in: place, at: name, rule: 'repeated', message })
    }
    if (texts.length === 0) continue
    read.values[place][name] = texts[0] === undefined ? malformed : decodeTexts(texts as string[], parameter)
  }
  for (const name of given ? new Set(given.keys()) : []) {
    const isKnown = parameters.some((parameter) => parameter.in === 'query' && parameter.name === name)
    if (!isKnown) read.notes.push(`unknown query parameter "${name}"`)
  }
  return read
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

/** -0 is the number 0 in another text, which leads to no record. */
const integer = /^(?:0|-?[1-9]\d*)$/
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Reads the text as the first type that fits. Text that fits none stays text, and the validator refuses it. */
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
