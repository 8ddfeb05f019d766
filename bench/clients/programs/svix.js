/**
 * Sends webhooks with the Svix library: event types, applications, endpoints, and messages.
 * The API is JSON with keys in paths, or the owner's own `uid` instead; lists go on with an `iterator` until `done`.
 */
import svix from 'svix'

const { ApiException, Svix } = svix
const eventType = 'parcel.dispatched'
const firstSecret = 'whsec_cGFyY2Vscy1hcmUtdmVyeS1zZWNyZXQtMDE3'
const secondSecret = 'whsec_cGFyY2Vscy1hcmUtdmVyeS1zZWNyZXQtMDQy'

export default {
  connect: ({ address }) => new Svix('testsk_program', { serverUrl: address() }),
  steps: [
    {
      name: 'create an event type',
      does: 'Stores name, description and schemas. A new event type is not archived.',
      source: 'POST /api/v1/event-type/; EventTypeIn: "archived": default false',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const schemas = { 1: { title: 'Parcel', type: 'object', properties: { parcel: { type: 'string' } } } }
        const sent = { name: eventType, description: 'A parcel has left the depot', schemas }
        const created = await client.eventType.create(sent)
        await client.eventType.create({ name: 'parcel.lost', description: 'Nobody knows where the parcel is' })
        kept.eventType = created
        check.equal(created.name, eventType, 'name', 'values')
        check.equal(created.description, sent.description, 'description', 'values')
        check.wrong.equal(created.archived ?? false, false, 'archived')
        check(isRecent(created.createdAt), `createdAt (${created.createdAt})`, 'times')
        const read = await client.eventType.get(eventType)
        check.wrong.equal(read.name, eventType, 'name when read', 'keys')
        check.equal(read.description, sent.description, 'description when read', 'state')
        check.equal(read.schemas, sent.schemas, 'schemas when read', 'free-form')
      },
    },
    {
      name: 'create an application',
      does: 'Stores name, uid and metadata, and makes an id with app_. It is then found by id and by uid.',
      source: 'POST /api/v1/app/, GET /api/v1/app/{app_id}/: "The application\'s ID or UID"',
      needs: 'document',
      class: 'keys',
      async run({ client, kept, check }) {
        const sent = { name: 'Depot North', uid: 'depot-north', rateLimit: 77, metadata: { region: 'north' } }
        const created = await client.application.create(sent)
        kept.application = created
        check.wrong(/^app_\w{10,}$/.test(created.id), `an id that begins with app_ (${created.id})`)
        check.equal(created.name, 'Depot North', 'name', 'values')
        check.equal(created.uid, 'depot-north', 'uid', 'values')
        check.equal(created.rateLimit, 77, 'rateLimit', 'values')
        check.equal(created.metadata, { region: 'north' }, 'metadata', 'free-form')
        check(isRecent(created.createdAt), `createdAt (${created.createdAt})`, 'times')
        check(isRecent(created.updatedAt), `updatedAt (${created.updatedAt})`, 'times')
        const byId = await client.application.get(created.id)
        check.wrong.equal(byId.id, created.id, 'id of the application read by id')
        check.wrong.equal(byId.name, 'Depot North', 'name of the application read by id', 'state')
        const byUid = await client.application.get('depot-north')
        check.wrong.equal(byUid.id, created.id, 'id of the application read by uid')
        check.wrong.equal(byUid.name, 'Depot North', 'name of the application read by uid', 'state')
      },
    },
    {
      name: 'create an application twice with one idempotency key',
      does: 'The second request with the same key and body creates nothing, and answers with the first application.',
      source: 'POST /api/v1/app/, header idempotency-key; https://api.svix.com/docs#section/Idempotency',
      needs: 'document',
      class: 'idempotency',
      async run({ client, check }) {
        const sent = { name: 'Depot West' }
        const first = await client.application.create(sent, { idempotencyKey: 'depot-west-1' })
        const second = await client.application.create(sent, { idempotencyKey: 'depot-west-1' })
        check.equal(first.name, 'Depot West', 'name', 'values')
        check.wrong.equal(second.id, first.id, 'id of the second answer')
        const all = await readAll((options) => client.application.list({ ...options, limit: 100 }), check)
        const named = all.filter(({ name }) => name === 'Depot West').map(({ id }) => id)
        check.wrong.equal(named, [first.id], 'applications with that name')
      },
    },
    {
      name: 'create an endpoint',
      does: 'Stores the endpoint in its application, with the sent secret. It is enabled, and has no description.',
      source: 'POST /api/v1/app/{app_id}/endpoint/; EndpointIn: "description": default "", "disabled": default false',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const appId = kept.application.id
        const sent = { url: 'https://hooks.example.org/parcels', version: 3, uid: 'parcels', filterTypes: [eventType] }
        const created = await client.endpoint.create(appId, { ...sent, rateLimit: 42, secret: firstSecret })
        kept.endpoint = created
        check.wrong(/^ep_\w{10,}$/.test(created.id), `an id that begins with ep_ (${created.id})`, 'keys')
        check.equal(created.url, sent.url, 'url', 'values')
        check.equal(created.version, 3, 'version', 'values')
        check.equal(created.rateLimit, 42, 'rateLimit', 'values')
        check.equal(created.filterTypes, [eventType], 'filterTypes', 'values')
        check.equal(created.description, '', 'description')
        check.wrong.equal(created.disabled ?? false, false, 'disabled')
        check(isRecent(created.createdAt), `createdAt (${created.createdAt})`, 'times')
        const read = await client.endpoint.get(appId, 'parcels')
        check.wrong.equal(read.id, created.id, 'id of the endpoint read by uid', 'keys')
        const secret = await client.endpoint.getSecret(appId, created.id)
        check.equal(secret.key, firstSecret, 'secret', 'paths')
      },
    },
    {
      name: 'list the endpoints page by page',
      does: 'Lists the endpoints of the application in pages of 2 until done, the oldest first with order ascending.',
      source: 'GET /api/v1/app/{app_id}/endpoint/: limit, iterator, order; ListResponse: done, iterator',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const appId = kept.application.id
        const ids = [kept.endpoint.id]
        for (const place of ['a', 'b', 'c', 'd']) {
          const url = `https://hooks.example.org/${place}`
          const created = await client.endpoint.create(appId, { url, version: 2, filterTypes: ['parcel.lost'] })
          ids.push(created.id)
        }
        kept.otherEndpoint = { id: ids[4] }
        const sizes = []
        const list = async (options) => {
          const page = await client.endpoint.list(appId, { ...options, limit: 2, order: 'ascending' })
          sizes.push(page.data.length)
          return page
        }
        const seen = (await readAll(list, check)).map(({ id }) => id)
        check.wrong.equal([...seen].sort(), [...ids].sort(), 'endpoints, each once')
        check.equal(seen, ids, 'endpoints in ascending order', 'filters')
        check(
          sizes.every((size) => size <= 2),
          `at most 2 in a page (${sizes})`,
        )
      },
    },
    {
      name: 'send messages and list those of a channel',
      does: 'Stores each message. The list of a channel, or of an event type, has only its messages.',
      source:
        'POST and GET /api/v1/app/{app_id}/msg/: channel, event_types; "identifiers that endpoints can filter by"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const appId = kept.application.id
        const send = (parcel, channel, type) =>
          client.message.create(appId, {
            eventType: type,
            eventId: `event-${parcel}`,
            payload: { parcel, kilos: 2.5 },
            channels: [channel],
          })
        const first = await send('p-1', 'harbour', eventType)
        const second = await send('p-2', 'airport', eventType)
        const third = await send('p-3', 'harbour', 'parcel.lost')
        kept.message = first
        check.wrong(/^msg_\w{10,}$/.test(first.id), `an id that begins with msg_ (${first.id})`, 'keys')
        check.equal(first.payload, { parcel: 'p-1', kilos: 2.5 }, 'payload', 'free-form')
        check.equal(first.channels, ['harbour'], 'channels', 'values')
        check(isRecent(first.timestamp), `timestamp (${first.timestamp})`, 'times')
        const ofChannel = await client.message.list(appId, { channel: 'harbour' })
        check.wrong.equal(toIds(ofChannel.data), toIds([first, third]), 'messages of the channel')
        const ofType = await client.message.list(appId, { eventTypes: [eventType] })
        check.wrong.equal(toIds(ofType.data), toIds([first, second]), 'messages of the event type')
      },
    },
    {
      name: 'retrieve a message by its event id',
      does: 'A message is found by its id and by the eventId that was sent.',
      source: 'GET /api/v1/app/{app_id}/msg/{msg_id}/: "The message\'s ID or eventID"',
      needs: 'document',
      class: 'keys',
      async run({ client, kept, check }) {
        const appId = kept.application.id
        const byId = await client.message.get(appId, kept.message.id)
        check.wrong.equal(byId.id, kept.message.id, 'id')
        check.wrong.equal(byId.eventId, 'event-p-1', 'eventId', 'values')
        check.equal(byId.payload, { parcel: 'p-1', kilos: 2.5 }, 'payload', 'state')
        const byEventId = await client.message.get(appId, 'event-p-1')
        check.wrong.equal(byEventId.id, kept.message.id, 'id of the message read by eventId')
      },
    },
    {
      name: 'list the destinations of a message',
      does: 'The message is dispatched to the endpoint that listens to its event type, and to no other one.',
      source: 'POST …/msg/: "dispatches it to all of the application\'s endpoints"; GET …/msg/{msg_id}/endpoint/',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        let data = []
        for (let attempt = 0; attempt < 5 && data.length === 0; attempt++) {
          if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 300))
          const page = await client.messageAttempt.listAttemptedDestinations(kept.application.id, kept.message.id)
          data = page.data
        }
        check.equal(toIds(data), [kept.endpoint.id], 'endpoints that the message goes to')
        check.equal(data[0]?.url, 'https://hooks.example.org/parcels', 'url of the endpoint', 'references')
        check([0, 1, 2, 3].includes(data[0]?.status), `status of the delivery (${data[0]?.status})`)
      },
    },
    {
      name: 'disable an endpoint',
      does: 'Replaces the endpoint: disabled and description change, the id and createdAt stay.',
      source: 'PUT /api/v1/app/{app_id}/endpoint/{endpoint_id}/; EndpointUpdate: disabled',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const { id, createdAt } = kept.endpoint
        const appId = kept.application.id
        const before = await client.endpoint.get(appId, id)
        check.wrong.equal(before.disabled ?? false, false, 'disabled before')
        const sent = { url: 'https://hooks.example.org/parcels-2', version: 4, uid: 'parcels', disabled: true }
        const changed = await client.endpoint.update(appId, id, { ...sent, description: 'Moved' })
        check.wrong.equal(changed.id, id, 'id', 'keys')
        check.equal(changed.disabled, true, 'disabled')
        const read = await client.endpoint.get(appId, id)
        check.wrong.equal(read.id, id, 'id when read', 'keys')
        check.wrong.equal(read.disabled, true, 'disabled when read')
        check.wrong.equal(read.url, sent.url, 'url when read')
        check.equal(read.description, 'Moved', 'description when read')
        check.equal(read.version, 4, 'version when read')
        check.equal(Number(read.createdAt), Number(createdAt), 'createdAt', 'times')
      },
    },
    {
      name: 'set and patch the headers of an endpoint',
      does: 'PUT sets the additional headers, PATCH adds to them. A new endpoint has none.',
      source: 'PUT, PATCH and GET …/headers/: "Partially set the additional headers to be sent with the webhook"',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check }) {
        const ids = [kept.application.id, kept.otherEndpoint.id]
        const before = await client.endpoint.getHeaders(...ids)
        check.wrong.equal(before.headers, {}, 'headers of a new endpoint', 'first-state')
        await client.endpoint.updateHeaders(...ids, { headers: { 'X-Depot': 'north', 'X-Lane': '7' } })
        const set = await client.endpoint.getHeaders(...ids)
        check.wrong.equal(set.headers, { 'X-Depot': 'north', 'X-Lane': '7' }, 'headers')
        check.equal(set.sensitive, [], 'sensitive')
        await client.endpoint.patchHeaders(...ids, { headers: { 'X-Lane': '8', 'X-Shift': 'late' } })
        const patched = await client.endpoint.getHeaders(...ids)
        const expected = { 'X-Depot': 'north', 'X-Lane': '8', 'X-Shift': 'late' }
        check.wrong.equal(patched.headers, expected, 'headers after the patch', 'put-as-update')
      },
    },
    {
      name: 'rotate the secret of an endpoint',
      does: 'The endpoint then has the new secret.',
      source: 'POST …/secret/rotate/: "Rotates the endpoint\'s signing secret"; GET …/secret/',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const ids = [kept.application.id, kept.endpoint.id]
        const before = await client.endpoint.getSecret(...ids)
        check.equal(before.key, firstSecret, 'secret before', 'paths')
        await client.endpoint.rotateSecret(...ids, { key: secondSecret })
        const after = await client.endpoint.getSecret(...ids)
        check.equal(after.key, secondSecret, 'secret after')
      },
    },
    {
      name: 'delete the payload of a message',
      does: 'The message stays, and its payload is gone.',
      source: 'DELETE /api/v1/app/{app_id}/msg/{msg_id}/content/: "Delete the given message\'s payload"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const ids = [kept.application.id, kept.message.id]
        const before = await client.message.get(...ids)
        check.wrong.equal(before.payload?.parcel, 'p-1', 'parcel in the payload before', 'state')
        await client.message.expungeContent(...ids)
        const after = await client.message.get(...ids)
        check.wrong.equal(after.id, kept.message.id, 'id', 'state')
        check.wrong.equal(after.eventId, 'event-p-1', 'eventId', 'state')
        check.equal(after.payload?.parcel, undefined, 'parcel in the payload after')
      },
    },
    {
      name: 'archive the event type, and delete the application',
      does: 'A deleted event type is archived: only listed on request. A deleted application is not found.',
      source:
        'DELETE /api/v1/event-type/{event_type_name}/: "Archive an event type"; DELETE /api/v1/app/{app_id}/; GET: 404',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const names = async (more) => {
          const list = (options) => client.eventType.list({ ...options, ...more, limit: 100 })
          return (await readAll(list, check)).map(({ name }) => name)
        }
        check.wrong((await names()).includes(kept.eventType.name), 'the event type is listed before', 'state')
        await client.eventType.delete(eventType)
        check.wrong(!(await names()).includes(eventType), 'the archived event type is not listed', 'filters')
        check((await names({ includeArchived: true })).includes(eventType), 'it is listed on request', 'filters')
        check.equal((await client.eventType.get(eventType)).archived, true, 'archived')

        const { id } = kept.application
        check.wrong.equal((await client.application.get(id)).id, id, 'the application before', 'state')
        await client.application.delete(id)
        const error = await fails(() => client.application.get(id))
        check.wrong(error instanceof ApiException, `ApiException (${error})`, 'errors')
        check.wrong.equal(error.code, 404, 'code of the error', 'errors')
        check(typeof error.body?.detail === 'string', `detail in the error (${error.body?.detail})`, 'errors')
        check(/^\w+$/.test(error.body?.code), `code in the body of the error (${error.body?.code})`, 'errors')
      },
    },
    {
      name: 'create an application with an invalid uid',
      does: 'A uid with a space does not match its pattern: 422, and ApiException with the location.',
      source: 'POST /api/v1/app/: uid pattern; 422 HTTPValidationError: detail[].loc, msg, type',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.application.create({ name: 'Depot East', uid: 'depot east!' }))
        check.wrong(error instanceof ApiException, `ApiException (${error})`, 'errors')
        check.wrong.equal(error.code, 422, 'code', 'errors')
        const detail = error.body?.detail
        check(Array.isArray(detail) && detail.length > 0, 'detail is a list', 'errors')
        check(Array.isArray(detail) && detail[0]?.loc?.includes('uid'), 'the location names uid', 'errors')
      },
    },
  ],
}

/** All records of a list that goes on with an iterator until `done`. */
async function readAll(list, check) {
  const all = []
  let iterator
  for (let pages = 0; pages < 20; pages++) {
    const page = await list(iterator ? { iterator } : {})
    all.push(...page.data)
    if (page.done) return all
    iterator = page.iterator
  }
  check.wrong(false, 'a list that ends', 'pages')
  return all
}

function toIds(records) {
  return records.map(({ id }) => id).sort()
}

function isRecent(time) {
  return Math.abs(Date.now() - Number(time)) < 24 * 60 * 60 * 1000
}
