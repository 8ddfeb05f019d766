// Xero, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

const types = { csv: 'text/csv', pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', txt: 'text/plain' }

function makeId(random) {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(random() * 16).toString(16))
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}

/** An invoice has the sums of its lines, and less to be paid with each payment. */
async function count(invoice, { records, random }) {
  const lines = (invoice.LineItems ?? []).map((line) => ({
    LineItemID: makeId(random),
    LineAmount: line.Quantity * line.UnitAmount,
    ...line,
  }))
  const [subTotal, tax] = [sum(lines.map((line) => line.LineAmount)), sum(lines.map((line) => line.TaxAmount ?? 0))]
  const paid = sum((invoice.Payments ?? []).map(({ Amount }) => Amount))
  const sums = { SubTotal: subTotal, TotalTax: tax, Total: subTotal + tax, AmountPaid: paid }
  const { Name } = (await records('Contacts').get(invoice.Contact?.ContactID)) ?? {}
  const values = { LineItems: lines, ...sums, AmountDue: subTotal + tax - paid, Contact: { ...invoice.Contact, Name } }
  return records('Invoices').update(invoice.InvoiceID, values)
}

async function countAll(context) {
  const given = await context.next()
  for (const each of given.body.Invoices ?? []) Object.assign(each, await count(each, context))
  return given
}

async function setPayments(invoiceId, change, context) {
  const invoice = await context.records('Invoices').get(invoiceId)
  if (invoice)
    await count(await context.records('Invoices').update(invoiceId, { Payments: change(invoice.Payments) }), context)
}

export default defineOverrides({
  'PUT /Invoices': countAll,
  'POST /Invoices': countAll,
  'POST /Payments': async (context) => {
    const { record } = await context.next()
    if (!record) return
    const { InvoiceID } = record.Invoice
    const [account] = await context.records('Accounts').list({ Code: record.Account.Code })
    const { Type } = (await context.records('Invoices').get(InvoiceID)) ?? {}
    Object.assign(record, {
      Status: 'AUTHORISED',
      PaymentType: `${Type}PAYMENT`,
      IsReconciled: false,
      Account: account,
    })
    const payment = { PaymentID: record.PaymentID, Date: record.Date, Amount: record.Amount }
    await setPayments(InvoiceID, (all = []) => [...all, payment], context)
  },
  'POST /Payments/{PaymentID}': async (context) => {
    const { record } = await context.next()
    if (record?.Status !== 'DELETED') return
    await setPayments(
      record.Invoice.InvoiceID,
      (all = []) => all.filter((each) => each.PaymentID !== record.PaymentID),
      context,
    )
  },

  // A group names its contacts, and is not listed when it was deleted.
  'PUT /ContactGroups/{ContactGroupID}/Contacts': ({ record, body }) => {
    record.Contacts = [...(record.Contacts ?? []), ...body.Contacts]
    return { Contacts: record.Contacts }
  },
  'DELETE /ContactGroups/{ContactGroupID}/Contacts/{ContactID}': async ({ params, records, answer }) => {
    const group = await records('ContactGroups').get(params.ContactGroupID)
    const left = group.Contacts.filter(({ ContactID }) => ContactID !== params.ContactID)
    await records('ContactGroups').update(params.ContactGroupID, { Contacts: left })
    return answer(204)
  },
  'GET /ContactGroups': async ({ next }) => {
    const given = await next()
    return {
      ...given,
      body: { ...given.body, ContactGroups: given.body.ContactGroups.filter((each) => each.Status === 'ACTIVE') },
    }
  },

  'PUT /Contacts/{ContactID}/History': async ({ now, next }) => {
    const { record } = await next()
    if (record) Object.assign(record, { Changes: 'Note', DateUTC: `/Date(${now.getTime()}+0000)/` })
  },
  'PUT /Invoices/{InvoiceID}/Attachments/{FileName}': async ({ params, body, records, random, next }) => {
    await next()
    const { InvoiceID, FileName } = params
    const MimeType = types[FileName.split('.').at(-1)] ?? 'text/plain'
    const file = { AttachmentID: makeId(random), FileName, MimeType, ContentLength: body.length }
    await records('/Invoices/{InvoiceID}/Attachments').add({ '{InvoiceID}': InvoiceID, ...file })
    return { Attachments: [file] }
  },
})
