/** Chooses a consumer of a document by seed: ten operations, calls with valid values, answers, and what it reads of them. */
import { createBuildRequest } from '../documents/build-request.js'
import { createBuildValue } from '../documents/build-value.js'
import { listOperations } from '../documents/list-operations.js'
import { hash, pickSome } from '../documents/random.js'
import { chooseMedia } from '../documents/write-body.js'
import { NoValue, otherName } from './generate.js'

const operationCount = 10
const readsPerResponse = 100
const answerBudget = 1200
const tries = 6
const isJson = (type) => /^[^;]*[/+]json\b/i.test(type)
const bodiless = new Set(['GET', 'HEAD', 'TRACE'])

/**
 * @param schemas of requests and of responses, with `errorsOf`
 * @param generate functions for requests and for responses
 * @returns `{ operations, dropped }`: each `{ operation, calls, response: { status, type, schema, answers }, reads }`
 */
export function chooseConsumer({ read, schemas, generate, seed, random }) {
  const { write } = createBuildRequest({ resolve: read.resolve })
  const buildValue = createBuildValue({ document: read.document, schemas: schemas.request })
  const dropped = {}
  const drop = (why) => {
    dropped[why] = (dropped[why] ?? 0) + 1
  }
  const all = listOperations(read).filter(({ path, method }) => !path.includes('#') && method !== 'TRACE')
  // Of two operations with one address, nobody knows which one is called.
  const addresses = countBy(all.map(toAddress))
  const clear = all.filter((each) => addresses.get(toAddress(each)) === 1)
  const operations = chooseOperations(clear, random).map((operation) => {
    const response = toResponse(operation)
    const answers = response ? toAnswers(operation, response) : []
    const described = (path) => !response.undescribed.has(path)
    const paths = [...new Set(answers.flatMap((answer) => [...pathsIn(answer)]))].filter(described)
    const half = paths.filter(() => random() < 0.5)
    return {
      operation,
      calls: toCalls(operation),
      response: response && { ...response, answers },
      reads: pickSome(half, readsPerResponse, random),
    }
  })
  return { operations, dropped }

  function toCalls(operation) {
    const calls = []
    for (const [index, isFew] of [true, false, false].entries()) {
      try {
        const parts = toParts(operation, { isFew, salt: `${seed} ${operation.id} ${index}` })
        const request = write(operation, parts)
        const value = parts.media?.kind.isTyped ? parts.body : undefined
        const isKnown = calls.some((each) => JSON.stringify(each.request) === JSON.stringify(request))
        if (!isKnown) calls.push({ request, value })
      } catch {
        drop('calls without a valid value')
      }
    }
    return calls
  }

  function toParts(operation, { isFew, salt }) {
    const parameters = new Map()
    for (const parameter of operation.parameters) {
      const { in: place, name, isRequired, schema, examples } = parameter
      const isConditional = place === 'header' && /^(if-|range$|prefer$|expect$|content-|host$)/i.test(name)
      const isWanted = isRequired || !(isFew || isConditional || hash(`${salt} ${place} ${name}`) % 2 === 0)
      if (isWanted && !isCredential(operation, parameter)) {
        const options = { isFew, salt: `${salt} ${place} ${name}`, isUsable: (value) => isUsable(place, value) }
        parameters.set(parameter, toValue(schema, examples, options))
      }
    }
    const isWithout =
      operation.body === undefined || bodiless.has(operation.method) || (isFew && !operation.body.isRequired)
    if (isWithout) return { parameters }
    const media = chooseMedia(operation.body.media)
    if (media.kind.isXml) return { parameters, media, body: buildValue(media.schema, { name: 'body', isXml: true }) }
    return { parameters, media, body: toValue(media.schema, media.examples, { isFew, salt }) }
  }

  function toValue(schema, examples, { isFew, salt, isUsable = () => true }) {
    if (schema === undefined) return examples[0] ?? 'text'
    for (let index = 0; index < tries; index++) {
      try {
        const value = generate.request(schema, {
          budget: 400,
          choose: (at, kind, count, isAgain) => {
            const number = hash(`${salt} ${index} ${at} ${kind}`)
            if (kind === 'present') return isFew || isAgain || number % 2 === 0 ? 1 : 0
            // Null is the last type: rarely what a consumer sends.
            if (kind === 'type' && number % 4 !== 0) return 0
            return (number >>> 8) % count
          },
        })
        if (schemas.request.errorsOf(schema, value).length === 0 && isUsable(value)) return value
      } catch (error) {
        if (!(error instanceof NoValue)) throw error
      }
    }
    return buildValue(schema, { name: salt, examples, isMinimal: true, isUsable })
  }

  function toResponse({ responses }) {
    const described = responses.find(({ status }) => /^2\d\d$/.test(status))
    const success = described ?? responses.find(({ status }) => status === '2XX' || status === 'DEFAULT')
    if (success === undefined) return undefined
    const media = success.media.find(({ type, schema }) => isJson(type) && schema !== undefined)
    return {
      status: described ? Number(success.status) : 200,
      type: media?.type,
      schema: media?.schema,
      undescribed: new Set(),
    }
  }

  /** Two full answers with other alternatives. */
  function toAnswers({ id }, { schema, undescribed }) {
    if (schema === undefined) return []
    const answers = []
    for (let index = 0; index < tries && answers.length < 2; index++) {
      try {
        const answer = generate.response(schema, {
          budget: answerBudget / (index + 1),
          items: (index % 2) + 1,
          onUndescribed: (at) => undescribed.add(at),
          choose: (at, kind, count, isAgain) => {
            if (kind === 'present') return isAgain ? 1 : 0
            if (kind === 'type') return 0
            return (hash(`${seed} ${id} ${index} ${at} ${kind}`) >>> 8) % count
          },
        })
        if (schemas.response.errorsOf(schema, answer).length === 0) answers.push(answer)
      } catch (error) {
        if (!(error instanceof NoValue)) throw error
      }
    }
    if (answers.length === 0) drop('responses without a valid value')
    return answers
  }
}

