/** Answers that are not JSON: small valid files of their type, and values in the syntax of their media type. */
import { crc32, gunzipSync, inflateSync } from 'node:zlib'
import { DOMParser } from '@xmldom/xmldom'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { documentOf, doors, openDocument, type Part, type Received, receive } from '../support/one-operation.js'

const binary = { type: 'string', format: 'binary' }

async function get(content: Part, { door = 'handle', components = {} } = {}): Promise<Received> {
  const responses = { 200: { description: 'ok', content } }
  const connection = await openDocument(door, documentOf({ '/file': { get: { responses } } }, { components }))
  return receive(connection, { method: 'GET', target: '/file' })
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

/** The entries of an archive without compression. */
function unzip(bytes: Uint8Array): [name: string, text: string][] {
  const buffer = Buffer.from(bytes)
  const end = buffer.lastIndexOf('PK\x05\x06')
  const entries: [string, string][] = []
  let at = buffer.readUInt32LE(end + 16)
  for (let left = buffer.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, start] = [buffer.readUInt16LE(at + 28), buffer.readUInt32LE(at + 42)]
    const name = buffer.subarray(at + 46, at + 46 + nameLength).toString()
    const size = buffer.readUInt32LE(start + 22)
    const dataStart = start + 30 + buffer.readUInt16LE(start + 26)
    const data = buffer.subarray(dataStart, dataStart + size)
    expect(buffer.readUInt32LE(at + 16)).toBe(crc32(data))
    expect(buffer.readUInt32LE(start + 14)).toBe(crc32(data))
    entries.push([name, data.toString()])
    at += 46 + nameLength
  }
  expect(at).toBe(end)
  return entries
}

function expectXml(text: string): void {
  new DOMParser({
    onError: (_, message) => {
      throw new Error(message)
    },
  }).parseFromString(text, 'text/xml')
}

const files: [type: string, check: (bytes: Uint8Array) => void][] = [
  [
    'image/png',
    (bytes) => {
      const buffer = Buffer.from(bytes)
      const chunks: string[] = []
      for (let at = 8; at < buffer.length; ) {
        const end = at + 8 + buffer.readUInt32BE(at)
        expect(buffer.readUInt32BE(end)).toBe(crc32(buffer.subarray(at + 4, end)))
        const kind = buffer.subarray(at + 4, at + 8).toString()
        if (kind === 'IDAT') expect(inflateSync(buffer.subarray(at + 8, end)).length).toBe(2)
        chunks.push(kind)
        at = end + 4
      }
      expect(chunks).toEqual(['IHDR', 'IDAT', 'IEND'])
    },
  ],
  ['image/jpeg', (bytes) => expect(latin(bytes)).toMatch(/^\xff\xd8\xff\xe0.*\xff\xc0.*\xff\xda.*\xff\xd9$/s)],
  ['image/jpg', (bytes) => expect(latin(bytes)).toMatch(/^\xff\xd8\xff\xe0/)],
  ['image/gif', (bytes) => expect(latin(bytes)).toMatch(/^GIF89a.*;$/s)],
  [
    'image/webp',
    (bytes) => {
      expect(latin(bytes)).toMatch(/^RIFF....WEBPVP8L/s)
      expect(Buffer.from(bytes).readUInt32LE(4)).toBe(bytes.length - 8)
    },
  ],
  ['image/bmp', (bytes) => expect([latin(bytes).slice(0, 2), bytes[2]]).toEqual(['BM', bytes.length])],
  [
    'image/x-icon',
    (bytes) => {
      const buffer = Buffer.from(bytes)
      expect([buffer.readUInt16LE(2), buffer.readUInt16LE(4), buffer.readUInt32LE(18)]).toEqual([1, 1, 22])
      expect(buffer.length).toBe(22 + buffer.readUInt32LE(14))
      expect(latin(bytes.subarray(22, 26))).toBe('\x89PNG')
    },
  ],
  ['image/svg+xml', (bytes) => expectXml(latin(bytes))],
  [
    'application/pdf',
    (bytes) => {
      const text = latin(bytes)
      const [, start = ''] = /startxref\n(\d+)\n%%EOF\n$/.exec(text) ?? []
      const table = text.slice(Number(start))
      expect(table).toMatch(/^xref\n0 4\n/)
      const places = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place))
      expect(places.map((place, index) => text.startsWith(`${index + 1} 0 obj`, place))).toEqual([true, true, true])
    },
  ],
  ['application/zip', (bytes) => expect(unzip(bytes)).toEqual([['sample.txt', 'sample\n']])],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    (bytes) => {
      const entries = unzip(bytes)
      expect(entries.map(([name]) => name)).toContain('xl/worksheets/sheet1.xml')
      for (const [, text] of entries) expectXml(text)
    },
  ],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    (bytes) => {
      for (const [, text] of unzip(bytes)) expectXml(text)
    },
  ],
  ['application/gzip', (bytes) => expect(gunzipSync(bytes).length).toBe(0)],
  ['application/x-tar', (bytes) => expect(bytes).toEqual(new Uint8Array(1024))],
  [
    'audio/wav',
    (bytes) => {
      const buffer = Buffer.from(bytes)
      expect([latin(bytes).slice(8, 16), buffer.readUInt32LE(16), buffer.readUInt16LE(20)]).toEqual(['WAVEfmt ', 16, 1])
      expect([latin(bytes).slice(36, 40), buffer.readUInt32LE(40)]).toEqual(['data', bytes.length - 44])
      expect(buffer.readUInt32LE(4)).toBe(bytes.length - 8)
    },
  ],
  ['audio/mpeg', (bytes) => expect([bytes[0], bytes[1], bytes[104], bytes[105]]).toEqual([0xff, 0xfb, 0xff, 0xfb])],
  [
    'video/mp4',
    (bytes) => {
      const buffer = Buffer.from(bytes)
      const first = buffer.readUInt32BE(0)
      expect(latin(bytes.subarray(4, 8))).toBe('ftyp')
      expect(latin(bytes.subarray(first + 4, first + 8))).toBe('moov')
      expect(first + buffer.readUInt32BE(first)).toBe(bytes.length)
      expect(buffer.readUInt32BE(first + 8)).toBe(108)
    },
  ],
  ['application/octet-stream', (bytes) => expect(bytes.length).toBeGreaterThan(0)],
  ['application/vnd.unknown', (bytes) => expect(bytes.length).toBeGreaterThan(0)],
]

