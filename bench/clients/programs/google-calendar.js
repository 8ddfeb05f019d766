/**
 * Calendars, their events and access rules, with the generated client of Google.
 * The API has camel-case actions beside its records, page tokens, partial updates by PATCH, and deleted events that
 * stay as cancelled ones.
 */
import { auth, calendar } from '@googleapis/calendar'

export default {
  connect({ address }) {
    const user = new auth.OAuth2()
    user.setCredentials({ access_token: 'token' })
    // The library puts its own path, /calendar/v3, after the origin of this address.
    const rootUrl = address('https://www.googleapis.com/calendar/v3')
    return calendar({ version: 'v3', auth: user, rootUrl, retry: false })
  },
  steps: [
    {
      name: 'create two calendars',
      does: 'Stores what was sent, makes an id and an etag for each, and finds both by their id.',
      source: 'POST /calendars "Creates a secondary calendar"; GET /calendars/{calendarId}; Calendar',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const sent = { summary: 'Regattas', description: 'Races on the Tagus', timeZone: 'Europe/Lisbon' }
        const { data: first } = await client.calendars.insert({ requestBody: sent })
        const { data: second } = await client.calendars.insert({ requestBody: { summary: 'Repairs' } })
        kept.first = first.id
        kept.second = second.id
        for (const [name, value] of Object.entries(sent)) check.equal(first[name], value, name)
        check.wrong.equal(first.kind, 'calendar#calendar', 'kind', 'first-state')
        check(typeof first.etag === 'string', 'etag', 'first-state')
        check.wrong(first.id && second.id && first.id !== second.id, `two ids (${first.id}, ${second.id})`, 'keys')
        const read = await client.calendars.get({ calendarId: first.id })
        check.wrong.equal(read.data.id, first.id, 'id that is read', 'keys')
        check.wrong.equal(read.data.summary, 'Regattas', 'summary that is read')
        const other = await client.calendars.get({ calendarId: second.id })
        check.wrong.equal(other.data.summary, 'Repairs', 'summary of the other')
      },
    },
    {
      name: 'rename a calendar',
      does: 'PATCH changes what is sent and keeps the rest. The owner has both calendars on the list, with new names.',
      source: 'PATCH /calendars/{calendarId} "supports patch semantics"; GET /users/me/calendarList',
      needs: 'overlay',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { first, second } = kept
        await client.calendars.patch({ calendarId: first, requestBody: { summary: 'Regattas 2030' } })
        const { data } = await client.calendars.get({ calendarId: first })
        check.wrong.equal(data.summary, 'Regattas 2030', 'summary')
        check.wrong.equal(data.description, 'Races on the Tagus', 'description is kept')
        check.equal(data.timeZone, 'Europe/Lisbon', 'timeZone is kept')
        const list = await client.calendarList.list({ maxResults: 250 })
        const entries = (list.data.items ?? []).filter(({ id }) => [first, second].includes(id))
        check.equal(entries.map(({ id }) => id).sort(), [first, second].sort(), 'calendars on the list', 'links')
        const entry = entries.find(({ id }) => id === first)
        check.equal(entry?.summary, 'Regattas 2030', 'summary on the list', 'links')
        check.equal(entry?.accessRole, 'owner', 'accessRole on the list', 'links')
      },
    },
    {
      name: 'insert an event',
      does: 'The event is confirmed, has the times that were sent, and its guest has not answered yet.',
      source: 'POST /calendars/{calendarId}/events; Event: status "confirmed … the default", id "a-v and digits 0-9"',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const requestBody = {
          summary: 'Skippers meet',
          location: 'Belém tower',
          description: 'Bring the sextant',
          ...timesOf('2030-05-08T15:00:00Z', '2030-05-08T16:30:00Z'),
          attendees: [{ email: 'grace@example.com' }],
          extendedProperties: { private: { boat: 'Vega' } },
        }
        const { data: event } = await client.events.insert({ calendarId: kept.first, requestBody })
        kept.event = event
        const read = await client.events.get({ calendarId: kept.first, eventId: event.id })
        check.wrong.equal(read.data.id, event.id, 'id that is read', 'keys')
        for (const each of [event, read.data]) {
          for (const name of ['summary', 'location', 'description']) check.equal(each[name], requestBody[name], name)
          check.wrong.equal(instantOf(each.start), Date.parse('2030-05-08T15:00:00Z'), 'start')
          check.wrong.equal(instantOf(each.end), Date.parse('2030-05-08T16:30:00Z'), 'end')
          check.equal(each.extendedProperties?.private?.boat, 'Vega', 'extendedProperties', 'free-form')
          check.equal(each.attendees?.[0]?.email, 'grace@example.com', 'attendees[0].email')
          check.equal(each.attendees?.[0]?.responseStatus, 'needsAction', 'responseStatus', 'first-state')
          check.wrong.equal(each.kind, 'calendar#event', 'kind', 'first-state')
          check.wrong.equal(each.status, 'confirmed', 'status', 'first-state')
        }
        check.wrong(/^[a-v0-9]{5,1024}$/.test(event.id), `an id in base32hex (${event.id})`, 'keys')
        check(isToday(event.created), `created is the present time (${event.created})`, 'times')
        check(isToday(event.updated), `updated is the present time (${event.updated})`, 'times')
      },
    },
    {
      name: 'insert an event with its own id twice',
      does: 'The event is found by the id that was sent. The second insertion answers 409 with the reason duplicate.',
      source: 'POST events; "you can specify their IDs"; https://developers.google.com/calendar/api/guides/errors 409',
      needs: 'overlay',
      class: 'idempotency',
      async run({ client, kept, check, fails }) {
        const calendarId = kept.first
        const times = timesOf('2030-05-10T07:00:00Z', '2030-05-10T12:00:00Z')
        const requestBody = { id: 'regatta2030final', summary: 'Final race', ...times }
        const { data } = await client.events.insert({ calendarId, requestBody })
        kept.final = data.id
        check.wrong.equal(data.id, 'regatta2030final', 'id', 'keys')
        const read = await client.events.get({ calendarId, eventId: 'regatta2030final' })
        check.wrong.equal(read.data.summary, 'Final race', 'summary', 'keys')
        const error = await fails(() => client.events.insert({ calendarId, requestBody }))
        check.equal(error.response?.status, 409, 'status')
        check.equal(error.errors?.[0]?.reason, 'duplicate', 'reason', 'errors')
      },
    },
    {
      name: 'page through the events',
      does: 'Two events a page, with nextPageToken up to the last page, which has nextSyncToken.',
      source: 'GET /calendars/{calendarId}/events: maxResults; "nextPageToken: Omitted if no further results"',
      needs: 'document',
      class: 'pages',
      follows: ['insert an event', 'insert an event with its own id twice'],
      async run({ client, kept, check }) {
        const calendarId = kept.first
        const expected = [kept.event.id, kept.final]
        for (const [summary, day] of [
          ['Training', '09'],
          ['Weighing', '07'],
          ['Draw of lanes', '06'],
        ]) {
          const times = timesOf(`2030-05-${day}T09:00:00Z`, `2030-05-${day}T10:00:00Z`)
          const { data } = await client.events.insert({ calendarId, requestBody: { summary, ...times } })
          kept[summary] = data.id
          expected.push(data.id)
        }
        const pages = []
        let pageToken
        do {
          const { data } = await client.events.list({ calendarId, maxResults: 2, pageToken })
          pages.push(data)
          pageToken = data.nextPageToken
        } while (pageToken && pages.length < 20)
        const listed = pages.flatMap(({ items }) => items ?? []).map(({ id }) => id)
        check.wrong.equal(listed.sort(), expected.sort(), 'all events, each once')
        const sizes = pages.map(({ items }) => (items ?? []).length)
        check(Math.max(...sizes) <= 2, `at most two events a page (${sizes})`)
        check(pages.length >= 3, `three pages or more (${pages.length})`)
        check.equal(pages[0].kind, 'calendar#events', 'kind', 'first-state')
        check.equal(pages[0].summary, 'Regattas 2030', 'summary of the calendar', 'owners')
        check(typeof pages.at(-1).nextSyncToken === 'string', 'nextSyncToken on the last page')
      },
    },
    {
      name: 'filter events',
      does: 'Finds the events between two times, in their order; by a word of a description; by a private property.',
      source: 'GET events: timeMin, timeMax "exclusive", orderBy startTime, q, privateExtendedProperty',
      needs: 'document',
      class: 'filters',
      follows: ['page through the events'],
      async run({ client, kept, check }) {
        const calendarId = kept.first
        const idsOf = async (query) => {
          const { data } = await client.events.list({ calendarId, ...query })
          return (data.items ?? []).map(({ id }) => id)
        }
        const bounds = { timeMin: '2030-05-07T09:30:00Z', timeMax: '2030-05-10T00:00:00Z' }
        const between = await idsOf({ ...bounds, singleEvents: true, orderBy: 'startTime' })
        check.equal(between, [kept.Weighing, kept.event.id, kept.Training], 'between two times, in order')
        check.wrong(between.includes(kept.event.id), 'finds the event in the middle')
        check.equal(await idsOf({ q: 'sextant' }), [kept.event.id], 'by a word', 'searches')
        check.equal(await idsOf({ privateExtendedProperty: 'boat=Vega' }), [kept.event.id], 'by a property')
      },
    },
    {
      name: 'change the event',
      does: 'PATCH keeps what is not sent. PUT replaces the whole event: what is not sent is gone.',
      source: 'PATCH "supports patch semantics"; https://developers.google.com/calendar/api/v3/reference/events/update',
      needs: 'overlay',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const key = { calendarId: kept.first, eventId: kept.event.id }
        await client.events.patch({ ...key, requestBody: { summary: 'Skippers dine', status: 'tentative' } })
        const { data: patched } = await client.events.get(key)
        check.wrong.equal(patched.summary, 'Skippers dine', 'summary after PATCH')
        check.equal(patched.status, 'tentative', 'status after PATCH')
        check.wrong.equal(patched.description, 'Bring the sextant', 'description is kept by PATCH')
        check.wrong.equal(instantOf(patched.start), Date.parse('2030-05-08T15:00:00Z'), 'start is kept by PATCH')
        check(patched.etag !== kept.event.etag, 'a new etag', 'made-values')
        check.wrong.equal(patched.created, kept.event.created, 'created is kept', 'times')
        const times = timesOf('2030-05-08T18:00:00Z', '2030-05-08T20:00:00Z')
        await client.events.update({ ...key, requestBody: { summary: 'Dinner', location: 'Alfama', ...times } })
        const { data: replaced } = await client.events.get(key)
        check.wrong.equal(replaced.id, kept.event.id, 'id after PUT', 'keys')
        check.wrong.equal(replaced.summary, 'Dinner', 'summary after PUT')
        check.wrong.equal(instantOf(replaced.start), Date.parse('2030-05-08T18:00:00Z'), 'start after PUT')
        check.equal(replaced.description, undefined, 'description after PUT')
      },
    },
    {
      name: 'move the event to the other calendar',
      does: 'The event leaves the list of its calendar and joins that of the other, which becomes its organizer.',
      source: 'POST /calendars/{calendarId}/events/{eventId}/move "changes an event\'s organizer"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const { first, second, event } = kept
        const times = async (calendarId) => {
          const { data } = await client.events.list({ calendarId })
          return (data.items ?? []).filter(({ id }) => id === event.id).length
        }
        const before = await client.events.get({ calendarId: first, eventId: event.id })
        check.equal(before.data.organizer?.email, first, 'organizer before', 'owners')
        check.wrong.equal([await times(first), await times(second)], [1, 0], 'in the two calendars before', 'state')
        const { data } = await client.events.move({ calendarId: first, eventId: event.id, destination: second })
        check.wrong.equal(data.id, event.id, 'id', 'keys')
        check.equal(data.organizer?.email, second, 'organizer after', 'owners')
        check.equal([await times(first), await times(second)], [0, 1], 'in the two calendars after')
      },
    },
    {
      name: 'add an event from a text',
      does: 'Makes an event with its own id, whose summary comes from the text, in the calendar.',
      source: 'POST /calendars/{calendarId}/events/quickAdd "Creates an event based on a simple text string"',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const calendarId = kept.second
        const { data } = await client.events.quickAdd({ calendarId, text: 'Varnish the hull June 3 2030 12pm-1pm' })
        check.wrong(/^[a-v0-9]{5,1024}$/.test(data.id), `an id in base32hex (${data.id})`, 'keys')
        check.wrong.equal(data.status, 'confirmed', 'status', 'first-state')
        check(/Varnish the hull/.test(data.summary), `summary from the text (${data.summary})`)
        check(instantOf(data.end) > instantOf(data.start), 'ends after its start')
        const read = await client.events.get({ calendarId, eventId: data.id })
        check.wrong.equal(read.data.summary, data.summary, 'summary that is read', 'state')
        const list = await client.events.list({ calendarId })
        check.wrong.equal((list.data.items ?? []).filter(({ id }) => id === data.id).length, 1, 'in the list', 'paths')
      },
    },
    {
      name: 'list the instances of a weekly event',
      does: 'A rule with COUNT=3 makes three instances, a week apart, with ids of their own and that of their event.',
      source: 'GET /calendars/{calendarId}/events/{eventId}/instances; Event: recurrence, recurringEventId',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const calendarId = kept.second
        const recurrence = ['RRULE:FREQ=WEEKLY;COUNT=3']
        const times = timesOf('2030-07-01T08:00:00Z', '2030-07-01T08:45:00Z')
        const { data } = await client.events.insert({
          calendarId,
          requestBody: { summary: 'Check the ropes', recurrence, ...times },
        })
        check.equal(data.recurrence, recurrence, 'recurrence', 'values')
        const instances = await client.events.instances({ calendarId, eventId: data.id })
        const items = instances.data.items ?? []
        const starts = ['2030-07-01', '2030-07-08', '2030-07-15'].map((day) => Date.parse(`${day}T08:00:00Z`))
        check.equal(items.map(({ start }) => instantOf(start)).sort(), starts, 'starts of the instances')
        check.equal(new Set(items.map(({ id }) => id)).size, 3, 'different ids', 'keys')
        const events = new Set(items.map(({ recurringEventId }) => recurringEventId))
        check.equal([...events], [data.id], 'recurringEventId', 'owners')
      },
    },
    {
      name: 'share the calendar',
      does: 'A rule gives a user a role; it can be changed, and after its deletion it is no longer listed.',
      source: 'POST, GET, PATCH and DELETE /calendars/{calendarId}/acl; AclRule: role, scope',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check }) {
        const calendarId = kept.second
        const scope = { type: 'user', value: 'grace@example.com' }
        const requestBody = { role: 'reader', scope }
        const { data: rule } = await client.acl.insert({ calendarId, sendNotifications: false, requestBody })
        check.wrong.equal(rule.kind, 'calendar#aclRule', 'kind', 'first-state')
        check.equal([rule.role, rule.scope], ['reader', scope], 'role and scope', 'values')
        const rolesOf = async () => {
          const { data } = await client.acl.list({ calendarId })
          return (data.items ?? []).filter(({ id }) => id === rule.id).map(({ role }) => role)
        }
        check.wrong.equal(await rolesOf(), ['reader'], 'roles in the list before')
        await client.acl.patch({ calendarId, ruleId: rule.id, requestBody: { role: 'writer' } })
        check.equal(await rolesOf(), ['writer'], 'roles in the list after the change', 'put-as-update')
        await client.acl.delete({ calendarId, ruleId: rule.id })
        check.wrong.equal(await rolesOf(), [], 'roles in the list after the deletion', 'deletion')
      },
    },
    {
      name: 'insert an event without an end',
      does: 'Answers 400 with the reason required, and the library throws GaxiosError.',
      source: 'POST events: end is required, https://developers.google.com/calendar/api/v3/reference/events/insert',
      needs: 'overlay',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const requestBody = { summary: 'Endless', start: { dateTime: '2030-05-06T09:00:00Z' } }
        const error = await fails(() => client.events.insert({ calendarId: kept.first, requestBody }))
        check.wrong.equal(error.constructor.name, 'GaxiosError', 'class of the error', 'errors')
        check.wrong.equal(error.response?.status, 400, 'status')
        check.equal(error.errors?.[0]?.reason, 'required', 'reason', 'errors')
      },
    },
    {
      name: 'delete an event',
      does: 'It is no longer listed, except with showDeleted, as cancelled. To delete it again answers 410.',
      source: 'Event: status "cancelled … only … if the showDeleted flag is set to true"; guides/errors: 410',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const key = { calendarId: kept.first, eventId: kept.final }
        const statusesOf = async (query) => {
          const { data } = await client.events.list({ calendarId: kept.first, ...query })
          return (data.items ?? []).filter(({ id }) => id === kept.final).map(({ status }) => status)
        }
        check.wrong.equal(await statusesOf(), ['confirmed'], 'in the list before', 'state')
        await client.events.delete(key)
        check.wrong.equal(await statusesOf(), [], 'in the list after')
        check.equal(await statusesOf({ showDeleted: true }), ['cancelled'], 'with showDeleted', 'filters')
        const error = await fails(() => client.events.delete(key))
        check.equal(error.response?.status, 410, 'status of the second deletion', 'errors')
      },
    },
    {
      name: 'delete a calendar',
      does: 'The calendar is found before. After that it and its events answer 404 with the reason notFound.',
      source: 'DELETE /calendars/{calendarId}; https://developers.google.com/calendar/api/guides/errors 404 notFound',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const calendarId = kept.second
        const { data } = await client.calendars.get({ calendarId })
        check.wrong.equal([data.id, data.summary], [calendarId, 'Repairs'], 'calendar before', 'state')
        await client.calendars.delete({ calendarId })
        const error = await fails(() => client.calendars.get({ calendarId }))
        check.wrong.equal(error.constructor.name, 'GaxiosError', 'class of the error', 'errors')
        check.wrong.equal(error.response?.status, 404, 'status', 'errors')
        check.equal(error.errors?.[0]?.reason, 'notFound', 'reason', 'errors')
        const ofEvents = await fails(() => client.events.list({ calendarId }))
        check.equal(ofEvents.response?.status, 404, 'status of its events', 'state')
      },
    },
  ],
}

function timesOf(start, end) {
  return { start: { dateTime: start, timeZone: 'UTC' }, end: { dateTime: end, timeZone: 'UTC' } }
}

function instantOf(time) {
  return Date.parse(time?.dateTime)
}

function isToday(text) {
  return Math.abs(Date.parse(text) - Date.now()) < 86_400_000
}
