/**
 * An independent Pet Store for `check` to judge: correct, unless one of its 32 bugs is switched on. It shares no
 * code with the sandbox. `node bench/planted/provider.js [bug] [port]` serves it.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

export const key = 'planted-key'

/** Mistakes of real providers. The code checks each `id` where the behavior is implemented. */
export const bugs = [
  { id: 'auth-skipped', wrong: 'getPet answers without a key' },
  { id: 'any-key-accepted', wrong: 'a key is required, but any key is accepted' },
  { id: 'key-by-its-beginning', wrong: 'a key that only begins with the valid one is accepted' },
  { id: 'missing-key-403', wrong: 'a missing key is refused with 403' },
  { id: 'validated-before-auth', wrong: 'a bad body without a key is refused with 400' },
  { id: 'limit-off-by-one', wrong: 'the list has one animal more than `limit`' },
  { id: 'default-limit-not-kept', wrong: 'without `limit` all animals are listed' },
  { id: 'limit-maximum-not-kept', wrong: '`limit` above 100 is accepted' },
  { id: 'filter-ignored', wrong: '`status` does not filter the list' },
  { id: 'unknown-status-accepted', wrong: 'an unknown `status` lists nothing instead of being refused' },
  { id: 'name-not-required', wrong: 'an animal without a name is created, its name empty' },
  { id: 'category-id-coerced', wrong: '`categoryId` in quotes is accepted' },
  { id: 'content-type-ignored', wrong: 'a body sent as text/plain is accepted' },
  { id: 'status-required', wrong: 'an animal without `status` is refused' },
  { id: 'created-without-id', wrong: 'the 201 has no `id`' },
  { id: 'error-without-status', wrong: 'error bodies have no `status`' },
  { id: 'error-status-wrong', wrong: '`status` is 400 in every error body, in a 401 and a 404 too' },
  { id: 'html-500', wrong: 'a body that is not JSON gets an HTML page with 500' },
  { id: 'list-as-text', wrong: 'the list is sent as text/plain' },
  { id: 'null-status', wrong: 'an animal without a status is shown with `"status": null`' },
  { id: 'unknown-id-200', wrong: 'getPet answers 200 and `null` for an unknown id' },
  { id: 'id-from-body', wrong: 'an `id` in the body becomes the id of the new animal' },
  { id: 'id-reused', wrong: 'every second animal gets the id of the previous one' },
  { id: 'state-lost', wrong: 'createPet answers 201 but stores nothing' },
  { id: 'rejected-but-stored', wrong: 'an animal refused for its status is stored anyway' },
  { id: 'list-stale', wrong: 'the list is cached forever and lacks new animals' },
  { id: 'int64-rounded', wrong: '`categoryId` is rounded to a double' },
  { id: 'int64-wrapped', wrong: '`categoryId` beyond int64 is accepted and becomes negative' },
  { id: 'emoji-lost', wrong: 'the 201 shows the name as sent, but emoji are stored as `?`' },
  { id: 'lifecycle-missing', wrong: 'getPet has no Deprecation, Sunset and Link' },
  { id: 'sunset-swapped', wrong: 'Sunset says 12 May 2030, day and month swapped' },
  { id: 'lifecycle-only-on-success', wrong: 'errors of getPet have no Deprecation, Sunset and Link' },
]

const statuses = ['available', 'pending', 'sold']
const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }

/**
 * @param refusesDuplicates status for an animal whose name another one has, in any case. @default none is refused
 * @returns where it listens, and `answer`, which answers a request of Node.js and the bytes of its body without HTTP
 */
