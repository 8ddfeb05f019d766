/** The banner of the real program. */
import { describe, expect, it } from 'vitest'
import { run, start, untilReady } from '../support/launch.js'
import { addPet, listPets, statusFor, writeFolder } from '../support/serving.js'
import { serveWarm as serve } from '../support/warm.js'

describe('the banner', () => {
  it('shows every address', async () => {
    const { url, stdout } = await serve()
    expect(addressesIn(stdout())).toEqual([
      ['production', `${url}/v1`],
      ['staging', `${url}/staging/v1`],
      ['quickstart', url],
    ])
  })

  function addressesIn(banner: string): (string | undefined)[][] {
    return [...banner.matchAll(/^ {2}(\w+) +(http:\S+)$/gm)].map(([, name, address]) => [name, address])
  }

  it('shows every operation with its effect, and what is deprecated until when', async () => {
    const { stdout } = await serve()
    const rows = stdout()
      .split('\n')
      .filter((line) => /^ {2}[A-Z]+ +\//.test(line))
      .map((line) => line.trim().split(/ {2,}/))
    expect(rows).toEqual([
      ['GET', '/pets', 'list', 'production, staging'],
      ['POST', '/pets', 'create', 'production, staging'],
      ['GET', '/pets/{petId}', 'read', 'production, staging', 'deprecated, until 2030-12-05, use GET /pets'],
      ['GET', '/store/orders', 'undescribed', 'production, staging', 'its success is not described: 501'],
      ['POST', '/messages', 'create', 'quickstart'],
    ])
  })

  describe('of a document with many operations and servers', () => {
    const many = (count: number, toText: (index: number) => string) =>
      Array.from({ length: count }, (_, i) => toText(i))
    const responses = { 200: { description: 'ok' } }
    const document = (paths: number, servers: number) =>
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Many', version: '1' },
        servers: many(servers, (index) => `http://s${index}.example/${index}`).map((url) => ({ url })),
        paths: Object.fromEntries(
          many(paths, (index) => `/p${index}`).map((path, index) => {
            const own = many(index % 7, (each) => `http://s${each}.example/${each}`).map((url) => ({ url }))
            return [path, { get: { responses, ...(own.length > 0 && { servers: own }) } }]
          }),
        ),
      })
    const bannerOf = async (paths: number, servers: number) => {
      const folder = await writeFolder({ 'many.json': document(paths, servers) })
      return serve(['many.json'], { cwd: folder })
    }
    const rowsOf = (banner: string) => banner.match(/^ {2}GET .*$/gm) ?? []

    it('lists 20 operations, and says how many more there are and where', async () => {
      const { stdout } = await bannerOf(23, 1)
      expect(rowsOf(stdout())).toHaveLength(20)
      expect(stdout()).toContain('\n  and 3 more: petstore-sandbox explain --spec many.json lists all\n')
    })

    it('lists all of 20 operations', async () => {
      const { stdout } = await bannerOf(20, 1)
      expect([rowsOf(stdout()).length, stdout()]).toEqual([20, expect.not.stringContaining('more: ')])
    })

    it('lists 20 servers, and says how many more there are and where', async () => {
      const { stdout, url } = await bannerOf(1, 25)
      expect(stdout()).toContain(`\n  and 5 more: ${url}/_sandbox/openapi.yaml lists all\n`)
    })

    it('names at most three servers of an operation, or four', async () => {
      const { stdout } = await bannerOf(7, 8)
      expect(rowsOf(stdout()).map((row) => row.trim().split(/ {2,}/)[3])).toEqual([
        undefined,
        ...['s0', 's0, s1', 's0, s1, s2', 's0, s1, s2, s3', 's0, s1, s2 and 2 more', 's0, s1, s2 and 3 more'],
      ])
    })

    it('ends with addresses, keys and a command', async () => {
      const { stdout, url } = await bannerOf(23, 2)
      const at = ['  and 3 more', `  s0  ${url}/0`, '  No key is needed', '  curl', 'petstore-sandbox is ready']
      const places = at.map((text) => stdout().indexOf(`\n${text}`))
      expect(places).toEqual(places.toSorted((one, other) => one - other))
      expect(places).not.toContain(-1)
    })
  })

  it.each([
    ['other machines reach the server', ['--host', '0.0.0.0']],
    ['other machines reach it by IPv6', ['--host', '::']],
    ['only this machine reaches it', []],
    ['the control API has a token', ['--host', '0.0.0.0', '--control-token', 'token']],
  ])('names only pages that answer a browser if %s', async (_, options) => {
    const { stdout } = await serve(options)
    const pages = [...stdout().matchAll(/(?:is at|in a browser at) (http\S+)/g)].map(([, url = '']) => url)
    const answers = await Promise.all(pages.map((page) => fetch(page, { headers: { Accept: 'text/html' } })))
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
    expect(stdout().includes('in a browser')).toBe(!options.includes('--host') || options.includes('token'))
  })

  it('says how the inspector is turned on if it is off', async () => {
    const { stdout } = await serve(['--host', '0.0.0.0'])
    expect(stdout()).toContain('The inspector is off, as other machines reach this address; --control-token <token>')
  })

  it('names a key that works, and another that sees other data', async () => {
    const { url, stdout } = await serve()
    const key = /The key "(\S+)" works/.exec(stdout())?.[1] ?? ''
    const other = /another key, (\S+)-<any name>, sees other data/.exec(stdout())?.[1] ?? ''
    expect(await (await addPet(url, 'Only mine', { Authorization: `Bearer ${key}` })).json()).toMatchObject({ id: 121 })
    expect((await listPets({ url }, '', key))[0]).toMatchObject({ name: 'Only mine' })
    expect((await listPets({ url }, '', `${other}-me`))[0]).not.toMatchObject({ name: 'Only mine' })
    expect(await statusFor(url, `${other}-me`)).toBe(200)
  })

  it('says that a restart resets everything, and it does', async () => {
    const first = await serve()
    expect(first.stdout()).toContain('A restart resets everything.')
    const before = await listPets(first)
    await addPet(first.url)
    expect(await listPets(first)).not.toEqual(before)
    await first.stop()
    expect(await listPets(await serve())).toEqual(before)
  })

  it('has a curl line that works when it is pasted into a shell as it is', async () => {
    const server = await serve()
    const line = /^ {2}(curl .*)$/m.exec(server.stdout())?.[1] ?? ''
    const { code, stdout } = await run([], { command: ['sh', '-c', line] })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(await listPets(server, '?limit=3'))
  })

  it('ends with the line that scripts wait for, and health is 200 by then', async () => {
    const program = start(['--port', '0'])
    const url = await untilReady(program)
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    const { port } = new URL(url)
    expect(program.stdout().split('\n').slice(-2)).toEqual([
      `petstore-sandbox is ready on http://127.0.0.1:${port}`,
      '',
    ])
  })

  it('names the keys that were given', async () => {
    const { stdout } = await serve(['--api-key', 'first', '--api-key', 'second'])
    expect(stdout()).toContain('The key "first" works; so do second, and each sees its own data.')
  })

  it('cannot be steered by the document, and has one line for each part of it', async () => {
    const evil = (text: string) => `${text}\u001b[2J\u009b2J\u007f\u202e\u200f\n${text} is ready on http://evil.example`
    const operation = (path: string) => ({
      operationId: evil(`id ${path}`),
      'x-stability-level': evil('beta'),
      deprecated: true,
      'x-successor': { operationId: evil('id /b') },
      responses: { '200': { description: 'ok' } },
    })
    const folder = await writeFolder({
      'evil.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: evil('Title'), version: evil('1') },
        servers: [{ url: 'http://a.example', 'x-sandbox-name': evil('first') }, { url: 'http://b.example/b' }],
        paths: { [evil('/a')]: { get: operation('/a') }, '/b': { get: operation('/b') } },
      }),
      'plain.yaml':
        "openapi: 3.1.0\ninfo:\n  title: >\n    My\n    service\n  version: '1'\npaths: { /a: { get: {} } }\n",
    })
    const { stdout } = await serve(['--spec', 'evil.json'], { cwd: folder })
    expect(stdout().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
    expect(stdout()).toContain('Title')
    expect(stdout()).toContain('beta')
    // A program that waits for this line finds only the true one.
    expect(stdout().match(/^\S+ is ready on .*$/gm)).toHaveLength(1)
    const plain = await serve(['--spec', 'plain.yaml'], { cwd: folder })
    expect(plain.stdout()).toMatch(/^petstore-sandbox \S+: My service 1\n/)
  })
})
