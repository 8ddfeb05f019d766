/** The command line of `check`: what it is told, what it sends, how it ends, and what it says on the way. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providerRules } from '../../src/checks/provider/provider-rules.js'
import { bin, type Ending, root, run, serve } from '../support/launch.js'
import { type Asked, listen, loadPlanted, provide, services, withHeaders } from '../support/providers.js'
import { runWarm } from '../support/warm.js'

const books = ['--spec', join(root, 'test/support/books.openapi.yaml')]
const withKey = ['--api-key', 'sandbox']
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-check-'))
})

afterAll(() => rm(folder, { recursive: true }))

function check(url: string, ...args: string[]): Promise<Ending> {
  return runWarm(['check', url, ...withKey, ...args])
}

/** A provider without faults that remembers what it was asked. */
async function watch(of: keyof typeof services = 'pets'): Promise<{ url: string; seen: (Asked & { at: number })[] }> {
  const seen: (Asked & { at: number })[] = []
  const url = await provide(services[of], (asked, next) => {
    seen.push({ ...asked, at: performance.now() })
    return next()
  })
  return { url, seen }
}

/** The same server by an address that does not say that it is this machine. */
function elsewhere(url: string): string {
  return url.replace('127.0.0.1', '0.0.0.0')
}

const methodsOf = (seen: readonly Asked[]) => [...new Set(seen.map(({ method }) => method))].sort()