export async function startProvider({ bug, port = 0, refusesDuplicates } = {}) {
  if (bug !== undefined && !bugs.some(({ id }) => id === bug)) throw new Error(`Unknown planted bug "${bug}"`)
  const answer = createPetStore({ bug, refusesDuplicates })
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { status, headers, body } = answer(request, Buffer.concat(chunks))
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    answer,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function createPetStore({ bug, refusesDuplicates }) {
  const pets = createPets()
  let lastId = BigInt(pets.length)
  let created = 0
  let cachedPets

  return function answer(request, bytes) {
    const [path, query = ''] = request.url.split('?')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const petId = /^\/v1\/pets\/([^/]+)$/.exec(path)?.[1]
    const resource = petId === undefined ? path : '/v1/pets/{petId}'
    const operations = {
      '/v1/pets': { GET: () => listPets(new URLSearchParams(query)), POST: () => createPet(request, bytes) },
      '/v1/pets/{petId}': { GET: () => getPet(petId) },
      '/v1/store/orders': { GET: () => refuse(501, 'not_described', 'orders are not described') },
    }[resource]
    if (operations === undefined) return refuse(404, 'not_found', `there is nothing at ${path}`)
    const operation = operations[method]
    if (operation === undefined) {
      const allow = Object.keys(operations).join(', ')
      return refuse(405, 'method_not_allowed', `${method} is not allowed`, { Allow: allow })
    }

    const refusedKey = refuseKey(request, petId)
    const answered =
      (bug === 'validated-before-auth' && refuseBody(request, bytes, method)) || refusedKey || operation()
    return petId === undefined ? answered : withLifecycle(answered)
  }

  function refuseKey(request, petId) {
    if (bug === 'auth-skipped' && petId !== undefined) return undefined
    const [, given] = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '') ?? []
    if (given === undefined) {
      if (bug === 'missing-key-403') return refuse(403, 'forbidden', 'an API key is required')
      return refuse(401, 'unauthorized', 'an API key is required', { 'WWW-Authenticate': 'Bearer realm="pets"' })
    }
    if (given === key || (bug === 'any-key-accepted' && given !== '')) return undefined
    if (bug === 'key-by-its-beginning' && given.startsWith(key)) return undefined
    return refuse(401, 'unauthorized', 'the API key is not known', {
      'WWW-Authenticate': 'Bearer realm="pets", error="invalid_token"',
    })
  }

  function listPets(query) {
    const limits = query.getAll('limit')
    const limit = limits.length === 0 ? 20 : toLimit(limits)
    if (limit === undefined) return refuse(400, 'invalid_request', 'limit must be an integer from 1 to 100')
    const wanted = query.getAll('status')
    if (wanted.length > 1 || !wanted.every((status) => statuses.includes(status))) {
      if (bug !== 'unknown-status-accepted') return refuse(400, 'invalid_request', `status must be ${statuses}`)
    }
    if (bug === 'list-stale') cachedPets ??= [...pets]
    let found = cachedPets ?? pets
    if (wanted.length > 0 && bug !== 'filter-ignored') found = found.filter(({ status }) => status === wanted[0])
    if (limits.length > 0 || bug !== 'default-limit-not-kept') {
      found = found.slice(0, bug === 'limit-off-by-one' ? limit + 1 : limit)
    }
    return accept(200, found.map(toShown), bug === 'list-as-text' ? { 'Content-Type': 'text/plain' } : {})
  }

  function toLimit(limits) {
    const limit = /^[1-9][0-9]*$/.test(limits[0]) && limits.length === 1 ? Number(limits[0]) : undefined
    return limit > 100 && bug !== 'limit-maximum-not-kept' ? undefined : limit
  }

  function createPet(request, bytes) {
    const refused = refuseBody(request, bytes, 'POST')
    if (refused !== undefined) return refused
    const { id, name = '', categoryId, status } = readBody(bytes)
    if (refusesDuplicates !== undefined && pets.some((pet) => pet.name.toLowerCase() === name.toLowerCase())) {
      return refuse(refusesDuplicates, 'duplicate', 'another animal has this name')
    }
    if (bug !== 'id-reused' || created % 2 === 0) lastId += 1n
    created += 1
    const isGiven = bug === 'id-from-body' && toInteger(id) !== undefined
    const pet = { id: isGiven ? toInteger(id) : lastId, name, categoryId: toInteger(categoryId), status }
    if (bug === 'int64-rounded') pet.categoryId = BigInt(Number(pet.categoryId))
    if (bug === 'int64-wrapped') pet.categoryId = BigInt.asIntN(64, pet.categoryId)
    if (bug === 'emoji-lost') pets.push({ ...pet, name: name.replace(/[\u{10000}-\u{10ffff}]/gu, '?') })
    else if (bug !== 'state-lost') pets.push(pet)
    const shown = toShown(pet)
    if (bug === 'created-without-id') delete shown.id
    return accept(201, shown)
  }

  function refuseBody(request, bytes, method) {
    if (method !== 'POST') return undefined
    const [mediaType] = (request.headers['content-type'] ?? '').split(';')
    if (mediaType.trim().toLowerCase() !== 'application/json' && bug !== 'content-type-ignored') {
      return refuse(400, 'invalid_request', 'the body must be application/json')
    }
    const body = readBody(bytes)
    if (body === undefined && bug === 'html-500') return crash()
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return refuse(400, 'invalid_request', 'the body must be a JSON object')
    }
    const wrong = []
    if (typeof body.name !== 'string' && !(bug === 'name-not-required' && body.name === undefined)) {
      wrong.push('name must be a string')
    }
    if (toInteger(body.categoryId) === undefined) wrong.push('categoryId must be an int64')
    if (body.status === undefined ? bug === 'status-required' : !statuses.includes(body.status)) {
      if (wrong.length === 0 && bug === 'rejected-but-stored') {
        lastId += 1n
        pets.push({ id: lastId, name: body.name, categoryId: toInteger(body.categoryId) })
      }
      wrong.push(`status must be one of ${statuses.join(', ')}`)
    }
    return wrong.length > 0 ? refuse(400, 'invalid_request', wrong.join('; ')) : undefined
  }

  function toInteger(value) {
    const isText = typeof value === 'string' && bug === 'category-id-coerced'
    const digits = isText ? value : value instanceof Digits ? value.text : ''
    const isWhole = /^-?[0-9]+(\.0+)?$/.test(digits)
    if (!isWhole && !(/e/i.test(digits) && Number.isInteger(Number(digits)))) return undefined
    const integer = BigInt(isWhole ? digits.split('.')[0] : Number(digits))
    if (bug === 'int64-wrapped') return integer
    return integer >= int64.minimum && integer <= int64.maximum ? integer : undefined
  }

  function getPet(petId) {
    const pet = pets.find(({ id }) => String(id) === petId)
    if (pet !== undefined) return accept(200, toShown(pet))
    if (bug === 'unknown-id-200') return accept(200, null)
    return refuse(404, 'not_found', 'there is no such animal')
  }

  function withLifecycle({ status, headers, body }) {
    if (bug === 'lifecycle-missing') return { status, headers, body }
    if (bug === 'lifecycle-only-on-success' && status >= 400) return { status, headers, body }
    const lifecycle = {
      Deprecation: '@1795132800',
      Sunset: bug === 'sunset-swapped' ? 'Sun, 12 May 2030 00:00:00 GMT' : 'Thu, 05 Dec 2030 00:00:00 GMT',
      Link: '</v1/pets>; rel="successor-version"',
    }
    return { status, headers: { ...headers, ...lifecycle }, body }
  }

  function toShown({ id, name, categoryId, status }) {
    return { id, name, categoryId, status: bug === 'null-status' ? (status ?? null) : status }
  }

  function refuse(status, code, message, headers = {}) {
    const error = { code, message, status: bug === 'error-status-wrong' ? 400 : status }
    if (bug === 'error-without-status') delete error.status
    return { status, headers, body: toJson(error) }
  }
}

