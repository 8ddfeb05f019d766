/**
 * Telnyx v2: messaging profiles, billing groups, FQDN connections, number orders, messages and documents.
 * JSON with the record in `data`, pages by number with `meta`, filters like filter[name][contains], errors in `errors`.
 */
import { createHash } from 'node:crypto'
import http from 'node:http'
import Telnyx from 'telnyx'

const { TelnyxInvalidParametersError, TelnyxInvalidRequestError, TelnyxResourceNotFoundError } = Telnyx.errors
const day = 24 * 60 * 60 * 1000
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export default {
  connect: ({ address }) => {
    const { hostname, port, pathname } = new URL(address('https://api.telnyx.com/v2'))
    Telnyx.DEFAULT_BASE_PATH = `${pathname.replace(/\/$/, '')}/`
    const client = new Telnyx('KEY_of_the_test')
    client.setHost(hostname, port, 'http')
    client.setHttpAgent(new http.Agent({ keepAlive: false }))
    client.setTimeout(5000)
    client.setMaxNetworkRetries(0)
    return client
  },
  steps: [
    {
      name: 'create a messaging profile',
      does: 'Keeps the name and the URL. A new profile is enabled, has a UUID, and both its times are now.',
      source: 'POST /messaging_profiles; enabled default true; record_type messaging_profile; id uuid; created_at',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { name: 'Parcel news', webhook_url: 'https://hooks.example.org/parcels' }
        const profile = { ...(await client.messagingProfiles.create(sent)).data }
        kept.profile = profile
        check.equal([profile.name, profile.webhook_url], [sent.name, sent.webhook_url], 'what was sent', 'values')
        check(uuid.test(profile.id), `an id that is a UUID (${profile.id})`, 'keys')
        check.equal(profile.record_type, 'messaging_profile', 'record_type')
        check.equal(profile.enabled, true, 'enabled')
        check.equal(profile.webhook_api_version, '2', 'webhook_api_version')
        check(isRecent(profile.created_at), `created_at (${profile.created_at})`, 'times')
        check(isRecent(profile.updated_at), `updated_at (${profile.updated_at})`, 'times')
      },
    },
    {
      name: 'update the messaging profile',
      does: 'Changes enabled and one URL only. The profile is the same when it is read again.',
      source: 'PATCH and GET /messaging_profiles/{id}; "enabled: Specifies whether the messaging profile is enabled"',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const { id, created_at: createdAt } = kept.profile
        const changes = { enabled: false, webhook_failover_url: 'https://spare.example.org/parcels' }
        const updated = (await client.messagingProfiles.update(id, changes)).data
        check.wrong.equal(updated.id, id, 'id in the answer')
        check.equal(updated.enabled, false, 'enabled in the answer', 'values')
        const read = (await new client.MessagingProfile().retrieve(id)).data
        check.wrong.equal([read.id, read.enabled], [id, false], 'id and enabled when read again')
        check.wrong.equal(
          read.webhook_failover_url,
          changes.webhook_failover_url,
          'webhook_failover_url when read again',
        )
        check.wrong.equal(read.name, 'Parcel news', 'name when read again')
        check.wrong.equal(read.webhook_url, 'https://hooks.example.org/parcels', 'webhook_url when read again')
        check.equal(read.created_at, createdAt, 'created_at when read again', 'times')
      },
    },
    {
      name: 'page through billing groups',
      does: 'The library asks for pages while meta.page_number is below meta.total_pages. Each group comes once.',
      source: 'GET /billing_groups; page[number], page[size]; PaginationMeta: page_number, page_size, total_pages',
      needs: 'document',
      class: 'pages',
      async run({ client, check, exchanges }) {
        const ids = []
        for (const name of ['Harbour', 'Airport', 'Station', 'Market', 'Castle']) {
          const { data } = await client.billingGroups.create({ name })
          check.equal([data.name, data.record_type], [name, 'billing_group'], 'name and record_type', 'first-state')
          ids.push(data.id)
        }
        const before = exchanges().length
        const listed = await client.billingGroups.list({ page: { size: 2 } }).autoPagingToArray({ limit: 40 })
        const found = listed.map(({ id }) => id)
        check.wrong.equal(countsOf(ids, found), [1, 1, 1, 1, 1], 'how often each group is listed')
        const pages = exchanges()
          .slice(before)
          .map(({ received }) => JSON.parse(received))
        check(pages.length >= 3, `at least 3 pages (${pages.length})`)
        check(
          pages.every(({ data }) => data.length <= 2),
          'pages of at most 2',
        )
        const { page_number: number, page_size: size, total_pages: total, total_results: count } = pages[0].meta
        check.equal([number, size], [1, 2], 'page_number and page_size of the first page')
        check(total >= 3 && total === Math.ceil(count / 2), `total_pages ${total} for total_results ${count}`)
      },
    },
    {
      name: 'create an FQDN connection',
      does: 'Keeps what is sent, also in the object inbound, and fills the rest with the documented defaults.',
      source: 'POST /fqdn_connections; active "Defaults to true", inbound.timeout_2xx_secs default 90, id int64',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const connection = { ...(await createConnection(client, 'Depot North')) }
        kept.connection = connection
        const { id, active, inbound } = connection
        check(/^\d{1,19}$/.test(id), `an id of digits (${id})`, 'keys')
        check.equal(connection.connection_name, 'Depot North', 'connection_name', 'values')
        check.equal(connection.transport_protocol, 'TCP', 'transport_protocol', 'values')
        check.equal(inbound?.channel_limit, 17, 'inbound.channel_limit', 'values')
        check.equal(inbound?.codecs, ['G711A', 'OPUS'], 'inbound.codecs', 'values')
        check.equal([active, inbound?.timeout_2xx_secs], [true, 90], 'active and inbound.timeout_2xx_secs')
        check.equal(connection.dtmf_type, 'RFC 2833', 'dtmf_type')
        check.equal(connection.record_type, 'fqdn_connection', 'record_type')
        check(isRecent(connection.created_at), `created_at (${connection.created_at})`, 'times')
      },
    },
    {
      name: 'deactivate the connection',
      does: 'The connection is inactive, and keeps its name and its protocol.',
      source: 'PATCH /fqdn_connections/{id}; GET /fqdn_connections/{id}; active',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { id } = kept.connection
        const before = (await new client.FqdnConnection().retrieve(id)).data
        check.wrong.equal([before.id, before.active], [id, true], 'id and active before', 'state')
        const updated = (await before.update({ active: false })).data
        check.wrong.equal([updated.id, updated.active], [id, false], 'id and active in the answer')
        const read = (await new client.FqdnConnection().retrieve(id)).data
        check.wrong.equal(read.active, false, 'active when read again', 'state')
        const { connection_name: name, transport_protocol: protocol } = read
        check.wrong.equal([name, protocol], ['Depot North', 'TCP'], 'name and protocol when read again', 'state')
      },
    },
    {
      name: 'filter and sort connections',
      does: 'The filter ignores upper and lower case. A minus before the field sorts descending.',
      source: 'GET /fqdn_connections; filter[connection_name][contains] "Matching is not case-sensitive"; sort',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const others = []
        for (const name of ['Depot East', 'Depot West', 'Dock 5'])
          others.push((await createConnection(client, name)).id)
        const filter = { connection_name: { contains: 'depot' } }
        const connections = new client.FqdnConnection()
        const { data } = await connections.list({ filter, sort: '-connection_name', page: { size: 50 } })
        const found = listOf(data).map(({ id }) => id)
        const expected = [others[1], kept.connection.id, others[0]]
        check.wrong.equal(countsOf([...expected, others[2]], found), [1, 1, 1, 0], 'how often each is listed')
        const order = found.filter((id) => expected.includes(id))
        check.wrong.equal(order, expected, 'order')
      },
    },
    {
      name: 'read the connection among all connections',
      does: 'GET /connections has connections of all types, also this FQDN connection, with its type.',
      source: 'GET /connections "irrespective of type"; GET /connections/{id} "high-level details"',
      needs: 'more',
      class: 'paths',
      async run({ client, kept, check }) {
        const { id } = kept.connection
        const { data } = await client.connections.retrieve(id)
        check.wrong.equal([data.id, data.connection_name], [id, 'Depot North'], 'id and connection_name')
        check.equal([data.record_type, data.active], ['fqdn_connection', false], 'record_type and active')
        const filter = { connection_name: { contains: 'depot north' } }
        const found = await client.connections.list({ filter, page: { size: 50 } })
        check.wrong.equal(
          countsOf(
            [id],
            found.data.map((each) => each.id),
          ),
          [1],
          'how often it is listed',
        )
      },
    },
    {
      name: 'add FQDNs to the connection and remove one',
      does: 'The filter gives the FQDNs of this connection only. A removed one is gone, the other ones stay.',
      source: 'POST /fqdns; GET /fqdns; filter[connection_id]; DELETE /fqdns/{id}',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { id: connectionId } = kept.connection
        const other = (await createConnection(client, 'Quay 9')).id
        const created = []
        for (const [fqdn, port, owner] of [
          ['sip-a.example.org', 5070, connectionId],
          ['sip-b.example.org', 5071, connectionId],
          ['sip-c.example.org', 5072, other],
        ]) {
          const sent = { connection_id: owner, fqdn, port, dns_record_type: 'a' }
          const data = { ...(await new client.Fqdn().create(sent)).data }
          check.equal([data.fqdn, data.port, data.connection_id], [fqdn, port, owner], 'what was sent', 'values')
          check.equal(data.record_type, 'fqdn', 'record_type', 'first-state')
          created.push(data)
        }
        const list = async () => {
          const fqdns = new client.Fqdn()
          const { data } = await fqdns.list({ filter: { connection_id: connectionId }, page: { size: 50 } })
          return listOf(data).map(({ fqdn }) => fqdn)
        }
        check.wrong.equal(
          (await list()).toSorted(),
          ['sip-a.example.org', 'sip-b.example.org'],
          'FQDNs before',
          'filters',
        )
        await (await client.fqdns.retrieve(created[0].id)).data.del()
        check.wrong.equal(await list(), ['sip-b.example.org'], 'FQDNs after', 'deletion')
      },
    },
    {
      name: 'order numbers',
      does: 'A new order is pending and counts its numbers. Its reference can be changed, and finds it.',
      source: 'POST /number_orders; PATCH /number_orders/{number_order_id}; GET; filter[customer_reference]; status',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const numbers = ['+13125550142', '+13125550143']
        const order = async (reference, ordered) =>
          (
            await client.numberOrders.create({
              phone_numbers: ordered.map((number) => ({ phone_number: number })),
              messaging_profile_id: kept.profile.id,
              customer_reference: reference,
            })
          ).data
        const created = await order('Depot 2030', numbers)
        const other = await order('Harbour 2030', ['+13125550144'])
        check.equal(created.status, 'pending', 'status')
        check.wrong(created.status !== 'failure', 'a new order that has failed')
        check.equal(created.record_type, 'number_order', 'record_type')
        check.equal(created.phone_numbers_count, 2, 'phone_numbers_count', 'made-values')
        check.equal(created.messaging_profile_id, kept.profile.id, 'messaging_profile_id', 'values')
        const ordered = created.phone_numbers?.map(({ phone_number: number }) => number)
        check.equal(ordered?.toSorted(), numbers, 'phone_numbers', 'values')
        await client.numberOrders.update(created.id, { customer_reference: 'Depot 2031' })
        const read = (await client.numberOrders.retrieve(created.id)).data
        check.wrong.equal([read.id, read.customer_reference], [created.id, 'Depot 2031'], 'when read again', 'state')
        const found = await client.numberOrders.list({
          filter: { customer_reference: 'Depot 2031' },
          page: { size: 50 },
        })
        check.wrong.equal(
          countsOf(
            [created.id, other.id],
            found.data.map(({ id }) => id),
          ),
          [1, 0],
          'filtered',
          'filters',
        )
      },
    },
    {
      name: 'extend a number reservation',
      does: 'A reservation is pending, and its numbers expire at a time in the future. The extension makes it later.',
      source: 'POST /number_reservations; POST …/actions/extend "Extends reservation expiry time"',
      needs: 'more',
      class: 'actions',
      async run({ client, check }) {
        const phone_numbers = [{ phone_number: '+13125550177' }]
        const reservation = (await client.numberReservations.create({ phone_numbers, customer_reference: 'Pier 12' }))
          .data
        const { id, customer_reference: reference, phone_numbers: reserved } = reservation
        check.equal(reference, 'Pier 12', 'customer_reference', 'values')
        check.wrong(reservation.status !== 'failure', 'a new reservation that has failed', 'first-state')
        check.equal(reserved?.length, 1, 'number of phone_numbers', 'values')
        check.equal(reserved?.[0]?.phone_number, '+13125550177', 'phone_number', 'values')
        const before = Date.parse(reserved?.[0]?.expired_at)
        check(before > Date.now(), `expired_at in the future (${reserved?.[0]?.expired_at})`, 'times')
        const extended = (await reservation.extend()).data
        check.wrong.equal(extended.id, id, 'id in the answer')
        const read = (await client.numberReservations.retrieve(id)).data
        check.wrong.equal([read.id, read.customer_reference], [id, 'Pier 12'], 'when read again', 'state')
        const after = Date.parse(read.phone_numbers?.[0]?.expired_at)
        check(after > before, `expired_at later than before (${read.phone_numbers?.[0]?.expired_at})`)
      },
    },
    {
      name: 'send a message',
      does: 'The numbers become objects. The message is queued for its receiver, and is not completed.',
      source: 'POST /messages; GET /messages/{id}; OutboundMessagePayload: to[].status, from, direction, completed_at',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, check }) {
        const sent = { from: '+13125550142', to: '+13125550198', text: 'Your parcel is at gate 4.' }
        const { data } = await client.messages.create(sent)
        check(uuid.test(data.id), `an id that is a UUID (${data.id})`, 'keys')
        check.equal([data.record_type, data.direction, data.type], ['message', 'outbound', 'SMS'], 'types')
        check.equal(data.text, sent.text, 'text', 'values')
        check.equal(data.from?.phone_number, sent.from, 'from.phone_number', 'references')
        check.equal([data.to?.length, data.to?.[0]?.phone_number], [1, sent.to], 'to[0].phone_number', 'references')
        check.equal(data.to?.[0]?.status, 'queued', 'to[0].status')
        check.equal([data.parts, data.errors], [1, []], 'parts and errors', 'made-values')
        check.equal(data.completed_at, null, 'completed_at', 'times')
        check(isRecent(data.received_at), `received_at (${data.received_at})`, 'times')
        const read = (await client.messages.retrieve(data.id)).data
        check.wrong.equal([read.id, read.text], [data.id, sent.text], 'id and text when read again', 'paths')
      },
    },
    {
      name: 'upload a document and download it',
      does: 'The service decodes Base64, measures and hashes the file, and gives the same bytes back.',
      source: 'POST /documents; file "The Base64 encoded contents"; size, sha256, status; GET /documents/{id}/download',
      needs: 'more',
      class: 'uploads',
      async run({ client, check }) {
        const content = '%PDF-1.4\n1 0 obj\n<< /Title (Lease of gate 4) >>\nendobj\ntrailer\n<< >>\n%%EOF\n'
        const file = Buffer.from(content).toString('base64')
        const document = { ...(await client.documents.upload({ file, filename: 'lease-of-gate-4.pdf' })).data }
        check(uuid.test(document.id), `an id that is a UUID (${document.id})`, 'keys')
        check.equal(document.record_type, 'document', 'record_type', 'first-state')
        check.equal(document.status, 'pending', 'status', 'first-state')
        check.equal(document.filename, 'lease-of-gate-4.pdf', 'filename', 'values')
        check.equal(document.size, { amount: content.length, unit: 'bytes' }, 'size', 'made-values')
        check.equal(document.sha256, createHash('sha256').update(content).digest('hex'), 'sha256', 'made-values')
        const { data } = await client.documents.retrieveDownloadDocument(document.id)
        check.wrong.equal(data, content, 'what is downloaded')
      },
    },
    {
      name: 'delete the messaging profile',
      does: 'Answers with the profile. Then it is not found: 404, and the library throws TelnyxResourceNotFoundError.',
      source: 'DELETE /messaging_profiles/{id}; GET /messaging_profiles/{id}: default, Errors: code, title',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { id } = kept.profile
        const profile = (await new client.MessagingProfile().retrieve(id)).data
        check.wrong.equal(profile.name, 'Parcel news', 'the profile before', 'state')
        const { data } = await profile.del()
        check.equal(data?.id, id, 'id in the answer', 'deletion')
        const error = await fails(() => client.messagingProfiles.retrieve(id))
        check.wrong(error instanceof TelnyxResourceNotFoundError, `TelnyxResourceNotFoundError (${error.type})`)
        check.wrong.equal(error.statusCode, 404, 'statusCode')
        const [{ code, title } = {}] = error.raw?.errors ?? []
        check(/^\d+$/.test(code) && typeof title === 'string', `errors with code and title (${code}, ${title})`)
      },
    },
    {
      name: 'create a messaging profile without a name',
      does: 'Answers 400 or 422 with errors, and the library throws the error of that status.',
      source: 'POST /messaging_profiles; CreateMessagingProfileRequest: required name; default: Errors',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const invalid = { webhook_url: 'https://hooks.example.org/nameless' }
        const error = await fails(() => client.messagingProfiles.create(invalid))
        const isInvalid = [TelnyxInvalidParametersError, TelnyxInvalidRequestError].some(
          (type) => error instanceof type,
        )
        check.wrong(isInvalid, `an error for invalid parameters (${error.type})`, 'errors')
        const [{ code, title } = {}] = error.raw?.errors ?? []
        check(
          /^\d+$/.test(code) && typeof title === 'string',
          `errors with code and title (${code}, ${title})`,
          'errors',
        )
      },
    },
  ],
}

async function createConnection(client, name) {
  const inbound = { channel_limit: 17, codecs: ['G711A', 'OPUS'] }
  const sent = { connection_name: name, transport_protocol: 'TCP', inbound }
  return (await new client.FqdnConnection().create(sent)).data
}

/**
 * The library copies what it receives into its resource, a list as 0, 1, 2 …, where it stays until it is overwritten.
 * Hence a new resource for each request whose answer is checked.
 */
function listOf(data) {
  return Object.entries(data).flatMap(([key, record]) => (/^\d+$/.test(key) ? [record] : []))
}

/** How often each of the expected ids is among those found. */
function countsOf(expected, found) {
  return expected.map((id) => found.filter((each) => each === id).length)
}

function isRecent(date) {
  return Math.abs(Date.now() - Date.parse(date)) < day
}
