/**
 * DocuSign eSignature with docusign-esign: a draft envelope with documents and recipients, sent and voided; groups of
 * users; custom tabs.
 * JSON over REST; all values are texts, lists are wrapped and counted by position, several records are written at
 * once.
 */
import docusign from 'docusign-esign'

const account = '7b2c9d14-52fe-4c1a-9d0e-3f6a8e5b7c21'
const somePast = '2024-02-01T00:00:00Z'

export default {
  connect({ address }) {
    const api = new docusign.ApiClient()
    api.setBasePath(address('https://www.docusign.net/restapi'))
    api.addDefaultHeader('Authorization', 'Bearer token-of-the-test')
    return {
      envelopes: new docusign.EnvelopesApi(api),
      groups: new docusign.GroupsApi(api),
      users: new docusign.UsersApi(api),
      tabs: new docusign.CustomTabsApi(api),
    }
  },
  steps: [
    {
      name: 'create a draft envelope',
      does: 'Stores the envelope as a draft and answers with its new id, its status and its address.',
      source: 'POST /v2.1/accounts/{accountId}/envelopes: status "created … to save … as a draft"; envelopeSummary',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const summary = await client.envelopes.createEnvelope(account, { envelopeDefinition: createLease() })
        kept.leaseId = summary.envelopeId
        check.wrong(isGuid(summary.envelopeId), `an id that is a GUID (${summary.envelopeId})`, 'keys')
        check.equal(summary.status, 'created', 'status')
        check.wrong(!isFinal(summary.status), `not finished (${summary.status})`)
        check(isRecent(summary.statusDateTime), `statusDateTime is now (${summary.statusDateTime})`, 'times')
        check.equal(summary.uri, `/envelopes/${summary.envelopeId}`, 'uri', 'made-values')
      },
    },
    {
      name: 'retrieve the envelope',
      does: 'Answers with subject, message and status, time of creation and addresses of its parts; it was never sent.',
      source:
        'GET /v2.1/accounts/{accountId}/envelopes/{envelopeId}: envelope.createdDateTime, documentsUri, sentDateTime',
      needs: 'overlay',
      class: 'paths',
      async run({ client, kept, check }) {
        const envelope = await client.envelopes.getEnvelope(account, String(kept.leaseId))
        check.wrong.equal(envelope.envelopeId, kept.leaseId, 'envelopeId', 'keys')
        check.equal(envelope.emailSubject, 'Lease of the boathouse', 'emailSubject', 'values')
        check.equal(envelope.emailBlurb, 'Please sign before the season begins.', 'emailBlurb', 'values')
        check.equal(envelope.status, 'created', 'status', 'first-state')
        check.wrong(!isFinal(envelope.status), `not finished (${envelope.status})`, 'first-state')
        check(isRecent(envelope.createdDateTime), `createdDateTime is now (${envelope.createdDateTime})`, 'times')
        const documents = `/envelopes/${kept.leaseId}/documents`
        check.equal(envelope.documentsUri, documents, 'documentsUri', 'made-values')
        check.wrong(!envelope.sentDateTime, `no sentDateTime (${envelope.sentDateTime})`, 'first-state')
        check.wrong(!envelope.voidedDateTime, `no voidedDateTime (${envelope.voidedDateTime})`, 'first-state')
      },
    },
    {
      name: 'list and download the documents',
      does: 'Lists the two documents with name and number, and answers with each of them as a PDF file.',
      source: 'GET …/envelopes/{envelopeId}/documents; GET …/documents/{documentId}: "the response is a PDF file"',
      needs: 'more',
      class: 'uploads',
      async run({ client, kept, check }) {
        const envelopeId = String(kept.leaseId)
        const list = await client.envelopes.listDocuments(account, envelopeId)
        check.wrong.equal(list.envelopeId, envelopeId, 'envelopeId of the list', 'keys')
        const namesOfNumber = (number) =>
          (list.envelopeDocuments ?? []).filter(({ documentId }) => documentId === number).map(({ name }) => name)
        check.wrong.equal(namesOfNumber('7'), ['lease.pdf'], 'names of document 7', 'links')
        check.wrong.equal(namesOfNumber('8'), ['house-rules.pdf'], 'names of document 8', 'links')
        const lease = await client.envelopes.getDocument(account, envelopeId, '7')
        const rules = await client.envelopes.getDocument(account, envelopeId, '8')
        check(String(lease).startsWith('%PDF-'), 'document 7 is a PDF file')
        check(String(rules).startsWith('%PDF-'), 'document 8 is a PDF file')
        check.wrong(String(lease) !== String(rules), 'the two documents differ')
      },
    },
    {
      name: 'list, add and delete recipients',
      does: 'Lists signers and carbon copies of the draft apart, each with a GUID. A signer is added, and deleted.',
      source: 'GET, POST …/{envelopeId}/recipients; DELETE …/recipients/{recipientId}; "created: … in a draft state"',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const envelopeId = String(kept.leaseId)
        const first = await client.envelopes.listRecipients(account, envelopeId)
        check.wrong.equal(namesOf(first.signers), ['Ines Quell'], 'signers')
        check.wrong.equal(namesOf(first.carbonCopies), ['Otto Brink'], 'carbon copies')
        check.equal(first.signers?.[0]?.email, 'ines.quell@example.com', 'email of the signer', 'values')
        check.equal(first.signers?.[0]?.status, 'created', 'status of the signer', 'first-state')
        check(isGuid(first.signers?.[0]?.recipientIdGuid), 'recipientIdGuid is a GUID', 'keys')
        check.equal(first.recipientCount, '2', 'recipientCount', 'made-values')
        const signers = [{ recipientId: '3', routingOrder: '3', name: 'Maud Teller', email: 'maud.teller@example.com' }]
        await client.envelopes.createRecipient(account, envelopeId, { recipients: { signers } })
        const more = await client.envelopes.listRecipients(account, envelopeId)
        check.wrong.equal(namesOf(more.signers), ['Ines Quell', 'Maud Teller'], 'signers after one was added')
        await client.envelopes.deleteRecipient(account, envelopeId, '3')
        const last = await client.envelopes.listRecipients(account, envelopeId)
        check.wrong.equal(namesOf(last.signers), ['Ines Quell'], 'signers after one was deleted', 'deletion')
        check.wrong.equal(namesOf(last.carbonCopies), ['Otto Brink'], 'carbon copies at the end')
      },
    },
    {
      name: 'write custom fields of the envelope',
      does: 'Adds text fields to the envelope, each with an id, and changes the value of one of them.',
      source: 'POST, GET, PUT …/{envelopeId}/custom_fields; textCustomField.fieldId "The ID of the custom field"',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const envelopeId = String(kept.leaseId)
        const customFields = {
          textCustomFields: [
            { name: 'Pier', value: 'north 12', show: 'true' },
            { name: 'Season', value: 'summer', show: 'true' },
          ],
        }
        const created = await client.envelopes.createCustomFields(account, envelopeId, { customFields })
        const pier = (created.textCustomFields ?? []).find(({ name }) => name === 'Pier')
        check(pier?.fieldId, `a fieldId in the answer (${pier?.fieldId})`, 'keys')
        const before = toValues(await client.envelopes.listCustomFields(account, envelopeId))
        check.wrong.equal(before, { Pier: 'north 12', Season: 'summer' }, 'custom fields')
        const changed = { textCustomFields: [{ fieldId: pier?.fieldId, name: 'Pier', value: 'south 3', show: 'true' }] }
        await client.envelopes.updateCustomFields(account, envelopeId, { customFields: changed })
        const after = toValues(await client.envelopes.listCustomFields(account, envelopeId))
        check.wrong.equal(
          after,
          { Pier: 'south 3', Season: 'summer' },
          'custom fields after the change',
          'put-as-update',
        )
      },
    },
    {
      name: 'change the subject of the draft',
      does: 'Changes only what is sent: the subject is new, message, status and id stay.',
      source: 'PUT …/envelopes/{envelopeId}: "you only need to provide the properties that you\'re updating"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const envelopeId = String(kept.leaseId)
        const envelope = { emailSubject: 'Lease of the boathouse, second version' }
        const summary = await client.envelopes.update(account, envelopeId, { envelope })
        check.wrong.equal(summary.envelopeId, envelopeId, 'envelopeId in the answer', 'keys')
        const read = await client.envelopes.getEnvelope(account, envelopeId)
        check.wrong.equal(read.emailSubject, 'Lease of the boathouse, second version', 'emailSubject')
        check.wrong.equal(read.emailBlurb, 'Please sign before the season begins.', 'emailBlurb')
        check.equal(read.status, 'created', 'status', 'first-state')
      },
    },
    {
      name: 'send the draft',
      does: 'The envelope goes from created to sent, with the time; the first signer has been asked to sign.',
      source: 'PUT …/envelopes/{envelopeId}: "To send a draft envelope"; envelope.sentDateTime; signer.status "sent"',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const envelopeId = String(kept.leaseId)
        const before = await client.envelopes.getEnvelope(account, envelopeId)
        check.equal(before.status, 'created', 'status before', 'first-state')
        const summary = await client.envelopes.update(account, envelopeId, { envelope: { status: 'sent' } })
        check.wrong.equal(summary.envelopeId, envelopeId, 'envelopeId in the answer', 'keys')
        const after = await client.envelopes.getEnvelope(account, envelopeId)
        check.wrong.equal(after.status, 'sent', 'status after')
        check(isRecent(after.sentDateTime), `sentDateTime is now (${after.sentDateTime})`, 'times')
        const { signers } = await client.envelopes.listRecipients(account, envelopeId)
        check.wrong.equal(signers?.[0]?.name, 'Ines Quell', 'name of the signer', 'links')
        check.equal(signers?.[0]?.status, 'sent', 'status of the signer')
      },
    },
    {
      name: 'list envelopes by status and id',
      does: 'A list of one status has only envelopes of it; a list of ids has exactly these, and counts them.',
      source:
        'GET /v2.1/accounts/{accountId}/envelopes: status, envelope_ids; totalSetSize, resultSetSize, endPosition',
      needs: 'document',
      class: 'filters',
      follows: ['send the draft'],
      async run({ client, kept, check }) {
        const definition = { ...createLease(), emailSubject: 'Lease of the shed' }
        const draft = await client.envelopes.createEnvelope(account, { envelopeDefinition: definition })
        const list = (filter) => client.envelopes.listStatusChanges(account, { fromDate: somePast, ...filter })
        const newest = { count: '100', orderBy: 'created', order: 'desc' }
        const sent = (await list({ ...newest, status: 'sent' })).envelopes ?? []
        check.wrong.equal(countOf(sent, kept.leaseId), 1, 'the sent envelope among the sent ones')
        check.wrong.equal(countOf(sent, draft.envelopeId), 0, 'the draft among the sent ones')
        const drafts = (await list({ ...newest, status: 'created' })).envelopes ?? []
        check.wrong.equal(countOf(drafts, kept.leaseId), 0, 'the sent envelope among the drafts')
        check.wrong.equal(countOf(drafts, draft.envelopeId), 1, 'the draft among the drafts')
        const both = await list({ envelopeIds: `${kept.leaseId},${draft.envelopeId}` })
        const subjects = (both.envelopes ?? []).map(({ emailSubject }) => emailSubject).sort()
        check.wrong.equal(
          subjects,
          ['Lease of the boathouse, second version', 'Lease of the shed'],
          'the two by their ids',
        )
        check.equal(both.totalSetSize, '2', 'totalSetSize', 'pages')
        check.equal(both.resultSetSize, '2', 'resultSetSize', 'pages')
      },
    },
    {
      name: 'void the sent envelope',
      does: 'The envelope goes from sent to voided, with reason and time.',
      source: 'PUT …/envelopes/{envelopeId}: "Voiding an in-process envelope"; voidedReason, voidedDateTime',
      needs: 'overlay',
      class: 'actions',
      follows: ['send the draft'],
      async run({ client, kept, check }) {
        const envelopeId = String(kept.leaseId)
        const before = await client.envelopes.getEnvelope(account, envelopeId)
        check.wrong.equal(before.status, 'sent', 'status before', 'state')
        check.wrong(!before.voidedDateTime, 'no voidedDateTime before', 'first-state')
        const envelope = { status: 'voided', voidedReason: 'The boathouse was sold.' }
        await client.envelopes.update(account, envelopeId, { envelope })
        const after = await client.envelopes.getEnvelope(account, envelopeId)
        check.wrong.equal(after.status, 'voided', 'status after')
        check.wrong.equal(after.voidedReason, 'The boathouse was sold.', 'voidedReason')
        check(isRecent(after.voidedDateTime), `voidedDateTime is now (${after.voidedDateTime})`, 'times')
      },
    },
    {
      name: 'create users and a group of them',
      does: 'Makes five users who are not active yet, each with a GUID, and a group with an id that takes them.',
      source: 'POST …/users; POST …/groups; PUT …/groups/{groupId}/users "Adds … users to an existing group"',
      needs: 'overlay',
      class: 'envelopes',
      async run({ client, kept, check }) {
        const newUsers = crew.map((name) => ({ userName: `${name} Skipper`, email: toEmail(name) }))
        const created = await client.users.create(account, { newUsersDefinition: { newUsers } })
        const users = crew.map((name) => (created.newUsers ?? []).find(({ email }) => email === toEmail(name)))
        kept.userIds = created.newUsers && toIds(users)
        check.wrong.equal(users.filter((user) => isGuid(user?.userId)).length, 5, 'users with a GUID as id', 'keys')
        check.equal(users[1]?.userName, 'Bela Skipper', 'userName', 'values')
        check(
          /^Activation(Sent|Required)$/i.test(users[0]?.userStatus),
          `userStatus (${users[0]?.userStatus})`,
          'first-state',
        )
        const groupInformation = { groups: [{ groupName: 'Harbour crew' }] }
        const group = (await client.groups.createGroups(account, { groupInformation })).groups?.[0]
        kept.groupId = group?.groupId
        check.equal(group?.groupName, 'Harbour crew', 'groupName', 'values')
        check(group?.groupId, `a groupId (${group?.groupId})`, 'keys')
        check.equal(group?.groupType?.toLowerCase(), 'customgroup', 'groupType', 'first-state')
        const userInfoList = { users: users.map((user) => ({ userId: user?.userId })) }
        const members = await client.groups.updateGroupUsers(account, group?.groupId, { userInfoList })
        check.wrong.equal(toIds(members.users), toIds(users), 'users in the answer', 'links')
      },
    },
    {
      name: 'list the users of the group in pages',
      does: 'Two users a page: three pages with the five users, each once, and the position in each page.',
      source: 'GET …/groups/{groupId}/users: count, start_position "zero-based"; endPosition, totalSetSize, nextUri',
      needs: 'document',
      class: 'pages',
      follows: ['create users and a group of them'],
      async run({ client, kept, check }) {
        const found = []
        const pages = []
        while (pages.length < 20) {
          const options = { count: '2', startPosition: String(found.length) }
          const page = await client.groups.listGroupUsers(account, kept.groupId, options)
          if (!page.users?.length) break
          pages.push(page)
          found.push(...page.users)
          if (found.length >= Number(page.totalSetSize)) break
        }
        check.wrong.equal(toIds(found), kept.userIds, 'users of all pages')
        check.equal(
          pages.map(({ totalSetSize }) => totalSetSize),
          ['5', '5', '5'],
          'totalSetSize of each page',
        )
        check.equal(
          pages.map(({ resultSetSize }) => resultSetSize),
          ['2', '2', '1'],
          'resultSetSize of each page',
        )
        check.equal(
          pages.map(({ startPosition }) => startPosition),
          ['0', '2', '4'],
          'startPosition of each page',
        )
        check.equal(
          pages.map(({ endPosition }) => endPosition),
          ['1', '3', '4'],
          'endPosition of each page',
        )
        check(pages[0]?.nextUri, 'the first page has a nextUri')
        check(!pages.at(-1)?.nextUri, 'the last page has no nextUri')
      },
    },
    {
      name: 'remove a user and delete the group',
      does: 'The group loses one user and keeps four. After the deletion no list of groups has it.',
      source:
        'DELETE …/{groupId}/users; GET …/groups: search_text; DELETE …/groups "only the groupId in the request body"',
      needs: 'document',
      class: 'keys-in-bodies',
      follows: ['create users and a group of them'],
      async run({ client, kept, check }) {
        const groupId = String(kept.groupId)
        const [first, ...others] = kept.userIds
        await client.groups.deleteGroupUsers(account, groupId, { userInfoList: { users: [{ userId: first }] } })
        const rest = await client.groups.listGroupUsers(account, groupId, { count: '50' })
        check.wrong.equal(toIds(rest.users), others, 'users that stay', 'links')
        const search = async () => {
          const { groups } = await client.groups.listGroups(account, { searchText: 'Harbour crew', count: '100' })
          return (groups ?? []).filter((group) => group.groupId === groupId).length
        }
        check.wrong.equal(await search(), 1, 'the group in the list before')
        await client.groups.deleteGroups(account, { groupInformation: { groups: [{ groupId }] } })
        check.wrong.equal(await search(), 0, 'the group in the list after')
      },
    },
    {
      name: 'retrieve a deleted custom tab',
      does: 'A custom tab is created, read and deleted; then it is refused with a code and a message.',
      source:
        'POST …/tab_definitions; GET, DELETE …/tab_definitions/{customTabId}; errorDetails; 400 "Error encountered"',
      needs: 'document',
      class: 'errors',
      async run({ client, check, fails }) {
        const tabMetadata = { type: 'text', tabLabel: 'Mooring', name: 'Mooring', font: 'Garamond' }
        const { customTabId } = await client.tabs.create(account, { tabMetadata })
        const tab = await client.tabs.get(account, customTabId)
        check.wrong.equal(tab.customTabId, customTabId, 'customTabId', 'keys')
        check.equal(tab.tabLabel, 'Mooring', 'tabLabel', 'values')
        check.equal(tab.font?.toLowerCase(), 'garamond', 'font', 'values')
        await client.tabs._delete(account, customTabId)
        const error = await fails(() => client.tabs.get(account, customTabId))
        check.wrong([400, 404].includes(error.status), `status 400 or 404 (${error.status})`)
        check(error.response?.body?.errorCode, 'an errorCode')
        check(error.response?.body?.message, 'a message')
      },
    },
    {
      name: 'send an envelope without documents and recipients',
      does: 'Refuses it with 400, with a code and a message.',
      source: 'POST …/envelopes: with the status sent, "documents" and "recipients" are required; 400: errorDetails',
      needs: 'document',
      class: 'validation',
      async run({ client, check, fails }) {
        const envelopeDefinition = { status: 'sent', emailSubject: 'Nothing in it' }
        const error = await fails(() => client.envelopes.createEnvelope(account, { envelopeDefinition }))
        check.wrong.equal(error.status, 400, 'status')
        check(error.response?.body?.errorCode, 'an errorCode', 'errors')
        check(error.response?.body?.message, 'a message', 'errors')
      },
    },
  ],
}

