/** `check` of providers that accept some values only once, each in its own way: right ones and wrong ones. */
import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../src/checks/provider/check-provider.js'
import { resend } from './support/provider-faults.js'
import { type Alter, type Asked, hold, isCreation, withJson, withText } from './support/providers.js'
import type { JsonObject } from './support/read-json.js'
import {
  type MembersOptions,
  membersOf,
  provideMembers,
  refuse,
  type UniqueOptions,
  unique,
} from './support/unique-records.js'

const name = { type: 'string', minLength: 1, maxLength: 120 }
const email = { type: 'string', format: 'email' }
const at = (member: JsonObject, path: string): string | undefined => {
  const value = path.split('.').reduce<unknown>((inner, part) => (inner as JsonObject | undefined)?.[part], member)
  return value === undefined || value === null ? undefined : String(value)
}

interface Provider extends MembersOptions, UniqueOptions {
  what: string
  alter?: () => Alter
  /** The duplicate that is sent on purpose is accepted; it has an id of its own. @default false */
  isDuplicateAccepted?: boolean
  /** Sentences about probes that leave no room for another value. */
  notes?: readonly unknown[]
}

const byName: Pick<Provider, 'properties' | 'identify'> = {
  properties: { name, level: { type: 'integer' } },
  identify: (member) => [at(member, 'name')],
}

/** The service refuses what it does not know. */
function knows(isKnown: (member: JsonObject) => boolean, status = 422): () => Alter {
  return () => (asked, next) => {
    const isBody =
      /^P/.test(asked.method) && asked.headers['authorization'] === 'Bearer sandbox' && asked.body.startsWith('{"')
    return isBody && !isKnown(parse(asked.body)) ? refuse(status, 'unknown') : next()
  }
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

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
    // Rooms around the bounds do not exist.
    notes: [expect.stringMatching(/^\d+ probes could not be made: POST /), expect.anything(), expect.anything()],
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

const isAboutProbes = (note: string) => / could not be made: | sent again /.test(note)

interface CheckedMembers extends CheckResult {
  /** Number of members that were created and changed. */
  written: number
  seen: string[]
}

async function check(
  { what: _, properties, id, documented, alter, ...options }: Provider,
  seed = 1,
): Promise<CheckedMembers> {
  const service = membersOf({ properties, ...(id ? { id } : {}), ...(documented ? { documented } : {}) })
  let written = 0
  const seen: string[] = []
  const count: Alter = async (asked, next) => {
    const answer = await next()
    if (/^P/.test(asked.method) && answer.ok) written++
    seen.push(`${asked.method} ${asked.target} ${asked.body}`)
    return answer
  }
  const url = await provideMembers(service, count, ...(alter ? [alter()] : []), unique(options))
  return { ...(await hold(url, service, { generated: 3, seed })), written, seen }
}

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
    const names = ({ seen }: CheckedMembers) => seen.flatMap((line) => /"string-\w+"/.exec(line) ?? [])
    expect(names(one).length).toBeGreaterThan(20)
    expect(names(other).filter((each) => names(one).includes(each))).toEqual([])
  })
})

/** Changes the body of some requests before anything looks at it. */
function resendBody(change: (member: JsonObject, asked: Asked) => JsonObject): () => Alter {
  return () =>
    resend((asked) => (asked.body.startsWith('{"') ? { body: JSON.stringify(change(parse(asked.body), asked)) } : {}))
}

interface WrongProvider extends Provider {
  finds: readonly string[]
}

const wrong: readonly WrongProvider[] = [
  { what: 'a name, and fails if it is taken', ...byName, answers: 500, finds: ['server-error POST /members any'] },
  {
    what: 'a name, and cuts it',
    ...byName,
    alter: resendBody((member) => ({
      ...member,
      ...(typeof member['name'] === 'string' ? { name: member['name'].slice(0, 100) } : {}),
    })),
    finds: ['record-changed POST /members created name'],
  },
  {
    what: 'a name in any case, and stores it in lower case',
    ...byName,
    alter: resendBody((member) => ({
      ...member,
      ...(typeof member['name'] === 'string' ? { name: member['name'].toLowerCase() } : {}),
    })),
    finds: [
      'record-changed POST /members created name',
      'record-changed PUT /members/{id} answered name',
      'record-changed PATCH /members/{id} answered name',
    ],
  },
  {
    what: 'a name, and refuses some characters',
    ...byName,
    answers: 422,
    alter: knows((member) => !/["<]/.test(String(member['name']))),
    finds: [
      'valid-request-refused POST /members body',
      'valid-request-refused PUT /members/{id} body',
      'valid-request-refused PATCH /members/{id} body',
    ],
  },
  {
    what: 'a name, and takes a text for a number',
    ...byName,
    alter: resendBody((member) => (member['level'] === '1' ? { ...member, level: 1 } : member)),
    finds: [
      'invalid-request-accepted POST /members body level type',
      'invalid-request-accepted PUT /members/{id} body level type',
      'invalid-request-accepted PATCH /members/{id} body level type',
    ],
  },
  {
    what: 'a name, and forgets a zero',
    ...byName,
    documented: [409],
    alter: () => async (asked, next) => {
      const answer = await next()
      return asked.method === 'GET' && /^.members.\w/.test(asked.path) && answer.ok
        ? withText(answer, (text) => text.replace('"level":0', '"level":1'))
        : answer
    },
    finds: ['record-changed GET /members/{id} read level'],
  },
  {
    what: 'a name, and answers an older member now and then',
    ...byName,
    answers: 'changed',
    alter: () => {
      let count = 0
      let last = ''
      return async (asked, next) => {
        const answer = await next()
        if (!isCreation(asked) || !answer.ok || ++count % 5 > 0) {
          if (isCreation(asked) && answer.ok) last = await answer.clone().text()
          return answer
        }
        const { id } = parse(last)
        return withJson(answer, (member) => ({ ...member, id }))
      }
    },
    finds: ['key-reused POST /members'],
  },
  {
    what: 'a name, and takes the id from the body',
    ...byName,
    documented: [409],
    alter: () => {
      const ids = new Map<string, string>()
      return async (asked, next) => {
        const given = isCreation(asked) ? parse(asked.body)['id'] : undefined
        const answer = await next({
          target: ids.get(asked.path) ?? asked.target,
          path: ids.get(asked.path) ?? asked.path,
        })
        if (given === undefined || !answer.ok) return answer
        return withJson(answer, (member) => {
          ids.set(`/members/${given}`, `/members/${member['id']}`)
          return { ...member, id: given }
        })
      }
    },
    finds: ['key-taken-from-body POST /members'],
  },
  {
    what: 'a name, and any key that begins like the valid one',
    ...byName,
    alter: () =>
      resend(({ headers }) => ({
        headers: {
          ...headers,
          authorization: headers['authorization']?.replace(/^Bearer sandb\w*$/, 'Bearer sandbox') ?? '',
        },
      })),
    finds: [
      'partial-key-accepted GET /members with more characters after the key',
      'partial-key-accepted GET /members/{id} without the last character of the key',
    ],
  },
  {
    what: 'nothing, and refuses every seventh member as if it did',
    ...byName,
    identify: () => [],
    alter: () => {
      let count = 0
      return (asked, next) =>
        isCreation(asked) && asked.headers['authorization'] === 'Bearer sandbox' && ++count % 7 === 0
          ? refuse(409)
          : next()
    },
    finds: ['valid-request-refused POST /members body'],
  },
]

describe('a wrong provider that accepts only once', () => {
  it.each(wrong)('$what: is found out', async (provider) => {
    const ids = (await check(provider)).findings.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...provider.finds]))
  })
})
