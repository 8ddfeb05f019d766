/** The lines by which findings are seen again, and the key, which is in none of them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../src/checks/finding.js'
import { reportFormats } from '../src/checks/reports/report-formats.js'
import { hold, listen, provide, services, withJson } from './support/providers.js'
import { runWarm } from './support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-check-'))
})

afterAll(() => rm(folder, { recursive: true }))

const schemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
}

/** Notes, that ask for a key in one way. */
function notesBy(scheme: keyof typeof schemes): string {
  const note = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
  const stored = { allOf: [note, { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }] }
  const answer = (schema: unknown) => ({ description: 'Fine', content: { 'application/json': { schema } } })
  const list = { responses: { 200: answer({ type: 'array', items: stored }), 401: { description: 'No' } } }
  const create = {
    requestBody: { required: true, content: { 'application/json': { schema: note } } },
    responses: { 201: answer(stored), 400: { description: 'Bad' }, 401: { description: 'No' } },
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    servers: [{ url: 'https://notes.example/api' }],
    security: [{ key: [] }],
    paths: { '/notes': { get: list, post: create } },
    components: { securitySchemes: { key: schemes[scheme] } },
  })
}

const keys = ['plain-s3cret', 's3cret/k+y=&%20"$x', 'user:pa55word-of-many-letters']
const cases = Object.keys(schemes).flatMap((scheme) =>
  keys.map((key) => ({ scheme: scheme as keyof typeof schemes, key })),
)

// Only here: a header has no characters beyond Latin-1.
cases.push({ scheme: 'basic', key: 'clé-密码-ß' })

/** What would tell the key. */
function formsOf(key: string): string[] {
  const base64 = [key, `${key}:`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''))
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64]
}

describe('the key', () => {
  it.each(cases)('$key in $scheme is in no report, though the provider tells all that it was sent', async (each) => {
    const { scheme, key } = each
    const spec = join(folder, `${scheme}.json`)
    await writeFile(spec, notesBy(scheme))
    const url = await listen((request, response) => {
      const headers = {
        'Content-Type': 'application/json',
        'X-Sent': JSON.stringify(request.rawHeaders),
        Location: request.url ?? '',
      }
      const said = JSON.stringify({ sent: [request.url, request.rawHeaders, decodeURIComponent(request.url ?? '')] })
      // The end of what is shown falls into the key somewhere.
      const body =
        said + 'x'.repeat(490 % (key.length + 7)) + [key, key, key, key, key, key, key, key, key].join(' ').repeat(5)
      response.writeHead(request.method === 'GET' ? 302 : 418, headers).end(body)
    })
    const names = Object.keys(reportFormats)
    const files = names.map((name) => join(folder, `${scheme}.${name}`))
    const reports = names.flatMap((name, index) => ['--report', `${name}=${files[index]}`])
    const { code, stdout, stderr } = await runWarm([
      'check',
      `${url}/api`,
      '--spec',
      spec,
      '--api-key',
      key,
      ...reports,
    ])
    expect(code).toBe(1)
    expect(stdout).toContain('undocumented-status')
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    for (const text of [stdout, stderr, ...texts]) {
      for (const form of formsOf(key)) expect(text.includes(form), `${form} in ${text}`).toBe(false)
    }
  })

  it.each(['query', 'basic'] as const)('in %s is not told where nothing can be checked', async (scheme) => {
    const [, key = ''] = keys
    const spec = join(folder, `gone-${scheme}.json`)
    await writeFile(spec, notesBy(scheme))
    for (const status of [404, 401]) {
      const url = await listen((_, response) => void response.writeHead(status).end())
      const { code, stdout, stderr } = await runWarm(['check', `${url}/api`, '--spec', spec, '--api-key', key])
      expect(code).toBe(2)
      for (const form of formsOf(key)) expect(stdout + stderr).not.toContain(form)
    }
  })
})

/** Runs a line as somebody would who has pasted it. @returns the status of the answer */
async function paste(line: string, key: string): Promise<number> {
  const shown = line.replace(/(\| )?\bcurl /, (start) => `${start}-sS -o /dev/null -w '%{http_code}' `)
  const { stdout } = await promisify(execFile)('bash', ['-c', shown], {
    env: { ...process.env, PETSTORE_API_KEY: key },
  })
  return Number(stdout)
}

async function expectSameAnswers(findings: readonly Finding[], key: string): Promise<void> {
  expect(findings.length).toBeGreaterThan(0)
  for (const { id, requests, response } of findings) {
    expect(await paste(requests.at(-1) ?? '', key), `${id}: ${requests.at(-1)}`).toBe(response?.status)
  }
}

describe('a curl line', () => {
  it.each(cases)('is answered as in the finding: $key in $scheme', async ({ scheme, key }) => {
    const text = notesBy(scheme)
    const service = { text, base: '/api' }
    // Another status for each way in which the key can go missing, and where it is there.
    const url: string = await listen(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const { authorization = '', cookie, 'x-key': header } = request.headers
      const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
      const isThere =
        [`Bearer ${key}`].includes(authorization) ||
        [key, `${key}:`].includes(basic) ||
        cookie === `session=${key}` ||
        header === key ||
        new URL(request.url ?? '', url).searchParams.get('key') === key
      response.writeHead(isThere ? 250 + (body.length % 40) : 450 + (authorization.length % 40)).end()
    })
    const { findings } = await hold(`${url}/api`, service, { key })
    expect(findings.some(({ response }) => (response?.status ?? 0) < 300)).toBe(true)
    await expectSameAnswers(findings, key)
  })

  it('is answered as in the finding, whatever text a body has', async () => {
    const url = await provide(services.pets, async (asked, next) => {
      const answer = await next()
      if (asked.method !== 'POST') return answer
      const length = Buffer.byteLength(asked.body)
      return new Response(await answer.text(), { status: 210 + (length % 80), headers: answer.headers })
    })
    const { findings } = await hold(url)
    expect(findings.length).toBeGreaterThan(5)
    await expectSameAnswers(findings, 'sandbox')
  })

  it('comes after those that lead to it', async () => {
    const url = await provide(services.pets, async (asked, next) => {
      const answer = await next()
      return asked.path.startsWith('/pets/') && answer.ok
        ? withJson(answer, (pet) => ({ ...pet, name: `${pet['name']}?` }))
        : answer
    })
    const { findings } = await hold(url)
    const finding = findings.find(({ id }) => id === 'record-changed GET /pets/{petId} read name')
    expect(finding?.requests).toEqual([
      expect.stringMatching(
        /^curl -H "Authorization: Bearer \$PETSTORE_API_KEY" .* --data-raw '\{.*\}' 'http.*\/v1\/pets'$/,
      ),
      expect.stringMatching(/^curl -H "Authorization: Bearer \$PETSTORE_API_KEY" 'http.*\/v1\/pets\/\d+'$/),
    ])
  })
})
