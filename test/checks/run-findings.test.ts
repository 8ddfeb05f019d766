/** What `run` finds in a consumer's requests. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { observe, type Sent } from '../support/observe.js'
import { writeFolder } from '../support/serving.js'
import { runWarm } from '../support/warm.js'

const books = ['--spec', join(root, 'test/support/books.openapi.yaml')]
const post = (body: string, headers: Sent['headers'] = {}): Sent => ({ method: 'POST', path: '/pets', body, headers })
const withBookKey = { Authorization: null, 'X-API-Key': 'sandbox' }
const aBook = '/books/00000000-0000-4000-8000-000000000001'

interface RuleCase {
  rule: string
  name: string
  args?: readonly string[]
  sent: readonly Sent[]
  /** Ids of the findings of this rule without its name; none for a clean counterpart. */
  finds: readonly string[]
  /** What the first one's message says. */
  says?: string | RegExp
  help?: string
}

const cases: readonly RuleCase[] = [
  {
    rule: 'undocumented-path',
    name: 'a path that there is not, once for all records',
    sent: [{ path: '/dogs/1/toys' }, { path: '/dogs/22/toys' }],
    finds: ['GET /v1/dogs/{}/toys'],
    says: 'the closest known path is /v1/',
  },
  {
    rule: 'undocumented-path',
    name: 'a base that is missing',
    sent: [{ base: 'PETSTORE_SANDBOX_URL', path: '/pets' }],
    finds: ['GET /pets'],
    says: 'the base /v1 is missing',
  },
  {
    rule: 'undocumented-path',
    name: 'a path outside every server',
    args: books,
    sent: [{ base: 'PETSTORE_SANDBOX_URL', path: '/books/2f1d9e2c-7a3b-4c1d-9e8f-001122334455' }],
    finds: ['GET /books/{}'],
  },
  {
    rule: 'undocumented-path',
    name: 'an unknown record of a known path',
    sent: [{ path: '/pets/4711' }],
    finds: [],
  },
  {
    rule: 'undocumented-method',
    name: 'a method that a path does not have',
    sent: [{ method: 'DELETE', path: '/pets/7' }],
    finds: ['DELETE /pets/{petId}'],
    says: 'allowed: GET, HEAD, OPTIONS',
  },
  {
    rule: 'undocumented-method',
    name: 'HEAD and OPTIONS where they are answered',
    sent: [
      { method: 'HEAD', path: '/pets' },
      { method: 'OPTIONS', path: '/pets' },
    ],
    finds: [],
  },
  {
    rule: 'missing-credentials',
    name: 'no key',
    sent: [{ path: '/pets', headers: { Authorization: null } }],
    finds: ['GET /pets header Authorization'],
    says: 'An API key is required',
  },
  {
    rule: 'missing-credentials',
    name: 'a key in another scheme',
    sent: [{ path: '/pets', headers: { Authorization: 'Basic c2FuZGJveDo=' } }],
    finds: ['GET /pets header Authorization'],
  },
  {
    rule: 'missing-credentials',
    name: 'no key in the header of another document',
    args: books,
    sent: [{ path: '/books', headers: { Authorization: null } }],
    finds: ['GET /books header X-API-Key'],
  },
  {
    rule: 'missing-credentials',
    name: 'a wrong key',
    sent: [{ path: '/pets', headers: { Authorization: 'Bearer wrong' } }],
    finds: [],
  },
  {
    rule: 'missing-credentials',
    name: 'no key where none is needed',
    args: books,
    sent: [{ path: '/opening-hours', headers: { Authorization: null } }],
    finds: [],
  },
  {
    rule: 'invalid-credentials',
    name: 'a wrong key',
    sent: [{ path: '/pets', headers: { Authorization: 'Bearer wrong' } }],
    finds: ['GET /pets header Authorization'],
    says: 'This API key is not valid',
  },
  {
    rule: 'invalid-credentials',
    name: 'an unknown key in the header of another document',
    args: books,
    sent: [
      { path: '/books', headers: { 'X-API-Key': 'no-such-key' } },
      { path: '/books', headers: { 'X-API-Key': 'any other' } },
    ],
    finds: ['GET /books header X-API-Key'],
  },
  {
    rule: 'invalid-credentials',
    name: 'no key',
    sent: [{ path: '/pets', headers: { Authorization: null } }],
    finds: [],
  },
  {
    rule: 'invalid-parameter',
    name: 'each wrong one, and what is wrong about it',
    sent: [{ path: '/pets?limit=0&status=gone' }, { path: '/pets?limit=0' }],
    finds: ['GET /pets query limit minimum', 'GET /pets query status enum'],
    says: 'query parameter limit must be at least 1 (got 0)',
  },
  {
    rule: 'invalid-parameter',
    name: 'a malformed id',
    sent: [{ path: '/pets/abc' }],
    finds: ['GET /pets/{petId} path petId type'],
    says: 'must be an integer (got "abc")',
  },
  {
    rule: 'invalid-parameter',
    name: 'a header that is too long',
    args: books,
    sent: [{ path: '/books', headers: { ...withBookKey, 'X-Trace': '123456789' } }],
    finds: ['GET /books header X-Trace maxLength'],
  },
  {
    rule: 'invalid-parameter',
    name: 'good ones',
    sent: [{ path: '/pets?limit=1&status=sold' }, { path: '/pets/1' }],
    finds: [],
  },
  {
    rule: 'invalid-body',
    name: 'each wrong property',
    sent: [post('{"name":5,"status":"gone"}')],
    finds: ['POST /pets body categoryId required', 'POST /pets body name type', 'POST /pets body status enum'],
    says: 'categoryId is required',
  },
  {
    rule: 'invalid-body',
    name: 'what is not JSON',
    sent: [post('{"name":')],
    finds: ['POST /pets body not-json'],
    says: 'The body is not valid JSON',
  },
  {
    rule: 'invalid-body',
    name: 'an empty one',
    sent: [post('')],
    finds: ['POST /pets body missing'],
    says: 'got none',
  },
  {
    rule: 'invalid-body',
    name: 'one that is too large',
    args: ['--max-body', '10'],
    sent: [post('{"name":"Ida","categoryId":1}')],
    finds: ['POST /pets body too-large'],
    says: 'at most 10 bytes',
  },
  { rule: 'invalid-body', name: 'a good one', sent: [post('{"name":"Ida","categoryId":1}')], finds: [] },
  {
    rule: 'wrong-content-type',
    name: 'a form',
    sent: [post('name=Ida', { 'Content-Type': 'application/x-www-form-urlencoded' })],
    finds: ['POST /pets header Content-Type not-accepted'],
    says: 'Content-Type must be application/json',
  },
  {
    rule: 'wrong-content-type',
    name: 'JSON with a charset',
    sent: [post('{"name":"Ida","categoryId":1}', { 'Content-Type': 'Application/JSON; charset=utf-8' })],
    finds: [],
  },
  {
    rule: 'unknown-parameter',
    name: 'one that is not documented',
    sent: [{ path: '/pets?colour=red&limit=3' }],
    finds: ['GET /pets query colour'],
    says: 'it has limit, status',
  },
  { rule: 'unknown-parameter', name: 'documented ones', sent: [{ path: '/pets?status=sold&limit=3' }], finds: [] },
  {
    rule: 'unknown-field',
    name: 'one that is dropped',
    sent: [post('{"name":"Ida","categoryId":1,"id":7,"age":3}')],
    finds: ['POST /pets body age', 'POST /pets body id'],
  },
  {
    rule: 'unknown-field',
    name: 'one inside another, and what a schema leaves open',
    args: books,
    sent: [
      {
        ...post('{"title":"Momo","pages":1,"publisher":{"zip":1},"labels":{"a":"b"}}', withBookKey),
        path: '/books',
      },
    ],
    finds: ['POST /books body publisher.zip'],
  },
  { rule: 'unknown-field', name: 'known ones', sent: [post('{"name":"Ida","categoryId":1}')], finds: [] },
  {
    rule: 'deprecated-operation',
    name: 'with the days that are left',
    args: ['--at', '2030-12-02T12:00:00Z'],
    sent: [{ path: '/pets/1' }],
    finds: ['GET /pets/{petId}'],
    says: 'getPet is deprecated and ends on 2030-12-05, in 3 days',
    help: 'Use GET /pets with its "status" filter instead',
  },
  { rule: 'deprecated-operation', name: 'another one', sent: [{ path: '/pets' }], finds: [] },
  {
    rule: 'deprecated-operation',
    name: 'without a date and a successor in the document',
    args: ['--spec', join(root, 'test/support/deprecated.openapi.yaml')],
    sent: [{ path: '/undated' }],
    finds: ['GET /undated'],
    says: /^readUndated is deprecated$/,
    help: 'Stop calling it: callers should not use a deprecated operation (OpenAPI, Operation Object)',
  },
  {
    rule: 'deprecated-operation',
    name: 'with a date, but without a successor in the document',
    args: ['--at', '2030-12-02T12:00:00Z', '--spec', join(root, 'test/support/deprecated.openapi.yaml')],
    sent: [{ path: '/dated' }],
    finds: ['GET /dated'],
    says: /^readDated is deprecated and ends on 2030-12-05, in 3 days$/,
    help: 'Stop calling it: callers should not use a deprecated operation (OpenAPI, Operation Object)',
  },
  {
    rule: 'removed-operation',
    name: 'without a successor in the document',
    args: ['--at', '2030-12-06', '--spec', join(root, 'test/support/deprecated.openapi.yaml')],
    sent: [{ path: '/dated' }],
    finds: ['GET /dated'],
    says: 'readDated was removed on 2030-12-05',
    help: 'Stop calling it; mark a test of its removal with "Sandbox-Expect: 4XX"',
  },
  {
    rule: 'removed-operation',
    name: 'after its sunset',
    args: ['--at', '2030-12-05T00:00:00Z'],
    sent: [{ path: '/pets/1' }],
    finds: ['GET /pets/{petId}'],
    says: 'getPet was removed on 2030-12-05',
    help: 'Use GET /pets with its "status" filter instead',
  },
  {
    rule: 'deprecated-operation',
    name: 'what is no more',
    args: ['--at', '2030-12-05T00:00:00Z'],
    sent: [{ path: '/pets/1' }],
    finds: [],
  },
  {
    rule: 'removed-operation',
    name: 'a moment before',
    args: ['--at', '2030-12-04T23:00:00Z'],
    sent: [{ path: '/pets/1' }],
    finds: [],
  },
  {
    rule: 'unstable-operation',
    name: 'one in beta',
    args: books,
    sent: [{ method: 'PATCH', path: aBook, headers: withBookKey }],
    finds: ['PATCH /books/{bookId}'],
    says: 'updateBook is marked beta',
  },
  {
    rule: 'unstable-operation',
    name: 'a stable one',
    args: books,
    sent: [{ path: aBook, headers: withBookKey }],
    finds: [],
  },
  {
    rule: 'lost-int64-precision',
    name: 'an id that was never given, but is the double of one that exists',
    args: ['--scenario', 'edge-cases'],
    sent: [{ path: '/pets/9007199254740992' }],
    finds: ['GET /pets/{petId} path petId'],
    says: '9007199254740992 was sent, which is 9007199254740993 rounded to a double',
  },
  {
    rule: 'lost-int64-precision',
    name: 'an id as JavaScript prints its double',
    args: ['--scenario', 'edge-cases'],
    sent: [{ path: '/pets/9223372036854776000' }],
    finds: ['GET /pets/{petId} path petId'],
    says: 'which is 9223372036854775807 rounded to a double',
  },
  {
    rule: 'lost-int64-precision',
    name: 'in a body, a number that came in an answer',
    sent: [
      post('{"name":"Ida","categoryId":12345678901234567}'),
      post('{"name":"Ida","categoryId":12345678901234568}'),
    ],
    finds: ['POST /pets body categoryId'],
    says: 'which is 12345678901234567 rounded to a double',
  },
  {
    rule: 'lost-int64-precision',
    name: 'every digit, and big numbers that are no doubles of others',
    args: ['--scenario', 'edge-cases'],
    sent: [
      { path: '/pets/9007199254740993' },
      { path: '/pets/9223372036854775807' },
      post('{"name":"Ida","categoryId":9223372036854775805}'),
      post('{"name":"Ida","categoryId":1234567890123456768}'),
      // A double of its own, and received by now.
      post('{"name":"Ida","categoryId":1234567890123456768}'),
    ],
    finds: [],
  },
  {
    rule: 'unmet-expectation',
    name: 'an answer that did not come',
    sent: [{ path: '/pets?limit=5', headers: { 'Sandbox-Expect': '400' } }],
    finds: ['GET /pets header Sandbox-Expect 400-got-200'],
    says: 'expected 400, got 200',
  },
  {
    rule: 'unmet-expectation',
    name: 'what is no status',
    sent: [{ path: '/pets', headers: { 'Sandbox-Expect': 'an error' } }],
    finds: ['GET /pets header Sandbox-Expect unreadable'],
    says: '"an error" is not a status',
  },
]

