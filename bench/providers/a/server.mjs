// Parcelway courier API. Env: PORT, DATABASE_URL, BUG (empty: correct).

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as yaml from 'js-yaml'
import Koa from 'koa'
import pg from 'pg'

const PORT = Number(process.env.PORT ?? 8080)
const DATABASE_URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:55437/postgres'
const BUG = process.env.BUG ?? ''
const bug = (id) => BUG === id
const seqCounts = new Map(),
  seqVehicles = new Map(),
  seqTags = new Map() // used by the seq-* bugs only

// ------------------------------------------------------------------ document and validation
const doc = yaml.load(readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8'))
const sch = doc.components.schemas
const deref = (o) =>
  o && o.$ref
    ? deref(
        o.$ref
          .slice(2)
          .split('/')
          .reduce((a, k) => a[k], doc),
      )
    : o

// the document is also the source of the validators
if (bug('phone-unanchored')) sch.CustomerFields.properties.phone.pattern = '^\\+[1-9][0-9]{6,14}'
if (bug('credit-multiple-of')) delete sch.CustomerFields.properties.creditLimit.multipleOf
if (bug('address-extra')) delete sch.Address.additionalProperties
if (bug('weight-zero')) {
  const w = sch.ParcelInput.properties.weightKg
  delete w.exclusiveMinimum
  w.minimum = 0
}
if (bug('contents-max')) delete sch.ParcelInput.properties.contents.maxItems
if (bug('tier-null')) {
  const t = sch.CustomerFields.properties.tier
  t.type = ['string', 'null']
  t.enum = [...t.enum, null]
}
if (bug('limit-cap')) delete doc.components.parameters.Limit.schema.maximum
sch.CustomerUpdate = structuredClone(sch.CustomerFields)
if (bug('patch-name-length')) delete sch.CustomerUpdate.properties.name.maxLength

const decimal = (n) => {
  // exact value of the shortest decimal form: [digits, exponent]
  const m = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(n))
  return [BigInt(m[1] + m[2] + (m[3] ?? '')), Number(m[4] ?? 0) - (m[3]?.length ?? 0)]
}
const isMultiple = (n, of) => {
  if (!Number.isFinite(n)) return false
  const [a, ea] = decimal(n),
    [b, eb] = decimal(of),
    e = Math.min(ea, eb)
  if (ea - e > 400 || eb - e > 400) return false
  return (a * 10n ** BigInt(ea - e)) % (b * 10n ** BigInt(eb - e)) === 0n
}
const dateFormat = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
function makeAjv(options = {}) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, ...options })
  addFormats(ajv)
  ajv.addFormat('uuid', /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i)
  if (bug('birthdate-rollover')) ajv.addFormat('date', dateFormat)
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (of, n) => isMultiple(n, of),
    error: { message: (c) => `must be a multiple of ${c.schema}` },
  })
  ajv.addSchema(doc, 'doc')
  return ajv
}
const ajv = makeAjv()
const looseAjv = bug('payload-coerced') ? makeAjv({ coerceTypes: true }) : ajv
const compiled = new Map()
const validator = (name) => {
  if (!compiled.has(name))
    compiled.set(name, (name === 'VehicleInput' ? looseAjv : ajv).compile({ $ref: `doc#/components/schemas/${name}` }))
  return compiled.get(name)
}

class HttpError extends Error {
  constructor(status, title, detail, extra = {}, headers = {}) {
    super(title)
    Object.assign(this, { status, title, detail, extra, headers })
  }
}
const unprocessable = (errors) => new HttpError(422, 'Unprocessable Content', 'The body is not acceptable.', { errors })
const badParam = (errors) => new HttpError(400, 'Bad Request', 'A parameter is not acceptable.', { errors })
const badBody = (message) => new HttpError(400, 'Bad Request', message, { errors: [{ in: 'body', name: '', message }] })
const notFound = () => new HttpError(404, 'Not Found', 'There is no such record.')
const conflict = (detail) => new HttpError(409, 'Conflict', detail)