function countBy(keys) {
  const counts = new Map()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** The method and the path without the names of parameters. */
export function toAddress({ method, path }) {
  return `${method} ${path.replace(/[?].*$/, '').replace(/\{[^{}]*\}/g, '{}')}`
}

/** Seven of those with a body or parameters, and an answer in JSON; three of all others. */
function chooseOperations(all, random) {
  const isRich = ({ body, parameters, responses }) =>
    (body !== undefined || parameters.length > 0) &&
    responses.some(({ status, media }) => /^2/.test(status) && media.some(({ type }) => isJson(type)))
  const rich = pickSome(all.filter(isRich), 7, random)
  const others = pickSome(
    all.filter((each) => !rich.includes(each)),
    operationCount - rich.length,
    random,
  )
  return [...rich, ...others]
}

function isCredential({ credentials }, { in: place, name }) {
  if (place === 'header' && name.toLowerCase() === 'authorization') return true
  return credentials.some((each) => each.type === 'apiKey' && each.in === place && each.name === name)
}

function isUsable(place, value) {
  if (place === 'path')
    return !['', '.', '..'].includes(String(value)) && value !== null && !/[/?#]/.test(String(value))
  if (place === 'header') return typeof value !== 'string' || (/^[\t\x20-\x7e]+$/.test(value) && value.trim() === value)
  return value !== null
}

/** The paths of all properties, with `[]` for items of lists and `{}` for names that the schema does not have. */
function* pathsIn(value, at = '') {
  if (Array.isArray(value)) {
    for (const item of value) yield* pathsIn(item, `${at}[]`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const path = `${at === '' ? '' : `${at}.`}${name.startsWith(otherName) ? '{}' : name}`
      yield path
      yield* pathsIn(inner, path)
    }
  }
}
