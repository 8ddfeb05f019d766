/** Overlays change a document before it is read. */
import { describe, expect, it } from 'vitest'
import { answering, compileFiles, type Files } from '../support/files.js'
import { runWarm as run } from '../support/warm.js'

const kim = { const: 'Kim' }
const schema = "$.paths['/x'].get.responses['200'].content['application/json'].schema"

function overlay(...actions: object[]): object {
  return { overlay: '1.1.0', info: { title: 'T', version: '1' }, actions }
}

const x = { name: 'x', in: 'query', schema: { type: 'string' } }
const parts = '$.paths.*.get.parameters'
const withParameters = answering(kim, {})
Reflect.get(Reflect.get(Reflect.get(withParameters, 'paths'), '/x'), 'get').parameters = [
  { ...x, name: 'a', required: true },
  { ...x, name: 'b', required: true },
]

const changes: [what: string, document: object, actions: object[], query: string, answer: unknown][] = [
  ['merges objects', answering({}), [{ target: schema, update: kim }], '', 'Kim'],
  ['replaces a value', answering({ const: 'Tom' }), [{ target: `${schema}.const`, update: 'Kim' }], '', 'Kim'],
  [
    'merges what mirrors the document',
    answering({ type: 'string' }),
    [
      {
        target: '$',
        update: {
          paths: { '/x': { get: { responses: { 200: { content: { 'application/json': { schema: kim } } } } } } },
        },
      },
    ],
    '',
    'Kim',
  ],
  [
    'applies actions in order',
    answering({}),
    [
      { target: schema, update: { const: 'Tom' } },
      { target: schema, update: { const: 'Kim' } },
    ],
    '',
    'Kim',
  ],
  ['removes a member', answering({ ...kim, not: {} }), [{ target: `${schema}.not`, remove: true }], '', 'Kim'],
  ['removes items of an array', withParameters, [{ target: `${parts}[?@.name != 'x']`, remove: true }], '', 'Kim'],
  [
    'appends to an array',
    withParameters,
    [
      { target: `${parts}[1]`, remove: true },
      { target: parts, update: { ...x, required: true } },
    ],
    '?a=1&x=1',
    'Kim',
  ],
  ['concatenates arrays', answering({ enum: ['Kim'] }), [{ target: `${schema}.enum`, update: ['Tom'] }], '', 'Kim'],
  [
    'copies a node',
    answering({ $ref: '#/components/schemas/B' }, { components: { schemas: { A: kim, B: {} } } }),
    [{ target: '$.components.schemas.B', copy: '$.components.schemas.A' }],
    '',
    'Kim',
  ],
  [
    'matches names that need escapes',
    answering(kim, { components: { schemas: { "it's \\": { type: 'object' } } } }),
    [{ target: "$.components.schemas['it\\'s \\\\']", update: { description: 'x' } }],
    '',
    'Kim',
  ],
]

