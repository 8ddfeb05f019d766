/** Asks for pages of a list: with parameters, or at the address of a link. */
import { createBuildRequest } from '../documents/build-request.js'
import { createBuildValue } from '../documents/build-value.js'
import { lastParameter } from '../documents/collect-keys.js'
import { valueAt } from '../state/read-shapes.js'

const shownBody = 300

/**
 * @param keys what answers gave for the parameters of paths
 * @param send sends a request to the server of an operation
 * @param sendAt sends a request to a path of the server as it is
 * @param host that of the server that is judged
 */
export function createAskList({ document, resolve, schemas, keys, send, sendAt, host }) {
  const buildValue = createBuildValue({ document, schemas })
  let rejected = new Set()
  const others = {
    ...keys,
    find: (operation, takes) => keys.find(operation, (...key) => isOther(...key) && takes(...key)),
  }
  const { buildParts, write } = createBuildRequest({ schemas, buildValue, resolve, keys: others })

  function isOther(_, value) {
    return !rejected.has(String(value))
  }

  /**
   * The parts of a request with only what is required.
   * @param tried keys of parents without records, of which others are taken
   * @returns `{ parameters, key }`, where the key is that of the parent, if an answer gave it
   * @throws NoValidValue
   */
  function begin(operation, tried) {
    rejected = tried
    const { parameters, hasKnownKeys } = buildParts(operation, { isMinimal: true })
    const last = lastParameter(operation)
    return { parameters, key: last && hasKnownKeys ? String(parameters.get(last)) : undefined }
  }

  /**
   * @param changes pairs of a parameter and its value, which replace those of the base
   * @returns the page: `{ isSuccess, records, value, headers, shown, changes, path }`
   */
  async function ask(list, changes) {
    const parameters = new Map(list.base.parameters)
    for (const [parameter, value] of changes) parameters.set(parameter, value)
    const request = write(list.operation, { parameters })
    return toPage(list, request, await send(list.operation, request), changes)
  }

  /** @returns a page, or `{ problem }` if the address is none that can be asked */
  async function follow(list, from, address, changes) {
    const base = `http://${host}`
    let url
    try {
      url = new URL(address, base + from.path)
    } catch {
      return { problem: `the link is no address: ${address}` }
    }
    if (url.host !== host) return { problem: `the link leads to another host: ${address}` }
    const request = write(list.operation, list.base)
    const written = new URL(request.path, base).searchParams
    // Credentials are the caller's.
    for (const { type, in: place, name } of list.operation.credentials) {
      const isLeftOut = type === 'apiKey' && place === 'query' && !url.searchParams.has(name)
      if (isLeftOut) url.searchParams.set(name, written.get(name) ?? '')
    }
    const asked = { ...request, path: `${url.pathname}${url.search}` }
    return toPage(list, asked, await sendAt(asked), changes)
  }

  function toPage(list, request, answer, changes) {
    const text = answer.failure ?? answer.body.toString()
    const value = parse(text)
    const found = valueAt(value, list.pointer)
    const isSuccess = answer.status >= 200 && answer.status < 300 && value !== undefined
    return {
      isSuccess,
      status: answer.status ?? 'no answer',
      records: Array.isArray(found) ? found : [],
      hasArray: Array.isArray(found),
      value,
      headers: answer.headers ?? {},
      changes: new Map(changes),
      path: answer.path ?? request.path,
      shown: { sent: `${request.method} ${request.path}`, got: `${answer.status ?? ''} ${text.slice(0, shownBody)}` },
    }
  }

  /** The first of several values that a parameter takes, as its schema has it; undefined if it takes none. */
  function fits({ schema }, values) {
    for (const value of values) {
      const isNumeric = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
      const variants = [value, String(value), ...(isNumeric ? [Number(value)] : [])]
      const found = [...variants, ...variants.map((each) => [each])].find((each) => isValid(schema, each))
      if (found !== undefined) return found
    }
  }

  function isValid(schema, value) {
    try {
      return schemas.errorsOf(schema, value).length === 0
    } catch {
      return false
    }
  }

  /** @returns how to send a search: `build` makes a body with only what is required, `send` sends one */
  function search(operation) {
    const parts = buildParts(operation, { isMinimal: true })
    const { media, parameters } = buildParts(
      { ...operation, body: { ...operation.body, isRequired: true } },
      { isMinimal: true },
    )
    return {
      build: () => parts.body ?? {},
      send: (body) => send(operation, write(operation, { parameters, media, body })),
    }
  }

  return { begin, ask, follow, fits, search }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
