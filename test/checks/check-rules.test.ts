/** Each rule of `check`, met by a provider that is wrong in one thing; and how small its requests become. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { providerRuleSet } from '../../src/checks/provider/provider-rules.js'
import { faults, hasKey, json, resend } from '../support/provider-faults.js'
import { type Alter, hold, isCreation, provide, services, withHeaders, withText } from '../support/providers.js'
import { roomFaults } from '../support/room-faults.js'

const all = [...faults, ...roomFaults]

describe('a rule', () => {
  it.each(all)('$rule is met: $name', async (fault) => {
    const { rule, of = 'pets', alter, finds, says, answered } = fault
    const service = services[of]
    const { findings } = await hold(await provide(service, alter()), service, { generated: 1, timeoutMs: 240_000 })
    const { id, severity, help } = { ...providerRuleSet[rule], ...(fault.severity && { severity: fault.severity }) }
    const own = findings.filter((finding) => finding.rule === id).sort((one, other) => (one.id < other.id ? -1 : 1))
    const others = findings.filter((finding) => finding.rule !== id).map((finding) => finding.rule)
    const short = own.map((finding) => finding.id.slice(id.length + 1))
    expect([...short, ...new Set(others)].sort()).toEqual([...finds].sort())
    const [first] = own
    expect(first).toMatchObject({ severity, help, message: expect.stringContaining(says) })
    expect(first?.response?.status).toBe(answered)
    expect(first?.requests.length).toBeGreaterThan(0)
  })

  it('that nothing above meets is there for nothing', () => {
    // See check-workflows.test.ts, check-accounts.test.ts and check-variants.test.ts.
    const others = [
      'allowMissing',
      'duplicateAccepted',
      'heldRemoved',
      'linkBroken',
      'workflowFailed',
      'writeOnlyShown',
    ]
    const met = new Set([...all.map(({ rule }) => rule), ...others])
    expect([...met].sort()).toEqual(Object.keys(providerRuleSet).sort())
  })
})

/** What each provider of rooms does in its own way, as its document allows. */
const ownWays: [what: string, alter: () => Alter, change?: (text: string) => string][] = [
  [
    'while others add hotels and rooms',
    () => async (asked, next) => {
      const headers = { ...asked.headers, 'content-type': 'application/json' }
      const body = { rooms: '{"number":"new"}', hotels: '{"name":"New","kind":"city"}' }[
        asked.path.split('/').at(-1) ?? ''
      ]
      if (asked.method === 'GET' && body) await next({ method: 'POST', target: asked.path, headers, body })
      return next()
    },
  ],
  [
    'with a Location that is relative to the request',
    () => async (_, next) => {
      const answer = await next()
      return withHeaders(answer, { location: answer.headers.get('location')?.replace('/v3/', '') })
    },
  ],
  [
    'that cancels for guests that exist',
    () => async (asked, next) => {
      const [, guest = 'none'] = /"guestId":"([^"]*)"/.exec(asked.body) ?? []
      const isKnown = (await next({ method: 'GET', target: `/guests/${guest}`, body: '' })).status !== 404
      return asked.path.endsWith('/cancel') && hasKey(asked) && !isKnown
        ? new Response('{"code":"no_guest","message":"No"}', { status: 400, headers: json })
        : next()
    },
  ],
  [
    'that sorts names as people do',
    () => async (asked, next) => {
      const answer = await next()
      if (!asked.query.has('sort') || !answer.ok || !asked.query.get('sort')?.endsWith('name')) return answer
      const sign = asked.query.get('sort') === 'name' ? 1 : -1
      const order = (one: { name: string }, other: { name: string }) =>
        sign * one.name.toLowerCase().localeCompare(other.name.toLowerCase(), 'de')
      return withText(answer, (text) => JSON.stringify(JSON.parse(text).sort(order)))
    },
  ],
  [
    'that sorts by any property, and knows no minus',
    () => resend(({ target }) => ({ target: target.replace(/[?&]sort=-\w+/, '') })),
    (text) => text.replace('enum: [name, -name, points, -points]', 'example: points'),
  ],
  [
    'with parameters for pages whose values no answer shows',
    () => (_, next) => next(),
    (text) =>
      text.replace(
        /(?= *- \{ name: offset,)/,
        ['after', 'before', 'page_token']
          .map((name) => `        - { name: ${name}, in: query, schema: { type: string } }\n`)
          .join(''),
      ),
  ],
  [
    'whose hotels keep what a replacement cannot name',
    () => (_, next) => next(),
    (text) =>
      text.replace(
        /(?<=operationId: replaceHotel[\s\S]*?)requestBody: .*/,
        'requestBody: { $ref: "#/paths/~1hotels~1{hotelId}/patch/requestBody" }',
      ),
  ],
  [
    'whose bookings are of others, who change them',
    () => {
      let changes = 0
      const cancelled = new Set<string>()
      return async ({ method, path }, next) => {
        const answer = await next()
        const [, id, action] = /^\/bookings\/(\d{1,6})(\/cancel)?$/.exec(path) ?? []
        if (answer.status !== 404 || id === undefined || method === 'DELETE') return answer
        if (action && cancelled.has(id))
          return new Response('{"code":"cancelled","message":"No"}', { status: 409, headers: json })
        if (action) cancelled.add(id)
        const booking = {
          id: Number(id),
          guestId: '5da7d882-85be-4f38-b34a-dfa008afb209',
          nights: 1 + (changes++ % 30),
        }
        return new Response(method === 'HEAD' ? null : JSON.stringify(booking), { headers: json })
      }
    },
    (text) => text.replace(/ {4}post:\n {6}operationId: createBooking[\s\S]*?(?=\n {2}\/)/, ''),
  ],
  [
    'that writes a kind where a hotel has none',
    () =>
      resend(({ method, path, body }) =>
        method === 'PUT' || (method === 'POST' && path === '/hotels')
          ? { body: body.replace(/^\{(?=")(?!.*"kind":)/, '{"kind":"city",') }
          : {},
      ),
  ],
  [
    'whose rooms need one of the views of their hotel',
    () => async (asked, next) => {
      const [, view = ''] = /"view":"([^"]*)"/.exec(asked.body) ?? []
      const isRoom = isCreation(asked) && asked.path.endsWith('/rooms')
      if (!isRoom || asked.headers['authorization'] !== 'Bearer sandbox') return next()
      const hotel = await (await next({ method: 'GET', target: asked.path.replace('/rooms', ''), body: '' })).json()
      return view === '' || hotel.views?.includes(view)
        ? next()
        : new Response('{"code":"no_view","message":"No"}', { status: 400, headers: json })
    },
    (text) =>
      text.replace(
        'email: { type',
        'views: { type: array, minItems: 1, items: { type: string, maxLength: 10 } }\n        email: { type',
      ),
  ],
  [
    'whose document lists bookings before the guests that they are for',
    () => (_, next) => next(),
    (text) => {
      const [, guests = ''] = /( {2}\/guests:\n[\s\S]*?) {2}\/bookings:/.exec(text) ?? []
      return text.replace(guests, '').replace('\ncomponents:\n', `\n${guests}components:\n`)
    },
  ],
]

describe('a provider without a fault', () => {
  it.each(Object.entries(services))('has no findings: %s', async (_, service) => {
    const { findings, notes } = await hold(await provide(service), service)
    expect(findings).toEqual([])
    expect(notes.filter((note) => note.includes('could not be made'))).toEqual([])
  })

  it.each(ownWays)('has no findings: one %s', async (_, alter, change = (text) => text) => {
    const service = { ...services.rooms, text: change(services.rooms.text) }
    const { findings } = await hold(await provide(service, alter()), service, { generated: 1 })
    expect(findings).toEqual([])
  })
})

describe('a service without challenges', () => {
  const removeChallenge: Alter = async (_, next) => withHeaders(await next(), { 'www-authenticate': undefined })

  it('has one finding for its scheme, whatever the number of operations', async () => {
    const { findings } = await hold(await provide(services.books, removeChallenge), services.books, { generated: 1 })
    expect(findings.map(({ id }) => id)).toEqual(['missing-challenge shelfKey'])
    expect(findings[0]?.count).toBeGreaterThan(5)
  })

  it('is told the header of the key, and a challenge for it', async () => {
    const { findings } = await hold(await provide(services.books, removeChallenge), services.books, { generated: 1 })
    expect(findings[0]).toMatchObject({
      message: 'answered 401 without WWW-Authenticate, for the key in the header X-API-Key',
      help: expect.stringContaining('e.g. "ApiKey"'),
    })
  })
})

it('asks for no Deprecation header if the document has no date', async () => {
  const text = readFileSync(new URL('../support/deprecated.openapi.yaml', import.meta.url), 'utf8')
  const { findings } = await hold(await provide({ text, base: '' }), { text })
  expect(findings.map(({ id }) => id)).toEqual([])
})

/** The body in the last curl line that has one. */
function bodyOf(requests: readonly string[] = []): unknown {
  const [body = ''] = requests.flatMap((line) => /--data-raw '(.*?)' "?'?http/s.exec(line)?.[1] ?? []).slice(-1)
  return JSON.parse(body.replaceAll("'\\''", "'"))
}

function refuse(isRefused: (body: string) => boolean): Alter {
  const error = JSON.stringify({ code: 'invalid', message: 'no', status: 400 })
  return (asked, next) =>
    isCreation(asked) && hasKey(asked) && isRefused(asked.body)
      ? new Response(error, { status: 400, headers: json })
      : next()
}

describe('a finding is made small', () => {
  it('to the character that is refused, without what may be left out', async () => {
    const { findings } = await hold(
      await provide(
        services.pets,
        refuse((body) => /\p{Emoji_Presentation}/u.test(body)),
      ),
    )
    const finding = findings.find(({ rule }) => rule === 'valid-request-refused')
    const { name, ...others } = bodyOf(finding?.requests) as { name: string }
    expect(name).toMatch(/^\p{Emoji_Presentation}$/u)
    expect(others).toEqual({ categoryId: expect.any(Number) })
    expect(finding?.requests).toHaveLength(1)
  })

  it('to a number that fails, and everything else as plain as can be', async () => {
    const isGreat = (body: string) => Number(/"categoryId":\s*(-?\d+)/.exec(body)?.[1]) > 2 ** 31
    const { findings } = await hold(await provide(services.pets, refuse(isGreat)))
    const finding = findings.find(({ rule }) => rule === 'valid-request-refused')
    const { categoryId, ...others } = bodyOf(finding?.requests) as { categoryId: number }
    expect(categoryId).toBeGreaterThan(2 ** 31)
    expect(JSON.stringify(others).length).toBeLessThanOrEqual('{"name":"a"}'.length)
  })

  it('to one property where the presence of it is the fault', async () => {
    const { findings } = await hold(
      await provide(
        services.pets,
        refuse((body) => body.includes('"status":"sold"')),
      ),
    )
    const finding = findings.find(({ rule }) => rule === 'valid-request-refused')
    expect(Object.keys(bodyOf(finding?.requests) as object).sort()).toEqual(['categoryId', 'name', 'status'])
    expect(finding?.count).toBeGreaterThan(1)
  })

  it('and broken still in the one way that is accepted', async () => {
    const { findings } = await hold(
      await provide(
        services.books,
        resend(({ body }) => ({ body: body.replace('"pages":0', '"pages":1') })),
      ),
      services.books,
    )
    const finding = findings.find(({ operation }) => operation === 'createBook')
    expect(bodyOf(finding?.requests)).toEqual({ title: expect.stringMatching(/^.$/), pages: 0 })
  })
})
