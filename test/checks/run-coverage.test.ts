/** What `run` counts of the contract, and what it says was never met. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, run, serve } from '../support/launch.js'
import { gapsOf, type Observed, observe, type Sent } from '../support/observe.js'
import { withBody } from '../support/small-documents.js'

const books = ['--spec', join(root, 'test/support/books.openapi.yaml')]
const post = (body: unknown, headers: Sent['headers'] = {}): Sent => ({
  method: 'POST',
  path: '/pets',
  body: JSON.stringify(body),
  headers,
})
/** Kinds of parameters that neither of the other documents has. */
const switches = `
openapi: 3.1.0
info: { title: Switches, version: 1.0.0 }
paths:
  /lamps:
    get:
      operationId: listLamps
      parameters:
        - { name: isOn, in: query, schema: { type: boolean } }
        - { name: colours, in: query, schema: { type: array, items: { enum: [red, blue] } } }
        - { name: level, in: query, schema: { type: integer, exclusiveMinimum: 0, exclusiveMaximum: 10 } }
        - { name: sizes, in: query, explode: false, schema: { type: array, items: { enum: [s, l] } } }
      responses:
        "200":
          description: Lamps
          content:
            application/json:
              schema: { type: object, properties: { count: { type: integer, example: 0 } } }
`

