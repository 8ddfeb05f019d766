// LinguaDesk: back office of translation agencies. See openapi.yaml.
// env: PORT (default 8080), DB (file, default a fresh one in the temp folder), BUG (id of one planted bug, default none)

import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Boom from '@hapi/boom'
import Hapi from '@hapi/hapi'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import Database from 'better-sqlite3'
import YAML from 'yaml'
import { seed } from './seed.mjs'

const BUG = process.env.BUG || ''
const bug = (id) => BUG === id
const seqTerms = [],
  seqMoved = new Map(),
  seqOpen = new Map() // used by the seq-* bugs only
const PORT = Number(process.env.PORT || 8080)
const BASE = '/v1'
const doc = YAML.parse(readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8'))

// ---------------------------------------------------------------- database
let file = process.env.DB
if (!file) file = join(mkdtempSync(join(tmpdir(), 'linguadesk-')), 'data.sqlite')
for (const s of ['', '-wal', '-shm', '-journal']) rmSync(file + s, { force: true })
const db = new Database(file)
db.pragma('journal_mode = MEMORY')
db.pragma('synchronous = OFF')
db.pragma('foreign_keys = ON')
db.exec(`
  CREATE TABLE users (token TEXT PRIMARY KEY, login TEXT NOT NULL, display_name TEXT NOT NULL, role TEXT NOT NULL, tenant TEXT NOT NULL);
  CREATE TABLE clients (id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, code TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, data TEXT NOT NULL);
  CREATE ${bug('uniq-code-update') ? '' : 'UNIQUE'} INDEX clients_code ON clients (tenant, code);
  CREATE TABLE terms (client_id INTEGER NOT NULL REFERENCES clients ON DELETE CASCADE, source TEXT NOT NULL, updated_at TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (client_id, source));
  CREATE TABLE translators (id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, email_key TEXT NOT NULL, created_at TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (tenant, email_key));
  CREATE TABLE projects (id TEXT PRIMARY KEY, tenant TEXT NOT NULL, client_id INTEGER NOT NULL REFERENCES clients, status TEXT NOT NULL, created_at TEXT NOT NULL, data TEXT NOT NULL);
  CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL, state TEXT NOT NULL, translator_id INTEGER REFERENCES translators ON DELETE SET NULL,
    delivered_at TEXT, created_at TEXT NOT NULL, data TEXT NOT NULL);
  CREATE INDEX jobs_project ON jobs (project_id);
`)
const stmts = new Map()
const sql = (text) => {
  let s = stmts.get(text)
  if (!s) stmts.set(text, (s = db.prepare(text)))
  return s
}
let lastTick = 0
const now = () => {
  lastTick = Math.max(Date.now(), lastTick + 1)
  return new Date(lastTick).toISOString()
} // strictly increasing

// ---------------------------------------------------------------- errors
const CODES = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  500: 'internal_error',
}
class Fail extends Error {
  constructor(status, message, errors = [], headers = {}) {
    super(message)
    Object.assign(this, { status, errors, headers })
  }
}
const errorBody = (status, message, errors) => ({
  code: CODES[status] || (status < 500 ? 'bad_request' : 'internal_error'),
  message,
  status,
  errors,
})
const notFound = (what) => new Fail(404, `No such ${what}.`)
const conflict = (message) => new Fail(409, message)
const invalid = (field, message) => new Fail(422, 'The body is not valid.', [{ field, message }])

// ---------------------------------------------------------------- date-times
const DT = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
function instant(text, dropOffset) {
  // RFC 3339 → ms since 1970, NaN if it is none
  const m = DT.exec(text)
  if (!m) return NaN
  const [, date, h, mi, s, frac = '', zone] = m
  if (!isDate(date) || +h > 23 || +mi > 59 || +s > 60) return NaN
  const offset = /z/i.test(zone) ? 0 : (zone[0] === '-' ? -1 : 1) * (+zone.slice(1, 3) * 60 + +zone.slice(4, 6))
  if (!/z/i.test(zone) && (+zone.slice(1, 3) > 23 || +zone.slice(4, 6) > 59)) return NaN
  const base =
    Date.parse(`${date}T00:00:00.000Z`) +
    ((+h * 60 + +mi) * 60 + +s) * 1000 +
    Number(((frac.slice(1) || '0') + '000').slice(0, 3))
  const utcMinute = (((+h * 60 + +mi - offset) % 1440) + 1440) % 1440
  if (+s === 60 && utcMinute !== 1439) return NaN // leap seconds only at the end of a UTC day
  return dropOffset ? base : base - offset * 60000
}
function isDate(text) {
  const m = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!m) return false
  const [y, mo, d] = [+m[1], +m[2], +m[3]]
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0
  return mo >= 1 && mo <= 12 && d >= 1 && d <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][mo - 1]
}
function toUtc(text, dropOffset) {
  const t = new Date(instant(text, dropOffset))
  const out = t.toISOString()
  return /^\d{4}-/.test(out) ? out : text // beyond the years 0000..9999: as sent
}

