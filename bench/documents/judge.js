/** Judges answers by the document alone. */
import { judgeReason } from './judge-reason.js'

const isJson = (type) => /^[^;]*[/+]json\b/i.test(type)
/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const bodiless = new Set([204, 205, 304])
const bare = (type) => type.split(';')[0].trim().toLowerCase()

/** @param schemas those of responses */
export function createJudge({ schemas, resolve }) {
  return { judgeSuccess, judgeRefusal }

  /** @returns `{ verdict, cause, detail }` for the answer to a valid request */
  function judgeSuccess(operation, { status, headers, body }) {
    const described = successesOf(operation)
    if (described.length === 0) return { verdict: 'undescribed', cause: `${status}: no success is described` }
    if (status === 501) {
      const isDefault = described[0].status === 'DEFAULT'
      return { verdict: 'not implemented', cause: `501 although ${isDefault ? 'default' : 'a success'} is described` }
    }
    if (status >= 500) return { verdict: 'internal error', cause: `${status} ${messageOf(body)}` }
    const response = responseOf(operation, status)
    if (response === undefined || !described.includes(response)) {
      if (status >= 400) return { verdict: 'refused', cause: `${status} ${messageOf(body)}` }
      const statuses = described.map((each) => each.status).join(', ')
      return { verdict: 'undocumented status', cause: `${status} instead of ${statuses}` }
    }
    // Of a `default` only a 2xx is a success.
    if (status >= 400) return { verdict: 'refused', cause: `${status} ${messageOf(body)}` }
    const content = bodiless.has(status) ? undefined : judgeContent(operation, response, { headers, body })
    return content ?? judgeHeaders(response, headers) ?? { verdict: 'ok' }
  }

  /** @returns `{ verdict, cause }` for the answer to an invalid request */
  function judgeRefusal(operation, broken, { status, headers, body }) {
    const { isInPath } = broken
    if (status === 501 && successesOf(operation).length === 0) return { verdict: 'undescribed' }
    if (status >= 500) return { verdict: 'internal error', cause: `${status} ${messageOf(body)}` }
    if (status < 400) return { verdict: 'accepted', cause: `${status}` }
    const fitting = ['400', '422', '4XX', 'DEFAULT', ...(isInPath ? ['404'] : [])]
    const fits = operation.responses.some((each) => fitting.includes(each.status))
    const response = responseOf(operation, status)
    if (response === undefined) return { verdict: fits ? 'undocumented refusal' : 'refused', cause: `${status}` }
    const wrong = judgeContent(operation, response, { headers, body })
    if (wrong) return { ...wrong, verdict: 'broken refusal', cause: `${wrong.verdict}: ${wrong.cause}` }
    return { verdict: fits ? 'documented refusal' : 'refused', said: judgeSaid(response, broken, { headers, body }) }
  }

  /** What a documented JSON body says. Undefined for another one. */
  function judgeSaid({ media }, broken, { headers, body }) {
    const type = headers['content-type']
    const described = type && isJson(type) && media.find((each) => bare(each.type) === bare(type))
    const value = described?.schema === undefined ? undefined : parseOr(body.toString())
    if (typeof value !== 'object' || value === null) return undefined
    const { schema, examples } = described
    return judgeReason({ resolve, schema, examples, body: value, broken })
  }

  function judgeContent({ method }, { media }, { headers, body }) {
    if (method === 'HEAD' || media.length === 0) return undefined
    const type = headers['content-type']
    const isEmpty = body.length === 0
    if (isEmpty && media.every((each) => each.schema === undefined)) return undefined
    if (isEmpty) return { verdict: 'broken body', cause: 'no body although one is documented' }
    if (type === undefined) return { verdict: 'undocumented type', cause: 'no Content-Type' }
    const described = media.find((each) => bare(each.type) === bare(type)) ?? media.find((each) => covers(each, type))
    if (described === undefined) {
      return {
        verdict: 'undocumented type',
        cause: `${bare(type)} instead of ${media.map((each) => each.type).join(', ')}`,
      }
    }
    if (described.schema === undefined) return undefined
    if (isJson(type)) return judgeJson(described.schema, body)
    const text = body.toString()
    if (text === '[object Object]') return { verdict: 'broken body', cause: `"${text}" as ${bare(type)}` }
    if (!/^text\/(?!xml)|^application\/octet-stream/i.test(type)) return undefined
    // The text of a number may be meant as a number.
    const [asText, asValue] = [text, parseOr(text)].map((value) => schemas.errorsOf(described.schema, value))
    // Bytes cannot be an object or an array, whatever the document says.
    const isOfBytes = /^application\/octet-stream/i.test(type) && asText.some(isStructured)
    return asValue.length === 0 || isOfBytes ? undefined : toBreak(asText)
  }

  function judgeJson(schema, body) {
    let value
    try {
      value = JSON.parse(body.toString())
    } catch {
      return { verdict: 'broken body', cause: 'not JSON' }
    }
    return toBreak(schemas.errorsOf(schema, value))
  }

  function judgeHeaders({ headers }, sent) {
    for (const { name, isRequired, schema } of headers) {
      // Set-Cookie is the only header of which Node.js gives a list.
      const text = [sent[name.toLowerCase()] ?? []].flat()[0]
      if (text === undefined && isRequired)
        return { verdict: 'broken headers', cause: `required header left out`, detail: name }
      if (text === undefined || bare(name) === 'content-type') continue
      const variants = [text, parseOr(text), text.split(',').map((each) => each.trim())]
      const [first] = variants.map((each) => schemas.errorsOf(schema, each))
      if (variants.every((each) => schemas.errorsOf(schema, each).length > 0)) {
        return { verdict: 'broken headers', cause: toCause(first[0]), detail: `${name}: ${text}` }
      }
    }
  }
}

