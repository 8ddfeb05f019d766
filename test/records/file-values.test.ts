/** What records say of the files that are uploaded with them: names, sizes, types and hashes, through every transport. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { field, file, toMultipart } from '../support/multipart.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection, Header } from '../support/raw-request.js'

const string = { type: 'string' }
const integer = { type: 'integer' }
const binary = { type: 'string', format: 'binary' }
const json = (schema: Part): Part => ({ 'application/json': { schema } })
const answer = (content: Part, status = 200): Part => ({ [status]: { description: 'ok', content } })
const objectOf = (properties: Part, required: string[] = []): Part => ({ type: 'object', required, properties })
const inPath = (name: string, schema: Part = integer): Part => ({
  parameters: [{ name, in: 'path', required: true, schema }],
})

const scan = objectOf(
  { id: integer, title: string, OriginalFileName: string, byte_size: integer, ContentType: string, sha256: string },
  ['id'],
)
/** A picture is sent as its bytes, or as an object with or without its bytes. */
const picture = objectOf({
  pictureId: string,
  caption: string,
  mimeType: string,
  size: { type: 'string', format: 'int64', readOnly: true },
  checksum: { ...string, readOnly: true, description: 'The MD5 of the content, in Base64.' },
})
const note = objectOf({ path: string, name: string, body: string, encoding: string, size: integer, sha: string }, [
  'path',
])
const text = documentOf({
  '/scans': {
    get: { responses: answer(json({ type: 'array', items: scan })) },
    post: {
      requestBody: {
        content: {
          'multipart/form-data': { schema: objectOf({ details: objectOf({ title: string }), payload: binary }) },
        },
      },
      responses: answer(json(scan), 201),
    },
  },
  '/scans/{id}': { ...inPath('id'), get: { responses: answer(json(scan)) } },
  '/scans/{id}/content': { ...inPath('id'), get: { responses: answer({ '*/*': { schema: binary } }) } },
  '/pictures': {
    get: { responses: answer(json({ type: 'array', items: picture })) },
    post: {
      requestBody: { content: { 'application/octet-stream': { schema: picture } } },
      responses: answer(json(picture), 201),
    },
  },
  '/pictures/{pictureId}': {
    ...inPath('pictureId', string),
    get: { responses: answer(json(picture)) },
    patch: {
      requestBody: { content: { 'application/octet-stream': { schema: picture } } },
      responses: answer(json(picture)),
    },
  },
  '/notes/{path}': {
    ...inPath('path', string),
    get: { responses: answer(json(note)) },
    put: {
      requestBody: {
        content: json(
          objectOf({ message: string, body: { ...string, description: 'The new content, using Base64 encoding.' } }),
        ),
      },
      responses: answer(json(objectOf({ note, commit: objectOf({ message: string }) }))),
    },
  },
})

const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0x0d, 0x0a])
const hash = (name: string, content: Uint8Array, form: 'hex' | 'base64' = 'hex') =>
  createHash(name).update(content).digest(form)

async function send(connection: Connection, request: string, type?: string, body?: string | Uint8Array) {
  const [method = '', target = ''] = request.split(' ')
  const headers: Header[] = type === undefined ? [] : [['Content-Type', type]]
  const { status, text: own } = await receive(connection, { method, target, headers, ...(body && { body }) })
  return { status, body: own.startsWith('{') ? JSON.parse(own) : own }
}

describe.each(doors)('a record with a file over %s', (door) => {
  it('has its name, size, type and hash, beside the properties of another part', async () => {
    const connection = await openDocument(door, text)
    const details = JSON.stringify({ title: 'Deed' })
    const body = toMultipart([field('details', details), file('payload', 'deed.png', 'image/png', bytes)])
    const expected = {
      ...{ id: 1, title: 'Deed', OriginalFileName: 'deed.png', byte_size: 8, ContentType: 'image/png' },
      sha256: hash('sha256', bytes),
    }
    const created = await send(connection, 'POST /scans', 'multipart/form-data; boundary=x', body)
    expect(created).toEqual({ status: 201, body: expected })
    expect((await send(connection, 'GET /scans/1')).body).toEqual(expected)
    const read = await receive(connection, { method: 'GET', target: '/scans/1/content', headers: [] })
    expect([read.bytes, read.headers['content-type']]).toEqual([bytes, 'image/png'])
  })

  it('is sent as bytes, as JSON, or as both', async () => {
    const connection = await openDocument(door, text)
    const sent = await send(connection, 'POST /pictures', 'application/octet-stream', bytes)
    const { pictureId } = sent.body
    const checksum = hash('md5', bytes, 'base64')
    expect(sent.body).toMatchObject({ mimeType: 'application/octet-stream', size: '8', checksum })
    const plain = await send(connection, 'POST /pictures', 'application/json', '{"caption":"Pier","mimeType":"a/b"}')
    expect(plain).toMatchObject({ status: 201, body: { caption: 'Pier', mimeType: 'a/b' } })
    expect(plain.body.size).toBeUndefined()
    const related =
      '--y\r\nContent-Type: application/json\r\n\r\n{"caption":"Mole"}\r\n' +
      '--y\r\nContent-Type: text/plain\r\n\r\nhigh water\r\n--y--'
    const both = await send(connection, 'POST /pictures', 'multipart/related; boundary=y', related)
    expect(both.body).toMatchObject({ caption: 'Mole', mimeType: 'text/plain', size: '10' })
    expect(both.body.checksum).toBe(hash('md5', new TextEncoder().encode('high water'), 'base64'))
    const one = `/pictures/${pictureId}`
    await send(connection, `PATCH ${one}`, 'application/json', '{"caption":"Quay"}')
    expect((await send(connection, `GET ${one}`)).body).toMatchObject({ caption: 'Quay', size: '8', checksum })
    await send(connection, `PATCH ${one}`, 'application/octet-stream', bytes.slice(3))
    const changed = { caption: 'Quay', size: '5', checksum: hash('md5', bytes.slice(3), 'base64') }
    expect((await send(connection, `GET ${one}`)).body).toMatchObject(changed)
  })

  it('is described by the bytes of its Base64 text, which is read as it was sent', async () => {
    const connection = await openDocument(door, text)
    const body = Buffer.from(bytes).toString('base64')
    const put = await send(
      connection,
      'PUT /notes/log%2Fmarch.txt',
      'application/json',
      JSON.stringify({ message: 'm', body }),
    )
    const expected = {
      ...{ path: 'log/march.txt', name: 'march.txt', body, encoding: 'base64', size: 8 },
      sha: hash('sha1', bytes),
    }
    expect(put.body.note).toEqual(expected)
    expect((await send(connection, 'GET /notes/log%2Fmarch.txt')).body).toEqual(expected)
  })
})
