/** Cases: the quickstart that queues messages, and the operation without a documented success. */
import { expect } from 'vitest'
import type { Case } from '../support/run-case.js'
import { error, get, json, key, keyOf, noted, onStores, post, queued, send, today } from './vocabulary.js'

export const messageCases: readonly Case[] = [
  ...onStores((base) => ({
    name: `answers 501 to GET ${base}/store/orders, which has no documented success`,
    steps: [
      get(`${base}/store/orders`, error(501, 'not_described', '/store/orders')),
      get(`${base}/store/orders?limit=0`, error(501, 'not_described')),
    ],
  })),
  {
    name: 'queues a message',
    steps: [post('/messages', '{"message": "hi"}', queued('hi', today))],
  },
  {
    name: 'dates a message by the clock of the world',
    steps: [
      (sandbox) => sandbox.world().clock.travelTo('2027-01-02T03:04:05.678Z'),
      post('/messages', '{"message":"hi"}', queued('hi', '2027-01-02T03:04:05.678Z')),
      (sandbox) => sandbox.world().clock.advance(1000),
      post('/messages', '{"message":"hi"}', queued('hi', '2027-01-02T03:04:06.678Z')),
      {
        ...send('POST', '/messages', [keyOf('sandbox-b'), json], queued('hi', today)),
        body: '{"message":"hi"}',
      },
    ],
  },
  {
    name: 'gives each message a unique id',
    steps: [
      post('/messages', '{"message":"a"}', { status: 202, check: (body) => expect(body).toHaveProperty('id', '1') }),
      post('/messages', '{"message":"b"}', { status: 202, check: (body) => expect(body).toHaveProperty('id', '2') }),
    ],
  },
  {
    name: 'queues an empty message, and one with difficult characters',
    steps: [
      post('/messages', '{"message":""}', queued('', today)),
      post('/messages', String.raw`{"message":"\"\n\ud83d\udc15\u202e"}`, queued('"\n🐕\u202e', today)),
    ],
  },
  {
    name: 'drops unknown properties of a message, and notes them',
    steps: [
      post(
        '/messages',
        '{"id":"mine","status":"sent","createdAt":"2020-01-01T00:00:00Z","message":"hi"}',
        queued('hi', today),
      ),
      noted('"id"', '"status"', '"createdAt"'),
    ],
  },
  ...(
    [
      ['{}', 'message is required'],
      ['{"Message":"hi"}', 'message is required'],
      ['{"message":5}', 'message must be a string (got 5)'],
      ['{"message":null}', 'message must be a string (got null)'],
      ['{"message":["hi"]}', 'message must be a string (got an array)'],
      ['["hi"]', 'body must be an object (got an array)'],
      ['"hi"', 'body must be an object (got "hi")'],
      ['{"message"', 'JSON'],
      ['', 'JSON'],
    ] as const
  ).map(
    ([body, why]): Case => ({
      name: `answers 400 to a message of ${body || 'nothing'}`,
      steps: [post('/messages', body, error(400, 'invalid_request', why))],
    }),
  ),
  {
    name: 'answers the documented 400 to a message of another content type',
    steps: [
      {
        ...send('POST', '/messages', [key, ['Content-Type', 'text/plain']], error(400, 'unsupported_media_type')),
        body: '{"message":"hi"}',
      },
    ],
  },
]