/** Two collections, and an operation without one. */
const owners = `
openapi: 3.1.0
info: { title: Owners, version: 1.0.0 }
paths:
  /owners:
    get: { operationId: listOwners, responses: &list { "200": { description: Some, content: { application/json: { schema: { type: array, items: &one { type: object, required: [id], properties: { id: { type: integer } } } } } } } } }
  /owners/{ownerId}:
    parameters: [&id { name: ownerId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOwner, responses: &read { "200": { description: One, content: { application/json: { schema: *one } } } } }
  /owners/{ownerId}/pets:
    parameters: [*id]
    get: { operationId: listPets, responses: *list }
  /owners/{ownerId}/pets/{petId}:
    parameters: [*id, { name: petId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getPet, responses: *read }
  /ping:
    get: { operationId: ping, responses: { "204": { description: Up } } }
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-coverage-'))
})

afterAll(() => rm(folder, { recursive: true }))

const pet = { name: 'Ida', categoryId: 1 }
const bookKey = { Authorization: null, 'X-API-Key': 'sandbox' }

const everything: Sent[] = [
  { path: '/pets?limit=1&status=available' },
  { path: '/pets?limit=100&status=sold' },
  { path: '/pets?status=pending' },
  post({ ...pet, status: 'available' }),
  post({ ...pet, status: 'pending' }),
  post({ ...pet, status: 'sold' }),
  post({}),
  { path: '/pets/1' },
  { path: '/pets/4711' },
  { base: 'PETSTORE_QUICKSTART_URL', method: 'POST', path: '/messages', body: '{"message":"hi"}' },
  { base: 'PETSTORE_QUICKSTART_URL', method: 'POST', path: '/messages', body: '{}' },
  ...['/pets', '/pets/1', '/store/orders'].map((path) => ({ path, headers: { Authorization: null } })),
  post(pet, { Authorization: null }),
  {
    base: 'PETSTORE_QUICKSTART_URL',
    method: 'POST',
    path: '/messages',
    body: '{}',
    headers: { Prefer: 'code=401' },
  },
]

describe('coverage', () => {
  it('counts nothing that may be among the violations that are not listed', async () => {
    const tags = 'tags: { type: array, items: { type: string } }'
    const spec = join(folder, 'tags.yaml')
    await writeFile(spec, withBody(`schema: { type: object, properties: { ${tags}, note: { type: string } } }`))
    const gapsWith = async (count: number) => {
      const sent = { ...post({ tags: Array.from({ length: count }, () => 0), note: 0 }), path: '/xs' }
      const { coverage } = await observe([sent], ['--spec', spec])
      return coverage.operations.flatMap(({ points }) => points.filter(({ isMet }) => !isMet).map(({ gap }) => gap))
    }
    for (const count of [1, 19, 20, 30]) expect(await gapsWith(count)).toContain('never sent note in the body')
  })

  it('is nothing at first, and of each operation only says that it was never called', async () => {
    const { coverage, requests } = await observe([])
    expect(requests).toBe(0)
    expect(coverage).toMatchObject({ met: 0, percent: 0 })
    for (const { points } of coverage.operations) {
      expect(new Set(points.map(({ gap }) => gap))).toEqual(new Set(['never called']))
    }
  })

  it('is all when everything was met, by errors and forced answers too', async () => {
    const { coverage } = await observe(everything)
    const unmet = coverage.operations.flatMap(({ points }) => points.filter(({ isMet }) => !isMet))
    expect(unmet).toEqual([])
    expect(coverage).toMatchObject({ percent: 100, met: coverage.total })
    expect(coverage.operations.map(({ requests }) => requests)).toEqual([4, 5, 3, 1, 3])
  })

  it('has the points of each operation: itself, its statuses, its parameters, their boundaries', async () => {
    const { coverage } = await observe([])
    const points = coverage.operations.map(({ operation, points: all }) => [
      operation,
      all.map(({ kind, name }) => `${kind} ${name}`),
    ])
    expect(Object.fromEntries(points)).toMatchObject({
      listPets: [
        'operation listPets',
        'status 200',
        'status 401',
        'parameter limit',
        'boundary limit=1',
        'boundary limit=100',
        'parameter status',
        'boundary status=available',
        'boundary status=pending',
        'boundary status=sold',
      ],
      getPet: ['operation getPet', 'status 200', 'status 401', 'status 404', 'parameter petId'],
    })
  })

  interface GapCase {
    name: string
    args?: readonly string[]
    sent: readonly Sent[]
    operation: string
    gaps: readonly string[]
  }

  const listGaps = [
    'never got a 401',
    'never sent limit=1',
    'never sent limit=100',
    'never filtered by available',
    'never filtered by pending',
    'never filtered by sold',
  ]

  const gapCases: readonly GapCase[] = [
    {
      name: 'what a list was never asked for',
      sent: [{ path: '/pets' }],
      operation: 'listPets',
      gaps: [
        'never got a 401',
        'never sent the parameter limit',
        ...listGaps.slice(1, 3),
        'never sent the parameter status',
        ...listGaps.slice(3),
      ],
    },
    {
      name: 'a parameter as sent, but no boundary by its default',
      sent: [{ path: '/pets?limit=20&status=sold' }],
      operation: 'listPets',
      gaps: listGaps.slice(0, -1),
    },
    {
      name: 'nothing of a parameter that was refused',
      sent: [{ path: '/pets?limit=0&status=sold' }],
      operation: 'listPets',
      gaps: ['never got a 200', 'never got a 401', 'never sent the parameter limit', ...listGaps.slice(1, 5)],
    },
    {
      name: 'nothing but the status without a key',
      sent: [{ path: '/pets?limit=100&status=sold', headers: { Authorization: null } }],
      operation: 'listPets',
      gaps: [
        'never got a 200',
        'never sent the parameter limit',
        'never sent limit=1',
        'never sent limit=100',
        'never sent the parameter status',
        ...listGaps.slice(3),
      ],
    },
    {
      name: 'what a body never held',
      sent: [post(pet)],
      operation: 'createPet',
      gaps: [
        'never got a 400',
        'never got a 401',
        'never sent status in the body',
        'never sent status "available" in the body',
        'never sent status "pending" in the body',
        'never sent status "sold" in the body',
      ],
    },
    {
      name: 'lengths, and integers beside an exclusive bound, of another document',
      args: books,
      sent: [
        {
          method: 'POST',
          path: '/books',
          headers: bookKey,
          body: JSON.stringify({ title: '🙂'.repeat(40), pages: 1, genre: 'novel', language: 'en' }),
        },
      ],
      operation: 'createBook',
      gaps: [
        'never got a 401',
        'never got a 415',
        'never got a 422',
        'never sent title of 1 character in the body',
        'never sent genre "poetry" in the body',
        'never sent genre "science" in the body',
        'never sent price in the body',
        'never sent subtitle in the body',
        'never sent publisher in the body',
        'never sent labels in the body',
      ],
    },
    {
      name: 'a range and a default by what is met in them',
      args: books,
      sent: [{ method: 'PATCH', path: '/books/none', headers: bookKey }],
      operation: 'updateBook',
      gaps: ['never got a 200'],
    },
    {
      name: 'a header as sent, and its length',
      args: books,
      sent: [{ path: '/books?limit=50&genre=poetry&pages=3', headers: { ...bookKey, 'X-Trace': '1234567' } }],
      operation: 'listBooks',
      gaps: [
        'never got a 401',
        'never got a 422',
        'never sent limit=1',
        'never filtered by novel',
        'never filtered by science',
        'never sent X-Trace of 8 characters',
      ],
    },
  ]

  it.each(gapCases)('tells $name', async ({ args, sent, operation, gaps }) => {
    const observed = await observe(sent, args)
    const found = gapsOf(observed, operation)
    // What only a body could have is another case's.
    expect(
      operation === 'updateBook' ? found.filter((gap) => !gap.includes('body') && !gap.includes('bookId')) : found,
    ).toEqual(gaps)
  })

  it('has both sides of a switch, the items of a list and the integers inside exclusive bounds', async () => {
    const file = join(folder, 'switches.yaml')
    await writeFile(file, switches)
    const at = (query: string): Sent => ({ path: `/lamps?${query}` })
    const all = ['isOn=true', 'isOn=false', 'colours=red&colours=blue', 'level=1', 'level=9', 'sizes=s,l']
    const missed = async (queries: string[]) => gapsOf(await observe(queries.map(at), ['--spec', file]), 'listLamps')
    expect(await missed(all)).toEqual([])
    expect(await missed(['isOn=true', 'colours=blue', 'level=5', 'sizes=l'])).toEqual([
      'never sent isOn=false',
      'never sent colours=red',
      'never sent level=1',
      'never sent level=9',
      'never sent sizes=s',
    ])
  })

  it('names the collection of each operation', async () => {
    const file = join(folder, 'owners.yaml')
    await writeFile(file, owners)
    const { coverage } = await observe([{ path: '/owners/1/pets' }], ['--spec', file])
    expect(coverage.operations.map(({ operation, resource, requests }) => [operation, resource, requests])).toEqual([
      ['listOwners', 'owners', 0],
      ['getOwner', 'owners', 0],
      ['listPets', 'pets', 1],
      ['getPet', 'pets', 0],
      ['ping', undefined, 0],
    ])
  })

  it('fails a run that meets less than was asked for', async () => {
    const some = [{ path: '/pets' }]
    const { coverage } = await observe(some)
    const exitCode = async (sent: Sent[], minimum: number): Promise<Observed['code']> =>
      (await observe(sent, ['--min-coverage', String(minimum)])).code
    expect(coverage.percent).toBe(Math.floor((1000 * coverage.met) / coverage.total) / 10)
    expect(await exitCode(some, coverage.percent)).toBe(0)
    expect(await exitCode(some, coverage.percent + 0.1)).toBe(1)
  })
})

describe('curl lines', () => {
  it('do it again when they are pasted into a shell, whatever is in them', async () => {
    const nasty = `"it's" $HOME \`date\` $(date) \\ !! %s\n\r\t🙂 \u0001`
    const { findings } = await observe([
      post({ ...pet, name: nasty, status: nasty }),
      { method: 'POST', path: '/pets', body: `{"name":"a\0%d\\", 'b` },
      { path: "/pets?limit=[1-3]&status={a,b}&x='$HOME'`!" },
      { path: '/pets/../x/./y?z=/../' },
      {
        method: 'DELETE',
        path: '/pets/7',
        headers: { 'X-Empty': '', 'X-Note': nasty.replace(/\P{ASCII}|\p{Cc}/gu, '') },
      },
      { path: '/pets', headers: { Authorization: null } },
      { method: 'POST', path: '/pets', body: 'name', headers: { 'Content-Type': 'text/plain' } },
    ])
    const server = await serve()
    const env = { PETSTORE_SANDBOX_URL: server.url, PETSTORE_API_KEY: 'sandbox' }
    expect(findings.length).toBeGreaterThan(6)
    for (const { requests, response } of findings) {
      const [line = ''] = requests
      const { code, stdout, stderr } = await run([], { command: ['sh', '-c', line.replace('curl', 'curl -sS')], env })
      expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual(JSON.parse(response.body))
    }
  })

  it('never show a key', async () => {
    const { findings } = await observe(
      [
        { path: '/pets?limit=0', headers: { Authorization: 'Bearer first-secret' } },
        { path: '/dogs', headers: { Authorization: 'Bearer first-secret' } },
        { path: '/pets', headers: { Authorization: 'Bearer other-secret' } },
        { path: '/pets', headers: { Authorization: 'Basic other-secret' } },
      ],
      ['--api-key', 'first-secret'],
    )
    expect(findings).toHaveLength(4)
    const lines = new Map(findings.map(({ rule, requests }) => [rule, requests.join()]))
    expect([...lines.values()].join('\n')).not.toContain('secret')
    for (const rule of ['invalid-parameter', 'undocumented-path'])
      expect(lines.get(rule)).toContain('Bearer $PETSTORE_API_KEY')
  })
})
