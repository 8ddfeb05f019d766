/**
 * Assets with playback ids, live streams with simulcast targets, direct uploads and keys, with Mux's own library.
 * REST with JSON: each record in `data`, PATCH updates, PUT actions, lists with page and limit.
 */
import Mux from '@mux/mux-node'

export default {
  connect({ address }) {
    const { Video } = new Mux('token_cinema', 'secret_cinema', { baseUrl: address() })
    return Video
  },
  steps: [
    {
      name: 'create an asset',
      does: 'Stores the passthrough, makes an id and a playback id with the policy, and begins to prepare the video.',
      source: 'POST /video/v1/assets: 201; Asset: status `preparing`, mp4_support and master_access default `none`',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const asset = await client.Assets.create(toAsset('trailer-1'))
        kept.asset = asset
        check(typeof asset.id === 'string' && asset.id.length > 0, `an id (${asset.id})`, 'keys')
        check.equal(asset.passthrough, 'trailer-1', 'passthrough', 'values')
        check.wrong(asset.status === 'preparing', `status preparing (${asset.status})`)
        check.equal(
          asset.playback_ids?.map(({ policy }) => policy),
          ['signed'],
          'policies of the playback ids',
          'links',
        )
        check(Boolean(asset.playback_ids?.[0]?.id), 'an id of the playback id', 'keys')
        check.equal([asset.mp4_support, asset.master_access], ['none', 'none'], 'mp4_support and master_access')
        check(!asset.errors, 'no errors')
        check(isAboutNow(asset.created_at), `created_at is now, in seconds (${asset.created_at})`, 'times')
      },
    },
    {
      name: 'list the assets in pages',
      does: 'Pages of two contain each of the five new assets once.',
      source: 'GET /video/v1/assets: limit, page "Offset by this many pages, of the size of `limit`"',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const created = [kept.asset]
        for (const number of [2, 3, 4, 5]) created.push(await client.Assets.create(toAsset(`trailer-${number}`)))
        const ids = created.map(({ id }) => id)
        const [seen, sizes] = [[], []]
        for (let page = 1; page <= 20; page += 1) {
          const assets = await client.Assets.list({ limit: 2, page })
          sizes.push(assets.length)
          seen.push(...assets.filter(({ id }) => ids.includes(id)))
          if (assets.length === 0) break
        }
        check.wrong.equal(seen.map(({ id }) => id).toSorted(), ids.toSorted(), 'ids on all pages')
        const names = seen.map(({ passthrough }) => passthrough).toSorted()
        check.equal(
          names,
          [1, 2, 3, 4, 5].map((number) => `trailer-${number}`),
          'passthrough on all pages',
          'values',
        )
        check(
          sizes.every((size) => size <= 2),
          `pages of two at most (${sizes})`,
        )
      },
    },
    {
      name: 'update and retrieve the asset',
      does: 'Changes the passthrough and keeps the rest.',
      source: 'PATCH /video/v1/assets/{ASSET_ID}: "currently supports only the `passthrough` field"; GET',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id, created_at, playback_ids } = kept.asset
        const before = await client.Assets.get(id)
        check.wrong.equal([before.id, before.passthrough], [id, 'trailer-1'], 'id and passthrough before', 'keys')
        const updated = await client.Assets.update(id, { passthrough: 'trailer-1-final' })
        check.wrong.equal(updated.id, id, 'id', 'keys')
        check.equal(updated.passthrough, 'trailer-1-final', 'passthrough', 'values')
        const asset = await client.Assets.get(id)
        check.wrong.equal(asset.id, id, 'id when read again', 'keys')
        check.wrong.equal(asset.passthrough, 'trailer-1-final', 'passthrough when read again', 'values')
        check.equal(asset.created_at, created_at, 'created_at when read again')
        check.equal(asset.playback_ids, playback_ids, 'playback_ids when read again')
      },
    },
    {
      name: 'add and remove a playback id',
      does: 'The asset contains the new playback id, which leads to the asset. A deletion leaves only the first.',
      source:
        'POST, GET, DELETE …/playback-ids; GET /video/v1/playback-ids/{PLAYBACK_ID}: object "Asset or Live Stream"',
      needs: 'leniency',
      class: 'links',
      async run({ client, kept, check, fails, exchanges }) {
        const { id, playback_ids } = kept.asset
        const listed = async () => (await client.Assets.get(id)).playback_ids
        check.equal(await listed(), playback_ids, 'playback ids before')
        const added = await client.Assets.createPlaybackId(id, { policy: 'public' })
        check.equal(added.policy, 'public', 'policy', 'values')
        check.wrong(!playback_ids.some((each) => each.id === added.id), `a new id (${added.id})`, 'keys')
        check.wrong.equal(await client.Assets.playbackId(id, added.id), added, 'the playback id', 'keys')
        const ids = (await listed())?.map((each) => each.id)
        check.equal(ids?.toSorted(), [playback_ids[0].id, added.id].toSorted(), 'playback ids of the asset')
        const { object } = await client.PlaybackIds.get(added.id)
        check.equal(object, { type: 'asset', id }, 'what the playback id leads to', 'references')
        await client.Assets.deletePlaybackId(id, added.id)
        check.wrong.equal(await listed(), playback_ids, 'playback ids after the deletion', 'state')
        await fails(() => client.Assets.playbackId(id, added.id))
        check.wrong.equal(exchanges().at(-1).status, 404, 'status of the deleted playback id', 'state')
      },
    },
    {
      name: 'create a live stream',
      does: 'Stores the settings, makes an id, a stream key and a playback id. A new stream is idle.',
      source:
        'POST /video/v1/live-streams: 201; LiveStream: status "no active broadcast"; max_continuous_duration 43200',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const stream = await client.LiveStreams.create({
          passthrough: 'stage-left',
          latency_mode: 'reduced',
          reconnect_window: 25,
          playback_policy: ['signed'],
          new_asset_settings: { playback_policy: ['signed'] },
        })
        kept.stream = stream
        check(typeof stream.id === 'string' && stream.id.length > 0, `an id (${stream.id})`, 'keys')
        const { passthrough, latency_mode, reconnect_window } = stream
        check.equal(
          [passthrough, latency_mode, reconnect_window],
          ['stage-left', 'reduced', 25],
          'sent values',
          'values',
        )
        check.wrong.equal(stream.status, 'idle', 'status')
        check(typeof stream.stream_key === 'string' && stream.stream_key.length > 0, 'a stream key')
        check.equal(
          stream.playback_ids?.map(({ policy }) => policy),
          ['signed'],
          'policies of the playback ids',
          'links',
        )
        check.equal(stream.max_continuous_duration, 43_200, 'max_continuous_duration')
        check(!stream.active_asset_id, 'no active asset')
        check(isAboutNow(stream.created_at), `created_at is now, in seconds (${stream.created_at})`, 'times')
      },
    },
    {
      name: 'update the live stream',
      does: 'Changes what is sent and keeps the rest, also when it is read again.',
      source: 'PATCH /video/v1/live-streams/{LIVE_STREAM_ID}: "the same after update as for subsequent get … requests"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id, stream_key } = kept.stream
        const changes = { passthrough: 'stage-right', max_continuous_duration: 5400 }
        const updated = await client.LiveStreams.update(id, changes)
        check.wrong.equal([updated.id, updated.passthrough], [id, 'stage-right'], 'id and passthrough', 'values')
        const stream = await client.LiveStreams.get(id)
        check.wrong.equal([stream.id, stream.passthrough], [id, 'stage-right'], 'id and passthrough again', 'values')
        check.equal(stream.max_continuous_duration, 5400, 'max_continuous_duration', 'values')
        check.equal([stream.latency_mode, stream.reconnect_window], ['reduced', 25], 'latency and window')
        check.equal(stream.stream_key, stream_key, 'stream_key')
      },
    },
    {
      name: 'disable and enable the live stream',
      does: 'An idle stream becomes disabled, and idle again. The filter by status finds it only while it is disabled.',
      source: 'PUT …/disable: "reject incoming RTMP streams until re-enabled"; PUT …/enable; GET /live-streams: status',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { id } = kept.stream
        const status = async () => (await client.LiveStreams.get(id)).status
        const isDisabled = async () => {
          const streams = await client.LiveStreams.list({ status: 'disabled', limit: 100 })
          check(
            streams.every((stream) => stream.status === 'disabled'),
            'disabled streams only',
            'filters',
          )
          return streams.some((stream) => stream.id === id)
        }
        check.wrong.equal(await status(), 'idle', 'status before', 'first-state')
        check.equal(await isDisabled(), false, 'in the list before', 'filters')
        await client.LiveStreams.disable(id)
        check.wrong.equal(await status(), 'disabled', 'status')
        check.equal(await isDisabled(), true, 'in the list', 'filters')
        await client.LiveStreams.enable(id)
        check.wrong.equal(await status(), 'idle', 'status after it is enabled')
        check.equal(await isDisabled(), false, 'in the list after it is enabled', 'filters')
      },
    },
    {
      name: 'reset the stream key',
      does: 'Makes another key. The filter by key finds the stream by the new key, and no longer by the old one.',
      source: 'POST …/reset-stream-key "stop the current stream key from working"; GET /live-streams: stream_key',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { id, stream_key: former } = kept.stream
        const find = async (stream_key) => (await client.LiveStreams.list({ stream_key })).map((stream) => stream.id)
        check.wrong.equal(await find(former), [id], 'streams with the key before', 'filters')
        const { id: sameId, stream_key } = await client.LiveStreams.resetStreamKey(id)
        check.wrong.equal(sameId, id, 'id', 'keys')
        check.wrong(Boolean(stream_key) && stream_key !== former, `another key (${stream_key})`)
        check.equal((await client.LiveStreams.get(id)).stream_key, stream_key, 'stream_key when read again')
        check.wrong.equal(await find(stream_key), [id], 'streams with the new key', 'filters')
        check.wrong.equal(await find(former), [], 'streams with the old key', 'filters')
      },
    },
    {
      name: 'simulcast the live stream',
      does: 'Adds an idle target, which is in the stream, and removes it.',
      source: 'POST, GET, DELETE …/simulcast-targets; SimulcastTarget: "`idle`: Default status"; simulcast_targets',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { id } = kept.stream
        const { LiveStreams } = client
        const values = { url: 'rtmp://ingest.example.net/opera', stream_key: 'key-of-the-opera', passthrough: 'Opera' }
        const target = await LiveStreams.createSimulcastTarget(id, values)
        const { url, stream_key, passthrough } = target
        check.equal({ url, stream_key, passthrough }, values, 'sent values', 'values')
        check.wrong.equal(target.status, 'idle', 'status', 'first-state')
        const found = await LiveStreams.getSimulcastTarget(id, target.id)
        check.wrong.equal([found.id, found.passthrough], [target.id, 'Opera'], 'the target', 'keys')
        const ids = async () => ((await LiveStreams.get(id)).simulcast_targets ?? []).map((each) => each.id)
        check.equal(await ids(), [target.id], 'targets of the stream')
        await LiveStreams.deleteSimulcastTarget(id, target.id)
        check.wrong.equal(await ids(), [], 'targets of the stream after the deletion', 'state')
      },
    },
    {
      name: 'cancel a direct upload',
      does: 'A new upload has an address and waits. It can be cancelled once: the second time is refused.',
      source: 'POST /video/v1/uploads; PUT …/cancel "only succeed if the upload is still in the `waiting` state"; 403',
      needs: 'document',
      class: 'actions',
      async run({ client, check, fails, exchanges }) {
        const upload = await client.Uploads.create({
          cors_origin: 'https://cinema.example.net',
          timeout: 1800,
          new_asset_settings: { playback_policy: ['signed'] },
        })
        check.wrong.equal(upload.status, 'waiting', 'status', 'first-state')
        check.equal(upload.timeout, 1800, 'timeout', 'values')
        check.equal(upload.cors_origin, 'https://cinema.example.net', 'cors_origin', 'values')
        check(URL.canParse(upload.url), `an address (${upload.url})`, 'first-state')
        check(!upload.asset_id, 'no asset', 'first-state')
        const before = await client.Uploads.get(upload.id)
        check.wrong.equal([before.id, before.status], [upload.id, 'waiting'], 'id and status before', 'keys')
        const cancelled = await client.Uploads.cancel(upload.id)
        check.wrong.equal([cancelled.id, cancelled.status], [upload.id, 'cancelled'], 'id and status')
        check.wrong.equal((await client.Uploads.get(upload.id)).status, 'cancelled', 'status when read again')
        await fails(() => client.Uploads.cancel(upload.id))
        check.equal(exchanges().at(-1).status, 403, 'status of the second time', 'errors')
      },
    },
    {
      name: 'restrict playback',
      does: 'Stores the domains, and replaces them all. The list contains the restriction until it is deleted.',
      source: 'POST /video/v1/playback-restrictions; PUT …/referrer "fully replaces the old list"; GET; DELETE',
      needs: 'document',
      class: 'values',
      async run({ client, check }) {
        const { PlaybackRestrictions } = client
        const referrer = { allowed_domains: ['cinema.example.net', '*.stage.example.net'], allow_no_referrer: false }
        const restriction = await PlaybackRestrictions.create({ referrer })
        const { id } = restriction
        check.equal(restriction.referrer, referrer, 'referrer')
        check(isAboutNow(restriction.created_at), `created_at is now, in seconds (${restriction.created_at})`, 'times')
        const changed = { allowed_domains: ['opera.example.net'], allow_no_referrer: true }
        await PlaybackRestrictions.putReferrer(id, changed)
        const read = await PlaybackRestrictions.get(id)
        check.wrong.equal(read.id, id, 'id when read again', 'keys')
        check.equal(read.referrer, changed, 'referrer when read again', 'paths')
        const isListed = async () => (await PlaybackRestrictions.list()).some((each) => each.id === id)
        check.wrong.equal(await isListed(), true, 'in the list', 'state')
        await PlaybackRestrictions.delete(id)
        check.wrong.equal(await isListed(), false, 'in the list after the deletion', 'state')
      },
    },
    {
      name: 'create a signing key',
      does: 'Shows the private key on creation only. The list contains the key, without it, until the key is deleted.',
      source: 'POST, GET, DELETE /video/v1/signing-keys: private_key "is only returned once when creating"',
      needs: 'document',
      class: 'first-state',
      async run({ client, check }) {
        const { SigningKeys } = client
        const key = await SigningKeys.create()
        check(/^[A-Za-z0-9+/_-]+=*$/.test(key.private_key ?? ''), 'a private key in Base64')
        check(isAboutNow(key.created_at), `created_at is now, in seconds (${key.created_at})`, 'times')
        const other = await SigningKeys.create()
        check.wrong(other.id !== key.id, 'another id for another key', 'keys')
        const read = await SigningKeys.get(key.id)
        check.wrong.equal([read.id, read.created_at], [key.id, key.created_at], 'id and created_at', 'keys')
        check.equal(read.private_key, undefined, 'private_key when read again')
        const listed = async () => (await SigningKeys.list({ limit: 100 })).map(({ id }) => id)
        const before = await listed()
        check.wrong(before.includes(key.id) && before.includes(other.id), 'both in the list', 'state')
        await SigningKeys.del(key.id)
        const after = await listed()
        check.wrong(!after.includes(key.id) && after.includes(other.id), 'one in the list after the deletion', 'state')
      },
    },
    {
      name: 'delete the asset and retrieve it',
      does: 'Answers 404. The library throws what is in `error`: the type not_found, and messages.',
      source: 'DELETE /video/v1/assets/{ASSET_ID}: 204; https://docs.mux.com/core/make-api-requests: errors',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails, exchanges }) {
        const { id } = kept.asset
        const before = await client.Assets.get(id)
        check.wrong.equal(before.id, id, 'id before', 'keys')
        await client.Assets.del(id)
        const error = await fails(() => client.Assets.get(id))
        check.wrong.equal(exchanges().at(-1).status, 404, 'status', 'state')
        check.equal(error.type, 'not_found', 'type')
        check(Array.isArray(error.messages), 'messages')
      },
    },
    {
      name: 'create a playback id with an unknown policy',
      does: 'Answers 400. The library throws what is in `error`: the type invalid_parameters.',
      source: 'POST …/playback-ids: policy is public or signed; https://docs.mux.com/core/make-api-requests: errors',
      needs: 'overlay',
      class: 'validation',
      async run({ client, kept, check, fails, exchanges }) {
        const { id } = kept.stream
        const error = await fails(() => client.LiveStreams.createPlaybackId(id, { policy: 'secret' }))
        check.wrong.equal(exchanges().at(-1).status, 400, 'status')
        check.equal(error.type, 'invalid_parameters', 'type', 'errors')
      },
    },
  ],
}

const toAsset = (passthrough) => ({
  input: [{ url: 'https://storage.googleapis.com/muxdemofiles/mux-video-intro.mp4' }],
  playback_policy: ['signed'],
  passthrough,
})

const isAboutNow = (seconds) => Math.abs(Number(seconds) * 1000 - Date.now()) < 86_400_000
