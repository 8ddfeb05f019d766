/**
 * Intercom 2.11: contacts, tags, notes, companies, conversations and articles.
 * JSON with a `type` in each record, times in seconds, searches by POST with a query, pages by a cursor or by number.
 */
import intercom from 'intercom-client'
import core from 'intercom-client/core/index.js'

const { Intercom, IntercomClient } = intercom
const daySeconds = 24 * 60 * 60

export default {
  connect: ({ address }) =>
    new IntercomClient({
      token: 'token_of_the_test',
      environment: address('https://api.intercom.io'),
      fetcher: (request) => core.fetcher({ ...request, maxRetries: 0 }),
    }),
  steps: [
    {
      name: 'create a contact',
      does: 'A contact with an external_id is a user. It has no owner, no tags and no notes, and was created now.',
      source: 'POST /contacts; contact: type, role, owner_id, tags, has_hard_bounced, created_at; example "successful"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = {
          role: 'user',
          external_id: 'orchard-1',
          email: 'pia@orchard.example.org',
          name: 'Pia Birnbaum',
          signed_up_at: 1700000000,
        }
        const contact = await client.contacts.create(sent)
        kept.contact = contact
        for (const [name, value] of Object.entries(sent)) check.equal(contact[name], value, name, 'values')
        check.equal(contact.type, 'contact', 'type')
        check(typeof contact.id === 'string' && contact.id !== '', `an id (${contact.id})`, 'keys')
        check.equal([contact.owner_id, contact.phone], [null, null], 'owner_id and phone')
        check.equal([contact.has_hard_bounced, contact.marked_email_as_spam], [false, false], 'bounced and spam')
        check.equal([contact.tags?.total_count, contact.notes?.total_count], [0, 0], 'number of tags and notes')
        check(isRecent(contact.created_at), `created_at (${contact.created_at})`, 'times')
        const read = await client.contacts.find({ contact_id: contact.id })
        check.wrong.equal([read.id, read.email], [contact.id, sent.email], 'id and email when read', 'state')
      },
    },
    {
      name: 'update the contact',
      does: 'Changes the name and the phone only. The id, the email and the time of creation stay.',
      source: 'PUT /contacts/{contact_id} "update an existing contact"; GET /contacts/{contact_id}',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id, created_at: createdAt } = kept.contact
        const updated = await client.contacts.update({ contact_id: id, name: 'Pia Apfelbaum', phone: '+4930901820' })
        check.wrong.equal(updated.id, id, 'id in the answer', 'state')
        check.equal(updated.name, 'Pia Apfelbaum', 'name in the answer', 'values')
        const read = await client.contacts.find({ contact_id: id })
        check.wrong.equal(
          [read.name, read.phone],
          ['Pia Apfelbaum', '+4930901820'],
          'name and phone when read',
          'state',
        )
        check.wrong.equal(read.email, 'pia@orchard.example.org', 'email when read')
        check.wrong.equal(read.external_id, 'orchard-1', 'external_id when read')
        check.equal(read.created_at, createdAt, 'created_at when read', 'times')
        check(read.updated_at >= createdAt, `updated_at (${read.updated_at})`, 'times')
      },
    },
    {
      name: 'search contacts in pages',
      does: 'Finds the contacts whose external_id begins so, two in a page. A cursor leads to the next page.',
      source: 'POST /contacts/search; operator ^; pagination: per_page, starting_after "The cursor to use"',
      needs: 'more',
      class: 'searches',
      async run({ client, kept, check, exchanges }) {
        const ids = []
        for (const name of ['Quitte', 'Pflaume', 'Kirsche', 'Feige', 'Mispel']) {
          const email = `${name.toLowerCase()}@grove.example.org`
          ids.push((await client.contacts.create({ role: 'user', external_id: `grove-${name}`, email, name })).id)
        }
        kept.grove = ids
        const search = () => ({
          query: { field: 'external_id', operator: '^', value: 'grove-' },
          pagination: { per_page: 2 },
        })
        await whenIndexed(client, search(), ids.length)
        const before = exchanges().length
        const found = (await itemsOf(await client.contacts.search(search()))).map(({ id }) => id)
        check.wrong.equal(countsOf(ids, found), [1, 1, 1, 1, 1], 'how often each contact is found', 'pages')
        check.wrong(!found.includes(kept.contact.id), 'a contact with another external_id is found')
        const pages = exchanges().slice(before)
        check(pages.length >= 3, `at least 3 pages (${pages.length})`, 'pages')
        const { total_count: total, pages: about } = JSON.parse(pages[0].received)
        check(total >= 5, `total_count (${total})`, 'pages')
        check.equal([about?.page, about?.per_page], [1, 2], 'page and per_page of the first page', 'pages')
      },
    },
    {
      name: 'search with two conditions',
      does: 'AND finds what meets both conditions, OR what meets one of them.',
      source: 'POST /contacts/search; multiple_filter_search_request: operator AND, OR; value: the filters',
      needs: 'more',
      class: 'searches',
      async run({ client, kept, check }) {
        const [quitte, pflaume] = kept.grove
        const isNamed = (value) => ({ field: 'name', operator: '=', value })
        const inGrove = { field: 'external_id', operator: '^', value: 'grove-' }
        const find = async (operator, value) => {
          const query = { operator, value }
          return (await itemsOf(await client.contacts.search({ query, pagination: { per_page: 50 } }))).map(
            ({ id }) => id,
          )
        }
        const both = await find('AND', [inGrove, isNamed('Pflaume')])
        check.wrong.equal(both, [pflaume], 'AND')
        const either = await find('OR', [isNamed('Quitte'), isNamed('Pflaume')])
        check.wrong.equal(countsOf([quitte, pflaume], either), [1, 1], 'OR')
        check.wrong(!either.includes(kept.contact.id), 'OR finds a contact that meets no condition')
      },
    },
    {
      name: 'tag a contact',
      does: 'A tag with a known name is that tag. The contact lists it until it is untagged.',
      source: 'POST /tags "The name of the tag, which will be created if not found"; /contacts/{contact_id}/tags',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const contact_id = kept.contact.id
        const { type, id, name } = await client.tags.create({ name: 'Fruit lover' })
        check.equal([type, name], ['tag', 'Fruit lover'], 'type and name', 'values')
        const again = await client.tags.create({ name: 'Fruit lover' })
        check.equal(again.id, id, 'id of the tag with the same name', 'idempotency')
        const other = await client.tags.create({ name: 'Vegetable lover' })
        check.wrong(other.id !== id, 'another tag has the same id', 'keys')
        const tags = async () => (await client.contacts.listAttachedTags({ contact_id })).data.map((each) => each.id)
        check.wrong.equal(await tags(), [], 'tags before')
        const applied = await client.tags.tagContact({ contact_id, id })
        check.equal([applied.id, applied.name], [id, 'Fruit lover'], 'the tag in the answer', 'references')
        check.wrong.equal(await tags(), [id], 'tags of the contact')
        await client.tags.untagContact({ contact_id, tag_id: id })
        check.wrong.equal(await tags(), [], 'tags afterwards')
      },
    },
    {
      name: 'write notes about a contact',
      does: 'A note belongs to one contact, and can be read by its own id.',
      source: 'POST and GET /contacts/{contact_id}/notes; GET /notes/{note_id}; note: contact, body, created_at',
      needs: 'more',
      class: 'owners',
      async run({ client, kept, check }) {
        const contact_id = kept.contact.id
        const notes = []
        for (const body of ['Likes ripe pears', 'Has a ladder', 'Calls on Mondays']) {
          notes.push(await client.notes.create({ contact_id, body }))
        }
        const [first] = notes
        await client.notes.create({ contact_id: kept.grove[0], body: 'Dislikes plums' })
        check.equal(first.type, 'note', 'type', 'first-state')
        check(String(first.body).includes('Likes ripe pears'), `body (${first.body})`, 'values')
        check.equal(first.contact?.id, contact_id, 'contact.id', 'owners')
        check(isRecent(first.created_at), `created_at (${first.created_at})`, 'times')
        const listed = await itemsOf(await client.notes.list({ contact_id, per_page: 1 }))
        const ids = notes.map(({ id }) => id)
        check.wrong.equal(
          countsOf(
            ids,
            listed.map(({ id }) => id),
          ),
          [1, 1, 1],
          'how often each note is listed',
          'pages',
        )
        check.wrong(!listed.some(({ body }) => body?.includes('plums')), 'a note about another contact', 'filters')
        const read = await client.notes.find({ note_id: first.id })
        check.wrong(
          read.id === first.id && read.body?.includes('Likes ripe pears'),
          `note by id (${read.body})`,
          'paths',
        )
      },
    },
    {
      name: 'create a company twice',
      does: 'The company_id decides: the second call updates the company. The name of the plan becomes a plan.',
      source: 'POST /companies "create or update a company", company_id "Can\'t be updated"; plan: type, id, name',
      needs: 'more',
      class: 'idempotency',
      async run({ client, kept, check }) {
        const sent = { company_id: 'orchard-east', name: 'Orchard East', size: 14, industry: 'Fruit', plan: 'Gardener' }
        const company = await client.companies.createOrUpdate(sent)
        kept.company = company
        const { company_id, name, size, industry } = company
        const expected = ['orchard-east', 'Orchard East', 14, 'Fruit']
        check.equal([company_id, name, size, industry], expected, 'what was sent', 'values')
        check.equal(company.plan?.name, 'Gardener', 'plan.name', 'references')
        check.equal(
          [company.type, company.session_count, company.user_count],
          ['company', 0, 0],
          'type and counts',
          'first-state',
        )
        check(isRecent(company.created_at), `created_at (${company.created_at})`, 'times')
        const again = await client.companies.createOrUpdate({ company_id: 'orchard-east', name: 'Orchard Far East' })
        check.wrong.equal(again.id, company.id, 'id of the second answer')
        const read = await client.companies.find({ company_id: company.id })
        check.wrong.equal([read.id, read.company_id], [company.id, 'orchard-east'], 'ids when read', 'state')
        check.wrong.equal([read.name, read.size], ['Orchard Far East', 14], 'name and size when read')
      },
    },
    {
      name: 'attach a contact to a company',
      does: 'Both sides list the other one, until the contact is detached.',
      source: 'POST, GET and DELETE /contacts/{contact_id}/companies; GET /companies/{company_id}/contacts',
      needs: 'more',
      class: 'links',
      follows: ['create a company twice'],
      async run({ client, kept, check }) {
        const contact_id = kept.contact.id
        const company_id = kept.company.id
        const sides = async () => {
          const companies = await itemsOf(await client.contacts.listAttachedCompanies({ contact_id }))
          const contacts = await client.companies.listAttachedContacts({ company_id })
          return [companies.map(({ id }) => id), contacts.data.map(({ id }) => id)]
        }
        // The list of a company may have a new contact a moment later.
        const sidesAfter = async (expected) => {
          let found = await sides()
          for (let attempt = 0; attempt < 4 && String(found) !== String(expected); attempt++) {
            await new Promise((resolve) => setTimeout(resolve, 300))
            found = await sides()
          }
          return found
        }
        check.wrong.equal(await sides(), [[], []], 'both sides before')
        const attached = await client.companies.attachContact({ contact_id, id: company_id })
        check.equal([attached.type, attached.id], ['company', company_id], 'the company in the answer', 'references')
        const both = [[company_id], [contact_id]]
        check.wrong.equal(await sidesAfter(both), both, 'both sides')
        await client.companies.detachContact({ contact_id, company_id })
        check.wrong.equal(await sidesAfter([[], []]), [[], []], 'both sides afterwards')
      },
    },
    {
      name: 'start a conversation and reply',
      does: 'The answer is a message with the id of the conversation. That is open, and a reply becomes a part of it.',
      source: 'POST /conversations: conversation_id; GET /conversations/{id}; POST …/reply: conversation_parts',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check }) {
        const contact = kept.contact.id
        const from = { type: 'user', id: contact }
        const message = await client.conversations.create({ from, body: 'When do you harvest?' })
        check.equal([message.type, message.body], ['user_message', 'When do you harvest?'], 'type and body', 'values')
        const { conversation_id } = message
        kept.conversation = conversation_id
        const conversation = await client.conversations.find({ conversation_id })
        check.wrong.equal(conversation.id, conversation_id, 'id of the conversation', 'paths')
        check.equal([conversation.state, conversation.open], ['open', true], 'state and open', 'first-state')
        check(conversation.source?.body?.includes('When do you harvest?'), 'source.body', 'references')
        check.equal(
          conversation.contacts?.contacts?.map(({ id }) => id),
          [contact],
          'contacts',
          'links',
        )
        check.equal(conversation.conversation_parts?.total_count, 0, 'number of parts', 'first-state')
        const body = { message_type: 'comment', type: 'user', intercom_user_id: contact, body: 'In September?' }
        const replied = await client.conversations.reply({ conversation_id, body })
        check.wrong.equal(replied.id, conversation_id, 'id in the answer to the reply', 'keys')
        const read = await client.conversations.find({ conversation_id })
        const parts = read.conversation_parts?.conversation_parts ?? []
        const isReply = (part) => part.author?.id === contact && part.body?.includes('In September?')
        check.wrong.equal(parts.filter(isReply).length, 1, 'number of parts with the reply', 'links')
      },
    },
    {
      name: 'close the conversation',
      does: 'The conversation is closed, and has a part of the type close.',
      source: 'POST /conversations/{conversation_id}/parts; message_type close; state "open", "closed" or "snoozed"',
      needs: 'more',
      class: 'actions',
      follows: ['start a conversation and reply'],
      async run({ client, kept, check }) {
        const conversation_id = kept.conversation
        const before = await client.conversations.find({ conversation_id })
        check.wrong.equal([before.id, before.state], [conversation_id, 'open'], 'id and state before', 'state')
        const body = {
          message_type: 'close',
          type: 'admin',
          admin_id: await adminOf(client),
          body: 'See you in autumn',
        }
        const closed = await client.conversations.manage({ conversation_id, body })
        check.wrong.equal(closed.id, conversation_id, 'id in the answer', 'keys')
        check.equal(closed.state, 'closed', 'state in the answer')
        const read = await client.conversations.find({ conversation_id })
        check.wrong.equal([read.state, read.open], ['closed', false], 'state and open when read')
        const parts = read.conversation_parts?.conversation_parts ?? []
        check(
          parts.some(({ part_type }) => part_type === 'close'),
          'a part of the type close',
          'links',
        )
      },
    },
    {
      name: 'publish an article',
      does: 'A new article is a draft with no views and stands alone. The update publishes it and keeps the title.',
      source: 'POST /articles; state "Defaults to draft", statistics; PUT and GET /articles/{article_id}',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const author_id = Number(await adminOf(client))
        const sent = { title: 'How to store pears', description: 'Cool and dark', author_id }
        const article = await client.articles.create(sent)
        kept.article = article
        check.equal(
          [article.title, article.description],
          [sent.title, sent.description],
          'title and description',
          'values',
        )
        check.equal([article.type, article.author_id], ['article', author_id], 'type and author_id')
        check.wrong(article.state !== 'published', 'a new article that is published')
        check.equal(article.state, 'draft', 'state')
        check.equal(article.parent_id, null, 'parent_id')
        check.equal([article.statistics?.views, article.statistics?.reactions], [0, 0], 'views and reactions')
        check(isRecent(article.created_at), `created_at (${article.created_at})`, 'times')
        await client.articles.update({ article_id: article.id, state: 'published' })
        const read = await client.articles.find({ article_id: article.id })
        check.wrong.equal([read.id, read.state], [article.id, 'published'], 'id and state when read', 'actions')
        check.wrong.equal(read.title, sent.title, 'title when read', 'put-as-update')
      },
    },
    {
      name: 'list articles in pages',
      does: 'The library asks for page after page until one is empty. Each article comes once.',
      source: 'GET /articles; page "The page of results to fetch", per_page "How many results to display per page"',
      needs: 'document',
      class: 'pages',
      follows: ['publish an article'],
      async run({ client, kept, check, exchanges }) {
        const author_id = Number(await adminOf(client))
        const ids = [kept.article.id]
        for (const title of ['How to prune plums', 'How to dry figs', 'How to graft quinces', 'How to net cherries']) {
          ids.push((await client.articles.create({ title, author_id, state: 'published' })).id)
        }
        const before = exchanges().length
        const found = (await itemsOf(await client.articles.list({ per_page: 2 }))).map(({ id }) => id)
        check.wrong.equal(countsOf(ids, found), [1, 1, 1, 1, 1], 'how often each article is listed')
        const pages = exchanges()
          .slice(before)
          .map(({ received }) => JSON.parse(received))
        check(pages.length >= 3, `at least 3 pages (${pages.length})`)
        check(
          pages.every(({ data }) => data.length <= 2),
          'pages of at most 2',
        )
        check.equal([pages[1]?.pages?.page, pages[1]?.pages?.per_page], [2, 2], 'page and per_page of the second page')
        check(pages[0].total_count >= 5, `total_count (${pages[0].total_count})`)
      },
    },
    {
      name: 'delete the article',
      does: 'Answers the id with deleted: true. Then the article is not found: 404, not_found, NotFoundError.',
      source: 'DELETE /articles/{article_id}: deleted_article_object; GET /articles/{article_id}: 404 "not_found"',
      needs: 'document',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const article_id = kept.article.id
        const before = await client.articles.find({ article_id })
        check.wrong.equal(before.title, 'How to store pears', 'the article before', 'state')
        const { id, object, deleted } = await client.articles.delete({ article_id })
        check.equal([id, object, deleted], [article_id, 'article', true], 'answer to the deletion', 'deletion')
        const error = await fails(() => client.articles.find({ article_id }))
        check.wrong(error instanceof Intercom.NotFoundError, `NotFoundError (${error.name}, ${error.statusCode})`)
        check.equal(error.body?.type, 'error.list', 'type of the error')
        check.equal(error.body?.errors?.[0]?.code, 'not_found', 'code of the error')
      },
    },
    {
      name: 'create a tag without a name',
      does: 'Answers 400 with a list of errors, and the library throws BadRequestError.',
      source: 'POST /tags; create_or_update_tag_request: required name; 400 "Invalid parameters", error.list',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.tags.create({ label: 'Nameless' }))
        check.wrong(error instanceof Intercom.BadRequestError, `BadRequestError (${error.statusCode})`, 'errors')
        check.equal(error.body?.type, 'error.list', 'type of the error', 'errors')
        check(typeof error.body?.errors?.[0]?.code === 'string', 'code of the error', 'errors')
      },
    },
  ],
}

/** The id of an admin of the workspace. */
async function adminOf(client) {
  const { admins } = await client.admins.list()
  return String(admins?.[0]?.id ?? '991267694')
}

/** All items, at most 40: some pages of this library end only with an empty one. */
async function itemsOf(page) {
  const items = []
  for await (const item of page) {
    items.push(item)
    if (items.length === 40) break
  }
  return items
}

/** New contacts are found by a search a moment later. */
async function whenIndexed(client, search, count) {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { total_count: total } = (await client.contacts.search(search)).response
    if (total >= count) return
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** How often each of the expected ids is among those found. */
function countsOf(expected, found) {
  return expected.map((id) => found.filter((each) => each === id).length)
}

function isRecent(seconds) {
  return Math.abs(Date.now() / 1000 - seconds) < daySeconds
}
