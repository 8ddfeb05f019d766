/** A broken document is refused with the location of the error. */
import { compileDocument, SandboxError } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import {
  expectFrame,
  mark,
  readError,
  responses,
  withAnswer,
  withBody,
  withOperation,
} from '../support/small-documents.js'

interface Broken {
  what: string
  text: string
  /** What the message contains. */
  tells: RegExp
  /** What is done instead, if the document is served all the same. */
  instead?: RegExp
}

const broken: Broken[] = [
  { what: 'an empty file', text: mark, tells: /not an OpenAPI document/ },
  { what: 'white space', text: `${mark}\n\n`, tells: /not an OpenAPI document/ },
  { what: 'a text', text: `${mark}hello`, tells: /not an OpenAPI document/ },
  { what: 'a JSON array', text: `${mark}[{ "openapi": "3.1.0" }]`, tells: /not an OpenAPI document/ },
  { what: 'a YAML list', text: `${mark}- openapi: 3.1.0\n`, tells: /not an OpenAPI document/ },
  { what: 'JSON null', text: `${mark}null`, tells: /not an OpenAPI document/ },
  { what: 'another kind of document', text: `${mark}{ "name": "x" }`, tells: /"openapi"/ },
  { what: 'Swagger 1.2', text: `info: {}\n${mark}swagger: '1.2'\npaths: {}\n`, tells: /Swagger "1\.2" is not/ },
  { what: 'OpenAPI 4', text: `info: {}\n${mark}openapi: 4.0.0\npaths: {}\n`, tells: /4\.0\.0/ },
  { what: 'a tab for indentation', text: `openapi: 3.1.0\ninfo:\n${mark}\ttitle: T\n`, tells: /[Tt]ab/ },
  { what: 'a bracket that is not closed', text: `openapi: 3.1.0\npaths: [a, b${mark}`, tells: /\]/ },
  { what: 'JSON that is cut off', text: `{\n  "openapi": "3.1.0",\n  "paths": {}${mark}`, tells: /\}/ },
  {
    what: 'an unknown anchor',
    text: `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: ${mark}*nothing\n`,
    tells: /nothing/,
  },
  {
    what: 'a duplicate key',
    text: `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n${mark}info: { title: U, version: '1' }\npaths: {}\n`,
    tells: /unique|twice/,
    instead: /the members of both/,
  },
  {
    what: 'a duplicate path',
    text: withOperation(`get: { responses: { '200': { description: ok } } }\n`).concat(`  ${mark}/xs: {}\n`),
    tells: /unique|twice/,
    instead: /the members of both/,
  },
  {
    what: 'a duplicate key in JSON',
    text: `{\n "openapi": "3.1.0",\n ${mark}"openapi": "3.1.0",\n "paths": { "/xs": { "get": {} } }\n}`,
    tells: /unique|twice/,
    instead: /the last one is used/,
  },
  {
    what: 'no info',
    text: `${mark}openapi: 3.1.0\npaths: {}\n`,
    tells: /info is required/,
    instead: /it makes no difference/,
  },
  {
    what: 'a version that is a number',
    text: `openapi: 3.1.0\ninfo: { title: T, ${mark}version: 1 }\npaths: {}\n`,
    tells: /info\.version must be a string/,
    instead: /read as "1"/,
  },
  {
    what: 'no operations',
    text: `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n${mark}paths: {}\n`,
    tells: /no operations/,
  },
  {
    what: 'an operation of 3.0 without responses',
    text: withOperation(`${mark}get:\n  operationId: listXs\n`, { version: '3.0.3' }),
    tells: /responses is required/,
    instead: /it makes no difference/,
  },
  {
    what: 'a property that OpenAPI does not allow',
    text: withOperation(`get:\n  ${mark}colour: red\n  ${responses}`),
    tells: /colour/,
    instead: /it makes no difference/,
  },
  {
    what: 'a parameter in an unknown place',
    text: withOperation(`get:\n  parameters:\n    - { name: a, ${mark}in: querry, schema: {} }\n  ${responses}`),
    tells: /one of query, header, path, cookie/,
    instead: /parameters\.0 is ignored/,
  },
  {
    what: 'a dangling $ref of a schema',
    text: withAnswer(`${mark}schema:\n            $ref: '#/components/schemas/Nothing'`),
    tells: /"#\/components\/schemas\/Nothing" points to nothing/,
    instead: /any value is accepted/,
  },
  {
    what: 'a dangling $ref deep in a schema',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:
  schemas:
    X: { type: array, items: { type: object, properties: { ${mark}a: { $ref: '#/components/schemas/Y' } } } }
`,
    ),
    tells: /"#\/components\/schemas\/Y" points to nothing/,
    instead: /any value is accepted/,
  },
  {
    what: 'a dangling $ref of a parameter',
    text: withOperation(`get:\n  parameters:\n    - ${mark}$ref: '#/components/parameters/Limit'\n  ${responses}`),
    tells: /"#\/components\/parameters\/Limit" points to nothing/,
    instead: /it is ignored/,
  },
  {
    what: 'a $ref that is not a URI',
    text: withAnswer(`${mark}schema:\n            $ref: '#/components/schemas/%zz'`),
    tells: /%zz/,
    instead: /any value is accepted/,
  },
  {
    what: 'a $ref into another file',
    text: withAnswer(`${mark}schema:\n            $ref: 'schemas.yaml#/X'`),
    tells: /"schemas\.yaml#\/X" points outside the file; bundle/,
    instead: /any value is accepted/,
  },
  {
    what: 'a $ref to another host',
    text: withAnswer(`${mark}schema:\n            $ref: 'https://service.example/x.yaml'`),
    tells: /points outside the file; bundle/,
    instead: /any value is accepted/,
  },
  {
    what: 'a $ref to itself',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:\n  schemas:\n    X: { ${mark}$ref: '#/components/schemas/X' }\n`,
    ),
    tells: /leads back to itself/,
    instead: /any value is accepted/,
  },
  {
    what: 'circular $refs',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:
  schemas:
    X: { $ref: '#/components/schemas/Y' }
    Y: { ${mark}$ref: '#/components/schemas/X' }
`,
    ),
    tells: /leads back to itself/,
    instead: /any value is accepted/,
  },
  {
    what: 'an unknown schema type in 3.0',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:\n  schemas:\n    X:\n      ${mark}type: strin\n`,
    ).replace('3.1.0', '3.0.3'),
    tells: /type must be one of/,
    instead: /any type is accepted/,
  },
  {
    what: 'an unknown schema type in a body',
    text: withBody(`schema: { ${mark}type: strin }`),
    tells: /type must/,
    instead: /any type is accepted/,
  },
  {
    what: 'an unknown schema type in a record',
    text: withAnswer(
      `schema:
            type: array
            items:
              type: object
              properties:
                id:
                  ${mark}type: intger`,
    ),
    tells: /type must/,
    instead: /any type is accepted/,
  },
  {
    what: 'an unknown schema type in a response without a record',
    text: withAnswer(`schema: { ${mark}type: strin }`),
    tells: /type must/,
    instead: /any type is accepted/,
  },
  {
    what: 'a schema keyword with the wrong type',
    text: withBody(`schema: { type: object, ${mark}required: name }`),
    tells: /required must be an array/,
    instead: /read as an array/,
  },
  {
    what: 'an invalid pattern',
    text: withBody(`schema: { type: string, ${mark}pattern: '(' }`),
    tells: /\(/,
    instead: /it is ignored/,
  },
  {
    what: 'an unknown successor',
    text: withOperation(`get:\n  ${mark}x-successor: { operationId: listYs }\n  ${responses}`),
    tells: /x-successor.*"listYs"/,
    instead: /it is ignored/,
  },
  {
    what: 'a sunset that is not a date',
    text: withOperation(`get:\n  ${mark}x-sunset: soon\n  ${responses}`),
    tells: /x-sunset.*"soon"/,
    instead: /it is ignored/,
  },
  {
    what: 'an unknown effect',
    text: withOperation(`get:\n  ${mark}x-sandbox-effect: explode\n  ${responses}`),
    tells: /x-sandbox-effect must be one of .*"explode"/,
  },
  {
    what: 'an unknown security scheme',
    text: withOperation(`get:\n  ${mark}security: [{ nothing: [] }]\n  ${responses}`),
    tells: /"nothing"/,
    instead: /it is not required/,
  },
  {
    what: 'an undeclared path parameter',
    text: withOperation(`${mark}get:\n  ${responses}`, { path: '/xs/{xId}' }),
    tells: /"xId" of "\/xs\/\{xId\}" is not declared/,
    instead: /any text is accepted/,
  },
  {
    what: 'an undeclared server variable',
    text: withOperation(`get:\n  ${responses}`).concat(`${mark}servers: [{ url: 'https://{host}/v1' }]\n`),
    tells: /variable "host"/,
    instead: /"host" is used/,
  },
]

