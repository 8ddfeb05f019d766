/** Cases: integers in a body keep every digit, and other numbers are refused. */
import type { Case } from '../support/run-case.js'
import { all, error, get, lifecycle, post } from './vocabulary.js'

/** Text of the category in the request, and in the answers of creation, reading and listing. */
const integers: [written: string, kept: string][] = [
  ['0', '0'],
  ['-1', '-1'],
  ['-0', '0'],
  ['1.0', '1'],
  ['1e3', '1000'],
  ['1E+3', '1000'],
  ['1000e-3', '1'],
  ['12.50e1', '125'],
  ['-5.0', '-5'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['1000000000000000000', '1000000000000000000'],
  ['1e18', '1000000000000000000'],
  ['9007199254740993.0', '9007199254740993'],
  ['9.007199254740993e15', '9007199254740993'],
  ['9223372036854775295', '9223372036854775295'],
  ['9223372036854775806', '9223372036854775806'],
  ['9223372036854775807', '9223372036854775807'],
  ['9223372036854775807.000', '9223372036854775807'],
  ['922337203685477580.7e1', '9223372036854775807'],
  ['-9223372036854775807', '-9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
]

const int64 = /int64|integer/

const badCategories: [written: string, why: string | RegExp][] = [
  ['1.5', 'integer'],
  ['-0.1', 'integer'],
  ['1e-3', 'integer'],
  ['9223372036854775808', int64],
  ['9223372036854775807.5', int64],
  ['-9223372036854775809', int64],
  ['-9223372036854775808.5', int64],
  ['9223372036854775808.0', int64],
  ['9.3e18', int64],
  ['1e19', int64],
  ['18446744073709551615', int64],
  ['1e308', int64],
  ['1e400', int64],
  ['-1e400', int64],
  ['"1"', 'integer'],
  ['""', 'integer'],
  ['true', 'integer'],
  ['null', 'integer'],
  ['[]', 'integer'],
  ['[1]', 'integer'],
  ['{}', 'integer'],
]

/** Fractions whose double is an integer. They are still fractions. */
const hiddenFractions = [
  '9007199254740993.5',
  '4503599627370497.25',
  '1.00000000000000000001',
  '1e-400',
  '-1e-999999999',
]

export const integerCases: readonly Case[] = [
  ...integers.map(([written, kept]): Case => {
    const text = `{"id":4,"name":"Rex","categoryId":${kept}}`
    return {
      name: `keeps every digit of the category ${written}`,
      steps: [
        post('/v1/pets', `{"name":"Rex","categoryId":${written}}`, { status: 201, text }),
        get('/v1/pets/4', { status: 200, text, headers: lifecycle('/v1') }),
        get('/v1/pets?limit=1', { status: 200, text: `[${text}]` }),
      ],
    }
  }),
  ...badCategories.map(
    ([written, why]): Case => ({
      name: `answers 400 to the category ${written}`,
      steps: [
        post('/v1/pets', `{"name":"Rex","categoryId":${written}}`, error(400, 'invalid_request', 'categoryId', why)),
        get('/v1/pets', all),
      ],
    }),
  ),
  ...hiddenFractions.map(
    (written): Case => ({
      name: `answers 400 to the category ${written}, a fraction whose double is an integer`,
      steps: [
        post(
          '/v1/pets',
          `{"name":"Rex","categoryId":${written}}`,
          error(400, 'invalid_request', `categoryId must be an integer (got ${written})`),
        ),
        get('/v1/pets', all),
      ],
    }),
  ),
]
