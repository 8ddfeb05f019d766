/** Records that belong to records: what requests for them are answered. */
import type { Script } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

/** Authors have books, and books have pages. */
export const library: string = toDocument(
  {
    'GET /authors': { 200: list(named('Author')) },
    'POST /authors': { body: named('NewAuthor'), 201: named('Author') },
    'GET /authors/{authorId}': { 200: named('Author'), 404: null },
    'DELETE /authors/{authorId}': { 204: null },
    'GET /authors/{authorId}/books': { query: ['genre', 'limit'], 200: list(named('Book')) },
    'POST /authors/{authorId}/books': { body: named('NewBook'), 201: named('Book') },
    'GET /authors/{authorId}/books/{bookId}': { 200: named('Book'), 404: null },
    'PUT /authors/{authorId}/books/{bookId}': { body: named('NewBook'), 200: named('Book'), 404: null },
    'PATCH /authors/{authorId}/books/{bookId}': { body: named('BookChange'), 200: named('Book'), 404: null },
    'DELETE /authors/{authorId}/books/{bookId}': { 204: null, 404: null },
    'GET /authors/{authorId}/books/{bookId}/pages': { 200: list(named('Page')) },
    'POST /authors/{authorId}/books/{bookId}/pages': { body: named('NewPage'), 201: named('Page') },
    'GET /authors/{authorId}/books/{bookId}/pages/{pageId}': { 200: named('Page'), 404: null },
    'PUT /authors/{authorId}/books/{bookId}/pages/{pageId}': { body: named('NewPage'), 200: named('Page'), 404: null },
    'DELETE /authors/{authorId}/books/{bookId}/pages/{pageId}': { 204: null, 404: null },
  },
  {
    Author: object({ 'id!': integer, 'name!': text }),
    NewAuthor: object({ 'name!': text }),
    Book: object({ 'id!': integer, 'title!': text, genre: text }),
    NewBook: object({ 'title!': text, genre: text }),
    BookChange: object({ title: text, genre: text }),
    Page: object({ 'id!': integer, 'text!': text }),
    NewPage: object({ 'text!': text }),
  },
)

/** Nodes are below nodes, which only paths say. */
const tree = toDocument(
  {
    'GET /nodes': { 200: list(named('Node')) },
    'POST /nodes': { body: object({ 'label!': text }), 201: named('Node') },
    'GET /nodes/{id}': { 200: named('Node'), 404: null },
    'DELETE /nodes/{id}': { 204: null },
    'GET /nodes/{id}/children': { 200: list(named('Node')) },
    'POST /nodes/{id}/children': { body: object({ 'label!': text }), 201: named('Node') },
    'GET /nodes/{id}/causes': { 200: list(named('Node')) },
    'POST /nodes/{id}/causes': { body: object({ 'label!': text }), 201: named('Node') },
    'GET /nodes/{id}/related': { 200: list(named('Node')) },
  },
  { Node: object({ 'id!': integer, 'label!': text }) },
)

/** Folders are in folders, which they name. Their keys are texts. */
const folders = toDocument(
  {
    'GET /folders': { 200: list(named('Folder')) },
    'POST /folders': { body: object({ 'name!': text, parentId: text }), 201: named('Folder') },
    'GET /folders/{folderKey}': { 200: named('Folder') },
    'GET /folders/{folderKey}/folders': { 200: list(named('Folder')) },
    'POST /folders/{folderKey}/folders': { body: object({ 'name!': text }), 201: named('Folder') },
    'DELETE /folders/{folderKey}/folders/{childKey}': { 204: null },
  },
  { Folder: object({ 'id!': text, 'name!': text, parentId: text }) },
)

/** Notes name the one that they answer. */
const threads = toDocument(
  {
    'GET /notes': { 200: list(named('Note')) },
    'POST /notes': { body: object({ 'text!': text, parent_note_id: integer }), 201: named('Note') },
    'GET /notes/{id}': { 200: named('Note') },
    'DELETE /notes/{id}': { 204: null },
    'GET /notes/{id}/child-notes': { 200: list(named('Note')) },
  },
  { Note: object({ 'id!': integer, 'text!': text, parent_note_id: integer }) },
)

/** Groups are put into groups, and taken out of them. */
const groups = {
  'GET /groups': { 200: list(named('Group')) },
  'POST /groups': { body: object({ 'name!': text }), 201: named('Group') },
  'GET /groups/{groupId}/groups': { 200: list(named('Group')) },
  'PUT /groups/{groupId}/groups/{childId}': { 204: null },
  'DELETE /groups/{groupId}/groups/{childId}': { 204: null },
}
const group = { Group: object({ 'id!': integer, 'name!': text }) }