function wellFormed(v, at = '') {
  if (typeof v === 'string') return v.isWellFormed() ? null : at
  if (v && typeof v === 'object')
    for (const [k, x] of Object.entries(v)) {
      if (!k.isWellFormed()) return at
      const bad = wellFormed(x, `${at}/${k.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      if (bad !== null) return bad
    }
  return null
}
function check(name, value) {
  try {
    return checkValue(name, value)
  } catch (e) {
    if (e instanceof RangeError) throw unprocessable([{ in: 'body', name: '', message: 'is nested too deeply' }])
    throw e
  }
}
function checkValue(name, value) {
  const bad = wellFormed(value)
  if (bad !== null) throw unprocessable([{ in: 'body', name: bad, message: 'must be well-formed Unicode' }])
  const v = validator(name)
  if (!v(value))
    throw unprocessable(
      v.errors.map((e) => ({
        in: 'body',
        name:
          e.instancePath +
          (e.keyword === 'required'
            ? `/${e.params.missingProperty}`
            : e.keyword === 'additionalProperties'
              ? `/${e.params.additionalProperty}`
              : ''),
        message: e.message || 'is not valid',
      })),
    )
  return value
}

// ------------------------------------------------------------------ database
const SCHEMA = `pw_${process.pid}_${randomBytes(3).toString('hex')}`
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)
pg.types.setTypeParser(1082, (s) => s)
pg.types.setTypeParser(1184, (s) => new Date(s).toISOString())
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 5,
  options: `-c search_path=${SCHEMA} -c timezone=UTC`,
})
pool.on('error', (e) => console.error(e))
const all = async (sql, params, c = pool) => (await c.query(sql, params)).rows
const one = async (sql, params, c = pool) => (await c.query(sql, params)).rows[0]
async function tx(fn, tries = 4) {
  const c = await pool.connect()
  try {
    await c.query('BEGIN')
    const r = await fn(c)
    await c.query('COMMIT')
    return r
  } catch (e) {
    await c.query('ROLLBACK').catch(() => {})
    if (e.code !== '40P01' || tries <= 1) throw e
  } finally {
    c.release()
  }
  return tx(fn, tries - 1) // a deadlock
}
async function createSchema() {
  await pool.query(`
    CREATE SCHEMA ${SCHEMA};
    CREATE TABLE account (id uuid PRIMARY KEY, name text NOT NULL, plan text NOT NULL, api_key text NOT NULL UNIQUE);
    CREATE TABLE depot (id uuid PRIMARY KEY, account_id uuid NOT NULL REFERENCES account, code text NOT NULL, name text NOT NULL, timezone text NOT NULL, address jsonb NOT NULL,
      location jsonb, opening_hours jsonb NOT NULL, capacity int NOT NULL, contact_email text, website text, opened_on date, rev int NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, CONSTRAINT depot_code UNIQUE (account_id, code));
    CREATE TABLE customer (id uuid PRIMARY KEY, account_id uuid NOT NULL REFERENCES account, name text NOT NULL, email text NOT NULL, phone text, birth_date date, tier text NOT NULL,
      credit_limit numeric(12,2) NOT NULL, tags jsonb NOT NULL, notes text, preferences jsonb NOT NULL, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL);
    CREATE UNIQUE INDEX customer_email ON customer (account_id, ${bug('email-case') ? 'email' : 'lower(email)'});
    CREATE TABLE vehicle (id uuid PRIMARY KEY, account_id uuid NOT NULL REFERENCES account, plate text NOT NULL, type text NOT NULL, payload_kg int NOT NULL,
      home_depot_id uuid ${bug('homedepot-dangling') ? '' : 'REFERENCES depot ON DELETE SET NULL'},
      odometer_km ${bug('odometer-float') ? 'real' : 'bigint'} NOT NULL, fuel_level double precision NOT NULL, inspected_on date, telematics_url text, features jsonb NOT NULL,
      retired_at timestamptz(3), version int NOT NULL DEFAULT 1, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, CONSTRAINT vehicle_plate UNIQUE (account_id, plate));
    CREATE SEQUENCE tracking START 4100000001;
    CREATE TABLE parcel (id uuid PRIMARY KEY, depot_id uuid NOT NULL REFERENCES depot, tracking_number text NOT NULL UNIQUE, status text NOT NULL, recipient_id uuid NOT NULL REFERENCES customer,
      weight_kg numeric(6,2) NOT NULL, dimensions jsonb NOT NULL, contents jsonb NOT NULL, service text NOT NULL, fragile boolean NOT NULL, declared_value jsonb, deliver_by date,
      pickup_at timestamptz(3), instructions text, labels jsonb NOT NULL, metadata jsonb NOT NULL, vehicle_id uuid REFERENCES vehicle ON DELETE SET NULL, dispatched_at timestamptz(3),
      delivered_at timestamptz(3), received_by text, cancel_reason text, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL);
    CREATE TABLE parcel_kept (LIKE parcel);
    CREATE INDEX ON parcel (depot_id); CREATE INDEX ON parcel (recipient_id); CREATE INDEX ON parcel (vehicle_id);
    CREATE TABLE scan (id uuid PRIMARY KEY, parcel_id uuid NOT NULL ${bug('scans-orphaned') ? '' : 'REFERENCES parcel ON DELETE CASCADE'}, account_id uuid NOT NULL, kind text NOT NULL, at timestamptz(3) NOT NULL,
      place text NOT NULL, note text, temperature_c numeric(5,1), created_at timestamptz(3) NOT NULL);
    CREATE INDEX ON scan (parcel_id, at, id);`)
}

// ------------------------------------------------------------------ records as they are shown
const iso = (d) => (d === null ? null : d)
const depotJson = (r) => ({
  id: r.id,
  code: r.code,
  name: r.name,
  timezone: r.timezone,
  address: r.address,
  location: r.location,
  openingHours: r.opening_hours,
  capacity: r.capacity,
  contactEmail: r.contact_email,
  website: r.website,
  openedOn: r.opened_on,
  parcelCount: r.parcel_count + (seqCounts.get(r.id) ?? 0),
  createdAt: iso(r.created_at),
  updatedAt: iso(r.updated_at),
})
const DEPOT = 'SELECT d.*, (SELECT count(*)::int FROM parcel p WHERE p.depot_id = d.id) AS parcel_count FROM depot d'
const customerJson = (r) => ({
  id: r.id,
  name: r.name,
  email: r.email,
  phone: r.phone,
  birthDate: r.birth_date,
  tier: r.tier,
  creditLimit: r.credit_limit,
  tags: r.tags,
  notes: r.notes,
  preferences: r.preferences,
  createdAt: iso(r.created_at),
  updatedAt: iso(r.updated_at),
})
const vehicleJson = (r) => {
  const v = {
    id: r.id,
    plate: r.plate,
    type: r.type,
    payloadKg: r.payload_kg,
    homeDepotId: r.home_depot_id,
    odometerKm: r.odometer_km,
    fuelLevel: r.fuel_level,
    inspectedOn: r.inspected_on,
    telematicsUrl: r.telematics_url,
    features: r.features,
    retired: r.retired_at !== null,
    retiredAt: iso(r.retired_at),
    version: r.version,
    createdAt: iso(r.created_at),
    updatedAt: iso(r.updated_at),
  }
  if (bug('null-omitted') && v.inspectedOn === null) delete v.inspectedOn
  return v
}
const parcelJson = (r) => ({
  id: r.id,
  depotId: r.depot_id,
  trackingNumber: r.tracking_number,
  status: r.status,
  recipientId: r.recipient_id,
  weightKg: r.weight_kg,
  dimensions: r.dimensions,
  contents: r.contents,
  service: r.service,
  fragile: r.fragile,
  declaredValue: r.declared_value,
  deliverBy: bug('deliverby-datetime') && r.deliver_by ? new Date(r.deliver_by).toISOString() : r.deliver_by,
  pickupAt: iso(r.pickup_at),
  instructions: r.instructions,
  labels: r.labels,
  metadata: r.metadata,
  totalItems: r.contents.reduce((n, c) => n + c.quantity, 0),
  vehicleId: r.vehicle_id,
  dispatchedAt: iso(r.dispatched_at),
  deliveredAt: iso(r.delivered_at),
  receivedBy: r.received_by,
  cancelReason: r.cancel_reason,
  createdAt: iso(r.created_at),
  updatedAt: iso(r.updated_at),
})
const scanJson = (r) => ({
  id: r.id,
  parcelId: r.parcel_id,
  kind: r.kind,
  at: iso(r.at),
  place: r.place,
  note: r.note,
  temperatureC: r.temperature_c,
  createdAt: iso(r.created_at),
})
const entityTag = (r, shown) =>
  `"${createHash('sha1')
    .update(`${r.rev ?? r.version}:${JSON.stringify(shown)}`)
    .digest('base64url')
    .slice(0, 20)}"`

// ------------------------------------------------------------------ writing records
const J = (v) => (v === null ? null : JSON.stringify(v))
const now = () => new Date().toISOString()
const utc = (s) => {
  // instants are kept in UTC
  if (s === null || s === undefined) return null
  if (bug('pickup-offset')) return s.replace(/(Z|[+-]\d\d:\d\d)$/, 'Z')
  return new Date(s).toISOString()
}
const or = (v, dflt) => (v === undefined ? dflt : v)
const set = (cols) =>
  Object.keys(cols)
    .map((k, i) => `${k} = $${i + 2}`)
    .join(', ')
async function insert(table, cols, c = pool) {
  const k = Object.keys(cols)
  return one(
    `INSERT INTO ${table} (${k.join(', ')}) VALUES (${k.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING *`,
    Object.values(cols),
    c,
  )
}
async function update(table, id, cols, c = pool) {
  return one(`UPDATE ${table} SET ${set(cols)} WHERE id = $1 RETURNING *`, [id, ...Object.values(cols)], c)
}

const depotCols = (b) => ({
  code: b.code,
  name: b.name,
  timezone: b.timezone,
  address: J(b.address),
  location: J(or(b.location, null)),
  opening_hours: J(or(b.openingHours, [])),
  capacity: or(b.capacity, bug('capacity-default') ? 100 : 500),
  contact_email: or(b.contactEmail, null),
  website: or(b.website, null),
  opened_on: or(b.openedOn, null),
})
const parcelCols = (b) => ({
  recipient_id: b.recipientId,
  weight_kg: b.weightKg,
  dimensions: J(b.dimensions),
  contents: J(b.contents),
  service: or(b.service, 'standard'),
  fragile: or(b.fragile, false),
  declared_value: J(or(b.declaredValue, null)),
  deliver_by: or(b.deliverBy, null),
  pickup_at: utc(or(b.pickupAt, null)),
  instructions: or(b.instructions, null),
  labels: J(or(b.labels, [])),
  metadata: J(or(b.metadata, {})),
})
const parcelInput = (r) => ({
  recipientId: r.recipient_id,
  weightKg: r.weight_kg,
  dimensions: r.dimensions,
  contents: r.contents,
  service: r.service,
  fragile: r.fragile,
  declaredValue: r.declared_value,
  deliverBy: r.deliver_by,
  pickupAt: r.pickup_at,
  instructions: r.instructions,
  labels: r.labels,
  metadata: r.metadata,
})
const preferences = (p) => ({
  language: or(p.language, 'en'),
  newsletter: bug('newsletter-default') ? p.newsletter !== false : or(p.newsletter, false),
  channels: or(p.channels, ['email']),
})
const rollover = (d) => {
  if (d === null || d === undefined) return d
  const [y, m, n] = d.split('-').map(Number)
  return new Date(Date.UTC(y, m - 1, n)).toISOString().slice(0, 10)
}
const CUSTOMER_FIELDS = {
  name: ['name', (v) => (bug('name-nfc') ? v.normalize('NFC') : v)],
  email: ['email'],
  phone: ['phone'],
  birthDate: ['birth_date', (v) => (bug('birthdate-rollover') ? rollover(v) : v)],
  tier: ['tier', (v) => (bug('tier-null') ? (v ?? 'basic') : v)],
  creditLimit: ['credit_limit'],
  tags: ['tags', J],
  notes: ['notes'],
  preferences: ['preferences', (v) => J(preferences(v))],
}
const CUSTOMER_DEFAULTS = {
  phone: null,
  birthDate: null,
  tier: 'basic',
  creditLimit: 0,
  tags: [],
  notes: null,
  preferences: {},
}
const customerCols = (b) =>
  Object.fromEntries(
    Object.entries(CUSTOMER_FIELDS)
      .filter(([k]) => b[k] !== undefined)
      .map(([k, [col, fn]]) => [col, fn ? fn(b[k]) : b[k]]),
  )
const customerBody = (b) => {
  // readOnly and unknown properties are ignored
  if (b === null || typeof b !== 'object' || Array.isArray(b)) return b
  return Object.fromEntries(Object.entries(b).filter(([k]) => Object.hasOwn(CUSTOMER_FIELDS, k)))
}
const vehicleCols = (b) => ({
  plate: b.plate,
  type: b.type,
  payload_kg: b.payloadKg,
  home_depot_id: or(b.homeDepotId, null),
  odometer_km: or(b.odometerKm, 0),
  fuel_level: or(b.fuelLevel, 1),
  inspected_on: or(b.inspectedOn, null),
  telematics_url: or(b.telematicsUrl, null),
  features: J(or(b.features, [])),
})

// ------------------------------------------------------------------ records of an account
const ownDepot = async (acc, id, c, lock = '') =>
  (await one(`${DEPOT} WHERE d.id = $1 AND d.account_id = $2 ${lock}`, [id, acc], c)) ?? raise(notFound())
const ownCustomer = async (acc, id, c, lock = '') =>
  (await one(`SELECT * FROM customer WHERE id = $1 AND account_id = $2 ${lock}`, [id, acc], c)) ?? raise(notFound())
const ownVehicle = async (acc, id, c, lock = '') =>
  (await one(`SELECT * FROM vehicle WHERE id = $1 AND account_id = $2 ${lock}`, [id, acc], c)) ?? raise(notFound())
const ownParcel = async (acc, id, c, lock = '') =>
  (await one(
    `SELECT p.* FROM parcel p JOIN depot d ON d.id = p.depot_id WHERE p.id = $1 AND d.account_id = $2 ${lock && 'FOR UPDATE OF p'}`,
    [id, acc],
    c,
  )) ?? raise(notFound())
function raise(e) {
  throw e
}
async function reference(acc, table, id, pointer, c) {
  const foreignToo = bug('recipient-foreign') && table === 'customer'
  const r = await one(
    `SELECT * FROM ${table} WHERE id = $1 ${foreignToo ? '' : 'AND account_id = $2'}`,
    foreignToo ? [id] : [id, acc],
    c,
  )
  return r ?? raise(unprocessable([{ in: 'body', name: pointer, message: `there is no such ${table}` }]))
}
async function unique(fn, detail) {
  try {
    return await fn()
  } catch (e) {
    if (e.code === '23505') throw conflict(detail)
    throw e
  }
}

// ------------------------------------------------------------------ HTTP helpers
const app = new Koa()
const router = new Router({ strict: true, sensitive: true })
function send(ctx, status, value, type = 'application/json') {
  ctx.status = status
  ctx.set('Content-Type', type)
  ctx.body = JSON.stringify(value)
}
function problem(ctx, e) {
  const type = bug('conflict-plain-json') && e.status === 409 ? 'application/json' : 'application/problem+json'
  for (const [k, v] of Object.entries(e.headers ?? {})) ctx.set(k, v)
  send(
    ctx,
    e.status,
    { type: 'about:blank', title: e.title, status: e.status, ...(e.detail ? { detail: e.detail } : {}), ...e.extra },
    type,
  )
}
async function readText(ctx, { media, required = true }) {
  const chunks = []
  let size = 0
  for await (const c of ctx.req) {
    size += c.length
    if (size <= 100000) chunks.push(c)
  }
  if (size === 0) {
    if (required) throw badBody('The body is missing.')
    return undefined
  }
  const unsupported = (why) => new HttpError(415, 'Unsupported Media Type', why)
  const ct = ctx.get('Content-Type')
  const [type, ...params] = ct.split(';').map((s) => s.trim())
  if (type.toLowerCase() !== media) throw unsupported(`Send ${media}.`)
  for (const p of params) {
    const [k, v = ''] = p.split('=')
    if (k.trim().toLowerCase() === 'charset' && v.trim().replace(/^"|"$/g, '').toLowerCase() !== 'utf-8')
      throw unsupported('Send UTF-8.')
  }
  const coding = ctx.get('Content-Encoding').trim().toLowerCase()
  if (coding && coding !== 'identity') throw unsupported('Content codings are not supported.')
  if (size > 100000) throw new HttpError(413, 'Content Too Large', 'The body has more than 100000 bytes.')
  const buf = Buffer.concat(chunks)
  if (bug('latin1-body')) return /charset/i.test(ct) ? buf.toString('utf8') : buf.toString('latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buf)
  } catch {
    throw badBody('The body is not UTF-8.')
  }
}
async function readBody(ctx, schema, { media = 'application/json', required = true, prepare = (b) => b } = {}) {
  const text = await readText(ctx, { media, required })
  if (text === undefined) return undefined
  let value
  try {
    value = JSON.parse(text)
  } catch (e) {
    if (bug('malformed-500') && ctx.path.startsWith('/vehicles')) throw e
    throw badBody('The body is not JSON.')
  }
  return check(schema, prepare(value))
}
const tagsOf = (h) => [...h.matchAll(/(W\/)?("[^"]*")/g)].map((m) => ({ weak: !!m[1], tag: m[2] }))
function ifMatch(ctx, tag, required = false) {
  const h = ctx.req.headers['if-match']
  if (h === undefined) {
    if (required) throw new HttpError(428, 'Precondition Required', 'Send If-Match.')
    return
  }
  if (bug('ifmatch-ignored') && required) return
  if (h.trim() === '*' || tagsOf(h).some((t) => !t.weak && t.tag === tag)) return
  throw new HttpError(412, 'Precondition Failed', 'The record has changed.')
}
function notModified(ctx, tag) {
  const h = ctx.req.headers['if-none-match']
  if (h === undefined || !(h.trim() === '*' || tagsOf(h).some((t) => t.tag === tag))) return false
  ctx.status = 304
  return true
}

// parameters are read as the document says
const operations = new Map()
for (const [path, item] of Object.entries(doc.paths))
  for (const [method, op] of Object.entries(item)) {
    if (method === 'parameters') continue
    const params = [...(item.parameters ?? []), ...(op.parameters ?? [])]
      .map(deref)
      .map((p) => ({ ...p, flat: deref(p.schema), validate: ajv.compile(absolute(p.schema)) }))
    operations.set(op.operationId, { path, method, op, params, public: op.security?.length === 0 })
  }
function absolute(s) {
  return JSON.parse(JSON.stringify(s), (k, v) => (k === '$ref' ? v.replace(/^#/, 'doc#') : v))
}
function scalar(schema, raw) {
  switch (deref(schema).type) {
    case 'integer':
      return /^-?(0|[1-9]\d*)$/.test(raw) ? Number(raw) : undefined
    case 'number':
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(raw) ? Number(raw) : undefined
    case 'boolean':
      return raw === 'true' ? true : raw === 'false' ? false : undefined
    default:
      return raw
  }
}
function readParams(ctx, { params }) {
  const query = new URLSearchParams(ctx.querystring)
  const out = {},
    errors = []
  for (const p of params) {
    let v
    if (p.in === 'header') continue // read where they are used
    if (p.in === 'path') v = ctx.params[p.name]
    else {
      const raw = query.getAll(p.name)
      if (raw.length === 0) {
        out[p.name] = structuredClone(p.flat.default)
        continue
      }
      if (raw.length > 1 && !(p.flat.type === 'array' && p.explode !== false)) {
        errors.push({ in: 'query', name: p.name, message: 'is given more than once' })
        continue
      }
      if (p.flat.type === 'array')
        v = (p.explode === false ? raw[0].split(',') : raw).map((x) => scalar(p.flat.items, x))
      else v = scalar(p.schema, raw[0])
      if (v === undefined) {
        errors.push({ in: 'query', name: p.name, message: `must be ${p.flat.type}` })
        continue
      }
    }
    if (!p.validate(v)) errors.push({ in: p.in, name: p.name, message: p.validate.errors[0].message || 'is not valid' })
    out[p.name] = v
  }
  if (errors.length) throw badParam(errors)
  return out
}

// keys and the rate limit
const LIMIT = 100000
const windows = new Map()
async function authenticate(ctx) {
  const key = ctx.get('X-Api-Key')
  const acc =
    key &&
    (bug('key-prefix')
      ? await one('SELECT * FROM account WHERE starts_with($1, api_key)', [key])
      : key.includes('\0')
        ? undefined
        : await one('SELECT * FROM account WHERE api_key = $1', [key]))
  if (!acc)
    throw new HttpError(
      401,
      'Unauthorized',
      key ? 'The API key is not known.' : 'Send X-Api-Key.',
      {},
      { 'WWW-Authenticate': 'ApiKey realm="parcelway"' },
    )
  const t = Date.now(),
    minute = Math.floor(t / 60000)
  let w = windows.get(acc.id)
  if (!w || w.minute !== minute) windows.set(acc.id, (w = { minute, used: 0 }))
  w.used++
  const reset = Math.ceil(((minute + 1) * 60000 - t) / 1000)
  ctx.set({
    'RateLimit-Limit': String(LIMIT),
    'RateLimit-Remaining': String(Math.max(0, LIMIT - w.used)),
    'RateLimit-Reset': String(reset),
  })
  if (w.used > LIMIT)
    throw new HttpError(429, 'Too Many Requests', 'Wait for the next minute.', {}, { 'Retry-After': String(reset) })
  return acc
}
function on(operationId, handler) {
  const op = operations.get(operationId)
  router[op.method](op.path.replace(/\{(\w+)\}/g, ':$1'), async (ctx) => {
    let acc = null
    if (!op.public && !(bug('scans-no-auth') && operationId === 'listScans' && !ctx.get('X-Api-Key')))
      acc = await authenticate(ctx)
    await handler(ctx, readParams(ctx, op), acc?.id, acc)
  })
}

// where clauses
class Where {
  constructor() {
    this.parts = []
    this.values = []
  }
  add(sql, ...values) {
    let i = 0
    this.parts.push(
      sql.replace(/\?/g, () => {
        this.values.push(values[i++])
        return `$${this.values.length}`
      }),
    )
    return this
  }
  get sql() {
    return this.parts.length ? `WHERE ${this.parts.join(' AND ')}` : ''
  }
}
const orderBy = (sort, columns, prefix = '') => {
  const desc = sort.startsWith('-')
  const col = columns[desc ? sort.slice(1) : sort]
  return `ORDER BY ${prefix}${col} ${desc && !(bug('sort-desc-ignored') && prefix === 'd.') ? 'DESC' : 'ASC'}, ${prefix}id ASC`
}
const nameContains = (w, q) => {
  if (q === undefined) return
  if (bug('q-wildcard')) w.add('name ILIKE ?', `%${q}%`)
  else w.add('position(lower(? COLLATE "C") in lower(name COLLATE "C")) > 0', q)
}

// ------------------------------------------------------------------ account and tariffs
on('getAccount', async (ctx, p, acc, a) => {
  const n = async (sql) => (await one(sql, [acc])).n
  const usage = {
    depots: await n('SELECT count(*)::int n FROM depot WHERE account_id = $1'),
    customers: await n('SELECT count(*)::int n FROM customer WHERE account_id = $1'),
    vehicles: await n('SELECT count(*)::int n FROM vehicle WHERE account_id = $1'),
    parcels: await n('SELECT count(*)::int n FROM parcel p JOIN depot d ON d.id = p.depot_id WHERE d.account_id = $1'),
  }
  send(ctx, 200, { id: a.id, name: a.name, plan: a.plan, usage })
})
on('listTariffs', async (ctx, p) => {
  const rate = p.currency === 'CHF' ? 0.96 : 1
  const money = (eur) => ({ amount: Math.round(eur * rate * 100) / 100, currency: p.currency })
  ctx.set('Cache-Control', 'public, max-age=3600')
  send(
    ctx,
    200,
    {
      _links: { self: { href: `/tariffs?currency=${p.currency}` } },
      currency: p.currency,
      _embedded: {
        tariffs: [
          ['standard', 4.9, 0.6, 70],
          ['express', 9.9, 1.1, 31.5],
          ['overnight', 17.5, 1.85, 20],
        ].map(([service, base, kg, max]) => ({
          service,
          basePrice: money(base),
          pricePerKg: money(kg),
          maxWeightKg: max,
        })),
      },
    },
    'application/hal+json',
  )
})

// ------------------------------------------------------------------ depots
const showDepot = (ctx, status, r) => {
  const d = depotJson(r)
  ctx.set('ETag', entityTag(r, d))
  send(ctx, status, d)
}
on('listDepots', async (ctx, p, acc) => {
  const w = new Where().add('d.account_id = ?', acc)
  nameContains(w, p.q)
  if (p.country) w.add("d.address->>'country' = ?", p.country)
  const order = orderBy(
    p.sort,
    { code: 'code COLLATE "C"', name: 'name COLLATE "C"', capacity: 'capacity', createdAt: 'created_at' },
    'd.',
  )
  const rows = await all(`${DEPOT} ${w.sql} ${order} LIMIT ${p.limit} OFFSET ${p.offset}`, w.values)
  const total = bug('total-unfiltered')
    ? await one('SELECT count(*)::int n FROM depot d WHERE d.account_id = $1', [acc])
    : await one(`SELECT count(*)::int n FROM depot d ${w.sql}`, w.values)
  ctx.set('X-Total-Count', String(total.n))
  send(
    ctx,
    200,
    rows.map((r) => (bug('owner-leak') ? { ...depotJson(r), accountId: r.account_id } : depotJson(r))),
  )
})
on('createDepot', async (ctx, p, acc) => {
  const b = await readBody(ctx, 'DepotInput')
  const t = now()
  const r = await unique(
    () => insert('depot', { id: randomUUID(), account_id: acc, ...depotCols(b), created_at: t, updated_at: t }),
    'The code is in use.',
  )
  ctx.set('Location', `/depots/${r.id}`)
  showDepot(ctx, 201, { ...r, parcel_count: 0 })
})
on('getDepot', async (ctx, p, acc) => {
  if (bug('head-404') && ctx.method === 'HEAD') throw notFound()
  const r = await ownDepot(acc, p.depotId)
  const d = depotJson(r),
    tag = entityTag(r, d)
  ctx.set('ETag', tag)
  if (!notModified(ctx, tag)) send(ctx, 200, d)
})
on('replaceDepot', async (ctx, p, acc) => {
  await ownDepot(acc, p.depotId)
  const b = await readBody(ctx, 'DepotInput')
  const r = await unique(
    () =>
      tx(async (c) => {
        const old = await ownDepot(acc, p.depotId, c, 'FOR UPDATE OF d')
        ifMatch(ctx, entityTag(old, depotJson(old)))
        const cols = depotCols(b)
        if (bug('put-keeps-omitted')) {
          // as if it were a PATCH
          if (b.website === undefined) delete cols.website
          if (b.contactEmail === undefined) delete cols.contact_email
          if (b.location === undefined) delete cols.location
        }
        const r = await update('depot', p.depotId, { ...cols, rev: old.rev + 1, updated_at: now() }, c)
        return { ...r, parcel_count: old.parcel_count }
      }),
    'The code is in use by another depot.',
  )
  showDepot(ctx, 200, r)
})
on('deleteDepot', async (ctx, p, acc) => {
  await tx(async (c) => {
    const r = await ownDepot(acc, p.depotId, c, 'FOR UPDATE OF d')
    if (r.parcel_count > 0) throw conflict('The depot has parcels.')
    await c.query(
      'UPDATE vehicle SET home_depot_id = NULL, version = version + 1, updated_at = $2 WHERE home_depot_id = $1',
      [p.depotId, now()],
    )
    await c.query('DELETE FROM depot WHERE id = $1', [p.depotId])
  }).catch((e) => {
    if (e.code === '23503') throw conflict('The depot has parcels.')
    throw e
  })
  ctx.status = 204
})

// ------------------------------------------------------------------ parcels
on('listParcels', async (ctx, p, acc) => {
  await ownDepot(acc, p.depotId)
  const w = new Where().add('depot_id = ?', p.depotId)
  if (p.status) w.add('status = ANY(?)', p.status)
  if (p.service) w.add('service = ANY(?)', p.service)
  if (p.minWeight !== undefined) w.add('weight_kg >= ?', p.minWeight)
  if (p.maxWeight !== undefined) w.add(bug('max-weight-exclusive') ? 'weight_kg < ?' : 'weight_kg <= ?', p.maxWeight)
  if (bug('fragile-false') ? p.fragile : p.fragile !== undefined) w.add('fragile = ?', p.fragile)
  if (p.deliverFrom) w.add('deliver_by >= ?', p.deliverFrom)
  if (p.deliverTo) w.add('deliver_by <= ?', p.deliverTo)
  if (p.recipientId) w.add('recipient_id = ?', p.recipientId)
  const from =
    bug('seq-6-deleted-in-filtered-list') && p.status
      ? '(SELECT * FROM parcel UNION ALL SELECT * FROM parcel_kept) parcel'
      : 'parcel'
  const total = (await one(`SELECT count(*)::int n FROM ${from} ${w.sql}`, w.values)).n
  const order = orderBy(p.sort, {
    createdAt: 'created_at',
    weightKg: 'weight_kg',
    trackingNumber: 'tracking_number COLLATE "C"',
  })
  const offset = (p.page - 1) * (bug('page-offset') ? 20 : p.per_page)
  const rows = await all(`SELECT * FROM ${from} ${w.sql} ${order} LIMIT ${p.per_page} OFFSET ${offset}`, w.values)
  const pages = Math.ceil(total / p.per_page),
    last = Math.max(1, pages)
  const href = (n) => {
    const u = bug('link-drops-filter')
      ? new URLSearchParams({ per_page: p.per_page })
      : new URLSearchParams(ctx.querystring)
    u.set('page', n)
    return `</depots/${p.depotId}/parcels?${u}>`
  }
  const links = [`${href(1)}; rel="first"`, `${href(last)}; rel="last"`]
  if (p.page > 1) links.push(`${href(Math.min(p.page - 1, last))}; rel="prev"`)
  if (p.page < last) links.push(`${href(p.page + 1)}; rel="next"`)
  ctx.set('Link', links.join(', '))
  send(ctx, 200, { items: rows.map(parcelJson), page: p.page, perPage: p.per_page, total, pages })
})
on('createParcel', async (ctx, p, acc) => {
  await ownDepot(acc, p.depotId)
  const b = await readBody(ctx, 'ParcelInput')
  await reference(acc, 'customer', b.recipientId, '/recipientId')
  const r = await tx(async (c) => {
    const d = await ownDepot(acc, p.depotId, c, 'FOR UPDATE OF d')
    await reference(acc, 'customer', b.recipientId, '/recipientId', c)
    const drafts = (
      await one("SELECT count(*)::int n FROM parcel WHERE depot_id = $1 AND status = 'draft'", [p.depotId], c)
    ).n
    if (bug('capacity-off-by-one') ? drafts > d.capacity : drafts >= d.capacity) throw conflict('The depot is full.')
    const n = (await one("SELECT nextval('tracking') n", [], c)).n
    const t = now()
    return insert(
      'parcel',
      {
        id: randomUUID(),
        depot_id: p.depotId,
        tracking_number: `PW${String(n).padStart(10, '0')}`,
        status: 'draft',
        ...parcelCols(b),
        created_at: t,
        updated_at: t,
      },
      c,
    )
  })
  ctx.set('Location', bug('location-wrong') ? `/depots/${r.depot_id}/parcels/${r.id}` : `/parcels/${r.id}`)
  send(ctx, 201, parcelJson(r))
})
on('getParcel', async (ctx, p, acc) => send(ctx, 200, parcelJson(await ownParcel(acc, p.parcelId))))
const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v)
function mergePatch(target, patch, depth = 0) {
  if (!isObject(patch)) return patch
  const out = isObject(target) ? { ...target } : {}
  for (const [k, v] of Object.entries(patch)) {
    if (v === null && depth > 0) {
      if (!bug('merge-null-kept')) delete out[k]
    } else if (bug('merge-shallow') && depth === 0 && k === 'metadata') out[k] = mergePatch({}, v, 1)
    else out[k] = mergePatch(out[k], v, depth + 1)
  }
  return out
}
on('patchParcel', async (ctx, p, acc) => {
  await ownParcel(acc, p.parcelId)
  const patch = await readBody(ctx, 'ParcelPatch', { media: 'application/merge-patch+json' })
  const r = await tx(async (c) => {
    const old = await ownParcel(acc, p.parcelId, c, 'lock')
    const merged = mergePatch(parcelInput(old), patch)
    if (patch.pickupAt === undefined) delete merged.pickupAt // the stored form need not be a valid request
    check('ParcelInput', merged)
    if (patch.recipientId !== undefined) await reference(acc, 'customer', merged.recipientId, '/recipientId', c)
    if (old.status !== 'draft' && !(bug('seq-2-patch-after-cancel') && old.status === 'cancelled'))
      throw conflict('The parcel is no draft.')
    const cols = parcelCols(merged)
    if (patch.pickupAt === undefined) cols.pickup_at = old.pickup_at
    return update('parcel', p.parcelId, { ...cols, updated_at: now() }, c)
  })
  send(ctx, 200, parcelJson(r))
})
on('deleteParcel', async (ctx, p, acc) => {
  await tx(async (c) => {
    const r = await ownParcel(acc, p.parcelId, c, 'lock')
    if (!['draft', 'cancelled'].includes(r.status)) throw conflict('The parcel is dispatched or delivered.')
    if (bug('seq-6-deleted-in-filtered-list'))
      await c.query('INSERT INTO parcel_kept SELECT * FROM parcel WHERE id = $1', [p.parcelId])
    await c.query('DELETE FROM parcel WHERE id = $1', [p.parcelId])
    if (bug('seq-3-count-after-delete')) seqCounts.set(r.depot_id, (seqCounts.get(r.depot_id) ?? 0) + 1)
  })
  ctx.status = 204
})
on('dispatchParcel', async (ctx, p, acc) => {
  await ownParcel(acc, p.parcelId)
  const b = await readBody(ctx, 'DispatchInput')
  const r = await tx(async (c) => {
    const v = await reference(acc, 'vehicle', b.vehicleId, '/vehicleId', c)
    const old = await ownParcel(acc, p.parcelId, c, 'lock')
    if (old.status !== 'draft') throw conflict('The parcel is no draft.')
    if (v.retired_at) throw conflict('The vehicle is retired.')
    const t = now()
    return update(
      'parcel',
      p.parcelId,
      { status: 'dispatched', vehicle_id: b.vehicleId, dispatched_at: t, updated_at: t },
      c,
    )
  })
  send(ctx, 200, parcelJson(r))
})
on('deliverParcel', async (ctx, p, acc) => {
  await ownParcel(acc, p.parcelId)
  const b = await readBody(ctx, 'DeliverInput')
  const r = await tx(async (c) => {
    const old = await ownParcel(acc, p.parcelId, c, 'lock')
    const from = bug('deliver-draft') ? ['draft', 'dispatched'] : ['dispatched']
    if (!from.includes(old.status)) throw conflict('The parcel is not dispatched.')
    const t = now()
    return update(
      'parcel',
      p.parcelId,
      {
        status: 'delivered',
        received_by: b.receivedBy,
        delivered_at: b.deliveredAt ? new Date(b.deliveredAt).toISOString() : t,
        updated_at: t,
      },
      c,
    )
  })
  send(ctx, 200, parcelJson(r))
})
on('cancelParcel', async (ctx, p, acc) => {
  await ownParcel(acc, p.parcelId)
  const b = (await readBody(ctx, 'CancelInput', { required: false })) ?? {}
  const r = await tx(async (c) => {
    const old = await ownParcel(acc, p.parcelId, c, 'lock')
    if (!['draft', 'dispatched', ...(bug('seq-1-cancel-twice') ? ['cancelled'] : [])].includes(old.status))
      throw conflict(`The parcel is ${old.status}.`)
    return update(
      'parcel',
      p.parcelId,
      { status: 'cancelled', cancel_reason: or(b.reason, null), updated_at: now() },
      c,
    )
  })
  send(ctx, 200, parcelJson(r))
})

// ------------------------------------------------------------------ scans
const encodeCursor = (r) => Buffer.from(JSON.stringify([r.at, r.id])).toString('base64url')
function decodeCursor(s) {
  try {
    const [at, id] = JSON.parse(Buffer.from(s, 'base64url').toString('utf8'))
    if (
      encodeCursor({ at, id }) === s &&
      new Date(at).toISOString() === at &&
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    )
      return { at, id }
  } catch {
    /* below */
  }
  throw badParam([{ in: 'query', name: 'cursor', message: 'is not a cursor of this list' }])
}
on('listScans', async (ctx, p, acc) => {
  const from = p.cursor === undefined ? null : decodeCursor(p.cursor)
  if (acc === undefined) (await one('SELECT 1 FROM parcel WHERE id = $1', [p.parcelId])) ?? raise(notFound())
  else await ownParcel(acc, p.parcelId)
  const w = new Where().add('parcel_id = ?', p.parcelId)
  if (from) {
    if (bug('cursor-ties')) w.add('at > ?', from.at)
    else w.add('(at, id) > (?::timestamptz, ?::uuid)', from.at, from.id)
  }
  const rows = await all(`SELECT * FROM scan ${w.sql} ORDER BY at, id LIMIT ${p.limit + 1}`, w.values)
  const items = rows.slice(0, p.limit)
  send(ctx, 200, { items: items.map(scanJson), nextCursor: rows.length > p.limit ? encodeCursor(items.at(-1)) : null })
})
on('createScan', async (ctx, p, acc) => {
  await ownParcel(acc, p.parcelId)
  const b = await readBody(ctx, 'ScanInput')
  const r = await tx(async (c) => {
    const parcel = await ownParcel(acc, p.parcelId, c, 'lock')
    if (parcel.status === 'cancelled') throw conflict('The parcel is cancelled.')
    return insert(
      'scan',
      {
        id: randomUUID(),
        parcel_id: p.parcelId,
        account_id: acc,
        kind: b.kind,
        at: new Date(b.at).toISOString(),
        place: b.place,
        note: or(b.note, null),
        temperature_c: or(b.temperatureC, null),
        created_at: now(),
      },
      c,
    )
  })
  ctx.set('Location', `/scans/${r.id}`)
  send(ctx, 201, scanJson(r))
})
on('getScan', async (ctx, p, acc) => {
  const r = bug('scan-foreign')
    ? await one('SELECT * FROM scan WHERE id = $1', [p.scanId])
    : await one('SELECT * FROM scan WHERE id = $1 AND account_id = $2', [p.scanId, acc])
  send(ctx, 200, scanJson(r ?? raise(notFound())))
})

// ------------------------------------------------------------------ customers
on('listCustomers', async (ctx, p, acc) => {
  const w = new Where().add('account_id = ?', acc)
  nameContains(w, p.q)
  if (p.tier) w.add('tier = ANY(?)', p.tier)
  if (p.email !== undefined) w.add('lower(email) = lower(?)', p.email)
  if (p.bornFrom) w.add('birth_date >= ?', p.bornFrom)
  if (p.bornTo) w.add('birth_date <= ?', p.bornTo)
  const order = orderBy(p.sort, {
    createdAt: 'created_at',
    name: 'name COLLATE "C"',
    email: 'email COLLATE "C"',
    creditLimit: 'credit_limit',
  })
  const total = (await one(`SELECT count(*)::int n FROM customer ${w.sql}`, w.values)).n
  const rows = await all(`SELECT * FROM customer ${w.sql} ${order} LIMIT ${p.limit} OFFSET ${p.offset}`, w.values)
  const shown = (r) =>
    bug('credit-as-string') ? { ...customerJson(r), creditLimit: r.credit_limit.toFixed(2) } : customerJson(r)
  send(ctx, 200, { total, items: rows.map(shown) })
})
function checkNameUnits(b) {
  if (bug('name-utf16') && b?.name?.length > 80)
    throw unprocessable([{ in: 'body', name: '/name', message: 'must not be longer than 80 characters' }])
}
on('createCustomer', async (ctx, p, acc) => {
  const b = await readBody(ctx, 'CustomerCreate', { prepare: customerBody })
  checkNameUnits(b)
  const t = now()
  const r = await unique(
    () =>
      insert('customer', {
        id: randomUUID(),
        account_id: acc,
        ...customerCols({ ...CUSTOMER_DEFAULTS, ...b }),
        created_at: t,
        updated_at: t,
      }),
    'The e-mail address is in use.',
  )
  ctx.set('Location', `/customers/${r.id}`)
  send(ctx, 201, customerJson(r))
})
on('getCustomer', async (ctx, p, acc) => send(ctx, 200, customerJson(await ownCustomer(acc, p.customerId))))
on('updateCustomer', async (ctx, p, acc) => {
  await ownCustomer(acc, p.customerId)
  const b = await readBody(ctx, 'CustomerUpdate', { prepare: customerBody })
  checkNameUnits(b)
  const r = await unique(
    () =>
      tx(async (c) => {
        const old = await ownCustomer(acc, p.customerId, c, 'FOR UPDATE')
        const cols = customerCols(b)
        if (bug('notes-not-saved')) delete cols.notes
        const r = await update('customer', old.id, { ...cols, updated_at: now() }, c)
        return bug('notes-not-saved') ? { ...r, notes: or(b.notes, r.notes) } : r
      }),
    'The e-mail address is in use by another customer.',
  )
  send(ctx, 200, customerJson(r))
})
on('deleteCustomer', async (ctx, p, acc) => {
  await tx(async (c) => {
    await ownCustomer(acc, p.customerId, c, 'FOR UPDATE')
    await c.query('DELETE FROM customer WHERE id = $1', [p.customerId])
  }).catch((e) => {
    if (e.code === '23503') throw conflict('A parcel names the customer.')
    throw e
  })
  ctx.status = 204
})

// ------------------------------------------------------------------ vehicles
const showVehicle = (ctx, status, r) => {
  const v = vehicleJson(r)
  ctx.set('ETag', entityTag(r, v))
  send(ctx, status, v)
}
on('listVehicles', async (ctx, p, acc) => {
  const w = new Where().add('account_id = ?', acc).add(p.retired ? 'retired_at IS NOT NULL' : 'retired_at IS NULL')
  if (p.type) w.add('type = ?', p.type)
  if (p.minPayload !== undefined) w.add('payload_kg >= ?', p.minPayload)
  const order = orderBy(p.sort, {
    plate: 'plate COLLATE "C"',
    payloadKg: bug('payload-text-sort') ? 'payload_kg::text COLLATE "C"' : 'payload_kg',
    odometerKm: 'odometer_km',
  })
  send(ctx, 200, (await all(`SELECT * FROM vehicle ${w.sql} ${order}`, w.values)).map(vehicleJson))
})
async function homeDepot(acc, b, c) {
  if (b.homeDepotId && !bug('homedepot-dangling')) await reference(acc, 'depot', b.homeDepotId, '/homeDepotId', c)
}
on('createVehicle', async (ctx, p, acc) => {
  const b = await readBody(ctx, 'VehicleInput')
  await homeDepot(acc, b)
  const t = now()
  const r = await unique(
    () => insert('vehicle', { id: randomUUID(), account_id: acc, ...vehicleCols(b), created_at: t, updated_at: t }),
    'The plate is in use.',
  )
  ctx.set('Location', `/vehicles/${r.id}`)
  showVehicle(ctx, 201, r)
})
on('getVehicle', async (ctx, p, acc) => {
  let r = await ownVehicle(acc, p.vehicleId)
  if (bug('seq-4-stale-read')) {
    if (!seqVehicles.has(r.id)) seqVehicles.set(r.id, r)
    r = seqVehicles.get(r.id)
  }
  const v = vehicleJson(r),
    tag = entityTag(r, v)
  ctx.set('ETag', tag)
  if (!notModified(ctx, tag)) send(ctx, 200, v)
})
on('replaceVehicle', async (ctx, p, acc) => {
  await ownVehicle(acc, p.vehicleId)
  const b = await readBody(ctx, 'VehicleInput')
  await homeDepot(acc, b)
  const r = await unique(
    () =>
      tx(async (c) => {
        const old = await ownVehicle(acc, p.vehicleId, c, 'FOR UPDATE')
        if (!(bug('seq-5-old-etag-after-retire') && seqTags.has(old.id) && ctx.get('If-Match') === seqTags.get(old.id)))
          ifMatch(ctx, entityTag(old, vehicleJson(old)), true)
        return update('vehicle', old.id, { ...vehicleCols(b), version: old.version + 1, updated_at: now() }, c)
      }),
    'The plate is in use by another vehicle.',
  )
  showVehicle(ctx, 200, r)
})
on('deleteVehicle', async (ctx, p, acc) => {
  await tx(async (c) => {
    const r = bug('vehicle-foreign-delete')
      ? ((await one('SELECT * FROM vehicle WHERE id = $1 FOR UPDATE', [p.vehicleId], c)) ?? raise(notFound()))
      : await ownVehicle(acc, p.vehicleId, c, 'FOR UPDATE')
    ifMatch(ctx, entityTag(r, vehicleJson(r)))
    if (await one("SELECT 1 FROM parcel WHERE vehicle_id = $1 AND status = 'dispatched' LIMIT 1", [p.vehicleId], c))
      throw conflict('A dispatched parcel is on the vehicle.')
    await c.query('DELETE FROM vehicle WHERE id = $1', [p.vehicleId])
  })
  ctx.status = 204
})
on('retireVehicle', async (ctx, p, acc) => {
  const r = await tx(async (c) => {
    const old = await ownVehicle(acc, p.vehicleId, c, 'FOR UPDATE')
    if (old.retired_at) throw conflict('The vehicle is retired already.')
    seqTags.set(old.id, entityTag(old, vehicleJson(old)))
    seqVehicles.delete(old.id)
    const t = now()
    return update('vehicle', old.id, { retired_at: t, version: old.version + 1, updated_at: t }, c)
  })
  showVehicle(ctx, 200, r)
})

// ------------------------------------------------------------------ the app
app.use(async (ctx, next) => {
  try {
    await next()
  } catch (e) {
    if (e instanceof HttpError) return problem(ctx, e)
    if (e.code === '23503')
      return problem(ctx, unprocessable([{ in: 'body', name: '', message: 'a record that it refers to is gone' }])) // deleted meanwhile
    console.error(e)
    problem(ctx, new HttpError(500, 'Internal Server Error'))
  }
})
app.use(async (ctx, next) => {
  const layers = router.match(ctx.path, ctx.method).path
  if (layers.length === 0) throw new HttpError(404, 'Not Found', 'There is no such path.')
  const allow = [...new Set([...layers.flatMap((l) => l.methods), 'OPTIONS'])].sort().join(', ')
  if (ctx.method === 'OPTIONS') {
    ctx.status = 204
    ctx.set('Allow', allow)
    return
  }
  if (!layers.some((l) => l.methods.includes(ctx.method)))
    throw new HttpError(405, 'Method Not Allowed', `Use ${allow}.`, {}, bug('allow-missing') ? {} : { Allow: allow })
  await next()
})
app.use(router.routes())
app.on('error', (e) => {
  if (e.code !== 'ECONNRESET' && e.code !== 'EPIPE') console.error(e)
})

// ------------------------------------------------------------------ seed
async function seed() {
  let n = 0
  const uid = () => {
    const h = createHash('sha256').update(`parcelway-${++n}`).digest('hex')
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`
  }
  let t0 = Date.UTC(2026, 0, 12, 8, 0, 0)
  const stamp = () => {
    const t = new Date((t0 += 61_337)).toISOString()
    return { created_at: t, updated_at: t }
  }
  const accounts = [
    {
      id: uid(),
      name: 'Alpenpost Kurier GmbH',
      plan: 'business',
      api_key: 'pwk_alpenpost_7f3c9a1e52d84b06',
      places: [
        ['MUC-01', 'München Ost', 'Europe/Berlin', 'Kreillerstraße 12', '81673', 'München', 'DE'],
        ['ZRH-02', 'Zürich Nord', 'Europe/Zurich', 'Thurgauerstrasse 40', '8050', 'Zürich', 'CH'],
        ['BER-07', 'Berlin Süd', 'Europe/Berlin', 'Grenzallee 9', '12057', 'Berlin', 'DE'],
      ],
      plates: ['M-AP 101', 'M-AP 102', 'B-AP 7'],
      mail: 'alpenpost.example',
    },
    {
      id: uid(),
      name: 'Northline Couriers Ltd',
      plan: 'starter',
      api_key: 'pwk_northline_c25e80b7a9134fd1',
      places: [
        ['LON-01', 'London East', 'Europe/London', '5 Marsh Lane', 'E15 2NH', 'London', 'GB'],
        ['MUC-01', 'Munich Desk', 'Europe/Berlin', 'Arnulfstraße 3', '80335', 'München', 'DE'],
      ],
      plates: ['L-NC 1', 'L-NC 22'],
      mail: 'northline.example',
    },
  ]
  const people = [
    ['Anna Huber', 'premium', 1500, '1984-03-09'],
    ['Jörg Weiß', 'basic', 0, null],
    ['Zoë Martin', 'plus', 250.5, '1999-12-31'],
    ['Bruno Conti', 'basic', 80, '1971-06-02'],
    ['Li Wei 李伟', 'plus', 0, null],
  ]
  for (const { places, plates, mail, ...a } of accounts) {
    await insert('account', a)
    const depots = [],
      customers = [],
      vehicles = []
    for (const [i, [code, name, timezone, street, postcode, city, country]] of places.entries())
      depots.push(
        await insert('depot', {
          id: uid(),
          account_id: a.id,
          ...depotCols({
            code,
            name,
            timezone,
            address: { street, postcode, city, country },
            location: i ? null : { lat: 48.12, lon: 11.65 },
            openingHours: [{ day: 'mon', opens: '07:00', closes: '19:00' }],
            capacity: 200 + i,
            contactEmail: `depot${i + 1}@${mail}`,
          }),
          ...stamp(),
        }),
      )
    for (const [i, [name, tier, creditLimit, birthDate]] of people.entries())
      customers.push(
        await insert('customer', {
          id: uid(),
          account_id: a.id,
          ...customerCols({
            ...CUSTOMER_DEFAULTS,
            name,
            email: `customer${i + 1}@${mail}`,
            tier,
            creditLimit,
            birthDate,
            tags: i % 2 ? [] : ['vip', 'b2b'],
          }),
          ...stamp(),
        }),
      )
    for (const [i, plate] of plates.entries())
      vehicles.push(
        await insert('vehicle', {
          id: uid(),
          account_id: a.id,
          ...vehicleCols({
            plate,
            type: ['van', 'truck', 'bike'][i],
            payloadKg: [900, 7500, 40][i],
            homeDepotId: depots[0].id,
            odometerKm: 1200 * (i + 1),
            inspectedOn: i ? '2025-11-03' : null,
            features: ['tracking'],
          }),
          ...stamp(),
        }),
      )
    for (let i = 0; i < 7; i++) {
      const status = ['draft', 'draft', 'dispatched', 'delivered', 'cancelled', 'draft', 'draft'][i]
      const s = stamp()
      const parcel = await insert('parcel', {
        id: uid(),
        depot_id: depots[i === 6 ? 1 : 0].id,
        tracking_number: `PW${String((await one("SELECT nextval('tracking') n")).n).padStart(10, '0')}`,
        status,
        ...parcelCols({
          recipientId: customers[i % 4].id,
          weightKg: [1.25, 4, 12.5, 0.4, 31, 4, 2][i],
          dimensions: { lengthCm: 30 + i, widthCm: 20, heightCm: 10 },
          contents: [{ description: 'Spare parts', quantity: i + 1 }],
          fragile: i % 3 === 0,
          service: ['standard', 'express', 'standard', 'overnight', 'standard', 'express', 'standard'][i],
          deliverBy: i % 2 ? `2026-02-0${i + 1}` : null,
          declaredValue: i === 2 ? { amount: 99.95, currency: 'EUR' } : null,
        }),
        vehicle_id: ['dispatched', 'delivered'].includes(status) ? vehicles[0].id : null,
        dispatched_at: ['dispatched', 'delivered'].includes(status) ? s.created_at : null,
        delivered_at: status === 'delivered' ? s.created_at : null,
        received_by: status === 'delivered' ? 'Neighbour' : null,
        cancel_reason: null,
        ...s,
      })
      if (status !== 'draft')
        for (let k = 0; k < 3; k++)
          await insert('scan', {
            id: uid(),
            parcel_id: parcel.id,
            account_id: a.id,
            kind: ['arrived', 'departed', 'note'][k],
            at: new Date(t0 + k * 3600_000).toISOString(),
            place: places[0][5],
            note: k === 2 ? 'handed over' : null,
            temperature_c: k === 0 ? 4.5 : null,
            created_at: s.created_at,
          })
    }
  }
}

await createSchema()
await seed()
const server = app.listen(PORT, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
)
server.on('error', async (e) => {
  console.error(e)
  await pool.query(`DROP SCHEMA ${SCHEMA} CASCADE`).catch(() => {})
  process.exit(1)
})
let stopping = false
for (const sig of ['SIGTERM', 'SIGINT'])
  process.on(sig, async () => {
    if (stopping) return
    stopping = true
    server.close()
    server.closeAllConnections()
    await pool.query(`DROP SCHEMA ${SCHEMA} CASCADE`).catch(() => {})
    process.exit(0)
  })
