/** Faults of a provider: each meets one rule of `check`, and is wrong in nothing else. */
import type { Severity } from '../../src/checks/finding.js'
import type { providerRuleSet } from '../../src/checks/provider/provider-rules.js'
import { type Alter, type Asked, isCreation, type services, withHeaders, withJson, withText } from './providers.js'

export interface Fault {
  rule: keyof typeof providerRuleSet
  name: string
  of?: keyof typeof services
  alter(): Alter
  /** Ids of all findings, abbreviated if they are of the rule. */
  finds: readonly string[]
  /** The message of the first finding. */
  says: string
  /** The severity of the first finding, if it is not that of the rule. */
  severity?: Severity
  /** Status of the answer to the last request of the first finding. Undefined without an answer. */
  answered?: number
}

export const json: Record<string, string> = { 'content-type': 'application/json' }
export const hasKey = ({ headers }: Asked): boolean => Object.values(headers).some((value) => /\bsandbox$/.test(value))
const isList = ({ method, path }: Asked) => method === 'GET' && path === '/books'
const noBook = '00000000-0000-0000-0000-000000000000'

/** Changes requests before they are answered. */
export function resend(change: (asked: Asked) => Partial<Asked> | undefined): Alter {
  return (asked, next) => next(change(asked))
}

/** Changes the answer to some requests. */
export function changeAnswer(
  isAffected: (asked: Asked, answer: Response) => boolean,
  change: (answer: Response) => unknown,
): Alter {
  return async (asked, next) => {
    const answer = await next()
    return isAffected(asked, answer) ? ((await change(answer)) as Response) : answer
  }
}