const crew = ['Anouk', 'Bela', 'Corin', 'Dagny', 'Edda']

function createLease() {
  const toDocument = (documentId, name, text) => ({
    documentId,
    name,
    fileExtension: 'pdf',
    documentBase64: toPdf(text),
  })
  return {
    status: 'created',
    emailSubject: 'Lease of the boathouse',
    emailBlurb: 'Please sign before the season begins.',
    documents: [toDocument('7', 'lease.pdf', 'Lease'), toDocument('8', 'house-rules.pdf', 'The rules of the house')],
    recipients: {
      signers: [{ recipientId: '1', routingOrder: '1', name: 'Ines Quell', email: 'ines.quell@example.com' }],
      carbonCopies: [{ recipientId: '2', routingOrder: '2', name: 'Otto Brink', email: 'otto.brink@example.com' }],
    },
  }
}

/** @returns a PDF file of one page with a text, as base64 */
function toPdf(text) {
  const content = `BT /F1 18 Tf 72 720 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  file += `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file).toString('base64')
}

function toEmail(name) {
  return `${name.toLowerCase()}.skipper@example.com`
}

function toIds(users) {
  return (users ?? []).map((user) => user?.userId).sort()
}

function namesOf(recipients) {
  return (recipients ?? []).map(({ name }) => name).sort()
}

/** The values of the fields of this program, each by its name. An account can have fields of its own. */
function toValues({ textCustomFields }) {
  const own = (textCustomFields ?? []).filter(({ name }) => ['Pier', 'Season'].includes(name))
  return Object.fromEntries(own.map(({ name, value }) => [name, value]))
}

function countOf(envelopes, id) {
  return envelopes.filter(({ envelopeId }) => envelopeId === id).length
}

function isFinal(status) {
  return ['completed', 'declined', 'signed', 'voided'].includes(status)
}

function isGuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isRecent(time) {
  return Math.abs(new Date(time).getTime() - Date.now()) < 86_400_000
}
