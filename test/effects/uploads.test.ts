/** Files that are uploaded can be downloaded again, through every transport. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { field, file, toMultipart } from '../support/multipart.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection, Header } from '../support/raw-request.js'
import { runWarm as run } from '../support/warm.js'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x0d, 0x0a])
const binary = { type: 'string', format: 'binary' }
const meta = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, title: { type: 'string' } } }
const form = { type: 'object', properties: { title: { type: 'string' }, upload: binary } }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const answer = (content: Part): Part => ({ 200: { description: 'ok', content } })
const json = (schema: Part): Part => ({ 'application/json': { schema } })
const done = { 204: { description: 'done' } }

const text = documentOf({
  '/files': {
    post: {
      requestBody: { content: { 'multipart/form-data': { schema: form }, ...json(meta) } },
      responses: { 201: { description: 'ok', content: json(meta) } },
    },
    get: { responses: answer(json({ type: 'array', items: meta })) },
  },
  '/files/{id}': {
    parameters: [id],
    get: { responses: answer(json(meta)) },
    delete: { responses: done },
  },
  '/files/{id}/content': {
    parameters: [id],
    get: { responses: answer({ 'application/octet-stream': { schema: binary }, 'image/*': { schema: binary } }) },
  },
  '/scans': {
    post: {
      requestBody: { content: { 'multipart/form-data': { schema: form } } },
      responses: { 201: { description: 'ok', content: json({ type: 'object', properties: { data: meta } }) } },
    },
    get: { responses: answer(json({ type: 'array', items: meta })) },
  },
  '/scans/{id}/content': { parameters: [id], get: { responses: answer(json({ type: 'string' })) } },
  '/pets/{id}/photo': {
    parameters: [id],
    get: { responses: answer({ 'image/jpeg': { schema: binary } }) },
    put: { requestBody: { content: { '*/*': { schema: binary } } }, responses: done },
    post: { requestBody: { content: { 'multipart/form-data': { schema: form } } }, responses: done },
    delete: { responses: done },
  },
  '/pages/{id}': {
    parameters: [id],
    get: { responses: answer({ 'application/xml': { schema: meta } }) },
    put: { requestBody: { content: { 'application/xml': { schema: meta } } }, responses: done },
  },
  '/reports': {
    get: { responses: answer({ 'application/xml': { schema: meta } }) },
    post: { requestBody: { content: { 'application/xml': { schema: meta } } }, responses: done },
  },
})

const octets: Header = ['Content-Type', 'image/png']
const multipart: Header = ['Content-Type', 'multipart/form-data; boundary=x']

async function send(connection: Connection, request: string, header?: Header, body?: string | Uint8Array) {
  const [method = '', target = ''] = request.split(' ')
  const headers = header ? [header] : []
  const { status, headers: own, bytes } = await receive(connection, { method, target, headers, ...(body && { body }) })
  return { status, type: own['content-type'], bytes }
}

describe.each(doors)('an upload over %s', (door) => {
  it('to a path is what the path answers, as long as it is not removed', async () => {
    const connection = await openDocument(door, text)
    const sample = await send(connection, 'GET /pets/1/photo')
    expect([sample.status, sample.bytes.length > 100]).toEqual([200, true])
    expect((await send(connection, 'PUT /pets/1/photo', octets, png)).status).toBe(204)
    // Only JPEG is documented.
    expect(await send(connection, 'GET /pets/1/photo')).toEqual({ status: 200, type: 'image/jpeg', bytes: png })
    expect((await send(connection, 'GET /pets/2/photo')).bytes).toEqual(sample.bytes)
    const body = toMultipart([field('title', 'x'), file('upload', 'a.jpg', 'image/jpeg', 'other')])
    expect((await send(connection, 'POST /pets/1/photo', multipart, body)).status).toBe(204)
    expect((await send(connection, 'GET /pets/1/photo')).bytes).toEqual(new TextEncoder().encode('other'))
    expect((await send(connection, 'DELETE /pets/1/photo')).status).toBe(204)
    expect((await send(connection, 'GET /pets/1/photo')).status).toBe(404)
    expect((await send(connection, 'PUT /pets/1/photo', octets, png)).status).toBe(204)
    expect((await send(connection, 'GET /pets/1/photo')).bytes).toEqual(png)
  })

  it('that creates a record is what its download answers, until the record is removed', async () => {
    const connection = await openDocument(door, text)
    const created = await send(
      connection,
      'POST /files',
      multipart,
      toMultipart([field('title', 'x'), file('upload', 'a.png', 'image/png', png)]),
    )
    expect(JSON.parse(new TextDecoder().decode(created.bytes))).toEqual({ id: 1, title: 'x' })
    expect(await send(connection, 'GET /files/1/content')).toEqual({ status: 200, type: 'image/png', bytes: png })
    await send(connection, 'POST /files', ['Content-Type', 'application/json'], '{"id":2,"title":"y"}')
    expect((await send(connection, 'GET /files/2/content')).bytes.length).toBe(16)
    expect((await send(connection, 'GET /files/3/content')).status).toBe(404)
    expect((await send(connection, 'DELETE /files/1')).status).toBe(204)
    expect((await send(connection, 'GET /files/1/content')).status).toBe(404)
  })

  it('is what its download answers where that is described as a text, and the record is in an envelope', async () => {
    const connection = await openDocument(door, text)
    const body = toMultipart([file('upload', 'a.txt', 'text/plain', 'high water')])
    const created = await send(connection, 'POST /scans', multipart, body)
    expect(JSON.parse(new TextDecoder().decode(created.bytes))).toEqual({ data: { id: 1 } })
    const { status, type, bytes } = await send(connection, 'GET /scans/1/content')
    expect([status, type, new TextDecoder().decode(bytes)]).toEqual([200, 'application/json', 'high water'])
  })

  it('of XML is read where it was put, and not where it was posted', async () => {
    const connection = await openDocument(door, text)
    const xml: Header = ['Content-Type', 'application/xml']
    await send(connection, 'PUT /pages/1', xml, '<page/>')
    await send(connection, 'POST /reports', xml, '<report/>')
    const [page, reports] = [await send(connection, 'GET /pages/1'), await send(connection, 'GET /reports')]
    expect([new TextDecoder().decode(page.bytes), page.type]).toEqual(['<page/>', 'application/xml'])
    expect(new TextDecoder().decode(reports.bytes)).toContain('<root>')
  })
})

