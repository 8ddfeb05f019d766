/**
 * The contacts of a CRM, with the generated client of HubSpot.
 * Every value is a property in one map of strings. Beside single records there are batches, a search by POST, a merge
 * and two kinds of deletion: archived contacts can still be read.
 */
import hubspot from '@hubspot/api-client'

const shown = ['email', 'firstname', 'lastname', 'phone', 'jobtitle', 'company']
const path = '/crm/v3/objects/contacts'

export default {
  connect: ({ address }) =>
    new hubspot.Client({
      accessToken: 'token',
      basePath: address('https://api.hubapi.com'),
      numberOfApiCallRetries: 0,
      limiterOptions: { minTime: 0 },
    }),
  steps: [
    {
      name: 'create a contact',
      does: 'Stores the properties, and makes an id and the times. A new contact is not archived.',
      source: 'POST /crm/v3/objects/contacts; SimplePublicObject: id, properties, createdAt, updatedAt, archived',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const properties = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace', phone: '+441632960001' }
        const contact = await client.crm.contacts.basicApi.create({ properties, associations: [] })
        kept.contact = contact
        check.wrong(/^[0-9]+$/.test(contact.id), `an id of digits (${contact.id})`, 'keys')
        for (const [name, value] of Object.entries(properties)) {
          check.equal(contact.properties?.[name], value, `properties.${name}`, 'free-form')
        }
        check.wrong.equal(contact.archived, false, 'archived', 'first-state')
        check(isToday(contact.createdAt), `createdAt is the present time (${contact.createdAt})`, 'times')
        check(isToday(contact.updatedAt), `updatedAt is the present time (${contact.updatedAt})`, 'times')
      },
    },
    {
      name: 'retrieve the contact by id and by email',
      does: 'Answers the chosen properties; without a choice only a default set, to which phone does not belong.',
      source: 'GET /crm/v3/objects/contacts/{contactId}: properties, idProperty; guides: "default properties"',
      needs: 'overlay',
      class: 'keys',
      async run({ client, kept, check }) {
        const { basicApi } = client.crm.contacts
        const { contact } = kept
        const read = await basicApi.getById(contact.id, ['email', 'phone'])
        check.wrong.equal(read.id, contact.id, 'id')
        check.wrong.equal(read.properties?.email, 'ada@example.com', 'email', 'state')
        check.wrong.equal(read.properties?.phone, '+441632960001', 'phone', 'state')
        check(!('lastname' in (read.properties ?? {})), 'without a lastname, which was not chosen', 'filters')
        check.equal(read.properties?.hs_object_id, contact.id, 'hs_object_id', 'made-values')
        check.wrong.equal(timeOf(read.createdAt), timeOf(contact.createdAt), 'createdAt', 'times')
        const standard = await basicApi.getById(contact.id)
        check.wrong.equal(standard.properties?.lastname, 'Lovelace', 'lastname', 'state')
        check(!('phone' in (standard.properties ?? {})), 'without a phone, which is not in the default set', 'filters')
        const byEmail = await basicApi.getById('ada@example.com', shown, undefined, undefined, false, 'email')
        check.wrong.equal(byEmail.id, contact.id, 'id by email')
      },
    },
    {
      name: 'create a batch of contacts',
      does: 'Creates all of them, each with its own id, and says that the batch is complete.',
      source: 'POST /crm/v3/objects/contacts/batch/create; status: "The expected value is COMPLETE"',
      needs: 'document',
      class: 'envelopes',
      async run({ client, kept, check }) {
        const people = [
          ['Grace', 'Hopper', 'Rear admiral', 'Navy yard'],
          ['Mary', 'Somerville', 'Astronomer', 'Jedburgh works'],
          ['Emmy', 'Noether', 'Lecturer', 'Jedburgh works'],
          ['Sofya', 'Kovalevskaya', 'Professor', 'Jedburgh works'],
          ['Maria', 'Agnesi', 'Author', 'Jedburgh works'],
        ]
        const inputs = people.map(([firstname, lastname, jobtitle, company]) => ({
          properties: { email: emailOf(lastname), firstname, lastname, jobtitle, company },
          associations: [],
        }))
        const batch = await client.crm.contacts.batchApi.create({ inputs })
        kept.batch = batch.results
        check.wrong.equal(batch.status, 'COMPLETE', 'status', 'jobs')
        const emails = batch.results.map(({ properties }) => properties?.email)
        check.equal(emails.sort(), people.map(([, lastname]) => emailOf(lastname)).sort(), 'emails', 'values')
        check.wrong.equal(new Set(batch.results.map(({ id }) => id)).size, 5, 'different ids', 'keys')
        const archived = new Set(batch.results.map((each) => each.archived))
        check.wrong.equal([...archived], [false], 'archived', 'first-state')
        const { id } = ofName(batch.results, 'Noether')
        const read = await client.crm.contacts.basicApi.getById(id, shown)
        check.wrong.equal(read.properties?.jobtitle, 'Lecturer', 'jobtitle that is read', 'paths')
      },
    },
    {
      name: 'page through the contacts',
      does: 'Two contacts a page, with the cursor of the next page, until there is none.',
      source: 'GET /crm/v3/objects/contacts: limit, after; "… a paged response containing more results"',
      needs: 'document',
      class: 'pages',
      follows: ['create a contact', 'create a batch of contacts'],
      async run({ client, kept, check }) {
        const expected = [kept.contact, ...kept.batch].map(({ id }) => id)
        const pages = await pagesOf(client, 2)
        const listed = pages.flat().filter((id) => expected.includes(id))
        check.wrong.equal(listed.sort(), expected.sort(), 'all created contacts, each once')
        const sizes = pages.map(({ length }) => length)
        check(Math.max(...sizes) <= 2, `at most two contacts a page (${sizes})`)
        check(pages.length >= 3, `three pages or more (${pages.length})`)
      },
    },
    {
      name: 'search contacts',
      does: 'Finds the contacts of one company, sorted by name, two a page. New ones can take a moment to appear.',
      source: 'POST /crm/v3/objects/contacts/search: filterGroups, sorts, after; README of the library: sorts',
      needs: 'document',
      class: 'searches',
      follows: ['create a batch of contacts'],
      async run({ client, check }) {
        const filters = [{ propertyName: 'company', operator: 'EQ', value: 'Jedburgh works' }]
        const search = (after) =>
          client.crm.contacts.searchApi.doSearch({
            filterGroups: [{ filters }],
            sorts: ['lastname'],
            properties: ['lastname'],
            limit: 2,
            after,
          })
        const first = await untilTrue(
          () => search('0'),
          ({ total }) => total >= 4,
        )
        check.equal(first.total, 4, 'total')
        check.equal(namesOf(first.results), ['Agnesi', 'Kovalevskaya'], 'names on the first page')
        check.wrong(typeof first.paging?.next?.after === 'string', 'paging.next.after', 'pages')
        const second = await search(first.paging?.next?.after ?? '2')
        check.wrong.equal(namesOf(second.results), ['Noether', 'Somerville'], 'names on the second page')
        check.equal(second.paging?.next, undefined, 'paging.next on the last page', 'pages')
      },
    },
    {
      name: 'update the contact',
      does: 'Changes the properties that are sent, keeps the others, and writes a new updatedAt.',
      source: 'PATCH /crm/v3/objects/contacts/{contactId}; "Provided property values will be overwritten"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { basicApi } = client.crm.contacts
        const { contact } = kept
        const properties = { phone: '+441632960002', jobtitle: 'Countess' }
        const updated = await basicApi.update(contact.id, { properties })
        check.wrong.equal(updated.id, contact.id, 'id', 'keys')
        const read = await basicApi.getById(contact.id, shown)
        check.wrong.equal(read.properties?.phone, '+441632960002', 'phone')
        check.wrong.equal(read.properties?.jobtitle, 'Countess', 'jobtitle')
        check.wrong.equal(read.properties?.email, 'ada@example.com', 'email is kept')
        check.wrong.equal(read.properties?.lastname, 'Lovelace', 'lastname is kept')
        check.wrong.equal(timeOf(read.createdAt), timeOf(contact.createdAt), 'createdAt is kept', 'times')
        check(timeOf(read.updatedAt) >= timeOf(contact.updatedAt), 'updatedAt is not before', 'times')
      },
    },
    {
      name: 'update a batch and read it',
      does: 'Changes each contact in its own way. The batch that is read has exactly the asked contacts.',
      source: 'POST /crm/v3/objects/contacts/batch/update and batch/read',
      needs: 'document',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const { batchApi } = client.crm.contacts
        const [noether, agnesi] = ['Noether', 'Agnesi'].map((name) => ofName(kept.batch, name).id)
        const updated = await batchApi.update({
          inputs: [
            { id: noether, properties: { jobtitle: 'Algebraist' } },
            { id: agnesi, properties: { jobtitle: 'Geometer' } },
          ],
        })
        check.equal(updated.results.map(({ id }) => id).sort(), [noether, agnesi].sort(), 'ids of the updated')
        const properties = ['jobtitle', 'lastname']
        const inputs = [{ id: agnesi }, { id: noether }]
        const read = await batchApi.read({ inputs, properties, propertiesWithHistory: [] })
        const titles = Object.fromEntries(read.results.map((each) => [each.id, each.properties?.jobtitle]))
        check.wrong.equal(titles, { [noether]: 'Algebraist', [agnesi]: 'Geometer' }, 'titles of the read')
        check.wrong.equal(namesOf(read.results).sort(), ['Agnesi', 'Noether'], 'names are kept', 'put-as-update')
      },
    },
    {
      name: 'upsert a batch by email',
      does: 'Updates the contact whose email exists, creates the other, and says which one is new.',
      source: 'POST /crm/v3/objects/contacts/batch/upsert; SimplePublicUpsertObject: new',
      needs: 'document',
      class: 'idempotency',
      async run({ client, kept, check }) {
        const { batchApi, basicApi } = client.crm.contacts
        const hopper = ofName(kept.batch, 'Hopper').id
        const inputOf = (name, jobtitle) => ({
          id: emailOf(name),
          idProperty: 'email',
          properties: { lastname: name, jobtitle },
        })
        const inputs = [inputOf('Hopper', 'Commodore'), inputOf('Germain', 'Correspondent')]
        const { results } = await batchApi.upsert({ inputs })
        const old = results.find(({ id }) => id === hopper)
        const added = results.find(({ id }) => id !== hopper)
        check.wrong.equal(results.length, 2, 'number of results', 'envelopes')
        check.wrong.equal(old?._new, false, 'new of the contact that exists')
        check.equal(added?._new, true, 'new of the other')
        const read = await basicApi.getById(hopper, shown)
        check.equal(read.properties?.jobtitle, 'Commodore', 'jobtitle after', 'put-as-update')
        check.wrong.equal(read.properties?.firstname, 'Grace', 'firstname is kept', 'put-as-update')
        kept.added = added?.id
        const created = await basicApi.getById(added?.id, shown)
        check.equal(created.properties?.email, 'germain@example.com', 'email of the new contact', 'made-values')
      },
    },
    {
      name: 'create a contact with an invalid email',
      does: 'Answers 400 with the category VALIDATION_ERROR, and the library throws ApiException.',
      source: 'POST /crm/v3/objects/contacts; Error: category, message; developers.hubspot.com: email INVALID_EMAIL',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const properties = { email: 'not an address', lastname: 'Nobody' }
        const error = await fails(() => client.crm.contacts.basicApi.create({ properties, associations: [] }))
        check.wrong.equal(error.constructor.name, 'ApiException', 'class of the error', 'errors')
        check.wrong.equal(error.code, 400, 'status')
        check.equal(error.body?.category, 'VALIDATION_ERROR', 'category', 'errors')
      },
    },
    {
      name: 'merge two contacts',
      does: 'The result has the values of the primary contact, and the other one is no longer in the list.',
      source: 'POST /crm/v3/objects/contacts/merge; "will generally set as the current value after the merge"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const [primaryObjectId, objectIdToMerge] = ['Somerville', 'Agnesi'].map((name) => ofName(kept.batch, name).id)
        const before = (await pagesOf(client, 100)).flat()
        check.wrong(before.includes(primaryObjectId) && before.includes(objectIdToMerge), 'both listed before', 'state')
        const body = { primaryObjectId, objectIdToMerge }
        const answer = await client.apiRequest({ method: 'POST', path: `${path}/merge`, body })
        check.equal(answer.status, 200, 'status')
        const merged = await answer.json()
        kept.merged = merged.id
        const read = await client.crm.contacts.basicApi.getById(merged.id, shown)
        check.wrong.equal(read.properties?.email, 'somerville@example.com', 'email')
        check.wrong.equal(read.properties?.lastname, 'Somerville', 'lastname')
        check.wrong.equal(read.archived, false, 'archived')
        const after = (await pagesOf(client, 100)).flat()
        check(!after.includes(objectIdToMerge), 'the merged contact is not listed')
        check.wrong(after.includes(merged.id), 'the result is listed')
      },
    },
    {
      name: 'archive the contact',
      does: 'The contact is found before. After that it answers 404, except to those who ask for archived ones.',
      source: 'DELETE /crm/v3/objects/contacts/{contactId}; GET: archived "only results that have been archived"',
      needs: 'leniency',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { basicApi } = client.crm.contacts
        const { id } = kept.contact
        const before = await basicApi.getById(id, shown)
        check.wrong.equal([before.id, before.archived], [id, false], 'id and archived before', 'state')
        await basicApi.archive(id)
        const error = await fails(() => basicApi.getById(id, shown))
        check.wrong.equal(error.constructor.name, 'ApiException', 'class of the error', 'errors')
        check.wrong.equal(error.code, 404, 'status', 'errors')
        check(!(await pagesOf(client, 100)).flat().includes(id), 'not in the list')
        const archived = await basicApi.getById(id, shown, undefined, undefined, true)
        check.equal([archived.id, archived.archived], [id, true], 'id and archived after', 'filters')
        check(isToday(archived.archivedAt), `archivedAt is the present time (${archived.archivedAt})`, 'times')
      },
    },
    {
      name: 'archive a batch',
      does: 'Both contacts are listed before, and neither after.',
      source: 'POST /crm/v3/objects/contacts/batch/archive',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check }) {
        const ids = ['Hopper', 'Kovalevskaya'].map((name) => ofName(kept.batch, name).id)
        const listed = async () => (await pagesOf(client, 100)).flat().filter((id) => ids.includes(id))
        check.wrong.equal((await listed()).sort(), [...ids].sort(), 'listed before', 'state')
        await client.crm.contacts.batchApi.archive({ inputs: ids.map((id) => ({ id })) })
        check.wrong.equal(await listed(), [], 'listed after')
      },
    },
    {
      name: 'delete a contact for good',
      does: 'The contact is found before, and answers 404 after. The others are still there.',
      source: 'POST /crm/v3/objects/contacts/gdpr-delete "Permanently delete a contact and all associated content"',
      needs: 'leniency',
      class: 'keys-in-bodies',
      async run({ client, kept, check, fails }) {
        const { basicApi } = client.crm.contacts
        const objectId = kept.added
        const before = await basicApi.getById(objectId, shown)
        check.wrong.equal(before.properties?.lastname, 'Germain', 'lastname before', 'state')
        const answer = await client.apiRequest({ method: 'POST', path: `${path}/gdpr-delete`, body: { objectId } })
        check.equal(answer.status, 204, 'status', 'deletion')
        const error = await fails(() => basicApi.getById(objectId, shown))
        check.wrong.equal(error.code, 404, 'status of the deleted contact')
        const other = await basicApi.getById(ofName(kept.batch, 'Noether').id, shown)
        check.wrong.equal(other.properties?.lastname, 'Noether', 'lastname of another', 'state')
      },
    },
  ],
}

/** The ids of all contacts, page by page, with the cursors of the service. */
async function pagesOf(client, limit) {
  const pages = []
  let after
  do {
    const { results, paging } = await client.crm.contacts.basicApi.getPage(limit, after)
    pages.push(results.map(({ id }) => id))
    after = paging?.next?.after
  } while (after && pages.length < 20)
  return pages
}

async function untilTrue(call, isDone) {
  for (let left = 4; ; left--) {
    const answer = await call()
    if (isDone(answer) || left === 0) return answer
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

function ofName(contacts, name) {
  return contacts.find(({ properties }) => properties?.email === emailOf(name)) ?? {}
}

function namesOf(contacts) {
  return contacts.map(({ properties }) => properties?.lastname)
}

function emailOf(name) {
  return `${name.toLowerCase()}@example.com`
}

function timeOf(date) {
  return new Date(date).getTime()
}

function isToday(date) {
  return Math.abs(timeOf(date) - Date.now()) < 86_400_000
}
