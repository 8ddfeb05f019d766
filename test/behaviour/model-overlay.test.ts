/** `explain --as-overlay` prints what is inferred as an overlay that changes nothing until somebody edits it. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { compileFile } from 'petstore-sandbox/node'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { writeFiles } from '../support/files.js'
import { flag, integer, list, named, object, oneOfTexts, text, time, toDocument } from '../support/sketch.js'
import { runWarm as run } from '../support/warm.js'

/** A document in which every kind of fact is inferred. */
const jobs = toDocument(
  {
    'GET /teams': { 200: list(named('Team')) },
    'POST /teams': { body: object({ name: text, leadId: integer }), 201: named('Team') },
    'GET /teams/{id}': { 200: named('Team') },
    'PUT /teams/{id}': { body: object({ name: text }), 200: named('Team') },
    'DELETE /teams/{id}': { 204: null },
    'GET /teams/{teamId}/jobs': {
      200: object({ data: list(named('Job')), total: integer }),
      query: ['limit', 'offset', 'name'],
    },
    'POST /teams/{teamId}/jobs': {
      body: object({ job: object({ JobName: text, owner: integer }) }),
      201: object({ job: named('Job') }),
    },
    'GET /teams/{teamId}/jobs/{id}': { 200: object({ job: named('Job') }) },
    'POST /teams/{teamId}/jobs/{id}/close': { body: object({ note: text }), 200: object({ job: named('Job') }) },
    'GET /people': { 200: list(named('Person')) },
    'POST /people': { body: object({ name: text }), 201: named('Person') },
    'GET /people/{id}': { 200: named('Person') },
    'POST /search': { body: object({ q: text }), 200: object({ hits: list(text) }) },
  },
  {
    Team: object({ 'id!': integer, name: text, archived: flag, lead: named('Person'), job_count: integer }),
    Person: object({ 'id!': integer, name: text }),
    Job: object({
      ...{
        'id!': text,
        uuid: { type: 'string', format: 'uuid' },
        job_name: text,
        note: text,
        closed: flag,
        closedAt: time,
      },
      ...{ owner: named('Person'), status: oneOfTexts('queued', 'running', 'failed', 'succeeded'), startedAt: time },
    }),
  },
)

interface Action {
  target: string
  update: Record<string, Record<string, unknown>>
}

async function print(file: string, ...options: string[]): Promise<{ text: string; actions: Action[] }> {
  const { code, stdout, stderr } = await run(['explain', file, '--as-overlay', ...options])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return { text: stdout, actions: parse(stdout).actions }
}

/** The contract as text. Numbers of validators, shapes and plans follow the order in which they are added. */
async function contractOf(file: string, overlay?: string): Promise<string> {
  const { contract } = await compileFile(file, overlay === undefined ? {} : { overlays: [overlay] })
  const { operations, collections } = contract
  return JSON.stringify({ operations, collections }, (name, value) => {
    if (/^(shape|validate\w*|plan|record|keyPlan|writable)$/.test(name)) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })
}

