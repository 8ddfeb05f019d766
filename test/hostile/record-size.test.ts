// Patches that make a record grow: refused at a limit, and the record stays as it was.
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { collection, documentOf } from '../support/serve-objects.js'

const merge = 'application/merge-patch+json'
const patch = 'application/json-patch+json'
const record = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', readOnly: true },
    texts: { type: 'object', additionalProperties: { type: 'string' } },
  },
}
const bodies = { [merge]: { schema: {} }, [patch]: { schema: {} }, 'application/json': { schema: record } }
const { contract } = await compileDocument(
  JSON.stringify(documentOf(collection({ path: '/xs', record, patch: bodies }))),
)

function open() {
  const errors: unknown[] = []
  const scenario = { xs: [{ id: 1, texts: { first: 'text' } }] }
  const maxBodyBytes = 64 * 1024 * 1024
  const sandbox = createSandbox({ contract, scenario, maxBodyBytes, onUnexpectedError: (error) => errors.push(error) })
  const send = async (type: string, body: unknown, method = 'PATCH', path = '/xs/1') => {
    const init = { method, headers: { 'Content-Type': type }, body: JSON.stringify(body) }
    const { status } = await sandbox.fetch(`http://localhost${path}`, init)
    return status
  }
  const read = async () => (await sandbox.fetch('http://localhost/xs/1')).text()
  return { send, read, errors }
}

const copies = (count: number, characters: number) => [
  { op: 'add', path: '/texts/first', value: 'A'.repeat(characters) },
  ...Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/texts/first', path: `/texts/${index}` })),
]

it('refuses a JSON Patch that copies a long text many times', async () => {
  const { send, read, errors } = open()
  const before = await read()
  expect(await send(patch, copies(2000, 700_000))).toBe(400)
  expect(await read()).toBe(before)
  expect(await send(patch, copies(20, 700_000))).toBe(200)
  expect(errors).toEqual([])
})

it('refuses a JSON Patch that copies long names many times', async () => {
  const { send, read, errors } = open()
  const before = await read()
  const named = { ['n'.repeat(700_000)]: '' }
  const body = [
    { op: 'add', path: '/texts', value: named },
    ...Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '/texts', path: `/${index}` })),
  ]
  expect(await send(patch, body)).toBe(400)
  expect(await read()).toBe(before)
  expect(errors).toEqual([])
})

const million = 'A'.repeat(1024 * 1024)

it.each<[string, (index: number) => unknown]>([
  [merge, (index) => ({ texts: { [index]: million } })],
  [patch, (index) => [{ op: 'add', path: `/texts/${index}`, value: million }]],
])('refuses the patch of %s with which a record becomes too large', async (type, toBody) => {
  const { send, read, errors } = open()
  for (let index = 0; index < 15; index++) expect(await send(type, toBody(index))).toBe(200)
  const before = await read()
  expect(await send(type, toBody(15))).toBe(413)
  expect(await read()).toBe(before)
  // There is room again.
  expect(await send(merge, { texts: { 0: null } })).toBe(200)
  expect(await send(type, toBody(15))).toBe(200)
  expect(errors).toEqual([])
})

it('changes a larger record that a body has created, as long as it does not grow', async () => {
  const { send, errors } = open()
  const texts = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`text${index}`, million]))
  expect(await send('application/json', { texts }, 'PUT')).toBe(200)
  expect(await send(merge, { texts: { text0: 'short' } })).toBe(200)
  expect(await send(merge, { texts: { text0: 'longer' } })).toBe(413)
  expect(errors).toEqual([])
})
