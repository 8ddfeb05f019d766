/** Actions: what `POST /orders/{orderId}/cancel` changes of a record. */
import { now, type Script } from '../support/script.js'
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

/** Orders with the properties and actions of a case. */
function orders(properties: Record<string, Schema>, ...verbs: string[]): string {
  const actions = verbs.map((verb) => [`POST /orders/{orderId}/${verb}`, { 200: named('Order') }])
  return toDocument(
    {
      'GET /orders': { 200: list(named('Order')) },
      'POST /orders': { body: object({ 'item!': text }), 201: named('Order') },
      'GET /orders/{orderId}': { 200: named('Order') },
      ...Object.fromEntries(actions),
    },
    { Order: object({ 'id!': integer, 'item!': text, ...properties }) },
  )
}

const create = 'POST /orders {"item":"x"} -> 201'

const silent = toDocument(
  {
    'GET /orders': { 200: list(named('Order')) },
    'POST /orders': { body: object({ 'item!': text }), 201: named('Order') },
    'GET /orders/{orderId}': { 200: named('Order') },
    'POST /orders/{orderId}/cancel': { 204: null },
    'POST /orders/{orderId}/ship': { 202: object({ 'queued!': { const: true } }) },
  },
  { Order: object({ 'id!': integer, 'item!': text, status: oneOfTexts('open', 'cancelled', 'shipped') }) },
)

const nested = toDocument(
  {
    'GET /shops': { 200: list(named('Shop')) },
    'POST /shops': { body: object({ 'name!': text }), 201: named('Shop') },
    'GET /shops/{shopId}/orders': { 200: list(named('Order')) },
    'POST /shops/{shopId}/orders': { body: object({ 'item!': text }), 201: named('Order') },
    'GET /shops/{shopId}/orders/{orderId}': { 200: named('Order') },
    'POST /shops/{shopId}/orders/{orderId}/cancel': { 200: named('Order') },
  },
  {
    Shop: object({ 'id!': integer, 'name!': text }),
    Order: object({ 'id!': integer, 'item!': text, status: oneOfTexts('open', 'cancelled') }),
  },
)

/** Lists of a record that paths below it only add to. */
const lists = toDocument(
  {
    'POST /gates': { body: object({ name: text }), 201: named('Gate') },
    'GET /gates/{gateId}': { 200: named('Gate') },
    'POST /gates/{gateId}/rules': { body: object({ rules: list(named('Rule')) }), 204: null },
    'POST /gates/{gateId}/checks': { body: named('Rule'), 200: named('Gate') },
    'POST /gates/{gateId}/labels': { body: list(text), 200: object({ labels: list(text) }) },
    'POST /gates/{gateId}/notes': { body: object({ text }), 201: named('Note') },
    'PUT /gates/{gateId}/mode': { body: object({ mode: text }), 200: object({ mode: text }) },
    'POST /gates/{gateId}/create-from-draft': { 201: named('Gate') },
  },
  {
    Gate: object({
      ...{ 'id!': integer, name: text, mode: text, rules: list(named('Rule')), checks: list(named('Rule')) },
      ...{ labels: list(text), notes: list(named('Note')) },
    }),
    Rule: object({ port: integer, protocol: text }),
    Note: object({ id: integer, text }),
  },
)

/** Records with a flag that a verb sets, and DELETE takes back. */
function posts(...cases: [verb: string, properties: Record<string, Schema>][]): string {
  const operations = cases.map(([verb]) => {
    const [path, record] = [verb === 'watch' ? '/watches' : `/${verb}s`, named(verb)]
    return {
      [`POST ${path}`]: { body: object({ text }), 201: record },
      [`GET ${path}/{id}`]: { 200: record },
      [`POST ${path}/{id}/${verb}`]: { 200: record },
      [`DELETE ${path}/{id}/${verb}`]: { 204: null },
    }
  })
  const schemas = cases.map(([verb, own]) => [verb, object({ 'id!': integer, text, ...own })])
  return toDocument(Object.assign({}, ...operations), Object.fromEntries(schemas))
}