const twoAuthors = `
  POST /authors {"name":"Ada"} -> 201 {"id":1,"name":"Ada"}
  POST /authors {"name":"Bo"} -> 201 {"id":2,"name":"Bo"}
`

function members(summary: string): string {
  const role = object({ 'role!': text })
  return toDocument(
    {
      'GET /groups': { 200: list(named('Group')) },
      'POST /groups': { body: object({ 'name!': text }), 201: named('Group') },
      'GET /groups/{groupId}': { 200: named('Group') },
      'GET /groups/{groupId}/members': { 200: list(named('Member')) },
      'GET /groups/{groupId}/members/{memberId}': { 200: named('Member'), 404: null },
      'PUT /groups/{groupId}/members/{memberId}': { summary, body: role, 200: named('Member'), 404: null },
    },
    { Group: object({ 'id!': integer, 'name!': text }), Member: object({ 'id!': integer, 'role!': text }) },
  )
}

/** The notes of a team are reached below its organisation, by its name, and below the team itself, by its number. */
const teams = toDocument(
  {
    'GET /orgs/{orgName}/teams': { 200: list(named('Team')) },
    'POST /orgs/{orgName}/teams': { body: named('Team'), 201: named('Team') },
    'GET /orgs/{orgName}/teams/{teamName}': { 200: named('Team') },
    'GET /teams/{teamId}': { 200: named('Team') },
    'GET /teams/{teamId}/notes': { 200: list(named('Note')) },
    'POST /teams/{teamId}/notes': { body: named('NewNote'), 201: named('Note') },
    'GET /teams/{teamId}/notes/{noteId}': { 200: named('Note') },
    'GET /orgs/{orgName}/teams/{teamName}/notes': { 200: list(named('Note')) },
    'POST /orgs/{orgName}/teams/{teamName}/notes': { body: named('NewNote'), 201: named('Note') },
    'GET /orgs/{orgName}/teams/{teamName}/notes/{noteId}': { 200: named('Note') },
    'GET /teams/{teamId}/notes/{noteId}/answers': { 200: list(named('Answer')) },
    'POST /teams/{teamId}/notes/{noteId}/answers': { body: named('NewAnswer'), 201: named('Answer') },
    'GET /teams/{teamId}/notes/{noteId}/answers/{answerId}': { 200: named('Answer') },
    'GET /orgs/{orgName}/teams/{teamName}/notes/{noteId}/answers': { 200: list(named('Answer')) },
    'POST /orgs/{orgName}/teams/{teamName}/notes/{noteId}/answers': { body: named('NewAnswer'), 201: named('Answer') },
    'GET /orgs/{orgName}/teams/{teamName}/notes/{noteId}/answers/{answerId}': { 200: named('Answer') },
  },
  {
    Team: object({ 'id!': integer, 'name!': text }),
    Note: object({ 'id!': integer, 'title!': text, noted: text }),
    NewNote: object({ 'title!': text }),
    Answer: object({ 'id!': integer, 'said!': text, answered: text }),
    NewAnswer: object({ 'said!': text }),
  },
)

/** Files are kept below their name, which callers choose. */
const files = toDocument(
  {
    'GET /folders': { 200: list(named('Folder')) },
    'POST /folders': { body: named('Folder'), 201: named('Folder') },
    'GET /folders/{folderName}': { 200: named('Folder') },
    'DELETE /folders/{folderName}': { 204: null },
    'GET /folders/{folderName}/files': { 200: list(named('File')) },
    'PUT /folders/{folderName}/files/{fileName}': { body: named('NewFile'), 200: named('File'), 201: named('File') },
    'GET /folders/{folderName}/files/{fileName}': { 200: named('File') },
    'DELETE /folders/{folderName}/files/{fileName}': { 204: null },
  },
  {
    Folder: object({ 'name!': text }),
    File: object({ 'name!': text, 'content!': text }),
    NewFile: object({ 'content!': text }),
  },
)

