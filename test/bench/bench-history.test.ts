/** The oracle of the benchmark of histories judges what a consumer reads, and compares findings with its events. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'

const load = (file: string) => import(join(root, 'bench', file))
const { judgeReads } = await load('history/judge-reads.js')
const { createGenerator } = await load('history/generate.js')
const { compareFindings } = await load('history/compare-findings.js')
const { createSchemas } = await load('documents/json-schemas.js')

function toSide(schema: object) {
  const document = { openapi: '3.0.3' }
  const resolve = (value: unknown) => value
  return {
    schema,
    generate: createGenerator({ resolve, mode: 'response', is30: true }),
    errorsOf: createSchemas({ document, resolve, mode: 'response', isLenient: true }).errorsOf,
  }
}

const text = { type: 'string' }
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const list = (items: object) => ({ type: 'array', items })
const tag = object({ kind: { type: 'string', enum: ['a', 'b'] }, size: { type: 'integer', maximum: 9 } }, ['kind'])
const older = object({ data: list(tag), owner: object({ name: text }, ['name']), labels: list(text) }, ['owner'])
const changed = (part: object) => ({ ...older, properties: { ...older.properties, ...part } })

it.each([
  {
    what: 'a property that is gone',
    newer: changed({ data: list(object({ size: { type: 'integer' } })) }),
    at: 'data[].kind',
    kind: 'gone',
  },
  { what: 'a parent that is gone', newer: object({ data: list(tag), labels: list(text) }), at: 'owner', kind: 'gone' },
  { what: 'a parent that is optional', newer: { ...older, required: [] }, at: 'owner', kind: 'optional' },
  {
    what: 'an optional property',
    newer: changed({ owner: object({ name: text }) }),
    at: 'owner.name',
    kind: 'optional',
  },
  {
    what: 'null',
    newer: changed({ owner: { ...object({ name: text }, ['name']), nullable: true } }),
    at: 'owner',
    kind: 'null',
  },
  {
    what: 'a value of an enum',
    newer: changed({ data: list({ ...tag, properties: { kind: { type: 'string', enum: ['a', 'c'] } } }) }),
    at: 'data[].kind',
    kind: 'enum',
  },
  { what: 'a list that is another type', newer: changed({ data: tag }), at: 'data', kind: 'type' },
  {
    what: 'items that are another type',
    newer: changed({ labels: list({ type: 'integer' }) }),
    at: 'labels',
    kind: 'type',
  },
])('a read breaks: $what', ({ newer, at, kind }) => {
  const paths = ['data[].kind', 'owner.name', 'labels']
  const { events } = judgeReads({ older: toSide(older), newer: toSide(newer), paths })
  expect(events).toContainEqual(expect.objectContaining({ at, kind }))
  expect(events).toHaveLength(1)
})

it.each([
  {
    what: 'a property that nobody reads is gone',
    newer: changed({ data: list(object({ kind: { type: 'string', enum: ['b'] } }, ['kind'])) }),
  },
  { what: 'there are more properties', newer: changed({ more: text }) },
  { what: 'a bound is narrower', newer: changed({ labels: list({ type: 'string', minLength: 1 }) }) },
  {
    what: 'another bound is wider',
    newer: changed({ data: list({ ...tag, properties: { ...tag.properties, size: { type: 'integer' } } }) }),
  },
])('a read does not break: $what', ({ newer }) => {
  const paths = ['data[].kind', 'owner.name', 'labels', 'owner']
  expect(judgeReads({ older: toSide(older), newer: toSide(newer), paths }).events).toEqual([])
})

const events = [
  { operation: 'GET /a', side: 'response', at: 'response 200 data[].kind', kind: 'gone' },
  { operation: 'POST /a', side: 'request', at: 'body name', kind: 'required' },
  { operation: 'GET /b', side: 'operation', at: '', kind: 'gone' },
]

it.each([
  { at: 'response 200 data[].kind', method: 'GET', path: '/a', isRight: true },
  { at: 'response 200 data', method: 'GET', path: '/a', isRight: true },
  { at: 'response 200', method: 'GET', path: '/a', isRight: true },
  { at: 'response 200 dat', method: 'GET', path: '/a', isRight: false },
  { at: 'response 404 data', method: 'GET', path: '/a', isRight: false },
  { at: 'query limit', method: 'GET', path: '/a', isRight: false },
  { at: 'query limit', method: 'POST', path: '/a', isRight: true },
  { at: '', method: 'GET', path: '/b', isRight: true },
])('compares a finding at "$method $path $at"', ({ isRight, ...finding }) => {
  const { right, wrong, missed } = compareFindings({ events, unjudged: [] }, [finding])
  expect([right.length, wrong.length, missed.length]).toEqual(isRight ? [1, 0, 2] : [0, 1, 3])
})

it('does not count a finding about what could not be judged', () => {
  const unjudged = [{ operation: 'GET /c', at: 'response 200 name' }]
  const finding = { method: 'GET', path: '/c', at: 'response 200 name' }
  expect(compareFindings({ events: [], unjudged }, [finding])).toEqual({ found: [], missed: [], right: [], wrong: [] })
})

it('does not take an open part of a oneOf for one that describes a value', () => {
  const parts = (kinds: string[]) => ({
    oneOf: [object({ kind: { type: 'string', enum: kinds } }), object({ name: text })],
  })
  const judged = judgeReads({ older: toSide(parts(['a'])), newer: toSide(parts(['a', 'b'])), paths: ['kind'] })
  expect(judged.events).toMatchObject([{ at: 'kind', kind: 'enum' }])
})
