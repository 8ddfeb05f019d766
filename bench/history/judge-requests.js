/** Judges recorded requests with Prism: what a document refuses, and where. */
import { createRequire } from 'node:module'
import { excerpt } from './excerpt.js'

const require = createRequire(import.meta.url)
const { getHttpOperationsFromSpec } = require('@stoplight/prism-http')
const { validateInput, validateSecurity } = require('@stoplight/prism-http/dist/validator')

const severityOfErrors = 0
/** OpenAPI 3.1, section 4.8.12.1: a parameter with such a name is ignored. */
const ignored = new Set(['header authorization', 'header accept', 'header content-type'])
const isJson = (type) => /^application\/([^;]*\+)?json\b/i.test(type)

/**
 * @param written the document as it is written
 * @param wanted operations of it that calls are judged for, as `{ method, path }`
 * @returns a function that takes an operation and a call, and returns places with messages: none if the call is accepted
 */
export async function createRequestJudge(written, wanted) {
  const part = excerpt(written, [...new Set(wanted.map(({ path }) => path))])
  const resources = await getHttpOperationsFromSpec(structuredClone(part))
  const known = new Map(resources.map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]))

  return function judge({ method, path }, request) {
    const resource = known.get(`${method} ${path}`)
    if (resource === undefined) throw new Error(`Prism does not have ${method} ${path}`)
    const element = toElement(request)
    const found = violationsOf(validateInput({ resource, element }))
      .map(toPlace)
      .filter(({ at }) => !ignored.has(at))
    const isRefused = violationsOf(validateSecurity({ resource, element })).length > 0
    // Prism refuses credentials that are not needed.
    const isOpen = (resource.security ?? []).some((each) => each.length === 0)
    if (isRefused && !isOpen)
      found.push({ at: 'credentials', code: 'security', message: 'Prism finds no valid credentials' })
    return found
  }
}

function toElement({ method, path, headers, body }) {
  const { pathname, searchParams } = new URL(path, 'http://service.example')
  const query = {}
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  if (body !== undefined) sent['content-length'] = String(Buffer.byteLength(body))
  return {
    method: method.toLowerCase(),
    url: { path: pathname, query },
    headers: sent,
    body: body !== undefined && isJson(sent['content-type'] ?? '') ? JSON.parse(body) : body,
  }
}

/** Without the errors inside of alternatives, of which none fits. */
function violationsOf(result) {
  if (result._tag !== 'Left') return []
  const errors = [result.left].flat().filter(({ severity }) => severity === severityOfErrors)
  const choices = errors.filter(({ code }) => code === 'oneOf' || code === 'anyOf')
  const isInside = (error) =>
    choices.some((choice) => choice !== error && isPrefix(choice.path ?? [], error.path ?? []))
  return errors.filter((error) => !isInside(error) || choices.includes(error))
}

function isPrefix(prefix, path) {
  return prefix.length <= path.length && prefix.every((name, index) => name === path[index])
}

function toPlace({ path = [], code, message }) {
  const [place, ...names] = path
  const missing = code === 'required' ? /required property '(.*)'/.exec(message)?.[1] : undefined
  const all = [...names, ...(missing === undefined ? [] : [missing])].map(unescapePointer)
  if (place === undefined || code === 415) return { at: 'body', message, code: String(code) }
  if (place !== 'body') return { at: `${place} ${all[0] ?? ''}`.trim(), message, code: String(code) }
  const inBody = all.reduce((at, name) => (/^\d+$/.test(name) ? `${at}[]` : at === '' ? name : `${at}.${name}`), '')
  return { at: `body ${inBody}`.trim(), message, code: String(code) }
}

function unescapePointer(text) {
  return String(text).replaceAll('~1', '/').replaceAll('~0', '~')
}
