/** Cases: an unexpected failure inside. */
import { breakCollection } from '../support/records.js'
import type { Case } from '../support/run-case.js'
import { all, get, post, rex, rexIs4 } from './vocabulary.js'

export const failureCases: readonly Case[] = [
  {
    name: 'answers 500 without a trace of its insides to an unexpected failure, and goes on',
    steps: [
      (sandbox) => breakCollection(sandbox.world(), 'add', new Error('secret: boom')),
      post('/v1/pets', rex, {
        status: 500,
        error: ['internal_error', /^(?!.*(boom|secret))/],
      }),
      get('/v1/pets', all),
      post('/staging/v1/pets', rex, rexIs4),
      (sandbox) => sandbox.world().reset(),
      post('/v1/pets', rex, rexIs4),
    ],
  },
]
