// What is created at one path is read at another, if noun and record agree.
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { doors, openDocument, receive } from '../support/one-operation.js'
import { ask } from '../support/script.js'
import { flag, integer, list, named, object, oneOfTexts, text, time, toDocument } from '../support/sketch.js'

type Step = [request: string, body: unknown, status: number, answer?: unknown]

/** `{name}` in a later request is that property of the answer before. */
async function run(door: string, document: string, steps: readonly Step[]): Promise<void> {
  const connection = await openDocument(door, document)
  let kept: Record<string, unknown> = {}
  for (const [request, sent, status, answer] of steps) {
    const [method = '', path = ''] = request.split(' ')
    const target = path.replace(/\{(\w+)\}/g, (_, name) => String(kept[name]))
    const headers: [string, string][] = sent === undefined ? [] : [['Content-Type', 'application/json']]
    const body = sent === undefined ? undefined : JSON.stringify(sent)
    const received = await receive(connection, { method, target, headers, ...(body !== undefined && { body }) })
    expect([target, received.status]).toEqual([target, status])
    const value = received.text === '' ? undefined : JSON.parse(received.text)
    if (answer !== undefined) expect(value).toMatchObject(answer as object)
    if (value !== undefined && !Array.isArray(value)) kept = { ...kept, ...value }
  }
}

const project = object({ 'id!': integer, 'slug!': text, 'title!': text, stars: integer })
const brief = object({ 'id!': integer, 'slug!': text, 'title!': text })
const projects = toDocument(
  {
    'GET /me/projects': { 200: list(named('Brief')) },
    'POST /me/projects': { body: object({ 'slug!': text, 'title!': text }), 201: named('Project') },
    'GET /projects/{projectId}': { 200: named('Project') },
    'DELETE /projects/{projectId}': { 204: null },
    'GET /installations/{installationId}/projects': { 200: list(named('Brief')) },
    'PUT /installations/{installationId}/projects/{projectId}': { 204: null },
  },
  { Project: project, Brief: brief },
)

const volume = object({ 'Name!': text, Driver: text, Status: object({ Size: integer }) })
const volumes = toDocument(
  {
    'GET /volumes/json': { 200: list(object({ 'Name!': text, Driver: text })) },
    'POST /volumes/create': { body: object({ 'Name!': text, Driver: text }), 201: volume },
    'GET /volumes/{volumeName}/json': { 200: volume },
    'DELETE /volumes/{volumeName}': { 204: null },
  },
  {},
)

const parts = (part: Parameters<typeof object>[0], segment: string) =>
  toDocument(
    {
      'GET /devices': { 200: list(named('Device')) },
      'POST /devices': { body: object({ 'label!': text }), 201: named('Device') },
      'GET /devices/{deviceId}': { 200: named('Device') },
      [`GET /devices/{deviceId}/${segment}`]: { 200: object(part) },
      [`PUT /devices/{deviceId}/${segment}`]: { body: object(part), 200: object(part) },
    },
    {
      Device: object({
        'id!': integer,
        'label!': text,
        status: oneOfTexts('on', 'off'),
        volume: integer,
        muted: flag,
      }),
    },
  )

/** The document says of the operation that it starts a job: nothing else is sure to mean that. */
const jobs = (started: Parameters<typeof object>[0], status: 200 | 202): string => {
  const document = JSON.parse(
    toDocument(
      {
        'POST /exports': { body: object({ 'query!': text }), [status]: object(started) },
        'GET /jobs': { 200: object({ jobs: list(named('Job')) }) },
        'GET /jobs/{jobId}': { 200: named('Job') },
      },
      { Job: object({ 'id!': integer, kind: text, state: text, queued_at: time }) },
    ),
  )
  document.paths['/exports'].post['x-sandbox-effect'] = { starts: '/jobs' }
  return JSON.stringify(document)
}

const one = { slug: 'heron', title: 'Heron log' }

