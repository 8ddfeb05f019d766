/**
 * Verifies with plain HTTP requests that each planted bug is visible, and that the provider without bugs satisfies the
 * document: `node bench/planted/verify.js`. Uses neither the sandbox nor its checks.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { bugs, key, startProvider } from './provider.js'

const rex = '{"name":"Rex","categoryId":3,"status":"sold"}'
const nameless = '{"categoryId":3}'

/** For each bug the value to look at, and the value of a correct provider. */
const looks = {
  'auth-skipped': [401, async (api) => (await api.get('/pets/1', { key: null })).status],
  'any-key-accepted': [401, async (api) => (await api.get('/pets', { key: 'somebody' })).status],
  'key-by-its-beginning': [401, async (api) => (await api.get('/pets', { key: `${key}more` })).status],
  'missing-key-403': [401, async (api) => (await api.get('/pets', { key: null })).status],
  'validated-before-auth': [401, async (api) => (await api.post(nameless, { key: null })).status],
  'limit-off-by-one': [3, async (api) => (await api.list('?limit=3')).length],
  'default-limit-not-kept': [20, async (api) => (await api.list()).length],
  'limit-maximum-not-kept': [400, async (api) => (await api.get('/pets?limit=101')).status],
  'filter-ignored': ['sold', async (api) => distinct(await api.list('?limit=100&status=sold'), 'status')],
  'unknown-status-accepted': [400, async (api) => (await api.get('/pets?status=gone')).status],
  'name-not-required': [400, async (api) => (await api.post(nameless)).status],
  'category-id-coerced': [400, async (api) => (await api.post('{"name":"Rex","categoryId":"3"}')).status],
  'content-type-ignored': [400, async (api) => (await api.post(rex, { type: 'text/plain' })).status],
  'status-required': [201, async (api) => (await api.post('{"name":"Rex","categoryId":3}')).status],
  'created-without-id': [31, async (api) => JSON.parse((await api.post(rex)).text).id],
  'error-without-status': [404, async (api) => JSON.parse((await api.get('/pets/999')).text).status],
  'error-status-wrong': [401, async (api) => JSON.parse((await api.get('/pets', { key: null })).text).status],
  'html-500': ['400 application/json', async (api) => statusAndType(await api.post('{"name":'))],
  'list-as-text': ['200 application/json', async (api) => statusAndType(await api.get('/pets'))],
  'null-status': [false, async (api) => (await api.get('/pets?limit=100')).text.includes('"status":null')],
  'unknown-id-200': [404, async (api) => (await api.get('/pets/999')).status],
  'id-from-body': [31, async (api) => JSON.parse((await api.post(`{"id":777,${rex.slice(1)}`)).text).id],
  'id-reused': [
    3,
    async (api) => {
      const ids = []
      for (let round = 0; round < 3; round++) ids.push(JSON.parse((await api.post(rex)).text).id)
      return new Set(ids).size
    },
  ],
  'state-lost': [
    200,
    async (api) => {
      const { id } = JSON.parse((await api.post(rex)).text)
      return (await api.get(`/pets/${id}`)).status
    },
  ],
  'rejected-but-stored': [
    '400, 30 animals',
    async (api) => {
      const { status } = await api.post('{"name":"Rex","categoryId":3,"status":"gone"}')
      return `${status}, ${(await api.list('?limit=100')).length} animals`
    },
  ],
  'list-stale': [
    31,
    async (api) => {
      await api.list()
      await api.post(rex)
      return (await api.list('?limit=100')).length
    },
  ],
  'int64-rounded': [
    true,
    async (api) => (await api.post('{"name":"Rex","categoryId":9007199254740993}')).text.includes('9007199254740993'),
  ],
  'int64-wrapped': [400, async (api) => (await api.post('{"name":"Rex","categoryId":9223372036854775808}')).status],
  'emoji-lost': [
    'Rex 🐕',
    async (api) => {
      const { id } = JSON.parse((await api.post('{"name":"Rex 🐕","categoryId":3}')).text)
      return JSON.parse((await api.get(`/pets/${id}`)).text).name
    },
  ],
  'lifecycle-missing': [
    '@1795132800 | Thu, 05 Dec 2030 00:00:00 GMT | </v1/pets>; rel="successor-version"',
    async (api) => lifecycle(await api.get('/pets/1')),
  ],
  'sunset-swapped': ['Thu, 05 Dec 2030 00:00:00 GMT', async (api) => (await api.get('/pets/1')).headers.sunset],
  'lifecycle-only-on-success': [
    '@1795132800 | Thu, 05 Dec 2030 00:00:00 GMT | </v1/pets>; rel="successor-version"',
    async (api) => lifecycle(await api.get('/pets/999')),
  ],
}

