/** Credentials that are hard to find, and texts that must not change. */
import { expect, it } from 'vitest'
import type { ExchangeTexts } from '../../src/contract/hiding/find-credentials.js'
import { createHideCredentials } from '../../src/contract/hiding/hide-credentials.js'
import { createHide } from '../../src/contract/hiding/hide-secrets.js'

const secret = 's3cret-of-a-customer'
const hideCredentials = createHideCredentials(
  { schemes: { key: { kind: 'apiKey', in: 'header', name: 'X-Key' } }, operations: [] },
  [],
  '[hidden]',
)

function shown(request: Partial<ExchangeTexts['request']>): ExchangeTexts['request'] {
  const exchange = { request: { path: '/notes', query: '', headers: [], body: undefined, ...request } }
  return hideCredentials(exchange).exchange.request
}

it('leaves an empty header empty', () => {
  expect(shown({ headers: ['X-Empty', ''] }).headers).toEqual(['X-Empty', ''])
})

it('hides a password in an element of SOAP', () => {
  const body = `<s:Header><wsse:Password Type="text">${secret}</wsse:Password></s:Header>`
  expect(shown({ body, path: `/notes/${secret}` })).toMatchObject({
    path: '/notes/[hidden]',
    body: '<s:Header><wsse:Password Type="text">[hidden]</wsse:Password></s:Header>',
  })
})

it('hides a long token of XML to its end', () => {
  const body = `<a><token>${'0123456789'.repeat(300)}</token><size>1</size></a>`
  expect(shown({ body }).body).toBe('<a><token>[hidden]</token><size>1</size></a>')
})

it('hides a password with many escapes', () => {
  const body = JSON.stringify({ password: '%41'.repeat(31_000), name: 'a' })
  expect(shown({ body }).body).not.toContain('%41%41')
})

it('hides 900 passwords without blocking other requests', () => {
  const before = process.cpuUsage()
  for (let round = 0; round < 8; round++) {
    const password = Array.from({ length: 900 }, (_, index) => `pw${round}-${index}-${'q'.repeat(40)}`)
    expect(shown({ body: JSON.stringify({ password }) }).body).not.toContain('qqqq')
  }
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 8).toBeLessThan(150_000)
})

it.each(['token', 'bearer', 'apikey'])('hides a key that is the name of a scheme: %s', (key) => {
  expect(shown({ headers: ['X-Key', key] }).headers).toEqual(['X-Key', '[hidden]'])
})

it('hides each part of a secret that is cut off', () => {
  expect(createHide([secret], '***')('got s3cret-of-a-c…, '.repeat(30))).toBe('got ***…, '.repeat(30))
})

it('shows a long text with many line breaks', () => {
  const body = JSON.stringify({ name: 'line\n'.repeat(50_000) })
  expect(shown({ body, headers: ['X-Key', secret] })).toEqual({
    path: '/notes',
    query: '',
    headers: ['X-Key', '[hidden]'],
    body,
  })
})

it.each([
  [
    'a part of a form with a file',
    'Content-Disposition: form-data; name="password"; filename="x.txt"\r\n\r\n',
    '\r\n--b',
  ],
])('hides a password in %s', (_, before, after) => {
  expect(shown({ body: `${before}${secret}${after}` }).body).toBe(`${before}[hidden]${after}`)
})

it('hides a key of letters that a header has as bytes of UTF-8', () => {
  const key = 'geheimschlüssel42'
  const sent = Buffer.from(key).toString('latin1')
  expect(
    shown({ headers: ['X-Key', sent], body: `{"note":"${key}"}`, path: `/notes/${encodeURIComponent(key)}` }),
  ).toEqual({
    path: '/notes/[hidden]',
    query: '',
    headers: ['X-Key', '[hidden]'],
    body: '{"note":"[hidden]"}',
  })
})
