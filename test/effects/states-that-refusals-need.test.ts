// The state that a record must have before a request, as the refusals of the operation say.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, type Sketch, text, toDocument } from '../support/sketch.js'

const states = oneOfTexts('draft', 'sent', 'paid', 'cancelled')
const error = object({ 'message!': text })

/** @param said what the refusal of the operation says @param status of the refusal */
function invoices(operation: string, said: string, status: 409 | 422 = 409, sketch: Sketch = {}): string {
  const document = JSON.parse(
    toDocument(
      {
        'POST /invoices': { body: object({ note: text }), 201: named('Invoice') },
        'GET /invoices': { 200: list(named('Invoice')) },
        'GET /invoices/{invoiceId}': { 200: named('Invoice') },
        'POST /invoices/{invoiceId}/send': { 200: named('Invoice') },
        [operation]: { ...sketch, 200: named('Invoice'), [status]: error },
      },
      { Invoice: object({ 'id!': integer, note: text, 'status!': states }) },
    ),
  )
  const [method = '', path = ''] = operation.split(' ')
  document.paths[path][method.toLowerCase()].responses[status].description = said
  return JSON.stringify(document)
}

it.each([
  ['Only draft invoices can be cancelled', [200, 409]],
  ['can only be cancelled while draft', [200, 409]],
  ['The invoice must be a draft.', [200, 409]],
  ['Invoice is not in draft', [200, 409]],
  ['A sent invoice cannot be cancelled', [200, 409]],
  ['The invoice was already sent', [200, 409]],
  ['The invoice is already cancelled', [200, 200]],
  ['The invoice has already been canceled', [200, 200]],
  ['The invoice has another version', [200, 200]],
])('is read: %s', async (said, [ofDraft, ofSent]) => {
  const sandbox = await openSketch(invoices('POST /invoices/{invoiceId}/cancel', said))
  await ask(sandbox, 'POST /invoices {"note":"a"}')
  await ask(sandbox, 'POST /invoices {"note":"b"}')
  await ask(sandbox, 'POST /invoices/2/send')
  expect(await ask(sandbox, 'POST /invoices/1/cancel')).toContain(`${ofDraft} `)
  expect(await ask(sandbox, 'POST /invoices/2/cancel')).toContain(`${ofSent} `)
})

it.each([
  ['Conflict', 409],
  ['Invalid state transition', 409],
  ['already cancelled', 409],
  ['version mismatch', 200],
])('is not the one to which an action leads, if its conflict says %s', async (said, status) => {
  const sandbox = await openSketch(invoices('POST /invoices/{invoiceId}/cancel', said))
  await ask(sandbox, 'POST /invoices {"note":"a"}')
  await ask(sandbox, 'POST /invoices/1/cancel')
  expect(await ask(sandbox, 'POST /invoices/1/cancel')).toContain(`${status} `)
})

it('counts for changes, with the documented status', async () => {
  const change = { body: object({ note: text }) }
  const document = invoices('PATCH /invoices/{invoiceId}', 'only drafts can be changed; draft only', 422, change)
  const sandbox = await openSketch(
    document.replace('only drafts can be changed; draft only', 'Only draft invoices can be changed'),
  )
  await ask(sandbox, 'POST /invoices {"note":"a"}')
  expect(await ask(sandbox, 'PATCH /invoices/1 {"note":"b"}')).toContain('"note":"b"')
  await ask(sandbox, 'POST /invoices/1/send')
  expect(await ask(sandbox, 'PATCH /invoices/1 {"note":"c"}')).toContain('422 ')
  expect(await ask(sandbox, 'GET /invoices/1')).toContain('"note":"b"')
})