describe('refuses a document with the location of the error', () => {
  for (const { what, text, tells } of broken) {
    it(`for ${what}`, async () => {
      const { line, column } = markedPlace(text)
      const error = await readError(text.replace(mark, ''), { strict: true })
      expect(error).toBeInstanceOf(SandboxError)
      expect(error).toMatchObject({ name: 'SandboxError', code: 'INVALID_DOCUMENT' })
      expect(error?.message).toMatch(tells)
      const { frame = '', ...place } = error?.location ?? {}
      expect(place).toEqual({ file: 'broken.yaml', line, column })
      expectFrame(frame, text.replace(mark, ''), line, column)
    })
  }
})

describe('serves the rest of a document, with a note at the location of the error', () => {
  for (const { what, text, tells, instead } of broken.filter((each) => each.instead)) {
    it(`for ${what}`, async () => {
      const isServed = / {4}\S*(?:get|post):/.test(text)
      // Otherwise nothing is left to serve.
      const whole = isServed ? text : withPath(text)
      const compiled = await compileDocument(whole.replace(mark, ''), 'broken.yaml', { thorough: true })
      expect(compiled.contract.operations).toHaveLength(1)
      expect(compiled.noteCount).toBe(compiled.notes().length)
      const note = compiled.notes().find(({ message }) => tells.test(message))
      expect(note).toMatchObject({ file: 'broken.yaml', ...markedPlace(whole) })
      expect(note?.instead).toMatch(instead ?? /^$/)
    })
  }

  for (const { what, text } of broken.filter((each) => !each.instead)) {
    it(`except for ${what}`, async () => {
      const error = await readError(text.replace(mark, ''))
      expect(error).toMatchObject({ code: 'INVALID_DOCUMENT', location: { file: 'broken.yaml', ...markedPlace(text) } })
    })
  }
})

