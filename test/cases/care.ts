/** Cases: entity tags, conditions, idempotency keys and addresses of new records, where they are asked for. */
import { expect } from 'vitest'
import type { Case } from '../support/run-case.js'
import { ada, all, error, get, idsAre, post, rex, rex4, send } from './vocabulary.js'

const options = { httpCare: true }
const tag = /^"[0-9a-f]{16}"$/
/** Of the version of Rex that `rex4` shows. */
const rexTag = '"6d7caf8e63d4f01b"'
const successor = {
  deprecation: '@1795132800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</v1/pets>; rel="successor-version"',
}

export const careCases: readonly Case[] = [
  {
    name: 'a new record has an address and an entity tag, which spares sending it again',
    options,
    steps: [
      post('/v1/pets', rex, { status: 201, text: rex4, headers: { location: '/v1/pets/4', etag: rexTag } }),
      get('/v1/pets/4', { status: 200, text: rex4, headers: { ...successor, etag: rexTag } }),
      get('/v1/pets/4', { status: 304, headers: { ...successor, etag: rexTag } }, ['If-None-Match', rexTag]),
      get('/v1/pets/1', { status: 200, text: ada, headers: { ...successor, etag: tag } }, ['If-None-Match', rexTag]),
      get('/v1/pets/4', { ...error(412, 'precondition_failed', 'If-Match: "x" does not hold'), headers: successor }, [
        'If-Match',
        '"x"',
      ]),
    ],
  },
  {
    name: 'a request with the key of an earlier one gets its answer, or 422 if it is another request',
    options,
    steps: [
      post('/v1/pets', rex, { status: 201, text: rex4, headers: { location: '/v1/pets/4', etag: rexTag } }, [
        'Idempotency-Key',
        '"a"',
      ]),
      post('/v1/pets', rex, { status: 201, text: rex4, headers: { location: '/v1/pets/4', etag: rexTag } }, [
        'Idempotency-Key',
        'a',
      ]),
      post('/v1/pets', '{"name":"Max","categoryId":7}', error(422, 'key_reused', '"a" was already used'), [
        'Idempotency-Key',
        'a',
      ]),
      get('/v1/pets', { ...idsAre([4, 3, 2, 1]), headers: { etag: tag } }),
      async (sandbox) => {
        const notes = (await sandbox.exchanges.list({ status: 201 })).map((each) => each.notes)
        expect(notes).toEqual([[], ['answered like the first request with the idempotency key "a"']])
      },
    ],
  },
  {
    name: 'a request that accepts no documented media type gets 406',
    options,
    steps: [
      get('/v1/pets', error(406, 'not_acceptable', 'Accept must allow application/json'), ['Accept', 'text/html']),
      get('/v1/pets', { ...all, headers: { etag: tag } }, ['Accept', 'text/html, */*;q=0.1']),
    ],
  },
  {
    name: 'nothing of it is there where nobody asks for it',
    steps: [
      post('/v1/pets', rex, { status: 201, text: rex4 }, ['Idempotency-Key', 'a']),
      send(
        'GET',
        '/v1/pets',
        [
          ['Authorization', 'Bearer sandbox'],
          ['If-None-Match', '*'],
          ['Accept', 'text/html'],
        ],
        idsAre([4, 3, 2, 1]),
      ),
    ],
  },
]