// ---------------------------------------------------------------- validation (from the document)
const ajv = new Ajv({ strict: false, allErrors: true, discriminator: true, validateFormats: true })
addFormats(ajv)
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
ajv.addFormat('date', isDate)
ajv.addFormat('date-time', (s) => !Number.isNaN(instant(s)))
for (const f of ['int32', 'int64']) ajv.addFormat(f, true)
const schemas = structuredClone(doc.components.schemas)
delete schemas.Billing.discriminator.mapping // ajv does without
schemas.Billing.type = 'object' // and skips discriminator for what is no object
for (const name of ['Translator', 'Project']) {
  // request side: readOnly properties are not looked at
  const s = structuredClone(schemas[name])
  for (const [k, v] of Object.entries(s.properties))
    if (v.readOnly) {
      delete s.properties[k]
      s.required = s.required.filter((r) => r !== k)
    }
  schemas[`${name}Write`] = s
}
ajv.addSchema({ $id: 'doc', components: { schemas } })
const validators = new Map()
function check(name, value, tolerate) {
  let v = validators.get(name)
  if (!v) validators.set(name, (v = ajv.compile({ $ref: `doc#/components/schemas/${name}` })))
  if (v(value)) return []
  let errors = v.errors
  if (tolerate) errors = errors.filter((e) => !tolerate(e, value))
  const seen = new Set()
  return errors
    .map((e) => ({
      field:
        e.instancePath +
        (e.keyword === 'required'
          ? '/' + e.params.missingProperty
          : e.keyword === 'additionalProperties'
            ? '/' + e.params.additionalProperty.replace(/~/g, '~0').replace(/\//g, '~1')
            : ''),
      message: e.message || 'is not valid',
    }))
    .filter((e) => {
      const k = e.field + e.message
      return seen.has(k) ? false : seen.add(k)
    })
}

// parameters
const deref = (x) =>
  x.$ref
    ? x.$ref
        .slice(2)
        .split('/')
        .reduce((o, k) => o[k], doc)
    : x
const INT = /^-?(0|[1-9]\d*)$/,
  NUM = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
function scalar(text, schema) {
  switch (schema.type) {
    case 'integer': {
      if (!INT.test(text)) return 'must be an integer'
      const n = BigInt(text),
        max = schema.format === 'int32' ? 2147483647n : 9223372036854775807n
      if (n > max || n < -max - 1n) return 'is out of range'
      return { value: Number(n) }
    }
    case 'number':
      return NUM.test(text) && Number.isFinite(Number(text)) ? { value: Number(text) } : 'must be a number'
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : 'must be true or false'
    default:
      return { value: text }
  }
}
function paramReader(p) {
  const { name, schema } = p
  const test = ajv.compile(schema)
  return (texts, errors) => {
    if (!texts.length) return schema.default
    const bad = (message) => {
      errors.push({ field: name, message })
      return undefined
    }
    let value
    if (schema.type === 'array') {
      const parts = p.explode === false ? texts.flatMap((t) => t.split(',')) : texts
      if (p.explode === false && texts.length > 1) return bad('must be given once, as a comma-separated list')
      value = []
      for (const t of parts) {
        const r = scalar(t, schema.items)
        if (typeof r === 'string') return bad(r)
        value.push(r.value)
      }
    } else {
      if (texts.length > 1) return bad('must be given once')
      const r = scalar(texts[0], schema)
      if (typeof r === 'string') return bad(r)
      value = r.value
    }
    if (name === 'size' && bug('par-size-clamped') && value > schema.maximum) return schema.maximum
    return test(value) ? value : bad(test.errors[0].message)
  }
}

// ---------------------------------------------------------------- Accept
function quality(accept, type) {
  // RFC 9110 12.5.1
  if (accept === undefined || accept.trim() === '') return 1
  let best = -1,
    q = 0
  for (const part of accept.split(',')) {
    const [range, ...params] = part.split(';').map((s) => s.trim())
    const r = range.toLowerCase()
    const rank = r === type ? 2 : r === type.split('/')[0] + '/*' ? 1 : r === '*/*' ? 0 : -1
    if (rank < 0) continue
    const qp = params.map((s) => /^q=(\d(?:\.\d*)?)$/i.exec(s)).find(Boolean)
    const qv = qp ? Number(qp[1]) : 1
    if (rank > best) {
      best = rank
      q = qv
    } else if (rank === best) q = Math.max(q, qv)
  }
  return best < 0 ? 0 : q
}

// ---------------------------------------------------------------- server
const server = Hapi.server({
  port: PORT,
  host: '127.0.0.1',
  compression: false,
  debug: false,
  routes: { response: { ranges: false }, state: { parse: false, failAction: 'ignore' }, security: false },
})
const PAYLOAD = { output: 'data', parse: false, override: 'application/octet-stream', maxBytes: 1048576 }

server.auth.scheme('token', () => ({
  authenticate(request, h) {
    const m = /^(\S+) +(\S+)\s*$/.exec(request.headers.authorization || '')
    const user = m && m[1].toLowerCase() === 'bearer' && sql('SELECT * FROM users WHERE token = ?').get(m[2])
    return user ? h.authenticated({ credentials: user }) : h.unauthenticated(Boom.unauthorized())
  },
}))
server.auth.strategy('bearer', 'token')

function operation(operationId, run, opt = {}) {
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, o] of Object.entries(item)) {
      if (o.operationId !== operationId) continue
      const readers = [...(item.parameters || []), ...(o.parameters || [])]
        .map(deref)
        .filter((p) => p.in !== 'header' || p.schema.enum)
        .map((p) => ({ p, read: paramReader(p) }))
      server.route({
        method: method.toUpperCase(),
        path: BASE + path,
        options: { auth: { strategy: 'bearer', mode: 'try' }, ...(method === 'get' ? {} : { payload: PAYLOAD }) },
        handler(request, h) {
          const ctx = {
            request,
            user: request.auth.isAuthenticated ? request.auth.credentials : null,
            p: {},
            headers: request.headers,
          }
          if (!ctx.user && !opt.open)
            throw new Fail(401, 'A known bearer token is needed.', [], {
              'www-authenticate': 'Bearer realm="linguadesk"',
            })
          if (opt.admin && ctx.user.role !== 'admin') throw new Fail(403, 'Role admin is needed.')
          const errors = [],
            search = request.url.searchParams
          for (const { p, read } of readers) {
            const texts =
              p.in === 'path'
                ? [request.params[p.name]]
                : p.in === 'query'
                  ? search.getAll(p.name)
                  : request.headers[p.name.toLowerCase()] === undefined
                    ? []
                    : [request.headers[p.name.toLowerCase()]]
            ctx.p[p.name] = read(texts, errors)
          }
          if (errors.length) throw new Fail(400, 'The parameters are not valid.', errors)
          if (opt.types) {
            const [best] = opt.types.map((t) => [t, quality(request.headers.accept, t)]).sort((a, b) => b[1] - a[1])
            if (!(best[1] > 0)) throw new Fail(406, `Offered are ${opt.types.join(' and ')}.`)
            ctx.type = best[0]
          }
          if (o.requestBody) ctx.body = readBody(request, opt, operationId)
          const out = run(ctx)
          const response =
            out.raw !== undefined
              ? h.response(out.raw)
              : h.response(out.body === undefined ? undefined : JSON.stringify(out.body))
          response.code(out.status || 200)
          if (out.body !== undefined) response.type('application/json').charset('utf-8')
          for (const [k, v] of Object.entries(out.headers || {})) response.header(k, String(v))
          delete request.headers['if-none-match'] // conditional requests have been dealt with above
          return response
        },
      })
      return
    }
  }
  throw new Error(operationId)
}