describe('rules', () => {
  it.each(cases)('$rule: $name', async ({ rule, args, sent, finds, says, help }) => {
    const { findings, requests, code } = await observe(sent, args)
    const found = findings.filter((finding) => finding.rule === rule)
    expect(found.map(({ id }) => id.replace(`${rule} `, '')).toSorted()).toEqual(finds)
    expect(requests).toBe(sent.length)
    const [first] = found
    if (says !== undefined) expect(first?.message).toMatch(says)
    if (help !== undefined) expect(first?.help).toBe(help)
    expect(code).toBe(findings.some(({ severity }) => severity === 'error') ? 1 : 0)
  })

  it('finds nothing in requests that keep the contract', async () => {
    const { code, findings } = await observe([{ path: '/pets' }, post('{"name":"Ida","categoryId":1}')])
    expect(findings).toEqual([])
    expect(code).toBe(0)
  })

  it('counts what is met again, with the first time as the example', async () => {
    const { findings } = await observe([{ path: '/pets?limit=0' }, { path: '/pets?limit=-1' }])
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      count: 2,
      operation: 'listPets',
      requests: ['curl -H "Authorization: Bearer $PETSTORE_API_KEY" "$PETSTORE_SANDBOX_URL/v1/pets?limit=0"'],
      response: { status: 400 },
    })
  })

  it('lists every rule once, with what to do about it, for people and as data', async () => {
    const listed: { id: string; help: string; restsOn: string }[] = JSON.parse(
      (await runWarm(['rules', '--json'])).stdout,
    )
    const { stdout, code } = await runWarm(['rules'])
    expect(code).toBe(0)
    for (const { id, help } of listed) {
      expect(stdout).toMatch(new RegExp(`^ +${id} +(error|warning|info) `, 'm'))
      expect(stdout).toContain(help)
    }
    const basis = /^(?:(?:OpenAPI 3\.1|RFC \d+|Arazzo 1\.0\.1), section [\d.]+|the document: \w)/
    expect(listed.filter(({ restsOn }) => !basis.test(restsOn ?? ''))).toEqual([])
    const ids = listed.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(cases.map(({ rule }) => rule)))
  })
})

