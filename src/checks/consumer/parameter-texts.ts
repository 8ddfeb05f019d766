/** Reads the documented parameters of a request as text. */
import type { Operation } from '../../contract/contract.js'
import { separatorOf } from '../../contract/item-types.js'
import type { Parameter } from '../../contract/request-model.js'
import type { Exchange } from '../../state/journal.js'
import { requestHeader } from './exchange-headers.js'
import { pathValues } from './path-values.js'

/** Each parameter that was sent, with its texts: one, or one per item of a list. */
export function* parameterTexts(
  exchange: Exchange,
  operation: Operation,
): Generator<[parameter: Parameter, texts: string[]]> {
  const path = pathValues(operation.path, exchange.request.path)
  const query = new URLSearchParams(exchange.request.query)
  for (const parameter of operation.parameters) {
    const given = textsOf(parameter)
    if (given.length === 0) continue
    const separator = separatorOf(parameter)
    yield [parameter, separator === undefined ? given : given.flatMap((text) => text.split(separator))]
  }

  function textsOf({ name, in: place }: Parameter): string[] {
    if (place === 'path') return [path[name] ?? []].flat()
    if (place === 'query') return query.getAll(name)
    if (place === 'header') return [requestHeader(exchange, name) ?? []].flat()
    const cookies = (requestHeader(exchange, 'cookie') ?? '').split(/; */)
    return cookies.filter((each) => each.startsWith(`${name}=`)).map((each) => each.slice(name.length + 1))
  }
}
