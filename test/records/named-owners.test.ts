// Records that show or count those that have their keys, outside of their paths: `boardCards`, and `kanbanBoardId` of a card.
import { it } from 'vitest'
import { runScript, type Script } from '../support/script.js'
import { integer, list, named, object, type Schema, text, toDocument } from '../support/sketch.js'

/** @param more what creations of a board have besides its name */
function boards(
  board: Record<string, Schema>,
  more: Record<string, Schema> = {},
  key: Record<string, Schema> = { 'kanbanBoardId!': integer },
): string {
  const sent = object({ ...key, note: text })
  const change = object({ kanbanBoardId: integer, note: text })
  return toDocument(
    {
      'GET /boards': { 200: list(named('Board')) },
      'POST /boards': { body: object({ name: text, ...more }), 201: named('Board') },
      'GET /boards/{id}': { 200: named('Board') },
      'DELETE /boards/{id}': { 204: null },
      'GET /cards': { 200: list(named('Card')) },
      'POST /cards': { body: sent, 201: named('Card') },
      'GET /cards/{id}': { 200: named('Card') },
      'PATCH /cards/{id}': { body: change, 200: named('Card') },
      'DELETE /cards/{id}': { 204: null },
    },
    {
      Board: object({ 'id!': integer, name: text, ...board }),
      Card: object({ 'id!': integer, ...key, note: text }),
    },
  )
}

const begin = `
  POST /boards {"name":"a"} -> 201
  POST /boards {"name":"b"} -> 201
  POST /cards {"kanbanBoardId":1,"note":"x"} -> 201 {"id":1,"kanbanBoardId":1,"note":"x"}
  POST /cards {"kanbanBoardId":1,"note":"y"} -> 201 {"id":2,"kanbanBoardId":1,"note":"y"}
`

const scripts: Script[] = [
  {
    name: 'a list of the records follows their creation, change and removal',
    document: boards({ boardCards: list(named('Card')), 'boardCardCount!': integer }),
    steps: `${begin}
      PATCH /cards/1 {"note":"z"} -> 200
      GET /boards/1 -> 200 {"id":1,"name":"a","boardCards":[{"id":1,"kanbanBoardId":1,"note":"z"},{"id":2,"kanbanBoardId":1,"note":"y"}],"boardCardCount":2}
      PATCH /cards/1 {"kanbanBoardId":2} -> 200
      GET /boards/1 -> 200 {"id":1,"name":"a","boardCards":[{"id":2,"kanbanBoardId":1,"note":"y"}],"boardCardCount":1}
      GET /boards/2 -> 200 {"id":2,"name":"b","boardCards":[{"id":1,"kanbanBoardId":2,"note":"z"}],"boardCardCount":1}
      DELETE /cards/2 -> 204
      GET /boards/1 -> 200 {"id":1,"name":"a","boardCards":[],"boardCardCount":0}
      DELETE /boards/2 -> 204
      GET /cards/1 -> 404
    `,
  },
  {
    name: 'a number of the records follows them, too',
    document: boards({ 'cardsCount!': integer }),
    steps: `${begin}
      GET /boards/1 -> 200 {"id":1,"name":"a","cardsCount":2}
      PATCH /cards/1 {"kanbanBoardId":2} -> 200
      GET /boards/1 -> 200 {"id":1,"name":"a","cardsCount":1}
      GET /boards/2 -> 200 {"id":2,"name":"b","cardsCount":1}
      DELETE /cards/2 -> 204
      GET /boards/1 -> 200 {"id":1,"name":"a","cardsCount":0}
    `,
  },
  {
    name: 'a record that is sent in the list is created',
    document: boards({ cards: list(named('Card')) }, { cards: list(object({ note: text })) }),
    steps: `
      POST /boards {"name":"a","cards":[{"note":"x"}]} -> 201 {"id":1,"name":"a","cards":[{"id":1,"kanbanBoardId":1,"note":"x"}]}
      GET /cards/1 -> 200 {"id":1,"kanbanBoardId":1,"note":"x"}
    `,
  },
  {
    name: 'nothing is shown where two properties name the same kind of record',
    document: boards({ cards: list(named('Card')) }, {}, { 'fromBoardId!': integer, 'toBoardId!': integer }),
    steps: `
      POST /boards {"name":"a"} -> 201 {"id":1,"name":"a","cards":[]}
      POST /cards {"fromBoardId":1,"toBoardId":1} -> 201
      GET /boards/1 -> 200 {"id":1,"name":"a","cards":[]}
    `,
  },
]

it.each(scripts)('$name', runScript)
