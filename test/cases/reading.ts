/** Cases: reading one pet by its id. */
import type { Case } from '../support/run-case.js'
import { ada, bo, cy, error, get, lifecycle, namesMount, normalised, noted, onStores } from './vocabulary.js'

const unknownIds: [written: string, why: string | RegExp][] = [
  ['4', '4'],
  ['0', '0'],
  ['999', '999'],
  ['-1', '-1'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775808', 'int64'],
  ['-9223372036854775809', 'int64'],
  ['99999999999999999999999', 'int64'],
  ['abc', 'integer'],
  ['1.0', 'integer'],
  ['01', 'integer'],
  ['+1', 'integer'],
  ['1e0', 'integer'],
  ['0x1', 'integer'],
  ['1,2', 'integer'],
  ['%201', 'integer'],
  ['1%20', 'integer'],
  ['1%0A', 'integer'],
  ['1%00', 'integer'],
  ['1%2F2', 'integer'],
  ['%2F', 'integer'],
  ['%D9%A1', 'integer'],
  ['__proto__', 'integer'],
  ['null', 'integer'],
  ['{petId}', 'integer'],
  ['%2e%2e', 'integer'],
  ['%', 'integer'],
  ['%zz', 'integer'],
  ['%2', 'integer'],
  ['1%', 'integer'],
  ['%E0%A4%A', 'integer'],
  ['%ff', 'integer'],
  ['%C0%AF', 'integer'],
  ['%ED%A0%80', 'integer'],
]

export const readingCases: readonly Case[] = [
  ...onStores((base) => [
    {
      name: `reads an animal at ${base}/pets/{petId}, and marks the operation as deprecated`,
      ...namesMount(base),
      steps: [
        get(`${base}/pets/1`, { status: 200, text: ada, headers: lifecycle(base) }),
        get(`${base}/pets/2`, { status: 200, text: bo, headers: lifecycle(base) }),
        get(`${base}/pets/3`, { status: 200, text: cy, headers: lifecycle(base) }),
      ],
    },
    ...unknownIds.map(
      ([id, why]): Case => ({
        name: `answers 404 to ${base}/pets/${id}`,
        ...namesMount(base),
        ...(id === '{petId}' ? normalised('braces are percent-encoded') : {}),
        ...(id === '%2e%2e' ? normalised('%2e%2e is a parent') : {}),
        steps: [
          get(`${base}/pets/${id}`, { ...error(404, 'not_found', why), headers: lifecycle(base) }),
          get(`${base}/pets/1`, { status: 200, text: ada, headers: lifecycle(base) }),
        ],
      }),
    ),
  ]),
  {
    name: 'reads a percent-encoded id',
    steps: [get('/v1/pets/%31', { status: 200, text: ada, headers: lifecycle('/v1') })],
  },
  {
    name: 'reads an animal with any query, and notes it',
    steps: [get('/v1/pets/1?limit=0', { status: 200, text: ada, headers: lifecycle('/v1') }), noted('limit')],
  },
]
