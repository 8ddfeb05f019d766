/**
 * Folders, an upload with versions and a copy, comments, an invitation, metadata and the trash, with Box's own library.
 * REST with JSON: PUT updates, lists with offset and limit, uploads as a form to a server of their own.
 */
import { createHash } from 'node:crypto'
import http from 'node:http'
import BoxSDK from 'box-node-sdk'

const firstText = 'Lamp room: 12 panes of curved glass.\n'
const secondText = 'Lamp room: 14 panes of curved glass, 2 spare.\n'
const roomNames = ['Cellar', 'Engine room', 'Gallery', 'Lamp room', 'Staircase']

export default {
  connect({ address, redirect }) {
    redirect({ 'https://dl.boxcloud.com': new URL(address()).origin })
    const withoutVersion = (server) => address(server).replace(/\/2\.0$/, '')
    const options = {
      clientID: 'client_lighthouse',
      clientSecret: 'secret_lighthouse',
      apiRootURL: withoutVersion('https://api.box.com/2.0'),
      uploadAPIRootURL: withoutVersion('https://upload.box.com/api/2.0'),
      numMaxRetries: 0,
      request: { agentClass: http.Agent, agentOptions: { keepAlive: false } },
    }
    const token = 'token_lighthouse'
    return {
      box: new BoxSDK(options).getBasicClient(token),
      paging: new BoxSDK({ ...options, iterators: true }).getBasicClient(token),
    }
  },
  steps: [
    {
      name: 'create a folder',
      does: 'The service stores the name and the parent, and makes a numeric id. A new folder is active and empty.',
      source: 'POST /folders: 201 Folder--Full; item_status: "`active` when the item has is not in the trash"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const folder = await client.box.folders.create('0', 'Lighthouse plans')
        kept.folder = folder
        check.equal(folder.type, 'folder', 'type', 'first-state')
        check.equal(folder.name, 'Lighthouse plans', 'name', 'values')
        check(/^\d+$/.test(folder.id), `a numeric id (${folder.id})`, 'keys')
        check.equal(folder.parent?.id, '0', 'parent.id', 'references')
        check.equal(folder.item_status, 'active', 'item_status')
        check(isAboutNow(folder.created_at), `created_at is now (${folder.created_at})`, 'times')
        check.equal(folder.size, 0, 'size')
        check.equal(folder.item_collection?.entries, [], 'item_collection.entries')
        check(!folder.trashed_at, `no trashed_at (${folder.trashed_at})`)
      },
    },
    {
      name: 'list the items of the folder',
      does: 'With limit 2 the iterator of the library reads three pages, and meets each of five folders once, by name.',
      source: 'GET /folders/{folder_id}/items; offset, limit, sort, direction; total_count',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const created = []
        for (const name of [...roomNames].reverse()) {
          created.push(await client.box.folders.create(kept.folder.id, name))
        }
        kept.rooms = created.reverse()
        const query = { limit: 2, sort: 'name', direction: 'ASC' }
        const found = await collect(await client.paging.folders.getItems(kept.folder.id, query))
        const ids = (folders) => folders.map(({ id }) => id)
        check.wrong.equal(ids(found).toSorted(), ids(created).toSorted(), 'the ids of all pages')
        const names = found.map(({ name }) => name)
        check.equal(names, roomNames, 'the names in order', 'filters')
        const page = await client.box.folders.getItems(kept.folder.id, { limit: 2, offset: 4 })
        check.equal(page.total_count, 5, 'total_count')
        check.equal(page.offset, 4, 'offset')
      },
    },
    {
      name: 'retrieve the folder',
      does: 'Answers with the stored folder, and with the folders in it.',
      source:
        'GET /folders/{folder_id}: "Retrieves details for a folder, including the first 100 entries in the folder"',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const folder = await client.box.folders.get(kept.folder.id)
        check.wrong.equal(folder.id, kept.folder.id, 'id', 'keys')
        check.wrong.equal(folder.name, 'Lighthouse plans', 'name', 'values')
        const names = folder.item_collection?.entries?.map(({ name }) => name).toSorted()
        check.equal(names, roomNames, 'item_collection.entries')
        check.equal(folder.item_collection?.total_count, 5, 'item_collection.total_count')
        const room = await client.box.folders.get(kept.rooms[0].id)
        check.wrong.equal(room.name, 'Cellar', 'name of the folder in it', 'values')
        check.equal(room.parent?.id, kept.folder.id, 'parent.id of the folder in it', 'references')
        check.equal(room.parent?.name, 'Lighthouse plans', 'parent.name of the folder in it', 'references')
      },
    },
    {
      name: 'update the folder',
      does: 'Stores the new description and keeps the name. The etag changes, so an update with the old one gets 412.',
      source: 'PUT /folders/{folder_id}; etag: "only perform changes on the folder if (no) changes have happened"; 412',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check, fails }) {
        const { id } = kept.folder
        const { etag } = await client.box.folders.get(id)
        const updated = await client.box.folders.update(id, { description: 'Renovation of the old tower', etag })
        check.equal(updated.description, 'Renovation of the old tower', 'description')
        const folder = await client.box.folders.get(id)
        check.wrong.equal(folder.id, id, 'id when read again', 'keys')
        check.equal(folder.description, 'Renovation of the old tower', 'description when read again')
        check.wrong.equal(folder.name, 'Lighthouse plans', 'name when read again')
        check(folder.etag !== etag, `another etag (${folder.etag})`, 'made-values')
        const error = await fails(() => client.box.folders.update(id, { description: 'Too late', etag }))
        check.wrong.equal(error.statusCode, 412, 'status of an update with the old etag', 'made-values')
      },
    },
    {
      name: 'upload a file',
      does: 'Stores the part of the form that has a file name, and answers with a list of one file: its size and SHA1.',
      source: 'POST https://upload.box.com/api/2.0/files/content (the document names the part `file`); File--Full',
      needs: 'leniency',
      class: 'uploads',
      async run({ client, kept, check }) {
        const content = Buffer.from(firstText)
        const { entries } = await client.box.files.uploadFile(kept.folder.id, 'panes.txt', content)
        check.wrong.equal(entries?.length, 1, 'number of files in the answer', 'envelopes')
        const [file] = entries
        kept.file = file
        check.equal(file.type, 'file', 'type', 'first-state')
        check.equal(file.name, 'panes.txt', 'name', 'values')
        check.equal(file.parent?.id, kept.folder.id, 'parent.id', 'references')
        check.equal(file.item_status, 'active', 'item_status', 'first-state')
        check.equal(file.size, content.length, 'size', 'made-values')
        check.equal(file.sha1, sha1Of(firstText), 'sha1', 'made-values')
        check(isAboutNow(file.created_at), `created_at is now (${file.created_at})`, 'times')
        const read = await client.box.files.get(file.id)
        check.wrong.equal(read.id, file.id, 'id when read again', 'keys')
        check.wrong.equal(read.name, 'panes.txt', 'name when read again', 'values')
      },
    },
    {
      name: 'download the file',
      does: 'Answers with a redirection to an address that has the same bytes as the upload.',
      source: 'GET /files/{file_id}/content: 302 "A pointer to the download URL"; 202 while it is not ready',
      needs: 'document',
      class: 'uploads',
      async run({ client, kept, check, address }) {
        const url = new URL(await whenReady(() => client.box.files.getDownloadURL(kept.file.id)))
        const isKnown = url.origin === new URL(address()).origin || url.hostname.endsWith('.boxcloud.com')
        check.wrong(isKnown, `an address of the service (${url})`)
        if (!isKnown) return
        const chunks = []
        for await (const chunk of await client.box.files.getReadStream(kept.file.id)) chunks.push(chunk)
        check.wrong.equal(Buffer.concat(chunks).toString(), firstText, 'content')
      },
    },
    {
      name: 'upload a new version',
      does: 'The file keeps its id and gets the new content; the former content is in the list of versions.',
      source:
        'POST https://upload.box.com/api/2.0/files/{file_id}/content; GET /files/{file_id}/versions "past versions"',
      needs: 'leniency',
      class: 'uploads',
      async run({ client, kept, check }) {
        const { id } = kept.file
        const attributes = { name: 'panes.txt' }
        const { entries } = await client.box.files.uploadNewFileVersion(id, Buffer.from(secondText), attributes)
        check.wrong.equal(entries?.[0]?.id, id, 'id', 'keys')
        const file = await client.box.files.get(id)
        check.wrong.equal(file.id, id, 'id when read again', 'keys')
        check.equal(file.sha1, sha1Of(secondText), 'sha1 when read again', 'made-values')
        check.equal(file.size, secondText.length, 'size when read again', 'made-values')
        const versions = await client.box.files.getVersions(id)
        const hashes = versions.entries?.map(({ sha1 }) => sha1)
        check.equal(hashes, [sha1Of(firstText)], 'sha1 of the past versions', 'links')
      },
    },
    {
      name: 'copy the file',
      does: 'Makes another file with the same content in the other folder. The first one stays where it is.',
      source: 'POST /files/{file_id}/copy: "Creates a copy of a file"; parent, name',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const [room] = kept.rooms
        const before = await client.box.folders.getItems(room.id)
        check.wrong.equal(before.entries, [], 'items of the other folder before', 'state')
        const copy = await client.box.files.copy(kept.file.id, room.id, { name: 'panes copy.txt' })
        check.wrong(copy.id !== kept.file.id, `another id (${copy.id})`, 'keys')
        check.equal(copy.name, 'panes copy.txt', 'name', 'values')
        check.equal(copy.parent?.id, room.id, 'parent.id', 'references')
        check.equal(copy.sha1, sha1Of(secondText), 'sha1', 'made-values')
        const after = await client.box.folders.getItems(room.id)
        check.wrong.equal(
          after.entries?.map(({ id }) => id),
          [copy.id],
          'items of the other folder after',
          'state',
        )
        const original = await client.box.files.get(kept.file.id)
        check.wrong.equal(original.name, 'panes.txt', 'name of the first file', 'state')
        check.equal(original.parent?.id, kept.folder.id, 'parent.id of the first file', 'references')
      },
    },
    {
      name: 'comment on the file',
      does: 'Stores comments on the file; the pages hold each once. An update changes one, a deletion removes one.',
      source: 'POST /comments; GET /files/{file_id}/comments; PUT and DELETE /comments/{comment_id}',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { id } = kept.file
        const messages = ['Order early.', 'Who measured?', 'Two are cracked.', 'Insured?', 'Yes.']
        const comments = []
        for (const message of messages) comments.push(await client.box.comments.create(id, message))
        const [first] = comments
        check.equal(first.type, 'comment', 'type', 'first-state')
        check.equal(first.message, 'Order early.', 'message', 'values')
        check.equal(first.item, { type: 'file', id }, 'item')
        check.equal(first.is_reply_comment, false, 'is_reply_comment', 'first-state')
        check(isAboutNow(first.created_at), `created_at is now (${first.created_at})`, 'times')
        await client.box.comments.update(first.id, { message: 'Order in March.' })
        await client.box.comments.delete(comments[1].id)
        const expected = ['Insured?', 'Order in March.', 'Two are cracked.', 'Yes.']
        const found = await collect(await client.paging.files.getComments(id, { limit: 2 }))
        check.wrong.equal(found.map(({ message }) => message).toSorted(), expected, 'messages on all pages', 'state')
      },
    },
    {
      name: 'invite to the folder',
      does: 'Invites an address without an account: it is pending. The role can change; then it is withdrawn.',
      source: 'POST /collaborations; invite_email: "to invite an unregistered collaborator"; https://developer.box.com',
      needs: 'overlay',
      class: 'links',
      async run({ client, kept, check }) {
        const { id } = kept.folder
        const before = await client.box.folders.getCollaborations(id)
        const email = 'keeper.of.the.tower@example.net'
        const { collaborations } = client.box
        const invitation = await collaborations.createWithUserEmail(email, id, 'viewer', { notify: false })
        check.equal(invitation.type, 'collaboration', 'type', 'first-state')
        check.equal(invitation.role, 'viewer', 'role', 'values')
        check.equal(invitation.invite_email, email, 'invite_email', 'first-state')
        check.equal(invitation.status, 'pending', 'status', 'first-state')
        await collaborations.update(invitation.id, { role: 'uploader' })
        const { entries } = await client.box.folders.getCollaborations(id)
        const added = entries.filter((each) => !before.entries.some((old) => old.id === each.id))
        check.wrong.equal(
          added.map((each) => each.id),
          [invitation.id],
          'collaborations of the folder',
          'state',
        )
        check.equal(added[0]?.role, 'uploader', 'role when read again', 'values')
        await collaborations.delete(invitation.id)
        const after = await client.box.folders.getCollaborations(id)
        check.wrong(
          after.entries.every((each) => each.id !== invitation.id),
          'it is gone',
          'state',
        )
      },
    },
    {
      name: 'add metadata to the file',
      does: 'Stores free keys with the file. JSON Patch changes them, and each change counts up the version.',
      source: 'POST, PUT /files/{file_id}/metadata/global/properties; "$version: starts at 0"; "$parent: {type}_{id}"',
      needs: 'document',
      class: 'free-form',
      async run({ client, kept, check, fails }) {
        const { id } = kept.file
        const { files } = client.box
        const added = await files.addMetadata(id, 'global', 'properties', { glazier: 'Fresnel', phase: 'survey' })
        check.equal(added.glazier, 'Fresnel', 'glazier')
        check.equal([added.$scope, added.$template], ['global', 'properties'], '$scope and $template', 'keys-in-bodies')
        check.equal(added.$parent, `file_${id}`, '$parent', 'made-values')
        check.equal(added.$version, 0, '$version', 'first-state')
        const patch = [{ op: 'replace', path: '/phase', value: 'glazing' }]
        await files.updateMetadata(id, 'global', 'properties', patch)
        const read = await files.getMetadata(id, 'global', 'properties')
        check.wrong.equal([read.glazier, read.phase], ['Fresnel', 'glazing'], 'values when read again', 'values')
        check.equal(read.$version, 1, '$version when read again', 'made-values')
        await files.deleteMetadata(id, 'global', 'properties')
        const error = await fails(() => files.getMetadata(id, 'global', 'properties'))
        check.wrong.equal(error.statusCode, 404, 'status after the deletion', 'state')
      },
    },
    {
      name: 'move the file to the trash and restore it',
      does: 'A deleted file is not found any more, but it is in the trash until it is restored.',
      source:
        'DELETE /files/{file_id}; GET /files/{file_id}/trash; GET /folders/trash/items; POST /files/{file_id}: 201',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const { id } = kept.file
        const before = await client.box.files.get(id)
        check.equal(before.item_status, 'active', 'item_status before', 'first-state')
        await client.box.files.delete(id)
        const error = await fails(() => client.box.files.get(id))
        check.wrong.equal(error.statusCode, 404, 'status of the trashed file', 'state')
        const trashed = await client.box.files.getTrashedFile(id)
        check.wrong.equal([trashed.id, trashed.name], [id, 'panes.txt'], 'id and name in the trash', 'state')
        check.equal(trashed.item_status, 'trashed', 'item_status in the trash')
        check(isAboutNow(trashed.trashed_at), `trashed_at is now (${trashed.trashed_at})`, 'times')
        const trash = await collect(await client.paging.trash.get({ limit: 100 }))
        check.wrong.equal(trash.filter((each) => each.id === id).length, 1, 'how often the trash lists it', 'state')
        const restored = await client.box.files.restoreFromTrash(id)
        check.wrong.equal(restored.id, id, 'id of the restored file', 'keys')
        const after = await client.box.files.get(id)
        check.wrong.equal(after.name, 'panes.txt', 'name of the restored file', 'state')
        check.equal(after.item_status, 'active', 'item_status of the restored file')
      },
    },
    {
      name: 'delete the folder and retrieve it',
      does: 'The folder goes, with what is in it. Then the library throws an error with 404 (not_found, or trashed).',
      source: 'DELETE /folders/{folder_id}: recursive; GET /folders/{folder_id}: 404; ClientError: code `not_found`',
      needs: 'document',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { id } = kept.folder
        const before = await client.box.folders.get(id)
        check.wrong.equal(before.id, id, 'id before', 'keys')
        await client.box.folders.delete(id, { recursive: true })
        const error = await fails(() => client.box.folders.get(id))
        check.wrong.equal(error.statusCode, 404, 'status', 'state')
        const code = error.response?.body?.code
        check(['not_found', 'trashed'].includes(code), `the code not_found or trashed (${code})`)
        const ofFile = await fails(() => client.box.files.get(kept.file.id))
        check.wrong.equal(ofFile.statusCode, 404, 'status of the file in it', 'state')
      },
    },
    {
      name: 'create a folder without a name',
      does: 'Answers 400 with the code bad_request, and the library throws an error that has both.',
      source: 'POST /folders: name is required; 400 "`bad_request` when a parameter is missing or incorrect"',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.box.folders.create('0', undefined))
        check.wrong.equal(error.statusCode, 400, 'status')
        check.equal(error.response?.body?.type, 'error', 'type', 'errors')
        check.equal(error.response?.body?.code, 'bad_request', 'code', 'errors')
      },
    },
  ],
}

/** What an iterator of the library yields, 500 at most. */
async function collect(iterator) {
  const found = []
  while (found.length < 500) {
    const { value, done } = await iterator.next()
    if (done) break
    found.push(value)
  }
  return found
}

/** The library refuses a file that is not ready (202): asks up to five times. */
async function whenReady(call, left = 4) {
  try {
    return await call()
  } catch (error) {
    if (error.statusCode !== 202 || left === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 300))
    return whenReady(call, left - 1)
  }
}

const sha1Of = (text) => createHash('sha1').update(text).digest('hex')
const isAboutNow = (time) => Math.abs(Date.parse(time) - Date.now()) < 86_400_000
