// The state that a record must have for an action, as the description of the action says.
import { expect, it } from 'vitest'
import { ask, openSketch } from './support/script.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from './support/sketch.js'

const error = object({ 'message!': text })

function bookings(description: string, responses: object = { 409: error }): string {
  const document = JSON.parse(
    toDocument(
      {
        'POST /bookings': { body: object({ seat: integer }), 201: named('Booking') },
        'GET /bookings': { 200: list(named('Booking')) },
        'GET /bookings/{bookingId}': { 200: named('Booking') },
        'POST /bookings/{bookingId}/confirm': { 200: named('Booking'), ...responses },
        'POST /bookings/{bookingId}/cancel': { 200: named('Booking') },
      },
      { Booking: object({ 'id!': integer, seat: integer, status: oneOfTexts('held', 'confirmed', 'cancelled') }) },
    ),
  )
  document.paths['/bookings/{bookingId}/confirm'].post.description = description
  return JSON.stringify(document)
}

it.each([
  ['in quotes', 'Only possible while the booking is `held`.'],
  ['before the noun', 'Confirms it. Only a held booking can be confirmed; otherwise 409.'],
  ['after a verb', 'The booking must be held.'],
  ['beside the one that it gets', 'Only a booking in the state `held` can be confirmed; it is then `confirmed`.'],
  ['before what it becomes', 'Only a booking in the state `held` can be confirmed; it becomes `confirmed`.'],
  ['before the one that it gets', 'Moves a `held` booking to `confirmed`.'],
])('is named %s', async (_, description) => {
  const sandbox = await openSketch(bookings(description))
  await ask(sandbox, 'POST /bookings {"seat":1}')
  expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^200 .*"confirmed"/)
  expect(await ask(sandbox, 'POST /bookings/1/confirm')).toMatch(/^409 .*must be .*held.* \(got .*confirmed/)
})

it.each([
  ['another noun has it', 'Only a held ticket gets a seat.', undefined],
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
