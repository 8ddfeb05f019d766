/** `proxy` with a command: judges what the command sends, and what a real service answers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../support/launch.js'
import { type Alter, listen, provide, services, withHeaders, withJson } from '../support/providers.js'
import { proxyCommand } from '../support/proxy.js'
import { books } from '../support/serving.js'

const ofBooks = { args: ['--spec', books] }

describe('a command behind a proxy', () => {
  it('passes if both sides keep the contract', async () => {
    const address = await provide(services.books)
    const { code, report, stdout } = await proxyCommand(
      address,
      `const made = await (await call('/books', { method: 'POST', body: '{"title":"Emma","pages":300}' })).json()
      console.log((await call('/books/' + made.id)).status)`,
      { ...ofBooks, prints: true },
    )
    expect(report.findings).toEqual([])
    expect(report).toMatchObject({ check: 'proxy', requests: 2, commandExitCode: 0, isPassed: true, notes: [] })
    expect(stdout).toMatch(/^200\n/)
    expect(stdout).toContain(` at ${address} made 2 requests in `)
    expect(code).toBe(0)
  })

  it('gets the address of the proxy, the base path of the service and the key', async () => {
    const address = await provide(services.books)
    const { stdout } = await proxyCommand(
      address,
      `const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key, SANDBOX_URL: url, A } = process.env
      console.log(JSON.stringify([base === url + '/api', key, A]))
      await call('/books')`,
      { args: ['--spec', books, '--api-key', 'my-key', '--env', 'A=api-key'], prints: true },
    )
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual([true, 'my-key', 'my-key'])
    const print = `console.log(process.env.PETSTORE_API_KEY); await call('/books')`
    expect((await proxyCommand(address, print, { ...ofBooks, prints: true })).stdout).toMatch(/^undefined\n/)
  })

  it('has findings of both kinds, with the line that made the request', async () => {
    const faulty: Alter = async ({ method, path }, next) => {
      const answer = await next()
      return method === 'POST' && path === '/books' && answer.ok
        ? withJson(answer, ({ title: _, ...record }) => record)
        : answer
    }
    const { code, report, ids } = await proxyCommand(
      await provide(services.books, faulty),
      `await call('/books', { method: 'POST', body: '{"title":"Emma","pages":300}' })
      await call('/books', { method: 'POST', body: '{"title":4,"pages":300}' })`,
      ofBooks,
    )
    expect(ids).toEqual(['invalid-body POST /books body title type', 'response-schema POST /books 201 body required'])
    expect(report.findings.map(({ count, operation, response }) => [count, operation, response?.status])).toEqual([
      [1, 'createBook', 422],
      [1, 'createBook', 201],
    ])
    expect(report.findings[1]?.requests).toEqual([
      expect.stringMatching(
        /^curl -H "Authorization: Bearer \$PETSTORE_API_KEY" .*'http:\/\/127\.0\.0\.1:\d+\/api\/books'$/,
      ),
    ])
    expect(report.findings[1]?.place).toMatchObject({ file: books })
    expect(code).toBe(1)
  })

  it('judges a success for a request that the document forbids', async () => {
    const lax: Alter = async (asked, next) =>
      asked.query.get('limit') === '0' || asked.headers['authorization'] === ''
        ? next({ query: new URLSearchParams(), target: asked.path, headers: { authorization: 'Bearer sandbox' } })
        : next()
    const { ids } = await proxyCommand(
      await provide(services.pets, lax),
      `await call('/pets?limit=0')
      await call('/pets', { headers: { Authorization: '' } })
      await call('/pets?limit=500')`,
    )
    expect(ids).toEqual([
      'credentials-not-checked GET /pets',
      'invalid-parameter GET /pets query limit maximum',
      'invalid-parameter GET /pets query limit minimum',
      'invalid-request-accepted GET /pets query limit minimum',
      'missing-credentials GET /pets header Authorization',
    ])
  })

  it('gets the answer to an unknown path as it is', async () => {
    const origin = await listen((request, response) =>
      response.writeHead(203, 'Odd', { 'X-Path': String(request.url) }).end('anything'),
    )
    const { ids, stdout, report } = await proxyCommand(
      `${origin}/v1`,
      `const answer = await call('/none/4?a=%2F')
      console.log(answer.status, answer.statusText, answer.headers.get('x-path'), await answer.text())`,
      { prints: true },
    )
    expect(stdout).toMatch(/^203 Odd \/v1\/none\/4\?a=%2F anything\n/)
    expect(ids).toEqual(['undocumented-path GET /v1/none/{}'])
    expect(report.findings[0]?.requests[0]).toContain(` '${origin}/v1/none/4?a=%2F'`)
  })

  it('accepts keys and records that only the service knows, and its 304', async () => {
    const own: Alter = async (asked, next) => {
      if (asked.headers['if-none-match']) return new Response(null, { status: 304 })
      const answer = await next({ headers: { ...asked.headers, authorization: 'Bearer sandbox' } })
      return asked.path === '/pets' ? answer : withHeaders(answer, {})
    }
    const { ids } = await proxyCommand(
      await provide(services.pets, own),
      `const headers = { Authorization: 'Bearer live-key-of-the-service' }
      await call('/pets', { headers })
      await call('/pets', { headers: { ...headers, 'If-None-Match': '"a"' } })
      await call('/pets', { headers, method: 'HEAD' })`,
    )
    expect(ids).toEqual([])
  })

  it('shows credentials nowhere', async () => {
    const secrets = ['live-key-93a7c1f0', 'my-other-key-5512']
    const echoing = await listen((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': `session=${secrets[0]}` })
      response.end(JSON.stringify([{ [`${request.headers.authorization}`]: secrets[1] }]))
    })
    const { folder, stdout, stderr, report } = await proxyCommand(
      `${echoing}/v1`,
      `const { K } = process.env
      const headers = { Authorization: 'Bearer ' + K }
      await call('/pets?name=' + K, { headers })
      await call('/' + K, { headers })`,
      { args: ['--log', 'pretty'], env: { K: secrets[0] ?? '', PETSTORE_API_KEY: secrets[1] ?? '' } },
    )
    expect(report.findings.length).toBeGreaterThan(2)
    const har = await readFile(join(folder, 'traffic.har'), 'utf8')
    expect(har).toContain('[hidden]')
    for (const secret of secrets)
      for (const text of [stdout, stderr, har, JSON.stringify(report)]) expect(text).not.toContain(secret)
    expect(stderr).toMatch(/GET +\/v1\/pets\?name=\[hidden\] 200/)
  })

  it('leads to its own exit code if it fails', async () => {
    const { code, report } = await proxyCommand(
      await provide(services.books),
      `await call('/books'); process.exit(7)`,
      ofBooks,
    )
    expect(code).toBe(7)
    expect(report.commandExitCode).toBe(7)
  })

  it('fails if it sends nothing, unless that is allowed', async () => {
    const address = await provide(services.books)
    const { code, report } = await proxyCommand(address, '', ofBooks)
    expect(code).toBe(1)
    expect(report.failures).toMatchObject([{ message: 'no request reached the proxy' }])
    expect((await proxyCommand(address, '', { args: ['--spec', books, '--allow-no-requests'] })).code).toBe(0)
  })

  it('leaves out rules, knows a baseline and requires a coverage, as run does', async () => {
    const address = await provide(services.pets)
    const judge = (...args: string[]) => proxyCommand(address, `await call('/pets?limit=0')`, { args })
    expect((await judge('--ignore', 'invalid-parameter')).code).toBe(0)
    expect((await judge('--ignore', 'response-schema', '--fail-on', 'never')).code).toBe(0)
    expect((await judge('--baseline', 'known.json', '--update-baseline')).code).toBe(0)
    const { code, stdout } = await judge('--fail-on', 'never', '--min-coverage', '99', '--coverage')
    expect(code).toBe(1)
    expect(stdout).toMatch(/listPets/)
  })

  it('can be judged again by its recording', async () => {
    const { folder, ids } = await proxyCommand(
      await provide(services.pets),
      `await call('/pets?limit=0')
      await call('/pets', { method: 'POST', body: '{"name":4}' })`,
    )
    const { code } = await run(['run', '--har', 'traffic.har', '--report', 'json=again.json'], { cwd: folder })
    const again = JSON.parse(await readFile(join(folder, 'again.json'), 'utf8'))
    expect(code).toBe(1)
    expect(again.findings.map(({ id }: { id: string }) => id)).toEqual(ids)
  })
})

describe('wrong use of proxy', () => {
  it.each([
    { args: [], says: /missing required argument 'base-url'/ },
    { args: ['example'], says: /The address "example" is not a URL with a host/ },
    { args: ['http://a:b@example.com'], says: /"http:\/\/\*\*\*@example.com" must not contain a user/ },
    { args: ['http://127.0.0.1:9', '--server', 'none'], says: /none/ },
    { args: ['http://127.0.0.1:9', '--har', 'a', '--report', 'json=a'], says: /"a" would be written twice/ },
    { args: ['http://127.0.0.1:9', '--har', 'test'], says: /it is a folder/ },
    { args: ['http://127.0.0.1:9', '--ignore', 'unknown-reference'], says: /unknown-reference/ },
    { args: ['http://127.0.0.1:9', '--host', ''], says: /--host must be an address/ },
    { args: ['http://127.0.0.1:9', '--'], says: /needs the name of a command/ },
    { args: ['http://127.0.0.1:9', '--', 'no-such-command-here'], says: /there is no such command/ },
  ])('$args exits with 2', async ({ args, says }) => {
    const { code, stderr } = await run(['proxy', ...args], {})
    expect(stderr).toMatch(says)
    expect(code).toBe(2)
  })
})
