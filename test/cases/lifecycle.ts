/** Cases: the sunset of getPet, by the clock of the world. */
import type { Case } from '../support/run-case.js'
import {
  ada,
  all,
  error,
  get,
  keyOf,
  lifecycle,
  namesMount,
  onStores,
  post,
  removed,
  rex,
  rexIs4,
  send,
} from './vocabulary.js'

export const lifecycleCases: readonly Case[] = [
  ...onStores((base): Case => {
    const gone = {
      ...error(404, 'removed', 'getPet', '2030-12-05', `GET ${base}/pets`, '"status" filter'),
      headers: lifecycle(base),
    }
    return {
      name: `removes getPet at ${base} at the instant of its sunset, not before, by the clock`,
      ...namesMount(base),
      steps: [
        (sandbox) => sandbox.clock.travelTo('2030-12-04T23:59:59.999Z'),
        get(`${base}/pets/1`, { status: 200, text: ada, headers: lifecycle(base) }),
        (sandbox) => sandbox.clock.advance(1),
        get(`${base}/pets/1`, gone),
        get(`${base}/pets/999`, gone),
        (sandbox) => sandbox.clock.travelTo('2040-01-01'),
        get(`${base}/pets/1`, gone),
        get(`${base}/pets`, all),
        get(`${base}/pets?status=available`, { status: 200, text: `[${ada}]` }),
        post(`${base}/pets`, rex, rexIs4),
        (sandbox) => sandbox.clock.travelTo('2030-12-04'),
        get(`${base}/pets/4`, { ...rexIs4, status: 200, headers: lifecycle(base) }),
      ],
    }
  }),
  {
    name: 'has no getPet if the clock starts at the instant of its sunset',
    options: { at: '2030-12-05T00:00:00Z' },
    steps: [get('/v1/pets/1', { ...error(404, ...removed), headers: lifecycle('/v1') })],
  },
  {
    name: 'has getPet if the clock starts a millisecond before its sunset',
    options: { at: Date.parse('2030-12-05T00:00:00Z') - 1 },
    steps: [get('/v1/pets/1', { status: 200, text: ada, headers: lifecycle('/v1') })],
  },
  {
    name: 'removes getPet by the clock of the requested world',
    steps: [
      (sandbox) => sandbox.world('sandbox-later').clock.travelTo('2030-12-05'),
      get('/v1/pets/1', { status: 200, text: ada, headers: lifecycle('/v1') }),
      send('GET', '/v1/pets/1', [keyOf('sandbox-later')], {
        ...error(404, ...removed),
        headers: lifecycle('/v1'),
      }),
      (sandbox) => sandbox.world('sandbox-later').clock.reset(),
      send('GET', '/v1/pets/1', [keyOf('sandbox-later')], {
        status: 200,
        text: ada,
        headers: lifecycle('/v1'),
      }),
    ],
  },
]
