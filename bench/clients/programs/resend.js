/**
 * Resend: domains, contacts, segments, emails, broadcasts, templates and API keys.
 * JSON; most creations answer the id only. The library never throws: it returns `{ data, error }`.
 */
import { Resend } from 'resend'

const day = 24 * 60 * 60 * 1000
const from = 'Lantern Shop <orders@lantern.example.org>'

export default {
  connect: ({ address }) => {
    const client = new Resend('re_key_of_the_test', { baseUrl: address('https://api.resend.com') })
    client.logError = () => {}
    return client
  },
  steps: [
    {
      name: 'create a domain',
      does: 'A new domain is not verified. The service writes the DNS records that its owner has to set.',
      source:
        'POST /domains, GET /domains/{domain_id}: status, records; resend.com/docs/api-reference/domains/create-domain',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { name: 'mail.lantern.example.org', region: 'eu-west-1', openTracking: true, clickTracking: false }
        const domain = dataOf(await client.domains.create(sent))
        kept.domain = domain
        check.equal([domain.name, domain.region], [sent.name, sent.region], 'name and region', 'values')
        check(isId(domain.id), `an id that is a UUID (${domain.id})`, 'keys')
        check.equal(domain.status, 'not_started', 'status')
        check.wrong(domain.status !== 'verified', 'a new domain that is verified')
        check(isRecent(domain.created_at), `created_at (${domain.created_at})`, 'times')
        check(domain.records?.length > 0, `records (${domain.records?.length})`, 'made-values')
        const read = dataOf(await client.domains.get(domain.id))
        check.wrong.equal([read.object, read.id, read.name], ['domain', domain.id, sent.name], 'when read', 'state')
        check.equal([read.open_tracking, read.click_tracking], [true, false], 'tracking when read', 'values')
      },
    },
    {
      name: 'update and verify the domain',
      does: 'The update changes the tracking only. The verification starts: the status is no longer not_started.',
      source: 'PATCH /domains/{domain_id}; POST …/verify "Triggers verification of the domain\'s DNS"; status',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const { id } = kept.domain
        const updated = dataOf(await client.domains.update({ id, openTracking: false, clickTracking: true }))
        check.equal([updated.object, updated.id], ['domain', id], 'answer to the update', 'envelopes')
        const before = dataOf(await client.domains.get(id))
        check.wrong.equal([before.open_tracking, before.click_tracking], [false, true], 'tracking when read', 'state')
        check.wrong.equal(before.name, 'mail.lantern.example.org', 'name when read', 'state')
        check.equal(before.status, 'not_started', 'status before', 'first-state')
        const verified = dataOf(await client.domains.verify(id))
        check.equal([verified.object, verified.id], ['domain', id], 'answer to the verification', 'envelopes')
        const { status } = dataOf(await client.domains.get(id))
        check(['pending', 'failed'].includes(status), `status pending (${status})`)
      },
    },
    {
      name: 'create a contact in a segment',
      does: 'Answers the id. The contact is subscribed, is read by id and by email, and is in its segment once added.',
      source:
        'POST /segments, /contacts; GET /contacts/{id} "by ID or email"; POST, GET /contacts/{contact_id}/segments',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const segment = dataOf(await client.segments.create({ name: 'Night readers' }))
        kept.segment = segment
        check.equal(segment.object, 'segment', 'object of the segment', 'envelopes')
        const email = 'ida@readers.example.org'
        const sent = { email, firstName: 'Ida', lastName: 'Lampe' }
        const created = dataOf(await client.contacts.create(sent))
        kept.contact = created
        check.equal(created.object, 'contact', 'object of the contact', 'envelopes')
        check(isId(created.id), `an id that is a UUID (${created.id})`, 'keys')
        const contact = dataOf(await client.contacts.get({ id: created.id }))
        check.wrong.equal([contact.id, contact.email], [created.id, email], 'id and email', 'state')
        check.equal([contact.first_name, contact.last_name], ['Ida', 'Lampe'], 'names', 'values')
        check.equal(contact.unsubscribed, false, 'unsubscribed', 'first-state')
        check(isRecent(contact.created_at), `created_at (${contact.created_at})`, 'times')
        const { data: same } = await client.contacts.get({ email })
        check.wrong.equal(same?.id, created.id, 'id of the contact with this email', 'keys')
        dataOf(await client.contacts.segments.add({ contactId: created.id, segmentId: segment.id }))
        const { data: segments } = dataOf(await client.contacts.segments.list({ contactId: created.id }))
        check.wrong.equal(
          segments.map(({ id }) => id),
          [segment.id],
          'segments of the contact',
        )
        check.equal(segments[0]?.name, 'Night readers', 'name of the segment', 'references')
      },
    },
    {
      name: 'update the contact by email',
      does: 'Changes one name and the subscription. The rest of the contact stays.',
      source: 'PATCH /contacts/{id} "Update a single contact by ID or email"; unsubscribed; GET /contacts/{id}',
      needs: 'more',
      class: 'keys',
      async run({ client, kept, check }) {
        const { id } = kept.contact
        const email = 'ida@readers.example.org'
        const updated = dataOf(await client.contacts.update({ email, firstName: 'Ida Maria', unsubscribed: true }))
        check.equal([updated.object, updated.id], ['contact', id], 'answer', 'envelopes')
        const contact = dataOf(await client.contacts.get({ id }))
        check.wrong.equal([contact.first_name, contact.unsubscribed], ['Ida Maria', true], 'what was changed', 'state')
        check.wrong.equal([contact.last_name, contact.email], ['Lampe', email], 'what stays', 'state')
      },
    },
    {
      name: 'move the contact to another segment',
      does: 'The contact is in both segments after it is added, and only in the new one after it is removed.',
      source: 'POST and DELETE /contacts/{contact_id}/segments/{segment_id}; GET /contacts/{contact_id}/segments',
      needs: 'more',
      class: 'links',
      follows: ['create a contact in a segment'],
      async run({ client, kept, check }) {
        const contactId = kept.contact.id
        const old = kept.segment.id
        const segmentId = dataOf(await client.segments.create({ name: 'Early readers' })).id
        const list = async () =>
          dataOf(await client.contacts.segments.list({ contactId }))
            .data.map(({ id }) => id)
            .sort()
        check.wrong.equal(await list(), [old], 'segments before')
        const added = dataOf(await client.contacts.segments.add({ contactId, segmentId }))
        check.equal(added.id ?? added.segment_id, segmentId, 'answer to the addition', 'envelopes')
        check.wrong.equal(await list(), [old, segmentId].sort(), 'segments with the new one')
        const removed = dataOf(await client.contacts.segments.remove({ contactId, segmentId: old }))
        check.equal(removed.deleted, true, 'deleted', 'deletion')
        check.wrong.equal(await list(), [segmentId], 'segments after the removal')
      },
    },
    {
      name: 'send an email once',
      does: 'The same key and email give the same id and no second email; another key gives another one.',
      source:
        'POST /emails; Idempotency-Key "to ensure emails are only sent once"; GET /emails/{email_id}: to is a list',
      needs: 'overlay',
      class: 'idempotency',
      async run({ client, check }) {
        const sent = {
          from,
          to: 'delivered+ida@resend.dev',
          replyTo: 'help@lantern.example.org',
          subject: 'Order 4117',
        }
        const order = { ...sent, html: '<p>Three lanterns</p>' }
        const first = dataOf(await client.emails.send(order, { idempotencyKey: 'order/4117' }))
        const again = dataOf(await client.emails.send(order, { idempotencyKey: 'order/4117' }))
        const other = dataOf(await client.emails.send(order, { idempotencyKey: 'order/4118' }))
        check(isId(first.id), `an id that is a UUID (${first.id})`, 'keys')
        check.wrong.equal(again.id, first.id, 'id with the same key')
        check.wrong(other.id !== first.id, 'another key has the same id')
        const email = dataOf(await client.emails.get(first.id))
        check.wrong.equal([email.object, email.id], ['email', first.id], 'object and id', 'state')
        check.equal(
          [email.from, email.subject, email.html],
          [from, order.subject, order.html],
          'what was sent',
          'values',
        )
        check.equal([email.to, email.reply_to], [[order.to], [order.replyTo]], 'to and reply_to', 'references')
        const states = ['queued', 'sent', 'delivered', 'delivery_delayed', 'bounced']
        check(states.includes(email.last_event), `last_event (${email.last_event})`, 'first-state')
        check.wrong(!['canceled', 'scheduled'].includes(email.last_event), `it is ${email.last_event}`, 'first-state')
        check(isRecent(email.created_at), `created_at (${email.created_at})`, 'times')
      },
    },
    {
      name: 'cancel a scheduled email',
      does: 'An email for later has the last event scheduled, and canceled after the cancellation.',
      source:
        'POST /emails: scheduled_at; POST /emails/{email_id}/cancel "Cancel the schedule of the e-mail"; last_event',
      needs: 'overlay',
      class: 'actions',
      async run({ client, check }) {
        const later = { from, to: ['delivered+ida@resend.dev'], subject: 'Lanterns in autumn', text: 'Soon.' }
        const { id } = dataOf(await client.emails.send({ ...later, scheduledAt: 'in 2 days' }))
        const before = dataOf(await client.emails.get(id))
        check.wrong.equal([before.id, before.subject], [id, 'Lanterns in autumn'], 'id and subject before', 'state')
        check.equal(before.last_event, 'scheduled', 'last_event before', 'first-state')
        check.wrong(before.last_event !== 'canceled', 'a new email that is canceled', 'first-state')
        check.equal(dataOf(await client.emails.cancel(id)).id, id, 'id in the answer', 'envelopes')
        const after = dataOf(await client.emails.get(id))
        check.wrong.equal([after.id, after.last_event], [id, 'canceled'], 'id and last_event after')
        check.wrong.equal(after.text, 'Soon.', 'text after', 'state')
      },
    },
    {
      name: 'send a batch and list emails in pages',
      does: 'Answers an id for each email, in order. The list gives each once; after is the last id before.',
      source: 'POST /emails/batch; GET /emails; limit, after "Return items after this cursor", has_more',
      needs: 'document',
      class: 'pages',
      async run({ client, check }) {
        const subjects = ['Wick 1', 'Wick 2', 'Wick 3', 'Wick 4', 'Wick 5']
        const emails = subjects.map((subject) => ({ from, to: ['delivered+olaf@resend.dev'], subject, text: 'Light.' }))
        const { data: sent } = dataOf(await client.batch.send(emails))
        const ids = sent.map(({ id }) => id)
        check.wrong.equal(new Set(ids).size, 5, 'number of ids', 'envelopes')
        const fourth = dataOf(await client.emails.get(ids[3]))
        check.wrong.equal([fourth.id, fourth.subject], [ids[3], 'Wick 4'], 'the fourth email', 'state')
        const pages = await pagesOf((options) => client.emails.list(options))
        const found = pages.flatMap(({ data }) => data.map(({ id }) => id))
        check.wrong.equal(countsOf(ids, found), [1, 1, 1, 1, 1], 'how often each email is listed')
        check(pages.length >= 3, `at least 3 pages (${pages.length})`)
        check(
          pages.every(({ data }) => data.length <= 2),
          'pages of at most 2',
        )
        check.equal([pages[0].object, pages[0].has_more], ['list', true], 'object and has_more of the first page')
      },
    },
    {
      name: 'schedule a broadcast and cancel it',
      does: 'A new broadcast is a draft. It can be changed and scheduled; the cancellation makes it a draft again.',
      source: 'POST /broadcasts, …/send, …/cancel; status; https://resend.com/changelog/cancel-broadcast-api',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check }) {
        const segmentId = kept.segment.id
        const draft = { segmentId, from, name: 'Winter list', subject: 'Long nights', html: '<p>Light</p>' }
        const created = dataOf(await client.broadcasts.create(draft))
        check.equal(created.object, 'broadcast', 'object', 'envelopes')
        const { id } = created
        const before = dataOf(await client.broadcasts.get(id))
        check.wrong.equal([before.id, before.name], [id, 'Winter list'], 'id and name before', 'state')
        check.wrong(!['sent', 'canceled'].includes(before.status), `not final before (${before.status})`, 'first-state')
        check.equal(before.status, 'draft', 'status before', 'first-state')
        check.equal([before.scheduled_at, before.sent_at], [null, null], 'scheduled_at and sent_at before', 'times')
        check.equal([before.segment_id, before.from], [segmentId, from], 'segment_id and from', 'values')
        dataOf(await client.broadcasts.update(id, { subject: 'Very long nights' }))
        check.equal(dataOf(await client.broadcasts.send(id, { scheduledAt: 'in 2 days' })).id, id, 'id', 'envelopes')
        const scheduled = dataOf(await client.broadcasts.get(id))
        check.wrong.equal([scheduled.id, scheduled.subject], [id, 'Very long nights'], 'id and subject', 'state')
        check(['scheduled', 'queued'].includes(scheduled.status), `status scheduled (${scheduled.status})`)
        check(Date.parse(scheduled.scheduled_at) > Date.now(), `scheduled_at (${scheduled.scheduled_at})`, 'times')
        dataOf(await client.broadcasts.cancel(id))
        const after = dataOf(await client.broadcasts.get(id))
        check.wrong.equal([after.id, after.status], [id, 'draft'], 'id and status after')
      },
    },
    {
      name: 'publish a template and duplicate it',
      does: 'A new template is a draft, is found by its alias, and is published. The copy is another draft.',
      source: 'POST /templates, …/publish, …/duplicate; GET /templates/{id} "ID or alias"; status, published_at',
      needs: 'more',
      class: 'actions',
      async run({ client, check }) {
        const html = '<p>{{{LANTERNS}}} lanterns are on the way</p>'
        const variables = [{ key: 'LANTERNS', type: 'number', fallbackValue: 3 }]
        const template = { name: 'On the way', alias: 'on-the-way', subject: 'Soon', html, variables }
        const { id } = dataOf(await client.templates.create(template))
        const before = dataOf(await client.templates.get('on-the-way'))
        check.wrong.equal([before.id, before.name], [id, 'On the way'], 'id and name by alias', 'keys')
        check.equal([before.html, before.subject], [html, 'Soon'], 'html and subject', 'values')
        check.equal([before.status, before.published_at], ['draft', null], 'status and published_at', 'first-state')
        const [variable] = before.variables ?? []
        check.equal([variable?.key, variable?.type], ['LANTERNS', 'number'], 'the variable', 'values')
        check.equal(dataOf(await client.templates.publish(id)).id, id, 'id in the answer', 'envelopes')
        const published = dataOf(await client.templates.get(id))
        check.wrong.equal([published.id, published.status], [id, 'published'], 'id and status')
        check(isRecent(published.published_at), `published_at (${published.published_at})`, 'times')
        const copyId = dataOf(await client.templates.duplicate(id)).id
        check.wrong(copyId !== id, 'the copy has the same id', 'keys')
        const copy = dataOf(await client.templates.get(copyId))
        check.wrong.equal([copy.id, copy.html], [copyId, html], 'id and html of the copy', 'state')
        check.equal(copy.status, 'draft', 'status of the copy', 'first-state')
      },
    },
    {
      name: 'create and remove an API key',
      does: 'The token is shown once. The list has the key with its name and without the token, until it is removed.',
      source: 'POST /api-keys: id, token; GET /api-keys: ApiKey has no token; DELETE /api-keys/{api_key_id}',
      needs: 'document',
      class: 'keys',
      async run({ client, check }) {
        const { id, token } = dataOf(await client.apiKeys.create({ name: 'Lamp post', permission: 'sending_access' }))
        check(typeof token === 'string' && token !== '', `a token (${token})`)
        const find = async () => dataOf(await client.apiKeys.list({ limit: 100 })).data.find((each) => each.id === id)
        const key = await find()
        check.wrong.equal(key?.name, 'Lamp post', 'name in the list')
        check.wrong(key?.token === undefined, 'the list shows the token')
        check(isRecent(key?.created_at), `created_at (${key?.created_at})`, 'times')
        const { error } = await client.apiKeys.remove(id)
        check.wrong.equal(error, null, 'error of the removal', 'deletion')
        check.wrong.equal(await find(), undefined, 'the key after its removal')
      },
    },
    {
      name: 'remove the contact',
      does: 'Answers deleted: true. Then the error is not_found with the status 404, by id and by email.',
      source: 'DELETE /contacts/{id}: deleted; https://resend.com/docs/api-reference/errors: not_found 404',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check }) {
        const { id } = kept.contact
        const before = dataOf(await client.contacts.get({ id }))
        check.wrong.equal(before.last_name, 'Lampe', 'the contact before', 'state')
        const removed = dataOf(await client.contacts.remove({ id }))
        check.equal([removed.object, removed.deleted], ['contact', true], 'answer', 'deletion')
        const { data, error } = await client.contacts.get({ id })
        check.wrong.equal(data, null, 'data after')
        check.wrong.equal(error?.statusCode, 404, 'statusCode')
        check.equal(error?.name, 'not_found', 'name')
        const byEmail = await client.contacts.get({ email: 'ida@readers.example.org' })
        check.wrong.equal(byEmail.data, null, 'the contact by email after')
        const { data: segment } = await client.segments.get(kept.segment.id)
        check.wrong.equal(segment?.name, 'Night readers', 'its first segment stays', 'state')
      },
    },
    {
      name: 'send an email without a sender',
      does: 'The error has the status 422 or 400, a name and a message.',
      source: 'POST /emails: required from; https://resend.com/docs/api-reference/errors: missing_required_field 422',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check }) {
        const { data, error } = await client.emails.send({
          to: ['delivered+ida@resend.dev'],
          subject: 'From?',
          text: 'x',
        })
        check.wrong.equal(data, null, 'data')
        check.wrong([400, 422].includes(error?.statusCode), `statusCode 422 (${error?.statusCode})`, 'errors')
        const names = ['missing_required_field', 'validation_error', 'invalid_from_address']
        check(names.includes(error?.name), `name (${error?.name})`, 'errors')
        check(typeof error?.message === 'string', 'message', 'errors')
      },
    },
  ],
}

/** What the library returns, or its error as an exception. */
function dataOf({ data, error }) {
  if (error) throw new Error(`${error.name} ${error.statusCode}: ${error.message}`)
  return data
}

/** All pages of two, at most 20: after is the last id of the page before. */
async function pagesOf(list) {
  const pages = [dataOf(await list({ limit: 2 }))]
  while (pages.at(-1).has_more && pages.length < 20) {
    pages.push(dataOf(await list({ limit: 2, after: pages.at(-1).data.at(-1).id })))
  }
  return pages
}

/** How often each of the expected ids is among those found. */
function countsOf(expected, found) {
  return expected.map((id) => found.filter((each) => each === id).length)
}

function isId(id) {
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)
}

function isRecent(date) {
  return Math.abs(Date.now() - Date.parse(date)) < day
}
