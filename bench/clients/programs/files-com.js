/**
 * Folders, a lock, an upload, users, a group, permissions, API keys and share links, with the library of Files.com.
 * REST with JSON (the document says forms): PATCH updates, paths as keys, pages by a cursor in a header.
 */
import { Files } from 'files.com'
import { FilesApiError, NotFoundError } from 'files.com/lib/Errors.js'
import ApiKey from 'files.com/lib/models/ApiKey.js'
import Bundle from 'files.com/lib/models/Bundle.js'
import File from 'files.com/lib/models/File.js'
import Folder from 'files.com/lib/models/Folder.js'
import Group from 'files.com/lib/models/Group.js'
import GroupUser from 'files.com/lib/models/GroupUser.js'
import Lock from 'files.com/lib/models/Lock.js'
import Permission from 'files.com/lib/models/Permission.js'
import User from 'files.com/lib/models/User.js'

const root = 'lighthouse-plans'
const roomNames = ['cellar', 'engine-room', 'gallery', 'lamp-room', 'staircase']
const text = 'Lamp room: 12 panes of curved glass.\n'

export default {
  connect({ address }) {
    Files.setApiKey('key_lighthouse')
    Files.setBaseUrl(address().replace(/\/api\/rest\/v1$/, ''))
    Files.setLogLevel(0)
    Files.configureNetwork({ maxNetworkRetries: 0, networkTimeout: 0 })
    return Files
  },
  steps: [
    {
      name: 'create a folder',
      does: 'Makes a directory at the path, which is found by its path then.',
      source:
        'POST /folders/{path} (a form); GET /file_actions/metadata/{path}; FileEntity type: "`directory` or `file`"',
      needs: 'leniency',
      class: 'paths',
      async run({ check }) {
        const folder = await Folder.create(root)
        check.equal(folder.path, root, 'path')
        check.equal(folder.type, 'directory', 'type', 'first-state')
        check.equal(folder.display_name, root, 'display_name', 'made-values')
        const found = await File.find(root)
        check.wrong.equal(found.path, root, 'path when read again')
        check.equal(found.type, 'directory', 'type when read again', 'first-state')
        check(isAboutNow(found.created_at), `created_at is now (${found.created_at})`, 'times')
      },
    },
    {
      name: 'list the folder in pages',
      does: 'With per_page 2 the library follows the cursor of the header X-Files-Cursor, and meets each folder once.',
      source: 'GET /folders/{path}: cursor, per_page (the document names X-Files-Cursor-Next); developers.files.com',
      needs: 'overlay',
      class: 'pages',
      async run({ check, exchanges }) {
        for (const name of [...roomNames].reverse()) await Folder.create(`${root}/${name}`)
        const before = exchanges().length
        const found = await Folder.listFor(root, { per_page: 2 }, upTo(20))
        const paths = found.map(({ path }) => path).toSorted()
        check.wrong.equal(
          paths,
          roomNames.map((name) => `${root}/${name}`),
          'paths on all pages',
        )
        check(exchanges().length - before >= 3, `three pages (${exchanges().length - before})`)
        check(
          found.every(({ type }) => type === 'directory'),
          'directories only',
          'first-state',
        )
        check.equal(found.map((each) => each.display_name).toSorted(), roomNames, 'display names', 'made-values')
      },
    },
    {
      name: 'copy and move a folder',
      does: 'A copy leaves the folder where it is. A move takes it away: the old path is not found any more.',
      source:
        'POST /file_actions/copy/{path} and /file_actions/move/{path}: destination; status: "Status of file operation"',
      needs: 'leniency',
      class: 'actions',
      async run({ check, fails }) {
        const [from, copy, to] = ['gallery', 'gallery-copy', 'attic'].map((name) => `${root}/${name}`)
        const gallery = await File.find(from)
        await fails(() => File.find(copy))
        await gallery.copyTo(copy)
        const copied = await whenFound(copy)
        check.wrong.equal(copied.path, copy, 'path of the copy', 'paths')
        check.wrong.equal((await File.find(from)).path, from, 'path of the first folder', 'state')
        await copied.moveTo(to)
        const moved = await whenFound(to)
        check.wrong.equal(moved.path, to, 'path after the move', 'paths')
        const error = await fails(() => untilGone(copy))
        check.wrong.equal(error.code, 404, 'code at the old path', 'state')
      },
    },
    {
      name: 'lock a folder',
      does: 'Makes a lock with a token for the path. The list of locks holds it until it is released with the token.',
      source: 'POST, GET, DELETE /locks/{path}; LockEntity: token "Use to release lock"; timeout',
      needs: 'leniency',
      class: 'links',
      async run({ check }) {
        const path = `${root}/cellar`
        check.equal(await Lock.listFor(path), [], 'locks before')
        const lock = await Lock.create(path, { exclusive: true, timeout: 540 })
        check.wrong.equal(lock.path, path, 'path', 'paths')
        check.equal([lock.timeout, lock.exclusive], [540, true], 'timeout and exclusive', 'values')
        check(typeof lock.token === 'string' && lock.token.length > 0, `a token (${lock.token})`, 'keys')
        const tokens = async () => (await Lock.listFor(path)).map(({ token }) => token)
        check.wrong.equal(await tokens(), [lock.token], 'tokens of the locks', 'state')
        await lock.delete()
        check.wrong.equal(await tokens(), [], 'tokens after the release', 'state')
      },
    },
    {
      name: 'upload a file',
      does: 'The library opens an upload, sends a part to the address it gets, and ends it. Then the file is there.',
      source: 'POST /files/{path}: action, ref, part; developers.files.com: "put", upload_uri, "end"; download_uri',
      needs: 'more',
      class: 'uploads',
      async run({ check, address }) {
        const path = `${root}/lamp-room/panes.txt`
        const own = new URL(address()).hostname
        const determinePartUploadUri = ({ upload_uri: uri }) => {
          const { hostname } = new URL(uri)
          if (hostname === own || /\.(amazonaws|files)\.com$/.test(hostname)) return uri
          throw new Error(`upload_uri ${uri}`)
        }
        await File.uploadData(path, text, {}, { determinePartUploadUri })
        const file = await File.find(path)
        check.wrong.equal([file.path, file.type], [path, 'file'], 'path and type', 'paths')
        check.wrong.equal(file.size, text.length, 'size', 'made-values')
        check.equal(file.mime_type, 'text/plain', 'mime_type', 'made-values')
        check(!file.download_uri, `no download_uri without a download (${file.download_uri})`, 'first-state')
        const download = await file.download()
        check(URL.canParse(download.download_uri), `download_uri of a download (${download.download_uri})`)
      },
    },
    {
      name: 'create a user',
      does: 'Stores the values; the id is a number. A new user is enabled, no administrator, and was never here.',
      source: 'POST /users (a form); UserEntity: disabled, site_admin, api_keys_count, last_login_at, created_at',
      needs: 'leniency',
      class: 'first-state',
      async run({ kept, check }) {
        const values = {
          username: 'ingrid.keeper',
          email: 'ingrid.keeper@example.net',
          name: 'Ingrid Keeper',
          company: 'Northern Lights Trust',
          authentication_method: 'none',
        }
        const user = await User.create({ ...values })
        kept.user = user
        const { username, email, name, company, authentication_method } = user
        check.equal({ username, email, name, company, authentication_method }, values, 'sent values', 'values')
        check(Number.isInteger(user.id), `a number as id (${user.id})`, 'keys')
        check.equal(user.disabled, false, 'disabled')
        check.equal(user.site_admin, false, 'site_admin')
        check.equal(user.api_keys_count, 0, 'api_keys_count')
        check(!user.first_login_at && !user.last_login_at, 'no login')
        check(isAboutNow(user.created_at), `created_at is now (${user.created_at})`, 'times')
        const found = await User.find(user.id)
        check.wrong.equal([found.id, found.username], [user.id, 'ingrid.keeper'], 'when read again', 'keys')
      },
    },
    {
      name: 'search users',
      does: 'Finds the users whose name, username or email contains the words, and no others.',
      source: 'GET /users: search "Searches for partial matches of name, username, or email."',
      needs: 'leniency',
      class: 'filters',
      async run({ kept, check }) {
        const create = (username, name) =>
          User.create({ username, name, email: `${username}@example.net`, authentication_method: 'none' })
        kept.second = await create('olaf.keeper', 'Olaf Keeper')
        const pilot = await create('petra.pilot', 'Petra Pilot')
        const found = await User.list({ search: 'keeper', per_page: 100 }, upTo(20))
        const expected = [kept.user.id, kept.second.id]
        const created = found.map(({ id }) => id).filter((id) => [...expected, pilot.id].includes(id))
        check.wrong.equal(
          created.toSorted((a, b) => a - b),
          expected.toSorted((a, b) => a - b),
          'ids that are found',
        )
        const isMatch = ({ name, username, email }) => /keeper/i.test(`${name} ${username} ${email}`)
        check(found.every(isMatch), 'only users that match')
      },
    },
    {
      name: 'update and disable the user',
      does: 'Changes what is sent, and keeps the rest.',
      source: 'PATCH /users/{id} (a form); disabled: "Disabled users cannot log in"',
      needs: 'leniency',
      class: 'put-as-update',
      async run({ kept, check }) {
        const before = await User.find(kept.user.id)
        check.equal(before.disabled, false, 'disabled before', 'first-state')
        await before.update({ notes: 'On leave until spring', disabled: true })
        const user = await User.find(kept.user.id)
        check.wrong.equal([user.id, user.username], [kept.user.id, 'ingrid.keeper'], 'id and username', 'keys')
        check.wrong.equal(user.disabled, true, 'disabled', 'actions')
        check.equal(user.notes, 'On leave until spring', 'notes', 'values')
        check.equal(user.company, 'Northern Lights Trust', 'company')
      },
    },
    {
      name: 'put the users in a group',
      does: 'Makes a group with one user, then adds another. The memberships show both, with the name of the group.',
      source: 'POST /groups: user_ids; POST /group_users; GET /group_users: group_id; GroupUserEntity: admin',
      needs: 'more',
      class: 'links',
      async run({ kept, check }) {
        const [first, second] = [kept.user.id, kept.second.id]
        const group = await Group.create({ name: 'Keepers', notes: 'Night shift', user_ids: String(first) })
        check.wrong(Number.isInteger(group.id), `a number as id (${group.id})`, 'keys')
        check.equal([group.name, group.notes], ['Keepers', 'Night shift'], 'name and notes', 'values')
        check.equal(group.user_ids, String(first), 'user_ids', 'values')
        const members = async () => {
          const found = await GroupUser.list({ group_id: group.id })
          return found.map(({ group_id, group_name, user_id, admin }) => [group_id, group_name, user_id, admin])
        }
        check.wrong.equal(await members(), [[group.id, 'Keepers', first, false]], 'members before')
        await GroupUser.create({ group_id: group.id, user_id: second, admin: true })
        const after = (await members()).toSorted((a, b) => a[2] - b[2])
        const added = [group.id, 'Keepers', second, true]
        const expected = [[group.id, 'Keepers', first, false], added].toSorted((a, b) => a[2] - b[2])
        check.wrong.equal(after, expected, 'members after')
        const { usernames } = await Group.find(group.id)
        check.equal(usernames?.split(',').toSorted(), ['ingrid.keeper', 'olaf.keeper'], 'usernames', 'references')
      },
    },
    {
      name: 'permit a folder to the user',
      does: 'Stores the permission with the name of the user. The list for the user holds it until it is deleted.',
      source: 'POST /permissions; GET /permissions: user_id "scope permissions to this user"; DELETE /permissions/{id}',
      needs: 'leniency',
      class: 'links',
      async run({ kept, check }) {
        const { id } = kept.user
        const path = `${root}/engine-room`
        const values = { path, user_id: id, permission: 'readonly', recursive: false }
        const permission = await Permission.create({ ...values })
        const { user_id, recursive } = permission
        const stored = { path: permission.path, user_id, permission: permission.permission, recursive }
        check.equal(stored, values, 'sent values', 'values')
        check.equal(permission.username, 'ingrid.keeper', 'username', 'references')
        await Permission.create({ path, user_id: kept.second.id, permission: 'list' })
        const listed = async () => (await Permission.list({ user_id: String(id) })).map((each) => each.id)
        check.wrong.equal(await listed(), [permission.id], 'permissions of the user', 'filters')
        await permission.delete()
        check.wrong.equal(await listed(), [], 'permissions after the deletion', 'state')
      },
    },
    {
      name: 'create an API key for the user',
      does: 'Shows the key once. The list for the user has it and the user counts it, until it is deleted.',
      source:
        'POST /api_keys; GET /api_keys: user_id; ApiKeyEntity: key; UserEntity: api_keys_count; developers.files.com',
      needs: 'overlay',
      class: 'links',
      async run({ kept, check, fails }) {
        const user_id = kept.second.id
        const expires_at = '2030-05-17T09:30:00Z'
        const key = await ApiKey.create({ user_id, name: 'Night sync', description: 'Copies logs', expires_at })
        check.wrong.equal([key.user_id, key.name], [user_id, 'Night sync'], 'user_id and name', 'values')
        check.equal(Date.parse(key.expires_at), Date.parse(expires_at), 'expires_at', 'values')
        check.equal(key.permission_set, 'full', 'permission_set', 'first-state')
        check(typeof key.key === 'string' && key.key.length >= 16, `a key (${key.key})`, 'first-state')
        check(isAboutNow(key.created_at), `created_at is now (${key.created_at})`, 'times')
        const found = await ApiKey.find(key.id)
        check.wrong.equal(found.description, 'Copies logs', 'description when read again', 'keys')
        check(!found.key, `the key is not shown again (${found.key})`, 'first-state')
        check.equal((await User.find(user_id)).api_keys_count, 1, 'api_keys_count', 'made-values')
        const listed = async () => (await ApiKey.list({ user_id })).map(({ id }) => id)
        check.wrong.equal(await listed(), [key.id], 'keys of the user', 'filters')
        await key.delete()
        check.wrong.equal(await listed(), [], 'keys after the deletion', 'state')
        const error = await fails(() => ApiKey.find(key.id))
        check.wrong.equal(error.code, 404, 'code after the deletion', 'state')
      },
    },
    {
      name: 'share a folder by a link',
      does: 'Makes a link whose address ends with the code. It hides the password, but says that there is one.',
      source: 'POST, PATCH, GET /bundles; code: "forms the end part of the Public URL"; password_protected',
      needs: 'leniency',
      class: 'values',
      async run({ kept, check }) {
        const values = { code: 'engineroom7', description: 'Drawings', note: 'For the fitter', permissions: 'write' }
        const paths = [`${root}/engine-room`]
        const bundle = await Bundle.create({ ...values, paths: [...paths], max_uses: 9, password: 'Fog-horn-2030' })
        kept.bundle = bundle
        const { code, description, note, permissions } = bundle
        check.equal({ code, description, note, permissions }, values, 'sent values')
        check.equal([bundle.paths, bundle.max_uses], [paths, 9], 'paths and max_uses')
        check(bundle.url?.endsWith('engineroom7'), `a url with the code (${bundle.url})`, 'made-values')
        check.equal(bundle.password_protected, true, 'password_protected', 'made-values')
        check.equal(bundle.password, undefined, 'password', 'first-state')
        await bundle.update({ description: 'Drawings, second edition' })
        const found = await Bundle.find(bundle.id)
        check.wrong.equal([found.id, found.code], [bundle.id, 'engineroom7'], 'id and code when read again', 'keys')
        check.wrong.equal(found.description, 'Drawings, second edition', 'description when read again')
        check.equal(found.note, 'For the fitter', 'note when read again', 'put-as-update')
      },
    },
    {
      name: 'delete the user and the link',
      does: 'Afterwards neither is found: the library throws NotFoundError with the code 404.',
      source: 'DELETE /users/{id}, /bundles/{id}: 204; GET: 404; developers.files.com: type "not-found"',
      needs: 'overlay',
      class: 'errors',
      async run({ kept, check, fails }) {
        for (const [model, { id }] of [
          [User, kept.user],
          [Bundle, kept.bundle],
        ]) {
          const record = await model.find(id)
          check.wrong.equal(record.id, id, `id of the ${model.name} before`, 'keys')
          await record.delete()
          const error = await fails(() => model.find(id))
          check.wrong.equal(error.code, 404, `code of the ${model.name} after`, 'state')
          check(error instanceof NotFoundError, `NotFoundError (${error.name})`)
        }
        const left = await User.find(kept.second.id)
        check.wrong.equal(left.username, 'olaf.keeper', 'the other user', 'state')
      },
    },
    {
      name: 'share with a permission that does not exist',
      does: 'Refuses the value, and the library throws FilesApiError with 422 (or 400).',
      source: 'POST /bundles: permissions is one of read, write, read_write, full, none, preview_only; 400, 422',
      needs: 'leniency',
      class: 'validation',
      async run({ check, fails }) {
        const error = await fails(() => Bundle.create({ paths: [`${root}/cellar`], permissions: 'everything' }))
        check.wrong(error instanceof FilesApiError, `FilesApiError (${error})`)
        check.wrong([400, 422].includes(error.code), `the code 422 or 400 (${error.code})`)
      },
    },
  ],
}

/** Options of a list: the library calls this before each request, so its paging ends after `limit` of them. */
function upTo(limit) {
  let count = 0
  return {
    getAgentForUrl() {
      count += 1
      if (count > limit) throw new Error(`more than ${limit} pages`)
    },
  }
}

/** A copy or a move may take a moment: asks up to five times. */
async function whenFound(path, left = 4) {
  try {
    return await File.find(path)
  } catch (error) {
    if (error.code !== 404 || left === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 300))
    return whenFound(path, left - 1)
  }
}

/** A move may take away the old path a moment later: asks up to five times, and throws what the last one throws. */
async function untilGone(path, left = 4) {
  const file = await File.find(path)
  if (left === 0) return file
  await new Promise((resolve) => setTimeout(resolve, 300))
  return untilGone(path, left - 1)
}

const isAboutNow = (time) => Math.abs(Date.parse(time) - Date.now()) < 86_400_000
