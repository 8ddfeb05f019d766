/**
 * Twilio (2010-04-01): queues, applications, SIP credentials, keys, messages and calls.
 * Form-encoded bodies with names like FriendlyName, answers with friendly_name, and paths that end with .json.
 */
import twilio from 'twilio'
import exceptions from 'twilio/lib/base/RestException.js'

const RestException = exceptions.default
const accountSid = 'AC5ef872f6da5a21de157d80997a64bd33'
const day = 24 * 60 * 60 * 1000

export default {
  connect: ({ address, redirect }) => {
    redirect({ 'https://api.twilio.com': address('https://api.twilio.com') })
    return twilio(accountSid, 'auth_token_of_the_test', { autoRetry: false })
  },
  steps: [
    {
      name: 'create a queue',
      does: 'Stores the name and the size. A new queue is empty, and nobody has waited in it. The sid begins with QU.',
      source: 'POST /Queues.json; "current_size: The number of calls currently in the queue", sid ^QU[0-9a-fA-F]{32}$',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check, exchanges }) {
        const queue = await client.queues.create({ friendlyName: 'Support tier 2', maxSize: 25 })
        kept.queue = queue
        check.equal(queue.friendlyName, 'Support tier 2', 'friendlyName', 'spelling')
        check.equal(queue.maxSize, 25, 'maxSize', 'spelling')
        check(/^QU[0-9a-fA-F]{32}$/.test(queue.sid), `a sid that begins with QU (${queue.sid})`, 'keys')
        check.equal(queue.accountSid, accountSid, 'accountSid', 'owners')
        check.equal(queue.uri, `/2010-04-01/Accounts/${accountSid}/Queues/${queue.sid}.json`, 'uri', 'made-values')
        check.wrong.equal(queue.currentSize, 0, 'currentSize')
        check.equal(queue.averageWaitTime, 0, 'averageWaitTime')
        const { date_created: created, date_updated: updated } = lastReceived(exchanges)
        check(/^\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} \+0000$/.test(created), `RFC 2822 (${created})`, 'times')
        check(isRecent(created), `date_created (${created})`, 'times')
        check(isRecent(updated), `date_updated (${updated})`, 'times')
      },
    },
    {
      name: 'list the queues in pages of two',
      does: 'The library follows next_page_uri until it is null, and gives each queue once.',
      source: 'GET /Queues.json; PageSize "How many resources to return in each list page", next_page_uri nullable',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check, exchanges }) {
        const created = []
        for (const [index, friendlyName] of ['Sales', 'Billing', 'Returns', 'Night shift'].entries()) {
          created.push(await client.queues.create({ friendlyName, maxSize: 10 + index }))
        }
        kept.queues = created
        const expected = [kept.queue, ...created].map(({ sid }) => sid)
        const before = exchanges().length
        const found = (await client.queues.list({ pageSize: 2, limit: 40 })).map(({ sid }) => sid)
        const requests = exchanges().slice(before)
        check.wrong.equal(countsOf(expected, found), [1, 1, 1, 1, 1], 'how often each queue is listed')
        check(requests.length >= 3, `at least 3 pages (${requests.length})`)
        const sizes = requests.map(({ received }) => JSON.parse(received).queues?.length)
        check(
          sizes.every((size) => size <= 2),
          `pages of at most 2 (${sizes})`,
        )
        const { page, page_size: size, previous_page_uri: previous } = JSON.parse(requests[0].received)
        check.equal({ page, size, previous }, { page: 0, size: 2, previous: null }, 'what page 0 says about itself')
      },
    },
    {
      name: 'turn pages forth and back',
      does: 'Page 1 has other queues than page 0, and its previous_page_uri leads back to the same page 0.',
      source: 'GET /Queues.json; next_page_uri, previous_page_uri; https://www.twilio.com/docs/usage/twilios-response',
      needs: 'document',
      class: 'pages',
      follows: ['list the queues in pages of two'],
      async run({ client, check }) {
        const first = await client.queues.page({ pageSize: 2 })
        const second = await first.nextPage()
        const again = await second.previousPage()
        const [sids, otherSids, sidsAgain] = [first, second, again].map(({ instances }) =>
          instances.map(({ sid }) => sid),
        )
        check.wrong.equal([sids.length, otherSids.length], [2, 2], 'length of both pages')
        check.wrong(!sids.some((sid) => otherSids.includes(sid)), 'page 1 repeats page 0')
        check.wrong.equal(sidsAgain, sids, 'page 0 from page 1')
      },
    },
    {
      name: 'update the queue',
      does: 'Changes the size only. The name, the sid and the time of creation stay.',
      source: 'POST /Queues/{Sid}.json "Update the queue with the new parameters"; GET /Queues/{Sid}.json',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const { sid, dateCreated } = kept.queue
        const updated = await client.queues(sid).update({ maxSize: 40 })
        check.wrong.equal(updated.sid, sid, 'sid')
        check.equal(updated.maxSize, 40, 'maxSize in the answer', 'spelling')
        const read = await client.queues(sid).fetch()
        check.wrong.equal(read.sid, sid, 'sid when read again')
        check.wrong.equal(read.maxSize, 40, 'maxSize when read again')
        check.wrong.equal(read.friendlyName, 'Support tier 2', 'friendlyName when read again')
        check.equal(String(read.dateCreated), String(dateCreated), 'dateCreated when read again', 'times')
      },
    },
    {
      name: 'create an application',
      does: 'Stores URLs, methods and a boolean. Methods that are not sent are POST.',
      source: 'POST /Applications.json; https://www.twilio.com/docs/usage/api/applications (example answers)',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = {
          friendlyName: 'Phone menu',
          voiceUrl: 'https://menu.example.org/voice',
          voiceMethod: 'GET',
          smsUrl: 'https://menu.example.org/sms',
          voiceCallerIdLookup: true,
        }
        const application = await client.applications.create(sent)
        kept.application = application
        check.wrong(
          /^AP[0-9a-fA-F]{32}$/.test(application.sid),
          `a sid that begins with AP (${application.sid})`,
          'keys',
        )
        const read = await client.applications(application.sid).fetch()
        check.wrong.equal(read.sid, application.sid, 'sid')
        for (const [name, value] of Object.entries(sent)) {
          check.equal(application[name], value, `${name} in the answer`, 'spelling')
          check.equal(read[name], value, `${name} when read again`, 'spelling')
        }
        check.equal(application.smsMethod, 'POST', 'smsMethod')
        check.equal(application.apiVersion, '2010-04-01', 'apiVersion')
      },
    },
    {
      name: 'filter applications by name',
      does: 'Lists the applications with this name only.',
      source: 'GET /Applications.json; FriendlyName "The string that identifies the Application resources to read"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const other = await client.applications.create({ friendlyName: 'Voice mail of floor 7' })
        const found = await client.applications.list({ friendlyName: 'Voice mail of floor 7', limit: 50 })
        const sids = found.map(({ sid }) => sid)
        check.wrong.equal(countsOf([other.sid], sids), [1], 'how often the application is listed')
        check.wrong(!sids.includes(kept.application.sid), 'an application with another name is listed')
        check.wrong(
          found.every(({ friendlyName }) => friendlyName === 'Voice mail of floor 7'),
          'all listed applications have this name',
        )
      },
    },
    {
      name: 'add credentials to a list',
      does: 'A credential belongs to its list, and shows its username and never its password.',
      source: 'POST and GET /SIP/CredentialLists/{CredentialListSid}/Credentials.json; sip_credential has no password',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check, exchanges }) {
        const list = await client.sip.credentialLists.create({ friendlyName: 'Desk phones' })
        const otherList = await client.sip.credentialLists.create({ friendlyName: 'Door phones' })
        check.equal(list.friendlyName, 'Desk phones', 'friendlyName of the list', 'spelling')
        check.wrong(/^CL[0-9a-fA-F]{32}$/.test(list.sid), `a sid that begins with CL (${list.sid})`, 'keys')
        const created = []
        for (const username of ['desk-1', 'desk-2', 'desk-3']) {
          created.push(await addCredential(client, list, username))
        }
        const door = await addCredential(client, otherList, 'door-1')
        kept.list = list
        kept.credentials = created
        check(/^CR[0-9a-fA-F]{32}$/.test(door.sid), `a sid that begins with CR (${door.sid})`, 'keys')
        check.equal(door.credentialListSid, otherList.sid, 'credentialListSid', 'owners')
        check.equal(door.username, 'door-1', 'username', 'spelling')
        const found = await client.sip.credentialLists(list.sid).credentials.list({ pageSize: 1, limit: 20 })
        check.wrong.equal(
          found.map(({ username }) => username).sort(),
          ['desk-1', 'desk-2', 'desk-3'],
          'usernames in the list',
        )
        const texts = exchanges().map(({ received }) => String(received))
        check.wrong(!texts.some((text) => text.includes('Correct9Horse')), 'an answer shows the password', 'keys')
      },
    },
    {
      name: 'remove a credential from its list',
      does: 'Answers 204. The credential is gone from its list, the others stay.',
      source: 'DELETE /SIP/CredentialLists/{CredentialListSid}/Credentials/{Sid}.json; 204 "The resource was deleted"',
      needs: 'document',
      class: 'deletion',
      follows: ['add credentials to a list'],
      async run({ client, kept, check }) {
        const list = client.sip.credentialLists(kept.list.sid)
        const [first, second, third] = kept.credentials
        const before = (await list.credentials.list({ limit: 20 })).map(({ sid }) => sid)
        check.wrong(before.includes(second.sid), 'the credential is there before')
        check.wrong.equal(await list.credentials(second.sid).remove(), true, 'remove()')
        const after = (await list.credentials.list({ limit: 20 })).map(({ sid }) => sid)
        check.wrong.equal(after.toSorted(), [first.sid, third.sid].toSorted(), 'credentials afterwards')
      },
    },
    {
      name: 'create an API key',
      does: 'The secret is in the answer to the creation, and never again. The key is listed by its sid.',
      source: 'POST /Keys.json (new_key with secret), GET /Keys/{Sid}.json (key without secret), GET /Keys.json',
      needs: 'document',
      class: 'keys',
      async run({ client, check, exchanges }) {
        const key = await client.newKeys.create({ friendlyName: 'Key of the night job' })
        check.wrong(/^SK[0-9a-fA-F]{32}$/.test(key.sid), `a sid that begins with SK (${key.sid})`)
        check(typeof key.secret === 'string' && key.secret.length >= 16, `a secret (${key.secret})`)
        const read = await client.keys(key.sid).fetch()
        check.wrong.equal(read.sid, key.sid, 'sid')
        check.wrong.equal(read.friendlyName, 'Key of the night job', 'friendlyName', 'paths')
        const received = String(exchanges().at(-1).received)
        check.wrong(!/"secret"/.test(received), 'the secret is shown again')
        const found = await client.keys.list({ limit: 200 })
        check.wrong.equal(
          countsOf(
            [key.sid],
            found.map(({ sid }) => sid),
          ),
          [1],
          'how often the key is listed',
          'paths',
        )
      },
    },
    {
      name: 'send a message',
      does: 'A message through the API is queued first, is one segment without media, and has no error or price yet.',
      source: 'POST /Messages.json; direction "outbound-api for messages created by the REST API"; docs/sms/api',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check, exchanges }) {
        const sent = { from: '+12025550184', to: '+12025550143', body: 'Your table for four is ready.' }
        const message = await client.messages.create(sent)
        kept.message = message
        check(/^SM[0-9a-fA-F]{32}$/.test(message.sid), `a sid that begins with SM (${message.sid})`, 'keys')
        check.equal(message.body, sent.body, 'body', 'spelling')
        check.equal(message.to, sent.to, 'to', 'spelling')
        check.equal(message.from, sent.from, 'from', 'spelling')
        check(['queued', 'accepted'].includes(message.status), `status queued (${message.status})`)
        check.wrong(
          !['canceled', 'failed', 'undelivered', 'received'].includes(message.status),
          `a new message that is ${message.status}`,
        )
        check.equal(message.direction, 'outbound-api', 'direction')
        check.equal(message.errorCode, null, 'errorCode')
        check.equal(message.errorMessage, null, 'errorMessage')
        check.equal(message.price, null, 'price')
        check.equal([message.numMedia, message.numSegments], ['0', '1'], 'numMedia and numSegments', 'made-values')
        const { date_created: created } = lastReceived(exchanges)
        check(isRecent(created), `date_created (${created})`, 'times')
        const read = await client.messages(message.sid).fetch()
        check.wrong.equal([read.sid, read.body], [message.sid, sent.body], 'sid and body when read again', 'state')
      },
    },
    {
      name: 'filter messages by recipient',
      does: 'Lists only the messages to this number.',
      source: 'GET /Messages.json; To "Filter by recipient"',
      needs: 'document',
      class: 'filters',
      follows: ['send a message'],
      async run({ client, kept, check }) {
        const to = '+12025550167'
        const other = await client.messages.create({ from: '+12025550184', to, body: 'Table nine has paid.' })
        const found = await client.messages.list({ to, limit: 100 })
        const sids = found.map(({ sid }) => sid)
        check.wrong.equal(countsOf([other.sid], sids), [1], 'how often the message is listed')
        check.wrong(!sids.includes(kept.message.sid), 'a message to another number is listed')
        check.wrong(
          found.every((message) => message.to === to),
          'all listed messages have this recipient',
        )
      },
    },
    {
      name: 'cancel a call that is queued',
      does: 'A new call is queued and has neither an end nor a price. Setting the status canceled hangs it up.',
      source:
        'POST /Calls.json; POST /Calls/{Sid}.json "Specifying canceled will attempt to hang up calls that are queued"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, check }) {
        const sent = { from: '+12025550184', to: '+12025550121', url: 'https://menu.example.org/voice' }
        const call = await client.calls.create(sent)
        check(/^CA[0-9a-fA-F]{32}$/.test(call.sid), `a sid that begins with CA (${call.sid})`, 'keys')
        check.equal([call.to, call.from], [sent.to, sent.from], 'to and from', 'spelling')
        check.equal(call.direction, 'outbound-api', 'direction', 'first-state')
        check.equal(call.status, 'queued', 'status of a new call', 'first-state')
        check.equal(
          [call.endTime, call.duration, call.price],
          [null, null, null],
          'endTime, duration, price',
          'first-state',
        )
        const canceled = await client.calls(call.sid).update({ status: 'canceled' })
        check.wrong.equal(canceled.sid, call.sid, 'sid')
        let read = await client.calls(call.sid).fetch()
        // Twilio hangs up after it answers.
        for (let attempt = 0; attempt < 4 && read.status !== 'canceled'; attempt++) {
          await new Promise((resolve) => setTimeout(resolve, 300))
          read = await client.calls(call.sid).fetch()
        }
        check.wrong.equal([read.status, read.to], ['canceled', sent.to], 'status and to when read again')
      },
    },
    {
      name: 'delete the queue',
      does: 'Removes an empty queue with 204. Then it is not found: 404 with the code 20404. The other queues stay.',
      source: 'DELETE /Queues/{Sid}.json "Remove an empty queue"; https://www.twilio.com/docs/api/errors/20404',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { sid } = kept.queue
        const before = await client.queues(sid).fetch()
        check.wrong.equal(before.friendlyName, 'Support tier 2', 'the queue before', 'state')
        check.wrong.equal(await client.queues(sid).remove(), true, 'remove()', 'deletion')
        const error = await fails(() => client.queues(sid).fetch())
        check.wrong(error instanceof RestException, `RestException (${error})`)
        check.wrong.equal(error.status, 404, 'status')
        check.equal(error.code, 20404, 'code')
        check(typeof error.message === 'string' && error.message !== '', `a message (${error.message})`)
        const other = await client.queues(kept.queues[0].sid).fetch()
        check.wrong.equal(other.friendlyName, 'Sales', 'another queue', 'state')
      },
    },
    {
      name: 'create a usage trigger for an unknown category',
      does: 'Answers 400, and the library throws RestException with the status and a numeric code.',
      source:
        'POST /Usage/Triggers.json; UsageCategory: enum; https://www.twilio.com/docs/usage/twilios-response#exceptions',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const usageCategory = 'carrier-pigeons'
        const trigger = { callbackUrl: 'https://menu.example.org/usage', triggerValue: '1000', usageCategory }
        const error = await fails(() => client.usage.triggers.create(trigger))
        check.wrong(error instanceof RestException, `RestException (${error})`, 'errors')
        check.wrong.equal(error.status, 400, 'status', 'errors')
        check(Number.isInteger(error.code), `a numeric code (${error.code})`, 'errors')
      },
    },
  ],
}

function addCredential(client, { sid }, username) {
  return client.sip.credentialLists(sid).credentials.create({ username, password: 'Correct9Horse7Battery' })
}

/** How often each of the expected sids is among those found. */
function countsOf(expected, found) {
  return expected.map((sid) => found.filter((each) => each === sid).length)
}

function lastReceived(exchanges) {
  return JSON.parse(exchanges().at(-1).received)
}

function isRecent(date) {
  return typeof date === 'string' && Math.abs(Date.now() - Date.parse(date)) < day
}
