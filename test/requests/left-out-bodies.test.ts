/** Requests without a body, or with one of no bytes. */
import { describe, expect, it } from 'vitest'
import { documentOf, serve } from '../support/serve-objects.js'

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const post = (type: string, required: boolean, status: number) => ({
  post: {
    requestBody: { required, content: { [type]: { schema } } },
    responses: { '200': { description: '' }, [status]: { description: '' } },
  },
})

describe('a body that is left out', () => {
  const { send } = serve(
    documentOf({
      '/json': post(json, true, 422),
      '/form': post(form, true, 422),
      '/optional-json': post(json, false, 400),
      '/optional-form': post(form, false, 400),
    }),
  )

  it.each([
    ['/json', 'A JSON body is required (got none)'],
    ['/form', 'A body is required (got none)'],
  ])('of %s is refused as a wrong request, not as one of a wrong type', async (path, message) => {
    const { status, text } = await send('POST', path)
    expect([status, JSON.parse(text)]).toEqual([422, { code: 'invalid_request', message, status: 422 }])
  })

  it('is refused if it has bytes, or says its type, with the status that the operation documents', async () => {
    const untyped = await send('POST', '/json', { body: '{"name":"a"}', type: '' })
    const typed = await send('POST', '/json', { headers: [['Content-Type', 'text/plain']] })
    expect([untyped.status, typed.status]).toEqual([422, 422])
  })

  it.each(['/optional-json', '/optional-form'])('may be left out of %s', async (path) => {
    expect((await send('POST', path)).status).toBe(200)
  })

  it('is a form without fields where only its type is sent', async () => {
    const { status, text } = await send('POST', '/optional-form', { headers: [['Content-Type', form]] })
    expect([status, text]).toEqual([400, expect.stringContaining('name is required')])
    expect((await send('POST', '/optional-json', { headers: [['Content-Type', json]] })).status).toBe(200)
  })
})