it('finds what changes nothing only on request, and what is read in another way always', async () => {
  const text = withOperation(`get:\n  deprecated: 'true'\n  ${responses}`).replace('title: T', 'colour: red, title: T')
  const compiled = await compileDocument(text)
  expect(compiled.notes().map(({ message }) => message)).toEqual([expect.stringMatching(/deprecated must be true or/)])
  expect((await compileDocument(text, 'x.yaml', { thorough: true })).noteCount).toBe(2)
})

function withPath(text: string): string {
  return text.includes('paths: {}')
    ? text.replace('paths: {}', "paths: { /xs: { get: { responses: { '200': { description: ok } } } } }")
    : text
}

function markedPlace(text: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(mark))
  expect(before.length, 'the place is marked').toBeLessThan(text.length)
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}

it('names openapi.yaml if no file name is given', async () => {
  await expect(compileDocument('')).rejects.toMatchObject({ location: { file: 'openapi.yaml', line: 1, column: 1 } })
})

it('refuses a document with exponentially growing aliases', async () => {
  const lists = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => {
    const before = String.fromCharCode(name.charCodeAt(0) - 1)
    return `x-${index}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`
  })
  const error = await readError(['openapi: 3.1.0', 'x-a: &a [x]', ...lists, 'paths: {}'].join('\n'))
  expect(error).toMatchObject({ name: 'SandboxError', code: 'INVALID_DOCUMENT' })
})
