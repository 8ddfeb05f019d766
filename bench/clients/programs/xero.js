/**
 * Xero Accounting with xero-node: contacts and groups of them, invoices that are authorised and paid, notes,
 * attachments and items.
 * JSON over REST with PascalCase names, which the library turns into camelCase. PUT creates, POST changes, and every
 * write and answer is wrapped in a list ({ contacts: [...] }). Pages have 100 records. A failure is an object with
 * the response.
 */
import { Readable } from 'node:stream'
import xero from 'xero-node'

const tenant = '6f0cbd5a-3d1f-47f8-9f0d-21a2b1f0c9d7'
const none = undefined

export default {
  connect({ address }) {
    const client = new xero.XeroClient()
    client.accountingApi.basePath = address('https://api.xero.com/api.xro/2.0')
    client.accountingApi.accessToken = 'token-of-the-test'
    return client.accountingApi
  },
  steps: [
    {
      name: 'create contacts',
      does: 'Makes an active contact of each record that is sent, in their order, each with a GUID.',
      source: 'PUT /Contacts: Contacts; Contact.ContactStatus, IsCustomer, UpdatedDateUTC; example of the answer',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const first = { name: 'Marit Lantern Works', firstName: 'Marit', emailAddress: 'marit@example.com' }
        const second = { name: 'Odd Rope Supply', firstName: 'Odd', emailAddress: 'odd@example.com' }
        const { body } = await client.createContacts(tenant, { contacts: [first, second] })
        const contacts = body.contacts ?? []
        Object.assign(kept, { contact: contacts[0]?.contactID, other: contacts[1]?.contactID })
        check.wrong.equal(
          contacts.map(({ name }) => name),
          [first.name, second.name],
          'names',
          'envelopes',
        )
        check.wrong(
          contacts.every(({ contactID }) => isGuid(contactID)),
          'GUIDs as ids',
          'keys',
        )
        check.wrong(contacts[0]?.contactID !== contacts[1]?.contactID, 'different ids', 'keys')
        check.equal(contacts[1]?.emailAddress, 'odd@example.com', 'emailAddress', 'values')
        check.equal(contacts[0]?.contactStatus, 'ACTIVE', 'contactStatus')
        check.equal(contacts[0]?.isCustomer, false, 'isCustomer')
        check.equal(contacts[0]?.isSupplier, false, 'isSupplier')
        check(isRecent(contacts[0]?.updatedDateUTC), `updatedDateUTC is now (${contacts[0]?.updatedDateUTC})`, 'times')
      },
    },
    {
      name: 'retrieve contacts',
      does: 'Answers with the contact in a list of one; a list of ids has exactly these contacts.',
      source: 'GET /Contacts/{ContactID}; GET /Contacts: IDs "Allows you to retrieve a specific set of contacts"',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const { body } = await client.getContact(tenant, kept.contact)
        check.wrong.equal(
          body.contacts?.map(({ contactID }) => contactID),
          [kept.contact],
          'ids',
          'paths',
        )
        check.wrong.equal(body.contacts?.[0]?.name, 'Marit Lantern Works', 'name', 'values')
        check.equal(body.contacts?.[0]?.firstName, 'Marit', 'firstName', 'values')
        check.equal(body.contacts?.[0]?.emailAddress, 'marit@example.com', 'emailAddress', 'values')
        const both = await client.getContacts(tenant, none, none, none, [kept.contact, kept.other])
        const names = both.body.contacts?.map(({ name }) => name).sort()
        check.wrong.equal(names, ['Marit Lantern Works', 'Odd Rope Supply'], 'names in the list of two ids')
        const one = await client.getContacts(tenant, none, none, none, [kept.other])
        check.wrong.equal(
          one.body.contacts?.map(({ name }) => name),
          ['Odd Rope Supply'],
          'names in the list of one id',
        )
      },
    },
    {
      name: 'list contacts in pages',
      does: 'A page has 100 contacts; each contact is in one of the pages, once, and the page after the last is empty.',
      source: 'GET /Contacts: page "Up to 100 contacts will be returned in a single API call"',
      needs: 'document',
      class: 'pages',
      async run({ client, check }) {
        const created = []
        for (let batch = 0; batch < 3; batch++) {
          const contacts = Array.from({ length: 35 }, (_, index) => ({ name: `Boat ${batch}-${index}` }))
          const { body } = await client.createContacts(tenant, { contacts })
          created.push(...(body.contacts ?? []))
        }
        check.wrong.equal(
          new Set(created.map(({ contactID }) => contactID)).size,
          105,
          'ids of the new contacts',
          'keys',
        )
        const pages = []
        while (pages.length < 20) {
          const { body } = await client.getContacts(tenant, none, none, none, none, pages.length + 1)
          if (!body.contacts?.length) break
          pages.push(body.contacts)
        }
        check.wrong(pages.length >= 2 && pages.length < 20, `two pages or more, and an end (${pages.length})`)
        check.equal(pages[0]?.length, 100, 'contacts of the first page')
        const found = pages.flat().map(({ contactID }) => contactID)
        check.wrong(
          created.every(({ contactID }) => found.includes(contactID)),
          'all new contacts in the pages',
        )
        check.wrong.equal(new Set(found).size, found.length, 'different contacts in the pages')
      },
    },
    {
      name: 'change a contact',
      does: 'Changes only what is sent, and writes the time.',
      source: 'POST /Contacts/{ContactID}: Contacts; Contact.UpdatedDateUTC "UTC timestamp of last update"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const contacts = [{ emailAddress: 'lamps@example.com', accountNumber: 'LW-88' }]
        const { body } = await client.updateContact(tenant, kept.contact, { contacts })
        check.wrong.equal(body.contacts?.[0]?.contactID, String(kept.contact), 'contactID in the answer', 'envelopes')
        const contact = (await client.getContact(tenant, kept.contact)).body.contacts?.[0]
        check.wrong.equal(contact?.emailAddress, 'lamps@example.com', 'emailAddress')
        check.wrong.equal(contact?.accountNumber, 'LW-88', 'accountNumber')
        check.wrong.equal(contact?.name, 'Marit Lantern Works', 'name')
        check.wrong.equal(contact?.firstName, 'Marit', 'firstName')
        check(isRecent(contact?.updatedDateUTC), `updatedDateUTC is now (${contact?.updatedDateUTC})`, 'times')
      },
    },
    {
      name: 'group contacts',
      does: 'A group takes two contacts and loses one; when its status is set to DELETED, no list of groups has it.',
      source: 'PUT /ContactGroups; PUT, DELETE …/Contacts; "Only contact groups with … ACTIVE are returned on GETs"',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const { body } = await client.createContactGroup(tenant, { contactGroups: [{ name: 'Night watch' }] })
        const id = body.contactGroups?.[0]?.contactGroupID
        check.wrong(isGuid(id), `a GUID as id (${id})`, 'keys')
        check.wrong.equal(body.contactGroups?.[0]?.name, 'Night watch', 'name', 'envelopes')
        check.equal(body.contactGroups?.[0]?.status, 'ACTIVE', 'status', 'first-state')
        const contacts = [{ contactID: String(kept.contact) }, { contactID: String(kept.other) }]
        await client.createContactGroupContacts(tenant, id, { contacts })
        const members = async () => {
          const group = (await client.getContactGroup(tenant, id)).body.contactGroups?.[0]
          return group?.contacts?.map(({ contactID }) => contactID).sort()
        }
        check.wrong.equal(await members(), [kept.contact, kept.other].map(String).sort(), 'contacts of the group')
        await client.deleteContactGroupContact(tenant, id, kept.other)
        check.wrong.equal(await members(), [String(kept.contact)], 'contacts after one was taken out')
        const list = async () => {
          const groups = (await client.getContactGroups(tenant)).body.contactGroups ?? []
          return groups.filter(({ contactGroupID }) => contactGroupID === id).length
        }
        check.wrong.equal(await list(), 1, 'the group in the list before')
        const deleted = { contactGroupID: id, name: 'Night watch', status: 'DELETED' }
        await client.updateContactGroup(tenant, id, { contactGroups: [deleted] })
        check.wrong.equal(await list(), 0, 'the group in the list after', 'deletion')
      },
    },
    {
      name: 'create an invoice',
      does: 'Makes a draft with the name of the contact, an id for each line, and the sums of the lines.',
      source:
        'PUT /Invoices; Invoice.SubTotal, Total, AmountDue, AmountPaid; LineItem.LineItemID; Invoice Status Codes',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const { body } = await client.createInvoices(tenant, { invoices: [toInvoice(kept.contact, 'LAMP-0042')] })
        const invoice = body.invoices?.[0]
        kept.invoice = invoice?.invoiceID
        check.wrong(isGuid(invoice?.invoiceID), `a GUID as id (${invoice?.invoiceID})`, 'keys')
        check.wrong.equal(invoice?.invoiceNumber, 'LAMP-0042', 'invoiceNumber', 'envelopes')
        check.equal(invoice?.status, 'DRAFT', 'status', 'first-state')
        const isFinal = ['PAID', 'VOIDED', 'DELETED'].includes(invoice?.status)
        check.wrong(!isFinal, `not finished (${invoice?.status})`, 'first-state')
        check.equal(invoice?.type, 'ACCREC', 'type', 'values')
        check.equal(invoice?.reference, 'Lamps of June', 'reference', 'values')
        check.equal(invoice?.dueDate && toDay(invoice.dueDate), '2030-07-19', 'dueDate', 'values')
        check.wrong.equal(invoice?.contact?.contactID, String(kept.contact), 'contactID', 'references')
        check.equal(invoice?.contact?.name, 'Marit Lantern Works', 'name of the contact', 'references')
        check.equal(
          invoice?.lineItems?.map(({ lineAmount }) => lineAmount),
          [37.5, 14.5],
          'lineAmount of the lines',
        )
        check(
          invoice?.lineItems?.every(({ lineItemID }) => isGuid(lineItemID)),
          'GUIDs as ids of the lines',
          'keys',
        )
        check.equal([invoice?.subTotal, invoice?.totalTax, invoice?.total], [52, 0, 52], 'subTotal, totalTax and total')
        check.equal([invoice?.amountDue, invoice?.amountPaid], [52, 0], 'amountDue and amountPaid')
      },
    },
    {
      name: 'authorise the invoice',
      does: 'The invoice goes from DRAFT to AUTHORISED and keeps the rest.',
      source: 'POST /Invoices/{InvoiceID}: Invoices; Invoice.Status "See Invoice Status Codes"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const before = (await client.getInvoice(tenant, kept.invoice)).body.invoices?.[0]
        check.equal(before?.status, 'DRAFT', 'status before', 'first-state')
        const { body } = await client.updateInvoice(tenant, kept.invoice, { invoices: [{ status: 'AUTHORISED' }] })
        check.wrong.equal(body.invoices?.[0]?.invoiceID, String(kept.invoice), 'invoiceID in the answer', 'envelopes')
        const after = (await client.getInvoice(tenant, kept.invoice)).body.invoices?.[0]
        check.wrong.equal(after?.status, 'AUTHORISED', 'status after')
        check.wrong.equal(after?.invoiceNumber, 'LAMP-0042', 'invoiceNumber', 'put-as-update')
        check.wrong.equal(after?.reference, 'Lamps of June', 'reference', 'put-as-update')
        check.wrong.equal(after?.lineItems?.length, 2, 'number of lines', 'put-as-update')
      },
    },
    {
      name: 'filter invoices',
      does: 'Lists of one contact and one status, or of some numbers, have exactly the invoices that fit.',
      source: 'GET /Invoices: ContactIDs, Statuses, InvoiceNumbers "Filter by a comma-separated list"',
      needs: 'document',
      class: 'filters',
      follows: ['authorise the invoice'],
      async run({ client, kept, check }) {
        await client.createInvoices(tenant, { invoices: [toInvoice(kept.contact, 'LAMP-0043')] })
        await client.createInvoices(tenant, { invoices: [toInvoice(kept.other, 'ROPE-0007')] })
        const list = async (numbers, contacts, statuses) => {
          const { body } = await client.getInvoices(tenant, none, none, none, none, numbers, contacts, statuses)
          return body.invoices?.map(({ invoiceNumber }) => invoiceNumber).sort()
        }
        check.wrong.equal(
          await list(none, [kept.contact], ['AUTHORISED']),
          ['LAMP-0042'],
          'authorised ones of the contact',
        )
        check.wrong.equal(await list(none, [kept.contact], ['DRAFT']), ['LAMP-0043'], 'drafts of the contact')
        check.wrong.equal(await list(none, [kept.other]), ['ROPE-0007'], 'those of the other contact')
        const numbers = ['LAMP-0042', 'ROPE-0007']
        check.wrong.equal(await list(numbers), numbers, 'those with two numbers')
      },
    },
    {
      name: 'pay a part of the invoice',
      does: 'The payment is authorised at once, and the invoice has less to be paid.',
      source:
        'PUT /Accounts; POST /Payments; Payment.Status, PaymentType; Invoice.AmountDue, AmountPaid "Sum of payments"',
      needs: 'more',
      class: 'made-values',
      follows: ['authorise the invoice'],
      async run({ client, kept, check }) {
        const bank = { code: '0917', name: 'Harbour bank', type: 'BANK', bankAccountNumber: '121-121-9174521' }
        const account = (await client.createAccount(tenant, bank)).body.accounts?.[0]
        check.wrong.equal(account?.name, 'Harbour bank', 'name of the account', 'envelopes')
        const sent = {
          invoice: { invoiceID: String(kept.invoice) },
          account: { code: '0917' },
          date: '2024-06-20',
          amount: 20,
        }
        const { body } = await client.createPayment(tenant, sent)
        const payment = body.payments?.[0]
        kept.payment = payment?.paymentID
        check.wrong(isGuid(payment?.paymentID), `a GUID as id (${payment?.paymentID})`, 'keys')
        check.wrong.equal(payment?.amount, 20, 'amount', 'envelopes')
        check.equal(payment?.status, 'AUTHORISED', 'status', 'first-state')
        check.wrong(payment?.status !== 'DELETED', 'not deleted', 'first-state')
        check.equal(payment?.paymentType, 'ACCRECPAYMENT', 'paymentType', 'first-state')
        check.equal(payment?.isReconciled, false, 'isReconciled', 'first-state')
        check.equal(payment?.account?.accountID, account?.accountID, 'accountID of the payment', 'references')
        check.wrong.equal(payment?.invoice?.invoiceID, String(kept.invoice), 'invoiceID of the payment', 'references')
        const invoice = (await client.getInvoice(tenant, kept.invoice)).body.invoices?.[0]
        check.equal([invoice?.amountDue, invoice?.amountPaid], [32, 20], 'amountDue and amountPaid of the invoice')
        check.equal(
          invoice?.payments?.map(({ paymentID }) => paymentID),
          [payment?.paymentID],
          'payments of the invoice',
        )
      },
    },
    {
      name: 'delete the payment',
      does: 'The payment goes from AUTHORISED to DELETED and can still be read.',
      source: 'POST /Payments/{PaymentID}: PaymentDelete; Payment.Status: AUTHORISED, DELETED',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const before = (await client.getPayment(tenant, kept.payment)).body.payments?.[0]
        check.wrong.equal(before?.paymentID, String(kept.payment), 'paymentID', 'paths')
        check.equal(before?.status, 'AUTHORISED', 'status before', 'first-state')
        const { body } = await client.deletePayment(tenant, kept.payment, { status: 'DELETED' })
        check.wrong.equal(body.payments?.[0]?.paymentID, String(kept.payment), 'paymentID in the answer', 'envelopes')
        const after = (await client.getPayment(tenant, kept.payment)).body.payments?.[0]
        check.wrong.equal(after?.status, 'DELETED', 'status after')
        check.wrong.equal(after?.amount, 20, 'amount', 'put-as-update')
      },
    },
    {
      name: 'write a note on a contact',
      does: 'The history of the contact has the note, with the time; the history of the other contact does not.',
      source:
        'PUT, GET /Contacts/{ContactID}/History: HistoryRecord.Details, DateUTC; Xero: the change of a note is "Note"',
      needs: 'overlay',
      class: 'links',
      async run({ client, kept, check }) {
        const details = 'Prefers brass to steel.'
        const notes = async (id) => {
          const { body } = await client.getContactHistory(tenant, id)
          return body.historyRecords?.filter((record) => record.details === details) ?? []
        }
        check.wrong.equal((await notes(kept.contact)).length, 0, 'the note in the history before')
        await client.createContactHistory(tenant, kept.contact, { historyRecords: [{ details }] })
        const [note, ...more] = await notes(kept.contact)
        check.wrong(note && more.length === 0, 'the note in the history after, once')
        check.equal(note?.changes, 'Note', 'changes', 'first-state')
        check(isRecent(note?.dateUTC), `dateUTC is now (${note?.dateUTC})`, 'times')
        check.wrong.equal((await notes(kept.other)).length, 0, 'the note in the history of the other contact')
      },
    },
    {
      name: 'attach a file to the invoice',
      does: 'Stores the file under its name. The list has its length, and the download has the same bytes.',
      source: 'PUT, GET /Invoices/{InvoiceID}/Attachments/{FileName}; GET …/Attachments: Attachment.ContentLength',
      needs: 'more',
      class: 'uploads',
      async run({ client, kept, check }) {
        const file = Buffer.from('Lamp,Hours\nNorth,11\nSouth,9\n')
        const options = { headers: { 'Content-Type': 'text/csv' } }
        const stream = Readable.from([file])
        await client.createInvoiceAttachmentByFileName(tenant, kept.invoice, 'hours.csv', stream, none, options)
        const { body } = await client.getInvoiceAttachments(tenant, kept.invoice)
        const attachment = body.attachments?.find(({ fileName }) => fileName === 'hours.csv')
        check.wrong(attachment, 'the attachment in the list', 'links')
        check(isGuid(attachment?.attachmentID), `a GUID as id (${attachment?.attachmentID})`, 'keys')
        check.equal(attachment?.contentLength, file.length, 'contentLength', 'made-values')
        check.equal(attachment?.mimeType, 'text/csv', 'mimeType')
        const read = await client.getInvoiceAttachmentByFileName(tenant, kept.invoice, 'hours.csv', 'text/csv')
        check.wrong.equal(String(read.body), String(file), 'the file when downloaded')
      },
    },
    {
      name: 'retrieve a deleted item',
      does: 'An item is created, found and deleted; then no list has it, and to retrieve it is refused with 404.',
      source:
        'PUT /Items: Item.IsSold "defaults to true"; GET /Items; DELETE /Items/{ItemID}: 204; Xero: 404 Not Found',
      needs: 'leniency',
      class: 'errors',
      async run({ client, check, fails }) {
        const sent = { code: 'LAMP-9', name: 'Harbour lamp', salesDetails: { unitPrice: 48.75, accountCode: '200' } }
        const { body } = await client.createItems(tenant, { items: [sent] })
        const id = body.items?.[0]?.itemID
        check.wrong(isGuid(id), `a GUID as id (${id})`, 'keys')
        const item = (await client.getItem(tenant, id)).body.items?.[0]
        check.wrong.equal([item?.itemID, item?.code], [id, 'LAMP-9'], 'itemID and code', 'paths')
        check.equal(item?.salesDetails?.unitPrice, 48.75, 'unitPrice', 'values')
        check.equal(
          [item?.isSold, item?.isTrackedAsInventory],
          [true, false],
          'isSold, isTrackedAsInventory',
          'first-state',
        )
        const count = async () => {
          const items = (await client.getItems(tenant)).body.items ?? []
          return items.filter(({ itemID }) => itemID === id).length
        }
        check.wrong.equal(await count(), 1, 'the item in the list before')
        await client.deleteItem(tenant, id)
        check.wrong.equal(await count(), 0, 'the item in the list after', 'deletion')
        const error = await fails(() => client.getItem(tenant, id))
        check.wrong.equal(error.response?.statusCode, 404, 'status')
      },
    },
    {
      name: 'create an item without a code',
      does: 'Refuses it with 400 and a ValidationException.',
      source:
        'PUT /Items: Item: required ["Code"]; 400 "A failed request due to validation error": Error.Type, Message',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.createItems(tenant, { items: [{ name: 'Nameless lamp' }] }))
        check.wrong.equal(error.response?.statusCode, 400, 'status')
        check.equal(error.response?.body?.Type, 'ValidationException', 'Type', 'errors')
        check(error.response?.body?.Message, 'a Message', 'errors')
      },
    },
  ],
}

function toInvoice(contactID, invoiceNumber) {
  const toLine = (description, quantity, unitAmount) => ({ description, quantity, unitAmount, accountCode: '200' })
  return {
    type: 'ACCREC',
    invoiceNumber,
    contact: { contactID: String(contactID) },
    reference: 'Lamps of June',
    date: '2024-06-18',
    dueDate: '2030-07-19',
    lineAmountTypes: 'NoTax',
    lineItems: [toLine('Brass lamps', 3, 12.5), toLine('Wicks', 2, 7.25)],
  }
}

function toDay(date) {
  return new Date(date).toISOString().slice(0, 10)
}

function isGuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isRecent(time) {
  return Math.abs(new Date(time).getTime() - Date.now()) < 86_400_000
}