const parts = toDocument(
  {
    'POST /books': { body: object({ name: text }), 201: named('Book') },
    'GET /books/{bookId}': { 200: named('Book') },
    'PATCH /books/{bookId}/read-progress': { body: object({ page: integer }), 204: null },
    'DELETE /books/{bookId}/read-progress': { 204: null },
    'PUT /books/{bookId}/lock': { body: object({ 'reason!': text }), 204: null },
    'DELETE /books/{bookId}/lock': { 204: null },
    'GET /books/{bookId}/view-settings': { 200: object({ 'zoom!': integer }) },
    'PUT /books/{bookId}/view-settings': { body: object({ 'zoom!': integer }), 200: object({ 'zoom!': integer }) },
    'DELETE /books/{bookId}/view-settings': { 204: null },
    'PUT /books/{bookId}/rating': { body: object({ 'rating!': integer }), 204: null },
    'DELETE /books/{bookId}/rating': { 204: null },
    'DELETE /books/{bookId}/cache/all': { 204: null },
  },
  {
    Book: object({
      ...{ 'id!': integer, name: text, readProgress: object({ page: integer }), lock: object({ reason: text }) },
      ...{ view_settings: object({ 'zoom!': integer }), rating: { type: ['integer', 'null'] } },
    }),
  },
)

const stopping = JSON.parse(
  toDocument(
    {
      'POST /jobs': { body: object({ name: text }), 201: named('Job') },
      'GET /jobs/{jobId}': { 200: named('Job') },
      'PUT /jobs/{jobId}/stop': { 200: named('Job') },
    },
    { Job: object({ 'id!': integer, name: text, status: oneOfTexts('queued', 'running', 'cancelled') }) },
  ),
)
stopping.paths['/jobs/{jobId}/stop'].put.operationId = 'cancelJob'
const stoppable = JSON.stringify(stopping)

