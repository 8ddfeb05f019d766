/** Records that exist once, and other ways to say which record a request is about. */
import { now, type Script } from '../support/script.js'
import { integer, list, named, object, text, time, toDocument } from '../support/sketch.js'

const settings = object({ 'color!': text, size: integer })
const part = object({ color: text, size: integer })

const atTop = toDocument(
  {
    'GET /settings': { 200: named('Settings'), 404: null },
    'PUT /settings': { body: named('Settings'), 200: named('Settings'), 201: named('Settings') },
    'PATCH /settings': { body: named('Part'), 200: named('Settings'), 404: null },
    'DELETE /settings': { 204: null },
  },
  { Settings: settings, Part: part },
)

const below = toDocument(
  {
    'GET /users': { 200: list(named('User')) },
    'POST /users': { body: object({ 'name!': text }), 201: named('User') },
    'DELETE /users/{userId}': { 204: null },
    'GET /users/{userId}/settings': { 200: named('Settings'), 404: null },
    'PUT /users/{userId}/settings': { body: named('Settings'), 200: named('Settings') },
    'PATCH /users/{userId}/settings': { body: named('Part'), 200: named('Settings') },
    'DELETE /users/{userId}/settings': { 204: null },
  },
  { User: object({ 'id!': integer, 'name!': text }), Settings: settings, Part: part },
)

const book = object({ 'id!': integer, 'title!': text, pages: integer })

const postUpdates = toDocument(
  {
    'GET /books': { 200: list(named('Book')) },
    'POST /books': { body: object({ 'title!': text }), 201: named('Book') },
    'GET /books/{bookId}': { 200: named('Book') },
    'POST /books/{bookId}': { body: object({ title: text, pages: integer }), 200: named('Book') },
    'DELETE /books/{bookId}': { 200: object({ 'id!': integer, 'deleted!': { type: 'boolean', const: true } }) },
  },
  { Book: book },
)

const upsert = toDocument(
  {
    'GET /labels': { 200: list(named('Label')) },
    'PUT /labels/{labelName}': { body: object({ 'color!': text }), 200: named('Label'), 201: named('Label') },
    'GET /labels/{labelName}': { 200: named('Label') },
    'DELETE /labels/{labelName}': { 200: named('Label') },
  },
  { Label: object({ 'name!': text, 'color!': text }) },
)

const otherAnswers = toDocument(
  {
    'GET /books': { 200: list(named('Book')) },
    'POST /books': { body: object({ 'title!': text }), 201: object({ 'id!': integer }) },
    'GET /books/{bookId}': { 200: named('Book') },
    'PUT /books/{bookId}': { body: object({ 'title!': text }), 204: null },
    'PATCH /books/{bookId}': { body: object({ pages: integer }), 200: object({ 'status!': { const: 'saved' } }) },
    'DELETE /books/{bookId}': { 200: object({ 'message!': { const: 'gone' } }) },
  },
  { Book: book },
)

const silent = toDocument(
  {
    'GET /books': { 200: list(named('Book')) },
    'POST /books': { body: object({ 'title!': text }), 201: null },
    'GET /books/{bookId}': { 200: named('Book') },
  },
  { Book: book },
)

const form = toDocument(
  {
    'GET /books': { 200: list(named('Book')) },
    'POST /books': {
      body: object({ 'title!': text, pages: integer }),
      type: 'application/x-www-form-urlencoded',
      201: named('Book'),
    },
    'GET /books/{bookId}': { 200: named('Book') },
  },
  { Book: book },
)

const inQuery = toDocument(
  {
    'GET /books': { 200: list(named('Book')) },
    'POST /books': { body: object({ 'title!': text }), 201: named('Book') },
    'GET /books/{bookId}': { 200: named('Book') },
    'DELETE /books': { query: ['bookId'], 204: null },
  },
  { Book: book },
)

const chosenKeys = toDocument(
  {
    'GET /books': { 200: list(named('Named')) },
    'POST /books': { body: named('Named'), 201: named('Named') },
    'DELETE /books': { query: ['id'], 204: null },
  },
  { Named: object({ 'id!': text, 'title!': text }) },
)

const inBody = toDocument(
  {
    'GET /books': { 200: list(named('Book')) },
    'POST /books': { body: object({ 'title!': text }), 201: named('Book') },
    'PUT /books': { body: named('Book'), 200: named('Book') },
    'GET /books/{bookId}': { 200: named('Book') },
  },
  { Book: book },
)