describe('expected failures', () => {
  const failing: Sent[] = [
    { path: '/pets?limit=0' },
    post('{'),
    { path: '/pets/abc' },
    { path: '/dogs' },
    { method: 'PUT', path: '/pets' },
    { path: '/pets', headers: { Authorization: 'Bearer wrong' } },
    { path: '/pets', headers: { Authorization: null } },
  ]
  const marked = (mark: string) =>
    failing.map((sent) => ({ ...sent, headers: { ...sent.headers, 'Sandbox-Expect': mark } }))

  it.each(['4XX', '400, 401,404, 405', '4xx'])('are no findings when they are marked with %s', async (mark) => {
    const { findings, code } = await observe(marked(mark))
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(code).toBe(0)
  })

  it('are findings without a mark, and with one for another status', async () => {
    expect((await observe(failing)).findings.filter(({ severity }) => severity === 'error')).toHaveLength(7)
    const { findings, code } = await observe(marked('409'))
    expect(new Set(findings.map(({ rule }) => rule))).toContain('invalid-body')
    expect(findings.filter(({ rule }) => rule === 'unmet-expectation')).toHaveLength(6)
    expect(code).toBe(1)
  })

  it('may be asked for: what Prefer brings is no finding', async () => {
    const { findings } = await observe([
      { path: '/pets', headers: { Prefer: 'code=400' } },
      { path: '/pets', headers: { Prefer: 'code=401' } },
      { path: '/pets', headers: { Prefer: 'code=500' } },
      post('{}', { Prefer: 'code=415' }),
      { path: '/pets', headers: { Prefer: 'code=503, delay=1' } },
    ])
    expect(findings).toEqual([])
  })
})

it.each([
  { values: 5, text: 'must be one of v1, v2, v3, v4, v5 (got "x")' },
  { values: 6, text: 'must be one of v1, v2, v3, v4, v5 or 1 other (got "x")' },
  { values: 1200, text: 'must be one of v1, v2, v3, v4, v5 or 1,195 others (got "x")' },
])('a message names five of $values listed values', async ({ values, text }) => {
  const schema = { type: 'string', enum: Array.from({ length: values }, (_, index) => `v${index + 1}`) }
  const parameters = [{ name: 'kind', in: 'query', schema }]
  const paths = { '/a': { get: { parameters, responses: { 200: { description: 'ok' } } } } }
  const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }
  const folder = await writeFolder({ 'a.json': JSON.stringify(document) })
  const { findings } = await observe([{ path: '/a?kind=x' }], ['--spec', join(folder, 'a.json')])
  expect(findings.map(({ message }) => message)).toEqual([`query parameter kind ${text}`])
})