describe.each(doors)('a file over %s', (door) => {
  it.each(files)('of the type %s is valid', async (type, judge) => {
    for (const media of [
      { schema: binary },
      {},
      { schema: { type: 'string', format: 'binary' }, example: '<bytes>' },
    ]) {
      if (type === 'image/svg+xml' && 'example' in media) continue
      const { status, headers, bytes } = await get({ [type]: media }, { door })
      expect([status, headers['content-type']]).toEqual([200, type])
      judge(bytes)
      expect(latin(bytes)).not.toBe('string')
    }
  })

  it('is as long for HEAD', async () => {
    const responses = { 200: { description: 'ok', content: { 'image/png': { schema: binary } } } }
    const connection = await openDocument(door, documentOf({ '/file': { get: { responses } } }))
    const { headers, bytes } = await receive(connection, { method: 'HEAD', target: '/file' })
    expect([headers['content-length'], bytes.length]).toEqual(['67', 0])
  })

  it('is what Prefer asks for', async () => {
    const responses = { 200: { description: 'ok' }, 203: { description: 'ok', content: { 'image/gif': {} } } }
    const connection = await openDocument(door, documentOf({ '/file': { get: { responses } } }))
    const { status, text } = await receive(connection, {
      method: 'GET',
      target: '/file',
      headers: [['Prefer', 'code=203']],
    })
    expect([status, text.slice(0, 6)]).toEqual([203, 'GIF89a'])
  })
})

const ranges: [documented: string, schema: Part | undefined, sent: string][] = [
  ['image/*', binary, 'image/png'],
  ['image/*', undefined, 'image/png'],
  ['audio/*', binary, 'audio/wav'],
  ['video/*', binary, 'video/mp4'],
  ['text/*', { type: 'string' }, 'text/plain'],
  ['*/*', binary, 'application/octet-stream'],
  ['*/*', { type: 'object' }, 'application/json'],
  ['application/*', binary, 'application/octet-stream'],
  ['application/*', { type: 'object' }, 'application/json'],
  ['application/*', { type: 'string', const: 'a"b' }, 'application/json'],
  ['application/*+json', { type: 'object' }, 'application/json'],
  ['application/*+xml', { type: 'object' }, 'application/xml'],
]

it.each(ranges)('answers the range %s with the schema %j as %s', async (documented, schema, sent) => {
  const { headers, text } = await get({ [documented]: schema ? { schema } : {} })
  expect(headers['content-type']).toBe(sent)
  if (sent === 'application/json') JSON.parse(text)
})

