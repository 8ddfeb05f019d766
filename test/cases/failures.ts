/** Cases: unexpected failures in the sandbox. */
import { createTrap } from '../support/records.js'
import type { Case } from '../support/run-case.js'
import { get, post, rex } from './vocabulary.js'

const { scenario, setBroken } = createTrap(new Error('secret: boom'))
const failure = { status: 500, error: ['internal_error', /^(?!.*(boom|secret))/] } as const

export const failureCases: readonly Case[] = [
  {
    name: 'answers 500 without internal details after an unexpected failure, and answers the next request',
    options: { scenario },
    except: { stored: 'all records of the scenario are read first, for the store' },
    steps: [
      () => setBroken(true),
      get('/v1/pets?limit=2', failure),
      get('/v1/pets?limit=1', { status: 200, text: '[{"id":2,"name":"Bo","categoryId":2}]' }),
      post('/v1/pets', rex, { status: 201, text: '{"id":3,"name":"Rex","categoryId":7}' }),
      () => setBroken(false),
      get('/v1/pets?limit=2', {
        status: 200,
        text: '[{"id":3,"name":"Rex","categoryId":7},{"id":2,"name":"Bo","categoryId":2}]',
      }),
      get('/v1/pets?status=sold', { status: 200, text: '[]' }),
      get('/staging/v1/pets?limit=1', { status: 200, text: '[{"id":2,"name":"Bo","categoryId":2}]' }),
    ],
  },
]