/** Further behavior of a correct provider that no bug changes. */
const more = {
  'refused without a key': [
    '401 401 401 401',
    async (api) => {
      const refused = [await api.get('/pets', { key: null }), await api.post(rex, { key: null })]
      refused.push(await api.get('/pets/1', { key: null }), await api.get('/store/orders', { key: null }))
      return refused.map(({ status }) => status).join(' ')
    },
  ],
  'orders are not described': [501, async (api) => (await api.get('/store/orders')).status],
  'bounds of limit': [
    '200 200 400 400 400 400 400 400',
    async (api) => {
      const limits = ['1', '100', '0', '101', '-1', '1.5', 'abc', '']
      return (await each(limits, async (limit) => (await api.get(`/pets?limit=${limit}`)).status)).join(' ')
    },
  ],
  'every status': ['available,pending,sold,undefined', async (api) => distinct(await api.list('?limit=100'), 'status')],
  'categories beyond 2^53': [true, async (api) => (await api.get('/pets?limit=100')).text.includes('9007199254741003')],
  'bodies refused': [
    '400 400 400 400 400 400 400',
    async (api) => {
      const bodies = [
        '',
        '[]',
        'null',
        '{"name":1,"categoryId":1}',
        '{"name":"Rex"}',
        '{"name":"Rex","categoryId":1.5}',
      ]
      bodies.push('{"name":"Rex","categoryId":1,"status":null}')
      return (await each(bodies, async (body) => (await api.post(body)).status)).join(' ')
    },
  ],
  'largest and smallest int64': [
    '9223372036854775807 -9223372036854775808',
    async (api) => {
      const largest = await api.post('{"name":"Rex","categoryId":9223372036854775807}')
      const smallest = await api.post('{"name":"Rex","categoryId":-9223372036854775808}')
      return [largest, smallest].map(({ text }) => /"categoryId":(-?\d+)/.exec(text)?.[1]).join(' ')
    },
  ],
  'text that looks like a number': [
    'n1',
    async (api) => JSON.parse((await api.post('{"name":"n1","categoryId":1}')).text).name,
  ],
  'names may be used twice': [
    '201 201',
    async (api) => (await each([rex, rex], async (body) => (await api.post(body)).status)).join(' '),
  ],
  'malformed ids': [
    '404 404 404',
    async (api) => (await each(['abc', '1.0', '01'], async (id) => (await api.get(`/pets/${id}`)).status)).join(' '),
  ],
}

const problems = []
for (const [what, [expected, look]] of [...Object.entries(looks), ...Object.entries(more)]) {
  const shown = await lookAt(undefined, look)
  if (shown !== expected) problems.push(`The provider without bugs shows ${shown} instead of ${expected}: ${what}`)
}
for (const { id, wrong } of bugs) {
  const [expected, look] = looks[id]
  const shown = await lookAt(id, look)
  if (shown === expected) problems.push(`${id} is not visible`)
  console.log(`${id.padEnd(27)} ${expected} -> ${shown}   ${wrong}`)
}
for (const problem of problems) console.error(problem)
console.log(`${bugs.length} bugs, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

async function lookAt(bug, look) {
  const provider = await startProvider({ bug })
  const agent = new Agent({ keepAlive: true })
  try {
    return await look(createApi(provider.url, agent, bug === undefined))
  } finally {
    agent.destroy()
    await provider.close()
  }
}

function createApi(url, agent, isClean) {
  async function send(method, path, body, { key: given = key, type = 'application/json' } = {}) {
    const headers = {}
    if (given !== null) headers.Authorization = `Bearer ${given}`
    if (body !== undefined) headers['Content-Type'] = type
    const sent = request(`${url}/v1${path}`, { method, headers, agent }).end(body)
    const [response] = await once(sent, 'response')
    const chunks = []
    for await (const chunk of response) chunks.push(chunk)
    const { statusCode: status, headers: answered } = response
    const answer = { status, headers: answered, text: Buffer.concat(chunks).toString() }
    if (isClean) checkShape(`${method} ${path}`, answer)
    return answer
  }
  const get = (path, options) => send('GET', path, undefined, options)
  return {
    get,
    post: (body, options) => send('POST', '/pets', body, options),
    list: async (query = '') => JSON.parse((await get(`/pets${query}`)).text),
  }
}

/** Checks documented fields and types, deliberately without reading the document. */
function checkShape(what, { status, headers, text }) {
  const value = JSON.parse(text)
  const isRight = status < 400 ? [value].flat().every(isPet) : isError(value) && value.status === status
  if (!isRight) problems.push(`${what}: ${status} has a wrong body ${text}`)
  if (headers['content-type'] !== 'application/json') problems.push(`${what}: ${status} is not application/json`)
  if (status === 401 && !headers['www-authenticate']?.startsWith('Bearer')) problems.push(`${what}: no challenge`)
}

function isPet({ id, name, categoryId, status }) {
  const isStatus = status === undefined || ['available', 'pending', 'sold'].includes(status)
  return Number.isInteger(id) && typeof name === 'string' && Number.isInteger(categoryId) && isStatus
}

function isError({ code, message, status }) {
  return typeof code === 'string' && typeof message === 'string' && Number.isInteger(status)
}

function statusAndType({ status, headers }) {
  return `${status} ${headers['content-type'].split(';')[0]}`
}

function lifecycle({ headers }) {
  return [headers.deprecation, headers.sunset, headers.link].join(' | ')
}

function distinct(pets, field) {
  return [...new Set(pets.map((pet) => String(pet[field])))].sort().join(',')
}

async function each(values, toResult) {
  const results = []
  for (const value of values) results.push(await toResult(value))
  return results
}
