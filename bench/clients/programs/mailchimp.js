/**
 * An audience with members, tags, notes and a segment, and a campaign for it, with the generated client of Mailchimp.
 * Members have the MD5 of their address as their key, lists have `total_items`, and campaigns have actions.
 */
import { createHash } from 'node:crypto'
import mailchimp from '@mailchimp/mailchimp_marketing'

const ada = 'Ada.Lovelace@jedburgh-observatory.org'
const mary = { from_name: 'Mary Somerville', from_email: 'mary@jedburgh-observatory.org' }
const sender = { ...mary, subject: 'News of the engine', language: 'en' }
const place = { city: 'Jedburgh', state: 'Borders', zip: 'TD8 6AJ', country: 'GB' }
const engineer = { company: 'Jedburgh works', address1: '7 Canongate', ...place }

export default {
  connect({ address, redirect }) {
    // The library has no option for its address: it puts the data center of the key into the name of the host.
    redirect({ 'https://us19.api.mailchimp.com/3.0': address('https://server.api.mailchimp.com/3.0') })
    mailchimp.setConfig({ apiKey: 'key-us19', server: 'us19' })
    return mailchimp
  },
  steps: [
    {
      name: 'create a list',
      does: 'Stores what was sent. The list has two keys, no members, and no double opt-in.',
      source: 'POST /lists; double_optin: default false; stats.member_count; web_id',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const sent = {
          name: 'Friends of the engine',
          permission_reminder: 'You signed up at the demonstration.',
          email_type_option: true,
          contact: engineer,
          campaign_defaults: sender,
        }
        const list = await client.lists.createList(sent)
        kept.list = list.id
        const read = await client.lists.getList(list.id)
        check.wrong.equal(read.id, list.id, 'id that is read', 'keys')
        for (const each of [list, read]) {
          check.wrong.equal(each.name, sent.name, 'name')
          check.equal(each.permission_reminder, sent.permission_reminder, 'permission_reminder')
          check.equal(each.email_type_option, true, 'email_type_option')
          check.equal(each.contact?.city, 'Jedburgh', 'contact.city')
          check.equal(each.campaign_defaults?.from_name, 'Mary Somerville', 'campaign_defaults.from_name')
          check.equal(each.double_optin, false, 'double_optin', 'first-state')
          check.wrong.equal(each.stats?.member_count, 0, 'stats.member_count', 'first-state')
          check(Number.isInteger(each.web_id), `web_id is a number (${each.web_id})`, 'keys')
          check(isToday(each.date_created), `date_created is the present time (${each.date_created})`, 'times')
        }
      },
    },
    {
      name: 'add a member',
      does: 'Stores address, status and merge fields. The member belongs to the list.',
      source: 'POST /lists/{list_id}/members; list_id "The list id", last_changed, tags_count',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const member = await client.lists.addListMember(kept.list, {
          email_address: ada,
          status: 'subscribed',
          merge_fields: { FNAME: 'Ada', LNAME: 'Lovelace' },
        })
        kept.member = member.id
        check.equal(member.email_address, ada, 'email_address')
        check.equal(member.status, 'subscribed', 'status')
        check.equal(member.merge_fields?.FNAME, 'Ada', 'merge_fields.FNAME', 'free-form')
        check.equal(member.merge_fields?.LNAME, 'Lovelace', 'merge_fields.LNAME', 'free-form')
        check.equal(member.list_id, kept.list, 'list_id', 'owners')
        check.equal(member.vip, false, 'vip', 'first-state')
        check.equal(member.tags_count, 0, 'tags_count', 'first-state')
        check(isToday(member.last_changed), `last_changed is the present time (${member.last_changed})`, 'times')
      },
    },
    {
      name: 'retrieve the member by the MD5 of the address',
      does: 'The id of a member is the MD5 of the address in lower case. The address itself is a key, too.',
      source: 'GET /lists/{list_id}/members/{subscriber_hash} "MD5 hash of the lowercase version"; full_name',
      needs: 'more',
      class: 'made-values',
      follows: ['add a member'],
      async run({ client, kept, check }) {
        const member = await client.lists.getListMember(kept.list, md5(ada))
        check.wrong.equal(member.email_address, ada, 'email_address', 'keys')
        check.equal(member.id, md5(ada), 'id')
        check.equal(member.full_name, 'Ada Lovelace', 'full_name')
        const byAddress = await client.lists.getListMember(kept.list, ada)
        check.wrong.equal(byAddress.id, kept.member, 'id by the address', 'keys')
      },
    },
    {
      name: 'add a batch and page through the members',
      does: 'Adds four members in one request. The pages hold each of the five once, and total_items counts all.',
      source: 'POST /lists/{list_id}; GET …/members: count, offset; total_items "regardless of pagination"',
      needs: 'document',
      class: 'pages',
      follows: ['add a member'],
      async run({ client, kept, check }) {
        const members = [
          { email_address: addressOf('grace'), status: 'subscribed', vip: true },
          { email_address: addressOf('emmy'), status: 'subscribed' },
          { email_address: addressOf('sofya'), status: 'subscribed' },
          { email_address: addressOf('maria'), status: 'pending' },
        ]
        const batch = await client.lists.batchListMembers(kept.list, { members })
        const expected = members.map((each) => each.email_address)
        check.equal(addressesOf(batch.new_members).sort(), [...expected].sort(), 'new_members', 'envelopes')
        check.equal([batch.total_created, batch.error_count], [4, 0], 'total_created and error_count', 'made-values')
        const pages = []
        for (let offset = 0; offset < 20; offset += 2) {
          const page = await client.lists.getListMembersInfo(kept.list, { count: 2, offset })
          if (page.members.length === 0) break
          pages.push(page)
        }
        const listed = pages.flatMap((page) => addressesOf(page.members))
        check.wrong.equal(listed.sort(), [ada, ...expected].sort(), 'all members, each once')
        const sizes = pages.map((page) => page.members.length)
        check.equal(sizes, [2, 2, 1], 'sizes of the pages')
        check.equal(pages[0]?.total_items, 5, 'total_items')
        check.equal(pages[0]?.list_id, kept.list, 'list_id', 'owners')
      },
    },
    {
      name: 'filter the members',
      does: 'Finds members by status, and the VIPs.',
      source: 'GET /lists/{list_id}/members: status "The subscriber’s status", vip_only',
      needs: 'document',
      class: 'filters',
      follows: ['add a batch and page through the members'],
      async run({ client, kept, check }) {
        const find = (query) => client.lists.getListMembersInfo(kept.list, { count: 50, ...query })
        const pending = await find({ status: 'pending' })
        check.equal(addressesOf(pending.members), [addressOf('maria')], 'members with the status pending')
        check.wrong(addressesOf(pending.members).includes(addressOf('maria')), 'finds the pending member')
        check.equal(pending.total_items, 1, 'total_items', 'pages')
        const vips = await find({ vipOnly: true })
        check.equal(addressesOf(vips.members), [addressOf('grace')], 'VIPs')
      },
    },
    {
      name: 'change and upsert members',
      does: 'PATCH keeps what is not sent, also in the merge fields. PUT changes a member or adds it.',
      source: 'PATCH and PUT /lists/{list_id}/members/{subscriber_hash} "Add or update a list member"',
      needs: 'more',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { list, member } = kept
        await client.lists.updateListMember(list, member, { status: 'unsubscribed', merge_fields: { LNAME: 'King' } })
        const patched = await client.lists.getListMember(list, member)
        check.wrong.equal(patched.status, 'unsubscribed', 'status after PATCH')
        check.equal(patched.merge_fields?.LNAME, 'King', 'LNAME after PATCH')
        check.equal(patched.merge_fields?.FNAME, 'Ada', 'FNAME is kept')
        check.wrong.equal(patched.email_address, ada, 'email_address is kept')
        const upsert = (address, fields) =>
          client.lists.setListMember(list, md5(address), {
            email_address: address,
            status_if_new: 'subscribed',
            ...fields,
          })
        await upsert(ada, { language: 'fr' })
        const put = await client.lists.getListMember(list, member)
        check.equal([put.status, put.language], ['unsubscribed', 'fr'], 'status and language after PUT')
        check.equal(put.merge_fields?.FNAME, 'Ada', 'FNAME is kept by PUT')
        const added = await upsert(addressOf('sophie'), {})
        check.equal([added.email_address, added.status], [addressOf('sophie'), 'subscribed'], 'the added member')
        const listed = await client.lists.getListMembersInfo(list, { count: 50 })
        check.wrong.equal(listed.members.length, 6, 'number of members after')
      },
    },
    {
      name: 'tag the member',
      does: 'An active tag is made and linked with the member; an inactive one is taken off.',
      source: 'POST and GET /lists/{list_id}/members/{subscriber_hash}/tags "Add or remove tags"; tags_count',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { list, member } = kept
        const tag = (status, ...names) =>
          client.lists.updateListMemberTags(list, member, { tags: names.map((name) => ({ name, status })) })
        const namesOf = async () => {
          const { tags } = await client.lists.getListMemberTags(list, member)
          return tags.map(({ name }) => name)
        }
        check.wrong.equal(await namesOf(), [], 'tags before', 'first-state')
        await tag('active', 'Engineer', 'Subscriber of 1843')
        check.equal((await namesOf()).sort(), ['Engineer', 'Subscriber of 1843'], 'tags after')
        const read = await client.lists.getListMember(list, member)
        check.equal(read.tags_count, 2, 'tags_count', 'made-values')
        await tag('inactive', 'Engineer')
        check.equal(await namesOf(), ['Subscriber of 1843'], 'tags after the removal')
      },
    },
    {
      name: 'write notes about the member',
      does: 'Notes belong to the member, can be changed, and answer 404 after their deletion.',
      source: 'POST, GET, PATCH, DELETE /lists/{list_id}/members/{subscriber_hash}/notes; last_note',
      needs: 'leniency',
      class: 'paths',
      async run({ client, kept, check, fails }) {
        const { list, member } = kept
        const first = await client.lists.createListMemberNote(list, member, { note: 'Met at the demonstration' })
        const second = await client.lists.createListMemberNote(list, member, { note: 'Asked about cards' })
        check.equal([first.note, second.note], ['Met at the demonstration', 'Asked about cards'], 'note', 'values')
        check.wrong(Number.isInteger(first.id) && first.id !== second.id, `ids (${first.id}, ${second.id})`, 'keys')
        check.equal([first.list_id, first.email_id], [list, member], 'list_id and email_id', 'owners')
        check(isToday(first.created_at), `created_at is the present time (${first.created_at})`, 'times')
        const { notes, total_items } = await client.lists.getListMemberNotes(list, member)
        check.wrong.equal(notes.map(({ id }) => id).sort(), [first.id, second.id].sort(), 'notes of the member')
        check.equal(total_items, 2, 'total_items', 'pages')
        const { last_note } = await client.lists.getListMember(list, member)
        check.equal(last_note?.note, 'Asked about cards', 'last_note of the member', 'made-values')
        await client.lists.updateListMemberNote(list, member, first.id, { note: 'Met in June' })
        const read = await client.lists.getListMemberNote(list, member, first.id)
        check.wrong.equal(read.note, 'Met in June', 'note after the change', 'put-as-update')
        await client.lists.deleteListMemberNote(list, member, first.id)
        const error = await fails(() => client.lists.getListMemberNote(list, member, first.id))
        check.wrong.equal(error.status, 404, 'status', 'deletion')
      },
    },
    {
      name: 'put members into a segment',
      does: 'A static segment has the members of its addresses, and counts them. Members can be added and removed.',
      source: 'POST /lists/{list_id}/segments "emails to be used for a static segment"; POST and DELETE of its members',
      needs: 'document',
      class: 'links',
      follows: ['add a batch and page through the members'],
      async run({ client, kept, check }) {
        const { list } = kept
        const sent = { name: 'Calculators', static_segment: [addressOf('grace'), addressOf('emmy')] }
        const segment = await client.lists.createSegment(list, sent)
        check.equal(segment.name, 'Calculators', 'name', 'values')
        check.equal(segment.list_id, list, 'list_id', 'owners')
        check.equal(segment.type, 'static', 'type', 'first-state')
        check.equal(segment.member_count, 2, 'member_count', 'made-values')
        const membersOf = async () => {
          const { members } = await client.lists.getSegmentMembersList(list, segment.id)
          return addressesOf(members).sort()
        }
        check.equal(await membersOf(), [addressOf('emmy'), addressOf('grace')], 'members')
        const change = { members_to_add: [addressOf('sofya')], members_to_remove: [addressOf('grace')] }
        const changed = await client.lists.batchSegmentMembers(change, list, segment.id)
        check.equal([changed.total_added, changed.total_removed], [1, 1], 'total_added and total_removed')
        check.equal(await membersOf(), [addressOf('emmy'), addressOf('sofya')], 'members after the change')
        const { members } = await client.lists.getSegmentMembersList(list, segment.id)
        const emmy = members.find((each) => each.email_address === addressOf('emmy'))
        await client.lists.removeSegmentMember(list, segment.id, emmy?.id ?? addressOf('emmy'))
        check.equal(await membersOf(), [addressOf('sofya')], 'members after the removal')
      },
    },
    {
      name: 'create a campaign with content',
      does: 'A new campaign is saved, and nothing was sent. Its content is what was put, with a plain text made of it.',
      source: 'POST /campaigns; PUT and GET /campaigns/{campaign_id}/content: plain_text; status',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const settings = {
          subject_line: 'The tables are printed',
          title: 'Tables, spring 2030',
          from_name: 'Mary Somerville',
          reply_to: 'mary@jedburgh-observatory.org',
        }
        const campaign = await client.campaigns.create({
          type: 'regular',
          recipients: { list_id: kept.list },
          settings,
        })
        kept.campaign = campaign.id
        for (const [name, value] of Object.entries(settings)) check.equal(campaign.settings?.[name], value, name)
        check.wrong.equal(campaign.status, 'save', 'status', 'first-state')
        check.wrong.equal(campaign.emails_sent, 0, 'emails_sent', 'first-state')
        check(isToday(campaign.create_time), `create_time is the present time (${campaign.create_time})`, 'times')
        check.equal(campaign.recipients?.list_id, kept.list, 'recipients.list_id')
        check.equal(campaign.recipients?.list_name, 'Friends of the engine', 'recipients.list_name', 'references')
        await client.campaigns.setContent(campaign.id, { html: '<h1>Sines and tangents</h1><p>To ten places.</p>' })
        const content = await client.campaigns.getContent(campaign.id)
        check(content.html?.includes('Sines and tangents'), 'html of the content', 'paths')
        check(content.plain_text?.length > 0, 'plain_text of the content', 'made-values')
      },
    },
    {
      name: 'schedule the campaign',
      does: 'A saved campaign becomes a scheduled one with the time that was sent, and a saved one again.',
      source: 'POST /campaigns/{campaign_id}/actions/schedule and unschedule; status, send_time',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const { campaign } = kept
        const before = await client.campaigns.get(campaign)
        check.wrong.equal([before.id, before.status], [campaign, 'save'], 'id and status before', 'state')
        await client.campaigns.schedule(campaign, { schedule_time: '2030-04-02T09:15:00+00:00' })
        const scheduled = await client.campaigns.get(campaign)
        check.equal(scheduled.status, 'schedule', 'status after')
        check.equal(Date.parse(scheduled.send_time), Date.parse('2030-04-02T09:15:00Z'), 'send_time after')
        check.wrong.equal(scheduled.settings?.title, 'Tables, spring 2030', 'title is kept', 'state')
        await client.campaigns.unschedule(campaign)
        const unscheduled = await client.campaigns.get(campaign)
        check.equal(unscheduled.status, 'save', 'status after it is unscheduled')
      },
    },
    {
      name: 'replicate and remove a campaign',
      does: 'The replica is a saved campaign with an own id and the same subject. After its removal it answers 404.',
      source: 'POST /campaigns/{campaign_id}/actions/replicate; DELETE /campaigns/{campaign_id}; problem details: 404',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const { campaign } = kept
        const replica = await client.campaigns.replicate(campaign)
        check.wrong(replica.id && replica.id !== campaign, `an own id (${replica.id})`, 'keys')
        check.equal(replica.settings?.subject_line, 'The tables are printed', 'subject_line')
        check.equal(replica.recipients?.list_id, kept.list, 'recipients.list_id')
        check.wrong.equal(replica.status, 'save', 'status', 'first-state')
        const { campaigns } = await client.campaigns.list({ count: 50, listId: kept.list })
        const expected = [campaign, replica.id].sort()
        check.wrong.equal(campaigns.map(({ id }) => id).sort(), expected, 'campaigns of the list before', 'filters')
        await client.campaigns.remove(replica.id)
        const error = await fails(() => client.campaigns.get(replica.id))
        check.wrong.equal(error.status, 404, 'status', 'deletion')
        check.equal(error.response?.body?.status, 404, 'status in the body', 'errors')
        check.equal(error.response?.body?.title, 'Resource Not Found', 'title in the body', 'errors')
        const after = await client.campaigns.list({ count: 50, listId: kept.list })
        const left = after.campaigns.map(({ id }) => id)
        check.wrong.equal(left, [campaign], 'campaigns of the list after', 'deletion')
      },
    },
    {
      name: 'create a list without its contact',
      does: 'Answers 400 with the title Invalid Resource and a list of errors.',
      source: 'POST /lists: required name, contact, permission_reminder, …; marketing/docs/errors',
      needs: 'leniency',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.lists.createList({ name: 'Nobody' }))
        check.wrong.equal(error.status, 400, 'status')
        check.equal(error.response?.body?.status, 400, 'status in the body', 'errors')
        check(typeof error.response?.body?.title === 'string', 'title in the body', 'errors')
      },
    },
    {
      name: 'archive the member',
      does: 'The deletion archives: the member is found among the archived ones. Deleted for good, it answers 404.',
      source: 'DELETE /lists/{list_id}/members/{subscriber_hash} "Archive a list member"; POST …/delete-permanent',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { list, member } = kept
        const idsOf = async (status) => {
          const { members } = await client.lists.getListMembersInfo(list, { count: 50, status })
          return members.map(({ id }) => id)
        }
        check.wrong((await idsOf('unsubscribed')).includes(member), 'among the unsubscribed before', 'state')
        check.wrong.equal(await idsOf('archived'), [], 'archived before', 'filters')
        await client.lists.deleteListMember(list, member)
        const archived = await client.lists.getListMember(list, member)
        check.equal([archived.id, archived.status], [member, 'archived'], 'id and status after')
        check.wrong(!(await idsOf('unsubscribed')).includes(member), 'not among the unsubscribed after')
        check.equal(await idsOf('archived'), [member], 'archived after')
        const [other] = await idsOf('subscribed')
        await client.lists.deleteListMemberPermanent(list, other)
        const error = await fails(() => client.lists.getListMember(list, other))
        check.wrong.equal(error.status, 404, 'status after the deletion for good', 'actions')
      },
    },
  ],
}

function md5(address) {
  return createHash('md5').update(address.toLowerCase()).digest('hex')
}

function addressOf(name) {
  return `${name}@jedburgh-observatory.org`
}

function addressesOf(members) {
  return (members ?? []).map((each) => each.email_address)
}

function isToday(text) {
  return Math.abs(Date.parse(text) - Date.now()) < 86_400_000
}
