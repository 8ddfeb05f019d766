// What a path below a record does to the record that it answers: it links, adds, takes and sets.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const nullable = (type: string) => ({ type: [type, 'null'] })
const schemas = {
  Crew: object({ 'id!': integer, 'name!': text }),
  Badge: object({ 'id!': integer, 'name!': text }),
  Stop: object({ 'id!': integer, 'port!': text }),
  Boat: object({
    ...{ 'id!': integer, 'name!': text, 'badges!': list(named('Badge')), 'phones!': list(text) },
    ...{ stops: list(named('Stop')), captainId: nullable('integer'), status: oneOfTexts('docked', 'moored') },
    ...{ mooring_reason: text },
  }),
}
const boat = named('Boat')
const boats = {
  'POST /boats': { body: object({ 'name!': text }), 201: boat },
  'GET /boats': { 200: list(boat) },
  'GET /boats/{boatId}': { 200: boat },
}

async function open(operations: Parameters<typeof toDocument>[0]) {
  const sandbox = await openSketch(toDocument({ ...boats, ...operations }, schemas))
  await ask(sandbox, 'POST /boats {"name":"Ida"}')
  return sandbox
}

it.each(['/badges', '/badges/{badgeId}'])('links records of a collection with the records %s', async (path) => {
  const item = path === '/badges' ? {} : { [`GET ${path}`]: { 200: named('Badge') } }
  const sandbox = await open({
    'GET /badges': { 200: list(named('Badge')) },
    'POST /badges': { body: object({ 'name!': text }), 201: named('Badge') },
    ...item,
    'PUT /boats/{boatId}/badges/{badgeId}': { 200: boat },
    'DELETE /boats/{boatId}/badges/{badgeId}': { 200: boat },
  })
  await ask(sandbox, 'POST /badges {"name":"fast"}')
  const linked = await ask(sandbox, 'PUT /boats/1/badges/1')
  expect(linked).toContain('"name":"Ida","badges":[{"id":1,"name":"fast"}]')
  expect(await ask(sandbox, 'DELETE /boats/1/badges/1')).toContain('"name":"Ida","badges":[]')
  expect(await ask(sandbox, 'GET /badges')).toContain('[{"id":1,"name":"fast"}]')
})

it('adds an item to a list of texts, and takes it from there', async () => {
  const sandbox = await open({
    'POST /boats/{boatId}/phones': { body: object({ 'phone!': text }), 201: boat },
    'DELETE /boats/{boatId}/phones/{phoneKey}': { 200: boat },
  })
  await ask(sandbox, 'POST /boats/1/phones {"phone":"11"}')
  expect(await ask(sandbox, 'POST /boats/1/phones {"phone":"22"}')).toContain('"phones":["11","22"]')
  expect(await ask(sandbox, 'DELETE /boats/1/phones/11')).toContain('"phones":["22"]')
})

it('adds an object with a key, and takes it from there', async () => {
  const sandbox = await open({
    'POST /boats/{boatId}/stops': { body: object({ 'port!': text }), 200: boat },
    'DELETE /boats/{boatId}/stops/{stopId}': { 204: null },
  })
  const added = await ask(sandbox, 'POST /boats/1/stops {"port":"Oslo"}')
  const [, id] =
    /"stops":\[\{"port":"Oslo","id":(\d+)\}|"stops":\[\{"id":(\d+),"port":"Oslo"\}/.exec(added)?.filter(Boolean) ?? []
  expect(id).toBeDefined()
  expect(await ask(sandbox, `DELETE /boats/1/stops/${id}`)).toContain('204')
  expect(await ask(sandbox, 'GET /boats/1')).not.toContain('Oslo')
})

it('sets what the record has, and takes it back', async () => {
  const sandbox = await open({
    'PUT /boats/{boatId}/captain': { body: object({ 'captainId!': integer }), 200: boat },
    'POST /boats/{boatId}/moor': { body: object({ reason: text }), 200: boat },
  })
  expect(await ask(sandbox, 'PUT /boats/1/captain {"captainId":7}')).toMatch(/"id":1,.*"captainId":7/)
  const moored = await ask(sandbox, 'POST /boats/1/moor {"reason":"storm"}')
  expect(moored).toContain('"status":"moored","mooring_reason":"storm"')
})