function shelf(book: Record<string, Record<string, unknown>>): string {
  return toDocument(
    {
      'GET /authors': { 200: list(named('Author')) },
      'POST /authors': { body: object({ 'name!': text }), 201: named('Author') },
      'DELETE /authors/{authorId}': { 204: null },
      'GET /books': { 200: list(named('Book')) },
      'POST /books': {
        body: object({ 'title!': text, ...('authorId' in book ? { authorId: integer } : {}) }),
        201: named('Book'),
      },
      'GET /books/{bookId}': { 200: named('Book') },
      'DELETE /books/{bookId}': { 204: null },
      'GET /authors/{authorId}/books': { 200: list(named('Book')) },
      'POST /authors/{authorId}/books': { body: object({ 'title!': text }), 201: named('Book') },
      'GET /authors/{authorId}/books/{bookId}': { 200: named('Book') },
      'PUT /authors/{authorId}/books/{bookId}': { 204: null },
      'DELETE /authors/{authorId}/books/{bookId}': { 204: null },
    },
    { Author: object({ 'id!': integer, 'name!': text }), Book: object({ 'id!': integer, 'title!': text, ...book }) },
  )
}

export const shelfWithKey: string = shelf({ authorId: integer })
export const shelfWithoutKey: string = shelf({})

/** Tags have a path of their own, and are listed below books of authors, too. */
export const tagged: string = toDocument(
  {
    'GET /authors': { 200: list(named('Author')) },
    'POST /authors': { body: object({ 'name!': text }), 201: named('Author') },
    'DELETE /authors/{authorId}': { 204: null },
    'GET /authors/{authorId}/books': { 200: list(named('Book')) },
    'POST /authors/{authorId}/books': { body: object({ 'title!': text }), 201: named('Book') },
    'GET /authors/{authorId}/books/{bookId}': { 200: named('Book') },
    'GET /tags': { 200: list(named('Tag')) },
    'GET /tags/{tagId}': { 200: named('Tag') },
    'GET /authors/{authorId}/books/{bookId}/tags': { 200: list(named('Tag')) },
    'POST /authors/{authorId}/books/{bookId}/tags': { body: object({ 'name!': text }), 201: named('Tag') },
  },
  {
    Author: object({ 'id!': integer, 'name!': text }),
    Book: object({ 'id!': integer, 'title!': text }),
    Tag: object({ 'id!': integer, 'name!': text }),
  },
)

/** No collection has the tenants. */
export const tenants: string = toDocument(
  {
    'GET /tenants/{tenantId}/books': { 200: list(named('Book')) },
    'POST /tenants/{tenantId}/books': { body: object({ 'title!': text }), 201: named('Book') },
    'GET /tenants/{tenantId}/books/{bookId}': { 200: named('Book') },
    'PUT /tenants/{tenantId}/books/{bookId}': { body: object({ 'title!': text }), 200: named('Book') },
    'DELETE /tenants/{tenantId}/books/{bookId}': { 204: null },
    'GET /tenants/{tenantId}/books/{bookId}/pages': { 200: list(named('Page')) },
    'POST /tenants/{tenantId}/books/{bookId}/pages': { body: object({ 'text!': text }), 201: named('Page') },
  },
  { Book: object({ 'id!': integer, 'title!': text }), Page: object({ 'id!': integer, 'text!': text }) },
)

