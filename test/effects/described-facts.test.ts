// What descriptions, examples and names say of keys, states, jobs and changes, one service for each.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { list, named, object, oneOfTexts, type Sketch, text, time, toDocument } from '../support/sketch.js'

interface Case {
  name: string
  operations: Record<string, Sketch>
  schemas: Record<string, object>
  /** Replaces parts of the document, which sketches do not have. */
  change?: (document: ReturnType<typeof JSON.parse>) => void
  /** Requests, each with what the answer contains. */
  steps: [request: string, expected: RegExp][]
}

const id = { 'id!': { type: 'integer' } }

const cases: Case[] = [
  {
    name: 'a reset makes a key again, another one each time',
    operations: {
      'POST /streams': { body: object({ title: text }), 201: named('Stream') },
      'GET /streams/{streamId}': { 200: named('Stream') },
      'POST /streams/{streamId}/reset-stream-key': { 200: named('Stream') },
      'GET /streams': { query: ['stream_key'], 200: list(named('Stream')) },
    },
    schemas: {
      Stream: object({ ...id, title: text, stream_key: { ...text, readOnly: true, example: 'k3y-of-a-stream' } }),
    },
    steps: [
      ['POST /streams {"title":"a"}', /"stream_key":"(?<key>[^"]+)"/],
      ['POST /streams/1/reset-stream-key', /"title":"a","stream_key":"(?!KEY")[^"]+"/],
      ['GET /streams?stream_key=KEY', /^200 \[\]$/],
    ],
  },
  {
    name: 'a sentence over two lines says the state that an action needs',
    operations: {
      'POST /uploads': { body: object({ title: text }), 201: named('Upload') },
      'PUT /uploads/{uploadId}/cancel': { 200: named('Upload'), 403: object({ message: text }) },
    },
    schemas: { Upload: object({ ...id, status: oneOfTexts('waiting', 'sent', 'cancelled') }) },
    change: ({ paths }) => {
      const text = 'Cancels an upload. This request will only succeed if the upload is still in\nthe `waiting` state.'
      paths['/uploads/{uploadId}/cancel'].put.description = text
    },
    steps: [
      ['POST /uploads {"title":"a"}', /"waiting"/],
      ['PUT /uploads/1/cancel', /^200 .*"cancelled"/],
      ['PUT /uploads/1/cancel', /^403 .*must be \\?"waiting/],
    ],
  },
  {
    name: 'a description says the state that follows',
    operations: {
      'POST /runs': { body: object({ title: text }), 201: named('Run') },
      'POST /runs/{runId}/cancel': {
        summary: 'Cancels a run. It will be in status `stopping` for a while, if it has begun.',
        200: named('Run'),
      },
    },
    schemas: {
      Run: object({ ...id, status: oneOfTexts('created', 'stopping', 'cancelled', 'done'), stopping_at: time }),
    },
    steps: [
      ['POST /runs {"title":"a"}', /"created"/],
      ['POST /runs/1/cancel', /"status":"stopping","stopping_at":"2026/],
    ],
  },
  {
    name: 'an answer that shows more of a job than its key begins it',
    operations: {
      'POST /exports': { body: object({ table: text }), 200: named('Begun') },
      'GET /tasks': { 200: list(named('Task')) },
      'GET /tasks/{taskId}': { 200: named('Task') },
    },
    schemas: {
      Begun: object({ 'taskId!': { type: 'integer' }, 'status!': oneOfTexts('queued', 'succeeded'), 'table!': text }),
      Task: object({ ...id, status: oneOfTexts('queued', 'succeeded'), table: text }),
    },
    steps: [
      ['POST /exports {"table":"birds"}', /"taskId":(?<key>\d+)/],
      ['GET /tasks/KEY', /^200 .*"table":"birds"/],
    ],
  },
  {
    name: 'a PUT keeps the rest where its description says so',
    operations: {
      'POST /notes': { body: named('Note'), 201: named('Note') },
      'PUT /notes/{noteId}': {
        summary: 'You only need to provide what you change.',
        body: named('Note'),
        200: named('Note'),
      },
    },
    schemas: { Note: object({ id: { type: 'integer', readOnly: true }, title: text, body: text }) },
    steps: [
      ['POST /notes {"title":"a","body":"b"}', /^201/],
      ['PUT /notes/1 {"title":"c"}', /"title":"c","body":"b"/],
    ],
  },
  {
    name: 'a batch does what the DELETE of one record is called',
    operations: {
      'POST /contacts': { body: object({ title: text }), 201: named('Contact') },
      'GET /contacts': { 200: list(named('Contact')) },
      'DELETE /contacts/{contactId}': { summary: 'Archive a contact', 204: null },
      'POST /contacts/batch/archive': { body: object({ inputs: list(object(id)) }), 204: null },
    },
    schemas: { Contact: object({ ...id, title: text }) },
    steps: [
      ['POST /contacts {"title":"a"}', /^201/],
      ['POST /contacts/batch/archive {"inputs":[{"id":1}]}', /^204/],
      ['GET /contacts', /^200 \[\]$/],
    ],
  },
  {
    name: 'a value that is not sent is the key, and a code with the format of a number is the status',
    operations: {
      'POST /stores': { body: named('NewStore'), 201: named('Store'), 422: object({ errors: list(named('Error')) }) },
    },
    schemas: {
      NewStore: object({
        'title!': text,
        reference: { ...text, description: 'If you do not provide one, it is populated with the generated [id](/x).' },
      }),
      Store: object({ ...id, title: text, reference: text }),
      Error: object({ 'code!': { ...text, format: 'int' }, 'title!': text, detail: text }),
    },
    steps: [
      ['POST /stores {"title":"a"}', /"reference":"1"/],
      ['POST /stores {"title":"a","reference":"b"}', /"reference":"b"/],
      ['POST /stores {}', /^422 .*"code":"422"/],
    ],
  },
  {
    name: 'an object of Kubernetes has its kind, a key, a version and the time of its creation',
    operations: {
      'POST /maps': { body: named('Map'), 201: named('Map') },
      'GET /maps/{name}': { 200: named('Map') },
      'PATCH /maps/{name}': { body: named('Map'), 200: named('Map') },
    },
    schemas: {
      Map: {
        ...object({ kind: text, apiVersion: text, data: text, metadata: named('Meta') }),
        'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Map', version: 'v1' }],
      },
      Meta: object({
        name: text,
        uid: { ...text, description: 'Unique in time and space, generated by the server. Read-only.' },
        resourceVersion: { ...text, description: 'May be used for optimistic concurrency.' },
        creationTimestamp: time,
      }),
    },
    change: ({ paths }) => {
      for (const each of ['get', 'patch']) paths['/maps/{name}'][each].parameters[0].schema = text
    },
    steps: [
      ['POST /maps {"metadata":{"name":"bay"}}', /"kind":"Map","apiVersion":"apps\/v1".*"resourceVersion":"1"/],
      ['GET /maps/bay', /"uid":"[\da-f]{8}-.*"creationTimestamp":"2026/],
      ['PATCH /maps/bay {"data":"a"}', /"resourceVersion":"2"/],
    ],
  },
]

it.each(cases)('$name', async ({ operations, schemas, change, steps }) => {
  const document = JSON.parse(toDocument(operations, schemas as Record<string, Record<string, unknown>>))
  change?.(document)
  const sandbox = await openSketch(JSON.stringify(document))
  let key = ''
  for (const [request, expected] of steps) {
    const answer = await ask(sandbox, request.replace('KEY', key))
    const pattern = new RegExp(expected.source.replace('KEY', key))
    expect(answer, request).toMatch(pattern)
    key = pattern.exec(answer)?.groups?.['key'] ?? key
  }
})
