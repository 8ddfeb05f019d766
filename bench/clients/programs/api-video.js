/**
 * Videos with an upload, captions and chapters, players, live streams, upload tokens and webhooks, with the library of
 * api.video. REST with JSON: PATCH updates, uploads as forms, pages by number, problems as errors.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import clientModule from '@api.video/nodejs-client'
import errorModule from '@api.video/nodejs-client/lib/ApiVideoError.js'

const ApiVideoClient = clientModule.default
const ApiVideoError = errorModule.default
const titles = ['Harbour tour A', 'Harbour tour B', 'Harbour tour C', 'Harbour tour D', 'Harbour tour E']

export default {
  connect: ({ address }) => new ApiVideoClient({ apiKey: 'key_harbour', baseUri: address() }),
  steps: [
    {
      name: 'create a video',
      does: 'Stores title, tags and metadata. Makes an id that begins with vi; the addresses of the video have it.',
      source: 'POST /videos: 201; Video: publishedAt, source.uri `/videos/{videoId}/source`, assets, panoramic false',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const video = await client.videos.create({
          title: titles[4],
          description: 'From pier to pier',
          tags: ['tide', 'north'],
          metadata: [{ key: 'pier', value: 'seven' }],
          _public: false,
          mp4Support: false,
        })
        kept.video = video
        check(/^vi/.test(video.videoId), `an id that begins with vi (${video.videoId})`, 'keys')
        check.equal([video.title, video.description], [titles[4], 'From pier to pier'], 'title, description', 'values')
        check.equal(video.tags, ['tide', 'north'], 'tags', 'values')
        check.equal(pairs(video.metadata), { pier: 'seven' }, 'metadata', 'values')
        check.equal([video._public, video.mp4Support], [false, false], 'public and mp4Support', 'values')
        check.equal(video.panoramic, false, 'panoramic')
        check(isAboutNow(video.publishedAt), `publishedAt is now (${video.publishedAt})`, 'times')
        check(isAboutNow(video.updatedAt), `updatedAt is now (${video.updatedAt})`, 'times')
        check.equal(video.source?.uri, `/videos/${video.videoId}/source`, 'source.uri', 'made-values')
        check(video.assets?.player?.includes(video.videoId), `assets.player (${video.assets?.player})`, 'made-values')
        const found = await client.videos.get(video.videoId)
        check.wrong.equal([found.videoId, found.title], [video.videoId, titles[4]], 'when read again', 'keys')
      },
    },
    {
      name: 'list videos in pages',
      does: 'The filter by title finds the five videos. Pages of two contain each once, in the order of the titles.',
      source:
        'GET /videos: title "return any videos that contain the same term", sortBy, currentPage, pageSize; Pagination',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        kept.others = []
        for (const title of [titles[3], titles[2], titles[1], titles[0]]) {
          kept.others.push(await client.videos.create({ title, tags: title === titles[0] ? ['tide'] : ['south'] }))
        }
        await client.videos.create({ title: 'Lighthouse at night' })
        const query = { title: 'Harbour tour', sortBy: 'title', sortOrder: 'asc', pageSize: 2 }
        const pages = await readPages((currentPage) => client.videos.list({ ...query, currentPage }))
        const seen = pages.flatMap(({ data }) => data)
        const ids = [kept.video, ...kept.others].map(({ videoId }) => videoId).toSorted()
        const found = seen.map(({ videoId }) => videoId).filter((id) => ids.includes(id))
        check.wrong.equal(found.toSorted(), ids, 'ids on all pages')
        check(
          seen.every(({ title }) => title.includes('Harbour tour')),
          'matching titles only',
          'filters',
        )
        const ordered = seen.filter(({ videoId }) => ids.includes(videoId)).map(({ title }) => title)
        check.equal(ordered, titles, 'titles in order', 'filters')
        const { currentPage, pageSize, currentPageItems, itemsTotal, pagesTotal } = pages[1]?.pagination ?? {}
        check.equal([currentPage, pageSize, currentPageItems], [2, 2, 2], 'what page 2 says about itself')
        check.equal([itemsTotal, pagesTotal], [seen.length, pages.length], 'what page 2 says about the list')
      },
    },
    {
      name: 'filter videos by tags and metadata',
      does: 'Finds only the videos that have all the tags, and only those with the pair of key and value.',
      source:
        'GET /videos: tags "Only videos that have all the tags you list" (sent as tags[]), metadata (as metadata[key])',
      needs: 'overlay',
      class: 'filters',
      async run({ client, kept, check }) {
        const isOurs = (video) => [kept.video, ...kept.others].some((each) => each.videoId === video.videoId)
        const find = async (query) => (await client.videos.list(query)).data.filter(isOurs).map(({ title }) => title)
        check.wrong.equal(await find({ tags: ['tide', 'north'] }), [titles[4]], 'videos with both tags')
        const withTide = await find({ tags: ['tide'] })
        check.wrong.equal(withTide.toSorted(), [titles[0], titles[4]], 'videos with one tag')
        check.wrong.equal(await find({ metadata: { pier: 'seven' } }), [titles[4]], 'videos with the pair')
      },
    },
    {
      name: 'update the video',
      does: 'Replaces the tags and the metadata, and keeps the rest. updatedAt does not go back.',
      source:
        'PATCH /videos/{videoId}: tags, metadata "whatever you send in this list will overwrite the existing list"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { videoId, publishedAt, updatedAt } = kept.video
        const changes = { description: 'In the fog', tags: ['fog'], metadata: [{ key: 'boat', value: 'Ask' }] }
        const updated = await client.videos.update(videoId, changes)
        check.wrong.equal(updated.videoId, videoId, 'id', 'keys')
        const video = await client.videos.get(videoId)
        check.wrong.equal([video.videoId, video.title], [videoId, titles[4]], 'id and title when read again', 'keys')
        check.wrong.equal(video.description, 'In the fog', 'description when read again', 'values')
        check.equal(video.tags, ['fog'], 'tags when read again')
        check.equal(pairs(video.metadata), { boat: 'Ask' }, 'metadata when read again')
        check.equal(video._public, false, 'public when read again')
        check.equal(video.publishedAt, publishedAt, 'publishedAt when read again', 'state')
        check(Number(video.updatedAt) >= Number(updatedAt), `updatedAt (${video.updatedAt})`, 'times')
      },
    },
    {
      name: 'upload the file of the video',
      does: 'Accepts the form, whose part has the name of the file. Afterwards the file is no longer missing.',
      source:
        'POST /videos/{videoId}/source (the document names the part `file`); GET …/status: ingest.status, filesize',
      needs: 'leniency',
      class: 'uploads',
      async run({ client, kept, check }) {
        const { videoId } = kept.video
        const before = await client.videos.getStatus(videoId)
        check(before.ingest?.status !== 'uploaded', 'nothing is uploaded before', 'first-state')
        check(!before.encoding?.playable, 'not playable before', 'first-state')
        const uploaded = await withFile('harbour-tour.mp4', (path) => client.videos.upload(videoId, path))
        check.wrong.equal([uploaded.videoId, uploaded.title], [videoId, titles[4]], 'id and title', 'keys')
        const { ingest } = await client.videos.getStatus(videoId)
        check(['uploading', 'uploaded'].includes(ingest?.status), `ingest.status (${ingest?.status})`, 'actions')
        check.equal(ingest?.filesize, movie.length, 'ingest.filesize', 'made-values')
      },
    },
    {
      name: 'add captions',
      does: 'The language is the key of the captions. They can become the default, and are gone after a deletion.',
      source: 'POST, PATCH, GET, DELETE /videos/{videoId}/captions/{language}: srclang, default, uri; GET …/captions',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check, fails }) {
        const { videoId } = kept.video
        const { captions } = client
        const dutch = await captions.upload(videoId, 'nl', Buffer.from(vtt('Vloed om vier uur')))
        check.equal(dutch.srclang, 'nl', 'srclang', 'spelling')
        check.equal(dutch._default, false, 'default', 'first-state')
        check.equal(dutch.uri, `/videos/${videoId}/captions/nl`, 'uri', 'made-values')
        await captions.upload(videoId, 'pt', Buffer.from(vtt('Maré alta às quatro')))
        const pages = await readPages((currentPage) => captions.list({ videoId, pageSize: 1, currentPage }))
        const languages = pages.flatMap(({ data }) => data).map(({ srclang }) => srclang)
        check.wrong.equal(languages.toSorted(), ['nl', 'pt'], 'languages on all pages', 'pages')
        await captions.update(videoId, 'pt', { _default: true })
        const portuguese = await captions.get(videoId, 'pt')
        check.wrong.equal([portuguese.srclang, portuguese._default], ['pt', true], 'srclang and default', 'values')
        await captions.delete(videoId, 'nl')
        const error = await fails(() => captions.get(videoId, 'nl'))
        check.wrong.equal(error.code, 404, 'code after the deletion', 'state')
        const { data } = await captions.list({ videoId })
        check.wrong.equal(
          data.map(({ srclang }) => srclang),
          ['pt'],
          'languages that are left',
          'state',
        )
      },
    },
    {
      name: 'add chapters',
      does: 'The language is the key of the chapters of the video; another video has none.',
      source: 'POST, GET, DELETE /videos/{videoId}/chapters/{language}: language, uri; GET …/chapters',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { videoId } = kept.video
        const { chapters } = client
        const danish = await chapters.upload(videoId, 'da', Buffer.from(vtt('Molen')))
        check.equal(danish.language, 'da', 'language', 'spelling')
        check.equal(danish.uri, `/videos/${videoId}/chapters/da`, 'uri', 'made-values')
        await chapters.upload(videoId, 'fi', Buffer.from(vtt('Laituri')))
        const languages = async (id) => (await chapters.list({ videoId: id })).data.map(({ language }) => language)
        check.wrong.equal((await languages(videoId)).toSorted(), ['da', 'fi'], 'languages', 'state')
        check.wrong.equal(await languages(kept.others[0].videoId), [], 'languages of another video', 'state')
        await chapters.delete(videoId, 'da')
        check.wrong.equal(await languages(videoId), ['fi'], 'languages after the deletion', 'state')
      },
    },
    {
      name: 'create a player for the video',
      does: 'Stores colors and switches, and fills in the others. The video refers to the player, which can change.',
      source: 'POST /players: 201; playerinput: "Default: true", "Default: false"; PATCH /players/{playerId}; playerId',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const color = 'rgba(12, 34, 56, .78)'
        const player = await client.playerThemes.create({ text: color, forceLoop: true, hideTitle: true })
        const { playerId } = player
        check(/^p[lt]/.test(playerId), `an id that begins with pl or pt (${playerId})`, 'keys')
        check.equal([player.text, player.forceLoop, player.hideTitle], [color, true, true], 'sent values')
        const { enableApi, enableControls, forceAutoplay } = player
        check.equal([enableApi, enableControls, forceAutoplay], [true, true, false], 'defaults', 'first-state')
        check(isAboutNow(player.createdAt), `createdAt is now (${player.createdAt})`, 'times')
        await client.videos.update(kept.video.videoId, { playerId })
        const video = await client.videos.get(kept.video.videoId)
        check.wrong.equal([video.title, video.playerId], [titles[4], playerId], 'title and player of the video')
        await client.playerThemes.update(playerId, { forceLoop: false, link: 'rgba(90, 80, 70, 1)' })
        const read = await client.playerThemes.get(playerId)
        check.wrong.equal(read.playerId, playerId, 'id when read again', 'keys')
        check.equal([read.forceLoop, read.link], [false, 'rgba(90, 80, 70, 1)'], 'changed values when read again')
        check.equal([read.text, read.hideTitle], [color, true], 'other values when read again', 'put-as-update')
      },
    },
    {
      name: 'create a live stream',
      does: 'Makes an id that begins with li and a stream key. Nobody broadcasts yet. The address of the player has the id.',
      source: 'POST /live-streams; LiveStream: streamKey, broadcasting, assets.player `…/live/{liveStreamId}`',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const stream = await client.liveStreams.create({ name: 'Harbour camera', record: true, _public: false })
        kept.stream = stream
        const { liveStreamId, assets } = stream
        check(/^li/.test(liveStreamId), `an id that begins with li (${liveStreamId})`, 'keys')
        check.equal(stream.name, 'Harbour camera', 'name', 'values')
        check.equal([stream.record, stream._public], [true, false], 'record and public', 'values')
        check.wrong(stream.broadcasting === false, `broadcasting is false (${stream.broadcasting})`)
        check(typeof stream.streamKey === 'string' && stream.streamKey.length > 0, 'a stream key')
        check(isAboutNow(stream.createdAt), `createdAt is now (${stream.createdAt})`, 'times')
        check(assets?.player?.includes(liveStreamId), `assets.player (${assets?.player})`, 'made-values')
        const found = await client.liveStreams.get(liveStreamId)
        const expected = [liveStreamId, stream.streamKey]
        check.wrong.equal([found.liveStreamId, found.streamKey], expected, 'id and key when read again', 'keys')
      },
    },
    {
      name: 'update and find the live stream',
      does: 'Changes the name and keeps the key. The filters find the stream by its key and by a part of its new name.',
      source: 'PATCH /live-streams/{liveStreamId}; GET /live-streams: streamKey, name "or a part of their name"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const { liveStreamId, streamKey } = kept.stream
        await client.liveStreams.create({ name: 'Street camera' })
        const find = async (query) => (await client.liveStreams.list(query)).data.map((each) => each.liveStreamId)
        check.wrong.equal(await find({ streamKey }), [liveStreamId], 'streams with the key')
        await client.liveStreams.update(liveStreamId, { name: 'Breakwater camera' })
        const stream = await client.liveStreams.get(liveStreamId)
        const read = [stream.liveStreamId, stream.name]
        check.wrong.equal(read, [liveStreamId, 'Breakwater camera'], 'id and name when read again', 'values')
        check.equal([stream.streamKey, stream.record], [streamKey, true], 'key and record', 'put-as-update')
        check.wrong((await find({ name: 'Breakwater' })).includes(liveStreamId), 'found by the new name')
        check.wrong(!(await find({ name: 'Harbour' })).includes(liveStreamId), 'not found by the old name')
      },
    },
    {
      name: 'make an upload token',
      does: 'Makes a token that expires after the time to live. It is in the list until it is deleted.',
      source:
        'POST, GET /upload-tokens; DELETE /upload-tokens/{uploadToken}; ttl "how long the upload token is valid for"',
      needs: 'document',
      class: 'state',
      async run({ client, check, fails }) {
        const { uploadTokens } = client
        const { token, ttl, createdAt, expiresAt } = await uploadTokens.createToken({ ttl: 5400 })
        check(/^to/.test(token), `a token that begins with to (${token})`, 'keys')
        check.equal(ttl, 5400, 'ttl', 'values')
        check(isAboutNow(createdAt), `createdAt is now (${createdAt})`, 'times')
        const seconds = (Number(expiresAt) - Number(createdAt)) / 1000
        check(Math.abs(seconds - 5400) < 60, `expiresAt is 5400 seconds later (${seconds})`, 'made-values')
        const query = { sortBy: 'createdAt', sortOrder: 'desc', pageSize: 100 }
        const count = async () => {
          const { data } = await uploadTokens.list(query)
          return data.filter((each) => each.token === token && each.ttl === 5400).length
        }
        check.wrong.equal(await count(), 1, 'how often the list has it')
        await uploadTokens.deleteToken(token)
        check.wrong.equal(await count(), 0, 'how often the list has it after the deletion')
        const error = await fails(() => uploadTokens.getToken(token))
        check.wrong.equal(error.code, 404, 'code after the deletion')
      },
    },
    {
      name: 'subscribe to events',
      does: 'Stores the address and the events. The list of one event has the webhook until it is deleted.',
      source: 'POST /webhooks: 201; GET /webhooks: events "that you wish to filter on"; DELETE /webhooks/{webhookId}',
      needs: 'leniency',
      class: 'state',
      async run({ client, check, fails }) {
        const { webhooks } = client
        const events = ['live-stream.broadcast.started', 'live-stream.broadcast.ended']
        const webhook = await webhooks.create({ url: 'https://hooks.example.net/harbour', events })
        const { webhookId } = webhook
        check.equal(webhook.url, 'https://hooks.example.net/harbour', 'url', 'values')
        check.equal(webhook.events, events, 'events', 'values')
        check(isAboutNow(webhook.createdAt), `createdAt is now (${webhook.createdAt})`, 'times')
        const has = async (event) => {
          const { data } = await webhooks.list({ events: event, pageSize: 100 })
          return data.some((each) => each.webhookId === webhookId)
        }
        check.wrong.equal(await has('live-stream.broadcast.ended'), true, 'in the list of the event', 'filters')
        const other = 'video.encoding.quality.completed'
        check.wrong.equal(await has(other), false, 'in the list of another event', 'filters')
        const read = await webhooks.get(webhookId)
        check.wrong.equal([read.webhookId, read.url], [webhookId, webhook.url], 'when read again', 'keys')
        await webhooks.delete(webhookId)
        check.wrong.equal(await has('live-stream.broadcast.ended'), false, 'in the list after the deletion')
        const error = await fails(() => webhooks.get(webhookId))
        check.wrong.equal(error.code, 404, 'code after the deletion')
      },
    },
    {
      name: 'delete the video and retrieve it',
      does: 'Answers 404, and the library throws ApiVideoError with the problem. The other videos stay.',
      source:
        'DELETE /videos/{videoId}: 204; GET: 404 "The requested resource was not found."; not-found: status, title',
      needs: 'document',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { videoId } = kept.video
        const before = await client.videos.get(videoId)
        check.wrong.equal(before.videoId, videoId, 'id before', 'keys')
        await client.videos.delete(videoId)
        const error = await fails(() => client.videos.get(videoId))
        check.wrong(error instanceof ApiVideoError, `ApiVideoError (${error})`)
        check.wrong.equal(error.code, 404, 'code', 'state')
        check.equal(error.problemDetails?.status, 404, 'problemDetails.status')
        check(Boolean(error.problemDetails?.title), 'problemDetails.title')
        const [other] = kept.others
        const left = await client.videos.get(other.videoId)
        check.wrong.equal(left.title, other.title, 'title of another video', 'state')
      },
    },
    {
      name: 'create a video without a title',
      does: 'Answers 400. The library throws ApiVideoError, whose problem names the title.',
      source: 'POST /videos: title is required; 400 bad-request: name `title`, "This attribute is required."',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.videos.create({ description: 'Untitled' }))
        check.wrong(error instanceof ApiVideoError, `ApiVideoError (${error})`)
        check.wrong.equal(error.code, 400, 'code')
        check.equal(error.problemDetails?.name, 'title', 'problemDetails.name', 'errors')
      },
    },
  ],
}

/** The pages of a list, by their numbers, 20 at most. */
async function readPages(call) {
  const pages = []
  do pages.push(await call(pages.length + 1))
  while (pages.length < Math.min(pages[0].pagination.pagesTotal, 20))
  return pages
}

/** The start of an MP4 file: enough to be uploaded. */
const movie = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(2000, 1)])

/** The library uploads a file of the disk. */
async function withFile(name, call) {
  const directory = mkdtempSync(join(tmpdir(), 'harbour-'))
  try {
    writeFileSync(join(directory, name), movie)
    return await call(join(directory, name))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const vtt = (text) => `WEBVTT\n\n00:00.000 --> 00:02.500\n${text}\n`
const pairs = (metadata) => Object.fromEntries((metadata ?? []).map(({ key, value }) => [key, value]))
const isAboutNow = (time) => Math.abs(Number(time) - Date.now()) < 86_400_000
