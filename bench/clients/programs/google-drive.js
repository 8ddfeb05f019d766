/**
 * Folders, uploads, a move, a copy, shares, comments with replies and the trash, with Google's own library for Drive.
 * REST with JSON: PATCH updates, uploads as multipart/related at another path, pages by token, chosen fields.
 */
import { createHash } from 'node:crypto'
import { auth, drive } from '@googleapis/drive'

const folderType = 'application/vnd.google-apps.folder'
const firstText = 'High water 04:12 and 16:40\n'
const secondText = 'High water 05:03 and 17:28, low water 11:15\n'
const fileNames = ['april.txt', 'february.txt', 'january.txt', 'march.txt', 'may.txt']

export default {
  connect({ address }) {
    const rootUrl = address('https://www.googleapis.com/drive/v3').replace(/\/drive\/v3$/, '/')
    const account = new auth.OAuth2()
    account.setCredentials({ access_token: 'token_harbour' })
    const service = drive({ version: 'v3', auth: account, rootUrl, retry: false })
    return { service, forUpload: { rootUrl, retry: false } }
  },
  steps: [
    {
      name: 'create a folder',
      does: 'Stores the values, in My Drive. A new folder is neither trashed nor starred nor shared.',
      source:
        'POST /files; File: kind `drive#file`, createdTime; parents: "placed directly in the user\'s My Drive folder"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const requestBody = {
          name: 'Tide tables',
          mimeType: folderType,
          description: 'For the harbour office',
          properties: { harbour: 'north' },
        }
        const { data } = await client.service.files.create({ requestBody, fields: '*' })
        kept.folder = data
        check.equal(data.kind, 'drive#file', 'kind', 'first-state')
        check(typeof data.id === 'string' && data.id.length > 0, `an id (${data.id})`, 'keys')
        const { name, mimeType, description, properties } = data
        check.equal({ name, mimeType, description, properties }, requestBody, 'sent values', 'values')
        check.equal(data.trashed, false, 'trashed')
        check.equal(data.starred, false, 'starred')
        check.equal(data.shared, false, 'shared')
        check.equal(data.ownedByMe, true, 'ownedByMe')
        check.equal(data.parents?.length, 1, 'number of parents', 'links')
        check(isAboutNow(data.createdTime), `createdTime is now (${data.createdTime})`, 'times')
        check(isAboutNow(data.modifiedTime), `modifiedTime is now (${data.modifiedTime})`, 'times')
      },
    },
    {
      name: 'retrieve chosen fields',
      does: 'Answers with the stored folder, but only with the fields that `fields` names.',
      source: 'GET /files/{fileId}; fields: "Selector specifying which fields to include in a partial response."',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const { id } = kept.folder
        const { data } = await client.service.files.get({ fileId: id, fields: 'id,name,properties/harbour' })
        check.wrong.equal(data.id, id, 'id', 'keys')
        check.wrong.equal(data.name, 'Tide tables', 'name', 'values')
        check.equal(data.properties, { harbour: 'north' }, 'properties', 'values')
        check.equal(Object.keys(data).toSorted(), ['id', 'name', 'properties'], 'the fields of the answer')
      },
    },
    {
      name: 'list the newest files in pages',
      does: 'With the newest first and pages of two, each of the five new files comes once, on the first pages.',
      source: 'GET /files: orderBy, pageSize, pageToken; FileList.nextPageToken "absent if the end … has been reached"',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const { files } = client.service
        const created = []
        for (const name of fileNames) {
          const requestBody = { name, mimeType: 'text/plain', parents: [kept.folder.id] }
          const { data } = await files.create({ requestBody, fields: 'id,name,parents' })
          check.equal(data.parents, [kept.folder.id], `parents of ${name}`, 'links')
          created.push(data)
        }
        kept.files = created
        const query = { orderBy: 'createdTime desc', pageSize: 2, fields: 'kind,nextPageToken,files(id,name)' }
        const pages = await readPages((pageToken) => files.list({ ...query, pageToken }), 10)
        const seen = pages.flatMap((page) => page.files).filter(({ id }) => created.some((file) => file.id === id))
        check.wrong.equal(seen.map(({ name }) => name).toSorted(), fileNames, 'the new files on the pages')
        check(
          pages.every((page) => page.files.length <= 2),
          'pages of two at most',
        )
        check.equal(pages[0].kind, 'drive#fileList', 'kind')
      },
    },
    {
      name: 'list the files of the folder',
      does: 'The query finds the five files of the folder, in the order of their names; another finds one by name.',
      source:
        "GET /files: q; https://developers.google.com/drive/api/guides/search-files: `'…' in parents and name = '…'`",
      needs: 'more',
      class: 'filters',
      async run({ client, kept, check }) {
        const { files } = client.service
        const inFolder = `'${kept.folder.id}' in parents and trashed = false`
        const query = { q: inFolder, orderBy: 'name', pageSize: 2, fields: 'nextPageToken,files(id,name)' }
        const pages = await readPages((pageToken) => files.list({ ...query, pageToken }))
        const names = pages.flatMap((page) => page.files).map(({ name }) => name)
        check.wrong.equal(names, fileNames, 'names of the files of the folder')
        const { data } = await files.list({ q: `${inFolder} and name = 'march.txt'`, fields: 'files(id,name)' })
        const march = kept.files.find(({ name }) => name === 'march.txt')
        check.wrong.equal(data.files, [{ id: march.id, name: 'march.txt' }], 'the file with the name')
      },
    },
    {
      name: 'upload a file',
      does: 'Stores metadata and content of one request, and answers with size and MD5. The content can be read.',
      source: 'POST /files: "supports an */upload* URI"; https://developers.google.com/drive/api/guides/manage-uploads',
      needs: 'overlay',
      class: 'uploads',
      async run({ client, kept, check }) {
        const { files } = client.service
        const requestBody = { name: 'june.txt', parents: [kept.folder.id] }
        const media = { mimeType: 'text/plain', body: firstText }
        const { data } = await files.create({ requestBody, media, fields: '*' }, client.forUpload)
        kept.upload = data
        check.equal(data.kind, 'drive#file', 'kind', 'first-state')
        check.equal(data.name, 'june.txt', 'name', 'values')
        check.equal(data.parents, [kept.folder.id], 'parents', 'links')
        check.equal(data.mimeType, 'text/plain', 'mimeType', 'made-values')
        check.equal(data.size, String(firstText.length), 'size', 'made-values')
        check.equal(data.md5Checksum, md5Of(firstText), 'md5Checksum', 'made-values')
        check.equal(data.originalFilename, 'june.txt', 'originalFilename', 'made-values')
        const content = await files.get({ fileId: data.id, alt: 'media' }, { responseType: 'text' })
        check.wrong.equal(content.data, firstText, 'downloaded content')
      },
    },
    {
      name: 'replace the content',
      does: 'The file keeps its id and name, and has the new content; its version counts up.',
      source: 'PATCH /files/{fileId}: "Updates a file\'s metadata and/or content"; version: "monotonically increasing"',
      needs: 'overlay',
      class: 'uploads',
      async run({ client, kept, check }) {
        const { files } = client.service
        const fileId = kept.upload.id
        const fields = 'id,name,size,md5Checksum,version'
        const before = await files.get({ fileId, fields })
        check.equal(before.data.md5Checksum, md5Of(firstText), 'md5Checksum before', 'made-values')
        await files.update({ fileId, media: { mimeType: 'text/plain', body: secondText } }, client.forUpload)
        const { data } = await files.get({ fileId, fields })
        check.wrong.equal([data.id, data.name], [fileId, 'june.txt'], 'id and name', 'state')
        check.equal(data.md5Checksum, md5Of(secondText), 'md5Checksum', 'made-values')
        check.equal(data.size, String(secondText.length), 'size', 'made-values')
        check(Number(data.version) > Number(before.data.version), `a later version (${data.version})`, 'made-values')
        const content = await files.get({ fileId, alt: 'media' }, { responseType: 'text' })
        check.wrong.equal(content.data, secondText, 'downloaded content')
      },
    },
    {
      name: 'rename, star and move a file',
      does: 'Changes what is sent, adds to the properties, and keeps the rest. The file is in the other folder.',
      source:
        'PATCH /files/{fileId}: "supports patch semantics"; addParents, removeParents; properties "null … cleared"',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const { files } = client.service
        const [file] = kept.files
        const fields = 'id,name,mimeType,starred,parents,properties'
        await files.update({ fileId: file.id, requestBody: { properties: { quay: 'east' } } })
        const archive = await files.create({ requestBody: { name: 'Archive', mimeType: folderType }, fields: 'id' })
        kept.archive = archive.data
        const change = {
          fileId: file.id,
          addParents: archive.data.id,
          removeParents: kept.folder.id,
          requestBody: { name: 'april 2024.txt', starred: true, properties: { crane: 'two' } },
        }
        const updated = await files.update({ ...change, fields })
        check.wrong.equal(updated.data.id, file.id, 'id', 'keys')
        const { data } = await files.get({ fileId: file.id, fields })
        check.wrong.equal([data.id, data.name], [file.id, 'april 2024.txt'], 'id and name when read again')
        check.equal(data.starred, true, 'starred')
        check.equal(data.mimeType, 'text/plain', 'mimeType')
        check.equal(data.properties, { quay: 'east', crane: 'two' }, 'properties', 'put-as-update')
        check.equal(data.parents, [archive.data.id], 'parents', 'links')
      },
    },
    {
      name: 'copy the file',
      does: 'Makes another file with the same content, and with the name and the folder that are sent.',
      source: 'POST /files/{fileId}/copy: "Creates a copy of a file and applies any requested updates"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { files } = client.service
        const requestBody = { name: 'june copy.txt', parents: [kept.archive.id] }
        const { data } = await files.copy({ fileId: kept.upload.id, requestBody, fields: '*' })
        check.wrong(data.id !== kept.upload.id, `another id (${data.id})`, 'keys')
        check.equal(data.name, 'june copy.txt', 'name', 'values')
        check.equal(data.parents, [kept.archive.id], 'parents', 'links')
        check.equal(data.md5Checksum, md5Of(secondText), 'md5Checksum', 'made-values')
        const content = await files.get({ fileId: data.id, alt: 'media' }, { responseType: 'text' })
        check.wrong.equal(content.data, secondText, 'content of the copy', 'uploads')
        const original = await files.get({ fileId: kept.upload.id, fields: 'name' })
        check.wrong.equal(original.data.name, 'june.txt', 'name of the first file', 'state')
      },
    },
    {
      name: 'share the file',
      does: 'A private file has its owner only. A permission for anyone shares it, can change, and is taken back.',
      source: 'POST, GET /files/{fileId}/permissions; PATCH, DELETE …/{permissionId}; guides/manage-sharing: owner',
      needs: 'overlay',
      class: 'links',
      async run({ client, kept, check }) {
        const { files, permissions } = client.service
        const fileId = kept.upload.id
        const isShared = async () => (await files.get({ fileId, fields: 'shared' })).data.shared
        const listed = async () => {
          const { data } = await permissions.list({ fileId, fields: 'permissions(id,type,role)' })
          return data.permissions
        }
        check.equal(
          (await listed()).map(({ role }) => role),
          ['owner'],
          'roles before',
          'first-state',
        )
        check.equal(await isShared(), false, 'shared before', 'first-state')
        const requestBody = { type: 'anyone', role: 'reader' }
        const { data } = await permissions.create({ fileId, requestBody, fields: '*' })
        check.equal(data.kind, 'drive#permission', 'kind', 'first-state')
        check.equal([data.type, data.role], ['anyone', 'reader'], 'type and role', 'values')
        check.equal(await isShared(), true, 'shared', 'made-values')
        await permissions.update({ fileId, permissionId: data.id, requestBody: { role: 'commenter' } })
        const added = (await listed()).filter(({ role }) => role !== 'owner')
        check.wrong.equal(added, [{ id: data.id, type: 'anyone', role: 'commenter' }], 'the listed permission', 'state')
        await permissions.delete({ fileId, permissionId: data.id })
        check.wrong(
          (await listed()).every(({ id }) => id !== data.id),
          'the permission is gone',
          'state',
        )
      },
    },
    {
      name: 'comment on the file',
      does: 'Stores comments, and lists each once on pages of two. A deleted comment is left out, unless asked for.',
      source: 'POST, GET /files/{fileId}/comments: pageSize, pageToken, includeDeleted; Comment: deleted',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { comments } = client.service
        const fileId = kept.upload.id
        const texts = ['Add the moon', 'Check line 1', 'Print in A5', 'Spring tide?', 'Wrong date']
        const created = []
        for (const content of texts) {
          created.push((await comments.create({ fileId, requestBody: { content }, fields: '*' })).data)
        }
        const [first] = created
        kept.comment = first
        check.equal(first.kind, 'drive#comment', 'kind', 'first-state')
        check.equal(first.content, 'Add the moon', 'content', 'values')
        check(!first.resolved && !first.deleted, 'neither resolved nor deleted', 'first-state')
        check.equal(first.replies, [], 'replies', 'first-state')
        check(isAboutNow(first.createdTime), `createdTime is now (${first.createdTime})`, 'times')
        const query = { fileId, pageSize: 2, fields: 'nextPageToken,comments(id,content,deleted)' }
        const pages = await readPages((pageToken) => comments.list({ ...query, pageToken }))
        const contents = pages.flatMap((page) => page.comments).map(({ content }) => content)
        check.wrong.equal(contents.toSorted(), texts, 'comments on all pages', 'pages')
        await comments.delete({ fileId, commentId: created[4].id })
        const fields = 'comments(id,deleted)'
        const left = (await comments.list({ fileId, fields })).data.comments
        check.wrong(left.length === 4 && left.every(({ id }) => id !== created[4].id), 'four are left', 'state')
        const all = (await comments.list({ fileId, fields, includeDeleted: true })).data.comments
        const deleted = all.find(({ id }) => id === created[4].id)
        check.equal(deleted?.deleted, true, 'deleted, when it is asked for', 'deletion')
      },
    },
    {
      name: 'resolve a comment with a reply',
      does: 'A reply with the action `resolve` resolves the comment, which contains the reply then.',
      source: 'POST /files/{fileId}/comments/{commentId}/replies; Comment.resolved: "resolved by one of its replies"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { comments, replies } = client.service
        const ids = { fileId: kept.upload.id, commentId: kept.comment.id }
        const before = await comments.get({ ...ids, fields: '*' })
        check(!before.data.resolved, 'not resolved before', 'first-state')
        const requestBody = { content: 'It is on page 2', action: 'resolve' }
        const { data } = await replies.create({ ...ids, requestBody, fields: '*' })
        check.equal(data.kind, 'drive#reply', 'kind', 'first-state')
        check.equal([data.content, data.action], ['It is on page 2', 'resolve'], 'content and action', 'values')
        const listed = (await replies.list({ ...ids, fields: 'replies(id,content)' })).data.replies
        check.wrong.equal(listed, [{ id: data.id, content: 'It is on page 2' }], 'the replies', 'state')
        const after = await comments.get({ ...ids, fields: '*' })
        check.wrong.equal(after.data.content, 'Add the moon', 'content of the comment', 'keys')
        check.equal(after.data.resolved, true, 'resolved')
        check.equal(
          after.data.replies?.map(({ id }) => id),
          [data.id],
          'replies in the comment',
          'links',
        )
      },
    },
    {
      name: 'move the file to the trash and back',
      does: 'An update with trashed hides nothing by id: the file says that it is trashed, and later that it is not.',
      source: 'PATCH /files/{fileId}; trashed: "Whether the file has been trashed"; explicitlyTrashed: "Output only"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { files } = client.service
        const fileId = kept.upload.id
        const read = async () => (await files.get({ fileId, fields: 'id,name,trashed,explicitlyTrashed' })).data
        const names = { id: fileId, name: 'june.txt' }
        const before = await read()
        check.wrong.equal([before.id, before.trashed], [fileId, false], 'id and trashed before', 'first-state')
        await files.update({ fileId, requestBody: { trashed: true } })
        const trashed = await read()
        check.equal(trashed.explicitlyTrashed, true, 'explicitlyTrashed', 'made-values')
        check.wrong.equal({ id: trashed.id, name: trashed.name }, names, 'id and name in the trash', 'state')
        check.equal(trashed.trashed, true, 'trashed')
        await files.update({ fileId, requestBody: { trashed: false } })
        check.equal((await read()).trashed, false, 'trashed after it is restored')
      },
    },
    {
      name: 'delete the file and retrieve it',
      does: 'Deletes at once. Then the library throws an error with the code 404 and the reason notFound.',
      source: 'DELETE /files/{fileId}: "without moving it to the trash"; developers.google.com/drive: handle-errors',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const { files } = client.service
        const fileId = kept.upload.id
        const before = await files.get({ fileId, fields: 'id' })
        check.wrong.equal(before.data.id, fileId, 'id before', 'keys')
        await files.delete({ fileId })
        const error = await fails(() => files.get({ fileId }))
        check.wrong.equal(error.response?.status, 404, 'status', 'state')
        check.equal(error.code, 404, 'code')
        check.equal(error.errors?.[0]?.reason, 'notFound', 'reason')
      },
    },
    {
      name: 'share with a user without an address',
      does: 'Answers 400, and the library throws an error with that code.',
      source: 'POST /files/{fileId}/permissions; Permission.type: "you must provide an `emailAddress` for the user"',
      needs: 'overlay',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const requestBody = { type: 'user', role: 'writer' }
        const error = await fails(() => client.service.permissions.create({ fileId: kept.folder.id, requestBody }))
        check.wrong.equal(error.response?.status, 400, 'status')
        check.equal(error.code, 400, 'code', 'errors')
        check(Array.isArray(error.errors) && error.errors.length > 0, 'a list of errors', 'errors')
      },
    },
  ],
}

/** The pages of a list, until there is no token for another, or `limit` of them. */
async function readPages(call, limit = 20) {
  const pages = []
  let pageToken
  do {
    const { data } = await call(pageToken)
    pages.push(data)
    pageToken = data.nextPageToken
  } while (pageToken && pages.length < limit)
  return pages
}

const md5Of = (text) => createHash('md5').update(text).digest('hex')
const isAboutNow = (time) => Math.abs(Date.parse(time) - Date.now()) < 86_400_000