export const faults: readonly Fault[] = [
  {
    rule: 'noAnswer',
    name: 'the connection ends instead of a list',
    alter: () => (asked, next) => (asked.query.get('status') === 'sold' ? Promise.reject() : next()),
    finds: ['GET /pets dropped'],
    says: 'closed the connection before the answer was complete',
  },
  {
    rule: 'serverError',
    name: 'a filter of a long list fails',
    alter: () => (asked, next) =>
      asked.target === '/pets?limit=100&status=sold' ? new Response('<h1>Error</h1>', { status: 500 }) : next(),
    finds: ['GET /pets success'],
    says: 'answered 500 to a valid request',
    answered: 500,
  },
  {
    rule: 'probesLost',
    name: 'every invalid creation is refused like a name that is taken',
    alter: () => {
      const names = new Set<string | undefined>()
      const taken = () =>
        new Response('{"code":"taken","message":"taken","status":409}', { status: 409, headers: json })
      return async (asked, next) => {
        if (!isCreation(asked) || !hasKey(asked)) return next()
        const name = /"name":"([^"]*)"/.exec(asked.body)?.[1]
        if (names.has(name)) return taken()
        const answer = await next()
        if (answer.status < 300) names.add(name)
        return answer.status === 400 ? taken() : answer
      }
    },
    finds: ['POST /pets invalid'],
    says: 'every invalid request was refused with 409, so none was compared',
    answered: 409,
  },
  {
    rule: 'undocumentedStatus',
    name: 'a change is answered with 202',
    of: 'books',
    alter: () =>
      changeAnswer(
        ({ method }, { ok }) => method === 'PUT' && ok,
        async (answer) => new Response(await answer.text(), { status: 202, headers: answer.headers }),
      ),
    finds: ['PUT /books/{bookId} 202'],
    says: 'answered 202; replaceBook documents 200, 4XX',
    answered: 202,
  },
  {
    rule: 'undocumentedStatus',
    name: 'a redirect, which is not followed',
    alter: () => (asked, next) =>
      asked.target === '/pets?limit=1' ? new Response(null, { status: 302, headers: { location: '/all' } }) : next(),
    finds: ['GET /pets 302'],
    says: 'answered 302 to /all; redirects are not followed; listPets documents 200, 401',
    answered: 302,
  },
  {
    rule: 'responseSchema',
    name: 'an envelope has no total',
    of: 'books',
    alter: () =>
      changeAnswer(
        (asked, { ok }) => isList(asked) && ok,
        (answer) => withJson(answer, ({ total: _, ...others }) => others),
      ),
    finds: ['GET /books 200 body required'],
    says: "answered 200: Response body must have required property 'total'",
    answered: 200,
  },
  {
    rule: 'integerRange',
    name: 'an int64 is one too great',
    alter: () =>
      changeAnswer(
        ({ path }, { status }) => path === '/pets' && status === 201,
        (answer) => withText(answer, (text) => text.replace(/"categoryId":-?\d+/, '"categoryId":9223372036854775808')),
      ),
    finds: ['POST /pets 201 body.categoryId', 'record-changed'],
    says: 'answered 201: body.categoryId is 9223372036854775808, which is beyond int64',
    answered: 201,
  },
  {
    rule: 'errorStatus',
    name: 'a 422 says 400',
    of: 'books',
    alter: () =>
      changeAnswer(
        (_, { status }) => status === 422,
        (answer) => withJson(answer, (problem) => ({ ...problem, status: 400 })),
      ),
    finds: ['GET /books body status', 'POST /books body status'],
    says: 'answered 422, and status in the body is 400',
    answered: 422,
  },
  {
    rule: 'missingChallenge',
    name: 'no challenge on one operation',
    alter: () => changeAnswer(isCreation, (answer) => withHeaders(answer, { 'www-authenticate': undefined })),
    finds: ['bearerAuth'],
    says: 'answered 401 without WWW-Authenticate',
    answered: 401,
  },
  {
    rule: 'lifecycleHeaders',
    name: 'Deprecation says true, as it once did',
    of: 'books',
    alter: () =>
      changeAnswer(
        ({ method }) => method === 'DELETE',
        (answer) => withHeaders(answer, { deprecation: 'true' }),
      ),
    finds: ['DELETE /books/{bookId} Deprecation malformed'],
    says: 'answered 204 with Deprecation: true, which is not "@" with seconds (RFC 9745)',
    answered: 204,
  },
  {
    rule: 'lifecycleHeaders',
    name: 'another successor is linked, and no date',
    alter: () =>
      changeAnswer(
        ({ path }) => path.startsWith('/pets/'),
        (answer) => withHeaders(answer, { link: '</cats>; rel="successor-version"', sunset: undefined }),
      ),
    finds: ['GET /pets/{petId} Link different', 'GET /pets/{petId} Sunset missing'],
    says: 'answered 200 with Link: </cats>; rel="successor-version"; the successor is /pets',
    answered: 200,
  },
  {
    rule: 'validRefused',
    name: 'a limit of 99 is too much',
    alter: () => resend(({ target }) => (target === '/pets?limit=99' ? { target: '/pets?limit=101' } : {})),
    finds: ['GET /pets list', 'GET /pets query limit'],
    says: 'answered 400 to a valid request',
    answered: 400,
  },
  {
    rule: 'invalidAccepted',
    name: 'no pages are one page',
    of: 'books',
    alter: () => resend(({ body }) => ({ body: body.replace('"pages":0', '"pages":1') })),
    finds: [
      'PATCH /books/{bookId} body pages minimum',
      'POST /books body pages minimum',
      'PUT /books/{bookId} body pages minimum',
    ],
    says: 'answered 200 to an invalid request (pages must be at least 1 (got 0))',
    answered: 200,
  },
  {
    rule: 'wrongRefusal',
    name: 'a bad limit is answered with 401',
    alter: () => resend(({ target }) => (target === '/pets?limit=0' ? { headers: {} } : {})),
    finds: ['GET /pets query limit minimum'],
    says: 'answered 401 to an invalid request (query parameter limit must be at least 1 (got 0)), with a valid key',
    answered: 401,
  },
  {
    rule: 'credentialsNotChecked',
    name: 'everyone may remove',
    of: 'books',
    alter: () =>
      resend(({ method, headers }) => (method === 'DELETE' ? { headers: { ...headers, 'x-api-key': 'sandbox' } } : {})),
    finds: [
      'DELETE /books/{bookId} with a key that nobody has',
      'DELETE /books/{bookId} with an empty key',
      'DELETE /books/{bookId} with the key by another scheme',
      'DELETE /books/{bookId} without credentials',
    ],
    says: 'answered 404 to a request without a valid key (with a key that nobody has)',
    answered: 404,
  },
  {
    rule: 'partialKeyAccepted',
    name: 'letters after the key do not matter',
    alter: () =>
      resend(({ headers }) => ({
        headers: { ...headers, authorization: headers['authorization']?.replace(/\bsandbox[a-z]+$/, 'sandbox') ?? '' },
      })),
    finds: ['GET /pets with more characters after the key', 'GET /pets/{petId} with more characters after the key'],
    says: 'succeeded with more characters after the key, although a key with another end is refused with 401',
    answered: 200,
  },
  {
    rule: 'partialKeyAccepted',
    name: 'the last letter of the key does not matter',
    of: 'books',
    alter: () =>
      resend(({ headers }) => ({
        headers: { ...headers, 'x-api-key': headers['x-api-key']?.replace(/^sandbo$/, 'sandbox') ?? '' },
      })),
    finds: [
      'GET /books without the last character of the key',
      'GET /books/{bookId} without the last character of the key',
    ],
    says: 'succeeded without the last character of the key, although a key with another end is refused with 401',
    answered: 200,
  },
  {
    rule: 'recordLost',
    name: 'the second one created is not found by its key',
    of: 'books',
    alter: () => {
      const created: string[] = []
      return async (asked, next) => {
        if (asked.path === `/books/${created[1]}`) return next({ target: `/books/${noBook}` })
        const answer = await next()
        if (isCreation(asked) && answer.ok) created.push(JSON.parse(await answer.clone().text()).id)
        return answer
      }
    },
    finds: ['GET /books/{bookId} just created', 'GET /books/{bookId} later'],
    says: 'answered 404 to a request for an existing record',
    answered: 404,
  },
  {
    rule: 'recordChanged',
    name: 'an update has another title',
    of: 'books',
    alter: () =>
      resend(({ method, body }) =>
        method === 'PATCH' ? { body: body.replace(/"title":"[^"]{1,40}"/, '"title":"x"') } : undefined,
      ),
    finds: ['PATCH /books/{bookId} answered title', 'PATCH /books/{bookId} read title'],
    says: 'title should be "a" after the change, and was answered as "x"',
    answered: 200,
  },
  {
    rule: 'recordLeft',
    name: 'what is refused for its genre is stored without it',
    of: 'books',
    alter: () => async (asked, next) => {
      const answer = await next()
      const stored = asked.body.replace(/"genre":"NOVEL",?/, '')
      if (isCreation(asked) && stored !== asked.body) await next({ body: stored })
      return answer
    },
    finds: ['POST /books'],
    says: 'stored a record from a body that it refused',
    answered: 200,
  },
  {
    rule: 'keyReused',
    name: 'those created at once get one id',
    alter: () => {
      let creating = 0
      let shared = ''
      return async (asked, next) => {
        if (!isCreation(asked)) return next()
        creating++
        const answer = await next()
        // The others arrive before the first one is answered.
        await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 20)))
        const isAlone = creating === 1
        const changed = isAlone
          ? answer
          : await withText(answer, (text) =>
              text.replace(/"id":\d+/, (own) => {
                shared ||= own
                return shared
              }),
            )
        creating--
        return changed
      }
    },
    finds: ['POST /pets'],
    says: 'which another record already has',
    answered: 201,
  },
  {
    rule: 'keyTaken',
    name: 'an id in the body is answered and found',
    alter: () => {
      const given = new Map<string, string>()
      return async (asked, next) => {
        const [, taken = ''] = /"id":(\d+)/.exec(asked.body) ?? []
        const own = given.get(asked.path)
        const answer = await next(own === undefined ? {} : { target: own })
        const id = isCreation(asked) && answer.ok ? JSON.parse(await answer.clone().text()).id : undefined
        if (id !== undefined && taken !== '') given.set(`/pets/${taken}`, `/pets/${id}`)
        const shown = id !== undefined && taken !== '' ? taken : /\d+$/.exec(own === undefined ? '' : asked.path)?.[0]
        return shown === undefined ? answer : withText(answer, (text) => text.replace(/"id":\d+/, `"id":${shown}`))
      }
    },
    finds: ['POST /pets'],
    says: 'from the body, although the document does not let callers write it',
    answered: 201,
  },
  {
    rule: 'keyTaken',
    name: 'a change may change the id',
    of: 'books',
    alter: () => async (asked, next) => {
      const answer = await next()
      const [taken] = /"id":"[^"]+"/.exec(/^P[UA]T/.test(asked.method) ? asked.body : '') ?? []
      return taken !== undefined && answer.ok ? withText(answer, (text) => text.replace(/"id":"[^"]+"/, taken)) : answer
    },
    finds: ['PATCH /books/{bookId}', 'PUT /books/{bookId}'],
    says: 'from the body, although the document does not let callers write it',
    answered: 200,
  },
  {
    rule: 'unknownFound',
    name: 'what is not there is replaced',
    of: 'books',
    alter: () => async (asked, next) => {
      const answer = await next()
      if (asked.method !== 'PUT' || answer.status !== 404) return answer
      const id = asked.path.slice('/books/'.length)
      const [createdAt, updatedAt] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z']
      return new Response(JSON.stringify({ id, createdAt, updatedAt, ...JSON.parse(asked.body) }), { headers: json })
    },
    finds: ['PUT /books/{bookId} unknown key'],
    says: 'answered 200 to a request for a missing record (bookId=00000000-dead-4bad-8bad-00000000beef)',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'unknownFound',
    name: 'what was removed is still there',
    of: 'books',
    alter: () => async (asked, next) =>
      asked.method === 'DELETE' && hasKey(asked)
        ? new Response(null, {
            status: 204,
            headers: { deprecation: '@1767225600', sunset: 'Sat, 01 Jan 2028 12:00:00 GMT' },
          })
        : next(),
    finds: [
      'credentials-not-checked',
      'DELETE /books/{bookId} removed again',
      'DELETE /books/{bookId} unknown key',
      'GET /books/{bookId} removed',
    ],
    says: 'answered 204 to a request for a missing record (removed just before)',
    severity: 'warning',
    answered: 204,
  },
  {
    rule: 'limitNotKept',
    name: 'one too many at the low end, one too few at the high one',
    of: 'books',
    alter: () =>
      resend(({ target }) => ({
        target: { '/books?limit=1': '/books?limit=2', '/books?limit=49': '/books?limit=48' }[target] ?? target,
      })),
    finds: ['GET /books query limit: too few', 'GET /books query limit: too many'],
    says: 'answered 48 records to a list with limit=49, although there are at least 50',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'the total is that of an empty list',
    of: 'books',
    alter: () =>
      changeAnswer(
        (asked, { ok }) => isList(asked) && ok,
        (answer) => withText(answer, (text) => text.replace(/"total":\d+/, '"total":0')),
      ),
    finds: ['GET /books total'],
    says: 'answered 50 records with a total of 0',
    answered: 200,
  },
  {
    rule: 'defaultNotKept',
    name: 'the default is one greater',
    of: 'books',
    alter: () => resend(({ target }) => (target === '/books' ? { target: '/books?limit=3' } : {})),
    finds: ['GET /books query limit: too many'],
    says: 'answered 3 records to a list without limit, whose default is 2',
    answered: 200,
  },
  {
    rule: 'defaultNotKept',
    name: 'the default is one less',
    of: 'books',
    alter: () => resend(({ target }) => (target === '/books' ? { target: '/books?limit=1' } : {})),
    finds: ['GET /books query limit: too few'],
    says: 'answered 1 records to a list without limit, whose default is 2',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'the newest that matches is left out',
    alter: () =>
      changeAnswer(
        (asked, { ok }) => asked.query.has('status') && ok,
        (answer) => withText(answer, (text) => text.replace(/^\[\{[^{}]*\},/, '[')),
      ),
    finds: ['GET /pets query status: left out'],
    says: 'out of the list with status=',
    answered: 200,
  },
]