function readBody(request, opt, operationId) {
  const raw = request.payload
  if (!raw || raw.length === 0) throw new Fail(400, 'The body is missing.', [{ field: '', message: 'is missing' }])
  const m = /^\s*([^\s;]+)\s*(?:;(.*))?$/.exec(request.headers['content-type'] || '')
  const charset = m && /charset\s*=\s*"?([^\s";]+)/i.exec(m[2] || '')
  const coding = (request.headers['content-encoding'] || 'identity').toLowerCase()
  const typed =
    m &&
    m[1].toLowerCase() === 'application/json' &&
    (!charset || /^utf-?8$/i.test(charset[1])) &&
    coding === 'identity'
  if (!typed && !(operationId === 'createJob' && bug('err-415-missing')))
    throw new Fail(415, 'The body must be application/json in UTF-8, not encoded.')
  let value
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    throw new Fail(
      operationId === 'createClient' && bug('err-malformed-422') ? 422 : 400,
      'The body is not well-formed JSON.',
      [{ field: '', message: 'is not well-formed JSON' }],
    )
  }
  const errors = check(opt.schema, value, opt.tolerate)
  if (opt.extra) errors.push(...opt.extra(value))
  if (errors.length) {
    if (operationId === 'createProject' && bug('err-errors-object'))
      throw new Fail(422, 'The body is not valid.', Object.fromEntries(errors.map((e) => [e.field, e.message])))
    throw new Fail(422, 'The body is not valid.', errors)
  }
  return value
}

server.ext('onPreResponse', (request, h) => {
  const r = request.response
  if (!r.isBoom) return h.continue
  const fail = r instanceof Fail ? r : null
  const status = fail ? fail.status : r.output.statusCode
  if (status === 500 && process.env.DEBUG) console.error(r)
  const message = fail
    ? fail.message
    : status >= 500
      ? 'Something went wrong.'
      : r.output.payload.message || r.output.payload.error
  const errors = fail ? fail.errors : status === 400 ? [{ field: '', message: message || 'is malformed' }] : []
  const response = h
    .response(JSON.stringify(errorBody(status, message, errors)))
    .code(status)
    .type('application/json')
    .charset('utf-8')
  for (const [k, v] of Object.entries(fail?.headers || {})) response.header(k, v)
  return response
})

for (const [path, item] of Object.entries(doc.paths)) {
  const methods = ['get', 'put', 'post', 'patch', 'delete'].filter((m) => item[m]).map((m) => m.toUpperCase())
  if (methods.includes('GET')) methods.splice(1, 0, 'HEAD')
  server.route({
    method: '*',
    path: BASE + path,
    options: { payload: PAYLOAD },
    handler() {
      throw new Fail(405, `Methods here are ${methods.join(', ')}.`, [], { allow: methods.join(', ') })
    },
  })
}
server.route({
  method: '*',
  path: '/{any*}',
  options: { payload: PAYLOAD },
  handler() {
    throw notFound('path')
  },
})

// ---------------------------------------------------------------- helpers
const has = (o, k) => Object.hasOwn(o, k)
const pick = (o, names) => Object.fromEntries(names.filter((n) => has(o, n)).map((n) => [n, o[n]]))
function cmpText(a, b) {
  // by code point
  const x = [...a],
    y = [...b]
  for (let i = 0; i < x.length && i < y.length; i++) {
    const d = x[i].codePointAt(0) - y[i].codePointAt(0)
    if (d) return d
  }
  return x.length - y.length
}
const cmp = (a, b) => (typeof a === 'number' ? a - b : cmpText(a, b))
const contains = (text, part) => text.toLowerCase().includes(part.toLowerCase())
const linkHeader = (rels) =>
  Object.entries(rels)
    .filter(([, v]) => v !== null)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ')
function address(request, path, change, only) {
  // same query, other page
  const q = new URLSearchParams()
  for (const [k, v] of request.url.searchParams) if (!has(change, k) && only.includes(k)) q.append(k, v)
  for (const [k, v] of Object.entries(change)) q.append(k, v)
  return `${BASE}${path}?${q}`
}
const queryNames = (path) =>
  doc.paths[path].get.parameters
    .map(deref)
    .filter((p) => p.in === 'query')
    .map((p) => p.name)
const tx = (fn) => db.transaction(fn)()

// ---------------------------------------------------------------- session
operation('getMe', ({ user }) => ({
  body: { login: user.login, displayName: user.display_name, role: user.role, tenant: user.tenant },
}))

// ---------------------------------------------------------------- clients
const billingOut = (b) =>
  b.method === 'invoice' && !bug('def-paymentdays')
    ? { method: b.method, email: b.email, paymentDays: b.paymentDays ?? 30 }
    : b