describe('the printed overlay', () => {
  it.each(['jobs.json', 'spec/petstore.openapi.yaml', 'spec/control.openapi.yaml', 'test/support/books.openapi.yaml'])(
    'of %s changes nothing',
    async (name) => {
      const folder = await writeFiles({ 'jobs.json': jobs })
      const file = name === 'jobs.json' ? join(folder, name) : name
      const { text: written } = await print(file)
      const overlay = join(folder, 'overlay.yaml')
      await writeFile(overlay, written)
      expect(await contractOf(file, overlay)).toBe(await contractOf(file))
    },
  )

  it('has the corrections in force, in place of the lists that the document has', async () => {
    const document = JSON.parse(jobs)
    const lifecycle = { property: 'status', from: 'queued', to: [{ after: '1s', value: 'running' }] }
    document.paths['/teams/{teamId}/jobs']['x-sandbox-resource'] = { lifecycle }
    const close = { needs: { status: ['queued', 'running'] }, headers: { 'X-Job': '{$response.body#/job/id}' } }
    document.paths['/teams/{teamId}/jobs/{id}/close'].post['x-sandbox-effect'] = close
    document.paths['/teams/{id}'].delete['x-sandbox-effect'] = 'remove'
    document.components.schemas.Person['x-sandbox-resource'] = { unique: ['name'] }
    const folder = await writeFiles({ 'jobs.json': jobs, 'corrected.json': JSON.stringify(document) })
    const file = join(folder, 'corrected.json')
    const { text: written, actions } = await print(file)
    const overlay = join(folder, 'overlay.yaml')
    await writeFile(overlay, written)
    expect(await contractOf(file, overlay)).toBe(await contractOf(file))
    expect(await contractOf(join(folder, 'jobs.json'), overlay)).toBe(await contractOf(file))
    expect(actions).toContainEqual({
      target: "$.paths['/teams/{teamId}/jobs/{id}/close'].post",
      description: expect.stringContaining('x-sandbox-effect says needs, headers; the rest is inferred: action: '),
      update: { 'x-sandbox-effect': expect.objectContaining({ effect: 'action', parameter: 'id', ...close }) },
    })
  })

  it('has the state that a correction says a record needs', async () => {
    const document = JSON.parse(jobs)
    document.paths['/teams/{teamId}/jobs/{id}/close'].post['x-sandbox-effect'] = { needs: { status: 'running' } }
    const folder = await writeFiles({ 'jobs.json': JSON.stringify(document) })
    const file = join(folder, 'jobs.json')
    const { text: written, actions } = await print(file)
    const overlay = join(folder, 'overlay.yaml')
    await writeFile(overlay, written)
    expect(actions.find(({ target }) => target.includes('close'))?.update).toMatchObject({
      'x-sandbox-effect': { needs: { status: 'running' } },
    })
    expect(await contractOf(file, overlay)).toBe(await contractOf(file))
  })

  it('has the facts of the paths that are asked for', async () => {
    const folder = await writeFiles({ 'jobs.json': jobs })
    const { actions } = await print(join(folder, 'jobs.json'), '--path', '/teams/{teamId}/jobs')
    expect(actions.map(({ target }) => target)).toEqual([
      "$.paths['/teams/{teamId}/jobs']",
      "$.paths['/teams/{teamId}/jobs'].get",
      "$.paths['/teams/{teamId}/jobs'].post",
      "$.paths['/teams/{teamId}/jobs/{id}'].get",
      "$.paths['/teams/{teamId}/jobs/{id}/close'].post",
    ])
    expect(actions.map(({ update }) => Object.values(update)[0])).toEqual([
      {
        key: 'id',
        keys: ['uuid'],
        owner: { '{id}': '/teams' },
        references: { owner: '/people' },
        first: expect.objectContaining({ status: 'queued', closed: false }),
        lifecycle: {
          property: 'status',
          from: 'queued',
          to: [
            { after: '500ms', value: 'running' },
            { after: '500ms', value: 'succeeded' },
          ],
        },
        names: { JobName: 'job_name' },
      },
      {
        ...{ effect: 'list', collection: '/teams/{teamId}/jobs', list: '/data' },
        ...{ page: { size: 'limit', offset: 'offset', standard: 50 }, filters: { name: 'job_name' } },
      },
      { effect: 'create', collection: '/teams/{teamId}/jobs', record: '/job', request: '/job' },
      { effect: 'read', collection: '/teams/{teamId}/jobs', parameter: 'id', record: '/job' },
      {
        ...{ effect: 'action', collection: '/teams/{teamId}/jobs', parameter: 'id', record: '/job' },
        changes: { note: '$request.body#/note', closed: true, closedAt: '$now' },
      },
    ])
  })
})

const edits: [what: string, target: string, edit: (update: Record<string, unknown>) => void][] = [
  ['the key', "$.paths['/teams/{teamId}/jobs']", (update) => Object.assign(update, { key: 'uuid' })],
  ['further keys', "$.paths['/teams/{teamId}/jobs']", (update) => Object.assign(update, { keys: [] })],
  ['the owner', "$.paths['/teams/{teamId}/jobs']", (update) => Object.assign(update, { owner: {} })],
  [
    'a reference',
    "$.paths['/teams/{teamId}/jobs']",
    (update) => Object.assign(update, { references: { owner: '$none' } }),
  ],
  [
    'a first value',
    "$.paths['/teams/{teamId}/jobs']",
    (update) => Object.assign(update['first'] as object, { closed: true }),
  ],
  ['the lifecycle', "$.paths['/teams/{teamId}/jobs']", (update) => Object.assign(update, { lifecycle: false })],
  ['a name', "$.paths['/teams/{teamId}/jobs']", (update) => Object.assign(update, { names: { JobName: 'note' } })],
  ['the effect', "$.paths['/teams/{id}'].put", (update) => Object.assign(update, { effect: 'update' })],
  ['the page', "$.paths['/teams/{teamId}/jobs'].get", (update) => Object.assign(update, { page: { size: 'offset' } })],
  [
    'a filter',
    "$.paths['/teams/{teamId}/jobs'].get",
    (update) => Object.assign(update, { filters: { name: '$none' } }),
  ],
  ['the list', "$.paths['/search'].post", (update) => Object.assign(update, { effect: 'undescribed' })],
  [
    'the place in a request',
    "$.paths['/teams/{teamId}/jobs'].post",
    (update) => Object.assign(update, { request: '' }),
  ],
  [
    'the place in an answer',
    "$.paths['/teams/{teamId}/jobs/{id}/close'].post",
    (update) => Object.assign(update, { record: '' }),
  ],
  [
    'a change',
    "$.paths['/teams/{teamId}/jobs/{id}/close'].post",
    (update) => Object.assign(update, { changes: { note: 'x' } }),
  ],
]

