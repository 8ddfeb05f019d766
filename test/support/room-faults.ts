/** Faults of the provider `rooms`: values, pages, order, owners, conditions and changes. */
import { changeAnswer, type Fault, json, resend } from './provider-faults.js'
import { type Alter, type Asked, isCreation, withHeaders, withJson, withText } from './providers.js'
import { type JsonObject, readArray, readObject, readObjects } from './read-json.js'

const isHotel = ({ path }: Asked) => /^\/hotels\/\d+$/.test(path)
const isRoomList = ({ method, path }: Asked) => method === 'GET' && /^\/hotels\/\d+\/rooms$/.test(path)
const isGuestList = ({ method, path }: Asked) => method === 'GET' && path === '/guests'
const isGuest = ({ path }: Asked) => path === '/guests'

/** The JSON object of a body. Undefined if it is none. */
function objectOf(body: string): JsonObject | undefined {
  try {
    return readObject(JSON.parse(body))
  } catch {
    return undefined
  }
}

/** Changes the bodies of some requests. */
function changeBody(
  isAffected: (asked: Asked) => boolean,
  change: (body: JsonObject) => JsonObject | undefined,
): Alter {
  return resend((asked) => {
    const body = isAffected(asked) ? objectOf(asked.body) : undefined
    const changed = body && change(body)
    return changed && { body: JSON.stringify(changed) }
  })
}

/** Changes the text of bodies. */
function replaceInBody(searched: RegExp | string, replacement: string): Alter {
  return resend(({ body }) => ({ body: body.replace(searched, replacement) }))
}

/** Changes the target of requests, which has encoded text. */
function replaceInTarget(searched: RegExp | string, replacement: string): Alter {
  return resend(({ target }) => ({ target: target.replace(searched, replacement) }))
}

/** Changes the records of a list that is an array. */
function changeList(
  isAffected: (asked: Asked) => boolean,
  change: (records: JsonObject[]) => readonly unknown[],
): Alter {
  return changeAnswer(
    (asked, { ok }) => isAffected(asked) && ok,
    (answer) => withText(answer, (text) => JSON.stringify(change(readObjects(JSON.parse(text))))),
  )
}

function refuse(status: number, answered: (asked: Asked, body: JsonObject) => boolean): Alter {
  return (asked, next) => {
    const body = objectOf(asked.body)
    return body && answered(asked, body) && /sandbox$/.test(asked.headers['authorization'] ?? '')
      ? new Response('{"code":"refused","message":"No"}', { status, headers: json })
      : next()
  }
}

const units = (value: unknown) => (typeof value === 'string' ? value.length : 0)
const bytes = (value: unknown) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)
const characters = (value: unknown) => (typeof value === 'string' ? [...value].length : 0)
const recordIn = (answer: Response) => answer.clone().json().then(readObject)

