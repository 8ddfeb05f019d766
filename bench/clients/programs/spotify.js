/**
 * Spotify with @spotify/web-api-ts-sdk: a playlist with its tracks in order, the library of the user, and artists
 * that are followed.
 * JSON over REST; pages by offset with absolute addresses; tracks, albums and artists of the catalogue are named by
 * their ids.
 */
import { SpotifyApi } from '@spotify/web-api-ts-sdk'

const tracks = {
  blinding: '0VjIjW4GlUZAMYd2vXMi3b',
  shape: '7qiZfU4dY1lWllzX7mPBI3',
  happy: '60nZcImufyMA1MKQY3dcCH',
  never: '4uLU6hMCjMI75M1A2tKUQC',
  spirit: '5ghIJDpPoe3CfHMGu71E6T',
  yellow: '3AJwUDP919kvQ9QcozQPxg',
}
const albums = ['4m2880jivSbbyEGAKfITCa', '6dVIqQ8qmQ5GBnJ9shOYGE']
const artists = ['4tZwfgrHOc3mvqYlEvSvVi', '4Z8W4fKeB5YxbusRsdQVPb']

export default {
  connect({ address, redirect }) {
    redirect({ 'https://api.spotify.com/v1': address('https://api.spotify.com/v1') })
    const token = { access_token: 'token-of-the-test', token_type: 'Bearer', expires_in: 86_400, refresh_token: '' }
    return SpotifyApi.withAccessToken('client-of-the-test', token)
  },
  steps: [
    {
      name: 'create a private playlist',
      does: 'Makes an empty playlist that belongs to the user, with an id of 22 signs and the URI that has it.',
      source:
        'GET /me; POST /users/{user_id}/playlists: "The playlist will be empty until you add tracks"; PlaylistObject',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const me = await client.currentUser.profile()
        const text = { name: 'Rowing at dawn', description: 'Slow strokes first', public: false }
        const playlist = await client.playlists.createPlaylist(me.id, text)
        Object.assign(kept, { me: me.id, playlist: playlist.id })
        check.wrong(/^[0-9A-Za-z]{22}$/.test(playlist.id), `an id of 22 signs (${playlist.id})`, 'keys')
        check.equal(playlist.name, 'Rowing at dawn', 'name', 'values')
        check.equal(playlist.description, 'Slow strokes first', 'description', 'values')
        check.equal(playlist.public, false, 'public', 'values')
        check.equal(playlist.collaborative, false, 'collaborative')
        check.wrong.equal(playlist.owner?.id, me.id, 'id of the owner', 'owners')
        check.wrong.equal(playlist.tracks?.total, 0, 'total of the tracks')
        check.equal(playlist.followers?.total, 0, 'total of the followers')
        check.equal(playlist.type, 'playlist', 'type')
        check.equal(playlist.uri, `spotify:playlist:${playlist.id}`, 'uri', 'made-values')
        check(playlist.snapshot_id, `a snapshot_id (${playlist.snapshot_id})`)
      },
    },
    {
      name: 'retrieve the playlist',
      does: 'Answers with the playlist as it was created; it has no tracks.',
      source: 'GET /playlists/{playlist_id}: PlaylistObject.href "providing full details of the playlist"',
      needs: 'overlay',
      class: 'paths',
      async run({ client, kept, check }) {
        const playlist = await client.playlists.getPlaylist(kept.playlist)
        check.wrong.equal(playlist.id, kept.playlist, 'id', 'keys')
        check.wrong.equal(playlist.name, 'Rowing at dawn', 'name', 'values')
        check.equal(playlist.description, 'Slow strokes first', 'description', 'values')
        check.equal(playlist.public, false, 'public', 'values')
        check.wrong.equal(playlist.owner?.id, kept.me, 'id of the owner', 'owners')
        check.wrong.equal(playlist.tracks?.items, [], 'items of the tracks', 'first-state')
        check(playlist.href?.includes(`/playlists/${kept.playlist}`), `href (${playlist.href})`, 'made-values')
      },
    },
    {
      name: 'add tracks',
      does: 'Adds tracks at the end in their order, and one at a position. The playlist gets another snapshot_id.',
      source:
        'POST /playlists/{playlist_id}/tracks: "Items are added in the order they appear"; position "zero-based index"',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const { blinding, shape, happy, never, spirit } = tracks
        const before = await client.playlists.getPlaylist(kept.playlist)
        await client.playlists.addItemsToPlaylist(kept.playlist, toUris([blinding, shape, happy, never]))
        await client.playlists.addItemsToPlaylist(kept.playlist, toUris([spirit]), 1)
        const { items, total } = await client.playlists.getPlaylistItems(kept.playlist)
        check.wrong.equal(toIds(items), [blinding, spirit, shape, happy, never], 'tracks in their order')
        check.wrong.equal(total, 5, 'total', 'pages')
        check(isRecent(items?.[0]?.added_at), `added_at is now (${items?.[0]?.added_at})`, 'times')
        check.equal(items?.[0]?.added_by?.id, kept.me, 'id in added_by', 'owners')
        check.equal(items?.[0]?.is_local, false, 'is_local', 'first-state')
        check.equal(items?.[0]?.track?.type, 'track', 'type of the track', 'references')
        const after = await client.playlists.getPlaylist(kept.playlist)
        check.wrong.equal(after.tracks?.total, 5, 'total of the tracks in the playlist', 'state')
        check(before.snapshot_id !== after.snapshot_id, 'another snapshot_id than before', 'actions')
      },
    },
    {
      name: 'list the tracks in pages',
      does: 'Two tracks a page: three pages in the order of the playlist; each names the next one, the last does not.',
      source: 'GET /playlists/{playlist_id}/tracks: limit, offset; PagingObject.next "(null if none)", total',
      needs: 'document',
      class: 'pages',
      follows: ['add tracks'],
      async run({ client, kept, check }) {
        const { blinding, shape, happy, never, spirit } = tracks
        const list = (limit, offset) =>
          client.playlists.getPlaylistItems(kept.playlist, undefined, undefined, limit, offset)
        const { pages, items } = await readPages(list, 2)
        check.wrong.equal(toIds(items), [blinding, spirit, shape, happy, never], 'tracks of all pages')
        check.equal(
          pages.map(({ total }) => total),
          [5, 5, 5],
          'total of each page',
        )
        check.equal(
          pages.map(({ offset }) => offset),
          [0, 2, 4],
          'offset of each page',
        )
        check.equal(
          pages.map(({ limit }) => limit),
          [2, 2, 2],
          'limit of each page',
        )
        check(new URLSearchParams(pages[0]?.next?.split('?')[1]).get('offset') === '2', `next (${pages[0]?.next})`)
        check.equal(pages.at(-1)?.next, null, 'next of the last page')
        check.equal(pages[0]?.previous, null, 'previous of the first page')
      },
    },
    {
      name: 'move tracks',
      does: 'Moves two tracks from the start to the end and answers with the new snapshot_id.',
      source: 'PUT /playlists/{playlist_id}/tracks: range_start, range_length, insert_before',
      needs: 'more',
      class: 'actions',
      follows: ['add tracks'],
      async run({ client, kept, check }) {
        const { blinding, shape, happy, never, spirit } = tracks
        const before = await client.playlists.getPlaylistItems(kept.playlist)
        check.wrong.equal(toIds(before.items), [blinding, spirit, shape, happy, never], 'tracks before', 'state')
        const { snapshot_id } = await client.playlists.getPlaylist(kept.playlist)
        const answer = await client.playlists.movePlaylistItems(kept.playlist, 0, 2, 5)
        check(answer?.snapshot_id && answer.snapshot_id !== snapshot_id, 'another snapshot_id in the answer')
        const after = await client.playlists.getPlaylistItems(kept.playlist)
        check.wrong.equal(toIds(after.items), [shape, happy, never, blinding, spirit], 'tracks after')
      },
    },
    {
      name: 'remove and replace tracks',
      does: 'Takes two tracks out, the others keep their order; then other tracks take the place of all.',
      source: 'DELETE /playlists/{playlist_id}/tracks; PUT …: "Replacing items … will overwrite its existing items"',
      needs: 'more',
      class: 'links',
      follows: ['move tracks'],
      async run({ client, kept, check }) {
        const { blinding, shape, happy, never, spirit, yellow } = tracks
        const toUri = (uri) => ({ uri })
        await client.playlists.removeItemsFromPlaylist(kept.playlist, {
          tracks: toUris([happy, blinding]).map(toUri),
        })
        const less = await client.playlists.getPlaylistItems(kept.playlist)
        check.wrong.equal(toIds(less.items), [shape, never, spirit], 'tracks after two were removed')
        check.wrong.equal(less.total, 3, 'total after two were removed', 'pages')
        await client.playlists.updatePlaylistItems(kept.playlist, { uris: toUris([yellow, shape]) })
        const others = await client.playlists.getPlaylistItems(kept.playlist)
        check.wrong.equal(toIds(others.items), [yellow, shape], 'tracks after all were replaced')
        check.wrong.equal(others.total, 2, 'total after all were replaced', 'pages')
      },
    },
    {
      name: 'change the name',
      does: 'Changes the name of the playlist; description, owner and tracks stay.',
      source: 'PUT /playlists/{playlist_id}: "Change a playlist\'s name and public/private state"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        await client.playlists.changePlaylistDetails(kept.playlist, { name: 'Rowing at dusk' })
        const playlist = await client.playlists.getPlaylist(kept.playlist)
        check.wrong.equal(playlist.id, kept.playlist, 'id', 'keys')
        check.wrong.equal(playlist.name, 'Rowing at dusk', 'name')
        check.wrong.equal(playlist.description, 'Slow strokes first', 'description')
        check.wrong.equal(playlist.owner?.id, kept.me, 'id of the owner', 'owners')
      },
    },
    {
      name: 'list the playlists of the user in pages',
      does: 'The playlists that the user made are in the list, each once, whatever the size of a page.',
      source: 'GET /me/playlists: "the playlists owned or followed by the current Spotify user"; limit, offset',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const ids = [kept.playlist]
        for (const name of ['Oars 1', 'Oars 2', 'Oars 3', 'Oars 4', 'Oars 5', 'Oars 6']) {
          const { id } = await client.playlists.createPlaylist(kept.me, { name, public: false })
          ids.push(id)
        }
        const list = (limit, offset) => client.currentUser.playlists.playlists(limit, offset)
        const { pages, items } = await readPages(list, 3)
        check.wrong(pages.length >= 3, `three pages or more (${pages.length})`)
        check.wrong.equal(
          ids.map((id) => countOf(items, id)),
          ids.map(() => 1),
          'how often each playlist is in the list',
        )
        check.wrong.equal(new Set(items.map(({ id }) => id)).size, items.length, 'different playlists in the list')
        check.equal(pages[0]?.total, items.length, 'total of the first page')
        check.equal(items.find(({ id }) => id === ids[3])?.name, 'Oars 3', 'name of one of them', 'values')
      },
    },
    {
      name: 'unfollow the playlist, and follow it again',
      does: 'A playlist that its owner no longer follows leaves the list of playlists. When followed again it is back.',
      source:
        'DELETE, PUT /playlists/{playlist_id}/followers; Spotify: there is no other deletion, and it can be restored',
      needs: 'overlay',
      class: 'links',
      async run({ client, kept, check }) {
        const count = async () => {
          const list = (limit, offset) => client.currentUser.playlists.playlists(limit, offset)
          return countOf((await readPages(list, 50)).items, kept.playlist)
        }
        check.wrong.equal(await count(), 1, 'the playlist in the list before')
        await client.currentUser.playlists.unfollow(kept.playlist)
        check.wrong.equal(await count(), 0, 'the playlist in the list after it was unfollowed')
        await client.currentUser.playlists.follow(kept.playlist)
        check.wrong.equal(await count(), 1, 'the playlist in the list after it was followed again')
      },
    },
    {
      name: 'save and remove tracks',
      does: 'Saved tracks are in the library, with the time; a removed one is not. Answers keep the order of the ids.',
      source:
        'PUT, DELETE, GET /me/tracks; GET /me/tracks/contains "Array of booleans"; the ids are a bare list in the body',
      needs: 'leniency',
      class: 'links',
      async run({ client, check }) {
        const library = client.currentUser.tracks
        const ids = [tracks.never, tracks.spirit, tracks.yellow]
        await library.removeSavedTracks(ids)
        check.wrong.equal(await library.hasSavedTracks(ids), [false, false, false], 'saved before')
        await library.saveTracks(ids)
        check.wrong.equal(await library.hasSavedTracks(ids), [true, true, true], 'saved after')
        const { items } = await readPages((limit, offset) => library.savedTracks(limit, offset), 50)
        const found = ids.map((id) => toIds(items).filter((each) => each === id).length)
        check.wrong.equal(found, [1, 1, 1], 'how often each track is in the list')
        const saved = items[toIds(items).indexOf(tracks.spirit)]
        check(isRecent(saved?.added_at), `added_at is now (${saved?.added_at})`, 'times')
        await library.removeSavedTracks([tracks.spirit])
        check.wrong.equal(await library.hasSavedTracks(ids), [true, false, true], 'saved after one was removed')
      },
    },
    {
      name: 'save and remove albums',
      does: 'A saved album is in the library until it is removed; the other album never was.',
      source:
        'PUT, DELETE /me/albums; GET /me/albums/contains "Array of booleans"; the ids are a bare list in the body',
      needs: 'leniency',
      class: 'links',
      async run({ client, check }) {
        const library = client.currentUser.albums
        await library.removeSavedAlbums(albums)
        check.wrong.equal(await library.hasSavedAlbums(albums), [false, false], 'saved before')
        await library.saveAlbums([albums[0]])
        check.wrong.equal(await library.hasSavedAlbums(albums), [true, false], 'saved after')
        const { items } = await readPages((limit, offset) => library.savedAlbums(limit, offset), 50)
        check.wrong.equal(items.filter(({ album }) => album?.id === albums[0]).length, 1, 'the album in the list')
        await library.removeSavedAlbums([albums[0]])
        check.wrong.equal(await library.hasSavedAlbums(albums), [false, false], 'saved after it was removed')
      },
    },
    {
      name: 'follow and unfollow artists',
      does: 'Artists that are followed are in the list of followed artists; one that is no longer followed is not.',
      source: 'PUT, DELETE, GET /me/following; GET /me/following/contains; CursorPagingSimplifiedArtistObject',
      needs: 'leniency',
      class: 'links',
      async run({ client, check }) {
        const user = client.currentUser
        await user.unfollowArtistsOrUsers(artists, 'artist')
        check.wrong.equal(await user.followsArtistsOrUsers(artists, 'artist'), [false, false], 'followed before')
        await user.followArtistsOrUsers(artists, 'artist')
        check.wrong.equal(await user.followsArtistsOrUsers(artists, 'artist'), [true, true], 'followed after')
        const list = await user.followedArtists(undefined, 50)
        const items = list.artists?.items ?? []
        check.wrong.equal(
          artists.map((id) => countOf(items, id)),
          [1, 1],
          'how often each artist is in the list',
        )
        await user.unfollowArtistsOrUsers([artists[1]], 'artist')
        check.wrong.equal(await user.followsArtistsOrUsers(artists, 'artist'), [true, false], 'followed at the end')
      },
    },
    {
      name: 'retrieve a playlist that does not exist',
      does: 'The own playlist is found. Another answers 404, and the library throws an error with status and body.',
      source:
        'GET /playlists/{playlist_id}; Web API, Response Status Codes: "404 Not Found"; ErrorObject: status, message',
      needs: 'leniency',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const own = await client.playlists.getPlaylist(kept.playlist)
        check.wrong.equal(own.id, kept.playlist, 'id of the own playlist', 'state')
        const error = await fails(() => client.playlists.getPlaylist('0Nope1Nope2Nope3Nope4N'))
        check.wrong(/Unrecognised response code: 404/.test(error.message), `status 404 (${error.message})`)
        check(/"status":\s*404/.test(error.message), `an error object with the status (${error.message})`)
      },
    },
    {
      name: 'create a playlist without a name',
      does: 'Refuses it with 400 and an error object.',
      source: 'POST /users/{user_id}/playlists: required ["name"]; Web API, Response Status Codes: "400 Bad Request"',
      needs: 'leniency',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const error = await fails(() => client.playlists.createPlaylist(kept.me, { description: 'No name' }))
        check.wrong(/Unrecognised response code: 400/.test(error.message), `status 400 (${error.message})`)
        check(/"status":\s*400/.test(error.message), `an error object with the status (${error.message})`, 'errors')
      },
    },
  ],
}

/** Reads all pages of a list by offset, 20 at most. */
async function readPages(list, limit) {
  const pages = []
  const items = []
  while (pages.length < 20) {
    const page = await list(limit, items.length)
    pages.push(page)
    items.push(...(page.items ?? []))
    if (!page.next || !page.items?.length) break
  }
  return { pages, items }
}

function toUris(ids) {
  return ids.map((id) => `spotify:track:${id}`)
}

/** A track that is not available in the user's country is replaced; it then says from which it is linked. */
function toIds(items) {
  return (items ?? []).map(({ track }) => track?.linked_from?.id ?? track?.id)
}

function countOf(items, id) {
  return items.filter((item) => item.id === id).length
}

function isRecent(time) {
  return Math.abs(new Date(time).getTime() - Date.now()) < 86_400_000
}
