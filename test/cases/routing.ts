/** Cases: paths without an operation, and paths that are difficult to parse. */
import type { Case } from '../support/run-case.js'
import { all, error, get, lifecycle, namesMount, normalised } from './vocabulary.js'

const unknownPaths: [target: string, named: string, except?: Case['except']][] = [
  ['/v1/pet', '/v1/pets'],
  ['/v1/petz', '/v1/pets'],
  ['/v1/Pets', '/v1/pets'],
  ['/v1/pets/', '/v1/pets'],
  ['/v1/pets//', '/v1/pets'],
  ['/v1//pets', '/v1/pets'],
  ['//v1/pets', '/v1/pets', normalised('two slashes begin a host').except],
  ['/v1/pets/1/', '/v1/pets'],
  ['/v1/pets/1/2', '/v1/pets'],
  ['/v1/stor/orders', '/v1/store/orders'],
  ['/v1/store/orders/', '/v1/store/orders'],
  ['/v1', '/v1/'],
  ['/v1/', '/v1/'],
  ['/v2/pets', '/v1/pets'],
  ['/v1pets', '/v1/pets'],
  ['/pets/', '/v1/pets'],
  ['/message', '/messages'],
  ['/messages/', '/messages'],
  ['/v1/messages', '/messages'],
  ['/v1/%zz', '/v1/'],
  ['/%zz', '/'],
  ['/v1/p%ffets', '/v1/pets'],
  ['/staging/v1/pet', '/staging/v1/pets', namesMount('/staging/v1').except],
  ['/staging/v1/pets/', '/staging/v1/pets', namesMount('/staging/v1').except],
  ['/staging/pets', '/staging/v1/pets'],
  ['/stagin/v1/pets', '/v1/pets'],
  [`/v1/${'x'.repeat(4000)}`, '/v1/'],
]

export const routingCases: readonly Case[] = [
  ...unknownPaths.map(
    ([target, named, except]): Case => ({
      name: `answers 404 to ${target.slice(0, 40)}, and names ${named} as the closest path`,
      ...(except ? { except } : {}),
      steps: [get(target, error(404, 'not_found', named, target.slice(0, 100)))],
    }),
  ),
  ...['/pets', '/pets/7', '/store/orders'].map(
    (target): Case => ({
      name: `answers 404 to ${target}, and reports that the base /v1 is missing`,
      steps: [get(target, error(404, 'not_found', '/v1', 'base', 'missing'))],
    }),
  ),
  {
    name: 'answers 404 to a path that leaves the base',
    ...normalised('dots are resolved'),
    steps: [
      get('/v1/../v1/pets', error(404, 'not_found')),
      get('/v1/pets/../pets', error(404, 'not_found')),
      get('/v1/./pets', error(404, 'not_found')),
    ],
  },
  {
    name: 'reads a percent-encoded segment',
    steps: [get('/v1/p%65ts', all), get('/v1/%70%65%74%73', all)],
  },
  {
    name: 'survives malformed percent-encoding everywhere',
    steps: [
      get('/v1/pets/%', { ...error(404, 'not_found'), headers: lifecycle('/v1') }),
      get('/v1/%/%', error(404, 'not_found')),
      get('/%E0%A4%A/pets', error(404, 'not_found')),
      get('/v1/pets?%=%&%zz=%zz', all),
      get('/v1/pets', all),
    ],
  },
]
