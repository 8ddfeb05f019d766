/** `check` of right providers that accept some values only once, each in its own way. */
import { describe, expect, it } from 'vitest'
import {
  at,
  byName,
  type CheckedMembers,
  check,
  email,
  isAboutProbes,
  knows,
  name,
  type Provider,
  parse,
} from '../support/check-members.js'
import { hold } from '../support/providers.js'
import { provideMembers, refuse } from '../support/unique-records.js'

const right: readonly Provider[] = [
  { what: 'a name, with a documented 409', ...byName, documented: [409] },
  { what: 'a name, with a 409 that is not documented', ...byName },
  { what: 'a name, with 422', ...byName, answers: 422 },
  { what: 'a name, with 400', ...byName, answers: 400, documented: [400] },
  { what: 'a name, also that of a removed member', ...byName, documented: [409], remembers: true },
  {
    what: 'a name in any case and with any spaces',
    ...byName,
    identify: (member) => [at(member, 'name')?.trim().toLowerCase()],
    documented: [409],
  },
  {
    what: 'a name and an address, each by itself',
    properties: { name, email },
    identify: (member) => [at(member, 'name'), at(member, 'email')?.toLowerCase()],
    answers: 422,
  },
  {
    what: 'an address in an object',
    properties: { name, contact: { type: 'object', required: ['email'], properties: { email } } },
    identify: (member) => [at(member, 'contact.email')],
    documented: [409],
  },
  {
    what: 'a code with a pattern',
    properties: {
      code: { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$', example: 'ABC-0001' },
      level: { type: 'integer' },
    },
    identify: (member) => [at(member, 'code')],
    answers: 422,
  },
  {
    what: 'a room together with a day, in rooms that exist',
    properties: { room: { type: 'integer', example: 3 }, day: { type: 'string', format: 'date' } },
    identify: (member) => [`${at(member, 'room')} ${at(member, 'day')}`],
    documented: [409],
    alter: knows(({ room }) => room === undefined || (Number(room) >= 1 && Number(room) <= 5), 409),
    // Rooms around the bounds do not exist, and one record has the room and the day of the first request.
    notes: [
      expect.stringMatching(/^\d+ probes could not be made: POST /),
      expect.anything(),
      expect.anything(),
      '1 request was sent again with other values, as POST /members answered 409',
    ],
  },
  {
    what: 'a name, with currencies that exist',
    properties: { name, currency: { type: 'string', example: 'EUR' } },
    identify: (member) => [at(member, 'name')],
    documented: [400, 409],
    alter: knows(({ currency }) => currency === undefined || currency === 'EUR'),
    notes: [
      expect.stringMatching(/^\d+ probes could not be made: POST \/members answered 422 to requests such as \{/),
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ],
  },
  {
    what: 'an id that callers choose',
    id: { type: 'string', pattern: '^[a-z]{3}-[0-9]{4}$', example: 'abc-0001' },
    properties: { level: { type: 'integer' } },
    identify: (member) => [at(member, 'id')],
    documented: [409],
    isDuplicateAccepted: true,
  },
  {
    what: 'a number as id, which callers choose, and a name',
    id: { type: 'integer', minimum: 1 },
    properties: { name },
    identify: (member) => [at(member, 'id'), at(member, 'name')],
    answers: 422,
  },
  { what: 'a name, and changes the member that has it', ...byName, answers: 'changed', isDuplicateAccepted: true },
  {
    what: 'a name, and answers the member that has it',
    ...byName,
    answers: 'existing',
    isDuplicateAccepted: true,
  },
  {
    what: 'a number',
    properties: { number: { type: 'integer', minimum: 1, maximum: 9999 } },
    identify: (member) => [at(member, 'number')],
    documented: [409],
    // The bounds are taken after the first creations, and so is "1".
    notes: [
      expect.stringMatching(/^\d+ probes? could not be made: POST /),
      expect.stringMatching(/^\d+ probes? could not be made: PUT /),
      expect.stringMatching(/^\d+ probes? could not be made: PATCH /),
      '1 request was sent again with other values, as POST /members answered 409',
    ],
  },
]

describe('a right provider that accepts only once', () => {
  it.each(right)('$what: has no finding, and no probe is lost', async (provider) => {
    const { findings, notes, written } = await check(provider)
    expect(findings).toEqual([])
    expect(notes.filter(isAboutProbes)).toEqual(provider.notes ?? [])
    if (provider.notes) return
    const all = await check({ ...provider, identify: () => [] })
    // One duplicate is sent on purpose.
    expect(written).toBe(all.written - (provider.isDuplicateAccepted ? 0 : 1))
  })

  it('gets the same requests for the same seed, and other values for another one', async () => {
    const [first = right[0]] = right
    if (!first) throw new Error('There is no provider')
    const [one, again, other] = [await check(first), await check(first), await check(first, 2)]
    expect(one.seen.length).toBeGreaterThan(100)
    expect(again.seen).toEqual(one.seen)
    const names = ({ seen }: CheckedMembers) => seen.flatMap((line) => /"[\w.@ -]+-\w{5,}"/.exec(line) ?? [])
    expect(names(one).length).toBeGreaterThan(20)
    expect(names(other).filter((each) => names(one).includes(each))).toEqual([])
  })
})

/** A document with nothing but a registration, which is no collection. */
const registration = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Registration', version: '1' },
  servers: [{ url: 'https://members.example/api' }],
  paths: {
    '/register': {
      post: {
        parameters: [{ name: 'notify', in: 'query', schema: { type: 'boolean' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['email'], properties: { email } } } },
        },
        responses: {
          200: { description: 'Registered' },
          415: { description: 'No JSON' },
          422: { description: 'Invalid' },
        },
      },
    },
  },
})

it.each([409, 422])('sends other values to a single operation that answers %i to what it knows', async (status) => {
  const known = new Set<unknown>()
  const service = { text: registration, base: '/api', scenario: {} }
  const url = await provideMembers(service, (asked, next) => {
    const { email } = parse(asked.body)
    const isInvalid = !/^[^@]+@[^@]+$/.test(String(email)) || !/^(\?notify=(true|false))?$/.test(asked.target.slice(9))
    if (asked.path !== '/register' || isInvalid || !asked.headers['content-type']?.startsWith('application/json'))
      return next()
    if (known.has(email)) return refuse(status)
    known.add(email)
    return new Response(null, { status: 200 })
  })
  const { findings, notes } = await hold(url, service, { key: '' })
  expect(findings).toEqual([])
  expect(notes.filter((note) => note.includes('could not be made'))).toEqual([])
  expect(known.size).toBeGreaterThan(2)
})
