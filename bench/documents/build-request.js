/** Builds requests for an operation: valid ones, and ones that break one rule of the document. */
import { NoValidValue } from './build-value.js'
import { isKey, keyLike, lastParameter, nounOfProcedure } from './collect-keys.js'
import { chooseMedia, writeBody } from './write-body.js'
import { writePairs, writeSimple } from './write-parameter.js'

/** A key that every sandbox takes, and mocks do not look at. */
const key = 'sandbox'
const plain = (text) => text
/** RFC 9110, section 5.5. */
const isHeaderText = (text) => /^[\t\x20-\x7e]*$/.test(text) && text.trim() === text

/** Methods whose requests have no body (OpenAPI 3.0.3, section 4.8.10.1); clients can't send one with them. */
const bodiless = new Set(['GET', 'HEAD', 'TRACE'])

/** Optional headers that ask for another answer than the documented success. */
const conditional = /^(if-|range$|prefer$|expect$|content-|transfer-|connection$|host$|upgrade$|te$|trailer$)/i

/** @param schemas those of requests */
export function createBuildRequest({ schemas, buildValue, resolve, keys }) {
  const isUsable = (parameter, value) => {
    if (parameter.in === 'header') return isHeaderText(writeSimple(parameter, value, plain))
    if (parameter.in === 'path') return !['', '.', '..'].includes(writeSimple(parameter, value, plain))
    return true
  }

  /** Whether a path takes a key, which may be a number in the record and a text in the path, or the reverse. */
  function takesKey(parameter, value) {
    if (!isUsable(parameter, value)) return false
    const variants = [value, String(value), ...(/^-?\d{1,15}$/.test(value) ? [Number(value)] : [])]
    return variants.some((each) => schemas.errorsOf(parameter.schema, each).length === 0)
  }

  /** A value that no record has yet: what is sent again after a conflict. */
  function withNewKeys(value, schema) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const changed = { ...value }
    for (const [name, each] of Object.entries(value)) {
      if (!keyLike.test(name)) continue
      const others = typeof each === 'number' ? [each + 7919] : [`${each}2`, `2${each}`, ...toOtherDigits(each)]
      const fits = (other) => schemas.errorsOf(schema, { ...changed, [name]: other }).length === 0
      const other = isKey(each) ? others.find(fits) : undefined
      if (other !== undefined) changed[name] = other
    }
    return changed
  }

  /** A body with the keys of records that answers gave, where its schema takes them. */
  function withKnown(body, schema, { path }) {
    const noun = nounOfProcedure(path)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const entries = Object.entries(body).map(([name, value]) => [name, keys.valueOf(name, noun) ?? value])
    const known = Object.fromEntries(entries)
    return schemas.errorsOf(schema, known).length === 0 ? known : body
  }

  return {
    /**
     * Returns typed values: `{ parameters: Map, body, media, hasKnownKeys }`.
     * @param isMinimal only what is required
     * @param isNew with keys that no record has, as far as schemas allow
     * @throws NoValidValue
     */
    buildParts(operation, { isMinimal, isNew = false }) {
      const known = keys.find(operation, takesKey)
      const parameters = new Map()
      for (const parameter of operation.parameters) {
        if (parameter.in === 'path' && parameter.name in known) {
          parameters.set(parameter, known[parameter.name])
          continue
        }
        const isOmitted = !parameter.isRequired && (isMinimal || isConditional(parameter))
        if (isOmitted || isCredential(operation, parameter)) continue
        const { schema, examples, name } = parameter
        const usable = (value) => isUsable(parameter, value)
        try {
          parameters.set(parameter, buildValue(schema, { name, examples, isMinimal, isUsable: usable }))
        } catch (error) {
          if (parameter.isRequired || !(error instanceof NoValidValue)) throw error
        }
      }
      const last = lastParameter(operation)
      if (isNew && last && operation.path.endsWith(`{${last.name}}`)) {
        const { key } = withNewKeys({ key: parameters.get(last) }, { properties: { key: last.schema } })
        parameters.set(last, key)
      }
      const ofPath = operation.parameters.filter((each) => each.in === 'path')
      const hasKnownKeys = ofPath.every(({ name }) => name in known)
      const { body: described, method } = operation
      const isLeftOut = described === undefined || bodiless.has(method) || (isMinimal && !described.isRequired)
      if (isLeftOut) return { parameters, hasKnownKeys }
      const media = chooseMedia(described.media)
      const { schema, examples, kind } = media
      const options = { name: 'body', examples, isMinimal, isXml: kind.isXml }
      const sampled = buildValue(schema, options)
      // Where anything is allowed, openapi-sampler sends null; services get an object.
      const built = sampled === null && schemas.errorsOf(schema, {}).length === 0 ? {} : sampled
      const toSent = (body) => {
        if (isNew && !kind.isXml) return withNewKeys(body, schema)
        return isProcedure(operation) ? withKnown(body, schema, operation) : body
      }
      return {
        parameters,
        hasKnownKeys,
        media,
        body: toSent(built),
      }
    },

    write(operation, parts) {
      return write(operation, parts, resolve)
    },
  }
}