function clientData(b) {
  // full record of a create or replace
  let credit = b.creditLimitCents ?? 0
  if (bug('store-int32')) credit = credit >>> 0
  return {
    name: b.name,
    code: b.code,
    email: b.email,
    website: b.website ?? null,
    country: b.country,
    address: b.address ? pick(b.address, ['street', 'city', 'postalCode']) : null,
    billing: billingOut(b.billing),
    tags: b.tags ?? [],
    active: b.active ?? true,
    note: b.note ?? null,
    creditLimitCents: credit,
  }
}
const clientOut = (r) => ({ id: r.id, ...JSON.parse(r.data), createdAt: r.created_at, updatedAt: r.updated_at })
const clientTag = (r) => `"c${r.id}-v${r.version}"`
function clientOf(ctx) {
  const r = ctx.user
    ? sql('SELECT * FROM clients WHERE id = ? AND tenant = ?').get(ctx.p.clientId, ctx.user.tenant)
    : sql('SELECT * FROM clients WHERE id = ?').get(ctx.p.clientId)
  if (!r) throw notFound('client')
  return r
}
const tagList = (text) => text.match(/(?:W\/)?"[^"]*"/g) || []
function ifMatch(ctx, r) {
  const h = ctx.headers['if-match']
  if (h === undefined || h.trim() === '*') return
  if (!tagList(h).includes(clientTag(r))) throw new Fail(412, 'The client is another than that of If-Match.')
}
function freeCode(ctx, code, own) {
  const other = sql('SELECT id FROM clients WHERE tenant = ? AND code = ?').get(ctx.user.tenant, code)
  if (other && other.id !== own) throw conflict(`The code ${code} is in use.`)
}
function saveClient(r, data) {
  const text = JSON.stringify(data)
  if (text === r.data) return r
  sql('UPDATE clients SET code = ?, version = ?, updated_at = ?, data = ? WHERE id = ?').run(
    data.code,
    r.version + (r.keepVersion ? 0 : 1),
    now(),
    text,
    r.id,
  )
  return sql('SELECT * FROM clients WHERE id = ?').get(r.id)
}
const clientErrors = (e) =>
  bug('val-address-extra') && e.keyword === 'additionalProperties' && e.instancePath === '/address'

