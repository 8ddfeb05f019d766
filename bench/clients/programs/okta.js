/**
 * Manages an Okta org with its Node.js library: users and their lifecycle, groups, and apps.
 * The API is JSON with keys in paths; lists are arrays, and the next page is in the Link header.
 */
import okta from '@okta/okta-sdk-nodejs'

const { Client, DefaultRequestExecutor, OktaApiError } = okta

export default {
  connect: ({ address }) =>
    new Client({
      orgUrl: address('https://subdomain.okta.com'),
      token: 'token-of-the-program',
      cacheMiddleware: null,
      requestExecutor: new DefaultRequestExecutor({ maxRetries: 0 }),
    }),
  steps: [
    {
      name: 'create a staged user',
      does: 'Without activation the user is STAGED. The password is not in the answer; id and created are made.',
      source: 'POST /api/v1/users: activate "Executes an activation lifecycle operation"; User: status',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const user = await client.userApi.createUser({ body: toUser('Astrid', 'Ekberg'), activate: false })
        kept.user = user
        check.wrong(/^\w{8,}$/.test(user.id), `id (${user.id})`, 'keys')
        check.equal(user.status, 'STAGED', 'status')
        check.wrong(!['ACTIVE', 'DEPROVISIONED'].includes(user.status), `not yet active (${user.status})`)
        check.equal(user.profile?.login, 'astrid@harbour.example.net', 'login', 'values')
        check.equal(user.profile?.lastName, 'Ekberg', 'last name', 'values')
        check.equal(user.credentials?.password?.value, undefined, 'password')
        check.equal(user.credentials?.provider?.type, 'OKTA', 'type of the provider', 'made-values')
        check.equal(user.lastLogin ?? null, null, 'lastLogin')
        check(isRecent(user.created), `created (${user.created})`, 'times')
        check(isRecent(user.lastUpdated), `lastUpdated (${user.lastUpdated})`, 'times')
      },
    },
    {
      name: 'retrieve the user by id and by login',
      does: 'The user is found by id, and by login.',
      source: 'GET /api/v1/users/{id}: "An ID, login, or login shortname … of an existing Okta user"',
      needs: 'document',
      class: 'keys',
      async run({ client, kept, check }) {
        const byId = await client.userApi.getUser({ userId: kept.user.id })
        check.wrong.equal(byId.id, kept.user.id, 'id')
        check.wrong.equal(byId.profile?.firstName, 'Astrid', 'first name', 'state')
        check.equal(Number(byId.created), Number(kept.user.created), 'created', 'times')
        const byLogin = await client.userApi.getUser({ userId: 'astrid@harbour.example.net' })
        check.wrong.equal(byLogin.id, kept.user.id, 'id of the user read by login')
        check.wrong.equal(byLogin.profile?.lastName, 'Ekberg', 'last name of the user read by login', 'state')
      },
    },
    {
      name: 'list the users page by page',
      does: 'The library follows the next links of the Link header, in pages of 2, and finds each user once.',
      source: 'GET /api/v1/users: limit, after "obtained from the Link response header"',
      needs: 'overlay',
      class: 'pages',
      async run({ client, kept, check, exchanges }) {
        const ids = [kept.user.id]
        for (const firstName of ['Bodil', 'Carl', 'Disa', 'Einar']) {
          const user = await client.userApi.createUser({ body: toUser(firstName, 'Lund'), activate: false })
          ids.push(user.id)
        }
        kept.ids = ids
        const before = exchanges().length
        const seen = await readIds(await client.userApi.listUsers({ limit: 2 }))
        const own = seen.filter((id) => ids.includes(id))
        check.wrong.equal(own.sort(), [...ids].sort(), 'created users, each once')
        check(exchanges().length - before >= 3, `at least 3 pages (${exchanges().length - before})`)
      },
    },
    {
      name: 'filter the users by login',
      does: 'The filter profile.login eq "…" finds exactly one user.',
      source: 'GET /api/v1/users: filter "Filters users with a supported expression for a subset of properties"',
      needs: 'more',
      class: 'filters',
      async run({ client, kept, check }) {
        const filter = 'profile.login eq "carl@harbour.example.net"'
        const found = []
        const users = await client.userApi.listUsers({ filter })
        await users.each(({ id, profile }) => {
          found.push([id, profile?.login])
          return found.length < 500
        })
        check.wrong.equal(found, [[kept.ids[2], 'carl@harbour.example.net']], 'users with the login')
      },
    },
    {
      name: 'update a part of the profile',
      does: 'The sent properties of the profile change, the others stay.',
      source: 'POST /api/v1/users/{id}: "Updates a user\'s profile or credentials with partial update semantics"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id, created } = kept.user
        const user = { profile: { lastName: 'Lundqvist', city: 'Varberg' } }
        const changed = await client.userApi.updateUser({ userId: id, user })
        check.wrong.equal(changed.id, id, 'id', 'keys')
        check.equal(changed.profile?.lastName, 'Lundqvist', 'last name', 'values')
        const read = await client.userApi.getUser({ userId: id })
        check.wrong.equal(read.profile?.lastName, 'Lundqvist', 'last name when read', 'state')
        check.equal(read.profile?.city, 'Varberg', 'city when read', 'state')
        check.wrong.equal(read.profile?.login, 'astrid@harbour.example.net', 'login when read')
        check.wrong.equal(read.profile?.firstName, 'Astrid', 'first name when read')
        check.equal(Number(read.created), Number(created), 'created', 'times')
      },
    },
    {
      name: 'activate a user',
      does: 'A staged user with a password is ACTIVE then, and activated has a time. Another staged user stays STAGED.',
      source: 'POST …/lifecycle/activate: "The user has an ACTIVE status when the activation process completes"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const userId = kept.ids[1]
        check.wrong.equal((await client.userApi.getUser({ userId })).status, 'STAGED', 'status before', 'first-state')
        await client.userApi.activateUser({ userId, sendEmail: false })
        const user = await waitFor(client, userId, 'ACTIVE')
        check.wrong.equal([user.id, user.profile?.firstName], [userId, 'Bodil'], 'id and first name', 'state')
        check.equal(user.status, 'ACTIVE', 'status')
        check(isRecent(user.activated), `activated (${user.activated})`, 'times')
        check.wrong.equal((await client.userApi.getUser({ userId: kept.ids[3] })).status, 'STAGED', 'status of another')
      },
    },
    {
      name: 'suspend and unsuspend the user',
      does: 'The user is SUSPENDED, and ACTIVE again. Nothing else changes.',
      source:
        'POST …/lifecycle/suspend: "The user has a SUSPENDED status", …/unsuspend: "returns them to the ACTIVE state"',
      needs: 'document',
      class: 'actions',
      follows: ['activate a user'],
      async run({ client, kept, check }) {
        const userId = kept.ids[1]
        check.equal((await client.userApi.getUser({ userId })).status, 'ACTIVE', 'status before')
        await client.userApi.suspendUser({ userId })
        const suspended = await waitFor(client, userId, 'SUSPENDED')
        check.wrong.equal(suspended.id, userId, 'id', 'state')
        check.equal(suspended.status, 'SUSPENDED', 'status when suspended')
        await client.userApi.unsuspendUser({ userId })
        const user = await waitFor(client, userId, 'ACTIVE')
        check.equal(user.status, 'ACTIVE', 'status after')
        check.wrong.equal(user.profile?.firstName, 'Bodil', 'first name', 'state')
      },
    },
    {
      name: 'create a group, and find it by its name',
      does: 'A new group has the type OKTA_GROUP and the class of user groups. A query finds it by its name.',
      source: 'POST /api/v1/groups: "a new group with the OKTA_GROUP type"; objectClass "okta:user_group"; GET: q',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const profile = { name: 'Harbour pilots', description: 'Who steers' }
        const group = await client.groupApi.createGroup({ group: { profile } })
        kept.group = group
        check.wrong(/^\w{8,}$/.test(group.id), `id (${group.id})`, 'keys')
        check.equal(group.profile?.name, 'Harbour pilots', 'name', 'values')
        check.equal(group.profile?.description, 'Who steers', 'description', 'values')
        check.equal(group.type, 'OKTA_GROUP', 'type')
        check.equal(group.objectClass, ['okta:user_group'], 'objectClass')
        check(isRecent(group.created), `created (${group.created})`, 'times')
        const other = await client.groupApi.createGroup({ group: { profile: { name: 'Quay crew' } } })
        kept.otherGroup = other
        const found = await readIds(await client.groupApi.listGroups({ q: 'Harbour pi' }))
        check.wrong(found.includes(group.id), 'the group is found', 'filters')
        check.wrong(!found.includes(other.id), 'the other group is not found', 'filters')
      },
    },
    {
      name: 'add users to the group',
      does: 'A new group has no members. The added users are its members, in pages of 2; each user has the group.',
      source:
        'PUT /api/v1/groups/{groupId}/users/{userId}, GET …/{groupId}/users: limit; GET /api/v1/users/{id}/groups',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const groupId = kept.group.id
        const list = async (id) => readIds(await client.groupApi.listGroupUsers({ groupId: id, limit: 2 }))
        check.wrong.equal(await list(groupId), [], 'members before')
        for (const userId of kept.ids) await client.groupApi.assignUserToGroup({ groupId, userId })
        check.wrong.equal((await list(groupId)).sort(), [...kept.ids].sort(), 'members, each once')
        check.wrong.equal(await list(kept.otherGroup.id), [], 'members of the other group', 'paths')
        const groups = await readIds(await client.userApi.listUserGroups({ userId: kept.ids[4] }))
        check.wrong(groups.includes(groupId), 'the user has the group')
        check.wrong(!groups.includes(kept.otherGroup.id), 'the user has not the other group')
      },
    },
    {
      name: 'remove a user from the group',
      does: 'The user is no member then, but still exists. The others stay members.',
      source: 'DELETE /api/v1/groups/{groupId}/users/{userId}: "Unassigns a user from a group"',
      needs: 'more',
      class: 'links',
      follows: ['add users to the group'],
      async run({ client, kept, check }) {
        const [groupId, userId] = [kept.group.id, kept.ids[2]]
        const list = async () => readIds(await client.groupApi.listGroupUsers({ groupId }))
        check.wrong((await list()).includes(userId), 'the user is a member before')
        await client.groupApi.unassignUserFromGroup({ groupId, userId })
        const others = kept.ids.filter((id) => id !== userId).sort()
        check.wrong.equal((await list()).sort(), others, 'members after')
        check.wrong.equal((await client.userApi.getUser({ userId })).id, userId, 'the user', 'state')
      },
    },
    {
      name: 'replace and delete a group',
      does: 'The profile is replaced, the id stays. The deleted group is not found, and not listed.',
      source: 'PUT and DELETE /api/v1/groups/{groupId}: "Replaces the profile for a group"; GET: 404 E0000007',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check, fails }) {
        const groupId = kept.otherGroup.id
        const profile = { name: 'Quay crew (old)', description: 'Retired' }
        await client.groupApi.replaceGroup({ groupId, group: { profile } })
        const group = await client.groupApi.getGroup({ groupId })
        check.wrong.equal([group.id, group.profile?.name], [groupId, profile.name], 'id and name when read')
        check.equal(group.profile?.description, 'Retired', 'description when read')
        check.equal(group.type, 'OKTA_GROUP', 'type when read', 'first-state')
        check.wrong((await readIds(await client.groupApi.listGroups())).includes(groupId), 'it is listed before')
        await client.groupApi.deleteGroup({ groupId })
        const listed = await readIds(await client.groupApi.listGroups())
        check.wrong(!listed.includes(groupId), 'it is not listed after', 'deletion')
        check.wrong(listed.includes(kept.group.id), 'the other group is listed after')
        const error = await fails(() => client.groupApi.getGroup({ groupId }))
        check.wrong.equal([error instanceof OktaApiError, error.status], [true, 404], 'OktaApiError with 404', 'errors')
        check.equal(error.errorCode, 'E0000007', 'errorCode', 'errors')
      },
    },
    {
      name: 'create an app, deactivate it, and delete it',
      does: 'A new app is ACTIVE. It is INACTIVE then, and can be deleted; a deleted app is not found.',
      source:
        'POST /api/v1/apps: activate default true; …/lifecycle/deactivate; DELETE: "Deletes an inactive application"',
      needs: 'document',
      class: 'actions',
      async run({ client, check, fails }) {
        const settings = { app: { url: 'https://tides.example.net/varberg' } }
        const application = { name: 'bookmark', label: 'Tide tables', signOnMode: 'BOOKMARK', settings }
        const app = await client.applicationApi.createApplication({ application })
        const appId = app.id
        check.equal(app.label, 'Tide tables', 'label', 'values')
        check.equal(app.status, 'ACTIVE', 'status', 'first-state')
        check.equal(app.settings?.app?.url, settings.app.url, 'url', 'values')
        check(isRecent(app.created), `created (${app.created})`, 'times')
        await client.applicationApi.deactivateApplication({ appId })
        const inactive = await client.applicationApi.getApplication({ appId })
        check.wrong.equal([inactive.id, inactive.label], [appId, 'Tide tables'], 'id and label when read', 'state')
        check.equal(inactive.status, 'INACTIVE', 'status when read')
        await client.applicationApi.deleteApplication({ appId })
        const error = await fails(() => client.applicationApi.getApplication({ appId }))
        check.wrong.equal(
          [error instanceof OktaApiError, error.status],
          [true, 404],
          'OktaApiError with 404',
          'deletion',
        )
      },
    },
    {
      name: 'deactivate and delete a user',
      does: 'The user is DEPROVISIONED, and not found after the deletion: 404, and OktaApiError with E0000007.',
      source: 'POST …/lifecycle/deactivate, DELETE: "only … on users that have a DEPROVISIONED status"; GET: 404',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check, fails }) {
        const userId = kept.ids[4]
        const before = await client.userApi.getUser({ userId })
        check.wrong.equal([before.id, before.status], [userId, 'STAGED'], 'id and status before', 'first-state')
        await client.userApi.deactivateUser({ userId })
        const user = await waitFor(client, userId, 'DEPROVISIONED')
        check.wrong.equal(user.id, userId, 'id', 'state')
        check.equal(user.status, 'DEPROVISIONED', 'status')
        await client.userApi.deleteUser({ userId })
        const error = await fails(() => client.userApi.getUser({ userId }))
        check.wrong(error instanceof OktaApiError, `OktaApiError (${error})`, 'errors')
        check.wrong.equal(error.status, 404, 'status of the error', 'deletion')
        check.equal(error.errorCode, 'E0000007', 'errorCode', 'errors')
        check.wrong.equal(
          (await client.userApi.getUser({ userId: kept.ids[3] })).id,
          kept.ids[3],
          'another user',
          'state',
        )
      },
    },
    {
      name: 'create a user with a first name that is too long',
      does: 'A first name has at most 50 characters: 400, and OktaApiError with E0000001.',
      source: 'POST /api/v1/users: UserProfile.firstName maxLength 50; 400 Error; E0000001 "Api validation failed"',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const body = toUser('Frida', 'Holm')
        body.profile.firstName = 'Frida'.repeat(12)
        const error = await fails(() => client.userApi.createUser({ body, activate: false }))
        check.wrong(error instanceof OktaApiError, `OktaApiError (${error})`, 'errors')
        check.wrong.equal(error.status, 400, 'status', 'errors')
        check.equal(error.errorCode, 'E0000001', 'errorCode', 'errors')
        check(Boolean(error.errorSummary), 'errorSummary', 'errors')
      },
    },
  ],
}

function toUser(firstName, lastName) {
  const login = `${firstName.toLowerCase()}@harbour.example.net`
  const credentials = { password: { value: 'Kattegat-9-knots!' } }
  return { profile: { firstName, lastName, email: login, login }, credentials }
}

/** The ids in a collection, whose pages the library reads; at most 500. */
async function readIds(collection) {
  const ids = []
  await collection.each((each) => {
    ids.push(each.id)
    return ids.length < 500
  })
  return ids
}

/** Lifecycle operations are asynchronous: reads the user until it has the status, at most 5 times. */
async function waitFor(client, userId, status) {
  let user
  for (let attempt = 0; attempt < 5; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 200))
    user = await client.userApi.getUser({ userId })
    if (user.status === status) break
  }
  return user
}

function isRecent(time) {
  return Math.abs(Date.now() - Number(time)) < 24 * 60 * 60 * 1000
}
