// A correction or a name says that a request lists texts, and the record has an object with each, through every transport.
import { describe, expect, it } from 'vitest'
import { doors, openDocument, receive } from '../support/one-operation.js'
import { list, named, object, text, toDocument } from '../support/sketch.js'

const integer = { type: 'integer' }
const origin = object({ id: text, 'domain!': text })
const document = toDocument(
  {
    // Texts with the name of the objects.
    'POST /credentials': { body: object({ 'title!': text, origins: list(text) }), 201: named('Credential') },
    'PATCH /credentials/{credentialId}': { body: object({ origins: list(text) }), 200: named('Credential') },
    'GET /credentials/{credentialId}': { 200: named('Credential') },
    // Texts with another name, in objects that have paths of their own.
    'POST /clips': { body: object({ 'title!': text, playback_policy: list(text) }), 201: named('Clip') },
    'GET /clips/{clipId}': { 200: named('Clip') },
    'POST /clips/{clipId}/playback-ids': { body: object({ 'policy!': text }), 201: named('Playback') },
    'GET /clips/{clipId}/playback-ids/{playbackId}': { 200: named('Playback') },
  },
  {
    Credential: {
      ...object({ 'id!': integer, 'title!': text, origins: list(origin) }),
      'x-sandbox-resource': { names: { origins: '/origins/domain' } },
    },
    Clip: object({ 'id!': integer, 'title!': text, playback_ids: list(named('Playback')) }),
    Playback: object({ 'id!': integer, 'policy!': text }),
  },
)

describe.each(doors)('a list of texts over %s', (door) => {
  async function open() {
    const connection = await openDocument(door, document)
    return async (request: string, body?: unknown) => {
      const [method = '', target = ''] = request.split(' ')
      const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return JSON.parse((await receive(connection, { method, target, headers, ...sent })).text)
    }
  }

  it('becomes objects with the same name', async () => {
    const send = await open()
    const { id, origins } = await send('POST /credentials', { title: 'till', origins: ['https://a.example'] })
    expect(origins).toMatchObject([{ domain: 'https://a.example' }])
    await send(`PATCH /credentials/${id}`, { origins: ['https://b.example', 'https://c.example'] })
    const read = await send(`GET /credentials/${id}`)
    expect(read.origins.map(({ domain }: { domain: string }) => domain)).toEqual([
      'https://b.example',
      'https://c.example',
    ])
  })

  it('becomes the records below the new one', async () => {
    const send = await open()
    const clip = await send('POST /clips', { title: 'Terns', playback_policy: ['signed'] })
    expect(clip.playback_ids).toMatchObject([{ policy: 'signed' }])
    const [{ id }] = clip.playback_ids
    expect(await send(`GET /clips/${clip.id}/playback-ids/${id}`)).toEqual({ id, policy: 'signed' })
    const added = await send(`POST /clips/${clip.id}/playback-ids`, { policy: 'public' })
    expect((await send(`GET /clips/${clip.id}`)).playback_ids).toEqual([{ id, policy: 'signed' }, added])
  })
})
