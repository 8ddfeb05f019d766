/** `startServer`, and the answers of the server that do not belong to the service. */
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { SandboxError } from 'petstore-sandbox'
import { type LogEntry, startServer } from 'petstore-sandbox/node'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { beginRequest, untilRefused } from '../support/in-flight.js'
import { root, run } from '../support/launch.js'
import { auth, books, json, kim, listPets, oneConnection, open, send } from '../support/open-server.js'
import { expectBefore } from '../support/prompt.js'
import { sizeOf } from '../support/records.js'

describe('startServer', () => {
  it('returns the address, the port, the sandbox and a function to close it', async () => {
    const server = await open()
    const members = ['close', 'document', 'noteCount', 'openFacts', 'places', 'port', 'sandbox', 'url']
    expect(Object.keys(server).sort()).toEqual(members)
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect(await sizeOf(server.sandbox.world())).toBeGreaterThan(0)
    const created = await fetch(`${server.url}/v1/pets`, { method: 'POST', headers: json, body: kim })
    expect(created.status).toBe(201)
    expect((await listPets(server.url))[0]?.name).toBe('Kim')
    await server.sandbox.reset()
    expect((await listPets(server.url))[0]?.name).not.toBe('Kim')
  })

  it('prints nothing, handles no signals, and does not keep the process alive', async () => {
    const script = `
      import { startServer } from 'petstore-sandbox/node'
      const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'exit', 'beforeExit', 'uncaughtException', 'unhandledRejection', 'warning']
      const count = () => events.map((event) => process.listenerCount(event)).join()
      const before = count()
      const server = await startServer({ port: 0 })
      if (count() !== before) process.exitCode = 3
      for (const path of ['/v1/pets', '/nothing', '/_sandbox/health', '/']) {
        const response = await fetch(server.url + path, { headers: { Authorization: 'Bearer sandbox', Accept: 'text/html' } })
        await response.text()
      }
      await fetch(server.url + '/v1/pets', { method: 'POST', body: 'not JSON' })
      await server.close()
      if (count() !== before) process.exitCode = 4
    `
    const command = [process.execPath, '--input-type=module', '--eval', script] as const
    expect(await run([], { command })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  })

  it('starts servers that share nothing', async () => {
    const [one, other] = await Promise.all([open(), open()])
    const before = await listPets(other.url)
    await fetch(`${one.url}/v1/pets`, { method: 'POST', headers: json, body: kim })
    await one.sandbox.clock.travelTo('2031-01-01')
    expect((await listPets(one.url))[0]?.name).toBe('Kim')
    expect(await listPets(other.url)).toEqual(before)
    expect(Math.abs((await other.sandbox.clock.now()) - Date.now())).toBeLessThan(3_600_000)
    expect(one.sandbox.journal.list().map(({ request }) => request.method)).toContain('POST')
    expect(other.sandbox.journal.list().map(({ request }) => request.method)).not.toContain('POST')
  })

  it('accepts the options of the sandbox', async () => {
    const { url } = await open({ apiKeys: ['mine'], scenario: { pets: [{ id: 5, name: 'Ida', categoryId: 2 }] } })
    const pets = await fetch(`${url}/v1/pets`, { headers: { Authorization: 'Bearer mine' } })
    expect(await pets.json()).toEqual([{ id: 5, name: 'Ida', categoryId: 2 }])
    expect((await fetch(`${url}/v1/pets`, { headers: auth })).status).toBe(401)
  })

  it('serves another document, by its path', async () => {
    const { url, sandbox } = await open({ spec: books })
    expect(sandbox.contract.title).toBe('Book Shelf')
    expect((await fetch(`${url}/api/books`, { headers: { 'X-API-Key': 'sandbox' } })).status).toBe(200)
  })

  it('reports each exchange', async () => {
    const entries: LogEntry[] = []
    const { url } = await open({ onExchange: (entry) => entries.push(entry) })
    await listPets(url)
    await fetch(`${url}/v1/pets?limit=0`, { headers: auth })
    expect(entries).toEqual([
      {
        at: expect.any(Number),
        method: 'GET',
        target: '/v1/pets',
        status: 200,
        ms: expect.any(Number),
        refused: undefined,
      },
      {
        at: expect.any(Number),
        method: 'GET',
        target: '/v1/pets?limit=0',
        status: 400,
        ms: expect.any(Number),
        refused: expect.stringContaining('limit'),
      },
    ])
  })

  it('refuses a port that is in use', async () => {
    const { port } = await open()
    const error = await startServer({ port }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(SandboxError)
    expect(error).toMatchObject({ code: 'PORT_IN_USE', message: expect.stringContaining(`Port ${port}`) })
  })

  it('never suggests a port beyond 65535', async () => {
    // At least one of two is refused, whatever else runs on this machine.
    const outcomes = await Promise.allSettled([startServer({ port: 65535 }), startServer({ port: 65535 })])
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.close()
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []))
    expect(refused).toContainEqual(expect.stringContaining('--port 65534, or --port 0'))
  })

  it.each([
    { name: 'a port beyond 65535', options: { port: 65536 }, code: 'INVALID_OPTION', says: '65536' },
    { name: 'half a port', options: { port: 1.5 }, code: 'INVALID_OPTION', says: '1.5' },
    { name: 'an unknown scenario', options: { scenario: 'nine-lives' }, code: 'INVALID_OPTION', says: '"nine-lives"' },
    { name: 'a missing file', options: { spec: 'none.yaml' }, code: 'UNREADABLE_FILE', says: '"none.yaml"' },
    { name: 'bad data', options: { scenario: { pets: [{ id: 1 }] } }, code: 'INVALID_SCENARIO', says: 'pets[0]' },
    { name: 'an invalid time', options: { at: 'soon' }, code: 'INVALID_OPTION', says: '"soon"' },
    {
      name: 'two sources of data',
      options: { records: 1, scenario: 'default' },
      code: 'INVALID_OPTION',
      says: 'not both',
    },
    {
      name: 'an address of another machine',
      options: { host: '203.0.113.7' },
      code: 'CANNOT_LISTEN',
      says: '203.0.113.7',
    },
    // Node.js listens on all addresses if the host is empty.
    { name: 'an empty host', options: { host: '' }, code: 'INVALID_OPTION', says: '""' },
    { name: 'a blank host', options: { host: ' \t' }, code: 'INVALID_OPTION', says: 'host must be' },
    { name: 'a host of JavaScript', options: JSON.parse('{"host":null}'), code: 'INVALID_OPTION', says: 'null' },
    { name: 'an address with a scheme', options: { host: 'http://localhost' }, code: 'INVALID_OPTION', says: 'http:' },
    {
      name: 'an empty allowed host',
      options: { allowHosts: ['a', ''] },
      code: 'INVALID_OPTION',
      says: 'allowHosts must be',
    },
    {
      name: 'an allowed host with a scheme',
      options: { allowHosts: ['http://foo'] },
      code: 'INVALID_OPTION',
      says: '"http://foo"',
    },
    {
      name: 'an allowed host with a port',
      options: { allowHosts: ['a', 'foo:80'] },
      code: 'INVALID_OPTION',
      says: '"foo:80"',
    },
    {
      name: 'no list of allowed hosts',
      options: JSON.parse('{"allowHosts":"foo"}'),
      code: 'INVALID_OPTION',
      says: '"foo"',
    },
    { name: 'an empty document', options: { spec: '' }, code: 'UNREADABLE_FILE', says: '""' },
    { name: 'an empty scenario', options: { scenario: '' }, code: 'INVALID_OPTION', says: '""' },
    { name: 'an empty time', options: { at: '' }, code: 'INVALID_OPTION', says: '""' },
    { name: 'an empty key', options: { apiKeys: [''] }, code: 'INVALID_OPTION', says: '""' },
    {
      name: 'a body limit of 8 GiB',
      options: { maxBodyBytes: 8 * 1024 ** 3 },
      code: 'INVALID_OPTION',
      says: '67108864',
    },
    { name: 'an endless body limit', options: { maxBodyBytes: Infinity }, code: 'INVALID_OPTION', says: '67108864' },
  ])('refuses $name', async ({ options, code, says }) => {
    const error = await startServer({ port: 0, ...options }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(SandboxError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) })
  })
})

