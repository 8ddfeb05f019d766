/** Sends the requests of a recording to a server, one after the other, with the values that its own earlier answers gave. */
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from '../servers/launch.js'
import { changeAt, valueAt } from './pointers.js'

const placeholder = /\$\{([^}]+)\}/g
const minute = 60_000
/** How much of a text is kept and compared. */
const maxText = 3000

/**
 * @param recording `exchanges.json` of a recording; its answers are not used
 * @returns the answers, each with the request that was sent, the values that they gave, and the time
 */
export async function replay({ prefix = '', from, ids = {}, credentials = {}, exchanges }, port) {
  const begin = Date.now()
  const values = { ...ids }
  const answers = []
  for (const exchange of exchanges) {
    if (exchange.wait) await wait(exchange.wait)
    const request = fillRequest(exchange, values, from)
    const headers = { ...fillCredentials(credentials[exchange.as], values), ...exchange.sent }
    const { answer, sources } = await send(exchange.method, `${prefix}${request.path}`, request, headers, port)
    for (const [name, place] of Object.entries(exchange.gives ?? {})) {
      const value = place === '' || place.startsWith('/') ? valueAt(sources.body, place) : sources.headers[place]
      if (value !== undefined && value !== null && value !== '') values[name] = value
    }
    answers.push({ n: exchange.n, request, ...answer })
  }
  return { from: begin, to: Date.now(), ids: values, answers }
}

/** Puts earlier values into the places that use them, and moves times of the client's clock to now. */
function fillRequest({ path, query, body, uses = {}, times = [] }, values, from) {
  const request = structuredClone({ path, query, body })
  for (const [pointer, template] of Object.entries(uses)) {
    changeAt(request, pointer, () => (pointer === '/path' ? fillPath(template, values) : fill(template, values)))
  }
  const passed = Math.floor(Date.now() / minute) - Math.floor(from / minute)
  for (const pointer of times) {
    changeAt(request, pointer, (time) => new Date(Date.parse(time) + passed * minute).toISOString())
  }
  return request
}

/** A template that is one placeholder keeps the type of the value. */
function fill(template, values) {
  const [whole, name] = /^\$\{([^}]+)\}$/.exec(template) ?? []
  return whole === undefined ? template.replace(placeholder, (_, each) => values[each]) : values[name]
}

function fillPath(template, values) {
  return template.replace(placeholder, (_, name) => encodeURIComponent(values[name]))
}

/** `or` is sent if the server gave no such value. */
function fillCredentials({ headers = {}, or = {} } = {}, values) {
  const names = Object.values(headers).flatMap((value) => [...value.matchAll(placeholder)].map(([, name]) => name))
  if (names.some((name) => values[name] === undefined)) return or
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, fill(value, values)]))
}

async function send(method, path, { query, body }, credentials, port) {
  const pairs = Object.entries(query ?? {}).flatMap(([key, value]) => [value].flat().map((each) => [key, each]))
  const address = query ? `${path}?${new URLSearchParams(pairs)}` : path
  const payload = write(body, credentials['content-type'])
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
  const headers = { accept: 'application/json', ...credentials, ...length }
  const received = await ask(port, { method, path: address, headers, body: payload }).catch(() => undefined)
  return received === undefined ? silent : read(received)
}

/** What counts as the answer if none comes. */
const silent = { answer: { status: 0, type: '', headers: {}, res: null }, sources: { headers: {} } }

function write(body, type) {
  if (type === undefined || typeof body === 'string') return type && body
  return type.includes('x-www-form-urlencoded') ? `${new URLSearchParams(body)}` : JSON.stringify(body)
}

function read({ status, headers: raw, body: text }) {
  const headers = readHeaders(raw)
  const { location } = headers
  const type = text === '' ? '' : (headers['content-type'] ?? '').split(';')[0].trim()
  const body = parse(text, headers['content-type'])
  const res = text === '' ? null : typeof body === 'string' ? body.slice(0, maxText) : body
  return {
    answer: { status, type, headers: location === undefined ? {} : { location }, res },
    sources: { headers, body },
  }
}

function parse(text, type = '') {
  if (!type.includes('json') && !/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Headers by name, and all cookies as a client sends them. */
function readHeaders(raw) {
  const headers = {}
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index].toLowerCase()
    const value = raw[index + 1]
    if (name !== 'set-cookie') headers[name] = value
    else headers[name] = [headers[name], value.split(';')[0]].filter(Boolean).join('; ')
  }
  return headers
}
