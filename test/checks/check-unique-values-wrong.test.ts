/** `check` of wrong providers that accept some values only once: it finds what is wrong all the same. */
import { describe, expect, it } from 'vitest'
import { byName, check, knows, type Provider, parse } from '../support/check-members.js'
import { resend } from '../support/provider-faults.js'
import { type Alter, type Asked, isCreation, withJson, withText } from '../support/providers.js'
import type { JsonObject } from '../support/read-json.js'
import { refuse } from '../support/unique-records.js'

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

it('makes a finding small although names are taken', async () => {
  const provider: Provider = {
    what: '',
    ...byName,
    answers: 422,
    alter: knows(({ name }) => !/["<]/.test(String(name))),
  }
  const { findings } = await check(provider)
  const finding = findings.find(({ id }) => id === 'valid-request-refused POST /members body')
  expect(finding?.requests).toEqual([expect.stringMatching(/ --data-raw '\{"name":"(\\"|<)","level":-?\d\}' /)])
})