/** Whether only the body can say which record is meant, and the name says that no new one is. */
function isProcedure({ method, path, parameters, id }) {
  if (method !== 'POST' || parameters.some((each) => each.in === 'path')) return false
  const said = `${path.replace(/^.*[/.=?#]/, '')} ${id ?? ''}`
  return !/(^|[^a-z])(create|add|put|register|import|new)/i.test(said)
}

/** The same key with another last digit or letter, or another first one, for those whose length or pattern is given. */
function toOtherDigits(key) {
  const text = String(key)
  const next = { 9: '0', z: 'a', Z: 'A', f: 'a', F: 'A' }
  const after = (letter) => next[letter] ?? String.fromCharCode(letter.charCodeAt(0) + 1)
  return text === '' ? [] : [text.slice(0, -1) + after(text.at(-1)), after(text[0]) + text.slice(1)]
}

/** A parameter that is a credential is sent as one. */
function isCredential({ credentials }, parameter) {
  return credentials.map(toCredential).some(({ in: place, name }) => place === parameter.in && name === parameter.name)
}

function isConditional(parameter) {
  return parameter.in === 'header' && conditional.test(parameter.name)
}

/**
 * @param raw texts by parameter, instead of its value
 * @returns `{ method, path, headers, body }`; the path is below the server
 */
function write(operation, { parameters, body, media, raw = new Map() }, resolve) {
  const [template, written = ''] = operation.path.replace(/#.*$/, '').split('?')
  let path = template
  const pairs = written === '' ? [] : [written]
  const headers = {}
  const cookies = []
  for (const [parameter, value] of parameters) {
    const { name } = parameter
    const text = raw.get(parameter)
    if (parameter.in === 'path') {
      path = path.replaceAll(`{${name}}`, () => text ?? writeSimple(parameter, value, encodeURIComponent))
    } else if (parameter.in === 'query') {
      pairs.push(...(text === undefined ? join(writePairs(parameter, value)) : [`${encodeURIComponent(name)}=${text}`]))
    } else if (parameter.in === 'header') {
      headers[name] = text ?? writeSimple(parameter, value, plain)
    } else if (parameter.in === 'cookie') {
      cookies.push(
        ...(text === undefined ? join(writePairs(parameter, value)) : [`${encodeURIComponent(name)}=${text}`]),
      )
    }
  }
  const credentials = new Map(operation.credentials.map(toCredential).map((each) => [`${each.in} ${each.name}`, each]))
  for (const credential of credentials.values()) {
    if (credential.in === 'query') pairs.push(`${encodeURIComponent(credential.name)}=${credential.value}`)
    else if (credential.in === 'cookie') cookies.push(`${credential.name}=${credential.value}`)
    else headers[credential.name] = credential.value
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ')
  if (pairs.length > 0) path += `?${pairs.join('&')}`
  // Text of the template may have what no request line can.
  const request = { method: operation.method, path: path.replace(/[^\x21-\x7e]/g, encodeURIComponent), headers }
  if (media === undefined) return request
  const { contentType, text } = writeBody(media, body, resolve)
  headers['Content-Type'] = contentType
  return { ...request, body: text }
}

function join(pairs) {
  return pairs.map((pair) => pair.join('='))
}

function toCredential({ type, scheme, in: place, name }) {
  if (type === 'apiKey') return { in: place, name, value: key }
  const isBasic = type === 'http' && scheme?.toLowerCase() === 'basic'
  const value = isBasic ? `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}` : `Bearer ${key}`
  return { in: 'header', name: 'Authorization', value }
}
