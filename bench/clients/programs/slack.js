/**
 * Slack: channels, messages, threads, reactions and files.
 * RPC: each method is a POST with a form, ids are in the body, a failure is a 200 with `ok: false` and a code.
 */
import slack from '@slack/web-api'

const { ErrorCode, WebClient } = slack
const daySeconds = 24 * 60 * 60

export default {
  connect: ({ address }) =>
    new WebClient('xoxb-token-of-the-test', {
      slackApiUrl: `${address('https://slack.com/api')}/`,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silentLogger(),
    }),
  steps: [
    {
      name: 'create a channel',
      does: 'A new public channel is not archived, was just created, and has an empty topic and an empty purpose.',
      source: 'POST /conversations.create; objs_conversation, and the example of the answer',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, kept, check }) {
        const { ok, channel } = await client.conversations.create({ name: 'launch-plan' })
        kept.channel = channel
        check.wrong.equal(ok, true, 'ok', 'errors')
        check.equal(channel.name, 'launch-plan', 'name', 'values')
        check(/^C[A-Z0-9]{8,}$/.test(channel.id), `an id that begins with C (${channel.id})`, 'keys')
        check.equal([channel.is_channel, channel.is_private], [true, false], 'is_channel and is_private')
        check.wrong(channel.is_archived !== true, 'a new channel that is archived')
        check.equal([channel.is_archived, channel.is_general], [false, false], 'is_archived and is_general')
        check(isRecent(channel.created), `created (${channel.created})`, 'times')
        check.equal([channel.topic?.value, channel.purpose?.value], ['', ''], 'topic and purpose')
        const read = await client.conversations.info({ channel: channel.id })
        check.wrong.equal([read.channel.id, read.channel.name], [channel.id, 'launch-plan'], 'info', 'keys-in-bodies')
      },
    },
    {
      name: 'list the channels with paginate',
      does: 'Answers at most two channels and a next_cursor; the last page has none. Each channel is listed once.',
      source: 'GET /conversations.list; cursor "setting the `cursor` parameter to a `next_cursor` attribute"',
      needs: 'leniency',
      class: 'pages',
      async run({ client, kept, check }) {
        const created = []
        for (const name of ['kitchen', 'garden', 'roof', 'cellar']) {
          created.push((await client.conversations.create({ name })).channel)
        }
        kept.channels = created
        const pages = await pagesOf(client.paginate('conversations.list', { limit: 2, types: 'public_channel' }))
        const found = pages.flatMap(({ channels }) => channels.map(({ id }) => id))
        const ids = [kept.channel, ...created].map(({ id }) => id)
        check.wrong.equal(countsOf(ids, found), [1, 1, 1, 1, 1], 'how often each channel is listed')
        check(pages.length >= 3, `at least 3 pages (${pages.length})`)
        check(
          pages.every(({ channels }) => channels.length <= 2),
          'at most two channels in a page',
        )
        check(!pages.at(-1).response_metadata?.next_cursor, 'no cursor after the last page')
      },
    },
    {
      name: 'rename a channel and set its topic',
      does: 'The channel has the new name and topic, keeps its id and its time, and remembers its previous name.',
      source: 'POST /conversations.rename, /conversations.setTopic; https://api.slack.com/types/conversation',
      needs: 'overlay',
      class: 'keys-in-bodies',
      async run({ client, kept, check }) {
        const { id, created } = kept.channel
        const renamed = await client.conversations.rename({ channel: id, name: 'launch-done' })
        check.wrong.equal(renamed.channel.id, id, 'id in the answer')
        check.equal(renamed.channel.name, 'launch-done', 'name in the answer')
        await client.conversations.setTopic({ channel: id, topic: 'Rocket on the pad' })
        const { channel } = await client.conversations.info({ channel: id })
        check.wrong.equal(channel.id, id, 'id when read again')
        check.wrong.equal(channel.name, 'launch-done', 'name when read again')
        check.wrong.equal(channel.topic?.value, 'Rocket on the pad', 'topic when read again')
        check(isRecent(channel.topic?.last_set), `last_set of the topic (${channel.topic?.last_set})`, 'times')
        check.equal(channel.purpose?.value, '', 'purpose when read again')
        check.equal(channel.created, created, 'created when read again', 'times')
        check.equal(channel.previous_names, ['launch-plan'], 'previous_names', 'made-values')
        const other = await client.conversations.info({ channel: kept.channels[0].id })
        check.wrong.equal([other.channel.name, other.channel.topic?.value], ['kitchen', ''], 'another channel')
      },
    },
    {
      name: 'post a message',
      does: 'Answers the channel, the ts that is the key of the message, and the message itself.',
      source: 'POST /chat.postMessage; the example of the answer; defs_ts "Timestamp in format 0123456789.012345"',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, kept, check }) {
        const channel = kept.channel.id
        const sent = await client.chat.postMessage({ channel, text: 'Fuel is in tank 3' })
        kept.message = sent.message
        check.wrong.equal(sent.channel, channel, 'channel', 'values')
        check(/^\d{10}\.\d{6}$/.test(sent.ts), `a ts like 0123456789.012345 (${sent.ts})`, 'keys')
        check(isRecent(Number(sent.ts)), `a ts of today (${sent.ts})`, 'times')
        check.wrong.equal(sent.message.ts, sent.ts, 'ts of the message', 'state')
        check.equal(sent.message.text, 'Fuel is in tank 3', 'text', 'envelopes')
        check.equal(sent.message.type, 'message', 'type')
      },
    },
    {
      name: 'read the history of a channel in pages',
      does: 'Gives the messages of this channel and of no other one, newest first, with has_more and a cursor.',
      source:
        'GET /conversations.history; limit, cursor, has_more; https://api.slack.com/methods/conversations.history',
      needs: 'overlay',
      class: 'pages',
      async run({ client, kept, check }) {
        const channel = kept.channels[0].id
        const texts = ['Soup at one', 'Bread at two', 'Salad at three', 'Cake at four', 'Tea at five']
        for (const text of texts) await client.chat.postMessage({ channel, text })
        await client.chat.postMessage({ channel: kept.channels[1].id, text: 'Roses are watered' })
        const pages = await pagesOf(client.paginate('conversations.history', { channel, limit: 2 }))
        const messages = pages.flatMap((page) => page.messages)
        const found = messages.map(({ text }) => text).filter((text) => texts.includes(text))
        check.wrong.equal(found.toSorted(), texts.toSorted(), 'each message once')
        check.equal(found, texts.toReversed(), 'newest first')
        check.wrong(
          !messages.some(({ text }) => ['Roses are watered', 'Fuel is in tank 3'].includes(text)),
          'a message of another channel',
          'filters',
        )
        check.equal(new Set(messages.map(({ ts }) => ts)).size, messages.length, 'number of different ts', 'keys')
        check(pages.length >= 3, `at least 3 pages (${pages.length})`)
        check.equal(
          [pages[0].has_more, pages.at(-1).has_more],
          [true, false],
          'has_more of the first and the last page',
        )
      },
    },
    {
      name: 'answer in a thread',
      does: 'conversations.replies gives the parent first, then its answers in order. The parent counts its answers.',
      source:
        'GET /conversations.replies "Retrieve a thread of messages", reply_count, thread_ts; example of the answer',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const channel = kept.channels[2].id
        const parent = await client.chat.postMessage({ channel, text: 'Who fixes the tiles?' })
        await client.chat.postMessage({ channel, text: 'Nobody asked this' })
        for (const text of ['I do', 'Me too']) {
          const reply = await client.chat.postMessage({ channel, text, thread_ts: parent.ts })
          check.equal(reply.message.thread_ts, parent.ts, 'thread_ts of an answer', 'values')
        }
        const { messages } = await client.conversations.replies({ channel, ts: parent.ts })
        check.wrong.equal(
          messages.map(({ text }) => text),
          ['Who fixes the tiles?', 'I do', 'Me too'],
          'the thread',
        )
        check.wrong.equal(messages[0].ts, parent.ts, 'ts of the parent')
        check.equal(messages[0].reply_count, 2, 'reply_count', 'made-values')
        const history = await client.conversations.history({ channel, limit: 100 })
        const texts = history.messages.map(({ text }) => text)
        check.wrong(texts.includes('Nobody asked this'), 'the history has the message outside of the thread')
        check(!texts.includes('I do'), 'the history has no answers of threads', 'filters')
      },
    },
    {
      name: 'edit a message',
      does: 'The message has the new text and the same ts. latest, inclusive and limit 1 read exactly this message.',
      source: 'POST /chat.update "Updates a message"; https://api.slack.com/messaging/retrieving#individual_messages',
      needs: 'overlay',
      class: 'keys-in-bodies',
      follows: ['post a message'],
      async run({ client, kept, check }) {
        const channel = kept.channel.id
        const { ts } = kept.message
        const later = await client.chat.postMessage({ channel, text: 'Doors are closed' })
        const updated = await client.chat.update({ channel, ts, text: 'Fuel is in tank 8' })
        check.wrong.equal([updated.channel, updated.ts], [channel, ts], 'channel and ts in the answer')
        check.equal(updated.text, 'Fuel is in tank 8', 'text in the answer', 'values')
        const { messages } = await client.conversations.history({ channel, latest: ts, inclusive: true, limit: 1 })
        check.wrong.equal(messages.length, 1, 'number of messages', 'filters')
        check.wrong.equal(messages[0]?.ts, ts, 'ts when read again', 'filters')
        const all = (await client.conversations.history({ channel, limit: 100 })).messages
        check.wrong.equal(all.find((message) => message.ts === ts)?.text, 'Fuel is in tank 8', 'text when read again')
        check.wrong.equal(all.find((message) => message.ts === later.ts)?.text, 'Doors are closed', 'another message')
      },
    },
    {
      name: 'react to a message and take it back',
      does: 'The message has the reaction with one user and the count 1, and afterwards none.',
      source: 'POST /reactions.add, /reactions.remove; GET /reactions.get; objs_reaction: name, users, count',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const { channels } = kept
        const channel = channels[3].id
        const { ts: timestamp } = await client.chat.postMessage({ channel, text: 'The cellar is dry' })
        const reactions = async () => {
          const { type, message } = await client.reactions.get({ channel, timestamp, full: true })
          check.wrong.equal([type, message?.ts, message?.text], ['message', timestamp, 'The cellar is dry'], 'message')
          return message?.reactions ?? []
        }
        check.wrong.equal(await reactions(), [], 'reactions before')
        await client.reactions.add({ channel, timestamp, name: 'umbrella' })
        const [reaction, ...others] = await reactions()
        check.wrong.equal([reaction?.name, others.length], ['umbrella', 0], 'name of the only reaction')
        check.equal([reaction?.count, reaction?.users?.length], [1, 1], 'count and number of users', 'made-values')
        await client.reactions.remove({ channel, timestamp, name: 'umbrella' })
        check.wrong.equal(await reactions(), [], 'reactions after')
      },
    },
    {
      name: 'pin a message and unpin it',
      does: 'pins.list of the channel has the message while it is pinned.',
      source: 'POST /pins.add, /pins.remove; GET /pins.list; the example of the answer',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const channel = kept.channels[1].id
        const { ts: timestamp } = await client.chat.postMessage({ channel, text: 'Water at noon' })
        const pinned = async () => {
          const { items } = await client.pins.list({ channel })
          return (items ?? []).map(({ type, message }) => [type, message?.ts, message?.text])
        }
        check.wrong.equal(await pinned(), [], 'pins before')
        await client.pins.add({ channel, timestamp })
        check.wrong.equal(await pinned(), [['message', timestamp, 'Water at noon']], 'pins')
        await client.pins.remove({ channel, timestamp })
        check.wrong.equal(await pinned(), [], 'pins after')
      },
    },
    {
      name: 'upload a file',
      does: 'The service keeps the name and the title, counts the bytes, and shares the file in the channel.',
      source:
        'POST /files.upload; file "File contents via multipart/form-data"; objs_file: channels, name, title, size',
      needs: 'more',
      class: 'uploads',
      async run({ client, kept, check }) {
        const channels = kept.channel.id
        const content = 'day;tons\nMonday;17\nTuesday;23\n'
        const sent = { channels, title: 'Fuel of the week', filename: 'fuel-of-week-9.csv', filetype: 'csv' }
        const { file } = await client.files.upload({ ...sent, file: Buffer.from(content) })
        kept.file = file
        check(/^F[A-Z0-9]{8,}$/.test(file.id), `an id that begins with F (${file.id})`, 'keys')
        let read = (await client.files.info({ file: file.id })).file
        // Slack shares the file after it answers.
        for (let attempt = 0; attempt < 4 && !read.channels?.length; attempt++) {
          await new Promise((resolve) => setTimeout(resolve, 300))
          read = (await client.files.info({ file: file.id })).file
        }
        check.wrong.equal(read.id, file.id, 'id when read', 'keys-in-bodies')
        for (const [what, { title, name, size, created }] of [
          ['answer', file],
          ['read', read],
        ]) {
          check.equal([title, name], [sent.title, sent.filename], `title and name (${what})`, 'spelling')
          check.equal(size, Buffer.byteLength(content), `size (${what})`)
          check(isRecent(created), `created (${what}: ${created})`, 'times')
        }
        check.equal(read.channels, [channels], 'channels', 'links')
      },
    },
    {
      name: 'delete the file',
      does: 'files.info then fails with file_not_found or file_deleted, and files.list no longer has the file.',
      source: 'POST /files.delete; GET /files.info: default; GET /files.list; https://api.slack.com/methods/files.info',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { id } = kept.file
        const listed = async () => (await client.files.list({ count: 100 })).files.map((file) => file.id)
        check.wrong((await listed()).includes(id), 'the file is listed before', 'keys-in-bodies')
        await client.files.delete({ file: id })
        check.wrong(!(await listed()).includes(id), 'the file is listed after its deletion', 'keys-in-bodies')
        const error = await fails(() => client.files.info({ file: id }))
        check.wrong.equal(error.code, ErrorCode.PlatformError, 'code of the library')
        check(['file_not_found', 'file_deleted'].includes(error.data?.error), `file_not_found (${error.data?.error})`)
      },
    },
    {
      name: 'archive a channel',
      does: 'The channel is archived: it is still there, but not in a list that excludes archived channels.',
      source: 'POST /conversations.archive "Archives a conversation"; GET /conversations.list; exclude_archived',
      needs: 'more',
      class: 'actions',
      async run({ client, kept, check }) {
        const channel = kept.channels[3].id
        const ids = async (options) =>
          (await pagesOf(client.paginate('conversations.list', { limit: 100, ...options }))).flatMap(({ channels }) =>
            channels.map(({ id }) => id),
          )
        check.wrong(
          (await ids({ exclude_archived: true })).includes(channel),
          'the channel is listed before',
          'filters',
        )
        await client.conversations.archive({ channel })
        const read = (await client.conversations.info({ channel })).channel
        check.wrong.equal([read.id, read.name], [channel, 'cellar'], 'id and name', 'keys-in-bodies')
        check.wrong.equal(read.is_archived, true, 'is_archived')
        check.wrong(!(await ids({ exclude_archived: true })).includes(channel), 'it is in the list without', 'filters')
        check.wrong((await ids({})).includes(channel), 'it is in the whole list', 'filters')
      },
    },
    {
      name: 'delete a message',
      does: 'The history loses this message only. To delete it again fails with message_not_found.',
      source: 'POST /chat.delete; default: "error": "message_not_found"; ErrorCode.PlatformError of the library',
      needs: 'overlay',
      class: 'errors',
      follows: ['post a message'],
      async run({ client, kept, check, fails }) {
        const channel = kept.channel.id
        const { ts } = kept.message
        const listed = async () => (await client.conversations.history({ channel })).messages.map((each) => each.ts)
        const before = await listed()
        check.wrong(before.includes(ts), 'the message is there before', 'keys-in-bodies')
        const deleted = await client.chat.delete({ channel, ts })
        check.equal([deleted.channel, deleted.ts], [channel, ts], 'channel and ts in the answer', 'deletion')
        const expected = before.filter((each) => each !== ts)
        check.wrong.equal(await listed(), expected, 'history after', 'keys-in-bodies')
        const error = await fails(() => client.chat.delete({ channel, ts }))
        check.wrong.equal(error.code, ErrorCode.PlatformError, 'code of the library')
        check.wrong.equal(error.data?.ok, false, 'ok')
        check.equal(error.data?.error, 'message_not_found', 'error')
      },
    },
    {
      name: 'post a message without a channel',
      does: 'Answers 200 with ok: false and an error code, and the library throws its platform error.',
      source:
        'POST /chat.postMessage; required: channel; default: ok false, error; https://api.slack.com/web#responses',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.chat.postMessage({ text: 'Is anybody there?' }))
        check.wrong.equal(error.code, ErrorCode.PlatformError, 'code of the library', 'errors')
        check.wrong.equal(error.data?.ok, false, 'ok', 'errors')
        check(/^[a-z_]+$/.test(error.data?.error ?? ''), `an error code (${error.data?.error})`, 'errors')
      },
    },
  ],
}

/** All pages, at most 20. */
async function pagesOf(iterable) {
  const pages = []
  for await (const page of iterable) {
    pages.push(page)
    if (pages.length === 20) break
  }
  return pages
}

/** How often each of the expected ids is among those found. */
function countsOf(expected, found) {
  return expected.map((id) => found.filter((each) => each === id).length)
}

function isRecent(seconds) {
  return Math.abs(Date.now() / 1000 - seconds) < daySeconds
}

function silentLogger() {
  const ignore = () => {}
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: ignore,
    setLevel: ignore,
    getLevel: ignore,
    setName: ignore,
  }
}
