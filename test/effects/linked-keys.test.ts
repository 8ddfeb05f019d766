// Requests that name existing records by their keys: they are linked with the record that the path is below.
import { it } from 'vitest'
import { runScript, type Script } from '../support/script.js'
import { flag, integer, list, named, object, type Schema, type Sketch, text, toDocument } from '../support/sketch.js'

const report = list(object({ 'id!': integer, 'success!': flag, error: text }))

/** Albums with photos that exist, and how these are added. */
function albums(operations: Record<string, Sketch>, album: Record<string, Schema> = { photos: list(named('Photo')) }) {
  const below = Object.entries(operations).map(([name, each]) => [name.replace(' ', ' /albums/{id}/'), each])
  return toDocument(
    {
      'GET /photos': { 200: list(named('Photo')) },
      'POST /photos': { body: object({ title: text }), 201: named('Photo') },
      'GET /photos/{id}': { 200: named('Photo') },
      'POST /albums': { body: object({ name: text }), 201: named('Album') },
      'GET /albums/{id}': { 200: named('Album') },
      ...Object.fromEntries(below),
    },
    {
      Photo: object({ 'id!': integer, title: text }),
      Album: object({ 'id!': integer, name: text, ...album }),
    },
  )
}

const begin = `
  POST /photos {"title":"a"} -> 201 {"id":1,"title":"a"}
  POST /photos {"title":"b"} -> 201 {"id":2,"title":"b"}
  POST /albums {"name":"x"} -> 201
`
const ids = object({ 'ids!': list(integer) })

const scripts: Script[] = [
  {
    name: 'a PUT that says that it adds, and reports each key',
    document: albums(
      { 'PUT photos': { summary: 'Add photos to an album', body: ids, 200: report } },
      { 'photoCount!': integer, 'photos!': list(named('Photo')) },
    ),
    steps: `${begin}
      PUT /albums/1/photos {"ids":[1]} -> 200 [{"id":1,"success":true}]
      PUT /albums/1/photos {"ids":[2]} -> 200 [{"id":2,"success":true}]
      GET /albums/1 -> 200 {"id":1,"name":"x","photoCount":2,"photos":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}
    `,
  },
  {
    name: 'verbs behind the list',
    document: albums({
      'POST photos/add': { body: object({ photoIds: list(integer) }), 204: null },
      'POST photos/remove': { body: object({ photoIds: list(integer) }), 204: null },
    }),
    steps: `${begin}
      POST /albums/1/photos/add {"photoIds":[1,2]} -> 204
      POST /albums/1/photos/remove {"photoIds":[1]} -> 204
      GET /albums/1 -> 200 {"id":1,"name":"x","photos":[{"id":2,"title":"b"}]}
      GET /photos/1 -> 200 {"id":1,"title":"a"}
    `,
  },
  {
    name: 'keys alone, and an answer with the record above',
    document: albums({ 'POST photos': { body: list(integer), 200: named('Album') } }),
    steps: `${begin}
      POST /albums/1/photos [2] -> 200 {"id":1,"name":"x","photos":[{"id":2,"title":"b"}]}
    `,
  },
  {
    name: 'a list of another name',
    document: albums(
      { 'PUT highlights': { summary: 'Add highlights', body: object({ photoIds: list(integer) }), 204: null } },
      { photos: list(named('Photo')), highlights: list(named('Photo')) },
    ),
    steps: `${begin}
      PUT /albums/1/highlights {"photoIds":[1]} -> 204
      GET /albums/1 -> 200 {"id":1,"name":"x","photos":[],"highlights":[{"id":1,"title":"a"}]}
    `,
  },
  {
    name: 'a record that shows only keys',
    document: albums({ 'PUT photos': { summary: 'Set photos', body: ids, 204: null } }, { photoIds: list(integer) }),
    steps: `${begin}
      PUT /albums/1/photos {"ids":[1]} -> 204
      PUT /albums/1/photos {"ids":[2]} -> 204
      GET /albums/1 -> 200 {"id":1,"name":"x","photoIds":[2]}
    `,
  },
  {
    name: 'keys in the query',
    document: albums({
      'GET photos': { 200: list(named('Photo')) },
      'POST photos': { query: ['photoId'], 204: null },
      'DELETE photos': { query: ['photoId!'], 204: null },
    }),
    steps: `${begin}
      POST /albums/1/photos?photoId=1 -> 204
      POST /albums/1/photos?photoId=2 -> 204
      DELETE /albums/1/photos?photoId=1 -> 204
      GET /albums/1/photos -> 200 [{"id":2,"title":"b"}]
      GET /photos/1 -> 200 {"id":1,"title":"a"}
    `,
  },
  {
    name: 'new records are still added',
    document: albums({ 'POST photos': { body: object({ title: text }), 201: named('Photo') } }),
    steps: `${begin}
      POST /albums/1/photos {"title":"c"} -> 201 {"id":3,"title":"c"}
      GET /albums/1 -> 200 {"id":1,"name":"x","photos":[{"id":3,"title":"c"}]}
    `,
  },
]

it.each(scripts)('$name', runScript)
