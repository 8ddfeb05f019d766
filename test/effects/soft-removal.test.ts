// Records that a removal only marks, because a list shows removed ones on request.
import { it } from 'vitest'
import { runScript, type Script } from '../support/script.js'
import {
  flag,
  integer,
  list,
  named,
  object,
  oneOfTexts,
  type Schema,
  text,
  time,
  toDocument,
} from '../support/sketch.js'

function topics(query: string, properties: Record<string, Schema>, summary: string, more: string[] = []): string {
  const document = JSON.parse(
    toDocument(
      {
        'GET /topics': { query: [query], 200: list(named('Topic')) },
        'POST /topics': { body: object({ name: text }), 201: named('Topic') },
        'GET /topics/{topicId}': { query: more, 200: named('Topic'), 404: null },
        'DELETE /topics/{topicId}': { 204: null, 404: null },
      },
      { Topic: object({ 'id!': integer, name: text, ...properties }) },
    ),
  )
  document.paths['/topics/{topicId}'].delete.summary = summary
  return JSON.stringify(document)
}

const nullableTime: Schema = { ...time, type: ['string', 'null'] }

const scripts: Script[] = [
  {
    name: 'a flag',
    document: topics('include_archived', { archived: flag }, 'Archive a topic'),
    steps: `
      POST /topics {"name":"a"} -> 201 {"id":1,"name":"a","archived":false}
      POST /topics {"name":"b"} -> 201
      DELETE /topics/1 -> 204
      GET /topics -> 200 [{"id":2,"name":"b","archived":false}]
      GET /topics?include_archived=false -> 200 [{"id":2,"name":"b","archived":false}]
      GET /topics?include_archived=true -> 200 [{"id":2,"name":"b","archived":false},{"id":1,"name":"a","archived":true}]
      GET /topics/1 -> 200 {"id":1,"name":"a","archived":true}
      DELETE /topics/1 -> 404
    `,
  },
  {
    name: 'a state, and a time',
    document: topics(
      'showDeleted',
      { status: oneOfTexts('active', 'deleted'), deletedAt: nullableTime },
      'Delete a topic',
      ['showDeleted'],
    ),
    steps: `
      POST /topics {"name":"a"} -> 201 {"id":1,"name":"a","status":"active","deletedAt":null}
      DELETE /topics/1 -> 204
      GET /topics -> 200 []
      GET /topics?showDeleted=true -> 200 [{"id":1,"name":"a","status":"deleted","deletedAt":"2026-11-21T00:00:00.000Z"}]
      GET /topics/1 -> 404
      GET /topics/1?showDeleted=true -> 200 {"id":1,"name":"a","status":"deleted","deletedAt":"2026-11-21T00:00:00.000Z"}
    `,
  },
  {
    name: 'no mark, where a removal says nothing of the archive',
    document: topics('archived', { archived: flag }, 'Delete a topic'),
    steps: `
      POST /topics {"name":"a"} -> 201 {"id":1,"name":"a","archived":false}
      DELETE /topics/1 -> 204
      GET /topics?archived=true -> 200 []
      GET /topics/1 -> 404
    `,
  },
]

it.each(scripts)('$name', runScript)
