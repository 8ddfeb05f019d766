/** A document may refer to other files, and those to further ones. */
import { describe, expect, it } from 'vitest'
import { answering, compileFiles, type Files } from '../support/files.js'

const kim = { const: 'Kim' }
const ref = ($ref: string) => ({ $ref })
const get = (schema: object) => ({
  get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
})
const head = { openapi: '3.1.0', info: { title: 'T', version: '1' } }

const found: [what: string, files: Files][] = [
  ['a whole file', { 'a.json': answering(ref('kim.json')), 'kim.json': kim }],
  ['a file of YAML', { 'a.json': answering(ref('./kim.yaml')), 'kim.yaml': 'const: Kim' }],
  ['a fragment', { 'a.json': answering(ref('s/all.json#/$defs/kim')), 's/all.json': { $defs: { kim } } }],
  [
    'a name with a slash, a tilde and a space',
    { 'a.json': answering(ref('s%20t.json#/a~1b~0%20c')), 's t.json': { 'a/b~ c': kim } },
  ],
  ['a file above that of the document', { 'api/a.json': answering(ref('../common/kim.json')), 'common/kim.json': kim }],
  [
    'a file beside another one',
    {
      'a.json': answering(ref('s/one.json')),
      's/one.json': ref('t/two.json'),
      's/t/two.json': ref('../kim.json#/here'),
      's/kim.json': { here: kim },
    },
  ],
  [
    'the document itself from another file',
    { 'a.json': answering(ref('s/b.json'), { 'x-kim': kim }), 's/b.json': ref('../a.json#/x-kim') },
  ],
  ['a part of its own file', { 'a.json': answering(ref('b.json#/one')), 'b.json': { one: ref('#/two'), two: kim } }],
  [
    'a component of the document, as if it were one of its own file',
    {
      'a.json': answering(ref('b.json'), { components: { schemas: { kim } } }),
      'b.json': ref('#/components/schemas/kim'),
    },
  ],
  ['an anchor', { 'a.json': answering(ref('b.json#kim')), 'b.json': { $defs: { x: { $anchor: 'kim', ...kim } } } }],
  [
    'an anchor of the document',
    { 'a.json': answering(ref('#kim'), { components: { schemas: { x: { $anchor: 'kim', ...kim } } } }) },
  ],
  [
    'an $id in the document',
    {
      'a.json': answering(ref('https://schemas.example/kim'), {
        components: { schemas: { x: { $id: 'https://schemas.example/kim', ...kim } } },
      }),
    },
  ],
  [
    'a path relative to an $id',
    {
      'a.json': answering(ref('https://schemas.example/v1/one'), {
        components: {
          schemas: {
            one: { $id: 'https://schemas.example/v1/one', ...ref('two') },
            two: { $id: 'https://schemas.example/v1/two', ...ref('#/$defs/kim'), $defs: { kim } },
          },
        },
      }),
    },
  ],
  [
    'a path item',
    { 'a.json': { ...head, paths: { '/x': ref('p/x.json') } }, 'p/x.json': get(ref('../kim.json')), 'kim.json': kim },
  ],
  [
    'all paths',
    {
      'a.json': { ...head, paths: ref('p/all.json') },
      'p/all.json': { '/x': get(ref('kim.json')) },
      'p/kim.json': kim,
    },
  ],
  [
    'an operation',
    {
      'a.json': { ...head, paths: { '/x': { get: ref('p/x.json#/get') } } },
      'p/x.json': get(ref('kim.json')),
      'p/kim.json': kim,
    },
  ],
  [
    'all schemas',
    {
      'a.json': answering(ref('#/components/schemas/Kim'), { components: { schemas: ref('s/all.json') } }),
      's/all.json': { Kim: ref('kim.json') },
      's/kim.json': kim,
    },
  ],
  [
    'a response',
    {
      'a.json': { ...head, paths: { '/x': { get: { responses: { 200: ref('r.json#/ok') } } } } },
      'r.json': { ok: get(kim).get.responses[200] },
    },
  ],
  [
    'a schema of OpenAPI 3.0',
    {
      'a.json': answering({ allOf: [ref('old.json#/components/schemas/Kim')] }),
      'old.json': {
        openapi: '3.0.3',
        components: {
          schemas: {
            Kim: { ...ref('#/components/schemas/Name'), description: 'x' },
            Name: { type: 'string', enum: ['Kim'], nullable: true },
          },
        },
      },
    },
  ],
  [
    'a schema of Swagger 2.0',
    {
      'a.json': answering(ref('old.json#/definitions/Kim')),
      'old.json': {
        swagger: '2.0',
        definitions: { Kim: ref('#/definitions/Name'), Name: { type: 'string', enum: ['Kim'], 'x-nullable': true } },
      },
    },
  ],
  [
    'parts of Swagger 2.0',
    {
      'a.json': {
        swagger: '2.0',
        info: head.info,
        paths: { '/x': ref('p/x.json') },
      },
      'p/x.json': {
        parameters: [ref('../parameters.json#/limit')],
        get: { responses: { 200: ref('../responses.json#/ok') } },
      },
      'parameters.json': { limit: { name: 'limit', in: 'query', type: 'integer', minimum: 1 } },
      'responses.json': { ok: { description: 'ok', schema: ref('definitions.json#/Kim') } },
      'definitions.json': { Kim: { type: 'string', enum: ['Kim'], 'x-nullable': true } },
    },
  ],
]

