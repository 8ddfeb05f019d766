/** Unusual but valid documents. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { json } from '../support/books.js'
import { runScript } from '../support/script.js'
import { object, type Schema, text as string, toDocument } from '../support/sketch.js'
import { withAnswer, withOperation } from '../support/small-documents.js'

it('serves a document with recursive schemas', async () => {
  const text = withAnswer(
    `schema: { type: array, items: { $ref: '#/components/schemas/Node' } }`,
    `    post:
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
      responses:
        '201':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
components:
  schemas:
    Node:
      type: object
      properties:
        id: { type: integer }
        children: { type: array, items: { $ref: '#/components/schemas/Node' } }
`,
  )
  const { contract } = await compileDocument(text)
  const { fetch } = createSandbox({ contract })
  const send = (body: string) =>
    fetch('http://127.0.0.1/xs', { method: 'POST', headers: { 'Content-Type': json }, body })
  expect(await (await send('{"children":[{"children":[{"id":9,"x":1}]}]}')).text()).toBe(
    '{"id":1,"children":[{"children":[{"id":9}]}]}',
  )
  expect((await send('{"children":[{"children":[{"id":"x"}]}]}')).status).toBe(400)
})

it('keeps what each creation describes in a nested object, where another one has an object of the same name', async () => {
  const withConfig = (properties: Record<string, Schema>) => object({ config: object(properties) })
  const creations = { hooks: { url: string, token: string }, jobs: { url: string } }
  const operations = Object.entries(creations).map(([name, properties]) => [
    `POST /${name}`,
    { body: withConfig(properties), 201: object({ 'id!': { type: 'integer' }, config: object(properties) }) },
  ])
  const steps = 'POST /jobs {"config":{"url":"a"}} -> 201\nPOST /hooks {"config":{"url":"a","token":"b"}} -> 201 '
  for (const ordered of [operations, operations.toReversed()]) {
    const document = toDocument(Object.fromEntries(ordered))
    await runScript({ name: '', document, steps: `${steps}{"id":1,"config":{"url":"a","token":"b"}}` })
  }
})

it('serves an operation of 3.1 without responses as undescribed', async () => {
  const { contract } = await compileDocument(withOperation('get:\n  operationId: listXs\n'))
  const response = await createSandbox({ contract }).fetch('http://127.0.0.1/xs')
  expect([response.status, (await response.json()).code]).toEqual([501, 'not_described'])
})

it('reads and writes a body whose media type is an empty text as JSON', async () => {
  const content = `content: { '': { schema: { type: object, required: [a], properties: { a: { type: integer } } } } }`
  const text = withOperation(`post:
  requestBody: { required: true, ${content} }
  responses: { '200': { description: ok, ${content} } }`)
  const { contract } = await compileDocument(text)
  const { fetch } = createSandbox({ contract })
  const send = (body: string) =>
    fetch('http://127.0.0.1/xs', { method: 'POST', headers: { 'Content-Type': json }, body })
  const answer = await send('{"a":1}')
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, json, '{"a":1}'])
  expect((await send('{}')).status).toBe(400)
})

it('serves a document whose paths have an extension that is no path', async () => {
  const text = withOperation("get:\n  responses: { '204': { description: ok } }\n").replace(
    'paths:',
    'paths:\n  x-context-root: /registry',
  )
  const { contract } = await compileDocument(text)
  expect((await createSandbox({ contract }).fetch('http://127.0.0.1/xs')).status).toBe(204)
})