describe('an overlay', () => {
  for (const [what, document, actions, query, answer] of changes) {
    it(what, async () => {
      const files: Files = { 'a.json': document, 'o.json': overlay(...actions) }
      const { notes, send } = await compileFiles(files, { overlays: ['o.json'] })
      expect(notes).toEqual([])
      expect(await (await send(`/x${query}`)).json()).toBe(answer)
    })
  }

  it('changes one of two places that are aliases of each other', async () => {
    const document = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /x: &x { get: { responses: { '200': { description: ok, content: { application/json: { schema: { const: Tom } } } } } } }
  /y: *x
`
    const actions = [{ target: `${schema}.const`, update: 'Kim' }]
    const { send } = await compileFiles({ 'a.yaml': document, 'o.json': overlay(...actions) }, { overlays: ['o.json'] })
    expect(await (await send('/x')).json()).toBe('Kim')
    expect(await (await send('/y')).json()).toBe('Tom')
  })

  it('changes parts in other files, and refers to files from the document', async () => {
    const get = {
      responses: { 200: { description: 'ok', content: { 'application/json': { schema: { const: 'Tom' } } } } },
    }
    const { notes, send } = await compileFiles(
      {
        'a.json': { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/x': { $ref: 'p/x.json' } } },
        'p/x.json': { get },
        's/kim.json': kim,
        'o/o.json': overlay(
          { target: `${schema}.const`, remove: true },
          { target: schema, update: { $ref: 's/kim.json' } },
        ),
      },
      { overlays: ['o/o.json'] },
    )
    // The path of a $ref begins at the file that it is put into.
    expect(notes).toEqual([])
    expect(await (await send('/x')).json()).toBe('Kim')
  })

  it('is applied after those before it', async () => {
    const set = (value: string) => overlay({ target: schema, update: { const: value } })
    const files = { 'a.json': answering({}), '1.json': set('Tom'), '2.json': set('Kim') }
    const { send } = await compileFiles(files, { overlays: ['1.json', '2.json'] })
    expect(await (await send('/x')).json()).toBe('Kim')
  })
})

const noted: [what: string, actions: object[], note: RegExp][] = [
  [
    'a target that matches nothing',
    [{ target: '$.paths.*.post', update: { a: 1 } }],
    /^o\.json:9:7 The target "\$\.paths\.\*\.post" matches nothing; the action changes nothing$/,
  ],
  [
    'a target that is no JSONPath',
    [{ target: '$.paths[', update: {} }],
    /^o\.json:9:7 "\$\.paths\[" is not a JSONPath \(RFC 9535\): .*; the action is ignored$/,
  ],
  [
    'an action without a target',
    [{ update: {} }],
    /^o\.json:8:5 actions\.0 must be an object with a target \(got nothing\); it is ignored$/,
  ],
  [
    'an action that does nothing',
    [{ target: '$.info' }],
    /^o\.json:8:5 The action has no update, copy or remove; it is ignored$/,
  ],
  [
    'a copy of several nodes',
    [{ target: '$.info', copy: '$.*' }],
    /^o\.json:10:7 copy must select one node, but "\$\.\*" matches more than one node; the action is ignored$/,
  ],
  [
    'a copy of nothing',
    [{ target: '$.info', copy: '$.x' }],
    /copy must select one node, but "\$\.x" matches nothing; the action/,
  ],
  [
    'values that cannot be merged',
    [{ target: '$', update: { info: 5 } }],
    /^o\.json:11:9 info cannot be merged with 5; it is replaced$/,
  ],
  [
    'null in place of an object',
    [{ target: '$', update: { info: null } }],
    /info cannot be merged with null; it is left as it is$/,
  ],
  ['a mistake in a new value', [{ target: schema, update: { type: 'strin' } }], /^o\.json:11:9 type must be one of/],
  [
    'a mistake in the document after a removal',
    [{ target: `${schema}.not`, remove: true }],
    /^a\.json:21:23 type must be one of/,
  ],
]

describe('notes', () => {
  for (const [what, actions, note] of noted) {
    it(what, async () => {
      const written = answering({ not: {}, anyOf: [{}, what.includes('removal') ? { type: 'strin' } : {}] })
      const files = { 'a.json': written, 'o.json': overlay(...actions) }
      const { notes } = await compileFiles(files, { overlays: ['o.json'] })
      expect(notes).toContainEqual(expect.stringMatching(note))
    })
  }

  it('the place of an item after others were removed', async () => {
    const parameters = [
      { ...x, name: 'a' },
      { ...x, name: 'b' },
      { ...x, name: 'c', required: 5 },
    ]
    const document = answering(kim)
    Reflect.get(Reflect.get(Reflect.get(document, 'paths'), '/x'), 'get').parameters = parameters
    const files = { 'a.json': document, 'o.json': overlay({ target: `${parts}[0, 1]`, remove: true }) }
    const { notes } = await compileFiles(files, { overlays: ['o.json'] })
    const line =
      JSON.stringify(document, null, 2)
        .split('\n')
        .findIndex((text) => text.includes('"required": 5')) + 1
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`^a\\.json:${line}:\\d+ paths\\./x\\.get\\.parameters\\.0\\.required must`)),
    ])
  })
})

const refused: [what: string, text: string | object, message: RegExp][] = [
  [
    'a document',
    answering(kim),
    /o\.json:1:1: This is not an OpenAPI Overlay: it has no "overlay" field.* Use --spec for a document/,
  ],
  ['a list', '[]', /o\.json:1:1: This is not an OpenAPI Overlay: it must be an object/],
  [
    'an overlay without actions',
    '{"overlay":"1.0.0"}',
    /o\.json:1:\d+: This is not an OpenAPI Overlay: actions must be an array \(got nothing\)/,
  ],
]

describe('refuses', () => {
  for (const [what, text, message] of refused) {
    it(`${what} in place of an overlay`, async () => {
      const error = await compileFiles({ 'a.json': answering(kim), 'o.json': text }, { overlays: ['o.json'] }).catch(
        (reason: unknown) => reason,
      )
      const { location, message: told } = error as {
        message: string
        location?: { file: string; line: number; column: number }
      }
      const file = location?.file.replace(/.*\//, '')
      expect(`${file}:${location?.line}:${location?.column}: ${told}`).toMatch(message)
    })
  }

  it('an overlay that is missing', async () => {
    const { code, stderr } = await run(['explain', '--overlay', 'none.yaml'])
    expect(code).toBe(2)
    expect(stderr).toContain('Failed to read "none.yaml": there is no such file')
  })
})