describe('writing', () => {
  it('is left to addresses of this machine, and that is said', async () => {
    const { url, seen } = await watch()
    const { code, stdout, stderr } = await check(elsewhere(url), '--rate', '1000')
    expect(seen.length).toBeGreaterThan(20)
    expect(methodsOf(seen)).toEqual(['GET', 'HEAD'])
    expect(stderr).toBe(
      `petstore-sandbox: ${elsewhere(url)} is not on this machine, so only read requests are sent (--write allows others)\n`,
    )
    expect(stdout).toContain('note: createPet was not checked, as POST may write; --write allows it\n')
    expect(code).toBe(0)
  })

  it('is allowed elsewhere by --write', async () => {
    const { url, seen } = await watch()
    const { code, stderr } = await check(elsewhere(url), '--write', '--rate', '1000')
    expect(methodsOf(seen)).toEqual(['DELETE', 'GET', 'HEAD', 'POST'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it.each([['--write', 'false'], ['--write=no']])('is forbidden on this machine by %s %s', async (...args) => {
    const { url, seen } = await watch()
    const { code, stderr } = await check(url, ...args)
    expect(seen.length).toBeGreaterThan(20)
    expect(methodsOf(seen)).toEqual(['GET', 'HEAD'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it('comes from the environment too', async () => {
    const { url, seen } = await watch()
    const env = { PETSTORE_SANDBOX_WRITE: 'false', PETSTORE_API_KEY: 'sandbox' }
    expect((await runWarm(['check', url], { env })).code).toBe(0)
    expect(methodsOf(seen)).toEqual(['GET', 'HEAD'])
  })

  it('removes again what it created, where there is an operation for that', async () => {
    const { url, seen } = await watch('books')
    const listed = async () => {
      const response = await fetch(`${url}/books?limit=50`, { headers: { 'X-API-Key': 'sandbox' } })
      return ((await response.json()) as { total: number }).total
    }
    const before = await listed()
    const { code, stdout } = await check(url, ...books)
    expect(methodsOf(seen)).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
    expect(await listed()).toBe(before)
    expect(stdout).not.toContain('are still in')
    expect(code).toBe(0)
  })

  it('touches no record but its own', async () => {
    const { url, seen } = await watch('books')
    const headers = { 'X-API-Key': 'sandbox', 'Content-Type': 'application/json' }
    const ids: string[] = []
    for (const title of ['Emma', 'Faust', 'Optics']) {
      const response = await fetch(`${url}/books`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title, pages: 1 }),
      })
      ids.push(((await response.json()) as { id: string }).id)
    }
    await check(url, ...books)
    const changed = seen.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method)).map(({ path }) => path)
    expect(changed.length).toBeGreaterThan(0)
    for (const id of ids) expect(changed).not.toContain(`/books/${id}`)
  })
})

it('--rate keeps requests apart', async () => {
  const { url, seen } = await watch()
  const { code, stdout } = await check(url, '--rate', '40', '--write', 'false', '--report', 'json')
  expect(code).toBe(0)
  expect(seen).toHaveLength(JSON.parse(stdout).requests)
  const [first, last] = [seen[0]?.at ?? 0, seen.at(-1)?.at ?? 0]
  // A slow machine only makes it longer.
  expect(last - first).toBeGreaterThan(((seen.length - 1) / 40) * 1000 * 0.8)
})

it('--seed makes requests, which are the same in the next run', async () => {
  const bodies = async (...args: string[]) => {
    const { url, seen } = await watch()
    await check(url, ...args)
    return seen.filter(({ method }) => method === 'POST').map(({ body }) => body)
  }
  const once = await bodies()
  expect(await bodies()).toEqual(once)
  expect(await bodies('--seed', '2')).not.toEqual(once)
})

describe('wrong use', () => {
  it.each([
    { args: [], says: ["missing required argument 'base-url'"] },
    { args: ['127.0.0.1:4010'], says: ['"127.0.0.1:4010"', 'e.g. https://staging.example.com/v1'] },
    { args: ['/v1'], says: ['"/v1"', 'is not a URL with a host'] },
    { args: ['ftp://127.0.0.1/v1'], says: ['must begin with http:// or https://'] },
    { args: ['file:///v1'], says: ['is not a URL with a host'] },
    { args: ['http://me:pa55word@127.0.0.1/v1'], says: ['"http://***@127.0.0.1/v1"', 'use --api-key'] },
    { args: ['http://127.0.0.1/v1?key=s3cret'], says: ['"http://127.0.0.1/v1?***"'] },
    { args: ['http://127.0.0.1/v1?key=1'], says: ['without "?" and "#"'] },
    { args: ['http://127.0.0.1/v1#a'], says: ['without "?" and "#"'] },
    { args: ['http://127.0.0.1/v1', 'a.yaml', 'b.yaml'], says: ['too many arguments'] },
    { args: ['http://127.0.0.1/v1', '--server', 'prod'], says: ['"prod"', 'production, staging, quickstart'] },
    { args: ['http://127.0.0.1/v1', '--rate', '0'], says: ['--rate', 'above 0', '"0"'] },
    { args: ['http://127.0.0.1/v1', '--timeout', 'soon'], says: ['--timeout', '"soon"'] },
    { args: ['http://127.0.0.1/v1', '--write', 'maybe'], says: ['--write', '"maybe"'] },
    { args: ['http://127.0.0.1/v1', '--seed', '-1'], says: ['--seed'] },
    { args: ['http://127.0.0.1/v1', '--spec', 'missing.yaml'], says: ['"missing.yaml"'] },
    { args: ['http://127.0.0.1/v1', '--spec', 'package.json'], says: ['package.json', 'openapi'] },
    { args: ['http://127.0.0.1/v1', '--fail-on', 'fatal'], says: ['error, warning, info, never'] },
  ])('is told plainly: check $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await runWarm(['check', ...args, ...withKey])
    for (const part of says) expect(stderr).toContain(part)
    expect(stderr).not.toContain('pa55word')
    expect(stderr).not.toMatch(/^\s+at .*:\d+|an unexpected failure/m)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it.each([
    ['--report', 'xml'],
    ['--report', 'json=package.json/report.json'],
    ['--baseline', 'missing.json'],
    ['--server', 'prod'],
    ['--spec', 'missing.yaml'],
  ])('%s %s is told before anything is sent', async (...args) => {
    const { url, seen } = await watch()
    const { code, stdout } = await check(url, ...args)
    expect(seen).toEqual([])
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  const stopped: { name: string; listener: RequestListener; path?: string; says: string[] }[] = [
    {
      name: 'a key that is refused',
      listener: (_, response) => void response.writeHead(401).end(),
      says: ['refuses the key', '--api-key or PETSTORE_API_KEY'],
    },
    {
      name: 'a wrong base path',
      listener: (_, response) => void response.writeHead(404).end(),
      path: '/v2',
      says: ['answers 404 to every read request', '/v2/pets', 'is the base path right?'],
    },
  ]

  it.each(stopped)('$name is one message, not many findings', async ({ listener, path = '/v1', says }) => {
    const { code, stdout, stderr } = await check(`${await listen(listener)}${path}`)
    for (const part of says) expect(stderr).toContain(part)
    expect(stderr).not.toContain('sandbox ')
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('nothing that listens is said', async () => {
    const { url, stop } = await serve()
    await stop()
    const { code, stdout, stderr } = await run(['check', `${url}/v1`, ...withKey])
    expect(stderr).toMatch(/cannot be reached .*; is the provider running, and is this its address\?\n$/)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('no key is said where one is needed, and only there', async () => {
    const { url, seen } = await watch()
    const missing = await runWarm(['check', url])
    expect(missing.stderr).toContain('set a valid one with --api-key or PETSTORE_API_KEY')
    expect(missing.code).toBe(2)
    expect(seen).toEqual([])
    expect(
      (await runWarm(['check', url], { env: { PETSTORE_API_KEY: 'sandbox', PETSTORE_SANDBOX_WRITE: 'no' } })).code,
    ).toBe(0)
  })
})

describe('the exit code', () => {
  const withoutChallenge = () =>
    provide(services.pets, async (_, next) => withHeaders(await next(), { 'www-authenticate': undefined }))
  const withServerError = () =>
    provide(services.pets, (asked, next) =>
      asked.target === '/pets?limit=2' ? new Response('', { status: 500 }) : next(),
    )

  it.each([
    { name: 'an error', provider: withServerError, args: [], code: 1 },
    { name: 'an error, which never fails', provider: withServerError, args: ['--fail-on', 'never'], code: 0 },
    { name: 'a warning', provider: withoutChallenge, args: [], code: 0 },
    { name: 'a warning, which fails', provider: withoutChallenge, args: ['--fail-on', 'warning'], code: 1 },
  ])('for $name is $code', async ({ provider, args, code }) => {
    const ending = await check(await provider(), '--write', 'false', ...args)
    expect(ending.stdout).toMatch(/petstore-sandbox: .*1 error|petstore-sandbox: .*\d warning/)
    expect(ending.code).toBe(code)
  })

  it('is 0 for what a baseline knows, and 1 for what is new', async () => {
    const baseline = ['--baseline', join(folder, 'known.json'), '--write', 'false']
    const url = await withServerError()
    expect((await check(url, ...baseline, '--update-baseline')).code).toBe(0)
    expect(JSON.parse(await readFile(join(folder, 'known.json'), 'utf8')).findings).toHaveLength(1)
    expect((await check(url, ...baseline)).code).toBe(0)
    const other = await provide(services.pets, (asked, next) =>
      asked.target === '/pets?limit=101' ? new Response('', { status: 500 }) : next(),
    )
    expect((await check(other, ...baseline)).code).toBe(1)
  })
})

describe('the report', () => {
  it('says what was checked against what, and where in the document', async () => {
    const planted = await loadPlanted()
    const { url, close } = await planted.startProvider({ bug: 'filter-ignored' })
    try {
      const { stdout } = await runWarm([
        'check',
        `${url}/v1`,
        '--api-key',
        planted.key,
        '--report',
        'json',
        '--spec',
        'spec/petstore.openapi.yaml',
      ])
      const report = JSON.parse(stdout)
      expect(report).toMatchObject({ check: 'provider', subject: `${url}/v1`, isPassed: false })
      expect(report.rules.map(({ id }: { id: string }) => id)).toEqual(providerRules.map(({ id }) => id))
      const line = (await readFile(join(root, 'spec/petstore.openapi.yaml'), 'utf8'))
        .split('\n')
        .indexOf('      operationId: listPets')
      expect(report.findings).toEqual([
        expect.objectContaining({ operation: 'listPets', place: { file: 'spec/petstore.openapi.yaml', line } }),
      ])
    } finally {
      await close()
    }
  })

  it('has the rules that `rules` lists', async () => {
    const { stdout, code } = await runWarm(['rules', '--json'])
    const listed = JSON.parse(stdout).filter((rule: { check: string }) => rule.check === 'provider')
    // How a rule finds is a function.
    const written = JSON.parse(JSON.stringify(providerRules.map((rule) => ({ ...rule, check: 'provider' }))))
    expect(listed).toEqual(written)
    expect(code).toBe(0)
    const table = (await runWarm(['rules'])).stdout
    for (const { id, help } of providerRules)
      expect(table).toMatch(new RegExp(`^  ${id} .*\\n +${help.slice(0, 10)}`, 'm'))
  })
})

describe('progress', () => {
  const line = (url: string) => `"${process.execPath}" "${bin}" check ${url} --api-key sandbox --write false`

  it('is shown on a terminal, and cleared away', async () => {
    const { url } = await watch()
    const { stdout, code } = await run([], { command: ['script', '-qec', line(url), '/dev/null'] })
    const shown = stdout.split('\r\u001b[K')
    const after = shown.at(-1)
    expect(shown.slice(1, -1)).toContainEqual(expect.stringMatching(/^\d+ requests, now \w*$/))
    expect(after).not.toContain('requests, now')
    expect(after).toContain('petstore-sandbox: ')
    expect(code).toBe(0)
  })

  it('is not shown elsewhere', async () => {
    const { url } = await watch()
    expect((await run(['check', url, ...withKey])).stderr).toBe('')
  })
})