function isStructured({ keyword, instancePath, params }) {
  return keyword === 'type' && instancePath === '' && /^(object|array)$/.test([params.type].flat().join())
}

/** The responses that say that a request succeeded. */
export function successesOf({ responses }) {
  const of = (pattern) => responses.filter(({ status }) => pattern.test(status))
  const [success, redirect, other] = [of(/^2/), of(/^3/), of(/^DEFAULT$/)]
  // A `default` beside a redirect may be that of errors.
  return success.length > 0 ? success : [...other, ...redirect]
}

function responseOf({ responses }, status) {
  const names = [String(status), `${String(status)[0]}XX`, 'DEFAULT']
  return names.map((name) => responses.find((each) => each.status === name)).find((each) => each !== undefined)
}

function covers({ type: range }, type) {
  const [wanted, sent] = [bare(range), bare(type)]
  return wanted === '*/*' || (wanted.endsWith('/*') && sent.startsWith(wanted.slice(0, -1)))
}

function toBreak(errors) {
  if (errors.length === 0) return undefined
  const inOrder = [...errors].sort((one, other) => weight(one) - weight(other))
  const detail = inOrder
    .slice(0, 4)
    .map((each) => `${each.instancePath || '(body)'} ${each.message}${shownValue(each)}`)
  return { verdict: 'broken body', cause: toCause(inOrder[0]), detail: detail.join('; ') }
}

/** The errors of alternatives come after that of the whole. */
function weight({ keyword, instancePath }) {
  const isChoice = ['oneOf', 'anyOf', 'not', 'if'].includes(keyword)
  return instancePath.split('/').length * 2 + (isChoice ? 0 : 1)
}

/** The keyword, what the value is, and where: at the root, in an item of a list, or in a property. */
function toCause(error) {
  const { instancePath, data } = error
  const where = instancePath === '' ? 'at the root' : /\/\d+/.test(instancePath) ? 'in an item' : 'in a property'
  const what = toBrokenRule(error)
  return `${what}${data === 'string' ? ', value "string"' : ''}, ${where}`
}

function toBrokenRule({ keyword, params, schema, data }) {
  if (keyword === 'type') return `type: ${[params.type].flat().join(' or ')} expected, got ${typeOf(data)}`
  if (keyword === 'format') return `format: ${schema}`
  if (keyword === 'oneOf') {
    return `oneOf: ${params.passingSchemas ? 'several alternatives match' : 'no alternative matches'}`
  }
  return keyword === 'anyOf' ? 'anyOf: no alternative matches' : String(keyword)
}

function typeOf(value) {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function shownValue({ data }) {
  const text = JSON.stringify(data) ?? ''
  return ` (${text.slice(0, 80)}${text.length > 80 ? '…' : ''})`
}

function parseOr(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The first message of an error body, without what differs from one request to the next. */
function messageOf(body) {
  const text = body.toString()
  const value = parseOr(text)
  const found = typeof value === 'object' && value !== null ? findText(value) : undefined
  const [first] = (found ?? text).replace(/\s+/g, ' ').split('; ')
  return first
    .replace(/ \(got .*$/, '')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/\b(path|query|header|cookie) parameter \S+/, '$1 parameter …')
    .replace(/\b(must be one of|must match|must be a multiple of) .*/, '$1 …')
    .replace(/^There is no record with .*/, 'There is no record with …')
    .replace(/^(A record with) .* (already exists)/, '$1 … $2')
    .replace(/^\S+ (is|must|has|does)\b/, '… $1')
    .replace(/\b\d+(\.\d+)?\b/g, 'N')
    .slice(0, 140)
}

const messageNames = ['message', 'detail', 'error_description', 'description', 'error', 'title', 'reason', 'errors']

function findText(value, depth = 0) {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  const names = Array.isArray(value) ? ['0'] : [...messageNames.filter((name) => name in value), ...Object.keys(value)]
  for (const name of names) {
    const text = findText(value[name], depth + 1)
    if (text !== undefined && (text.includes(' ') || messageNames.includes(name))) return text
  }
}