describe('an uploaded file', () => {
  it('is in the snapshot of its world, and only in its world', async () => {
    const { contract } = await compileDocument(text)
    const sandbox = createSandbox({ contract })
    const photo = 'http://127.0.0.1/pets/1/photo'
    const fetchPhoto = async () => new Uint8Array(await (await sandbox.fetch(photo)).arrayBuffer())
    const sample = await fetchPhoto()
    await sandbox.fetch(photo, { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: png })
    const world = sandbox.world()
    const state = JSON.parse(JSON.stringify(await world.snapshot()))
    expect(state.files).toEqual([
      {
        path: expect.stringMatching(/\/pets\/1\/photo$/),
        base64: Buffer.from(png).toString('base64'),
        type: 'image/png',
      },
    ])
    await world.reset()
    expect(await fetchPhoto()).toEqual(sample)
    await world.restore(state)
    expect(await fetchPhoto()).toEqual(png)
    await sandbox.fetch(photo, { method: 'DELETE' })
    expect((await world.snapshot()).files).toEqual([{ path: expect.any(String), base64: null }])
    expect((await sandbox.world('sandbox-other').snapshot()).files).toBeUndefined()
    for (const files of [{}, [{ path: 1, base64: '' }], [{ path: '', base64: '%' }], [{ path: '' }]]) {
      await expect(world.restore({ ...state, files: files as never })).rejects.toThrow('Failed to restore a world')
    }
  })

  it('is refused beyond 64 MiB in a world', async () => {
    const { contract } = await compileDocument(text)
    const sandbox = createSandbox({ contract, maxBodyBytes: 64 * 1024 * 1024, journal: { maxExchanges: 0 } })
    const put = async (number: number, size: number) =>
      sandbox.fetch(`http://127.0.0.1/pets/${number}/photo`, { method: 'PUT', body: new Uint8Array(size) })
    expect((await put(1, 40 * 1024 * 1024)).status).toBe(204)
    const refused = await put(2, 30 * 1024 * 1024)
    expect([refused.status, (await refused.json()).message]).toEqual([
      413,
      'The files of a world must have at most 67108864 bytes; remove some first',
    ])
    await sandbox.fetch('http://127.0.0.1/pets/1/photo', { method: 'DELETE' })
    expect((await put(2, 30 * 1024 * 1024)).status).toBe(204)
  })

  it('is explained as state', async () => {
    const folder = join(root, '.reports', 'uploads')
    await mkdir(folder, { recursive: true })
    const spec = join(folder, 'files.json')
    await writeFile(spec, text)
    const { stdout } = await run(['explain', '--json', '--spec', spec])
    const { operations } = JSON.parse(stdout)
    const states = operations.map(({ method, path, state }: Record<string, string>) => `${method} ${path} ${state}`)
    expect(states.filter((each: string) => each.endsWith('file'))).toEqual([
      'POST /files file',
      'DELETE /files/{id} file',
      'GET /files/{id}/content file',
      'POST /scans file',
      'GET /scans/{id}/content file',
      'GET /pets/{id}/photo file',
      'PUT /pets/{id}/photo file',
      'POST /pets/{id}/photo file',
      'DELETE /pets/{id}/photo file',
      'GET /pages/{id} file',
      'PUT /pages/{id} file',
    ])
  })
})
