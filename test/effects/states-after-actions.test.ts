// The state that an action gives, as its description says.
import { expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, toDocument } from '../support/sketch.js'

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
        }),
        Ticket: object({ 'id!': integer }),
      },
    ),
  )
  document.paths['/bookings/{bookingId}/confirm'].post.description = description
  return JSON.stringify(document)
}

it.each([
  ['The guest has paid. Cancels a held booking.', 'cancelled'],
  ['Confirms the `checked out` or held bookings, when it is time.', 'confirmed'],
  ['Cancels the held ticket of the booking.', 'held'],
  ['The booking becomes confirmed.', 'held'],
])('follow the verb of a sentence about the record: %s', async (description, expected) => {
  const sandbox = await openSketch(bookings(description).replaceAll('/confirm"', '/settle"'))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  expect(await ask(sandbox, 'POST /bookings/1/settle')).toContain(`"status":"${expected}"`)
})

it.each(['check-in', 'checkOut'])('%s does something, where check alone computes', async (verb) => {
  const document = bookings('').replaceAll('/confirm"', `/${verb}"`)
  const sandbox = await openSketch(document)
  const { contract } = sandbox
  expect(contract.operations.find(({ path }) => path.endsWith(`/${verb}`))?.effect.kind).toBe('action')
})
