// Telnyx, beside the overlay of the same name.
import { Buffer } from 'node:buffer'
import { defineOverrides } from 'petstore-sandbox'

const kinds = ['/credential_connections', '/fqdn_connections', '/ip_connections']
const halfHourMs = 30 * 60 * 1000

/** What all kinds of connections have. */
function toConnection({ id, record_type, connection_name, active, outbound_voice_profile_id, created_at, updated_at }) {
  return { id, record_type, connection_name, active, outbound_voice_profile_id, created_at, updated_at }
}

/** Reserved numbers are free again after half an hour. */
async function reserve({ now, next }) {
  const { record } = await next()
  for (const each of record?.phone_numbers ?? []) {
    const from = each.expired_at ? Date.parse(each.expired_at) : now.getTime()
    each.expired_at = new Date(from + halfHourMs).toISOString()
  }
}

/** The numbers of a message become objects. */
async function send({ body, next }) {
  const { record } = await next()
  if (!record) return
  record.from = { phone_number: body.from }
  record.to = [body.to].flat().map((phone_number) => ({ phone_number, status: 'queued' }))
}

export default defineOverrides({
  // Connections of all kinds.
  'GET /connections/{id}': async ({ params, records, refuse }) => {
    const found = await Promise.all(kinds.map((kind) => records(kind).get(params.id)))
    const connection = found.find(Boolean)
    return connection ? { data: toConnection(connection) } : refuse('not_found', 'Resource not found')
  },
  'GET /connections': async ({ query, records }) => {
    const all = await Promise.all(kinds.map((kind) => records(kind).list()))
    const part = query['filter[connection_name][contains]']?.toLowerCase() ?? ''
    const found = all.flat().filter(({ connection_name = '' }) => connection_name.toLowerCase().includes(part))
    const [number, size] = [query['page[number]'] ?? 1, query['page[size]'] ?? 20]
    const data = found.slice((number - 1) * size, number * size).map(toConnection)
    const total_pages = Math.ceil(found.length / size)
    return { data, meta: { page_number: number, page_size: size, total_pages, total_results: found.length } }
  },
  'POST /number_reservations': reserve,
  'POST /number_reservations/{number_reservation_id}/actions/extend': reserve,
  'POST /messages': send,
  'POST /messages/long_code': send,
  'POST /messages/short_code': send,
  // A document knows its name and how long it is.
  'POST /documents': async ({ body, next }) => {
    const { record } = await next()
    if (!record) return
    const { length } = Buffer.from(body.file ?? '', 'base64')
    Object.assign(record, { filename: body.filename, size: { amount: length, unit: 'bytes' } })
  },
})