export const singleScripts: readonly Script[] = [
  {
    name: 'a record that exists once, at the top',
    document: atTop,
    steps: `
      GET /settings -> 200 {"color":"magenta","size":1}
      PUT /settings {"color":"red","size":2} -> 200 {"color":"red","size":2}
      GET /settings -> 200 {"color":"red","size":2}
      PATCH /settings {"size":3} -> 200 {"color":"red","size":3}
      PUT /settings {"color":"blue"} -> 200 {"color":"blue"}
      DELETE /settings -> 204
      GET /settings -> 404
      PATCH /settings {"size":3} -> 404
      DELETE /settings -> 404
      PUT /settings {"color":"green"} -> 201 {"color":"green"}
      GET /settings -> 200 {"color":"green"}
      PUT /settings {"size":3} -> 400
    `,
  },
  {
    name: 'one of each record',
    document: below,
    steps: `
      GET /users/1/settings -> 404
      PUT /users/1/settings {"color":"red"} -> 404
      POST /users {"name":"Ada"} -> 201 {"id":1,"name":"Ada"}
      POST /users {"name":"Bo"} -> 201 {"id":2,"name":"Bo"}
      GET /users/1/settings -> 200 {"color":"magenta","size":1}
      PUT /users/1/settings {"color":"red"} -> 200 {"color":"red"}
      GET /users/1/settings -> 200 {"color":"red"}
      GET /users/2/settings -> 200 {"color":"magenta","size":1}
      PATCH /users/2/settings {"size":5} -> 200 {"color":"magenta","size":5}
      GET /users/1/settings -> 200 {"color":"red"}
      DELETE /users/1/settings -> 204
      GET /users/1/settings -> 404
      GET /users/2/settings -> 200 {"color":"magenta","size":5}
      PUT /users/1/settings {"color":"blue"} -> 200 {"color":"blue"}
      GET /users/1/settings -> 200 {"color":"blue"}
      DELETE /users/1 -> 204
      GET /users/1/settings -> 404
      GET /users/2/settings -> 200 {"color":"magenta","size":5}
    `,
  },
  {
    name: 'POST to a record changes what it names, and DELETE answers with another body',
    document: postUpdates,
    steps: `
      POST /books {"title":"Emma"} -> 201 {"id":1,"title":"Emma"}
      POST /books/1 {"pages":3} -> 200 {"id":1,"title":"Emma","pages":3}
      POST /books/1 {"title":"E"} -> 200 {"id":1,"title":"E","pages":3}
      GET /books/1 -> 200 {"id":1,"title":"E","pages":3}
      POST /books/2 {"title":"E"} -> 404
      DELETE /books/1 -> 200 {"id":1,"deleted":true}
      GET /books -> 200 []
      DELETE /books/1 -> 404
    `,
  },
  {
    name: 'PUT creates with 201, and replaces with 200',
    document: upsert,
    steps: `
      PUT /labels/bug {"color":"red"} -> 201 {"name":"bug","color":"red"}
      PUT /labels/bug {"color":"blue"} -> 200 {"name":"bug","color":"blue"}
      GET /labels -> 200 [{"name":"bug","color":"blue"}]
      GET /labels/other -> 404
      DELETE /labels/bug -> 200 {"name":"bug","color":"blue"}
      GET /labels -> 200 []
      DELETE /labels/bug -> 404
      PUT /labels/bug {"color":"red"} -> 201 {"name":"bug","color":"red"}
    `,
  },
  {
    name: 'changes that answer with another body keep the record all the same',
    document: otherAnswers,
    steps: `
      POST /books {"title":"Emma"} -> 201 {"id":1}
      GET /books/1 -> 200 {"id":1,"title":"Emma"}
      PATCH /books/1 {"pages":3} -> 200 {"status":"saved"}
      GET /books/1 -> 200 {"id":1,"title":"Emma","pages":3}
      PUT /books/1 {"title":"E"} -> 204
      GET /books -> 200 [{"id":1,"title":"E","pages":3}]
      DELETE /books/1 -> 200 {"message":"gone"}
      GET /books -> 200 []
      DELETE /books/1 -> 404
    `,
  },
  {
    name: 'a creation that answers nothing',
    document: silent,
    steps: `
      POST /books {"title":"Emma"} -> 201
      GET /books -> 200 [{"id":1,"title":"Emma"}]
      GET /books/1 -> 200 {"id":1,"title":"Emma"}
    `,
  },
  {
    name: 'a creation by a form',
    document: form,
    steps: `
      POST /books title=Emma&pages=3 -> 201 {"id":1,"title":"Emma","pages":3}
      GET /books/1 -> 200 {"id":1,"title":"Emma","pages":3}
      POST /books pages=3 -> 400
    `,
  },
  {
    name: 'the key of a removal in the query',
    document: inQuery,
    steps: `
      POST /books {"title":"Emma"} -> 201
      POST /books {"title":"Faust"} -> 201
      DELETE /books?bookId=1 -> 204
      GET /books -> 200 [{"id":2,"title":"Faust"}]
    `,
  },
  {
    name: 'a record that is created again with the key of a removed one',
    document: chosenKeys,
    steps: `
      POST /books {"id":"a","title":"Emma"} -> 201 {"id":"a","title":"Emma"}
      POST /books {"id":"a","title":"X"} -> 409
      DELETE /books?id=a -> 204
      GET /books -> 200 []
      POST /books {"id":"a","title":"Again"} -> 201 {"id":"a","title":"Again"}
      GET /books -> 200 [{"id":"a","title":"Again"}]
      POST /books {"id":"a","title":"X"} -> 409
    `,
  },
  {
    name: 'the key of a replacement in the body',
    document: inBody,
    steps: `
      POST /books {"title":"Emma"} -> 201
      POST /books {"title":"Faust"} -> 201
      PUT /books {"id":1,"title":"E","pages":4} -> 200 {"id":1,"title":"E","pages":4}
      GET /books -> 200 [{"id":2,"title":"Faust"},{"id":1,"title":"E","pages":4}]
    `,
  },
  {
    name: 'the key is that of the path of one record, and not that of another path',
    document: toDocument(
      {
        'POST /classes/enroll/{enrollmentCode}': { 200: named('Class') },
        'GET /classes/{nameKey}/companies': { 200: list(text) },
        'GET /classes': { 200: list(named('Class')) },
        'POST /classes': { body: object({ 'name!': text }), 201: named('Class') },
        'GET /classes/{class}': { 200: named('Class') },
      },
      { Class: object({ enrollmentCode: text, nameKey: text, 'id!': integer, 'name!': text }) },
    ),
    steps: `
      POST /classes {"name":"Band"} -> 201 {"id":1,"name":"Band"}
      GET /classes/1 -> 200 {"id":1,"name":"Band"}
    `,
  },
  {
    name: 'the text of a comment is not its key',
    document: toDocument(
      {
        'GET /comments': { 200: list(named('Comment')) },
        'POST /comments': { body: object({ 'comment!': text }), 201: named('Comment') },
        'GET /comments/{comment}': { 200: named('Comment') },
      },
      { Comment: object({ 'comment!': text, 'id!': integer }) },
    ),
    steps: `
      POST /comments {"comment":"nice"} -> 201 {"comment":"nice","id":1}
      GET /comments/1 -> 200 {"comment":"nice","id":1}
    `,
  },
  {
    name: 'a text of digits becomes the number that the record has',
    document: toDocument(
      {
        'GET /rooms': { 200: list(named('Room')) },
        'POST /rooms': { body: object({ 'groupId!': text, 'floor!': integer }), 201: named('Room') },
        'GET /rooms/{roomId}': { 200: named('Room') },
      },
      { Room: object({ 'id!': integer, 'groupId!': integer, 'floor!': text }) },
    ),
    steps: `
      POST /rooms {"groupId":"5","floor":2} -> 201 {"id":1,"groupId":5,"floor":"2"}
      GET /rooms/1 -> 200 {"id":1,"groupId":5,"floor":"2"}
    `,
  },
  {
    name: 'the key of the record that its path is below, also where every record has a sample',
    document: toDocument(
      {
        'GET /users': { 200: list(named('User')) },
        'POST /users': { body: object({ 'name!': text }), 201: named('User') },
        'GET /users/{id}/balance': { 200: object({ 'userId!': integer, 'due!': { const: 0 } }) },
      },
      { User: object({ 'id!': integer, 'name!': text }) },
    ),
    steps: `
      POST /users {"name":"Ann"} -> 201 {"id":1,"name":"Ann"}
      POST /users {"name":"Ben"} -> 201 {"id":2,"name":"Ben"}
      GET /users/2/balance -> 200 {"userId":2,"due":0}
    `,
  },
  {
    name: 'times that a service notes, however they are called',
    document: toDocument(
      {
        'GET /notes': { 200: list(named('Note')) },
        'POST /notes': { body: object({ 'text!': text }), 201: named('Note') },
        'GET /notes/{noteId}': { 200: named('Note') },
      },
      {
        Note: object({
          'id!': integer,
          'text!': text,
          creationDate: time,
          date_updated: { type: 'string', format: 'dateTime' },
          lastLogin: time,
        }),
      },
    ),
    steps: `
      POST /notes {"text":"Hi"} -> 201 {"id":1,"text":"Hi","creationDate":"${now}","date_updated":"${now}"}
    `,
  },
]
