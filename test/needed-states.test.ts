// The state that a record must have for an action, as the description of the action says.
import { expect, it } from 'vitest'
import { ask, openSketch } from './support/script.js'
import { integer, list, named, object, oneOfTexts, text, time, toDocument } from './support/sketch.js'

const error = object({ 'message!': text })

/** @param conflict the description of the documented 409 */
function bookings(description: string, responses: object = { 409: error }, conflict?: string): string {
  const document = JSON.parse(
    toDocument(
      {
        'POST /bookings': { body: object({ seat: integer }), 201: named('Booking') },
        'GET /bookings': { 200: list(named('Booking')) },
        'GET /bookings/{bookingId}': { 200: named('Booking') },
        'POST /bookings/{bookingId}/confirm': { 200: named('Booking'), ...responses },
        'POST /bookings/{bookingId}/cancel': { 200: named('Booking') },
        'GET /tickets/{ticketId}': { 200: named('Ticket') },
      },
      {
        Booking: object({
          'id!': integer,
          seat: integer,
          status: oneOfTexts('held', 'confirmed', 'checked_out', 'cancelled'),
          seated_at: time,
        }),
        Ticket: object({ 'id!': integer }),
      },
    ),
  )
  const { post } = document.paths['/bookings/{bookingId}/confirm']
  post.description = description
  if (conflict !== undefined) post.responses[409].description = conflict
  return JSON.stringify(document)
}

it.each([
  ['in quotes', 'Only possible while the booking is `held`.'],
  ['before the noun', 'Confirms it. Only a held booking can be confirmed; otherwise 409.'],
  ['after a verb', 'The booking must be held.'],
  ['beside the one that it gets', 'Only a booking in the state `held` can be confirmed; it is then `confirmed`.'],
  ['before what it becomes', 'Only a booking in the state `held` can be confirmed; it becomes `confirmed`.'],
  ['before the one that it gets', 'Moves a `held` booking to `confirmed`.'],
  ['after its noun, without quotes', 'Only a booking that is held can be confirmed.'],
  ['as a status', 'Only bookings with a status of held can be confirmed.'],
  ['as a condition', 'Can only be called while its status is held.'],
  ['as a requirement', 'Requires a held booking.'],
  ['by two negations', 'A booking that is not held cannot be confirmed.'],
  ['as an exception', 'A booking cannot be confirmed unless it is held.'],
  ['as an exception among states', 'A booking in any state other than held cannot be confirmed.'],
  ['as the object of the verb', 'Confirms a held booking.'],
  ['by the error', '', 'The booking is not held.'],
  ['by the error as what is possible', '', 'Only held bookings can be confirmed.'],
])('is named %s', async (_, description, conflict?: string) => {
  const sandbox = await openSketch(bookings(description, undefined, conflict))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^200 .*"confirmed"/)
  expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^409 .*must be .*held.* \(got .*confirmed/)
})

it.each([
  ['A cancelled booking cannot be confirmed.', ''],
  ['A booking that is `cancelled` cannot be confirmed.', ''],
  ['A booking that has been checked out or cancelled cannot be confirmed.', ''],
  ['Only a booking that is not cancelled can be confirmed.', ''],
  ['You cannot confirm a cancelled booking.', ''],
  ['The request fails if the booking is cancelled.', ''],
  ['', 'The booking has already been cancelled.'],
  ['', 'Already cancelled'],
])('is any but one: %s%s', async (description, conflict) => {
  const sandbox = await openSketch(bookings(description, undefined, conflict))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^200 .*"confirmed"/)
  await ask(sandbox, 'POST /bookings/1/cancel')
  expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^409 .*must be .*held.* \(got .*cancelled/)
})

it('is one that only another action gives', async () => {
  const document = bookings('').replaceAll('/bookings/{bookingId}/cancel"', '/bookings/{bookingId}/check-out"')
  const parsed = JSON.parse(document)
  parsed.paths['/bookings/{bookingId}/check-out'].post.description =
    'Only a confirmed booking can be checked out; it is then `checked_out`.'
  const sandbox = await openSketch(JSON.stringify(parsed))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  expect(await ask(sandbox, 'POST /bookings/1/check-out')).toMatch(/^409 .*must be .*confirmed/)
  await ask(sandbox, 'POST /bookings/1/confirm')
  expect(await ask(sandbox, 'POST /bookings/1/check-out')).toMatch(/^200 .*"checked_out"/)
})

it.each([
  ['it becomes one', 'The booking becomes confirmed, `seated_at` is set.', /"confirmed","seated_at":"/],
  ['it has other words', 'The booking gets the status "checked out".', /"checked_out"/],
  ['it is marked', 'Mark the booking as `confirmed`.', /"confirmed"/],
  ['a verb means it', 'The guest has paid. Cancels a held booking.', /"cancelled"/],
  ['another record gets one', 'The ticket becomes `confirmed`.', /"held"/],
  ['another record is marked', 'Marks the ticket as confirmed.', /"held"/],
  ['it is denied', 'The booking does not become confirmed, and `seated_at` is not set.', /"held"(?!.*seated_at":"2)/],
  ['it is later', 'The booking becomes confirmed once the guest has paid.', /"held"/],
])('follows an action if %s', async (_, description, expected) => {
  const sandbox = await openSketch(bookings(description).replaceAll('/confirm"', '/settle"'))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  expect(await ask(sandbox, 'POST /bookings/1/settle')).toMatch(expected)
})

it.each([
  ['another noun has it', 'Only a held ticket gets a seat.', undefined],
  ['the sentence has no end', `Only a cancelled booking can be confirmed ${', as the seat is'.repeat(70)}`, undefined],
  ['another record has it', 'The seat of the booking must be confirmed.', undefined],
  ['another verb needs it', 'Only a cancelled booking can be removed.', undefined],
  ['another verb is refused', 'A held booking cannot be removed.', undefined],
  ['some requests are refused', 'A held booking cannot be confirmed without a seat.', undefined],
  ['a request may ignore it', 'Only a cancelled booking can be confirmed unless `force` is set.', undefined],
  ['the sentence denies it', 'Moves a booking that is not `held` to `confirmed`.', undefined],
  ['a move has no documented conflict', 'Moves a `held` booking to `confirmed`.', { 400: error }],
])('is not known if %s', async (_, description, responses) => {
  const sandbox = await openSketch(bookings(description, responses))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  for (const _again of [1, 2]) expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^200 .*"confirmed"/)
})

it.each(['check-in', 'checkOut'])('%s does something, where check alone computes', async (verb) => {
  const document = bookings('').replaceAll('/confirm"', `/${verb}"`)
  const sandbox = await openSketch(document)
  const { contract } = sandbox
  expect(contract.operations.find(({ path }) => path.endsWith(`/${verb}`))?.effect.kind).toBe('action')
})