operation('listClients', (ctx) => {
  const { p, user, request } = ctx
  const all = sql('SELECT * FROM clients WHERE tenant = ?').all(user.tenant).map(clientOut)
  const countries = p.country && (bug('filter-country-last') ? p.country.slice(-1) : p.country)
  const rows = all.filter(
    (c) =>
      (p.q === undefined || contains(c.name, p.q) || contains(c.code, p.q)) &&
      (!countries || countries.includes(c.country)) &&
      (p.active === undefined || c.active === p.active) &&
      (p.tag === undefined || c.tags.includes(p.tag)) &&
      (p.minCredit === undefined || c.creditLimitCents >= p.minCredit) &&
      (p.maxCredit === undefined || c.creditLimitCents <= p.maxCredit),
  )
  const desc = p.sort.startsWith('-'),
    key = p.sort.replace('-', '')
  rows.sort((a, b) => (desc ? -1 : 1) * cmp(a[key], b[key]) || a.id - b.id)
  const total = bug('total-unfiltered') ? all.length : rows.length
  const items = rows.slice(p.offset, p.offset + p.limit)
  const last = Math.max(0, Math.floor((rows.length - 1) / p.limit) * p.limit)
  const names = queryNames('/clients')
  const at = (offset, only = names) =>
    offset === null ? null : address(request, '/clients', { offset, limit: p.limit }, only)
  const next = p.offset + p.limit < rows.length ? p.offset + p.limit : null
  const prev = p.offset > 0 ? Math.min(last, Math.max(0, p.offset - p.limit)) : null
  const only = bug('hdr-link-loses-filter') ? ['sort'] : names
  return {
    body: { items, total, next: at(next) },
    headers: {
      'x-total-count': total,
      link: linkHeader({ first: at(0, only), prev: at(prev, only), next: at(next, only), last: at(last, only) }),
    },
  }
})
operation(
  'createClient',
  (ctx) => {
    freeCode(ctx, ctx.body.code)
    const t = now(),
      data = clientData(ctx.body)
    const { lastInsertRowid: id } = sql(
      'INSERT INTO clients (tenant, code, created_at, updated_at, data) VALUES (?, ?, ?, ?, ?)',
    ).run(ctx.user.tenant, data.code, t, t, JSON.stringify(data))
    const r = sql('SELECT * FROM clients WHERE id = ?').get(id)
    return { status: 201, body: clientOut(r), headers: { location: `${BASE}/clients/${id}`, etag: clientTag(r) } }
  },
  {
    schema: 'ClientWrite',
    tolerate: (e, value) =>
      clientErrors(e) ||
      (bug('val-email-format') && e.keyword === 'format' && e.instancePath === '/email') ||
      (bug('val-code-unanchored') &&
        e.keyword === 'pattern' &&
        e.instancePath === '/code' &&
        /[A-Z]{3}-[0-9]{4}/.test(value.code)),
  },
)
operation('getClient', (ctx) => {
  const r = clientOf(ctx),
    tag = clientTag(r),
    h = ctx.headers['if-none-match']
  if (h !== undefined) {
    const tags = bug('cond-inm-list') ? [h.trim().replace(/^W\//, '')] : tagList(h).map((t) => t.replace(/^W\//, ''))
    if (h.trim() === '*' || tags.includes(tag)) return { status: 304, headers: { etag: tag } }
  }
  return { body: clientOut(r), headers: { etag: tag } }
})
operation(
  'replaceClient',
  (ctx) => {
    const r = clientOf(ctx)
    if (!bug('cond-ifmatch-ignored')) ifMatch(ctx, r)
    const data = clientData(ctx.body)
    if (bug('put-keeps-absent')) {
      const old = JSON.parse(r.data)
      for (const k of ['website', 'note']) if (!has(ctx.body, k)) data[k] = old[k]
    }
    freeCode(ctx, data.code, r.id)
    const saved = saveClient(r, data)
    return { body: clientOut(saved), headers: { etag: clientTag(saved) } }
  },
  { schema: 'ClientWrite', tolerate: clientErrors },
)
operation(
  'patchClient',
  (ctx) => {
    const r = clientOf(ctx),
      old = JSON.parse(r.data),
      b = ctx.body
    const merged = { ...old, ...b }
    if (b.address && old.address && !bug('patch-nested-replaced')) merged.address = { ...old.address, ...b.address }
    if (merged.address)
      merged.address = Object.fromEntries(Object.entries(merged.address).filter(([, v]) => v !== null))
    if (bug('patch-absent-reset')) merged.active = b.active ?? true
    ifMatch(ctx, r)
    const errors = check('ClientWrite', merged, clientErrors)
    if (errors.length) throw new Fail(422, 'The changed client would not be valid.', errors)
    if (!bug('uniq-code-update')) freeCode(ctx, merged.code, r.id)
    if (bug('etag-stale')) r.keepVersion = true
    const saved = saveClient(r, clientData(merged))
    return { body: clientOut(saved), headers: { etag: clientTag(saved) } }
  },
  { schema: 'ClientPatch', tolerate: clientErrors },
)
operation('deleteClient', (ctx) => {
  const r = clientOf(ctx)
  ifMatch(ctx, r)
  if (sql('SELECT 1 FROM projects WHERE client_id = ?').get(r.id)) {
    if (!bug('del-client-in-use')) throw conflict('The client has projects.')
    sql('DELETE FROM jobs WHERE project_id IN (SELECT id FROM projects WHERE client_id = ?)').run(r.id)
    sql('DELETE FROM projects WHERE client_id = ?').run(r.id)
  }
  sql('DELETE FROM clients WHERE id = ?').run(r.id)
  return { status: 204 }
})

// ---------------------------------------------------------------- terms
const termOut = (r) => ({ source: r.source, ...JSON.parse(r.data), updatedAt: r.updated_at })
const termOf = (c, source) => sql('SELECT * FROM terms WHERE client_id = ? AND source = ?').get(c.id, source)
operation(
  'listTerms',
  (ctx) => {
    const c = clientOf(ctx),
      { language, forbidden } = ctx.p
    const items = [
      ...sql('SELECT * FROM terms WHERE client_id = ?').all(c.id),
      ...seqTerms.filter((t) => t.client_id === c.id),
    ]
      .map(termOut)
      .filter(
        (t) =>
          (language === undefined || t.language === language) && (forbidden === undefined || t.forbidden === forbidden),
      )
      .sort((a, b) => cmpText(a.source, b.source))
    return { body: { items, total: items.length }, headers: { 'x-total-count': items.length } }
  },
  { open: bug('auth-terms-open') },
)
operation('getTerm', (ctx) => {
  const t = termOf(clientOf(ctx), ctx.p.source)
  if (!t) throw notFound('term')
  return { body: termOut(t) }
})
operation(
  'putTerm',
  (ctx) => {
    const c = clientOf(ctx),
      { source } = ctx.p,
      b = ctx.body,
      old = termOf(c, source)
    if (old && ctx.p['If-None-Match'] === '*') throw new Fail(412, 'The term exists already.')
    const keep = (s) =>
      bug('store-emoji-lost') && typeof s === 'string' ? s.replace(/[\u{10000}-\u{10ffff}]/gu, '?') : s
    const data = {
      target: keep(b.target),
      language: b.language,
      forbidden: b.forbidden ?? false,
      comment: keep(b.comment ?? null),
    }
    sql(
      'INSERT INTO terms (client_id, source, updated_at, data) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, data = excluded.data',
    ).run(c.id, source, now(), JSON.stringify(data))
    if (old && old.data === JSON.stringify(data) && bug('seq-9-term-retry-twice')) seqTerms.push(old)
    if (bug('seq-10-create-etag-refused')) sql('UPDATE clients SET version = version + 1 WHERE id = ?').run(c.id)
    const body = termOut(termOf(c, source))
    return old
      ? { body }
      : { status: 201, body, headers: { location: `${BASE}/clients/${c.id}/terms/${encodeURIComponent(source)}` } }
  },
  { schema: 'TermWrite' },
)
operation('deleteTerm', (ctx) => {
  const c = clientOf(ctx)
  if (!sql('DELETE FROM terms WHERE client_id = ? AND source = ?').run(c.id, ctx.p.source).changes)
    throw notFound('term')
  return { status: 204 }
})

// ---------------------------------------------------------------- translators
const certOut = (c) => ({ name: c.name, issuedOn: c.issuedOn, url: c.url ?? null })
const translatorData = (b) => ({
  fullName: b.fullName,
  email: b.email,
  languages: b.languages,
  hourlyRate: b.hourlyRate,
  currency: b.currency ?? 'EUR',
  rating: b.rating ?? null,
  available: b.available ?? true,
  memberSince: b.memberSince ?? null,
  certifications: (b.certifications ?? []).map(certOut),
  portalPassword: b.portalPassword ?? null,
})
function translatorOut(r) {
  const { portalPassword, ...data } = JSON.parse(r.data)
  const { n } = sql("SELECT count(*) n FROM jobs WHERE translator_id = ? AND state = 'assigned'").get(r.id)
  return {
    id: r.id,
    ...data,
    portalPasswordSet: portalPassword !== null,
    openJobs: n + (seqOpen.get(r.id) ?? 0),
    createdAt: r.created_at,
  }
}
const emailKey = (e) => (bug('uniq-email-case') ? e : e.toLowerCase())
function translatorOf(ctx, anyTenant) {
  const r = sql('SELECT * FROM translators WHERE id = ?').get(ctx.p.translatorId)
  if (!r || (r.tenant !== ctx.user.tenant && !anyTenant)) throw notFound('translator')
  return r
}
function freeEmail(tenant, email, own) {
  const other = sql('SELECT id FROM translators WHERE tenant = ? AND email_key = ?').get(tenant, emailKey(email))
  if (other && other.id !== own) throw conflict('The email is in use.')
}
const certErrors = (e) => bug('val-cert-first-only') && /^\/certifications\/[1-9]/.test(e.instancePath)
const csvField = (v) => {
  const s = String(v)
  return /[",\r\n]/.test(s) && !bug('csv-unquoted') ? `"${s.replace(/"/g, '""')}"` : s
}

operation(
  'listTranslators',
  (ctx) => {
    const { p, user, request } = ctx
    const rows = sql('SELECT * FROM translators WHERE tenant = ?')
      .all(user.tenant)
      .map(translatorOut)
      .filter(
        (t) =>
          (p.q === undefined || contains(t.fullName, p.q) || contains(t.email, p.q)) &&
          (!p.language || p.language.some((l) => t.languages.includes(l))) &&
          (p.minRate === undefined || t.hourlyRate >= p.minRate) &&
          (p.maxRate === undefined ||
            (bug('filter-maxrate-exclusive') ? t.hourlyRate < p.maxRate : t.hourlyRate <= p.maxRate)) &&
          (p.available === undefined || t.available === p.available),
      )
    const key = (t) => (bug('sort-rate-string') ? String(t[p.sort]) : t[p.sort])
    rows.sort((a, b) => (p.order === 'desc' ? -1 : 1) * cmp(key(a), key(b)) || a.id - b.id)
    const total = rows.length
    let start = (p.page - 1) * p.size
    if (bug('page-overlap') && p.page > 1) start -= 1
    const items = rows.slice(start, start + p.size)
    const last = Math.max(1, Math.ceil(total / p.size))
    const next = p.page * p.size < total ? p.page + 1 : null
    const at = (page) =>
      page === null ? null : address(request, '/translators', { page, size: p.size }, queryNames('/translators'))
    const headers = {
      'x-total-count': total,
      vary: 'accept',
      link: linkHeader({
        first: at(1),
        prev: at(p.page > 1 ? Math.min(last, p.page - 1) : null),
        next: at(next),
        last: at(last),
      }),
    }
    if (ctx.type === 'text/csv') {
      const lines = [
        ['id', 'fullName', 'email', 'languages', 'hourlyRate', 'currency', 'available'],
        ...items.map((t) => [t.id, t.fullName, t.email, t.languages.join(' '), t.hourlyRate, t.currency, t.available]),
      ]
      const text = lines.map((l) => l.map(csvField).join(',') + '\r\n').join('')
      return {
        raw: Buffer.from(text, bug('csv-latin1') ? 'latin1' : 'utf8'),
        headers: { ...headers, 'content-type': 'text/csv; charset=utf-8' },
      }
    }
    if (bug('resp-rating-string')) for (const t of items) if (t.rating !== null) t.rating = t.rating.toFixed(1)
    return { body: { items, total, next }, headers }
  },
  { types: ['application/json', 'text/csv'] },
)
operation(
  'createTranslator',
  (ctx) => {
    const data = translatorData(ctx.body)
    freeEmail(ctx.user.tenant, data.email)
    const { lastInsertRowid: id } = sql(
      'INSERT INTO translators (tenant, email_key, created_at, data) VALUES (?, ?, ?, ?)',
    ).run(ctx.user.tenant, emailKey(data.email), now(), JSON.stringify(data))
    const body = translatorOut(sql('SELECT * FROM translators WHERE id = ?').get(id))
    if (bug('resp-password-leak')) body.portalPassword = data.portalPassword
    return { status: 201, body, headers: { location: `${BASE}/translators/${id}` } }
  },
  { schema: 'TranslatorWrite', admin: true, tolerate: certErrors },
)
operation('getTranslator', (ctx) => ({ body: translatorOut(translatorOf(ctx)) }))
operation(
  'patchTranslator',
  (ctx) => {
    const r = translatorOf(ctx, bug('tenant-patch-translator'))
    const data = translatorData({ ...JSON.parse(r.data), ...ctx.body })
    freeEmail(r.tenant, data.email, r.id)
    sql('UPDATE translators SET email_key = ?, data = ? WHERE id = ?').run(
      emailKey(data.email),
      JSON.stringify(data),
      r.id,
    )
    return { body: translatorOut(sql('SELECT * FROM translators WHERE id = ?').get(r.id)) }
  },
  {
    schema: 'TranslatorPatch',
    tolerate: (e) => certErrors(e) || (bug('val-rate-multiple-patch') && e.keyword === 'multipleOf'),
  },
)
operation(
  'deleteTranslator',
  (ctx) => {
    const r = translatorOf(ctx)
    if (sql("SELECT 1 FROM jobs WHERE translator_id = ? AND state = 'assigned'").get(r.id))
      throw conflict('The translator has assigned jobs.')
    sql('DELETE FROM translators WHERE id = ?').run(r.id)
    return { status: 204 }
  },
  { admin: !bug('role-delete-translator') },
)

// ---------------------------------------------------------------- projects
function projectData(b) {
  return {
    title: b.title,
    clientId: b.clientId,
    externalRef: b.externalRef ?? null,
    sourceLanguage: b.sourceLanguage,
    targetLanguages: b.targetLanguages,
    priority: b.priority ?? 3,
    wordCount: b.wordCount,
    startsOn: b.startsOn ?? null,
    deadline: b.deadline == null ? null : toUtc(b.deadline, bug('deadline-offset-lost')),
    budget: b.budget ? { amountCents: b.budget.amountCents, currency: b.budget.currency ?? 'EUR' } : null,
    metadata: b.metadata ?? {},
  }
}
function projectOut(r) {
  const { n } = sql('SELECT count(*) n FROM jobs WHERE project_id = ?').get(r.id)
  return { id: r.id, ...JSON.parse(r.data), status: r.status, jobCount: n, createdAt: r.created_at }
}
const projectRow = (id) => sql('SELECT * FROM projects WHERE id = ?').get(id)
function projectOf(ctx) {
  const r = sql('SELECT * FROM projects WHERE id = ? AND tenant = ?').get(
    ctx.p.projectId.toLowerCase(),
    ctx.user.tenant,
  )
  if (!r) throw notFound('project')
  return r
}
function knownClient(ctx, id) {
  const c = bug('tenant-ref-client')
    ? sql('SELECT 1 FROM clients WHERE id = ?').get(id)
    : sql('SELECT 1 FROM clients WHERE id = ? AND tenant = ?').get(id, ctx.user.tenant)
  if (!c) throw invalid('/clientId', 'is not a known client')
}
const saveProject = (r, data) =>
  sql('UPDATE projects SET client_id = ?, data = ? WHERE id = ?').run(data.clientId, JSON.stringify(data), r.id)

operation('listProjects', (ctx) => {
  const { p, user } = ctx
  const ms = (t, drop) => (t === undefined ? undefined : instant(t, drop))
  const from = ms(p.dueFrom, bug('filter-duefrom-offset')),
    to = ms(p.dueTo)
  const like =
    p.q !== undefined && bug('filter-q-wildcard')
      ? new RegExp(
          p.q
            .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
            .replace(/%/g, '[^]*')
            .replace(/_/g, '[^]'),
          'i',
        )
      : null
  const former =
    p.clientId === undefined
      ? []
      : [...seqMoved]
          .map(([id, data]) => [projectRow(id), data])
          .filter(([r]) => r && r.tenant === user.tenant && r.client_id !== p.clientId)
          .map(([r, data]) => ({ ...r, data }))
  const rows = [...sql('SELECT * FROM projects WHERE tenant = ?').all(user.tenant), ...former]
    .map(projectOut)
    .filter(
      (x) =>
        (!p.status || p.status.includes(x.status)) &&
        (p.clientId === undefined || x.clientId === p.clientId) &&
        (from === undefined || (x.deadline !== null && instant(x.deadline) >= from)) &&
        (to === undefined || (x.deadline !== null && instant(x.deadline) < to)) &&
        (p.q === undefined || (like ? like.test(x.title) : contains(x.title, p.q))),
    )
  const desc = p.sort.startsWith('-') ? -1 : 1,
    key = p.sort.replace('-', '')
  const k = (x) => (key === 'title' ? x.title : x[key] === null ? null : instant(x[key]))
  const byKey = (a, b) => (a === null || b === null ? (a === null ? 1 : 0) - (b === null ? 1 : 0) : desc * cmp(a, b))
  rows.sort((a, b) => byKey(k(a), k(b)) || cmpText(a.id, b.id))
  const filter = JSON.stringify([
    p.sort,
    [...new Set(p.status || [])].sort(),
    p.clientId ?? null,
    p.dueFrom ?? null,
    p.dueTo ?? null,
    p.q ?? null,
  ])
  let rest = rows
  if (p.cursor !== undefined) {
    let c = null
    try {
      c = JSON.parse(Buffer.from(p.cursor, 'base64url').toString('utf8'))
    } catch {
      /* below */
    }
    if (
      !Array.isArray(c) ||
      c.length !== 3 ||
      c[0] !== filter ||
      typeof c[2] !== 'string' ||
      !(c[1] === null || typeof c[1] === (key === 'title' ? 'string' : 'number'))
    ) {
      throw new Fail(400, 'The parameters are not valid.', [
        { field: 'cursor', message: 'was not issued for this sort and these filters' },
      ])
    }
    rest = rows.filter((x) =>
      bug('cursor-ties') ? byKey(k(x), c[1]) > 0 : (byKey(k(x), c[1]) || cmpText(x.id, c[2])) > 0,
    )
  }
  const items = rest.slice(0, p.limit),
    end = items[items.length - 1]
  const next =
    rest.length > p.limit ? Buffer.from(JSON.stringify([filter, k(end), end.id])).toString('base64url') : null
  return { body: { items, total: rows.length, next }, headers: { 'x-total-count': rows.length } }
})
operation(
  'createProject',
  (ctx) => {
    knownClient(ctx, ctx.body.clientId)
    const data = projectData(ctx.body),
      id = randomUUID()
    sql("INSERT INTO projects (id, tenant, client_id, status, created_at, data) VALUES (?, ?, ?, 'draft', ?, ?)").run(
      id,
      ctx.user.tenant,
      data.clientId,
      now(),
      JSON.stringify(data),
    )
    return { status: 201, body: projectOut(projectRow(id)), headers: { location: `${BASE}/projects/${id}` } }
  },
  {
    schema: 'ProjectWrite',
    extra: (b) =>
      bug('val-title-bytes') && b && typeof b.title === 'string' && Buffer.byteLength(b.title) > 120
        ? [{ field: '/title', message: 'must NOT have more than 120 characters' }]
        : [],
  },
)
operation('getProject', (ctx) => {
  if (ctx.request.method === 'head' && bug('head-405'))
    throw new Fail(405, 'Methods here are GET, PATCH, DELETE.', [], { allow: 'GET, PATCH, DELETE' })
  return { body: projectOut(projectOf(ctx)) }
})
operation(
  'patchProject',
  (ctx) => {
    const r = projectOf(ctx),
      old = JSON.parse(r.data),
      b = ctx.body
    const merged = { ...old, ...b }
    if (bug('patch-null-ignored')) for (const key of Object.keys(b)) merged[key] = b[key] ?? old[key]
    if (b.metadata)
      merged.metadata = Object.fromEntries(
        Object.entries({ ...Object.fromEntries(Object.entries(old.metadata)), ...b.metadata }).filter(
          ([, v]) => v !== null,
        ),
      )
    if (r.status === 'closed') throw conflict('The project is closed.')
    const errors = check('ProjectWrite', merged)
    if (errors.length) throw new Fail(422, 'The changed project would not be valid.', errors)
    const data = projectData(merged)
    if (bug('store-422-partial')) saveProject(r, { ...data, clientId: old.clientId })
    if (has(b, 'clientId')) knownClient(ctx, b.clientId)
    if (data.clientId !== old.clientId && bug('seq-7-moved-in-old-list')) seqMoved.set(r.id, r.data)
    saveProject(r, data)
    return { body: projectOut(projectRow(r.id)) }
  },
  { schema: 'ProjectPatch' },
)
operation('deleteProject', (ctx) => {
  const r = projectOf(ctx)
  tx(() => {
    if (!bug('del-cascade-missing')) sql('DELETE FROM jobs WHERE project_id = ?').run(r.id)
    sql('DELETE FROM projects WHERE id = ?').run(r.id)
  })
  return { status: 204 }
})
operation('startProject', (ctx) => {
  const r = projectOf(ctx)
  if (r.status !== 'draft') throw conflict(`The project is ${r.status}.`)
  sql("UPDATE projects SET status = 'active' WHERE id = ?").run(r.id)
  return { body: projectOut(projectRow(r.id)) }
})
operation('closeProject', (ctx) => {
  const r = projectOf(ctx)
  if (r.status !== 'active') throw conflict(`The project is ${r.status}.`)
  if (!bug('act-close-open-jobs') && sql("SELECT 1 FROM jobs WHERE project_id = ? AND state <> 'delivered'").get(r.id))
    throw conflict('The project has jobs which are not delivered.')
  sql("UPDATE projects SET status = 'closed' WHERE id = ?").run(r.id)
  return { body: projectOut(projectRow(r.id)) }
})

// ---------------------------------------------------------------- jobs
const jobOut = (r) => ({
  id: r.id,
  projectId: r.project_id,
  ...JSON.parse(r.data),
  state: r.state,
  translatorId: r.translator_id,
  deliveredAt: r.delivered_at,
  createdAt: r.created_at,
})
const jobRow = (id) => sql('SELECT * FROM jobs WHERE id = ?').get(id)
function jobOf(ctx, anyProject) {
  const project = projectOf(ctx),
    r = jobRow(ctx.p.jobId)
  if (!r || (r.project_id !== project.id && !(anyProject && projectRow(r.project_id)?.tenant === project.tenant)))
    throw notFound('job')
  return r
}
operation('listJobs', (ctx) => {
  const project = projectOf(ctx),
    { page, size, state } = ctx.p
  const rows = sql('SELECT * FROM jobs WHERE project_id = ? ORDER BY id')
    .all(project.id)
    .map(jobOut)
    .filter((j) => state === undefined || j.state === state)
  const items = rows.slice((page - 1) * size, page * size)
  const more = bug('next-on-last') ? items.length === size : page * size < rows.length
  return {
    body: { items, total: rows.length, next: more ? page + 1 : null },
    headers: { 'x-total-count': rows.length },
  }
})
operation(
  'createJob',
  (ctx) => {
    const project = projectOf(ctx),
      b = ctx.body
    if (project.status === 'closed') throw conflict('The project is closed.')
    if (!JSON.parse(project.data).targetLanguages.includes(b.language))
      throw invalid('/language', 'is not a target language of the project')
    const data = { kind: b.kind, language: b.language, words: b.words, instructions: b.instructions ?? null }
    const { lastInsertRowid: id } = sql(
      "INSERT INTO jobs (project_id, state, created_at, data) VALUES (?, 'open', ?, ?)",
    ).run(project.id, now(), JSON.stringify(data))
    return {
      status: 201,
      body: jobOut(jobRow(id)),
      headers: {
        location: bug('hdr-location-wrong') ? `${BASE}/jobs/${id}` : `${BASE}/projects/${project.id}/jobs/${id}`,
      },
    }
  },
  { schema: 'JobCreate' },
)
operation('getJob', (ctx) => ({ body: jobOut(jobOf(ctx, bug('nested-parent-unchecked'))) }))
operation(
  'assignJob',
  (ctx) => {
    const j = jobOf(ctx),
      { translatorId } = ctx.body
    const t = sql('SELECT * FROM translators WHERE id = ? AND tenant = ?').get(translatorId, ctx.user.tenant)
    if (j.state !== 'open') {
      if (bug('act-assign-409-changes') && t)
        sql('UPDATE jobs SET translator_id = ? WHERE id = ?').run(translatorId, j.id)
      throw conflict(`The job is ${j.state}.`)
    }
    if (!t && !bug('err-ref-500')) throw invalid('/translatorId', 'is not a known translator')
    if (t && !JSON.parse(t.data).available) throw conflict('The translator is not available.')
    sql("UPDATE jobs SET state = 'assigned', translator_id = ? WHERE id = ?").run(translatorId, j.id)
    return { body: jobOut(jobRow(j.id)) }
  },
  { schema: 'AssignRequest' },
)
operation('deliverJob', (ctx) => {
  const j = jobOf(ctx)
  if (j.state !== 'assigned') throw conflict(`The job is ${j.state}.`)
  sql("UPDATE jobs SET state = 'delivered', delivered_at = ? WHERE id = ?").run(now(), j.id)
  if (bug('seq-8-openjobs-after-deliver')) seqOpen.set(j.translator_id, (seqOpen.get(j.translator_id) ?? 0) + 1)
  return { body: jobOut(jobRow(j.id)) }
})

seed(db, { clientData, translatorData, projectData })
await server.start()
console.log(`listening on http://127.0.0.1:${server.info.port}`)
for (const s of ['SIGTERM', 'SIGINT'])
  process.on(s, () => {
    server.stop({ timeout: 0 }).finally(() => {
      if (!process.env.DB) rmSync(dirname(file), { recursive: true, force: true })
      process.exit(0)
    })
  })