describe('close', () => {
  it('resolves when the pending requests are answered, and not before', async () => {
    const server = await startServer({ port: 0 })
    const { finish } = await beginRequest(server.port)
    let isClosed = false
    const closed = server.close().then(() => {
      isClosed = true
    })
    await untilRefused(server.port)
    expect(isClosed).toBe(false)
    expect(await finish()).toMatchObject({ status: 201, connection: 'close' })
    await closed
  })

  it('waits for a delayed answer', async () => {
    const server = await startServer({ port: 0 })
    const { finish } = await beginRequest(server.port, { Prefer: 'delay=500' })
    const answer = finish()
    const closed = server.close()
    expect(await answer).toMatchObject({ status: 201 })
    await closed
  })

  // The server would cut each after eight seconds.
  it.each([
    { state: 'waits for the next request', sent: 'GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
    { state: 'has sent nothing', sent: '' },
    { state: 'has sent half a head', sent: 'GET /v1/pets HT' },
  ])('ends a connection that $state', async ({ sent }) => {
    await expectBefore(7_000, async (start) => {
      const server = await startServer({ port: 0 })
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => {})
      const ended = new Promise<void>((resolve) => socket.resume().on('close', () => resolve()))
      await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
      // When another connection is answered, the server has accepted this one too.
      await listPets(server.url)
      start()
      await server.close()
      await ended
    })
  })

  it('frees the port', async () => {
    const first = await startServer({ port: 0 })
    await first.close()
    const again = await startServer({ port: first.port })
    expect(again.port).toBe(first.port)
    await again.close()
  })

  it('can be called twice', async () => {
    const server = await startServer({ port: 0 })
    await Promise.all([server.close(), server.close()])
    await server.close()
  })
})