const cases: [string, string, Step[]][] = [
  [
    'a creation below the caller, with a shorter record in its list',
    projects,
    [
      ['POST /me/projects', one, 201],
      ['GET /projects/{id}', undefined, 200, one],
      ['GET /me/projects', undefined, 200, [one]],
      ['DELETE /projects/{id}', undefined, 204],
      ['GET /me/projects', undefined, 200, []],
    ],
  ],
  [
    'paths that end with the form of the answer',
    volumes,
    [
      ['POST /volumes/create', { Name: 'logs', Driver: 'local' }, 201],
      ['GET /volumes/logs/json', undefined, 200, { Name: 'logs', Driver: 'local' }],
      ['GET /volumes/json', undefined, 200, [{ Name: 'logs' }]],
      ['DELETE /volumes/logs', undefined, 204],
      ['GET /volumes/logs/json', undefined, 404],
    ],
  ],
  [
    'a part that is one property',
    parts({ status: oneOfTexts('on', 'off') }, 'status'),
    [
      ['POST /devices', { label: 'lamp' }, 201],
      ['PUT /devices/{id}/status', { status: 'off' }, 200, { status: 'off' }],
      ['GET /devices/{id}', undefined, 200, { label: 'lamp', status: 'off' }],
      ['GET /devices/{id}/status', undefined, 200, { status: 'off' }],
    ],
  ],
  [
    'a part that is several properties',
    parts({ volume: integer, muted: flag }, 'sound'),
    [
      ['POST /devices', { label: 'radio' }, 201],
      ['PUT /devices/{id}/sound', { volume: 7, muted: true }, 200, { volume: 7, muted: true }],
      ['GET /devices/{id}', undefined, 200, { label: 'radio', volume: 7, muted: true }],
    ],
  ],
  [
    'a job that is accepted',
    jobs({ 'jobId!': integer, state: text }, 202),
    [
      ['POST /exports', { query: 'all' }, 202],
      ['GET /jobs/{jobId}', undefined, 200],
      ['GET /jobs', undefined, 200, { jobs: [{}] }],
    ],
  ],
  [
    'a job that the answer describes',
    jobs({ 'job_id!': integer, 'state!': text, 'queuedAt!': time }, 200),
    [
      ['POST /exports', { query: 'all' }, 200],
      ['GET /jobs/{job_id}', undefined, 200],
    ],
  ],
]

describe.each(doors)('through %s', (door) => {
  it.each(cases)('%s', (_, document, steps) => run(door, document, steps))

  it('a property of another name than its path stays a record of its own', async () => {
    await run(door, parts({ color: text }, 'settings'), [
      ['POST /devices', { label: 'lamp' }, 201],
      ['PUT /devices/{id}/settings', { color: 'red' }, 200, { color: 'red' }],
      ['GET /devices/{id}/settings', undefined, 200, { color: 'red' }],
    ])
  })
})

