// States that follow from the times of a record, and defaults of the items of its lists.
import { describe, expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import {
  flag,
  integer,
  list,
  named,
  object,
  oneOfTexts,
  type Schema,
  text,
  time,
  toDocument,
} from '../support/sketch.js'

const state = oneOfTexts('expired', 'active', 'pending')
const item = object({ 'name!': text, isEqual: { ...flag, default: true } })
const sent = object({ 'title!': text, startsAt: time, endsAt: time, items: list(item) })
const at = (hours: number) => new Date(Date.UTC(2030, 0, 1, hours)).toISOString()

const offers = (status: Schema) =>
  toDocument(
    {
      'GET /offers': { 200: list(named('Offer')) },
      'POST /offers': { body: sent, 201: named('Offer') },
      'GET /offers/{offerId}': { 200: named('Offer') },
    },
    {
      Offer: object({ 'id!': integer, 'title!': text, startsAt: time, endsAt: time, items: list(item), status }),
    },
  )

describe.each([
  ['a text', state, (value: unknown) => value],
  ['in an object', object({ 'state!': state }), (value: unknown) => (value as { state: unknown }).state],
])('a state that is %s', (_, schema, stateOf) => {
  it('follows the times of the record', async () => {
    const sandbox = await openSketch(offers(schema))
    await sandbox.world().clock.travelTo(at(0))
    await ask(sandbox, `POST /offers {"title":"a","startsAt":"${at(1)}","endsAt":"${at(2)}"}`)
    const states: unknown[] = []
    for (const hours of [0, 1, 2]) {
      await sandbox.world().clock.travelTo(at(hours))
      const answer = await ask(sandbox, 'GET /offers/1')
      states.push(stateOf(JSON.parse(answer.slice(answer.indexOf('{'))).status))
      const [record] = await sandbox.world().collection('offers').list()
      expect(stateOf(record?.['status'])).toBe(states.at(-1))
    }
    expect(states).toEqual(['pending', 'active', 'expired'])
  })
})

it('gives the items of a list the defaults that their schema has', async () => {
  const sandbox = await openSketch(offers(state))
  const answer = await ask(sandbox, 'POST /offers {"title":"a","items":[{"name":"x"},{"name":"y","isEqual":false}]}')
  expect(answer).toContain('"items":[{"name":"x","isEqual":true},{"name":"y","isEqual":false}]')
})
