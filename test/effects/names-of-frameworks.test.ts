// What operations are called without what frameworks add, other paths of a record, and values in paths.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const nullable = (type: string) => ({ type: [type, 'null'] })
const schemas = {
  Car: object({
    ...{ 'id!': integer, 'plateCode!': text, mileage: nullable('integer'), driverId: nullable('integer') },
    status: oneOfTexts('new', 'packaged', 'sold'),
  }),
}
const car = named('Car')

/** Cars with further operations, whose ids are what a framework writes. */
async function open(others: Parameters<typeof toDocument>[0], ids: Record<string, string> = {}) {
  const document = JSON.parse(
    toDocument(
      {
        'POST /cars': { body: object({ 'plateCode!': text }), 201: car },
        'GET /cars': { 200: list(car) },
        'GET /cars/{id}': { 200: car },
        ...others,
      },
      schemas,
    ),
  )
  for (const [path, id] of Object.entries(ids)) document.paths[path].post.operationId = id
  const sandbox = await openSketch(JSON.stringify(document))
  await ask(sandbox, 'POST /cars {"plateCode":"B-1"}')
  await ask(sandbox, 'POST /cars {"plateCode":"B-2"}')
  return sandbox
}

it.each([
  ['Django REST framework', '/cars/{id}/receive', 'cars_receive_create', '"id":2'],
  ['FastAPI', '/cars/{id}/package', 'package_batch_cars__id__package_post', '"status":"packaged"'],
])('acts on the record with an id of %s', async (_, path, id, shown) => {
  const sandbox = await open({ [`POST ${path}`]: { 200: car } }, { [path]: id })
  expect(await ask(sandbox, `POST ${path.replace('{id}', '2')}`)).toContain(shown)
  expect(await ask(sandbox, 'GET /cars')).not.toContain('"id":3')
})

it('reads a record by another property', async () => {
  const sandbox = await open({ 'GET /cars/by-code/{plateCode}': { 200: car, 404: object({}) } })
  expect(await ask(sandbox, 'GET /cars/by-code/B-2')).toContain('"id":2')
  expect(await ask(sandbox, 'GET /cars/by-code/none')).toContain('404')
})

it('sets the value that the path has behind the record', async () => {
  const sandbox = await open({ 'PUT /cars/{id}/mileage/{value}': { 200: car } })
  expect(await ask(sandbox, 'PUT /cars/2/mileage/700')).toContain('"id":2,"plateCode":"B-2","mileage":700')
})

it('sets what the body has, if nothing is answered', async () => {
  const sandbox = await open({ 'PUT /cars/{id}/driver': { body: object({ 'driverId!': integer }), 204: null } })
  await ask(sandbox, 'PUT /cars/2/driver {"driverId":9}')
  expect(await ask(sandbox, 'GET /cars/2')).toContain('"driverId":9')
})

it('acts on records by a short path that an owner lists', async () => {
  const sandbox = await openSketch(
    toDocument(
      {
        'GET /boats/{boatId}': { 200: named('Boat') },
        'POST /boats': { body: object({ 'name!': text }), 201: named('Boat') },
        'GET /boats/{boatId}/repairs': { 200: list(named('Repair')) },
        'POST /boats/{boatId}/repairs': { body: object({ 'title!': text }), 201: named('Repair') },
        'PUT /repairs/{id}/assign': { body: object({ 'assigneeId!': integer }), 200: named('Repair') },
      },
      {
        Boat: object({ 'id!': integer, 'name!': text }),
        Repair: object({ 'id!': integer, boatId: integer, 'title!': text, assigneeId: nullable('integer') }),
      },
    ),
  )
  await ask(sandbox, 'POST /boats {"name":"Ida"}')
  await ask(sandbox, 'POST /boats/1/repairs {"title":"Mast"}')
  expect(await ask(sandbox, 'PUT /repairs/1/assign {"assigneeId":4}')).toContain('"title":"Mast","assigneeId":4')
  expect(await ask(sandbox, 'GET /boats/1/repairs')).toContain('"assigneeId":4')
})