function accept(status, value, headers = {}) {
  return { status, headers, body: toJson(value) }
}

function crash() {
  const body = '<!DOCTYPE html>\n<title>Error</title>\n<h1>Internal Server Error</h1>\n<pre>SyntaxError</pre>\n'
  return { status: 500, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body }
}

/** Thirty animals with every status, without a status, and with categories beyond 2^53, where doubles lose digits. */
function createPets() {
  const names = ['Rex', 'Mia', 'Bo', 'Luna', 'Oscar', 'Ruby', 'Max', 'Nala', 'Toby', 'Coco']
  return Array.from({ length: 30 }, (_, index) => ({
    id: BigInt(index + 1),
    name: `${names[index % names.length]} ${index + 1}`,
    categoryId: index % 6 === 5 ? 9007199254740993n + BigInt(index) * 2n : BigInt((index % 5) + 1),
    status: [...statuses, undefined][index % 4],
  }))
}

/** A number as text, because a double would lose digits of an int64. */
class Digits {
  constructor(text) {
    this.text = text
  }
}

/** Parses JSON with numbers as `Digits`. Returns undefined if the bytes are not JSON in UTF-8. */
function readBody(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    JSON.parse(text)
    const tokens = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g
    const quoted = text.replace(tokens, (token) => (token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`))
    return fromQuoted(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** Removes the marks: `s` before every string and key, `n` before every number. */
function fromQuoted(value) {
  if (typeof value === 'string') return value.startsWith('n') ? new Digits(value.slice(1)) : value.slice(1)
  if (Array.isArray(value)) return value.map(fromQuoted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.slice(1), fromQuoted(member)]))
}

function toJson(value) {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [bug = 'clean', port = '4020'] = process.argv.slice(2)
  const { url } = await startProvider({ bug: bug === 'clean' ? undefined : bug, port: Number(port) })
  console.log(`A Pet Store (${bug}) is ready on ${url}/v1, its key is ${key}`)
}
