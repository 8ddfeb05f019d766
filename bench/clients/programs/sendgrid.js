/**
 * Templates with versions, contact lists, unsubscribe groups, keys and settings, with the client of SendGrid.
 * The library has one generic `request`, so paths and bodies are those of the reference. Answers have no envelope for a
 * record; lists have `result` and `_metadata`, or are bare arrays.
 */
import sendgrid from '@sendgrid/client'

export default {
  connect({ address }) {
    sendgrid.setApiKey('SG.key')
    sendgrid.setDefaultRequest('baseUrl', address('http://api.sendgrid.com/v3').replace(/v3$/, ''))
    return sendgrid
  },
  steps: [
    {
      name: 'create a template',
      does: 'Answers 201 with name, generation and an id. A new template has no versions.',
      source: 'POST /templates; generation "legacy (default) or dynamic"; versions',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const [response, template] = await send(client, 'POST', 'templates', {
          name: 'Invitation to the demonstration',
          generation: 'dynamic',
        })
        kept.template = template.id
        check.equal(response.statusCode, 201, 'status')
        check.equal(template.name, 'Invitation to the demonstration', 'name')
        check.equal(template.generation, 'dynamic', 'generation')
        check.wrong(typeof template.id === 'string', `an id (${template.id})`, 'keys')
        check.equal(template.versions, [], 'versions', 'first-state')
      },
    },
    {
      name: 'retrieve the template',
      does: 'The id of a dynamic template begins with d-, and updated_at is the present time.',
      source: 'GET /templates/{template_id}; docs.sendgrid.com "Dynamic templates": ids like d-…',
      needs: 'overlay',
      class: 'state',
      async run({ client, kept, check }) {
        const [, template] = await send(client, 'GET', `templates/${kept.template}`)
        check.wrong.equal(template.id, kept.template, 'id', 'keys')
        check.wrong.equal(template.name, 'Invitation to the demonstration', 'name')
        check.wrong.equal(template.generation, 'dynamic', 'generation')
        check(/^d-[0-9a-f]{32}$/.test(template.id), `an id that begins with d- (${template.id})`, 'keys')
        check(isToday(template.updated_at), `updated_at is the present time (${template.updated_at})`, 'times')
      },
    },
    {
      name: 'page through the templates',
      does: 'Two templates a page. The next page has the token in the query of _metadata.next.',
      source: 'GET /templates: page_size, page_token "A token … as provided by metadata"; _metadata.next',
      needs: 'document',
      class: 'pages',
      follows: ['create a template'],
      async run({ client, kept, check }) {
        const expected = [kept.template]
        for (const name of ['Thanks', 'Reminder', 'Directions', 'Programme']) {
          const [, template] = await send(client, 'POST', 'templates', { name, generation: 'dynamic' })
          expected.push(template.id)
        }
        kept.templates = expected
        const pages = await pagesOf(client, 'templates', { generations: 'dynamic', page_size: 2 })
        checkPages(check, pages, expected)
      },
    },
    {
      name: 'filter the templates by generation',
      does: 'A template without a generation is a legacy one. Each list has the templates of its generations only.',
      source: 'GET /templates: generations "legacy, dynamic or legacy,dynamic"; POST /templates: default legacy',
      needs: 'document',
      class: 'filters',
      follows: ['page through the templates'],
      async run({ client, kept, check }) {
        const [, legacy] = await send(client, 'POST', 'templates', { name: 'Old letter' })
        check.equal(legacy.generation, 'legacy', 'generation', 'first-state')
        const known = [legacy.id, ...kept.templates]
        const idsOf = async (generations) => {
          const pages = await pagesOf(client, 'templates', { generations, page_size: 100 })
          return pages.flat().filter((id) => known.includes(id))
        }
        check.equal(await idsOf('legacy'), [legacy.id], 'legacy')
        const dynamic = await idsOf('dynamic')
        check(!dynamic.includes(legacy.id), 'the legacy template is not among the dynamic')
        check.wrong.equal(dynamic.filter((id) => id !== legacy.id).sort(), [...kept.templates].sort(), 'dynamic')
        check.wrong.equal((await idsOf('legacy,dynamic')).sort(), [...known].sort(), 'both')
      },
    },
    {
      name: 'add versions',
      does: 'The first version is active, the second is not. Both belong to the template and are found in it.',
      source: 'POST /templates/{template_id}/versions "The first version … will automatically be set to Active"',
      needs: 'more',
      class: 'first-state',
      async run({ client, kept, check }) {
        const path = `templates/${kept.template}`
        const html_content = '<p>Dear {{name}}, come on Friday.</p>'
        const first = { name: 'Friday', subject: 'Come on Friday', html_content }
        const second = { name: 'Monday', subject: 'Come on Monday', html_content, active: 0 }
        const [, friday] = await send(client, 'POST', `${path}/versions`, first)
        const [, monday] = await send(client, 'POST', `${path}/versions`, second)
        kept.friday = friday.id
        kept.monday = monday.id
        check.equal([friday.name, friday.subject], ['Friday', 'Come on Friday'], 'the first', 'values')
        check.equal(friday.html_content, html_content, 'html_content', 'values')
        check.equal(friday.template_id, kept.template, 'template_id', 'owners')
        check.equal(friday.active, 1, 'active of the first')
        check.equal(monday.active, 0, 'active of the second')
        check(/come on Friday/.test(friday.plain_content), 'plain_content made from html_content', 'made-values')
        const [, read] = await send(client, 'GET', `${path}/versions/${monday.id}`)
        check.wrong.equal([read.id, read.subject], [monday.id, 'Come on Monday'], 'the second that is read', 'state')
        const [, { versions }] = await send(client, 'GET', path)
        const ids = versions?.map(({ id }) => id).sort()
        check.equal(ids, [friday.id, monday.id].sort(), 'versions of the template', 'paths')
      },
    },
    {
      name: 'activate the second version',
      does: 'The second version becomes active, and the first inactive.',
      source: 'POST …/versions/{version_id}/activate; "Only one version of a template can be active"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const { friday, monday } = kept
        const path = `templates/${kept.template}/versions`
        const statesOf = async () => {
          const [, first] = await send(client, 'GET', `${path}/${friday}`)
          const [, second] = await send(client, 'GET', `${path}/${monday}`)
          return [first.active, second.active]
        }
        check.wrong.equal(await statesOf(), [1, 0], 'active before', 'first-state')
        const [, activated] = await send(client, 'POST', `${path}/${monday}/activate`)
        check.wrong.equal(activated.id, monday, 'id', 'keys')
        check.equal(activated.active, 1, 'active in the answer')
        check.equal(await statesOf(), [0, 1], 'active after')
      },
    },
    {
      name: 'update the template and a version',
      does: 'Changes the name of the template and the subject of the version, and keeps the rest of both.',
      source: 'PATCH /templates/{template_id}; PATCH /templates/{template_id}/versions/{version_id}',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const path = `templates/${kept.template}`
        await send(client, 'PATCH', path, { name: 'Invitation 2030' })
        await send(client, 'PATCH', `${path}/versions/${kept.friday}`, { subject: 'Friday at nine' })
        const [, template] = await send(client, 'GET', path)
        check.wrong.equal(template.id, kept.template, 'id', 'keys')
        check.wrong.equal(template.name, 'Invitation 2030', 'name')
        check.wrong.equal(template.generation, 'dynamic', 'generation is kept')
        const [, version] = await send(client, 'GET', `${path}/versions/${kept.friday}`)
        check.wrong.equal(version.subject, 'Friday at nine', 'subject')
        check.wrong.equal(version.name, 'Friday', 'name of the version is kept')
      },
    },
    {
      name: 'create, page, rename and delete contact lists',
      does: 'A new list has no contacts. Pages hold each list once; the deleted one answers 404.',
      source: 'POST, GET /marketing/lists: page_token; PATCH and DELETE /marketing/lists/{id}; contact_count',
      needs: 'document',
      class: 'pages',
      async run({ client, check, fails }) {
        const ids = []
        for (const name of ['Astronomers', 'Engineers', 'Patrons', 'Printers', 'Teachers']) {
          const [, list] = await send(client, 'POST', 'marketing/lists', { name })
          check.equal(list.name, name, 'name', 'values')
          check.wrong.equal(list.contact_count, 0, 'contact_count', 'first-state')
          ids.push(list.id)
        }
        checkPages(check, await pagesOf(client, 'marketing/lists', { page_size: 2 }), ids)
        await send(client, 'PATCH', `marketing/lists/${ids[1]}`, { name: 'Engineers and smiths' })
        const [, renamed] = await send(client, 'GET', `marketing/lists/${ids[1]}`)
        check.wrong.equal([renamed.id, renamed.name], [ids[1], 'Engineers and smiths'], 'renamed', 'put-as-update')
        await send(client, 'DELETE', `marketing/lists/${ids[0]}`)
        const error = await fails(() => send(client, 'GET', `marketing/lists/${ids[0]}`))
        check.wrong.equal(error.code, 404, 'status of the deleted', 'deletion')
        const left = (await pagesOf(client, 'marketing/lists', { page_size: 100 })).flat()
        check.wrong.equal(left.filter((id) => ids.includes(id)).sort(), ids.slice(1).sort(), 'left', 'deletion')
      },
    },
    {
      name: 'suppress addresses in a group',
      does: 'The group has the addresses, and the address the group. A removed address is in neither any more.',
      source: 'POST, GET, DELETE /asm/groups/{group_id}/suppressions; GET /asm/suppressions/{email}; unsubscribes',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const description = 'Twice a year'
        const [, group] = await send(client, 'POST', 'asm/groups', { name: 'Almanac', description })
        const [, other] = await send(client, 'POST', 'asm/groups', { name: 'Gazette', description: 'Each week' })
        kept.group = group.id
        check.wrong(Number.isInteger(group.id) && group.id !== other.id, `ids (${group.id}, ${other.id})`, 'keys')
        check.equal([group.name, group.description], ['Almanac', description], 'group', 'values')
        check.equal(group.is_default, false, 'is_default', 'first-state')
        const path = `asm/groups/${group.id}`
        const recipient_emails = ['emmy@example.com', 'sofya@example.com']
        await send(client, 'POST', `${path}/suppressions`, { recipient_emails })
        const [, addresses] = await send(client, 'GET', `${path}/suppressions`)
        check.equal([...addresses].sort(), recipient_emails, 'addresses of the group')
        const [, read] = await send(client, 'GET', path)
        check.equal([read.name, read.unsubscribes], ['Almanac', 2], 'name and unsubscribes', 'made-values')
        const suppressedOf = async () => {
          const [, { suppressions }] = await send(client, 'GET', 'asm/suppressions/emmy@example.com')
          return [group, other].map(({ id }) => suppressions?.find((each) => each.id === id)?.suppressed)
        }
        check.equal(await suppressedOf(), [true, false], 'groups of the address')
        await send(client, 'DELETE', `${path}/suppressions/emmy@example.com`)
        const [, left] = await send(client, 'GET', `${path}/suppressions`)
        check.equal(left, ['sofya@example.com'], 'addresses after the removal')
        check.equal(await suppressedOf(), [false, false], 'groups of the address after the removal')
      },
    },
    {
      name: 'create, change and revoke an API key',
      does: 'Shows the secret once. The list has its name only, the new one after a change, and nothing in the end.',
      source: 'POST, GET /api_keys; PUT, GET, DELETE /api_keys/{api_key_id} "If the API Key ID does not … 404"',
      needs: 'document',
      class: 'paths',
      async run({ client, check, fails }) {
        const [, key] = await send(client, 'POST', 'api_keys', { name: 'Press', scopes: ['templates.read'] })
        check.equal(key.name, 'Press', 'name', 'values')
        check.equal(key.scopes?.includes('templates.read'), true, 'scopes', 'values')
        check(key.api_key?.startsWith('SG.'), 'api_key begins with SG.', 'made-values')
        const listed = async () => {
          const [, { result }] = await send(client, 'GET', 'api_keys')
          return result.filter((each) => each.api_key_id === key.api_key_id).map(({ name, api_key }) => [name, api_key])
        }
        check.wrong.equal(await listed(), [['Press', undefined]], 'name in the list, without a secret')
        const path = `api_keys/${key.api_key_id}`
        const [, changed] = await send(client, 'PUT', path, { name: 'Printing press', scopes: ['templates.create'] })
        check.equal(changed.api_key_id, key.api_key_id, 'api_key_id', 'keys')
        check.equal(changed.scopes?.includes('templates.create'), true, 'new scopes', 'put-as-update')
        check.equal(await listed(), [['Printing press', undefined]], 'name after', 'put-as-update')
        await send(client, 'DELETE', path)
        check.wrong.equal(await listed(), [], 'in the list after', 'deletion')
        const error = await fails(() => send(client, 'GET', path))
        check.wrong.equal(error.code, 404, 'status of the revoked', 'deletion')
      },
    },
    {
      name: 'pause and cancel a batch',
      does: 'A batch is paused, then cancelled, then neither: it is no longer in the list.',
      source: 'POST /mail/batch; POST, GET /user/scheduled_sends; PATCH and DELETE /user/scheduled_sends/{batch_id}',
      needs: 'document',
      class: 'actions',
      async run({ client, check }) {
        const [, { batch_id }] = await send(client, 'POST', 'mail/batch')
        const [, valid] = await send(client, 'GET', `mail/batch/${batch_id}`)
        check.wrong.equal(valid.batch_id, batch_id, 'batch_id that is read', 'state')
        const statusesOf = async () => {
          const [, sends] = await send(client, 'GET', 'user/scheduled_sends')
          return sends.filter((each) => each.batch_id === batch_id).map(({ status }) => status)
        }
        check.wrong.equal(await statusesOf(), [], 'before', 'first-state')
        await send(client, 'POST', 'user/scheduled_sends', { batch_id, status: 'pause' })
        check.wrong.equal(await statusesOf(), ['pause'], 'paused', 'paths')
        await send(client, 'PATCH', `user/scheduled_sends/${batch_id}`, { status: 'cancel' })
        check.equal(await statusesOf(), ['cancel'], 'cancelled')
        const [, [read]] = await send(client, 'GET', `user/scheduled_sends/${batch_id}`)
        check.equal([read?.batch_id, read?.status], [batch_id, 'cancel'], 'read by its id', 'paths')
        await send(client, 'DELETE', `user/scheduled_sends/${batch_id}`)
        check.wrong.equal(await statusesOf(), [], 'after the deletion', 'deletion')
      },
    },
    {
      name: 'change the event webhook',
      does: 'The settings exist once in an account. They are what was sent last.',
      source: 'GET and PATCH /user/webhooks/event/settings "your current event webhook settings"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, check }) {
        const path = 'user/webhooks/event/settings'
        const common = { delivered: true, bounce: false, deferred: true, dropped: false, processed: false, open: true }
        const groups = { unsubscribe: true, spam_report: false, group_unsubscribe: false, group_resubscribe: true }
        for (const click of [false, true]) {
          const url = `https://hooks.example.com/events/${click ? 'second' : 'first'}`
          const sent = { enabled: !click, url, click, ...common, ...groups }
          const [, answer] = await send(client, 'PATCH', path, sent)
          check.equal(answer.url, url, 'url in the answer', 'values')
          const [, read] = await send(client, 'GET', path)
          for (const [name, value] of Object.entries(sent)) check.equal(read[name], value, name)
        }
      },
    },
    {
      name: 'send a mail without recipients',
      does: 'Answers 400 with errors that have field and message, and the library throws ResponseError.',
      source: 'POST /mail/send: personalizations is required; 400 errors: message, field',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const body = {
          from: { email: 'mary@example.com' },
          subject: 'To nobody',
          content: [{ type: 'text/plain', value: 'Good morning' }],
        }
        const error = await fails(() => send(client, 'POST', 'mail/send', body))
        check.wrong.equal(error.constructor.name, 'ResponseError', 'class of the error', 'errors')
        check.wrong.equal(error.code, 400, 'status')
        check(typeof error.response?.body?.errors?.[0]?.message === 'string', 'errors[0].message', 'errors')
      },
    },
    {
      name: 'delete the template',
      does: 'The template is found before. After that it answers 404, and the list does not have it.',
      source: 'DELETE /templates/{template_id} 204; GET /templates/{template_id}',
      needs: 'leniency',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const path = `templates/${kept.template}`
        const idsOf = async () => {
          const pages = await pagesOf(client, 'templates', { generations: 'dynamic', page_size: 100 })
          return pages.flat().filter((id) => kept.templates.includes(id))
        }
        const [, before] = await send(client, 'GET', path)
        check.wrong.equal(before.id, kept.template, 'id before', 'state')
        const listed = await idsOf()
        check.wrong(listed.includes(kept.template), 'in the list before', 'state')
        const [response] = await send(client, 'DELETE', path)
        check.equal(response.statusCode, 204, 'status')
        const error = await fails(() => send(client, 'GET', path))
        check.wrong.equal(error.constructor.name, 'ResponseError', 'class of the error', 'errors')
        check.wrong.equal(error.code, 404, 'status after', 'errors')
        const expected = listed.filter((id) => id !== kept.template).sort()
        check.wrong.equal((await idsOf()).sort(), expected, 'in the list after')
      },
    },
  ],
}

function send(client, method, path, body, qs) {
  return client.request({ method, url: `/v3/${path}`, body, qs })
}

/** The ids of a list, page by page, with the tokens of `_metadata.next`. */
async function pagesOf(client, path, query) {
  const pages = []
  let next
  do {
    const page_token = next && new URL(next, 'https://api.sendgrid.com').searchParams.get('page_token')
    const [, page] = await send(client, 'GET', path, undefined, page_token ? { ...query, page_token } : query)
    pages.push(page.result.map(({ id }) => id))
    next = page._metadata?.next
  } while (next && pages.length < 20)
  return pages
}

function checkPages(check, pages, expected) {
  const listed = pages.flat().filter((id) => expected.includes(id))
  check.wrong.equal(listed.sort(), [...expected].sort(), 'each once')
  const sizes = pages.map(({ length }) => length)
  check(Math.max(...sizes) <= 2, `at most two a page (${sizes})`)
  check(pages.length >= 3, `three pages or more (${pages.length})`)
}

function isToday(text) {
  return Math.abs(Date.parse(text) - Date.now()) < 86_400_000
}