export const actionScripts: readonly Script[] = [
  {
    name: 'adds to a list of the record what is sent, with a key if items have one',
    document: lists,
    steps: `
      POST /gates {"name":"a"} -> 201 {"id":1,"name":"a","rules":[],"checks":[],"labels":[],"notes":[]}
      POST /gates/1/rules {"rules":[{"port":80},{"port":81}]} -> 204
      POST /gates/1/checks {"port":7} -> 200 {"id":1,"name":"a","rules":[{"port":80},{"port":81}],"checks":[{"port":7}],"labels":[],"notes":[]}
      POST /gates/1/labels ["x","y"] -> 200
      POST /gates/1/notes {"text":"t"} -> 201
      GET /gates/1 -> 200 {"id":1,"name":"a","rules":[{"port":80},{"port":81}],"checks":[{"port":7}],"labels":["x","y"],"notes":[{"id":1,"text":"t"}]}
      POST /gates/2/rules {"rules":[]} -> 404
    `,
  },
  {
    name: 'reaches the state with the name of its operation before one that another verb leaves',
    document: stoppable,
    steps: `
      POST /jobs {"name":"a"} -> 201 {"id":1,"name":"a","status":"queued"}
      PUT /jobs/1/stop -> 200 {"id":1,"name":"a","status":"cancelled"}
    `,
  },
  {
    name: 'creates a record where its name and status say so',
    document: lists,
    steps: `
      POST /gates {"name":"a"} -> 201
      POST /gates/1/create-from-draft -> 201 {"id":2,"name":"a","rules":[],"checks":[],"labels":[],"notes":[]}
      GET /gates/2 -> 200 {"id":2,"name":"a","rules":[],"checks":[],"labels":[],"notes":[]}
    `,
  },
  {
    name: 'keeps a property that is not sent',
    document: lists,
    steps: `
      POST /gates {"name":"a"} -> 201
      PUT /gates/1/mode {"mode":"m"} -> 200 {"mode":"m"}
      PUT /gates/1/mode {} -> 200 {"mode":"m"}
      GET /gates/1 -> 200 {"id":1,"name":"a","mode":"m","rules":[],"checks":[],"labels":[],"notes":[]}
    `,
  },
  {
    name: 'sets a status to the participle of the verb, and keeps it',
    document: orders({ status: oneOfTexts('open', 'canceled', 'paid', 'in_progress') }, 'cancel', 'pay', 'start'),
    steps: `
      ${create}
      POST /orders/1/cancel -> 200 {"id":1,"item":"x","status":"canceled"}
      GET /orders/1 -> 200 {"id":1,"item":"x","status":"canceled"}
      POST /orders/1/pay -> 200 {"id":1,"item":"x","status":"paid"}
      POST /orders/1/start -> 200 {"id":1,"item":"x","status":"in_progress"}
      GET /orders -> 200 [{"id":1,"item":"x","status":"in_progress"}]
      POST /orders/2/cancel -> 404
    `,
  },
  {
    name: 'sets a state whose values are not listed to the participle of a known state, as the document writes it',
    document: orders({ 'status!': { type: 'string', description: 'E.g. Cancelled' } }, 'cancel', 'pay', 'refresh'),
    steps: `
      ${create} {"id":1,"item":"x","status":"pending"}
      POST /orders/1/refresh -> 200 {"id":1,"item":"x","status":"pending"}
      POST /orders/1/pay -> 200 {"id":1,"item":"x","status":"paid"}
      POST /orders/1/cancel -> 200 {"id":1,"item":"x","status":"cancelled"}
    `,
  },
  {
    name: 'that takes something from a record does not delete what DELETE deletes',
    document: toDocument(
      {
        'POST /disks': { body: object({ 'title!': text }), 201: named('Disk') },
        'GET /disks/{diskId}': { 200: named('Disk') },
        'DELETE /disks/{diskId}': { 204: null },
        'POST /disks/{diskId}/detach': { 200: named('Disk') },
        'POST /disks/{diskId}/remove': { body: object({ partition: text }), 200: named('Disk') },
      },
      { Disk: object({ 'id!': integer, 'title!': text }) },
    ),
    steps: `
      POST /disks {"title":"x"} -> 201 {"id":1,"title":"x"}
      POST /disks/1/detach -> 200 {"id":1,"title":"x"}
      POST /disks/1/remove {"partition":"a"} -> 200 {"id":1,"title":"x"}
      GET /disks/1 -> 200 {"id":1,"title":"x"}
      DELETE /disks/1 -> 204
      GET /disks/1 -> 404
    `,
  },
  {
    name: 'copies what only other requests write',
    document: toDocument(
      {
        'POST /orders': { body: object({ 'item!': text }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'PATCH /orders/{orderId}': { body: object({ note: text, urgent: flag }), 200: named('Order') },
        'POST /orders/{orderId}/duplicate': { body: object({ item: text }), 201: named('Order') },
      },
      { Order: object({ 'id!': integer, 'item!': text, note: text, 'urgent!': flag, 'views!': integer }) },
    ),
    steps: `
      ${create} {"id":1,"item":"x","urgent":false,"views":0}
      PATCH /orders/1 {"note":"n","urgent":true} -> 200 {"id":1,"item":"x","note":"n","urgent":true,"views":0}
      POST /orders/1/duplicate {"item":"y"} -> 201 {"id":2,"item":"y","note":"n","urgent":true,"views":0}
    `,
  },
  {
    name: 'answers whether it succeeded, which is not the state of the record',
    document: toDocument(
      {
        'POST /orders': { body: object({ 'item!': text }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'POST /orders/{orderId}/ship': { 200: object({ 'status!': oneOfTexts('error', 'success') }) },
      },
      { Order: object({ 'id!': integer, 'item!': text, 'status!': oneOfTexts('open', 'shipped') }) },
    ),
    steps: `
      ${create} {"id":1,"item":"x","status":"open"}
      POST /orders/1/ship -> 200 {"status":"success"}
      GET /orders/1 -> 200 {"id":1,"item":"x","status":"shipped"}
    `,
  },
  {
    name: 'writes the participle as the enum does',
    document: orders({ state: oneOfTexts('OPEN', 'CANCELLED') }, 'cancel'),
    steps: `
      ${create}
      POST /orders/1/cancel -> 200 {"id":1,"item":"x","state":"CANCELLED"}
    `,
  },
  {
    name: 'sets a flag, and clears it with the opposite verb',
    document: orders(
      { archived: flag, isLocked: flag, enabled: flag },
      'archive',
      'unarchive',
      'lock',
      'unlock',
      'disable',
      'enable',
    ),
    steps: `
      ${create}
      POST /orders/1/archive -> 200 {"id":1,"item":"x","archived":true,"isLocked":false,"enabled":true}
      POST /orders/1/lock -> 200 {"id":1,"item":"x","archived":true,"isLocked":true,"enabled":true}
      POST /orders/1/unarchive -> 200 {"id":1,"item":"x","archived":false,"isLocked":true,"enabled":true}
      POST /orders/1/unlock -> 200 {"id":1,"item":"x","archived":false,"isLocked":false,"enabled":true}
      POST /orders/1/enable -> 200 {"id":1,"item":"x","archived":false,"isLocked":false,"enabled":true}
      POST /orders/1/disable -> 200 {"id":1,"item":"x","archived":false,"isLocked":false,"enabled":false}
      GET /orders/1 -> 200 {"id":1,"item":"x","archived":false,"isLocked":false,"enabled":false}
    `,
  },
  {
    name: 'takes back what another verb did, also by DELETE on its path',
    document: toDocument(
      {
        'GET /orders': { 200: list(named('Order')) },
        'POST /orders': { body: object({ 'item!': text }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'POST /orders/{orderId}/archive': { 200: named('Order') },
        'DELETE /orders/{orderId}/archive': { 200: named('Order') },
        'POST /orders/{orderId}/enable': { 200: named('Order') },
        'POST /orders/{orderId}/disable': { 200: named('Order') },
        'POST /orders/{orderId}/restore': { 200: named('Order') },
      },
      {
        Order: object({
          'id!': integer,
          'item!': text,
          state: oneOfTexts('active', 'archived'),
          disabled: flag,
          deleted_at: { ...time, type: ['string', 'null'] },
        }),
      },
    ),
    steps: `
      ${create}
      POST /orders/1/archive -> 200 {"id":1,"item":"x","state":"archived","disabled":false,"deleted_at":null}
      DELETE /orders/1/archive -> 200 {"id":1,"item":"x","state":"active","disabled":false,"deleted_at":null}
      POST /orders/1/disable -> 200 {"id":1,"item":"x","state":"active","disabled":true,"deleted_at":null}
      POST /orders/1/enable -> 200 {"id":1,"item":"x","state":"active","disabled":false,"deleted_at":null}
      POST /orders/1/archive -> 200 {"id":1,"item":"x","state":"archived","disabled":false,"deleted_at":null}
      POST /orders/1/restore -> 200 {"id":1,"item":"x","state":"active","disabled":false,"deleted_at":null}
    `,
  },
  {
    name: 'sets the time with the status',
    document: orders(
      { status: oneOfTexts('draft', 'published'), publishedAt: time, cancelled_at: time },
      'publish',
      'cancel',
    ),
    steps: `
      ${create}
      POST /orders/1/publish -> 200 {"id":1,"item":"x","status":"published","publishedAt":"${now}"}
      POST /orders/1/cancel -> 200 {"id":1,"item":"x","status":"published","publishedAt":"${now}","cancelled_at":"${now}"}
    `,
  },
  {
    name: 'changes nothing where no property has the name of the verb',
    document: orders({ status: oneOfTexts('open', 'closed') }, 'refresh'),
    steps: `
      ${create}
      POST /orders/1/refresh -> 200 {"id":1,"item":"x","status":"open"}
      GET /orders/1 -> 200 {"id":1,"item":"x","status":"open"}
      POST /orders/7/refresh -> 404
    `,
  },
  {
    name: 'changes the record where the answer does not show it',
    document: silent,
    steps: `
      ${create}
      POST /orders/1/cancel -> 204
      GET /orders/1 -> 200 {"id":1,"item":"x","status":"cancelled"}
      POST /orders/1/ship -> 202 {"queued":true}
      GET /orders/1 -> 200 {"id":1,"item":"x","status":"shipped"}
      POST /orders/2/cancel -> 404
    `,
  },
  {
    name: 'changes a record only below its own owner',
    document: nested,
    steps: `
      POST /shops {"name":"a"} -> 201
      POST /shops {"name":"b"} -> 201
      POST /shops/1/orders {"item":"x"} -> 201
      POST /shops/2/orders/1/cancel -> 404
      POST /shops/3/orders/1/cancel -> 404
      GET /shops/1/orders -> 200 [{"id":1,"item":"x","status":"open"}]
      POST /shops/1/orders/1/cancel -> 200 {"id":1,"item":"x","status":"cancelled"}
      GET /shops/1/orders/1 -> 200 {"id":1,"item":"x","status":"cancelled"}
    `,
  },
  {
    name: 'takes a body that has nothing of the record, and stores none of it',
    document: toDocument(
      {
        'GET /users': { 200: list(named('User')) },
        'POST /users': { body: object({ 'name!': text }), 201: named('User') },
        'GET /users/{userId}': { 200: named('User') },
        'POST /users/{userId}/password': {
          id: 'updateUserPassword',
          body: object({ 'before!': text, 'after!': text }),
          204: null,
        },
        'POST /users/{userId}/profile': { id: 'updateUserProfile', body: object({ 'city!': text }), 204: null },
      },
      { User: { ...object({ 'id!': integer, 'name!': text, city: text }), additionalProperties: false } },
    ),
    steps: `
      POST /users {"name":"Ida"} -> 201
      POST /users/1/password {"before":"a","after":"b"} -> 204
      POST /users/2/password {"before":"a","after":"b"} -> 404
      GET /users/1 -> 200 {"id":1,"name":"Ida"}
      POST /users/1/profile {"city":"Bern"} -> 204
      GET /users/1 -> 200 {"id":1,"name":"Ida","city":"Bern"}
    `,
  },
  {
    name: 'goes back to the state from which records begin',
    document: orders({ status: oneOfTexts('disabled', 'active', 'idle') }, 'disable', 'enable'),
    steps: `
      POST /orders {"item":"x"} -> 201 {"id":1,"item":"x","status":"idle"}
      POST /orders/1/disable -> 200 {"id":1,"item":"x","status":"disabled"}
      POST /orders/1/enable -> 200 {"id":1,"item":"x","status":"idle"}
    `,
  },
  {
    name: 'sets a state that has another name than the verb',
    document: orders(
      { status: oneOfTexts('open', 'succeeded', 'OFFLINE', 'schedule') },
      'capture',
      'power_off',
      'schedule',
    ),
    steps: `
      ${create}
      POST /orders/1/capture -> 200 {"id":1,"item":"x","status":"succeeded"}
      POST /orders/1/schedule -> 200 {"id":1,"item":"x","status":"schedule"}
    `,
  },
  {
    name: 'keeps the values that are sent and that records have',
    document: toDocument(
      {
        'GET /orders': { 200: list(named('Order')) },
        'POST /orders': { body: object({ 'item!': text }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'POST /orders/{orderId}/resize': {
          body: object({ size: integer, note: text, item: integer }),
          200: named('Order'),
        },
        'POST /orders/{orderId}/reassign': { body: object({ new_item: text, id: integer }), 200: named('Order') },
      },
      { Order: object({ 'id!': integer, 'item!': text, size: integer }) },
    ),
    steps: `
      ${create}
      POST /orders/1/resize {"size":4,"note":"now","item":7} -> 200 {"id":1,"item":"x","size":4}
      POST /orders/1/reassign {"new_item":"y","id":9} -> 200 {"id":1,"item":"y","size":4}
      GET /orders/1 -> 200 {"id":1,"item":"y","size":4}
    `,
  },
  {
    name: 'copies a record',
    document: toDocument(
      {
        'GET /orders': { 200: list(named('Order')) },
        'POST /orders': { body: object({ 'item!': text, size: integer }), 201: named('Order') },
        'GET /orders/{orderId}': { 200: named('Order') },
        'POST /orders/{orderId}/close': { 200: named('Order') },
        'POST /orders/{orderId}/copy': { body: object({ item: text }), 201: named('Order') },
      },
      { Order: object({ 'id!': integer, 'item!': text, size: integer, status: oneOfTexts('open', 'closed') }) },
    ),
    steps: `
      POST /orders {"item":"x","size":2} -> 201 {"id":1,"item":"x","size":2,"status":"open"}
      POST /orders/1/close -> 200 {"id":1,"item":"x","size":2,"status":"closed"}
      POST /orders/1/copy {"item":"y"} -> 201 {"id":2,"item":"y","size":2,"status":"open"}
      POST /orders/2/copy -> 201 {"id":3,"item":"y","size":2,"status":"open"}
      GET /orders -> 200 [{"id":3,"item":"y","size":2,"status":"open"},{"id":2,"item":"y","size":2,"status":"open"},{"id":1,"item":"x","size":2,"status":"closed"}]
      POST /orders/9/copy -> 404
    `,
  },
  {
    name: 'of a change sets the time of its event, and a change back clears it',
    document: toDocument(
      {
        'GET /orders': { 200: list(named('Order')) },
        'POST /orders': { body: object({ 'item!': text, done: flag, state: text }), 201: named('Order') },
        'PATCH /orders/{orderId}': {
          body: object({ done: flag, state: oneOfTexts('open', 'closed') }),
          200: named('Order'),
        },
      },
      {
        Order: object({
          'id!': integer,
          'item!': text,
          done: flag,
          done_at: { ...time, type: ['string', 'null'] },
          state: oneOfTexts('open', 'closed'),
          closedOn: time,
        }),
      },
    ),
    steps: `
      POST /orders {"item":"x"} -> 201 {"id":1,"item":"x","done":false,"done_at":null,"state":"open"}
      PATCH /orders/1 {"done":true} -> 200 {"id":1,"item":"x","done":true,"done_at":"${now}","state":"open"}
      PATCH /orders/1 {"state":"closed"} -> 200 {"id":1,"item":"x","done":true,"done_at":"${now}","state":"closed","closedOn":"${now}"}
      PATCH /orders/1 {"done":false,"state":"open"} -> 200 {"id":1,"item":"x","done":false,"done_at":null,"state":"open"}
      POST /orders {"item":"y","done":true} -> 201 {"id":2,"item":"y","done":true,"done_at":"${now}","state":"open"}
    `,
  },
  {
    name: 'sets a flag whatever surrounds its name, and DELETE takes it back once, with the number of those who set it',
    document: posts(
      ['watch', { 'isWatching!': flag, 'numWatchers!': integer }],
      ['like', { 'liked_by_me!': flag, 'likes!': integer }],
      ['bookmark', { 'viewerHasBookmarked!': flag, 'bookmarks_count!': integer, 'pagesCount!': integer }],
    ),
    steps: `
      POST /watches {"text":"a"} -> 201 {"id":1,"text":"a","isWatching":false,"numWatchers":0}
      POST /watches/1/watch -> 200 {"id":1,"text":"a","isWatching":true,"numWatchers":1}
      POST /watches/1/watch -> 200 {"id":1,"text":"a","isWatching":true,"numWatchers":1}
      DELETE /watches/1/watch -> 204
      DELETE /watches/1/watch -> 204
      GET /watches/1 -> 200 {"id":1,"text":"a","isWatching":false,"numWatchers":0}
      POST /likes {"text":"a"} -> 201
      POST /likes/1/like -> 200 {"id":1,"text":"a","liked_by_me":true,"likes":1}
      DELETE /likes/1/like -> 204
      GET /likes/1 -> 200 {"id":1,"text":"a","liked_by_me":false,"likes":0}
      POST /bookmarks {"text":"a"} -> 201
      POST /bookmarks/1/bookmark -> 200 {"id":1,"text":"a","viewerHasBookmarked":true,"bookmarks_count":1,"pagesCount":0}
      DELETE /bookmarks/1/bookmark -> 204
      GET /bookmarks/1 -> 200 {"id":1,"text":"a","viewerHasBookmarked":false,"bookmarks_count":0,"pagesCount":0}
    `,
  },
  {
    name: 'of a verb with a particle sets its participle, and the opposite takes it back',
    document: orders(
      { 'checkedIn!': flag, checked_in_at: time, status: oneOfTexts('checked_out', 'checked_in') },
      ...['check-in', 'check-out'],
    ),
    steps: `
      ${create}
      POST /orders/1/check-in -> 200 {"id":1,"item":"x","checkedIn":true,"checked_in_at":"${now}","status":"checked_in"}
      POST /orders/1/check-out -> 200 {"id":1,"item":"x","checkedIn":false,"status":"checked_out"}
    `,
  },
  {
    name: 'sets and empties a part of the record, whether its path can be read or not',
    document: parts,
    steps: `
      POST /books {"name":"a"} -> 201
      PATCH /books/1/read-progress {"page":7} -> 204
      PUT /books/1/lock {"reason":"r"} -> 204
      PUT /books/1/view-settings {"zoom":2} -> 200 {"zoom":2}
      PUT /books/1/rating {"rating":4} -> 204
      GET /books/1 -> 200 {"id":1,"name":"a","readProgress":{"page":7},"lock":{"reason":"r"},"view_settings":{"zoom":2},"rating":4}
      DELETE /books/1/read-progress -> 204
      DELETE /books/1/lock -> 204
      DELETE /books/1/view-settings -> 204
      DELETE /books/1/rating -> 204
      DELETE /books/1/cache/all -> 204
      GET /books/1 -> 200 {"id":1,"name":"a","rating":null}
    `,
  },
  {
    name: 'assigns a record that exists, and ends that without removing it',
    document: toDocument(
      {
        'POST /tags': { body: object({ name: text }), 201: named('Tag') },
        'GET /tags/{id}': { 200: named('Tag') },
        'POST /notes': { body: object({ name: text }), 201: named('Note') },
        'GET /notes/{id}': { 200: named('Note') },
        'GET /notes/{note}/tags': { 200: list(named('Tag')) },
        'PUT /notes/{note}/tags': {
          summary: 'Add a tag to a note',
          body: object({ tag_id: integer }),
          201: object({ tag_id: integer, created: time }),
        },
        'DELETE /notes/{note}/tags/{tag}': { summary: 'Remove a tag from a note', 204: null },
      },
      {
        Tag: object({ 'id!': integer, name: text }),
        Note: object({ 'id!': integer, name: text, tags: list(named('Tag')) }),
      },
    ),
    steps: `
      POST /tags {"name":"a"} -> 201
      POST /tags {"name":"b"} -> 201
      POST /notes {"name":"n"} -> 201
      PUT /notes/1/tags {"tag_id":2} -> 201 {"tag_id":2,"created":"${now}"}
      GET /notes/1/tags -> 200 [{"id":2,"name":"b"}]
      DELETE /notes/1/tags/2 -> 204
      GET /notes/1/tags -> 200 []
      GET /tags/2 -> 200 {"id":2,"name":"b"}
    `,
  },
]
