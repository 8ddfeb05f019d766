/** Reads the parameters of a request as typed values. */

import type { RequestContract } from '../../contract/contract.js'
import type { Parameter, ParameterPlace } from '../../contract/request-model.js'
import type { Violation } from '../../contract/violations.js'
import { createNamed } from '../../json/own-value.js'
import { decodeText } from '../../json/typed-value.js'
import type { ReadStyled } from './read-styled.js'
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