export const nestedScripts: readonly Script[] = [
  {
    name: 'records below one of their own kind have keys of their own, and are listed below it',
    document: tree,
    steps: `
      POST /nodes {"label":"a"} -> 201 {"id":1,"label":"a"}
      POST /nodes/1/children {"label":"b"} -> 201 {"id":2,"label":"b"}
      POST /nodes/2/children {"label":"c"} -> 201 {"id":3,"label":"c"}
      POST /nodes/1/causes {"label":"d"} -> 201 {"id":4,"label":"d"}
      POST /nodes/9/children {"label":"e"} -> 404
      GET /nodes/1/children -> 200 [{"id":2,"label":"b"}]
      GET /nodes/1/causes -> 200 [{"id":4,"label":"d"}]
      GET /nodes/3/children -> 200 []
      GET /nodes/9/children -> 404
      GET /nodes/9/related -> 404
      GET /nodes/3 -> 200 {"id":3,"label":"c"}
      DELETE /nodes/1 -> 204
      GET /nodes/1/children -> 404
      GET /nodes/2/children -> 200 [{"id":3,"label":"c"}]
      GET /nodes -> 200 [{"id":4,"label":"d"},{"id":3,"label":"c"},{"id":2,"label":"b"}]
    `,
  },
  {
    name: 'records name the one of their own kind that they are below, if they have a property for it',
    document: folders,
    steps: `
      POST /folders {"name":"a"} -> 201 {"id":"1","name":"a"}
      POST /folders/1/folders {"name":"b"} -> 201 {"id":"2","name":"b","parentId":"1"}
      POST /folders {"name":"c","parentId":"1"} -> 201 {"id":"3","name":"c","parentId":"1"}
      POST /folders/x/folders {"name":"d"} -> 404
      GET /folders/1/folders -> 200 [{"id":"3","name":"c","parentId":"1"},{"id":"2","name":"b","parentId":"1"}]
      GET /folders/2/folders -> 200 []
      GET /folders/x/folders -> 404
      DELETE /folders/2/folders/3 -> 404
      DELETE /folders/1/folders/3 -> 204
      GET /folders -> 200 [{"id":"2","name":"b","parentId":"1"},{"id":"1","name":"a"}]
    `,
  },
  {
    name: 'records below one of their own kind are removed there, if nothing else removes them',
    document: toDocument(groups, group),
    steps: `
      POST /groups {"name":"a"} -> 201 {"id":1,"name":"a"}
      POST /groups {"name":"b"} -> 201 {"id":2,"name":"b"}
      DELETE /groups/1/groups/2 -> 404
      PUT /groups/1/groups/2 -> 204
      DELETE /groups/1/groups/2 -> 204
      GET /groups -> 200 [{"id":1,"name":"a"}]
    `,
  },
  {
    name: 'records that name one of their own kind are listed below it, also where nothing adds them there',
    document: threads,
    steps: `
      POST /notes {"text":"a"} -> 201 {"id":1,"text":"a"}
      POST /notes {"text":"b","parent_note_id":1} -> 201 {"id":2,"text":"b","parent_note_id":1}
      GET /notes/1/child-notes -> 200 [{"id":2,"text":"b","parent_note_id":1}]
      GET /notes/2/child-notes -> 200 []
      GET /notes/9/child-notes -> 404
      DELETE /notes/1 -> 204
      GET /notes/2 -> 200 {"id":2,"text":"b","parent_note_id":1}
    `,
  },
  {
    name: 'records are attached to one of their own kind, and detached',
    document: toDocument({ ...groups, 'DELETE /groups/{groupId}': { 204: null } }, group),
    steps: `
      POST /groups {"name":"a"} -> 201 {"id":1,"name":"a"}
      POST /groups {"name":"b"} -> 201 {"id":2,"name":"b"}
      PUT /groups/1/groups/2 -> 204
      GET /groups/1/groups -> 200 [{"id":2,"name":"b"}]
      GET /groups/2/groups -> 200 []
      DELETE /groups/1/groups/2 -> 204
      GET /groups/1/groups -> 200 []
      PUT /groups/2/groups/2 -> 204
      PUT /groups/1/groups/2 -> 204
      PUT /groups/2/groups/1 -> 204
      GET /groups -> 200 [{"id":2,"name":"b"},{"id":1,"name":"a"}]
      DELETE /groups/2 -> 204
      GET /groups -> 200 [{"id":1,"name":"a"}]
    `,
  },
  {
    name: 'shows a record only below the record that it was created in',
    document: library,
    steps: `
      ${twoAuthors}
      POST /authors/1/books {"title":"Emma","genre":"novel"} -> 201 {"id":1,"title":"Emma","genre":"novel"}
      POST /authors/2/books {"title":"Faust"} -> 201 {"id":2,"title":"Faust"}
      GET /authors/1/books -> 200 [{"id":1,"title":"Emma","genre":"novel"}]
      GET /authors/2/books -> 200 [{"id":2,"title":"Faust"}]
      GET /authors/1/books/1 -> 200 {"id":1,"title":"Emma","genre":"novel"}
      GET /authors/2/books/1 -> 404
      GET /authors/1/books/2 -> 404
    `,
  },
  {
    name: 'changes and removes a record only below its own owner',
    document: library,
    steps: `
      ${twoAuthors}
      POST /authors/1/books {"title":"Emma","genre":"novel"} -> 201
      PUT /authors/2/books/1 {"title":"X"} -> 404
      PATCH /authors/2/books/1 {"title":"X"} -> 404
      DELETE /authors/2/books/1 -> 404
      PATCH /authors/1/books/1 {"title":"Emma 2"} -> 200 {"id":1,"title":"Emma 2","genre":"novel"}
      PUT /authors/1/books/1 {"title":"Emma 3"} -> 200 {"id":1,"title":"Emma 3"}
      GET /authors/1/books -> 200 [{"id":1,"title":"Emma 3"}]
      DELETE /authors/1/books/1 -> 204
      GET /authors/1/books -> 200 []
      GET /authors/1/books/1 -> 404
      DELETE /authors/1/books/1 -> 404
    `,
  },
  {
    name: 'filters and limits the list of one owner',
    document: library,
    steps: `
      ${twoAuthors}
      POST /authors/1/books {"title":"A","genre":"x"} -> 201
      POST /authors/2/books {"title":"B","genre":"x"} -> 201
      POST /authors/1/books {"title":"C","genre":"y"} -> 201
      POST /authors/1/books {"title":"D","genre":"x"} -> 201
      GET /authors/1/books?genre=x -> 200 [{"id":4,"title":"D","genre":"x"},{"id":1,"title":"A","genre":"x"}]
      GET /authors/1/books?limit=1 -> 200 [{"id":4,"title":"D","genre":"x"}]
      GET /authors/2/books?genre=x -> 200 [{"id":2,"title":"B","genre":"x"}]
      GET /authors/2/books?genre=y -> 200 []
    `,
  },
  {
    name: 'answers 404 below an unknown record, for every method and depth',
    document: library,
    steps: `
      ${twoAuthors}
      POST /authors/1/books {"title":"Emma"} -> 201
      POST /authors/1/books/1/pages {"text":"p"} -> 201
      GET /authors/3/books -> 404
      POST /authors/3/books {"title":"X"} -> 404
      GET /authors/3/books/1 -> 404
      PUT /authors/3/books/1 {"title":"X"} -> 404
      PATCH /authors/3/books/1 {"title":"X"} -> 404
      DELETE /authors/3/books/1 -> 404
      GET /authors/3/books/1/pages -> 404
      GET /authors/1/books/2/pages -> 404
      GET /authors/2/books/1/pages -> 404
      POST /authors/2/books/1/pages {"text":"x"} -> 404
      POST /authors/1/books/2/pages {"text":"x"} -> 404
      GET /authors/2/books/1/pages/1 -> 404
      PUT /authors/2/books/1/pages/1 {"text":"x"} -> 404
      DELETE /authors/2/books/1/pages/1 -> 404
      GET /authors/1/books/1/pages -> 200 [{"id":1,"text":"p"}]
    `,
  },
  {
    name: 'names the owner that is missing, the outermost first',
    document: library,
    steps: `
      ${twoAuthors}
      GET /authors/9/books -> 404 {"code":"not_found","message":"There is no record with id 9 in authors","status":404}
      GET /authors/9/books/8/pages -> 404 {"code":"not_found","message":"There is no record with id 9 in authors","status":404}
      GET /authors/1/books/8/pages -> 404 {"code":"not_found","message":"There is no record with id 8 in books","status":404}
      GET /authors/1/books/8 -> 404 {"code":"not_found","message":"There is no record with id 8 in books","status":404}
    `,
  },
  {
    name: 'keeps records at the second depth',
    document: library,
    steps: `
      ${twoAuthors}
      POST /authors/1/books {"title":"Emma"} -> 201
      POST /authors/1/books {"title":"Faust"} -> 201
      POST /authors/1/books/1/pages {"text":"a"} -> 201 {"id":1,"text":"a"}
      POST /authors/1/books/2/pages {"text":"b"} -> 201 {"id":2,"text":"b"}
      GET /authors/1/books/1/pages -> 200 [{"id":1,"text":"a"}]
      GET /authors/1/books/2/pages -> 200 [{"id":2,"text":"b"}]
      GET /authors/1/books/2/pages/1 -> 404
      PUT /authors/1/books/1/pages/1 {"text":"c"} -> 200 {"id":1,"text":"c"}
      GET /authors/1/books/1/pages/1 -> 200 {"id":1,"text":"c"}
      DELETE /authors/1/books/1/pages/1 -> 204
      GET /authors/1/books/1/pages -> 200 []
      GET /authors/1/books/2/pages -> 200 [{"id":2,"text":"b"}]
    `,
  },
  {
    name: 'removes with a record everything below it, and nothing else',
    document: library,
    steps: `
      ${twoAuthors}
      POST /authors/1/books {"title":"Emma"} -> 201
      POST /authors/2/books {"title":"Faust"} -> 201
      POST /authors/1/books/1/pages {"text":"a"} -> 201
      POST /authors/2/books/2/pages {"text":"b"} -> 201
      DELETE /authors/1 -> 204
      GET /authors -> 200 [{"id":2,"name":"Bo"}]
      GET /authors/1/books -> 404
      GET /authors/1/books/1 -> 404
      GET /authors/1/books/1/pages/1 -> 404
      GET /authors/2/books/2/pages -> 200 [{"id":2,"text":"b"}]
      GET /authors/2/books -> 200 [{"id":2,"title":"Faust"}]
    `,
  },
  {
    name: 'has nothing left below a record that is created again with the key of a removed one',
    document: files,
    steps: `
      POST /folders {"name":"a"} -> 201
      PUT /folders/a/files/x {"content":"1"} -> 201
      DELETE /folders/a -> 204
      POST /folders {"name":"a"} -> 201
      GET /folders/a/files -> 200 []
      GET /folders/a/files/x -> 404
    `,
  },
  {
    name: 'keeps records of one key below two owners apart',
    document: files,
    steps: `
      POST /folders {"name":"a"} -> 201
      POST /folders {"name":"b"} -> 201
      PUT /folders/a/files/x {"content":"1"} -> 201 {"name":"x","content":"1"}
      PUT /folders/b/files/x {"content":"2"} -> 201 {"name":"x","content":"2"}
      PUT /folders/a/files/x {"content":"3"} -> 200 {"name":"x","content":"3"}
      GET /folders/a/files -> 200 [{"name":"x","content":"3"}]
      GET /folders/b/files -> 200 [{"name":"x","content":"2"}]
      GET /folders/b/files/x -> 200 {"name":"x","content":"2"}
      DELETE /folders/a/files/x -> 204
      GET /folders/a/files/x -> 404
      GET /folders/b/files/x -> 200 {"name":"x","content":"2"}
      PUT /folders/c/files/x {"content":"2"} -> 404
    `,
  },
  {
    name: 'shows the same records by two paths, with a foreign key',
    document: shelfWithKey,
    steps: `
      ${twoAuthors}
      POST /books {"title":"Emma","authorId":1} -> 201 {"id":1,"title":"Emma","authorId":1}
      POST /authors/2/books {"title":"Faust"} -> 201 {"id":2,"title":"Faust","authorId":2}
      POST /books {"title":"Anon"} -> 201 {"id":3,"title":"Anon"}
      GET /authors/1/books -> 200 [{"id":1,"title":"Emma","authorId":1}]
      GET /authors/2/books -> 200 [{"id":2,"title":"Faust","authorId":2}]
      GET /books/2 -> 200 {"id":2,"title":"Faust","authorId":2}
      GET /authors/2/books/1 -> 404
      GET /authors/3/books -> 404
      DELETE /books/2 -> 204
      GET /authors/2/books -> 200 []
    `,
  },
  {
    name: 'shows the same records by two paths, without a foreign key',
    document: shelfWithoutKey,
    steps: `
      ${twoAuthors}
      POST /books {"title":"Emma"} -> 201 {"id":1,"title":"Emma"}
      POST /authors/2/books {"title":"Faust"} -> 201 {"id":2,"title":"Faust"}
      GET /authors/1/books -> 200 []
      GET /authors/2/books -> 200 [{"id":2,"title":"Faust"}]
      GET /books -> 200 [{"id":2,"title":"Faust"},{"id":1,"title":"Emma"}]
      GET /authors/2/books/2 -> 200 {"id":2,"title":"Faust"}
      GET /authors/1/books/2 -> 404
    `,
  },
  {
    name: 'does not remove what has a path of its own with the record that it was below',
    document: shelfWithoutKey,
    steps: `
      ${twoAuthors}
      POST /authors/2/books {"title":"Faust"} -> 201
      DELETE /authors/2 -> 204
      GET /books -> 200 [{"id":1,"title":"Faust"}]
      GET /authors/1/books -> 200 []
      GET /authors/2/books -> 404
    `,
  },
  {
    name: 'attaches and detaches records that have a path of their own, to any number of others',
    document: shelfWithoutKey,
    steps: `
      ${twoAuthors}
      POST /books {"title":"Faust"} -> 201 {"id":1,"title":"Faust"}
      GET /authors/1/books -> 200 []
      PUT /authors/1/books/1 -> 204
      PUT /authors/2/books/1 -> 204
      PUT /authors/2/books/1 -> 204
      PUT /authors/2/books/9 -> 404
      PUT /authors/9/books/1 -> 404
      GET /authors/1/books -> 200 [{"id":1,"title":"Faust"}]
      GET /authors/2/books/1 -> 200 {"id":1,"title":"Faust"}
      DELETE /authors/1/books/1 -> 204
      DELETE /authors/1/books/1 -> 404
      GET /authors/1/books -> 200 []
      GET /authors/2/books -> 200 [{"id":1,"title":"Faust"}]
      GET /books/1 -> 200 {"id":1,"title":"Faust"}
      PUT /authors/1/books/1 -> 204
      DELETE /authors/2 -> 204
      GET /authors/1/books -> 200 [{"id":1,"title":"Faust"}]
      DELETE /books/1 -> 204
      GET /authors/1/books -> 200 []
    `,
  },
  {
    name: 'keeps the foreign key of a record whose owner is removed, as it was written',
    document: shelfWithKey,
    steps: `
      ${twoAuthors}
      POST /authors/2/books {"title":"Faust"} -> 201
      DELETE /authors/2 -> 204
      GET /books -> 200 [{"id":1,"title":"Faust","authorId":2}]
      GET /authors/2/books -> 404
    `,
  },
  {
    name: 'keeps what is below records that another path of theirs added',
    document: teams,
    steps: `
      POST /orgs/acme/teams {"id":1,"name":"core"} -> 201 {"id":1,"name":"core"}
      POST /orgs/acme/teams/core/notes {"title":"A"} -> 201 {"id":1,"title":"A"}
      POST /orgs/acme/teams/core/notes/1/answers {"said":"yes"} -> 201 {"id":1,"said":"yes"}
      GET /orgs/acme/teams/core/notes/1/answers -> 200 [{"id":1,"said":"yes"}]
      GET /orgs/acme/teams/core/notes/1/answers/1 -> 200 {"id":1,"said":"yes"}
      GET /orgs/acme/teams/core/notes/2/answers -> 404
    `,
  },
  {
    name: 'adds with PUT what its summary adds, although 404 is documented',
    document: members('Add or update the role of a member'),
    steps: `
      POST /groups {"name":"a"} -> 201 {"id":1,"name":"a"}
      PUT /groups/1/members/8 {"role":"owner"} -> 200 {"id":8,"role":"owner"}
      GET /groups/1/members -> 200 [{"id":8,"role":"owner"}]
      PUT /groups/2/members/8 {"role":"owner"} -> 404
    `,
  },
  {
    name: 'adds nothing with PUT where only a change is described',
    document: members('Change the role of a member'),
    steps: `
      POST /groups {"name":"a"} -> 201 {"id":1,"name":"a"}
      PUT /groups/1/members/8 {"role":"owner"} -> 404
      GET /groups/1/members -> 200 []
    `,
  },
  {
    name: 'takes the owner from the path, whatever the body says',
    document: shelfWithKey,
    steps: `
      ${twoAuthors}
      POST /authors/2/books {"title":"Faust","authorId":1} -> 201 {"id":1,"title":"Faust","authorId":2}
      GET /authors/1/books -> 200 []
    `,
  },
  {
    name: 'answers 404 for a key that no record of two paths has',
    document: shelfWithKey,
    steps: `
      ${twoAuthors}
      GET /books/9 -> 404
      DELETE /books/9 -> 404
      GET /authors/1/books/9 -> 404
      GET /books -> 200 []
    `,
  },
  {
    name: 'keeps what is below each value of a parameter that no collection has apart',
    document: tenants,
    steps: `
      GET /tenants/7/books -> 200 []
      POST /tenants/7/books {"title":"A"} -> 201 {"id":1,"title":"A"}
      POST /tenants/8/books {"title":"B"} -> 201 {"id":2,"title":"B"}
      GET /tenants/7/books -> 200 [{"id":1,"title":"A"}]
      GET /tenants/8/books -> 200 [{"id":2,"title":"B"}]
      GET /tenants/8/books/1 -> 404
      PUT /tenants/8/books/1 {"title":"X"} -> 404
      DELETE /tenants/8/books/1 -> 404
      POST /tenants/7/books/1/pages {"text":"p"} -> 201 {"id":1,"text":"p"}
      GET /tenants/7/books/1/pages -> 200 [{"id":1,"text":"p"}]
      GET /tenants/8/books/1/pages -> 404
      DELETE /tenants/7/books/1 -> 204
      GET /tenants/7/books/1/pages -> 404
    `,
  },
  {
    name: 'shows records of the scenario below every value of a parameter that no collection has',
    document: tenants,
    scenario: { books: [{ id: 5, title: 'Old' }] },
    steps: `
      GET /tenants/7/books -> 200 [{"id":5,"title":"Old"}]
      GET /tenants/8/books/5 -> 200 {"id":5,"title":"Old"}
      POST /tenants/7/books {"title":"New"} -> 201 {"id":6,"title":"New"}
      GET /tenants/7/books -> 200 [{"id":6,"title":"New"},{"id":5,"title":"Old"}]
      GET /tenants/8/books -> 200 [{"id":5,"title":"Old"}]
      PUT /tenants/7/books/5 {"title":"Changed"} -> 200 {"id":5,"title":"Changed"}
      GET /tenants/8/books/5 -> 200 {"id":5,"title":"Changed"}
      DELETE /tenants/8/books/5 -> 204
      GET /tenants/7/books -> 200 [{"id":6,"title":"New"}]
    `,
  },
  {
    name: 'a record that has the key of its owner under a name of two words',
    document: toDocument(
      {
        'GET /login-lists': { 200: list(named('LoginList')) },
        'POST /login-lists': { body: object({ name: text }), 201: named('LoginList') },
        'GET /login-lists/{sid}': { 200: named('LoginList') },
        'POST /login-lists/{loginListSid}/logins': { body: object({ name: text }), 201: named('Login') },
        'GET /login-lists/{loginListSid}/logins/{sid}': { 200: named('Login') },
      },
      {
        LoginList: object({ 'sid!': text, name: text }),
        Login: object({ 'sid!': text, login_list_sid: text, name: text }),
      },
    ),
    steps: `
      POST /login-lists {"name":"a"} -> 201 {"sid":"1","name":"a"}
      POST /login-lists/1/logins {"name":"b"} -> 201 {"sid":"1","login_list_sid":"1","name":"b"}
      GET /login-lists/1/logins/1 -> 200 {"sid":"1","login_list_sid":"1","name":"b"}
    `,
  },
  {
    name: 'a record that shows its owner alone, and in a list',
    document: toDocument(
      {
        'GET /teams': { 200: list(named('Team')) },
        'POST /teams': { body: object({ name: text }), 201: named('Team') },
        'GET /teams/{teamId}': { 200: named('Team') },
        'POST /teams/{teamId}/boards': { body: object({ title: text }), 201: named('Board') },
        'GET /teams/{teamId}/boards': { 200: list(named('Board')) },
        'GET /boards/{boardId}': { 200: named('Board') },
      },
      {
        Team: object({ 'id!': integer, name: text }),
        Board: object({ 'id!': integer, title: text, teams: list(named('Team')), team: named('Team') }),
      },
    ),
    steps: `
      POST /teams {"name":"a"} -> 201 {"id":1,"name":"a"}
      POST /teams/1/boards {"title":"b"} -> 201 {"id":1,"title":"b","teams":[{"id":1,"name":"a"}],"team":{"id":1,"name":"a"}}
      GET /boards/1 -> 200 {"id":1,"title":"b","teams":[{"id":1,"name":"a"}],"team":{"id":1,"name":"a"}}
    `,
  },
  {
    name: 'a record that counts the records below it, and its own list',
    document: toDocument(
      {
        'GET /teams': { 200: list(named('Team')) },
        'POST /teams': { body: object({ name: text, tags: list(text) }), 201: named('Team') },
        'GET /teams/{teamId}': { 200: named('Team') },
        'PATCH /teams/{teamId}': { body: object({ tags: list(text) }), 200: named('Team') },
        'POST /teams/{teamId}/board-members': { body: object({ name: text }), 201: named('Member') },
        'DELETE /teams/{teamId}/board-members/{memberId}': { 204: null },
        'POST /teams/{teamId}/files': { body: object({ name: text }), 201: named('File') },
      },
      {
        Team: object({
          'id!': integer,
          name: text,
          tags: list(text),
          tag_count: integer,
          numBoardMembers: integer,
          file_counts: object({ total: integer, failed: integer }),
        }),
        Member: object({ 'id!': integer, name: text }),
        File: object({ 'id!': integer, name: text }),
      },
    ),
    steps: `
      POST /teams {"name":"a","tags":["x"]} -> 201 {"id":1,"name":"a","tags":["x"],"tag_count":1,"numBoardMembers":0,"file_counts":{"total":0,"failed":0}}
      POST /teams {"name":"b"} -> 201
      POST /teams/1/board-members {"name":"m"} -> 201
      POST /teams/1/board-members {"name":"n"} -> 201
      POST /teams/2/board-members {"name":"o"} -> 201
      DELETE /teams/1/board-members/1 -> 204
      POST /teams/1/files {"name":"f"} -> 201
      PATCH /teams/1 {"tags":["x","y","z"]} -> 200 {"id":1,"name":"a","tags":["x","y","z"],"tag_count":3,"numBoardMembers":1,"file_counts":{"total":1,"failed":0}}
      GET /teams/2 -> 200 {"id":2,"name":"b","tags":[],"tag_count":0,"numBoardMembers":1,"file_counts":{"total":0,"failed":0}}
    `,
  },
]