const values: readonly Fault[] = [
  {
    rule: 'formatAccepted',
    name: 'an email without an at sign',
    alter: () => replaceInBody('no-at-sign.example.com', 'at@sign.example.com'),
    finds: ['POST /hotels body email format', 'PUT /hotels/{hotelId} body email format'],
    says: 'answered 201 to an invalid request (email must be a valid email (got "no-at-sign.example.com"))',
    severity: 'error',
    answered: 201,
  },
  {
    rule: 'formatAccepted',
    name: '30 February in a filter',
    alter: () => replaceInTarget('2023-02-30', '2023-02-28'),
    finds: ['GET /guests query born_since format', 'GET /guests query born_until format'],
    says: 'answered 200 to an invalid request (query parameter born_since must be a valid date (got "2023-02-30"))',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'invalidAccepted',
    name: 'a pattern is not looked for at its end',
    alter: () => replaceInBody(/("city":"[A-Z][a-z]+)!"/, '$1"'),
    finds: ['POST /hotels body city pattern', 'PUT /hotels/{hotelId} body city pattern'],
    says: 'answered 201 to an invalid request (city ',
    answered: 201,
  },
  {
    rule: 'invalidAccepted',
    name: 'a pattern is not looked for at its beginning',
    alter: () => replaceInBody(/"city":"!([A-Z][a-z]+")/, '"city":"$1'),
    finds: ['POST /hotels body city pattern', 'PUT /hotels/{hotelId} body city pattern'],
    says: 'answered 201 to an invalid request (city ',
    answered: 201,
  },
  {
    rule: 'invalidAccepted',
    name: 'a line break after a pattern',
    alter: () => replaceInBody(/("city":"[A-Z][a-z]+)\\n"/, '$1"'),
    finds: ['POST /hotels body city pattern', 'PUT /hotels/{hotelId} body city pattern'],
    says: 'answered 201 to an invalid request (city ',
    answered: 201,
  },
  {
    rule: 'invalidAccepted',
    name: 'an unknown property of a closed object in a record',
    alter: () =>
      changeBody(
        () => true,
        ({ address, ...body }) => {
          const { unexpectedProperty, ...known } = objectOf(JSON.stringify(address)) ?? {}
          return unexpectedProperty === undefined ? undefined : { ...body, address: known }
        },
      ),
    finds: [
      'POST /hotels body address additionalProperties',
      'PUT /hotels/{hotelId} body address additionalProperties',
    ],
    says: 'answered 201 to an invalid request (address.unexpectedProperty ',
    answered: 201,
  },
  {
    rule: 'invalidAccepted',
    name: 'an unknown property of a closed body',
    alter: () =>
      changeBody(
        () => true,
        ({ unexpectedProperty, ...known }) => (unexpectedProperty === undefined ? undefined : known),
      ),
    finds: ['POST /hotels body unevaluatedProperties', 'PUT /hotels/{hotelId} body unevaluatedProperties'],
    says: 'answered 201 to an invalid request (unexpectedProperty ',
    answered: 201,
  },
  {
    rule: 'invalidAccepted',
    name: 'only the first item of a list is looked at',
    alter: () => replaceInBody(/("extras":\[\{[^{}]+\},\{"name":)""/, '$1"x"'),
    finds: ['POST /hotels/{hotelId}/rooms body extras[1].name minLength'],
    says: 'answered 201 to an invalid request (extras[1].name must have at least 1 character',
    answered: 201,
  },
  {
    rule: 'invalidAccepted',
    name: 'a character of two code units counts as two',
    alter: () => replaceInBody('"number":"🐕"', '"number":"xx"'),
    finds: ['POST /hotels/{hotelId}/rooms body number minLength'],
    says: 'answered 201 to an invalid request (number must have at least 2 characters (got "🐕"))',
    answered: 201,
  },
  {
    rule: 'validRefused',
    name: 'code units are counted',
    alter: () =>
      refuse(400, ({ path }, { name }) => path.startsWith('/hotels') && units(name) > 40 && characters(name) <= 40),
    finds: ['PATCH /hotels/{hotelId} body', 'POST /hotels body', 'PUT /hotels/{hotelId} body'],
    says: 'answered 400 to a valid request',
    answered: 400,
  },
  {
    rule: 'validRefused',
    name: 'bytes are counted where there is room for three of each character',
    alter: () => refuse(400, ({ path }, { name }) => path.startsWith('/hotels') && bytes(name) > 120),
    finds: ['PATCH /hotels/{hotelId} body', 'POST /hotels body', 'PUT /hotels/{hotelId} body'],
    says: 'answered 400 to a valid request',
    answered: 400,
  },
  {
    rule: 'validRefused',
    name: 'a number beyond int32',
    alter: () => refuse(400, (_, { points }) => Number(points) >= 2 ** 31),
    finds: ['POST /guests body'],
    says: 'answered 400 to a valid request',
    answered: 400,
  },
  {
    rule: 'validRefused',
    name: 'emoji are refused with 422, where 400 is for what is invalid',
    alter: () =>
      refuse(422, (asked, { name }) => asked.path === '/hotels' && /\p{Emoji_Presentation}/u.test(String(name))),
    finds: ['POST /hotels body name'],
    says: 'answered 422 to a valid request (another name than in one that it accepts)',
    severity: 'warning',
    answered: 422,
  },
  {
    rule: 'recordChanged',
    name: 'a number is rounded to 24 bits',
    alter: () => replaceInBody('"points":16777217', '"points":16777216'),
    finds: ['POST /guests created points'],
    says: 'points was sent as 16777217 and answered as 16777216',
    answered: 201,
  },
  {
    rule: 'recordChanged',
    name: 'where the key of an existing record is needed, 30 nights are 29',
    alter: () => replaceInBody('"nights":30', '"nights":29'),
    finds: ['POST /bookings created nights'],
    says: 'nights was sent as 30 and answered as 29',
    answered: 201,
  },
  {
    rule: 'responseSchema',
    name: 'another type of JSON than documented',
    alter: () =>
      changeAnswer(
        (asked, { ok }) => isHotel(asked) && asked.method === 'GET' && ok,
        (answer) => withHeaders(answer, { 'content-type': 'application/hal+json' }),
      ),
    finds: ['GET /hotels/{hotelId} 200 header Content-Type media-type'],
    says: 'answered 200: Response has the media type application/hal+json, and application/json is documented',
    answered: 200,
  },
  {
    rule: 'defaultNotKept',
    name: 'a property has another default',
    alter: () =>
      changeBody(isCreation, (body) => ('number' in body && !('beds' in body) ? { ...body, beds: 3 } : body)),
    finds: ['POST /hotels/{hotelId}/rooms body beds'],
    says: 'answered beds as 3, which was left out and has the default 2',
    answered: 201,
  },
  {
    rule: 'defaultNotKept',
    name: 'a property of an object in a record has another default',
    alter: () =>
      changeBody(isCreation, ({ address, ...body }) => {
        const own = objectOf(JSON.stringify(address))
        return own && !('floors' in own) ? { ...body, address: { ...own, floors: 2 } } : undefined
      }),
    finds: ['POST /hotels body address.floors'],
    says: 'answered address.floors as 2, which was left out and has the default 1',
    answered: 201,
  },
]

const pages: readonly Fault[] = [
  {
    rule: 'pageNotKept',
    name: 'a page begins with the last record of the one before',
    alter: () =>
      resend(({ target }) => ({ target: target.replace(/offset=(\d+)/, (_, at) => `offset=${Math.max(at - 1, 0)}`) })),
    finds: ['GET /hotels/{hotelId}/rooms query offset: repeats'],
    says: 'records of the pages before',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'a record between two pages is left out',
    alter: () =>
      resend(({ target }) => ({ target: target.replace(/offset=(\d+)/, (_, at) => `offset=${at > 0 ? +at + 1 : 0}`) })),
    finds: ['GET /hotels/{hotelId}/rooms query offset: skips'],
    says: 'records out of the pages by offset',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'every page is the first one',
    alter: () => replaceInTarget(/([?&])page=[1-9]\d*/, '$1page=1'),
    finds: ['GET /hotels query page'],
    says: 'records as on the pages before',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'a page with a cursor lacks its first record',
    alter: () =>
      changeAnswer(
        ({ path, query }, { ok }) => path === '/bookings' && query.has('cursor') && ok,
        (answer) => withJson(answer, ({ data, ...others }) => ({ ...others, data: readArray(data).slice(1) })),
      ),
    finds: ['GET /bookings query cursor: skips'],
    says: 'records out of the pages by cursor',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'the last page is never linked',
    alter: () =>
      changeAnswer(
        ({ path, query }, { ok }) => path === '/bookings' && query.has('cursor') && ok,
        (answer) => withJson(answer, (body) => ({ ...body, next: null })),
      ),
    finds: ['GET /bookings query cursor: skips'],
    says: 'records out of the pages by cursor',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'the link to the next page has no size',
    alter: () => changeLinks(/per_page=\d+&/g),
    finds: ['GET /hotels next link: per_page'],
    says: 'answered a link to the next page without per_page=',
    answered: 200,
  },
  {
    rule: 'pageNotKept',
    name: 'the link to the next page has no filter',
    alter: () => changeLinks(/kind=\w+&|&kind=\w+/g),
    finds: ['GET /hotels next link: kind'],
    says: 'answered a link to the next page without kind=city, which the request has',
    answered: 200,
  },
]

function changeLinks(removed: RegExp): Alter {
  return changeAnswer(
    (_, { headers }) => headers.has('link'),
    (answer) => withHeaders(answer, { link: answer.headers.get('link')?.replace(removed, '') }),
  )
}

const lists: readonly Fault[] = [
  {
    rule: 'filterNotKept',
    name: 'the first of two filters is ignored',
    alter: () =>
      resend(({ target, query }) => (query.has('language') ? { target: target.replace(/tier=[\w%,]+&?/, '') } : {})),
    finds: ['GET /guests query tier and language: not matching'],
    says: 'answered a record that does not match tier to a list with tier=',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'two filters find nothing',
    alter: () =>
      changeList(
        (asked) => isGuestList(asked) && asked.query.has('tier') && asked.query.has('language'),
        () => [],
      ),
    finds: ['GET /guests query tier and language: left out'],
    says: 'left out a record that matches from a list with tier=',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'only the first of several values is looked for',
    alter: () => replaceInTarget(/(tier=\w+)(,|%2C)\w+/, '$1'),
    finds: ['GET /guests query tier: left out'],
    says: 'of the records that match from a list with tier=',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'the beginning of a range is ignored',
    alter: () => replaceInTarget(/born_since=202[46]-\d\d-\d\d/, ''),
    finds: ['GET /guests query born_since: not matching'],
    says: 'answered a record beyond the limit to a list with born_since=',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'the end of a range is not in it',
    alter: () => async (asked, next) => {
      const until = asked.query.get('born_until')
      const drop: Alter = changeList(isGuestList, (guests) => guests.filter(({ born }) => born !== until))
      return until === null ? next() : drop(asked, next)
    },
    finds: ['GET /guests query born_until: at the limit'],
    says: 'left out a record with exactly this value from a list with born_until=',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'what is earlier than the end of a range is not in it',
    alter: () => async (asked, next) => {
      const until = asked.query.get('born_until')
      const drop: Alter = changeList(isGuestList, (guests) => guests.filter(({ born }) => born === until))
      return until === null ? next() : drop(asked, next)
    },
    finds: ['GET /guests query born_until: left out'],
    says: 'left out a record within the limit from a list with born_until=',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'a percent sign is any text',
    alter: () => resend(({ target }) => (target === '/guests?q=%25' ? { target: '/guests' } : {})),
    finds: ['GET /guests query q: wildcard %'],
    says: 'answered a record without this text to a list with q=%',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'an underscore is any character',
    alter: () => resend(({ target }) => (target === '/guests?q=_' ? { target: '/guests' } : {})),
    finds: ['GET /guests query q: wildcard _'],
    says: 'answered a record without this text to a list with q=_',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'filterNotKept',
    name: 'a part of a name finds only whole names',
    alter: () => async (asked, next) => {
      const part = asked.query.get('name')
      const drop: Alter = changeList(isGuestList, (guests) => guests.filter(({ name }) => name === part))
      return part === null ? next() : drop(asked, next)
    },
    finds: ['GET /guests query name: left out'],
    says: 'left out a record with this text from a list with name=',
    answered: 200,
  },
  {
    rule: 'orderNotKept',
    name: 'a minus is ignored',
    alter: () => replaceInTarget('sort=-points', 'sort=points'),
    finds: ['GET /guests query sort=-points'],
    says: ' to a list with sort=-points',
    answered: 200,
  },
  {
    rule: 'orderNotKept',
    name: 'numbers are in the order of texts',
    alter: () =>
      changeList(
        (asked) => asked.query.get('sort') === 'points',
        (guests) => guests.sort((one, other) => (String(one['points']) < String(other['points']) ? -1 : 1)),
      ),
    finds: ['GET /guests query sort=points'],
    says: 'answered points ',
    answered: 200,
  },
]

const owners: readonly Fault[] = [
  {
    rule: 'unknownFound',
    name: 'what is below nothing is an empty list',
    alter: () => async (asked, next) => {
      const answer = await next()
      return isRoomList(asked) && answer.status === 404
        ? new Response('{"items":[],"total":0}', { headers: json })
        : answer
    },
    finds: ['GET /hotels/{hotelId}/rooms unknown owner'],
    says: 'answered 200 to a request for a missing record (hotelId=8999999999999999)',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'unknownFound',
    name: 'what is below nothing is created',
    alter: () => async (asked, next) => {
      const answer = await next()
      return isCreation(asked) && asked.path.endsWith('/rooms') && answer.status === 404
        ? new Response('{"id":77,"number":"77"}', { status: 201, headers: json })
        : answer
    },
    finds: ['POST /hotels/{hotelId}/rooms unknown owner'],
    says: 'answered 201 to a request for a missing record (hotelId=8999999999999999)',
    severity: 'warning',
    answered: 201,
  },
  {
    rule: 'unknownFound',
    name: 'what is below one is also below another',
    alter: () => {
      const hotels = new Map<unknown, string>()
      return async (asked, next) => {
        const answer = await next()
        const [, hotel = '', room] = /^\/hotels\/(\d+)\/rooms(?:\/(\d+))?$/.exec(asked.path) ?? []
        if (isCreation(asked) && hotel !== '' && answer.ok) hotels.set(String((await recordIn(answer))['id']), hotel)
        const own = hotels.get(room)
        if (asked.method !== 'GET' || answer.status !== 404 || own === undefined) return answer
        const isThere = (await next({ target: `/hotels/${hotel}` })).ok
        return isThere ? next({ target: `/hotels/${own}/rooms/${room}` }) : answer
      }
    },
    finds: ['GET /hotels/{hotelId}/rooms/{roomId} other owner'],
    says: 'answered the same record below hotelId ',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'unknownReference',
    name: 'a booking for nobody',
    alter: () => {
      let known = ''
      return async (asked, next) => {
        const answer = await next()
        if (isGuest(asked) && isCreation(asked) && answer.ok) known = String((await recordIn(answer))['id'])
        const { guestId } = objectOf(asked.body) ?? {}
        const isKey = typeof guestId === 'string' && /^[0-9a-f-]{36}$/.test(guestId)
        if (asked.path !== '/bookings' || answer.status !== 422 || !isKey) return answer
        const stored = await next({ body: asked.body.replace(guestId, known) })
        return withText(stored, (text) => text.replace(known, guestId))
      }
    },
    finds: ['POST /bookings guestId'],
    says: 'stored a record with guestId 00000000-dead-4bad-8bad-00000000beef, which no record has',
    answered: 201,
  },
]

const changes: readonly Fault[] = [
  {
    rule: 'omittedKept',
    name: 'a replacement keeps the city',
    alter: () => async (asked, next) => {
      const body = asked.method === 'PUT' ? objectOf(asked.body) : undefined
      if (!body || 'city' in body) return next()
      const { city } = objectOf(await (await next({ method: 'GET', body: '' })).text()) ?? {}
      return next({ body: JSON.stringify({ ...body, city }) })
    },
    finds: ['PUT /hotels/{hotelId} city'],
    says: 'kept city, which the replacement left out',
    answered: 200,
  },
  {
    rule: 'recordChanged',
    name: 'a null changes nothing',
    alter: () =>
      changeBody(
        ({ method, path }) => method === 'PATCH' && !path.includes('/rooms'),
        ({ phone, ...body }) => (phone === null ? body : undefined),
      ),
    finds: ['PATCH /hotels/{hotelId} null phone'],
    says: 'phone was sent as null and kept its value',
    severity: 'warning',
    answered: 200,
  },
  {
    rule: 'recordChanged',
    name: 'a null of a merge patch changes nothing',
    alter: () =>
      changeBody(
        ({ method }) => method === 'PATCH',
        ({ view, ...body }) => (view === null ? body : undefined),
      ),
    finds: ['PATCH /hotels/{hotelId}/rooms/{roomId} null view'],
    says: 'view was sent as null and kept its value',
    answered: 200,
  },
  {
    rule: 'refusedButChanged',
    name: 'a change writes the name before it refuses the phone',
    alter: () => async (asked, next) => {
      const answer = await next()
      const { name, phone } = objectOf(asked.body) ?? {}
      if (asked.method === 'PATCH' && answer.status === 400 && typeof phone === 'number')
        await next({ body: JSON.stringify({ name }) })
      return answer
    },
    finds: ['PATCH /hotels/{hotelId}'],
    says: 'changed name, although it refused the request',
    answered: 200,
  },
  {
    rule: 'refusedButChanged',
    name: 'to cancel again is refused, and books again',
    alter: () => {
      const cancelled = new Set<string>()
      const booked = new Set<string>()
      return async (asked, next) => {
        const [path = ''] = /^\/bookings\/\d+/.exec(asked.path) ?? []
        const answer = await next()
        if (!asked.path.endsWith('/cancel') || !answer.ok)
          return booked.has(asked.path) ? withText(answer, (text) => text.replace('cancelled', 'booked')) : answer
        if (!cancelled.has(path)) return cancelled.add(path) && answer
        booked.add(path)
        return new Response('{"code":"cancelled","message":"No"}', { status: 409, headers: json })
      }
    },
    finds: ['POST /bookings/{bookingId}/cancel again'],
    says: 'answered 409 to a second request, and changed the record',
    answered: 200,
  },
  {
    rule: 'serverError',
    name: 'to remove again fails',
    alter: () => {
      const removed = new Set<string>()
      return async (asked, next) => {
        if (asked.method !== 'DELETE' || !asked.path.startsWith('/hotels/')) return next()
        if (removed.has(asked.path)) return new Response('Oh', { status: 500 })
        const answer = await next()
        if (answer.ok) removed.add(asked.path)
        return answer
      }
    },
    finds: ['DELETE /hotels/{hotelId} absent', 'DELETE /hotels/{hotelId}/rooms/{roomId} absent'],
    says: 'answered 500 to a request for a missing record (removed just before)',
    answered: 500,
  },
]

const http: readonly Fault[] = [
  {
    rule: 'locationWrong',
    name: 'a Location without the base path',
    alter: () => changeLocation((location) => location.replace('/v3/', '/')),
    finds: ['POST /hotels Location'],
    says: ', which is answered with 404',
    answered: 404,
  },
  {
    rule: 'locationWrong',
    name: 'the Location of the record before',
    alter: () => changeLocation((location) => location.replace(/\d+$/, (key) => `${Number(key) - 1}`)),
    finds: ['POST /hotels Location'],
    says: ', which is answered with 200',
    answered: 200,
  },
  {
    rule: 'headDiffers',
    name: 'no HEAD of a list',
    alter: () => (asked, next) =>
      asked.method === 'HEAD' && asked.path === '/guests' ? new Response(null, { status: 405 }) : next(),
    finds: ['GET /guests HEAD'],
    says: 'answered 405 to HEAD, and 200 to the same GET',
    answered: 405,
  },
  {
    rule: 'conditionNotKept',
    name: 'If-None-Match is ignored',
    alter: () => resend(({ headers: { 'if-none-match': _, ...headers } }) => ({ headers })),
    finds: ['GET /hotels/{hotelId} If-None-Match'],
    says: ', although the ETag is "',
    answered: 200,
  },
  {
    rule: 'conditionNotKept',
    name: 'If-None-Match with two tags is ignored',
    alter: () =>
      resend(({ headers: { 'if-none-match': tag = '', ...headers } }) => (tag.includes(',') ? { headers } : {})),
    finds: ['GET /hotels/{hotelId} If-None-Match'],
    says: 'answered 200 to If-None-Match: "other-7f3a9c", "',
    answered: 200,
  },
  {
    rule: 'conditionNotKept',
    name: 'If-Match is ignored',
    alter: () => resend(({ headers: { 'if-match': _, ...headers } }) => ({ headers })),
    finds: ['DELETE /hotels/{hotelId} If-Match', 'PATCH /hotels/{hotelId} If-Match', 'PUT /hotels/{hotelId} If-Match'],
    says: 'answered 204 with an If-Match that is not the ETag of the record',
    answered: 204,
  },
  {
    rule: 'conditionNotKept',
    name: 'an ETag is that of the first version',
    alter: () => {
      const first = new Map<string, string>()
      const last = new Map<string, string>()
      return async (asked, next) => {
        if (!isHotel(asked)) return next()
        const { path } = asked
        const [shown, own] = [first.get(path), last.get(path)]
        const toOwn = (text: string) => (shown && own ? text.replace(shown, own) : text)
        const headers = Object.fromEntries(Object.entries(asked.headers).map(([name, text]) => [name, toOwn(text)]))
        const answer = await next({ headers })
        const tag = answer.headers.get('etag')
        if (tag === null) return answer
        if (!first.has(path)) first.set(path, tag)
        last.set(path, tag)
        return withHeaders(answer, { etag: first.get(path) })
      }
    },
    finds: ['PATCH /hotels/{hotelId} ETag', 'PUT /hotels/{hotelId} ETag'],
    says: ' before and after a change',
    answered: 200,
  },
]

function changeLocation(change: (location: string) => string): Alter {
  return changeAnswer(
    (_, { headers }) => headers.has('location'),
    (answer) => withHeaders(answer, { location: change(answer.headers.get('location') ?? '') }),
  )
}

export const roomFaults: readonly Fault[] = [...values, ...pages, ...lists, ...owners, ...changes, ...http].map(
  (fault) => ({ ...fault, of: 'rooms' }),
)