it('answers the first media type that is no range', async () => {
  const { headers } = await get({ '*/*': { schema: binary }, 'image/*': {}, 'image/gif': {}, 'image/png': {} })
  expect(headers['content-type']).toBe('image/gif')
})

const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer', example: 7 },
    name: { type: 'string', example: 'Rex & "Bo"' },
    tags: { type: 'array', items: { type: 'string' }, example: ['a'] },
  },
}

const written: [type: string, media: Part, text: string][] = [
  ['application/xml', { schema: pet }, '<root><id>7</id><name>Rex &amp; &quot;Bo&quot;</name><tags>a</tags></root>'],
  ['text/xml', { schema: { ...pet, xml: { name: 'pet' } } }, '<pet><id>7</id>'],
  [
    'application/atom+xml',
    { schema: { $ref: '#/components/schemas/Pet' } },
    '<Animal id="7"><names><name>x</name></names></Animal>',
  ],
  [
    'application/xml',
    { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
    '<root><Animal id="7">',
  ],
  ['application/xml', { example: '<given/>' }, '<given/>'],
  ['application/xml', { schema: pet, examples: { one: { value: { id: 1 } } } }, '<root><id>1</id></root>'],
  ['text/csv', { schema: pet }, 'id,name,tags\r\n7,"Rex & ""Bo""","[""a""]"\r\n'],
  [
    'text/csv',
    { schema: { type: 'array', items: pet }, example: [{ a: 1 }, { b: 'x\ny' }] },
    'a,b\r\n1,\r\n,"x\ny"\r\n',
  ],
  ['text/csv', { schema: { type: 'string' }, example: 'a;b' }, 'a;b'],
  ['application/yaml', { example: { a: [1, 'x'] } }, 'a:\n  - 1\n  - x\n'],
  ['application/x-ndjson', { example: [{ a: 1 }, { a: 2 }] }, '{"a":1}\n{"a":2}\n'],
  ['text/event-stream', { example: { a: 1 } }, 'data: {"a":1}\n\n'],
  ['application/x-www-form-urlencoded', { example: { a: 'x y', b: [1, 2] } }, 'a=x+y&b=1&b=2'],
  ['text/plain', { schema: { type: 'string' }, example: 'hello' }, 'hello'],
  ['text/plain', { schema: { type: 'integer', minimum: 5 } }, '5'],
  ['text/plain', { example: { a: 1 } }, '{"a":1}'],
  ['application/vnd.other', { schema: { type: 'object' }, example: { a: 1 } }, '{"a":1}'],
  ['text/html', { schema: { type: 'string' } }, '<!doctype html>'],
  ['text/html', { schema: { type: 'string' }, example: '<p>' }, '<p>'],
  ['application/json', { schema: pet, example: '{"id": 1}' }, '{"id":1}'],
  ['application/json', { example: '[1]' }, '[1]'],
  ['application/json', { schema: { type: 'string' }, example: '[1]' }, '"[1]"'],
  ['application/json', { schema: { type: ['object', 'string'] }, example: '{}' }, '"{}"'],
  ['application/json', { schema: { type: 'integer' }, example: '12' }, '12'],
  ['application/octet-stream', { schema: binary, example: 'some text' }, 'some text'],
]

const animal = {
  type: 'object',
  properties: {
    id: { type: 'integer', example: 7, xml: { attribute: true } },
    names: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'name' } }, example: ['x'] },
  },
}
const components = {
  schemas: {
    Pet: { ...animal, xml: { name: 'Animal' } },
    Qualified: { ...animal, xml: { name: 'Animal', prefix: 'p', namespace: 'urn:pets' } },
  },
}

it.each(written)('writes %s as text: %j', async (type, media, text) => {
  const answer = await get({ [type]: media }, { components })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, type])
  expect(answer.text).toContain(text)
  expect(answer.text).not.toContain('[object')
  if (type.endsWith('xml')) expectXml(answer.text)
  if (type.endsWith('yaml')) expect(parse(answer.text)).toEqual(media['example'])
})

it('writes XML as its schema names it', async () => {
  const { text } = await get(
    { 'application/xml': { schema: { $ref: '#/components/schemas/Qualified' } } },
    { components },
  )
  expect(text).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<p:Animal xmlns:p="urn:pets" id="7"><names><name>x</name></names></p:Animal>\n',
  )
  expectXml(text)
})