describe('follows a $ref to', () => {
  for (const [what, files] of found) {
    it(what, async () => {
      const { notes, send } = await compileFiles(files)
      expect(await (await send('/x')).json()).toBe('Kim')
      // The official schemas of OpenAPI say nothing about what is only in another file.
      expect(notes).toEqual([])
    })
  }
})

it('reads parameters of Swagger 2.0 in another file', async () => {
  const files = found.find(([what]) => what === 'parts of Swagger 2.0')?.[1] ?? {}
  const { send } = await compileFiles(files)
  expect((await send('/x?limit=0')).status).toBe(400)
  expect((await send('/x?limit=1')).status).toBe(200)
})

it('follows files that refer to each other in a circle', async () => {
  const { notes, send } = await compileFiles({
    'a.json': answering(ref('one.json')),
    'one.json': { type: 'object', required: ['name'], properties: { name: kim, two: ref('two.json') } },
    'two.json': { type: 'object', properties: { one: ref('one.json'), itself: ref('two.json#') } },
  })
  expect(notes).toEqual([])
  expect(await (await send('/x')).json()).toMatchObject({ name: 'Kim' })
})

const lost: [what: string, files: Files, note: RegExp][] = [
  [
    'a file that is missing',
    { 'a.json': answering(ref('none.json')) },
    /^a\.json:\d+:\d+ \$ref "none\.json" cannot be read: there is no such file; any value is accepted$/,
  ],
  [
    'a part that another file does not have',
    { 'a.json': answering(ref('b.json#/x')), 'b.json': {} },
    /^a\.json:\d+:\d+ \$ref "b\.json#\/x" points to nothing: there is no "x" in "b\.json"; any value is accepted$/,
  ],
  [
    'a file that cannot be parsed',
    { 'a.json': answering(ref('b.yaml')), 'b.yaml': 'a: [\nb: 1' },
    /^a\.json:\d+:\d+ \$ref "b\.yaml" cannot be read: b\.yaml:\d+:\d+: .*; any value is accepted$/,
  ],
  [
    'a path item that is missing',
    { 'a.json': { ...answering(kim), paths: { ...Reflect.get(answering(kim), 'paths'), '/y': ref('y.json') } } },
    /^a\.json:\d+:\d+ \$ref "y\.json" cannot be read: there is no such file; it is ignored$/,
  ],
  [
    'a file that another one refers to',
    { 'a.json': answering(ref('b.json')), 'b.json': '{\n\n  "allOf": [ { "$ref": "none.json" } ] }' },
    /^b\.json:3:\d+ \$ref "none\.json" cannot be read: there is no such file; any value is accepted$/,
  ],
  [
    'a URL',
    { 'a.json': answering(ref('https://service.example/x.json')) },
    /^a\.json:\d+:\d+ \$ref "https:\/\/service\.example\/x\.json" cannot be read: a URL .* --allow-remote-refs; any/,
  ],
  [
    'a URN',
    { 'a.json': answering(ref('urn:x:y')) },
    /\$ref "urn:x:y" cannot be read: only files and http\(s\) URLs can be read; any/,
  ],
  ['a folder', { 'a.json': answering(ref('s')), 's/x.json': '{}' }, /\$ref "s" cannot be read: it is a folder; any/],
  [
    'a wrong type in another file',
    { 'a.json': answering(ref('s/b.yaml')), 's/b.yaml': '\n\ntype: strin' },
    /^s\/b\.yaml:3:1 type must be one of/,
  ],
  [
    'a key that is given twice in another file',
    { 'a.json': answering(ref('b.yaml')), 'b.yaml': 'type: string\ntype: string' },
    /^b\.yaml:2:1 The key "type" is given twice/,
  ],
]

describe('notes only', () => {
  for (const [what, files, note] of lost) {
    it(what, async () => {
      const { notes, send } = await compileFiles(files)
      expect(notes).toEqual([expect.stringMatching(note)])
      expect((await send('/x')).status).toBe(200)
    })
  }
})

it('says which file a part is in that --strict refuses', async () => {
  const files = { 'a.json': answering(ref('s/b.json')), 's/b.json': '{ "type":\n  "strin" }' }
  const error = await compileFiles(files, { strict: true }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    code: 'INVALID_DOCUMENT',
    location: { file: expect.stringMatching(/s\/b\.json$/), line: 1 },
  })
})

it('gives a whole document as its text, which compiles to the same', async () => {
  const { text } = await compileFiles({ 'a.json': answering(ref('s/kim.json')), 's/kim.json': kim })
  const { notes, send } = await compileFiles({ 'a.json': text })
  expect(notes).toEqual([])
  expect(await (await send('/x')).json()).toBe('Kim')
})
