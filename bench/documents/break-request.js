/** Breaks a valid request in one place: a required part is left out, or has another type. */
import { pickSome } from './random.js'

const otherText = 'not-of-this-type'
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Each way is checked by the schemas of the document: what they accept is no broken request.
 * @returns `{ kind, what, parts, isInPath }`, of which some are picked by the random numbers
 */
export function breakRequest(operation, parts, { schemas, random, count }) {
  const missing = [...missingParameters(operation, parts), ...missingInBody(operation, parts, schemas)]
  const typed = [...otherParameters(parts, schemas), ...otherInBody(operation, parts, schemas)]
  const half = Math.ceil(count / 2)
  const chosen = pickSome(missing, Math.max(half, count - typed.length), random)
  return [...chosen, ...pickSome(typed, count - chosen.length, random)]
}

function missingParameters({ atAddress }, parts) {
  // Without it, the request may be a valid one for another operation.
  const isRequired = ({ in: place, name }) =>
    atAddress.every(({ parameters }) =>
      parameters.some((each) => each.in === place && each.name === name && each.isRequired),
    )
  return [...parts.parameters.keys()]
    .filter((each) => each.in !== 'path' && isRequired(each))
    .map((parameter) => {
      const parameters = new Map(parts.parameters)
      parameters.delete(parameter)
      const what = `the ${parameter.in} parameter ${parameter.name} left out`
      return { kind: `${parameter.in} parameter left out`, what, parts: { ...parts, parameters } }
    })
}

function missingInBody({ body: described, method }, parts, schemas) {
  const { media, body } = parts
  // Servers may ignore a body whose meaning HTTP does not define.
  if (media === undefined || method === 'DELETE') return []
  const whole = described.isRequired
    ? [{ kind: 'body left out', what: 'the body left out', parts: { ...parts, media: undefined, body: undefined } }]
    : []
  if (!isObject(body) || media.kind.isXml) return whole
  const properties = Object.keys(body).flatMap((name) => {
    const { [name]: _, ...rest } = body
    if (schemas.errorsOf(media.schema, rest).length === 0) return []
    return [{ kind: 'property left out', what: `the property ${name} left out`, parts: { ...parts, body: rest } }]
  })
  return [...whole, ...properties]
}

function otherParameters(parts, schemas) {
  return [...parts.parameters].flatMap(([parameter, value]) => {
    const isList = Array.isArray(value)
    if (parameter.mediaType !== undefined || isObject(value)) return []
    // A text stays a text.
    if (typeof (isList ? value[0] : value) === 'string' || (isList && value.length === 0)) return []
    if (!isRefused(schemas, parameter.schema, isList ? [otherText] : otherText)) return []
    return [
      {
        kind: `${parameter.in} parameter of another type`,
        what: `${otherText} as ${parameter.in} parameter ${parameter.name}`,
        isInPath: parameter.in === 'path',
        parts: { ...parts, raw: new Map([[parameter, otherText]]) },
      },
    ]
  })
}

function otherInBody({ method }, parts, schemas) {
  const { media, body } = parts
  if (media === undefined || !isObject(body) || method === 'DELETE') return []
  return Object.entries(body).flatMap(([name, value]) => {
    // In a form every scalar is a text.
    if (!media.kind.isTyped && typeof value !== 'number' && typeof value !== 'boolean') return []
    const other = typeof value === 'string' ? { text: value } : otherText
    const changed = { ...body, [name]: other }
    if (schemas.errorsOf(media.schema, changed).length === 0) return []
    const what = `${JSON.stringify(other).slice(0, 60)} as property ${name}`
    return [{ kind: 'property of another type', what, parts: { ...parts, body: changed } }]
  })
}

function isRefused(schemas, schema, value) {
  return schemas.errorsOf(schema, value).length > 0
}
