/** Builds a request for an operation with the keys of its path, sends it and reads the answer. */
import { createBuildRequest } from '../documents/build-request.js'
import { createBuildValue, NoValidValue } from '../documents/build-value.js'

const idle = { find: () => ({}) }

export const isSuccess = ({ status }) => status >= 200 && status < 300
export const isGone = ({ status }) => status === 404 || status === 410
export const isRefused = ({ status }) => status >= 400 && status < 500

/** @returns names of the parameters in a path, in its order */
export function namesIn({ path }) {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name)
}

/** @param schemas those of requests */
export function createExchange({ document, resolve, schemas, send }) {
  const buildValue = createBuildValue({ document, schemas })
  let count = 0

  /** @param values of the path, in its order @throws NoValidValue */
  function build(operation, values, isMinimal) {
    const names = namesIn(operation)
    const known = Object.fromEntries(names.flatMap((name, index) => (index in values ? [[name, values[index]]] : [])))
    const { buildParts, write } = createBuildRequest({
      schemas,
      buildValue,
      resolve,
      keys: { ...idle, find: () => known },
    })
    const parts = buildParts(operation, { isMinimal })
    for (const parameter of [...parts.parameters.keys()]) {
      // A filter, or a run without effect.
      if (!parameter.isRequired) parts.parameters.delete(parameter)
    }
    return { parts, write: () => write(operation, parts) }
  }

  /**
   * @param change is called with the parts before they are sent
   * @returns `{ status, value, headers, parts, shown }`
   */
  async function ask(operation, values, { isMinimal = true, change = () => {} } = {}) {
    const { parts, write } = build(operation, values, isMinimal)
    // Where anything is allowed, an object can be a record.
    if (parts.body === null && isValid(parts.media?.schema, {})) parts.body = {}
    change(parts)
    const request = write()
    const answer = await send(operation, request)
    const text = answer.failure ?? answer.body.toString()
    const sent = `${request.method} ${request.path} ${request.body?.slice(0, 400) ?? ''}`.trim()
    return {
      parts,
      status: answer.status ?? 0,
      headers: answer.headers ?? {},
      value: parse(text),
      shown: { sent, got: `${answer.status ?? 'no answer'} ${text.slice(0, 400)}` },
    }
  }

  /** Returns a value for a parameter that is not among those that are taken. */
  function makeKey({ schema, name, examples = [] }, taken) {
    let first
    try {
      first = buildValue(schema, { name, examples, isMinimal: true })
    } catch (error) {
      if (!(error instanceof NoValidValue)) throw error
    }
    for (let attempt = 0; attempt < 20; attempt++) {
      const found = variants(first, ++count).find((each) => {
        const isUsable = each !== undefined && !/^\.{0,2}$/.test(String(each)) && typeof each !== 'object'
        return isUsable && !taken.map(String).includes(String(each)) && isValid(schema, each)
      })
      if (found !== undefined) return found
    }
  }

  function isValid(schema, value) {
    return schemas.errorsOf(schema, value).length === 0
  }

  return { ask, makeKey, isValid }
}

function variants(value, number) {
  const digits = String(number).padStart(4, '0')
  const all = [
    `state${number}`,
    900_000 + number,
    number,
    `00000000-0000-4000-8000-${digits.padStart(12, '0')}`,
    digits.padStart(24, 'a'),
    digits.padStart(32, 'a'),
    `A${digits}`,
    digits,
    typeof value === 'string' && value.length > 4 ? `${value.slice(0, -4)}${digits}` : undefined,
    typeof value === 'string' ? `${value}${number}` : undefined,
    value,
  ]
  // A number where the value is one.
  return typeof value === 'number' ? all.filter((each) => typeof each === 'number') : all
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