it('what a record has from the start is also at the path of its property', async () => {
  const casing = object({ 'color!': text, size: integer })
  const document = toDocument(
    {
      'GET /devices': { 200: list(named('Device')) },
      'GET /devices/{deviceId}': { 200: named('Device') },
      'PUT /devices/{deviceId}': { body: object({ label: text, casing }), 200: named('Device') },
      'GET /devices/{deviceId}/casing': { 200: casing },
    },
    { Device: object({ 'id!': integer, label: text, casing }) },
  )
  const { contract } = await compileDocument(document)
  const devices = [{ id: 1, casing: { color: 'red', size: 2 } }, { id: 2 }]
  const sandbox = createSandbox({ contract, scenario: { devices } })
  expect(await ask(sandbox, 'GET /devices/1/casing')).toBe('200 {"color":"red","size":2}')
  expect(await ask(sandbox, 'GET /devices/2/casing')).toMatch(/^200 {"color":/)
  await ask(sandbox, 'PUT /devices/1 {"casing":{"color":"blue"}}')
  expect(await ask(sandbox, 'GET /devices/1/casing')).toBe('200 {"color":"blue"}')
  expect(await ask(sandbox, 'GET /devices/3/casing')).toMatch(/^404 /)
})

it('what a record has from the start is that of its own owner', async () => {
  const casing = object({ 'color!': text })
  const path = '/sites/{siteId}/devices'
  const document = toDocument(
    {
      'GET /sites': { 200: list(named('Site')) },
      'GET /sites/{siteId}': { 200: named('Site') },
      [`GET ${path}`]: { 200: list(named('Device')) },
      [`POST ${path}`]: { body: object({ casing }), 201: named('Device') },
      [`GET ${path}/{deviceId}`]: { 200: named('Device') },
      [`GET ${path}/{deviceId}/casing`]: { 200: casing },
    },
    { Site: object({ 'id!': integer }), Device: object({ 'id!': integer, siteId: integer, casing }) },
  )
  const { contract } = await compileDocument(document)
  const devices = [1, 2].map((siteId) => ({ id: 7, siteId, casing: { color: `c${siteId}` } }))
  const sandbox = createSandbox({ contract, scenario: { sites: [{ id: 1 }, { id: 2 }], devices } })
  for (const site of [1, 2])
    expect(await ask(sandbox, `GET /sites/${site}/devices/7/casing`)).toBe(`200 {"color":"c${site}"}`)
})

const zone = object({ 'key!': text, 'name!': text })
const zones = toDocument(
  {
    'GET /zones/{siteKey}/{floorCode}': { 200: object({ items: list(named('Zone')), total: integer }) },
    'POST /zones/{siteKey}/{floorCode}': { body: zone, 201: named('Zone') },
    'GET /zones/{siteKey}/{floorCode}/{zoneKey}': { 200: named('Zone') },
    'DELETE /zones/{siteKey}/{floorCode}/{zoneKey}': { 204: null },
    'GET /alarms/{siteKey}': { 200: object({ items: list(named('Alarm')), total: integer }) },
    'POST /alarms/{siteKey}': { body: zone, 201: named('Alarm') },
    'GET /alarms/{siteKey}/{alarmKey}': { 200: named('Alarm') },
  },
  { Zone: zone, Alarm: object({ 'key!': text, 'name!': text }) },
)

describe.each(doors)('records that their owners list, through %s', (door) => {
  it('are known by the last parameter, within all before it', async () => {
    await run(door, zones, [
      ['POST /zones/a/1', { key: 'k', name: 'Hall' }, 201, { key: 'k', name: 'Hall' }],
      ['GET /zones/a/1/k', undefined, 200, { name: 'Hall' }],
      ['GET /zones/b/1/k', undefined, 404],
      ['GET /zones/a/2/k', undefined, 404],
      ['POST /zones/a/2', { key: 'k', name: 'Attic' }, 201, { name: 'Attic' }],
      ['DELETE /zones/a/1/k', undefined, 204],
      ['GET /zones/a/2/k', undefined, 200, { name: 'Attic' }],
      ['POST /alarms/a', { key: 'k', name: 'Smoke' }, 201, { key: 'k', name: 'Smoke' }],
      ['GET /alarms/a/k', undefined, 200, { name: 'Smoke' }],
      ['GET /alarms/b/k', undefined, 404],
    ])
  })

  it('are in the lists of these owners only', async () => {
    const connection = await openDocument(door, zones)
    const [method, headers] = ['GET', [['Content-Type', 'application/json']]] as const
    const keys = async (target: string) => {
      const { text: answer } = await receive(connection, { method, target, headers: [] })
      return JSON.parse(answer).items.map(({ key }: { key: string }) => key)
    }
    const body = JSON.stringify({ key: 'new', name: 'Hall' })
    await receive(connection, {
      method: 'POST',
      target: '/zones/a/1',
      headers: [...headers] as [string, string][],
      body,
    })
    expect(await keys('/zones/a/1')).toContain('new')
    expect(await keys('/zones/a/2')).not.toContain('new')
  })
})
