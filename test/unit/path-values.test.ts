import { describe, expect, it } from 'vitest'
import { fitsPath, pathValues } from '../../src/checks/consumer/places.js'

describe('a path of a request', () => {
  it.each<[string, string, boolean, Record<string, string>]>([
    ['/xs/{id}', '/xs/1', true, { id: '1' }],
    ['/xs/{id}', '/xs/a%20b%2F', true, { id: 'a b/' }],
    ['/xs/{id}', '/xs/', false, {}],
    ['/xs/{id}', '/xs', false, {}],
    ['/xs/{id}', '/xs/1/2', false, { id: '1' }],
    ['/xs/{id}', '/ys/1', false, { id: '1' }],
    ['/xs/{id}', '/%78s/%zz', true, { id: '%zz' }],
    ['/xs/', '/xs/', true, {}],
    ['/a b/é', '/a%20b/%C3%A9', true, {}],
    ['/xs/{id}.json', '/xs/1.json', true, { id: '1' }],
    ['/xs/{id}.json', '/xs/1.xml', false, {}],
    ['/{a}-{b}/{c}', '/x-y-z/1', true, { a: 'x', b: 'y-z', c: '1' }],
    ['/xs/{id}?beta=true#now', '/xs/1', true, { id: '1' }],
    ['xs/{id', '/xs/%7Bid', true, {}],
  ])('%j and %j: fits %s, with the values %j', (documented, path, fits, values) => {
    expect(fitsPath(documented, path)).toBe(fits)
    expect(pathValues(documented, path)).toEqual(values)
  })
})
