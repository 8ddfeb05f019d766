// The state that an action gives, as its description says.
import { expect, it } from 'vitest'
import { ask, openSketch } from './support/script.js'
import { integer, list, named, object, oneOfTexts, time, toDocument } from './support/sketch.js'

function bookings(description: string): string {
  const document = JSON.parse(
    toDocument(
      {
        'POST /bookings': { body: object({ seat: integer }), 201: named('Booking') },
        'GET /bookings': { 200: list(named('Booking')) },
        'GET /bookings/{bookingId}': { 200: named('Booking') },
        'POST /bookings/{bookingId}/confirm': { 200: named('Booking') },
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
  document.paths['/bookings/{bookingId}/confirm'].post.description = description
  return JSON.stringify(document)
}

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

it.each(['check-in', 'checkOut'])('%s does something, where check alone computes', async (verb) => {
  const document = bookings('').replaceAll('/confirm"', `/${verb}"`)
  const sandbox = await openSketch(document)
  const { contract } = sandbox
  expect(contract.operations.find(({ path }) => path.endsWith(`/${verb}`))?.effect.kind).toBe('action')
})
