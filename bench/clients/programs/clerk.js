/**
 * Manages users and organizations with the backend library of Clerk.
 * The API is JSON with snake case and keys in paths; times are in milliseconds, lists go on with limit and offset.
 */
import { createClerkClient } from '@clerk/backend'
import { isClerkAPIResponseError } from '@clerk/backend/errors'

export default {
  connect: ({ address }) =>
    createClerkClient({
      secretKey: 'sk_test_program',
      apiUrl: address('https://api.clerk.com/v1').replace(/\/v1$/, ''),
      telemetry: { disabled: true },
    }),
  steps: [
    {
      name: 'create a user',
      does: 'Stores names, external id and metadata. A new user is neither banned nor locked, and never signed in.',
      source: 'POST /users; User: banned, locked, last_sign_in_at "Unix timestamp of last sign-in", created_at',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const user = await client.users.createUser({
          emailAddress: ['astrid.ekberg@harbour.example.net'],
          firstName: 'Astrid',
          lastName: 'Ekberg',
          externalId: 'berth-1',
          password: 'Kattegat-9-knots!',
          publicMetadata: { boat: { name: 'Alma', metres: 9 }, berth: 'north' },
          privateMetadata: { owes: 120 },
        })
        kept.user = user
        check.wrong(/^user_\w{8,}$/.test(user.id), `an id that begins with user_ (${user.id})`, 'keys')
        check.equal([user.firstName, user.lastName], ['Astrid', 'Ekberg'], 'names', 'values')
        check.equal(user.externalId, 'berth-1', 'externalId', 'values')
        check.equal(user.publicMetadata, { boat: { name: 'Alma', metres: 9 }, berth: 'north' }, 'metadata', 'free-form')
        check.equal(user.privateMetadata, { owes: 120 }, 'private metadata', 'free-form')
        check.wrong(!user.banned && !user.locked, `neither banned nor locked (${user.banned}, ${user.locked})`)
        check.equal([user.banned, user.locked], [false, false], 'banned and locked')
        check.equal(user.lastSignInAt, null, 'lastSignInAt')
        check.equal(user.twoFactorEnabled, false, 'twoFactorEnabled')
        check.equal(user.raw?.object, 'user', 'object')
        check(isRecent(user.createdAt), `createdAt (${user.createdAt})`, 'times')
        check(isRecent(user.updatedAt), `updatedAt (${user.updatedAt})`, 'times')
      },
    },
    {
      name: 'retrieve the user with the email address',
      does: 'The address is a record with an id, is verified, and is the primary one. The password is not shown.',
      source: 'GET /users/{user_id}; POST /users: "marked as verified", "first email address will be set as … primary"',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const user = await client.users.getUser(kept.user.id)
        check.wrong.equal([user.id, user.firstName], [kept.user.id, 'Astrid'], 'id and first name', 'state')
        const [address, ...others] = user.emailAddresses
        check.equal(others, [], 'further addresses')
        check.equal(address?.emailAddress, 'astrid.ekberg@harbour.example.net', 'address')
        check.equal(address?.verification?.status, 'verified', 'status of the address')
        check(Boolean(address?.id) && user.primaryEmailAddressId === address?.id, 'it is the primary address')
        check.equal(user.passwordEnabled, true, 'passwordEnabled')
        check.equal(user.raw?.password, undefined, 'password', 'first-state')
        check.equal(user.phoneNumbers, [], 'phone numbers', 'first-state')
      },
    },
    {
      name: 'list the users page by page',
      does: 'Lists the users in pages of 2, the newest first, with the total number.',
      source:
        'GET /users: limit, offset, "sorted by creation date, with the newest users appearing first"; GET /users/count',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const ids = [kept.user.id]
        const names = ['Bodil', 'Carl', 'Disa', 'Einar']
        for (const [index, firstName] of names.entries()) {
          const emailAddress = [`${firstName.toLowerCase()}@harbour.example.net`]
          const sent = { emailAddress, firstName, externalId: `berth-${index + 2}`, skipPasswordRequirement: true }
          ids.unshift((await client.users.createUser(sent)).id)
        }
        kept.ids = ids
        const seen = []
        for (let offset = 0; offset < 40; offset += 2) {
          const { data, totalCount } = await client.users.getUserList({ limit: 2, offset })
          check(totalCount >= 5, `total of at least 5 (${totalCount})`)
          check(data.length <= 2, `at most 2 in a page (${data.length})`)
          seen.push(...data.map(({ id }) => id))
          if (data.length < 2) break
        }
        const own = seen.filter((id) => ids.includes(id))
        check.wrong.equal([...own].sort(), [...ids].sort(), 'created users, each once')
        check.equal(own, ids, 'the newest first', 'filters')
      },
    },
    {
      name: 'filter users by external id and by a part of the name',
      does: 'Only the users with those external ids, or whose name contains the text, are listed and counted.',
      source: 'GET /users and /users/count: external_id, name_query "via case-insensitive partial match"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const byId = await client.users.getUserList({ externalId: ['berth-2', 'berth-4'] })
        const expected = [kept.ids[3], kept.ids[1]].sort()
        check.wrong.equal(byId.data.map(({ id }) => id).sort(), expected, 'users with the external ids')
        check.equal(byId.totalCount, 2, 'their number')
        const byName = await client.users.getUserList({ nameQuery: 'eINa' })
        check.wrong(
          byName.data.some(({ id }) => id === kept.ids[0]),
          'the user whose name contains the text',
          'searches',
        )
        check.wrong(!byName.data.some(({ id }) => id === kept.ids[1]), 'no other user', 'searches')
      },
    },
    {
      name: 'update the user',
      does: 'The last name changes, the first name and createdAt stay.',
      source: 'PATCH /users/{user_id}: "Update a user\'s attributes"',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const { id, createdAt } = kept.user
        const changed = await client.users.updateUser(id, { lastName: 'Lundqvist', locale: 'sv-SE' })
        check.wrong.equal(changed.id, id, 'id', 'keys')
        check.equal(changed.lastName, 'Lundqvist', 'last name', 'values')
        const user = await client.users.getUser(id)
        check.wrong.equal([user.firstName, user.lastName], ['Astrid', 'Lundqvist'], 'names when read')
        check.equal(user.locale, 'sv-SE', 'locale when read')
        check.equal(user.createdAt, createdAt, 'createdAt', 'times')
        check(user.updatedAt >= kept.user.updatedAt, `updatedAt (${user.updatedAt})`, 'times')
      },
    },
    {
      name: 'merge metadata',
      does: 'Nested objects are merged, a key with null is removed, and the private metadata stays.',
      source: 'PATCH /users/{user_id}/metadata: "a deep merge will be performed", "remove metadata keys … to null"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const publicMetadata = { boat: { metres: 11 }, berth: null, flag: 'blue' }
        const changed = await client.users.updateUserMetadata(kept.user.id, { publicMetadata })
        check.wrong.equal(changed.id, kept.user.id, 'id', 'keys')
        const user = await client.users.getUser(kept.user.id)
        const expected = { boat: { name: 'Alma', metres: 11 }, flag: 'blue' }
        check.wrong.equal(user.publicMetadata, expected, 'metadata when read')
        check.equal(user.privateMetadata, { owes: 120 }, 'private metadata when read', 'state')
      },
    },
    {
      name: 'ban and unban a user',
      does: 'The user is banned, and found with the filter for banned users; then not any more.',
      source: 'POST /users/{user_id}/ban "Marks the given user as banned", /unban; GET /users: banned',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const id = kept.ids[0]
        const listed = async () => {
          const { data } = await client.users.getUserList({ banned: true, externalId: ['berth-5'] })
          return data.map((user) => user.id)
        }
        check.wrong.equal((await client.users.getUser(id)).banned, false, 'banned before', 'first-state')
        check.wrong.equal(await listed(), [], 'banned users before', 'filters')
        const banned = await client.users.banUser(id)
        check.wrong.equal(banned.id, id, 'id', 'keys')
        check.equal(banned.banned, true, 'banned')
        check.equal((await client.users.getUser(id)).banned, true, 'banned when read')
        check.equal(await listed(), [id], 'banned users')
        const unbanned = await client.users.unbanUser(id)
        check.wrong.equal([unbanned.id, unbanned.firstName], [id, 'Einar'], 'id and name after', 'state')
        check.wrong.equal((await client.users.getUser(id)).banned, false, 'banned after')
      },
    },
    {
      name: 'lock and unlock a user',
      does: 'The user is locked, and then not any more. The other users are not.',
      source: 'POST /users/{user_id}/lock "Marks the given user as locked", /unlock; User: locked',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const id = kept.ids[1]
        check.wrong.equal((await client.users.getUser(id)).locked, false, 'locked before', 'first-state')
        const locked = await client.users.lockUser(id)
        check.wrong.equal([locked.id, locked.externalId], [id, 'berth-4'], 'id and external id', 'state')
        check.equal(locked.locked, true, 'locked')
        check.equal((await client.users.getUser(id)).locked, true, 'locked when read')
        check.wrong.equal((await client.users.getUser(kept.ids[2])).locked, false, 'another user is locked', 'state')
        check.wrong.equal((await client.users.unlockUser(id)).id, id, 'id after', 'keys')
        check.wrong.equal((await client.users.getUser(id)).locked, false, 'locked after')
      },
    },
    {
      name: 'create an organization',
      does: 'Stores name, limit and metadata. The user who creates it is its only member, an administrator.',
      source: 'POST /organizations: created_by "the User who will become the administrator"; GET …/memberships',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const organization = await client.organizations.createOrganization({
          name: 'Harbour Pilots',
          createdBy: kept.user.id,
          maxAllowedMemberships: 7,
          publicMetadata: { quay: 'south' },
        })
        kept.organization = organization
        check.wrong(/^org_\w{8,}$/.test(organization.id), `an id that begins with org_ (${organization.id})`, 'keys')
        check.equal(organization.name, 'Harbour Pilots', 'name', 'values')
        check.equal(organization.maxAllowedMemberships, 7, 'maxAllowedMemberships', 'values')
        check.equal(organization.publicMetadata, { quay: 'south' }, 'metadata', 'free-form')
        check(isRecent(organization.createdAt), `createdAt (${organization.createdAt})`, 'times')
        const organizationId = organization.id
        const read = await client.organizations.getOrganization({ organizationId, includeMembersCount: true })
        check.wrong.equal([read.id, read.name], [organizationId, 'Harbour Pilots'], 'id and name when read', 'state')
        check.equal(read.membersCount, 1, 'membersCount')
        const { data } = await client.organizations.getOrganizationMembershipList({ organizationId })
        const members = data.map(({ role, publicUserData }) => [role, publicUserData?.userId])
        check.equal(members, [['org:admin', kept.user.id]], 'members')
      },
    },
    {
      name: 'add a member and change the role',
      does: 'The membership has user and organization. It is in the list, with the new role, and in that of the user.',
      source:
        'POST, GET, PATCH /organizations/{organization_id}/memberships; GET /users/{user_id}/organization_memberships',
      needs: 'more',
      class: 'references',
      async run({ client, kept, check }) {
        const [userId, organizationId] = [kept.ids[2], kept.organization.id]
        const sent = { organizationId, userId, role: 'org:member' }
        const created = await client.organizations.createOrganizationMembership(sent)
        check.equal(created.role, 'org:member', 'role', 'values')
        check.equal(created.publicUserData?.userId, userId, 'user')
        check.equal(created.publicUserData?.firstName, 'Carl', 'first name of the user')
        check.equal(created.organization?.name, 'Harbour Pilots', 'name of the organization', 'owners')
        await client.organizations.updateOrganizationMembership({ organizationId, userId, role: 'org:admin' })
        const { data } = await client.organizations.getOrganizationMembershipList({ organizationId, limit: 100 })
        const own = data.filter(({ id }) => id === created.id)
        check.wrong.equal(own.length, 1, 'times in the list', 'paths')
        check.equal(own[0]?.role, 'org:admin', 'role in the list', 'keys')
        const ofUser = await client.users.getOrganizationMembershipList({ userId })
        const organizations = ofUser.data.map(({ organization }) => organization?.id)
        check.equal(organizations, [organizationId], 'organizations of the user', 'links')
      },
    },
    {
      name: 'invite somebody, and revoke the invitation',
      does: 'The invitation is pending, then revoked, and found with that status only. The list has data and a total.',
      source: 'POST and GET /invitations: status, paginated; POST …/revoke: "status": revoked, "revoked": true',
      needs: 'overlay',
      class: 'actions',
      async run({ client, check }) {
        const emailAddress = 'frida@harbour.example.net'
        const sent = { emailAddress, notify: false, publicMetadata: { berth: 'west' } }
        const created = await client.invitations.createInvitation(sent)
        check.wrong(/^inv_\w{8,}$/.test(created.id), `an id that begins with inv_ (${created.id})`, 'keys')
        check.equal(created.emailAddress, emailAddress, 'address', 'values')
        check.equal(created.status, 'pending', 'status', 'first-state')
        check.wrong(created.status !== 'revoked', `not revoked when new (${created.status})`, 'first-state')
        check.wrong(!created.revoked, 'it is not revoked', 'first-state')
        check.equal(created.publicMetadata, { berth: 'west' }, 'metadata', 'free-form')
        const revoked = await client.invitations.revokeInvitation(created.id)
        check.wrong.equal([revoked.id, revoked.emailAddress], [created.id, emailAddress], 'id and address', 'state')
        check.equal([revoked.status, revoked.revoked], ['revoked', true], 'status and revoked')
        const list = async (status) => {
          const { data } = await client.invitations.getInvitationList({ status, limit: 100 })
          return data.filter(({ id }) => id === created.id).length
        }
        check.wrong.equal(await list('revoked'), 1, 'times in the list of revoked ones', 'envelopes')
        check.wrong.equal(await list('pending'), 0, 'times in the list of pending ones', 'envelopes')
      },
    },
    {
      name: 'allow an address, and take it back',
      does: 'The identifier is in the allow-list once, with its type, and not after the deletion.',
      source:
        'POST, GET and DELETE /allowlist_identifiers; AllowlistIdentifier: identifier_type; DeletedObject: deleted',
      needs: 'overlay',
      class: 'envelopes',
      async run({ client, check }) {
        const identifier = 'gustav@harbour.example.net'
        const list = async () => {
          const { data } = await client.allowlistIdentifiers.getAllowlistIdentifierList({ limit: 100 })
          return data.filter((each) => each.identifier === identifier).map(({ id }) => id)
        }
        const created = await client.allowlistIdentifiers.createAllowlistIdentifier({ identifier, notify: false })
        check(/^[a-z]+_\w{8,}$/.test(created.id), `an id with a prefix (${created.id})`, 'keys')
        check.equal(created.identifier, identifier, 'identifier', 'values')
        check.equal(created.identifierType, 'email_address', 'identifierType', 'made-values')
        check(isRecent(created.createdAt), `createdAt (${created.createdAt})`, 'times')
        check.wrong.equal(await list(), [created.id], 'in the list')
        const deleted = await client.allowlistIdentifiers.deleteAllowlistIdentifier(created.id)
        check.equal([deleted.id, deleted.deleted], [created.id, true], 'id and deleted', 'deletion')
        check.wrong.equal(await list(), [], 'in the list after')
      },
    },
    {
      name: 'delete a user',
      does: 'Answers with the deleted id. The user is not found: 404, and ClerkAPIResponseError, resource_not_found.',
      source:
        'DELETE /users/{user_id}: DeletedObject; GET /users/{user_id}: 404 ClerkErrors; https://clerk.com/docs/errors',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const id = kept.ids[0]
        check.wrong.equal((await client.users.getUser(id)).id, id, 'the user before', 'state')
        const deleted = await client.users.deleteUser(id)
        check.equal([deleted.id, deleted.deleted], [id, true], 'id and deleted', 'deletion')
        const error = await fails(() => client.users.getUser(id))
        check.wrong(isClerkAPIResponseError(error), `ClerkAPIResponseError (${error})`)
        check.wrong.equal(error.status, 404, 'status')
        check.equal(error.errors?.[0]?.code, 'resource_not_found', 'code')
        check(Boolean(error.errors?.[0]?.message), 'message')
        const { data } = await client.users.getUserList({ externalId: ['berth-5', 'berth-4'] })
        check.wrong.equal(
          data.map((user) => user.id),
          [kept.ids[1]],
          'users left',
          'state',
        )
      },
    },
    {
      name: 'create an organization without a name',
      does: 'Answers 422, and the library throws ClerkAPIResponseError with code and message.',
      source: 'POST /organizations: required name; 422 ClerkErrors: code, message, long_message',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.organizations.createOrganization({ maxAllowedMemberships: 3 }))
        check.wrong(isClerkAPIResponseError(error), `ClerkAPIResponseError (${error})`, 'errors')
        check.wrong.equal(error.status, 422, 'status', 'errors')
        check(Boolean(error.errors?.[0]?.code), 'code', 'errors')
        check(Boolean(error.errors?.[0]?.message), 'message', 'errors')
      },
    },
  ],
}

function isRecent(time) {
  return Math.abs(Date.now() - time) < 24 * 60 * 60 * 1000
}
