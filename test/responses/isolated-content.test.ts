/** Answers that browsers render or sniff have no access to the origin of the sandbox, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const binary = { type: 'string', format: 'binary' }
const sandboxed = 'sandbox allow-scripts allow-forms allow-popups allow-downloads'

/** Types that an upload can have, and whether browsers render or sniff what has them. */
const uploads: [type: string, isIsolated: boolean][] = [
  ['text/html', true],
  ['text/html; charset=utf-8', true],
  ['TEXT/HTML', true],
  ['application/xhtml+xml', true],
  ['image/svg+xml', true],
  ['application/xml', true],
  ['text/xml', true],
  ['application/rss+xml', true],
  ['text/xsl', true],
  ['multipart/x-mixed-replace; boundary=x', true],
  ['text/plain', true],
  ['application/unknown', true],
  ['unknown/unknown', true],
  ['html', true],
  ['image/png', false],
  ['application/pdf', false],
  ['application/json', false],
  ['application/vnd.api+json', false],
  ['application/octet-stream', false],
  ['text/csv', false],
]

const text = documentOf({
  '/files/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: { responses: { 200: { description: 'ok', content: { '*/*': { schema: binary } } } } },
    put: { requestBody: { content: { '*/*': { schema: binary } } }, responses: { 204: { description: 'done' } } },
  },
})

describe.each(doors)('through %s', (door) => {
  it.each(uploads)('an uploaded file of type %s is isolated: %s', async (type, isIsolated) => {
    const connection = await openDocument(door, text)
    const target = '/files/1'
    await receive(connection, { method: 'PUT', target, headers: [['Content-Type', type]], body: '<b>x</b>' })
    const { status, headers } = await receive(connection, { method: 'GET', target })
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toBe(isIsolated ? sandboxed : undefined)
    expect(headers['x-content-type-options']).toBe(isIsolated ? 'nosniff' : undefined)
  })

  it.each([
    { type: 'text/html', header: 'Content-Security-Policy', policy: `default-src 'none', ${sandboxed}` },
    { type: 'text/html', header: 'content-security-policy', policy: `default-src 'none', ${sandboxed}` },
    { type: 'image/png', header: 'Content-Security-Policy', policy: "default-src 'none'" },
  ])('keeps a documented policy ($header of $type)', async ({ type, header, policy }) => {
    const documented = { [header]: { required: true, schema: { type: 'string', const: "default-src 'none'" } } }
    const content: Part = { [type]: { schema: { type: 'string' } } }
    const responses = { 200: { description: 'ok', headers: documented, content } }
    const connection = await openDocument(door, documentOf({ '/page': { get: { responses } } }))
    const { headers } = await receive(connection, { method: 'GET', target: '/page' })
    expect(headers['content-security-policy']).toBe(policy)
  })
})
