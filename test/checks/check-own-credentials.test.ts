/** `check` against a sandbox of the same document: no finding about credentials, whichever keys are valid. */
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { hold, listen } from '../support/providers.js'
import { securedDocument } from '../support/secured-document.js'

const service = { text: securedDocument, base: '/v1' }

/** A sandbox that also accepts requests that `isAccepted` says, by the credentials of all its schemes. */
async function serveSecured(apiKeys?: readonly string[], accepts = (_: string) => false): Promise<string> {
  const { contract } = await compileOnce(securedDocument)
  const sandbox = createSandbox({ contract, ...(apiKeys ? { apiKeys } : {}) })
  const origin = await listen(async ({ method = '', url = '', rawHeaders }, response) => {
    const headers = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    const replaced = accepts(headers.get('X-Key') ?? '') ? { 'X-Key': 'sandbox' } : {}
    for (const [name, value] of Object.entries(replaced)) headers.set(name, value)
    const answered = await sandbox.fetch(`https://api.service.example${url}`, { method, headers })
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
  })
  return `${origin}/v1`
}

describe('a sandbox of a document with every kind of security scheme', () => {
  it.each([
    ['any key', undefined, 'my-key'],
    ['the default key', undefined, 'sandbox'],
    ['a listed key', ['my-key'], 'my-key'],
    ['a user and password', undefined, 'ana:secret'],
    ['a listed user and password', ['ana:secret'], 'ana:secret'],
  ])('has no finding with %s', async (_, apiKeys, key) => {
    const { findings } = await hold(await serveSecured(apiKeys), service, { key, generated: 1 })
    expect(findings.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
  })

  it('has one if it accepts a made-up key', async () => {
    const { findings } = await hold(await serveSecured(undefined, (key) => key.startsWith('no-such-key')), service, {
      key: 'my-key',
      generated: 1,
    })
    expect(findings.map(({ id }) => id)).toEqual(expect.arrayContaining([expect.stringContaining('GET /header')]))
    expect(findings.every(({ id }) => id.includes('with a key that nobody has'))).toBe(true)
  })
})
