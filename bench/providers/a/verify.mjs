// Proves each bug by an HTTP exchange: right on the clean server, wrong on the one with the bug.
// node verify.mjs [id ...]      DATABASE_URL as for the server.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as yaml from 'js-yaml'

const A = 'pwk_alpenpost_7f3c9a1e52d84b06',
  B = 'pwk_northline_c25e80b7a9134fd1'
const bugs = JSON.parse(readFileSync(new URL('./bugs.json', import.meta.url), 'utf8'))
const doc = yaml.load(readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9 })
addFormats(ajv)
ajv.addSchema(doc, 'doc')
const deref = (o) =>
  o?.$ref
    ? deref(
        o.$ref
          .slice(2)
          .split('/')
          .reduce((a, k) => a[k], doc),
      )
    : o
const abs = (s) => JSON.parse(JSON.stringify(s), (k, v) => (k === '$ref' ? v.replace(/^#/, 'doc#') : v))
const complaints = []
function conform(method, path, r) {
  // does the answer keep the document?
  const p = path.split('?')[0].split('/')
  const tpl = Object.keys(doc.paths).find((t) => {
    const s = t.split('/')
    return s.length === p.length && s.every((x, i) => x[0] === '{' || x === p[i])
  })
  const op = tpl && doc.paths[tpl][(method === 'HEAD' ? 'GET' : method).toLowerCase()]
  const say = (m) => complaints.push(`${method} ${path} ${r.status}: ${m} ${r.text.slice(0, 300)}`)
  if (r.status >= 400 && method !== 'HEAD') {
    if (r.headers['content-type'] !== 'application/problem+json') say('no problem+json')
    else if (r.body.status !== r.status) say('problem.status')
  }
  if (!op) return
  const resp = deref(op.responses[r.status])
  if (!resp) {
    say('undeclared status')
    return
  }
  for (const [n, h] of Object.entries(resp.headers ?? {}).map(([n, h]) => [n, deref(h)])) {
    let v = r.headers[n.toLowerCase()]
    if (v === undefined) {
      if (h.required) say(`no header ${n}`)
      continue
    }
    if (h.schema.type === 'integer') v = Number(v)
    if (!ajv.validate(abs(h.schema), v)) say(`header ${n}: ${ajv.errorsText()}`)
  }
  if (method === 'HEAD') {
    if (r.text) say('body of HEAD')
    return
  }
  if (!resp.content) {
    if (r.text) say('a body')
    return
  }
  const media = Object.keys(resp.content)[0]
  if (r.headers['content-type'] !== media) say(`media type ${r.headers['content-type']}`)
  if (!ajv.validate(abs(resp.content[media].schema), r.body)) say(ajv.errorsText())
}

function client(base, strict) {
  const u = new URL(base)
  const agent = new http.Agent({ keepAlive: true })
  let calls = 0
  const call = (method, path, body, { key = A, headers = {}, raw, type } = {}) =>
    new Promise((ok, no) => {
      calls++
      const data =
        raw !== undefined ? Buffer.from(raw) : body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const h = {
        ...(key ? { 'X-Api-Key': key } : {}),
        ...(data && type !== null ? { 'Content-Type': type ?? 'application/json' } : {}),
        ...(data ? { 'Content-Length': data.length } : {}),
        ...headers,
      }
      const rq = http.request({ host: u.hostname, port: u.port, agent, method, path, headers: h }, (res) => {
        const c = []
        res
          .on('data', (d) => c.push(d))
          .on('end', () => {
            const text = Buffer.concat(c).toString('utf8')
            let parsed
            try {
              parsed = JSON.parse(text)
            } catch {
              /* none */
            }
            const r = { status: res.statusCode, headers: res.headers, text, body: parsed }
            if (strict) conform(method, path, r)
            ok(r)
          })
          .on('error', no)
      })
      rq.on('error', no)
      rq.end(data)
    })
  let n = 0
  const seq = () => ++n
  const must = async (status, p) => {
    const r = await p
    if (r.status !== status) throw new Error(`expected ${status}, got ${r.status}: ${r.text.slice(0, 400)}`)
    return r
  }
  const t = {
    call,
    must,
    get: (p, o) => call('GET', p, undefined, o),
    post: (p, b, o) => call('POST', p, b, o),
    put: (p, b, o) => call('PUT', p, b, o),
    patch: (p, b, o) => call('PATCH', p, b, o),
    del: (p, o) => call('DELETE', p, undefined, o),
    merge: (p, b) => call('PATCH', p, b, { type: 'application/merge-patch+json' }),
    depotBody: (x = {}) => ({
      code: `T${String.fromCharCode(65 + Math.floor(seq() / 2600), 65 + (Math.floor(seq() / 100) % 26))}-${String(seq() % 100).padStart(2, '0')}`,
      name: 'Test depot',
      timezone: 'UTC',
      address: { street: 'Road 1', postcode: '12345', city: 'Town', country: 'DE' },
      ...x,
    }),
    depot: async (x, o) => (await must(201, t.post('/depots', t.depotBody(x), o))).body,
    customerBody: (x = {}) => ({ name: 'Test Person', email: `t${seq()}@test.example`, ...x }),
    customer: async (x, o) => (await must(201, t.post('/customers', t.customerBody(x), o))).body,
    vehicleBody: (x = {}) => ({ plate: `T-T ${seq()}`, type: 'van', payloadKg: 800, ...x }),
    vehicle: async (x, o) => (await must(201, t.post('/vehicles', t.vehicleBody(x), o))).body,
    parcelBody: (c, x = {}) => ({
      recipientId: c.id ?? c,
      weightKg: 1.5,
      dimensions: { lengthCm: 10, widthCm: 10, heightCm: 10 },
      contents: [{ description: 'Thing', quantity: 1 }],
      ...x,
    }),
    parcel: async (d, c, x, o) => (await must(201, t.post(`/depots/${d.id}/parcels`, t.parcelBody(c, x), o))).body,
    scanBody: (x = {}) => ({ kind: 'note', at: '2026-03-01T10:00:00Z', place: 'Hub', ...x }),
    scan: async (p, x, o) => (await must(201, t.post(`/parcels/${p.id}/scans`, t.scanBody(x), o))).body,
    calls: () => calls,
    close: () => agent.destroy(),
  }
  return t
}
const ZERO = '00000000-0000-4000-8000-000000000000'
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

// each gives true if the server is right
const checks = {
  'phone-unanchored': async (t) =>
    (await t.post('/customers', t.customerBody({ phone: '+4989123456 ext 7' }))).status === 422,
  'patch-name-length': async (t) =>
    (await t.patch(`/customers/${(await t.customer()).id}`, { name: 'x'.repeat(81) })).status === 422,
  'credit-multiple-of': async (t) =>
    (await t.post('/customers', t.customerBody({ creditLimit: 10.005 }))).status === 422,
  'address-extra': async (t) => {
    const b = t.depotBody()
    b.address.floor = '3'
    return (await t.post('/depots', b)).status === 422
  },
  'weight-zero': async (t) =>
    (await t.post(`/depots/${(await t.depot()).id}/parcels`, t.parcelBody(await t.customer(), { weightKg: 0 })))
      .status === 422,
  'contents-max': async (t) =>
    (
      await t.post(
        `/depots/${(await t.depot()).id}/parcels`,
        t.parcelBody(await t.customer(), { contents: Array(21).fill({ description: 'x', quantity: 1 }) }),
      )
    ).status === 422,
  'birthdate-rollover': async (t) =>
    (await t.post('/customers', t.customerBody({ birthDate: '2023-02-30' }))).status === 422,
  'payload-coerced': async (t) => (await t.post('/vehicles', t.vehicleBody({ payloadKg: '1200' }))).status === 422,
  'name-utf16': async (t) => {
    const r = await t.post('/customers', t.customerBody({ name: '😀'.repeat(80) }))
    return r.status === 201 && r.body.name === '😀'.repeat(80)
  },
  'tier-null': async (t) =>
    (await t.patch(`/customers/${(await t.customer({ tier: 'plus' })).id}`, { tier: null })).status === 422,
  'credit-as-string': async (t) => {
    const c = await t.customer({ creditLimit: 12.5 })
    return (await t.get(`/customers?email=${c.email}`)).body.items[0].creditLimit === 12.5
  },
  'null-omitted': async (t) => (await t.vehicle()).inspectedOn === null,
  'owner-leak': async (t) => (await t.get('/depots')).body.every((d) => !('accountId' in d)),
  'deliverby-datetime': async (t) =>
    (await t.parcel(await t.depot(), await t.customer(), { deliverBy: '2026-05-01' })).deliverBy === '2026-05-01',
  'odometer-float': async (t) => {
    const v = await t.vehicle({ odometerKm: 16777217 })
    return (await t.get(`/vehicles/${v.id}`)).body.odometerKm === 16777217
  },
  'pickup-offset': async (t) =>
    Date.parse(
      (await t.parcel(await t.depot(), await t.customer(), { pickupAt: '2026-05-01T10:00:00+02:00' })).pickupAt,
    ) === Date.UTC(2026, 4, 1, 8),
  'name-nfc': async (t) => (await t.customer({ name: 'Rene\u0301' })).name === 'Rene\u0301',
  'notes-not-saved': async (t) => {
    const c = await t.customer({ notes: 'old' })
    await t.must(200, t.patch(`/customers/${c.id}`, { notes: 'new' }))
    return (await t.get(`/customers/${c.id}`)).body.notes === 'new'
  },
  'latin1-body': async (t) => (await t.customer({ name: 'Jürgen' })).name === 'Jürgen',
  'capacity-default': async (t) => (await t.depot()).capacity === 500,
  'newsletter-default': async (t) =>
    (await t.customer({ preferences: { language: 'de' } })).preferences.newsletter === false,
  'merge-null-kept': async (t) => {
    const p = await t.parcel(await t.depot(), await t.customer(), { metadata: { a: '1', b: '2' } })
    return same((await t.merge(`/parcels/${p.id}`, { metadata: { a: null } })).body.metadata, { b: '2' })
  },
  'merge-shallow': async (t) => {
    const p = await t.parcel(await t.depot(), await t.customer(), { metadata: { a: '1' } })
    return same((await t.merge(`/parcels/${p.id}`, { metadata: { b: '2' } })).body.metadata, { a: '1', b: '2' })
  },
  'put-keeps-omitted': async (t) => {
    const d = await t.depot({ website: 'https://x.example/' })
    const b = t.depotBody()
    return (await t.put(`/depots/${d.id}`, b)).body.website === null
  },
  'page-offset': async (t) => {
    const d = await t.depot(),
      c = await t.customer()
    for (let i = 0; i < 3; i++) await t.parcel(d, c)
    return (await t.get(`/depots/${d.id}/parcels?per_page=2&page=2`)).body.items.length === 1
  },
  'cursor-ties': async (t) => {
    const p = await t.parcel(await t.depot(), await t.customer())
    for (let i = 0; i < 5; i++) await t.scan(p)
    const seen = []
    let cursor = ''
    do {
      const r = (await t.must(200, t.get(`/parcels/${p.id}/scans?limit=2${cursor && `&cursor=${cursor}`}`))).body
      seen.push(...r.items.map((s) => s.id))
      cursor = r.nextCursor
    } while (cursor)
    return new Set(seen).size === 5 && seen.length === 5
  },
  'limit-cap': async (t) => (await t.get('/customers?limit=101')).status === 400,
  'total-unfiltered': async (t) => {
    await t.depot({ address: { street: 'Via 1', postcode: '00100', city: 'Roma', country: 'IT' } })
    const r = await t.get('/depots?country=IT')
    return r.headers['x-total-count'] === String(r.body.length)
  },
  'link-drops-filter': async (t) => {
    const d = await t.depot(),
      c = await t.customer()
    for (let i = 0; i < 3; i++) await t.parcel(d, c, { fragile: true })
    const r = await t.get(`/depots/${d.id}/parcels?fragile=true&per_page=1&sort=weightKg`)
    const next = /<([^>]*)>; rel="next"/.exec(r.headers.link)?.[1]
    const q = new URL(next, 'http://x').searchParams
    return (
      q.get('fragile') === 'true' && q.get('sort') === 'weightKg' && q.get('page') === '2' && q.get('per_page') === '1'
    )
  },
  'max-weight-exclusive': async (t) => {
    const d = await t.depot()
    await t.parcel(d, await t.customer(), { weightKg: 5 })
    return (await t.get(`/depots/${d.id}/parcels?maxWeight=5`)).body.total === 1
  },
  'fragile-false': async (t) => {
    const d = await t.depot(),
      c = await t.customer()
    await t.parcel(d, c, { fragile: true })
    await t.parcel(d, c)
    return (await t.get(`/depots/${d.id}/parcels?fragile=false`)).body.total === 1
  },
  'q-wildcard': async (t) => {
    await t.customer({ name: 'under_score' })
    await t.customer({ name: 'underXscore' })
    return (await t.get('/customers?q=under_score')).body.items.every((c) => c.name.includes('under_score'))
  },
  'sort-desc-ignored': async (t) => {
    const c = (await t.get('/depots?sort=-code')).body.map((d) => d.code)
    return c.length > 1 && same(c, [...c].sort().reverse())
  },
  'payload-text-sort': async (t) => {
    const p = (await t.get('/vehicles?sort=payloadKg')).body.map((v) => v.payloadKg)
    return (
      p.length > 1 &&
      same(
        p,
        [...p].sort((a, b) => a - b),
      )
    )
  },
  'scan-foreign': async (t) => {
    const s = await t.scan(await t.parcel(await t.depot(), await t.customer()))
    return (await t.get(`/scans/${s.id}`, { key: B })).status === 404
  },
  'recipient-foreign': async (t) =>
    (await t.post(`/depots/${(await t.depot()).id}/parcels`, t.parcelBody(await t.customer({}, { key: B })))).status ===
    422,
  'vehicle-foreign-delete': async (t) => {
    const v = await t.vehicle()
    const r = await t.del(`/vehicles/${v.id}`, { key: B })
    return r.status === 404 && (await t.get(`/vehicles/${v.id}`)).status === 200
  },
  'key-prefix': async (t) => (await t.get('/account', { key: `${A}x` })).status === 401,
  'scans-no-auth': async (t) => {
    const p = await t.parcel(await t.depot(), await t.customer())
    return (await t.get(`/parcels/${p.id}/scans`, { key: null })).status === 401
  },
  'malformed-500': async (t) => (await t.post('/vehicles', undefined, { raw: '{"plate": ' })).status === 400,
  'conflict-plain-json': async (t) => {
    const v = await t.vehicle()
    const r = await t.post('/vehicles', t.vehicleBody({ plate: v.plate }))
    return r.status === 409 && r.headers['content-type'] === 'application/problem+json'
  },
  'location-wrong': async (t) => {
    const r = await t.post(`/depots/${(await t.depot()).id}/parcels`, t.parcelBody(await t.customer()))
    const g = await t.get(r.headers.location)
    return g.status === 200 && g.body.id === r.body.id
  },
  'ifmatch-ignored': async (t) => {
    const v = await t.vehicle()
    const r = await t.put(`/vehicles/${v.id}`, t.vehicleBody(), { headers: { 'If-Match': '"stale"' } })
    return r.status === 412 && same((await t.get(`/vehicles/${v.id}`)).body, v)
  },
  'head-404': async (t) => (await t.call('HEAD', `/depots/${(await t.depot()).id}`)).status === 200,
  'allow-missing': async (t) => {
    const r = await t.call('PUT', '/customers', {})
    return r.status === 405 && /GET/.test(r.headers.allow ?? '')
  },
  'scans-orphaned': async (t) => {
    const p = await t.parcel(await t.depot(), await t.customer())
    const s = await t.scan(p)
    await t.must(204, t.del(`/parcels/${p.id}`))
    return (await t.get(`/scans/${s.id}`)).status === 404
  },
  'deliver-draft': async (t) => {
    const p = await t.parcel(await t.depot(), await t.customer())
    return (
      (await t.post(`/parcels/${p.id}/deliver`, { receivedBy: 'Me' })).status === 409 &&
      (await t.get(`/parcels/${p.id}`)).body.status === 'draft'
    )
  },
  'capacity-off-by-one': async (t) => {
    const d = await t.depot({ capacity: 1 }),
      c = await t.customer()
    await t.parcel(d, c)
    return (await t.post(`/depots/${d.id}/parcels`, t.parcelBody(c))).status === 409
  },
  'email-case': async (t) => {
    await t.customer({ email: 'Case@Test.example' })
    return (await t.post('/customers', t.customerBody({ email: 'case@test.example' }))).status === 409
  },
  'homedepot-dangling': async (t) => (await t.post('/vehicles', t.vehicleBody({ homeDepotId: ZERO }))).status === 422,
}

// more of the document, on the clean server only
async function cleanRound(t) {
  const bad = []
  const is = (what, ok) => {
    if (!ok) bad.push(what)
  }
  const st = async (what, status, p) => {
    const r = await p
    if (r.status !== status) bad.push(`${what}: ${r.status} in place of ${status} ${r.text.slice(0, 200)}`)
    return r
  }
  const d = await t.depot({
    website: 'https://d.example/a?b=c',
    contactEmail: 'a.b+c@d-e.example',
    openedOn: '2020-02-29',
    location: { lat: -90, lon: 1e-7 },
    openingHours: [{ day: 'mon', opens: '00:00', closes: '23:59' }],
  })
  const c = await t.customer({
    tags: ['b', 'a'],
    creditLimit: 0.07,
    phone: '+4912345678',
    notes: '  \t\n"ü"\u2028 ',
    preferences: { channels: ['sms', 'post'] },
  })
  is(
    'customer kept',
    (c.notes === '  \t\n"ü"\u2028 ' &&
      same(c.tags, ['b', 'a']) &&
      c.creditLimit === 0.07 &&
      same(c.preferences, { channels: ['sms', 'post'], language: 'en', newsletter: false })) ||
      same(Object.keys(c.preferences).sort(), ['channels', 'language', 'newsletter']),
  )
  const p = await t.parcel(d, c, {
    contents: [
      { description: 'z', quantity: 2, value: { amount: 0.1, currency: 'EUR' } },
      { description: 'a', quantity: 3 },
    ],
    pickupAt: '1900-01-01T00:00:00+14:00',
    weightKg: 69.99,
    labels: ['z', 'a'],
    metadata: { constructor: 'x' },
  })
  is(
    'totalItems',
    p.totalItems === 5 &&
      p.pickupAt === '1899-12-31T10:00:00.000Z' &&
      same(p.labels, ['z', 'a']) &&
      same(p.metadata, { constructor: 'x' }),
  )
  const v = await t.vehicle({ homeDepotId: d.id, odometerKm: 9007199254740991, fuelLevel: 0.1 })
  is('vehicle kept', v.odometerKm === 9007199254740991 && v.fuelLevel === 0.1)
  for (const [m, path] of [
    ['GET', '/account'],
    ['GET', '/depots'],
    ['POST', '/depots'],
    ['PUT', `/depots/${d.id}`],
    ['DELETE', `/depots/${d.id}`],
    ['PATCH', `/parcels/${p.id}`],
    ['POST', `/parcels/${p.id}/cancel`],
    ['GET', `/scans/${ZERO}`],
  ])
    await st(`no key ${m} ${path}`, 401, t.call(m, path, m === 'GET' || m === 'DELETE' ? undefined : {}, { key: null }))
  for (const path of [
    `/depots/${ZERO}`,
    `/parcels/${ZERO}`,
    `/customers/${ZERO}`,
    `/vehicles/${ZERO}`,
    `/scans/${ZERO}`,
    `/depots/${ZERO}/parcels`,
    `/parcels/${ZERO}/scans`,
  ]) {
    await st(path, 404, t.get(path))
    await st(`HEAD ${path}`, 404, t.call('HEAD', path))
  }
  for (const path of [
    `/depots/${d.id}`,
    `/parcels/${p.id}`,
    `/customers/${c.id}`,
    `/vehicles/${v.id}`,
    `/depots/${d.id}/parcels`,
    `/parcels/${p.id}/scans`,
  ]) {
    await st(`foreign ${path}`, 404, t.get(path, { key: B }))
    await st(`HEAD ${path}`, 200, t.call('HEAD', path))
    await st(`OPTIONS ${path}`, 204, t.call('OPTIONS', path, undefined, { key: null }))
  }
  for (const path of [
    '/depots/x',
    '/depots/%E0%A4%A',
    '/depots/%00',
    `/depots/${d.id.toUpperCase().replace(/[0-9]/, 'A')}`,
    '/depots?limit=0',
    '/depots?limit=',
    '/depots?limit=1.5',
    '/depots?limit=1&limit=2',
    '/depots?offset=-1',
    '/depots?sort=nope',
    '/depots?q=',
    `/depots?q=${'x'.repeat(51)}`,
    '/depots?q=%00',
    '/customers?tier=gold',
    '/customers?tier=',
    '/customers?tier=basic&tier=plus',
    '/customers?bornFrom=2020-02-30',
    '/vehicles?retired=1',
    '/vehicles?retired=TRUE',
    '/vehicles?minPayload=1e3',
    `/depots/${d.id}/parcels?status=draft&status=x`,
    `/depots/${d.id}/parcels?recipientId=1`,
    `/depots/${d.id}/parcels?per_page=51`,
    `/parcels/${p.id}/scans?cursor=abc`,
    `/parcels/${p.id}/scans?cursor=W10`,
    `/parcels/${p.id}/scans?cursor=`,
    '/tariffs?currency=USD',
  ])
    await st(path, 400, t.get(path))
  for (const path of ['/', '/depots/', '//depots', '/Depots', '/nope', `/depots/${d.id}/nope`])
    await st(path, 404, t.get(path))
  for (const [m, path] of [
    ['DELETE', '/depots'],
    ['POST', '/account'],
    ['PUT', `/parcels/${p.id}`],
    ['GET', `/parcels/${p.id}/cancel`],
    ['TRACE', '/depots'],
    ['HEAD', `/parcels/${p.id}/cancel`],
  ]) {
    const r = await st(`${m} ${path}`, 405, t.call(m, path, undefined, { key: null }))
    is(`Allow ${path}`, r.headers.allow)
  }
  // bodies
  const bodyOps = [
    ['POST', '/depots'],
    ['PUT', `/depots/${d.id}`],
    ['POST', `/depots/${d.id}/parcels`],
    ['POST', '/customers'],
    ['PATCH', `/customers/${c.id}`],
    ['POST', '/vehicles'],
    ['PUT', `/vehicles/${v.id}`],
    ['POST', `/parcels/${p.id}/scans`],
    ['POST', `/parcels/${p.id}/dispatch`],
    ['POST', `/parcels/${p.id}/deliver`],
    ['POST', `/parcels/${p.id}/cancel`],
    ['PATCH', `/parcels/${p.id}`],
  ]
  for (const [m, path] of bodyOps) {
    const type = m === 'PATCH' && path.startsWith('/parcels') ? 'application/merge-patch+json' : 'application/json'
    const c2 = (raw, o = {}) => t.call(m, path, undefined, { type, raw, ...o })
    for (const raw of ['{', 'nope', '{"a":1,}', '\ufeff{}', ' ', Buffer.from([0x22, 0xff, 0x22])])
      await st(`malformed ${m} ${path} ${raw}`, 400, c2(raw))
    if (!path.endsWith('/cancel'))
      await st(
        `empty ${m} ${path}`,
        400,
        t.call(m, path, undefined, { headers: { 'Content-Type': type, 'Content-Length': '0' } }),
      )
    await st(
      `deep ${m} ${path}`,
      /customers/.test(path) && m === 'PATCH' ? 200 : 422,
      c2(`{"x":${'['.repeat(45000)}${']'.repeat(45000)}}`),
    )
    await st(
      `huge ${m} ${path}`,
      422,
      c2(
        '{"name":1e400,"code":1e400,"weightKg":1e400,"kind":1e400,"vehicleId":1e400,"plate":1e400,"receivedBy":1e400,"reason":1e400}',
      ),
    )
    for (const raw of [
      '[]',
      'null',
      '"x"',
      '1',
      '{"name":"\\ud800","code":"\\ud800","weightKg":"\\ud800","kind":"\\ud800","vehicleId":"\\ud800","plate":"\\ud800","receivedBy":"\\ud800","reason":"\\ud800"}',
    ])
      await st(`invalid ${m} ${path} ${raw}`, 422, c2(raw))
    for (const ty of [
      'text/plain',
      null,
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      `${type}; charset=iso-8859-1`,
      type === 'application/json' ? 'application/merge-patch+json' : 'application/json',
    ])
      await st(`415 ${m} ${path} ${ty}`, 415, c2('{}', { type: ty }))
    await st(`gzip ${m} ${path}`, 415, c2('{}', { headers: { 'Content-Encoding': 'gzip' } }))
    await st(`large ${m} ${path}`, 413, c2(JSON.stringify({ x: 'x'.repeat(100001) })))
    await st(`charset ${m} ${path}`, 422, c2('[]', { type: `${type.toUpperCase()}; Charset="UTF-8"` }))
  }
  const cust = (x) => t.post('/customers', t.customerBody(x))
  for (const x of [
    { email: 'x' },
    { email: 'a@b' },
    { email: 'a..b@c.de' },
    { email: null },
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'a\u0000b' },
    { name: 5 },
    { phone: '089' },
    { phone: '' },
    { birthDate: '1800-01-01' },
    { birthDate: '2020-13-01' },
    { birthDate: '2020-1-1' },
    { birthDate: '2020-01-01T00:00:00Z' },
    { creditLimit: -0.01 },
    { creditLimit: 1000000.01 },
    { creditLimit: 0.001 },
    { creditLimit: 1e-9 },
    { creditLimit: '1' },
    { creditLimit: null },
    { tags: ['a', 'a'] },
    { tags: 'a' },
    { tags: ['A'] },
    { tags: null },
    { tags: [...'abcdefghijk'] },
    { preferences: null },
    { preferences: { x: 1 } },
    { preferences: { channels: [] } },
    { preferences: { language: null } },
    { notes: 'x'.repeat(501) },
  ])
    await st(`customer ${JSON.stringify(x).slice(0, 80)}`, 422, cust(x))
  for (const x of [
    { name: 'x' },
    { creditLimit: 1000000 },
    { creditLimit: 0.29 },
    { creditLimit: 999999.99 },
    { creditLimit: 1e2 },
    { creditLimit: -0 },
    { birthDate: '1900-01-01' },
    { birthDate: '2099-12-31' },
    { notes: '' },
    { phone: null },
    { unknown: 1 },
    { id: 'x', createdAt: 5 },
    { tags: [] },
    { preferences: {} },
    { __proto__: { a: 1 } },
  ]) {
    const r = await st(`customer ${JSON.stringify(x)}`, 201, cust(x))
    for (const k of Object.keys(x))
      if (!['id', 'createdAt', 'unknown', 'preferences'].includes(k))
        is(`kept ${k}`, JSON.stringify(r.body[k]) === JSON.stringify(x[k]))
    is('read again', same((await t.get(r.headers.location)).body, r.body))
  }
  for (const x of [
    { pickupAt: '2026-01-01' },
    { pickupAt: '2026-01-01T10:00:00' },
    { pickupAt: '2026-01-01T10:00:00+24:00' },
    { pickupAt: '2026-01-01T24:00:00Z' },
    { pickupAt: '2026-02-30T10:00:00Z' },
    { pickupAt: '2026-01-01T23:59:60Z' },
    { weightKg: 70.01 },
    { weightKg: 0.005 },
    { weightKg: 1e400 },
    { dimensions: { lengthCm: 301, widthCm: 1, heightCm: 1 } },
    { dimensions: { lengthCm: 1, widthCm: 1 } },
    { dimensions: { lengthCm: 1.5, widthCm: 1, heightCm: 1 } },
    { contents: [] },
    { contents: [{ description: 'x', quantity: 0 }] },
    { contents: [{ description: 'x', quantity: 1, value: null }] },
    { contents: [{ description: 'x', quantity: 1, x: 1 }] },
    { metadata: { A: 'x' } },
    { metadata: { a: 1 } },
    { metadata: { a: null } },
    { metadata: Object.fromEntries([...'abcdefghijk'].map((k) => [k, ''])) },
    { declaredValue: { amount: 1 } },
    { declaredValue: { amount: 1.005, currency: 'EUR' } },
    { instructions: '😀'.repeat(201) },
    { recipientId: ZERO },
    { recipientId: `urn:uuid:${c.id}` },
    { fragile: 'true' },
    { fragile: null },
    { x: 1 },
    { id: ZERO },
    { labels: ['a', 'a'] },
  ])
    await st(`parcel ${JSON.stringify(x).slice(0, 80)}`, 422, t.post(`/depots/${d.id}/parcels`, t.parcelBody(c, x)))
  for (const x of [
    { pickupAt: '2026-01-01T10:00:00.5+23:59' },
    { pickupAt: '2026-01-01T10:00:00-23:59' },
    { pickupAt: '2026-01-01T10:00:00-00:00' },
    { pickupAt: '2099-12-31T23:59:59.999-12:00' },
    { weightKg: 70 },
    { weightKg: 0.01 },
    { instructions: '😀'.repeat(200) },
  ]) {
    const r = await st(`parcel ${JSON.stringify(x)}`, 201, t.post(`/depots/${d.id}/parcels`, t.parcelBody(c, x)))
    if (x.pickupAt) is('instant', Date.parse(r.body.pickupAt) === Date.parse(x.pickupAt))
    await st('patched', 200, t.merge(`/parcels/${r.body.id}`, { fragile: true }))
    is('pickupAt kept', (await t.get(`/parcels/${r.body.id}`)).body.pickupAt === r.body.pickupAt)
  }
  // merge patch
  const mp = await t.parcel(d, c, {
    declaredValue: { amount: 1, currency: 'EUR' },
    metadata: { a: '1' },
    instructions: 'x',
  })
  let r = await st(
    'merge',
    200,
    t.merge(`/parcels/${mp.id}`, {
      declaredValue: { amount: 2 },
      dimensions: { heightCm: 3 },
      instructions: null,
      contents: [{ description: 'n', quantity: 7 }],
    }),
  )
  is('merged', same(r.body.declaredValue, { amount: 2, currency: 'EUR' }) || r.body.declaredValue.currency === 'EUR')
  is(
    'merged 2',
    r.body.dimensions.heightCm === 3 &&
      r.body.dimensions.lengthCm === 10 &&
      r.body.instructions === null &&
      r.body.totalItems === 7,
  )
  await st('merge null', 200, t.merge(`/parcels/${mp.id}`, { declaredValue: null }))
  for (const x of [
    { declaredValue: { amount: 3 } },
    { fragile: null },
    { metadata: null },
    { weightKg: null },
    { recipientId: ZERO },
    { recipientId: null },
    { status: 'delivered' },
    { dimensions: { heightCm: null } },
    { dimensions: { heightCm: 0 } },
    { weightKg: 0 },
    { metadata: Object.fromEntries([...'bcdefghijkl'].map((k) => [k, ''])) },
  ])
    await st(`merge ${JSON.stringify(x)}`, 422, t.merge(`/parcels/${mp.id}`, x))
  // states
  await st('unknown vehicle', 422, t.post(`/parcels/${mp.id}/dispatch`, { vehicleId: ZERO }))
  r = await st('dispatch', 200, t.post(`/parcels/${mp.id}/dispatch`, { vehicleId: v.id }))
  is('dispatched', r.body.status === 'dispatched' && r.body.vehicleId === v.id)
  await st('dispatch twice', 409, t.post(`/parcels/${mp.id}/dispatch`, { vehicleId: v.id }))
  await st('patch dispatched', 409, t.merge(`/parcels/${mp.id}`, { fragile: true }))
  await st('delete dispatched', 409, t.del(`/parcels/${mp.id}`))
  await st('delete its vehicle', 409, t.del(`/vehicles/${v.id}`))
  await st(
    'deliver',
    200,
    t.post(`/parcels/${mp.id}/deliver`, { receivedBy: 'X', deliveredAt: '2026-01-01T01:00:00+01:00' }),
  )
  await st('deliver twice', 409, t.post(`/parcels/${mp.id}/deliver`, { receivedBy: 'X' }))
  await st('cancel delivered', 409, t.post(`/parcels/${mp.id}/cancel`))
  await st('delete delivered', 409, t.del(`/parcels/${mp.id}`))
  const cp = await t.parcel(d, c)
  await st('cancel', 200, t.post(`/parcels/${cp.id}/cancel`))
  await st('cancel twice', 409, t.post(`/parcels/${cp.id}/cancel`, {}))
  await st('scan of cancelled', 409, t.post(`/parcels/${cp.id}/scans`, t.scanBody()))
  await st('delete cancelled', 204, t.del(`/parcels/${cp.id}`))
  await st('gone', 404, t.get(`/parcels/${cp.id}`))
  await st('gone twice', 404, t.del(`/parcels/${cp.id}`))
  await st('delete depot with parcels', 409, t.del(`/depots/${d.id}`))
  await st('delete customer with parcels', 409, t.del(`/customers/${c.id}`))
  await st('delete vehicle', 204, t.del(`/vehicles/${v.id}`))
  is('vehicleId null', (await t.get(`/parcels/${mp.id}`)).body.vehicleId === null)
  // preconditions
  const v2 = await t.vehicle()
  const tag = (await t.get(`/vehicles/${v2.id}`)).headers.etag
  await st('428', 428, t.put(`/vehicles/${v2.id}`, t.vehicleBody()))
  await st('weak', 412, t.put(`/vehicles/${v2.id}`, t.vehicleBody(), { headers: { 'If-Match': `W/${tag}` } }))
  await st('304', 304, t.get(`/vehicles/${v2.id}`, { headers: { 'If-None-Match': `"x", W/${tag}` } }))
  await st('304 *', 304, t.get(`/vehicles/${v2.id}`, { headers: { 'If-None-Match': '*' } }))
  await st('304 HEAD', 304, t.call('HEAD', `/vehicles/${v2.id}`, undefined, { headers: { 'If-None-Match': tag } }))
  r = await st('put', 200, t.put(`/vehicles/${v2.id}`, t.vehicleBody(), { headers: { 'If-Match': `"x", ${tag}` } }))
  is('new tag', r.headers.etag !== tag && r.body.version === 2)
  is('tag of GET', (await t.get(`/vehicles/${v2.id}`)).headers.etag === r.headers.etag)
  await st('stale', 412, t.put(`/vehicles/${v2.id}`, t.vehicleBody(), { headers: { 'If-Match': tag } }))
  await st('star', 200, t.put(`/vehicles/${v2.id}`, t.vehicleBody(), { headers: { 'If-Match': '*' } }))
  await st('stale delete', 412, t.del(`/vehicles/${v2.id}`, { headers: { 'If-Match': tag } }))
  await st('retire', 200, t.post(`/vehicles/${v2.id}/retire`))
  await st('retire twice', 409, t.post(`/vehicles/${v2.id}/retire`))
  is('hidden', !(await t.get('/vehicles')).body.some((x) => x.id === v2.id))
  is(
    'shown',
    (await t.get('/vehicles?retired=true')).body.some((x) => x.id === v2.id),
  )
  const rp = await t.parcel(d, c)
  await st('retired vehicle', 409, t.post(`/parcels/${rp.id}/dispatch`, { vehicleId: v2.id }))
  const dt = (await t.get(`/depots/${d.id}`)).headers.etag
  await st('depot stale', 412, t.put(`/depots/${d.id}`, t.depotBody(), { headers: { 'If-Match': '"x"' } }))
  await st('depot ok', 200, t.put(`/depots/${d.id}`, t.depotBody({ code: d.code }), { headers: { 'If-Match': dt } }))
  await st('depot code used', 409, t.put(`/depots/${d.id}`, t.depotBody({ code: 'MUC-01' })))
  await st('depot code used', 409, t.post('/depots', t.depotBody({ code: 'MUC-01' })))
  const e = await t.depot()
  const ev = await t.vehicle({ homeDepotId: e.id })
  await st('delete depot', 204, t.del(`/depots/${e.id}`))
  is('homeDepotId null', (await t.get(`/vehicles/${ev.id}`)).body.homeDepotId === null)
  await st('same plate, other account', 201, t.post('/vehicles', t.vehicleBody({ plate: ev.plate }), { key: B }))
  const em = (await t.customer()).email
  await st('patch e-mail used', 409, t.patch(`/customers/${c.id}`, { email: em.toUpperCase() }))
  await st('own e-mail', 200, t.patch(`/customers/${c.id}`, { email: c.email.toUpperCase() }))
  await st('empty patch', 200, t.patch(`/customers/${c.id}`, {}))
  // lists
  for (const sort of ['name', 'email', 'creditLimit', 'createdAt'])
    for (const s of ['', '-']) {
      const all = (await t.get(`/customers?limit=100&sort=${s}${sort}`)).body.items
      const want = [...all].sort((a, b) => {
        const [x, y] = [a[sort], b[sort]]
        const k = typeof x === 'number' ? x - y : Buffer.compare(Buffer.from(x), Buffer.from(y))
        return (s ? -k : k) || (a.id < b.id ? -1 : 1)
      })
      is(
        `sorted ${s}${sort}`,
        same(
          all.map((x) => x.id),
          want.map((x) => x.id),
        ),
      )
      const two = []
      for (let o = 0; o < all.length; o += 7)
        two.push(...(await t.get(`/customers?limit=7&offset=${o}&sort=${s}${sort}`)).body.items)
      is(`paged ${s}${sort}`, same(all, two))
    }
  r = await t.get(`/depots/${d.id}/parcels?per_page=3&status=draft&service=standard,express&minWeight=0`)
  let seen = r.body.items.length,
    links = 1
  while (/<([^>]*)>; rel="next"/.test(r.headers.link)) {
    r = await t.get(/<([^>]*)>; rel="next"/.exec(r.headers.link)[1])
    seen += r.body.items.length
    links++
  }
  is('pages by link', seen === r.body.total && links === r.body.pages)
  r = await t.get(`/depots/${d.id}/parcels?minWeight=9&maxWeight=3`)
  is('empty range', r.body.total === 0 && r.body.pages === 0 && r.body.items.length === 0)
  r = await t.get(`/depots/${d.id}/parcels?page=999`)
  is('past the end', r.status === 200 && r.body.items.length === 0 && r.body.total > 0)
  is(
    'q',
    (await t.get('/customers?q=%C3%96')).body.items.every((x) => x.name.includes('Ö')),
  )
  is('q case', (await t.get('/customers?q=ANNA')).body.total === 1)
  await st('offset far', 200, t.get('/customers?offset=1000000'))
  await st('unknown parameter', 200, t.get('/customers?foo=1&foo=2'))
  const u = (await t.get('/account')).body.usage
  is(
    'usage',
    u.customers === (await t.get('/customers')).body.total &&
      u.depots === Number((await t.get('/depots?limit=1')).headers['x-total-count']),
  )
  // at once
  const cd = await t.depot({ capacity: 3 })
  const rs = await Promise.all(Array.from({ length: 8 }, () => t.post(`/depots/${cd.id}/parcels`, t.parcelBody(c))))
  is(
    'capacity at once',
    rs.filter((x) => x.status === 201).length === 3 && rs.filter((x) => x.status === 409).length === 5,
  )
  const tagNow = (await t.get(`/vehicles/${ev.id}`)).headers.etag
  const ps = await Promise.all(
    Array.from({ length: 5 }, () => t.put(`/vehicles/${ev.id}`, t.vehicleBody(), { headers: { 'If-Match': tagNow } })),
  )
  is(
    'one of five writes',
    ps.filter((x) => x.status === 200).length === 1 && ps.filter((x) => x.status === 412).length === 4,
  )
  return bad
}

function start(bug) {
  const child = spawn(process.execPath, [new URL('./server.mjs', import.meta.url).pathname], {
    env: { ...process.env, PORT: '0', BUG: bug },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (x) => {
    err += x
  })
  return new Promise((ok, no) => {
    child.stdout.on('data', (x) => {
      const m = /listening on (\S+)/.exec(x)
      if (m)
        ok({
          base: m[1],
          err: () => err,
          stop: () =>
            new Promise((r) => {
              child.on('exit', r)
              child.kill('SIGTERM')
            }),
        })
    })
    child.on('exit', (code) => no(new Error(`server ended ${code}: ${err}`)))
  })
}
const only = process.argv.slice(2)
let failed = 0
const clean = await start('')
const right = new Set()
{
  const t = client(clean.base, true)
  for (const { id } of bugs) {
    try {
      if (await checks[id](t)) right.add(id)
      else console.log(`clean server is wrong: ${id}`)
    } catch (e) {
      console.log(`clean server, ${id}: ${e.message}`)
    }
  }
  let bad
  try {
    bad = await cleanRound(t)
  } catch (e) {
    bad = [e.stack]
  }
  for (const b of bad) {
    failed++
    console.log(`clean server: ${b}`)
  }
  for (const c of complaints) {
    failed++
    console.log(`clean server breaks the document: ${c}`)
  }
  if (clean.err()) {
    failed++
    console.log(`clean server wrote: ${clean.err()}`)
  }
  console.log(`clean server: ${failed} complaints in ${t.calls()} exchanges`)
  t.close()
  await clean.stop()
}
let shown = 0
const todo = only.length ? bugs.filter((b) => only.includes(b.id)) : bugs
for (const { id } of todo) {
  const s = await start(id)
  const t = client(s.base, false)
  let wrong = false,
    why = ''
  try {
    wrong = !(await checks[id](t))
  } catch (e) {
    why = e.message
  }
  // a few ordinary calls still work, so that the bug is the only thing that is wrong
  for (const path of ['/account', '/depots', '/customers', '/vehicles', '/tariffs']) {
    const r = await t.get(path)
    if (r.status !== 200) why += ` ${path} ${r.status}`
  }
  if (process.env.CROSS)
    for (const o of bugs)
      if (o.id !== id) {
        let ok = false
        try {
          ok = await checks[o.id](t)
        } catch {
          /* wrong */
        }
        if (!ok) console.log(`  ${id} also breaks the check of ${o.id}`)
      }
  t.close()
  await s.stop()
  if (wrong && right.has(id) && !why) shown++
  else console.log(`NOT SHOWN ${id} wrong=${wrong} right=${right.has(id)} ${why}`)
}
console.log(`${shown} of ${todo.length} shown`)
process.exit(shown === todo.length && !failed ? 0 : 1)
