import { expect, it } from 'vitest'
import { toUrlHost } from '../../src/contract/http/url-host.js'

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['::1%lo', '[::1]'],
  ['fe80::1%eth0', '[fe80::1]'],
])('the address of a server on %s has the host %s, and is a URL', (host, shown) => {
  expect(toUrlHost(host)).toBe(shown)
  expect(URL.canParse(`http://${shown}:4010`)).toBe(true)
})
