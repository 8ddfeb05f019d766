// Paths below a record that read and write one of its properties: `/hooks/{hookId}/secret`.
import { it } from 'vitest'
import { runScript, type Script } from '../support/script.js'
import { flag, integer, list, named, object, oneOfTexts, type Schema, text, toDocument } from '../support/sketch.js'

type Operations = Parameters<typeof toDocument>[0]

function hooks(operations: Operations, shown: Record<string, Schema>, sent: Record<string, Schema> = shown): string {
  return toDocument(
    {
      'GET /hooks': { 200: list(named('Hook')) },
      'POST /hooks': { body: object({ url: text, ...sent }), 201: named('Hook') },
      'GET /hooks/{hookId}': { 200: named('Hook') },
      'PATCH /hooks/{hookId}': { body: object({ url: text, ...sent }), 200: named('Hook') },
      ...operations,
    },
    { Hook: object({ 'id!': integer, url: text, ...shown }) },
  )
}

const limits = object({ rate: integer, burst: integer, strict: { ...flag, default: true } })

const scripts: Script[] = [
  {
    name: 'a property whose name is empty',
    document: hooks({}, { '': text }),
    steps: `
      POST /hooks {"url":"a","":"x"} -> 201 {"id":1,"url":"a","":"x"}
      GET /hooks/1 -> 200 {"id":1,"url":"a","":"x"}
      PATCH /hooks/1 {"":"y"} -> 200 {"id":1,"url":"a","":"y"}
      GET /hooks/2 -> 404
    `,
  },
  {
    name: 'a value that only its own path shows',
    document: hooks(
      {
        'GET /hooks/{hookId}/secret': { 200: object({ 'key!': text }) },
        'POST /hooks/{hookId}/secret/rotate': { body: object({ key: text }), 204: null },
      },
      {},
      { secret: text },
    ),
    steps: `
      POST /hooks {"url":"a","secret":"s1"} -> 201 {"id":1,"url":"a"}
      POST /hooks {"url":"b","secret":"s2"} -> 201 {"id":2,"url":"b"}
      GET /hooks/1/secret -> 200 {"key":"s1"}
      POST /hooks/1/secret/rotate {"key":"s3"} -> 204
      GET /hooks/1/secret -> 200 {"key":"s3"}
      GET /hooks/2/secret -> 200 {"key":"s2"}
      PATCH /hooks/2 {"secret":"s4"} -> 200 {"id":2,"url":"b"}
      GET /hooks/2/secret -> 200 {"key":"s4"}
      GET /hooks/3/secret -> 404
    `,
  },
  {
    name: 'an object that the record shows, too',
    document: hooks(
      {
        'GET /hooks/{hookId}/limits': { 200: limits },
        'PUT /hooks/{hookId}/limits': { body: limits, 200: limits },
      },
      { limits },
    ),
    steps: `
      POST /hooks {"url":"a","limits":{"rate":5}} -> 201 {"id":1,"url":"a","limits":{"rate":5,"strict":true}}
      GET /hooks/1/limits -> 200 {"rate":5,"strict":true}
      PUT /hooks/1/limits {"rate":7,"burst":9} -> 200 {"rate":7,"burst":9,"strict":true}
      GET /hooks/1 -> 200 {"id":1,"url":"a","limits":{"rate":7,"burst":9,"strict":true}}
      PATCH /hooks/1 {"limits":{"rate":1}} -> 200 {"id":1,"url":"a","limits":{"rate":1,"strict":true}}
      GET /hooks/1/limits -> 200 {"rate":1,"strict":true}
    `,
  },
  {
    name: 'an object that its own path only writes',
    document: hooks(
      {
        'PUT /hooks/{hookId}/limits': { body: limits, 200: named('Hook') },
        'PATCH /hooks/{hookId}/size-limits': { body: limits, 204: null },
      },
      { limits, size_limits: limits },
    ),
    steps: `
      POST /hooks {"url":"a","limits":{"rate":5},"size_limits":{"burst":4}} -> 201
      PUT /hooks/1/limits {"burst":9} -> 200 {"id":1,"url":"a","limits":{"burst":9,"strict":true},"size_limits":{"burst":4,"strict":true}}
      PATCH /hooks/1/size-limits {"rate":2} -> 204
      GET /hooks/1 -> 200 {"id":1,"url":"a","limits":{"burst":9,"strict":true},"size_limits":{"rate":2,"burst":4,"strict":true}}
      PUT /hooks/2/limits {"burst":9} -> 404
    `,
  },
  {
    name: 'a text under another name',
    document: hooks(
      { 'POST /hooks/{hookId}/note': { body: object({ 'Text!': text }), 200: named('Hook') } },
      { note: text },
    ),
    steps: `
      POST /hooks {"url":"a","note":"n"} -> 201 {"id":1,"url":"a","note":"n"}
      POST /hooks/1/note {"Text":"m"} -> 200 {"id":1,"url":"a","note":"m"}
      GET /hooks/1 -> 200 {"id":1,"url":"a","note":"m"}
    `,
  },
  {
    name: 'a path of another type than the property of its name',
    document: hooks(
      { 'POST /hooks/{hookId}/comments': { body: object({ body: text }), 200: object({ body: text }) } },
      { comments: integer },
    ),
    steps: `
      POST /hooks {"url":"a","comments":3} -> 201 {"id":1,"url":"a","comments":3}
      POST /hooks/1/comments {"body":"x"} -> 200
      GET /hooks/1 -> 200 {"id":1,"url":"a","comments":3}
    `,
  },
  {
    name: 'most of the record above, and what it has itself',
    document: hooks(
      {
        'GET /hooks/{hookId}/card': {
          200: object({
            id: integer,
            label: text,
            rate: integer,
            'points!': { type: 'integer', enum: [7] },
            level: oneOfTexts('low'),
          }),
        },
      },
      { label: text, rate: integer },
    ),
    steps: `
      POST /hooks {"url":"a","label":"l","rate":5} -> 201 {"id":1,"url":"a","label":"l","rate":5}
      GET /hooks/1/card -> 200 {"id":1,"label":"l","rate":5,"points":7,"level":"low"}
      PATCH /hooks/1 {"label":"m"} -> 200 {"id":1,"url":"a","label":"m","rate":5}
      GET /hooks/1/card -> 200 {"id":1,"label":"m","rate":5,"points":7,"level":"low"}
      GET /hooks/1 -> 200 {"id":1,"url":"a","label":"m","rate":5}
      GET /hooks/2/card -> 404
    `,
  },
]

it.each(scripts)('$name', runScript)
