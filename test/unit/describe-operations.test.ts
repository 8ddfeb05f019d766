import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, OperationObject } from '../../src/document/document.js'
import { createNotes } from '../../src/document/notes.js'
import { inferAndCompile } from '../../src/entries/compile-text.js'
import { describeOperations } from '../../src/schemas/operations/describe-operations.js'

function documentOf(paths: Record<string, Record<string, OperationObject>>): OpenApiDocument {
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }
}

const responses = { 200: {} }
const get: OperationObject = { responses }
const parameter = (name: string, place: 'path' | 'query' = 'path') => ({ name, in: place, required: true })

/** Each parameter as place and name, with an exclamation mark if it is required. */
function parametersOf(path: string, operation: OperationObject = get): string[] {
  const { contract } = inferAndCompile(documentOf({ [path]: { get: operation } }), createNotes(), {
    isForModule: false,
  })
  const [{ parameters } = { parameters: [] }] = contract.operations
  return parameters.map(({ in: place, name, required }) => `${place} ${name}${required ? '!' : ''}`)
}

describe('the parameters of an operation', () => {
  it.each<[string, OperationObject, string[]]>([
    ['/a/{b}', get, ['path b!']],
    ['/a/{b}.{c}', { responses, parameters: [parameter('c')] }, ['path c!', 'path b!']],
    ['/a', { responses, parameters: [parameter('b')] }, []],
    ['/a/{b}', { responses, parameters: [parameter('B')] }, ['path b!']],
    ['/a/{b}/{b}', get, ['path b!']],
    ['/a?b=c&d', get, ['query b', 'query d']],
    ['/a?b={b}', { responses, parameters: [parameter('b', 'query')] }, ['query b!']],
    ['/a?{b}#{c}', get, []],
    ['/{__proto__}', get, ['path __proto__!']],
  ])('of %j with %j are %j', (path, operation, parameters) => {
    expect(parametersOf(path, operation)).toEqual(parameters)
  })
})

it('serves a path without a leading slash with one', () => {
  const { contract } = inferAndCompile(documentOf({ 'pets/{id}': { get } }), createNotes(), { isForModule: false })
  expect(contract.operations.map(({ id, path }) => [id, path])).toEqual([['GET /pets/{id}', '/pets/{id}']])
})

it('notes what is not served as it is written', () => {
  const notes = createNotes()
  describeOperations(
    documentOf({
      'pets/{id}': { get },
      '/a': { get: { responses, parameters: [parameter('b')] } },
      '/c#d': { get, put: get },
      '/c#e': { get },
      '/c?f=g': { get },
      '/c': { get: { ...get, servers: [{ url: '/other' }] } },
    }),
    notes,
  )
  expect(notes.list.map(({ isLimit: _, ...note }) => note)).toEqual([
    {
      message: 'The path "pets/{id}" does not begin with a slash',
      instead: '"/pets/{id}" is served',
      path: ['paths', 'pets/{id}', 'get'],
    },
    {
      message: 'The path parameter "id" of "pets/{id}" is not declared',
      instead: 'any text is accepted',
      path: ['paths', 'pets/{id}', 'get'],
    },
    {
      message: '"/a" does not have the path parameter "b"',
      instead: 'it is ignored',
      path: ['paths', '/a', 'get', 'parameters', 0],
    },
    {
      message: 'GET /c#e and GET /c#d are the same',
      instead: 'the second is reached at "/c%23e"',
      path: ['paths', '/c#e', 'get'],
    },
  ])
})