describe('beside the service', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
  /** Without a token, other machines get no inspector. */
  const reachable = { host: '0.0.0.0' }

  it('leads browsers to the inspector', async () => {
    const { url } = await open()
    const { port } = await open({ ...reachable, controlToken: 'secret' })
    for (const address of [url, `${url}/_sandbox`, `http://127.0.0.1:${port}`]) {
      const response = await fetch(address, { headers: browser, redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([302, '/_sandbox/'])
    }
  })

  it('shows browsers a page with addresses, a key, a curl command, and working links, where the inspector is off', async () => {
    const { port } = await open(reachable)
    const url = `http://127.0.0.1:${port}`
    const response = await fetch(`${url}/`, { headers: browser })
    const page = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const address of [`${url}/v1`, `${url}/staging/v1`, url]) expect(page).toContain(`<code>${address}</code>`)
    expect(page).toContain('The key &quot;sandbox&quot; works')
    expect(page).toContain('deprecated, until 2030-12-05')
    const curl = /<pre><code>(.*?)<\/code>/.exec(page)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? ''
    const pasted = await run([], { command: ['sh', '-c', curl] })
    expect(JSON.parse(pasted.stdout)).toEqual((await listPets(url)).slice(0, 3))
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(links).toEqual(
      expect.arrayContaining(['/_sandbox/openapi.yaml', '/_sandbox/openapi.json', '/_sandbox/health']),
    )
    for (const link of links) expect((await fetch(new URL(link, url))).status, link).toBe(200)
  })

  it('forbids the page to load or run anything, and other pages to frame it', async () => {
    const { port } = await open(reachable)
    const { headers } = await fetch(`http://127.0.0.1:${port}/`, { headers: browser })
    const policy = headers.get('content-security-policy')
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
      expect(policy).toContain(part)
    }
  })

  it('writes no requested host into the page that a host cannot have', async () => {
    const server = await open({ allowHosts: ['*'] })
    const host = '"><script>alert(1)</script>'
    const answer = await send(server, oneConnection(), { path: '/', headers: { ...browser, Host: host } })
    expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } })
    const odd = await send(server, oneConnection(), { path: '/', headers: { ...browser, Host: "a&'b" } })
    expect(odd.status).toBe(200)
    expect(odd.text).toContain('a&amp;')
    expect(odd.text).not.toContain("a&'")
  })

  it.each(['/', '/_sandbox/health', '/_sandbox/openapi.yaml', '/_sandbox/openapi.json', '/_sandbox/nothing'])(
    'forbids browsers to guess the type of %s',
    async (path) => {
      const { url } = await open()
      const { headers } = await fetch(url + path, { headers: browser })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it('shows records of the document, as the first key sees them', async () => {
    const { port, sandbox } = await open({ ...reachable, scenario: 'empty' })
    const page = async () => (await fetch(`http://127.0.0.1:${port}`, { headers: { Accept: 'text/html' } })).text()
    expect(await page()).not.toContain('<caption>')
    await sandbox.world().collection('pets').add({ name: '<Rex> & co', categoryId: 3 })
    expect(await page()).toMatch(/<caption>pets<\/caption>[\s\S]*<th>name<\/th>[\s\S]*<td>&lt;Rex&gt; &amp; co<\/td>/)
  })

  it('shows the page only to browsers', async () => {
    const { url } = await open()
    const response = await fetch(`${url}/`, { headers: { Accept: 'application/json' } })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 })
  })

  it('is healthy as soon as it has started', async () => {
    const { url } = await open()
    const response = await fetch(`${url}/_sandbox/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  })

  it('serves the original document, byte for byte', async () => {
    const { url } = await open()
    const response = await fetch(`${url}/_sandbox/openapi.yaml`)
    expect(response.headers.get('content-type')).toBe('application/yaml')
    const served = Buffer.from(await response.arrayBuffer())
    expect(served.equals(await readFile(join(root, 'spec/petstore.openapi.yaml')))).toBe(true)
  })

  it('serves the same document as JSON', async () => {
    const { url } = await open()
    const response = await fetch(`${url}/_sandbox/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual(parse(await readFile(join(root, 'spec/petstore.openapi.yaml'), 'utf8')))
  })

  it('serves the text of another document', async () => {
    const { url } = await open({ spec: books })
    const text = await readFile(books, 'utf8')
    expect(await (await fetch(`${url}/_sandbox/openapi.yaml`)).text()).toBe(text)
    expect(await (await fetch(`${url}/_sandbox/openapi.json`)).json()).toEqual(parse(text))
  })

  it.each(['/_sandbox/health', '/_sandbox/openapi.yaml', '/_sandbox/openapi.json'])(
    'answers HEAD for %s',
    async (path) => {
      const server = await open()
      const agent = oneConnection()
      const [got, head] = [await send(server, agent, { path }), await send(server, agent, { path, method: 'HEAD' })]
      expect(head).toMatchObject({ status: 200, text: '' })
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)))
      expect(head.headers['content-type']).toBe(got.headers['content-type'])
    },
  )

  it.each([
    { method: 'GET', path: '/_sandbox/nothing', status: 404, code: 'not_found' },
    { method: 'GET', path: '/_sandbox/health/', status: 404, code: 'not_found' },
    { method: 'GET', path: '/_sandbox/__proto__', status: 404, code: 'not_found' },
    { method: 'POST', path: '/_sandbox/health', status: 405, code: 'method_not_allowed' },
    { method: 'DELETE', path: '/_sandbox/openapi.yaml', status: 405, code: 'method_not_allowed' },
  ])('answers $method $path with $status', async ({ method, path, status, code }) => {
    const { url } = await open()
    const response = await fetch(url + path, { method })
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ code, message: expect.stringContaining(path), status })
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null)
  })

  it.each([
    { method: 'GET', path: '/_sandbox/health' },
    { method: 'GET', path: '/_sandbox/openapi.json' },
    { method: 'GET', path: '/_sandbox/nothing' },
    { method: 'POST', path: '/_sandbox/health' },
    { method: 'OPTIONS', path: '/_sandbox/health' },
  ])('lets no other origin read $method $path', async ({ method, path }) => {
    const server = await open()
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' }
    const answer = await send(server, oneConnection(), { method, path, headers })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    // The service itself allows it.
    const service = await send(server, oneConnection(), { path: '/v1/pets', headers })
    expect(service.headers['access-control-allow-origin']).toBe('https://app.example')
  })
})

it('delays an answer over HTTP as preferred', async () => {
  const server = await open()
  const start = performance.now()
  const { headers } = await send(server, oneConnection(), {
    path: '/v1/pets',
    headers: { ...auth, Prefer: 'delay=300' },
  })
  expect(headers['preference-applied']).toBe('delay=300')
  expect(performance.now() - start).toBeGreaterThan(290)
})

it('answers even if its listener fails', async () => {
  const errors: unknown[] = []
  const onExchange = () => {
    throw new Error('no disk')
  }
  const { url } = await open({ onExchange, onUnexpectedError: (error) => errors.push(error) })
  expect((await fetch(`${url}/v1/pets`, { headers: auth })).status).toBe(200)
  expect((await fetch(`${url}/v1/pets`, { headers: auth })).status).toBe(200)
  expect(errors.length).toBeGreaterThan(0)
})