let printed: ReturnType<typeof print> | undefined

it.each(edits)('an edit of %s in the printed overlay changes the model', async (_, target, edit) => {
  const folder = await writeFiles({ 'jobs.json': jobs })
  const file = join(folder, 'jobs.json')
  printed ??= print(file)
  const { text: written } = await printed
  const { actions }: { actions: Action[] } = parse(written)
  const action = actions.find((each) => each.target === target)
  edit(Object.values(action?.update ?? {})[0] ?? {})
  const overlay = join(folder, 'overlay.yaml')
  await writeFile(overlay, stringify({ ...parse(written), actions }))
  expect(await contractOf(file, overlay)).not.toBe(await contractOf(file))
})

it('has examples of at most 80 lines, in the words of the corrections', async () => {
  const folder = new URL('../../examples/overlays/', import.meta.url)
  const ajv = new Ajv2020({ strict: false })
  const schemas = await Promise.all(
    ['effect', 'resource'].map(async (name) => {
      const text = await readFile(new URL(`../../spec/sandbox-${name}.schema.json`, import.meta.url), 'utf8')
      return [`x-sandbox-${name}`, ajv.compile(JSON.parse(text))] as const
    }),
  )
  for (const name of await readdir(folder)) {
    const text = await readFile(new URL(name, folder), 'utf8')
    expect(text.trimEnd().split('\n').length, name).toBeLessThanOrEqual(80)
    const { actions }: { actions: Action[] } = parse(text)
    for (const { update = {} } of actions)
      for (const [extension, isAllowed] of schemas)
        if (extension in update) expect(isAllowed(update[extension]), JSON.stringify(update)).toBe(true)
  }
})

it('comes with the command of the program, without its secrets', async () => {
  const { nextOverlay, writeCommand } = await import('../../src/entries/corrections.js')
  const write = (...args: string[]) => writeCommand('fix.yaml', ['node', '/usr/bin/petstore-sandbox', ...args])
  expect(write('my api.yaml', '-p', '4020', '--store', 'redis://me:word@host/1', '--api-key', 'a', '--api-key=b')).toBe(
    "petstore-sandbox 'my api.yaml' -p 4020 --store 'redis://***@host/1' --api-key '***' '--api-key=***' --overlay fix.yaml",
  )
  expect(write('--spec=https://a.example/b.yaml?token=c')).toBe(
    "petstore-sandbox '--spec=https://a.example/b.yaml?***' --overlay fix.yaml",
  )
  expect(nextOverlay(['a.yaml'])).toBe('corrections.yaml')
  expect(nextOverlay(['--overlay', './corrections.yaml', '--overlay=corrections-2.yaml'])).toBe('corrections-3.yaml')
  expect(write('run', '--', 'npm', 'test')).toBeUndefined()
  expect(writeCommand('fix.yaml', ['node', '/app/server.js'])).toBeUndefined()
})

it('has JSON schemas with the words that are read', async () => {
  const { effectVocabulary, resourceVocabulary, serviceVocabulary } = await import('../../src/behaviour/vocabulary.js')
  for (const [name, vocabulary] of [
    ['effect', effectVocabulary],
    ['resource', resourceVocabulary],
    ['service', serviceVocabulary],
  ] as const) {
    const file = new URL(`../../spec/sandbox-${name}.schema.json`, import.meta.url)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(vocabulary)))
  }
})
