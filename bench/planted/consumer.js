/**
 * A consumer's test suite as a program for `run` to judge: correct, unless one of its fifteen bugs is switched on.
 * `node bench/planted/consumer.js [bug]` exits with 0 unless the server cannot be reached.
 */
import { pathToFileURL } from 'node:url'

/** Mistakes of real consumers. `at` is the time at which the call is a bug. */
export const bugs = [
  { id: 'undocumented-path', wrong: 'lists /animals, an unknown path' },
  { id: 'undocumented-method', wrong: 'deletes the animal that it created' },
  { id: 'missing-credentials', wrong: 'forgets the key in one call' },
  { id: 'invalid-credentials', wrong: 'sends `Bearer undefined`' },
  { id: 'limit-above-maximum', wrong: 'requests 500 animals at once' },
  { id: 'unknown-status-value', wrong: 'filters by `status=adopted`' },
  { id: 'required-field-missing', wrong: 'creates an animal without `categoryId`' },
  { id: 'field-of-wrong-type', wrong: 'sends `categoryId` as text' },
  { id: 'enum-value-unknown', wrong: 'creates an animal with status `reserved`' },
  { id: 'wrong-content-type', wrong: 'leaves the content type to fetch: text/plain' },
  { id: 'unknown-parameter', wrong: 'pages with `page=2`, an unknown parameter' },
  { id: 'unknown-field', wrong: 'sends `tag`, an unknown field' },
  { id: 'deprecated-operation', wrong: 'uses getPet, which is deprecated' },
  { id: 'removed-operation', wrong: 'uses getPet after its removal', at: '2031-01-01T00:00:00Z' },
  { id: 'int64-precision-lost', wrong: 'reads a `categoryId` beyond 2^53 as a double and sends that back' },
]

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {
    PETSTORE_BASE_URL: baseUrl = 'http://127.0.0.1:4010/v1',
    PETSTORE_API_KEY: key = 'sandbox',
    PETSTORE_SANDBOX_URL: sandboxUrl = 'not set',
    PLANTED_BUG,
  } = process.env
  const bug = process.argv[2] ?? PLANTED_BUG ?? 'clean'
  if (bug !== 'clean' && !bugs.some(({ id }) => id === bug)) throw new Error(`Unknown planted bug "${bug}"`)
  try {
    await runSuite({ baseUrl, key, bug })
    console.log(`The suite has run (${bug}) on ${baseUrl}, sandbox: ${sandboxUrl}`)
  } catch (error) {
    console.error(`Failed to reach ${baseUrl}: ${error.cause?.message ?? error.message}`)
    process.exitCode = 1
  }
}

async function runSuite({ baseUrl, key, bug }) {
  const authorization = { Authorization: `Bearer ${bug === 'invalid-credentials' ? undefined : key}` }
  const json = { 'Content-Type': 'application/json' }

  await showsFirstPage()
  await filters()
  await creates()
  await handlesRefusal()
  await keepsCategory()
  await opens()

  async function showsFirstPage() {
    await call('/pets', bug === 'missing-credentials' ? { headers: {} } : {})
    await call(`/pets?limit=${bug === 'limit-above-maximum' ? 500 : 100}`)
    if (bug === 'unknown-parameter') await call('/pets?limit=10&page=2')
    if (bug === 'undocumented-path') await call('/animals')
  }

  async function filters() {
    for (const status of ['available', 'pending', 'sold']) await call(`/pets?status=${status}`)
    await call(`/pets?limit=5&status=${bug === 'unknown-status-value' ? 'adopted' : 'sold'}`)
  }

  async function creates() {
    await create({ name: 'Zoë 🐈', categoryId: 3 })
    const pet = { name: 'Rex', categoryId: 3, status: 'available' }
    if (bug === 'required-field-missing') delete pet.categoryId
    if (bug === 'field-of-wrong-type') pet.categoryId = '3'
    if (bug === 'enum-value-unknown') pet.status = 'reserved'
    if (bug === 'unknown-field') pet.tag = 'dog'
    const { id } = await create(pet, bug === 'wrong-content-type' ? authorization : undefined)
    if (bug === 'undocumented-method') await call(`/pets/${id}`, { method: 'DELETE' })
  }

  /** Tests error handling, and declares that it expects the refusal. */
  async function handlesRefusal() {
    await create({ categoryId: 'three' }, { ...authorization, ...json, 'Sandbox-Expect': '400' })
  }

  async function keepsCategory() {
    if (bug !== 'int64-precision-lost') return
    const { categoryId } = await create('{"name":"Mia","categoryId":9007199254740993}')
    await create({ name: 'Mia the second', categoryId })
  }

  async function opens() {
    if (bug !== 'deprecated-operation' && bug !== 'removed-operation') return
    const [{ id }] = await call('/pets?limit=1')
    await call(`/pets/${id}`)
  }

  function create(pet, headers = { ...authorization, ...json }) {
    return call('/pets', { method: 'POST', headers, body: typeof pet === 'string' ? pet : JSON.stringify(pet) })
  }

  async function call(path, { method = 'GET', headers = authorization, body } = {}) {
    const response = await fetch(`${baseUrl}${path}`, { method, headers, body })
    return JSON.parse(await response.text())
  }
}
