/** The lines by which findings are seen again, and the key, which is in none of them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/checks/finding.js'
import { reportFormats } from '../../src/checks/reports/report-formats.js'
import { createHide } from '../../src/contract/hiding/hide-secrets.js'
import { hold, listen, provide, services, withJson } from '../support/providers.js'
import { runWarm } from '../support/warm.js'

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

const everyCharacter = (key: string, write: (code: number) => string) =>
  [...key].map((each) => write(each.codePointAt(0) ?? 0)).join('')
const everyUnit = (key: string, write: (code: number) => string) =>
  Array.from({ length: key.length }, (_, index) => write(key.charCodeAt(index))).join('')
const hex = (code: number, length: number) => code.toString(16).padStart(length, '0')
const bytes = (key: string) => [...Buffer.from(key)]
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** How a provider may write what it received. */
const encodings: Record<string, (key: string) => string> = {
  'as it is': (key) => key,
  'in upper case': (key) => key.toUpperCase(),
  'in lower case': (key) => key.toLowerCase(),
  'in JSON': (key) => JSON.stringify(key),
  'in JSON with \\/': (key) => JSON.stringify(key).replaceAll('/', '\\/'),
  'in JSON with \\u003d': (key) =>
    JSON.stringify(key).replace(/[^\w]/g, (found) => everyUnit(found, (code) => `\\u${hex(code, 4)}`)),
  'in \\u escapes': (key) => everyUnit(key, (code) => `\\u${hex(code, 4)}`),
  'in \\U escapes': (key) => everyUnit(key, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  'in \\u{} escapes': (key) => everyCharacter(key, (code) => `\\u{${hex(code, 4)}}`),
  'in \\x escapes': (key) =>
    bytes(key)
      .map((byte) => `\\x${hex(byte, 2)}`)
      .join(''),
  'in octal escapes': (key) =>
    bytes(key)
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  'in JSON in JSON': (key) => JSON.stringify(JSON.stringify(key).replaceAll('/', '\\/')),
  'in JSON in JSON in JSON': (key) => JSON.stringify(JSON.stringify(JSON.stringify(key))),
  'percent-encoded': (key) => encodeURIComponent(key),
  'percent-encoded in lower case': (key) => encodeURIComponent(key).toLowerCase(),
  'percent-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'percent-encoded whole': (key) =>
    bytes(key)
      .map((byte) => `%${hex(byte, 2)}`)
      .join(''),
  'in JSON in a URL': (key) => encodeURIComponent(JSON.stringify(key)),
  'in a form': (key) => new URLSearchParams({ '': key }).toString().slice(1),
  'in HTML': (key) => key.replace(/[&<>"'=/+]/g, (found) => everyUnit(found, (code) => `&#${code};`)),
  'in HTML with names': (key) => key.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('=', '&equals;'),
  'in HTML in hexadecimal': (key) => everyCharacter(key, (code) => `&#X${hex(code, 5).toUpperCase()};`),
  'in HTML in HTML': (key) => key.replaceAll('&', '&amp;amp;').replaceAll('"', '&amp;quot;'),
  'in hexadecimal': (key) => Buffer.from(key).toString('hex'),
  'in upper-case hexadecimal': (key) => Buffer.from(key).toString('hex').toUpperCase(),
  'in hexadecimal with colons': (key) =>
    bytes(key)
      .map((byte) => hex(byte, 2))
      .join(':'),
  'in hexadecimal as in C': (key) =>
    bytes(key)
      .map((byte) => `0x${hex(byte, 2)}`)
      .join(', '),
  'as a Buffer': (key) => JSON.stringify(Buffer.from(key)),
  'as a Buffer in lines': (key) => JSON.stringify(Buffer.from(key), null, 2),
  'in Base64': (key) => base64(key),
  'in Base64 of Bearer': (key) => base64(`Bearer ${key}`),
  'in Base64 of Basic': (key) => base64(`${key}:`),
  'in Base64 of what begins with one byte': (key) => base64(`"${key}"`),
  'in Base64 of what begins with two bytes': (key) => base64(`{"${key}"}`),
  'in Base64 of JSON': (key) => base64(JSON.stringify({ key })),
  'in Base64 of a URL': (key) => base64(`/?key=${encodeURIComponent(key)}&x=1`),
  'in Base64 of Base64': (key) => base64(`Basic ${base64(`${key}:`)}`),
  'in Base64 for URLs': (key) => Buffer.from(`Bearer ${key}`).toString('base64url'),
  'in Base64 in lines': (key) => base64(`Bearer ${key}`).replace(/.{10}/g, '$&\r\n'),
  'in Base64 with \\/ in JSON': (key) => JSON.stringify(base64(`Bearer ${key}`)).replaceAll('/', '\\/'),
  'in Base64, percent-encoded': (key) => encodeURIComponent(base64(`Bearer ${key}`)),
  'as Latin-1': (key) => Buffer.from(key).toString('latin1'),
  'in another form of Unicode': (key) => key.normalize('NFD'),
}
/** What would tell the key. */
function formsOf(key: string): string[] {
  return Object.values(encodings).map((encode) => encode(key))
}

describe('the key', () => {
  it.each(cases)('$key in $scheme is in no report, though the provider tells all that it was sent', async (each) => {
    const { scheme, key } = each
    const spec = join(folder, `${scheme}.openapi.json`)
    await writeFile(spec, notesBy(scheme))
    const forms = formsOf(key)
    const url = await listen((request, response) => {
      // Another one comes first each time, as only the beginning of a body is shown.
      forms.push(forms.shift() ?? '')
      const headers = {
        'Content-Type': 'application/json',
        'X-Sent': JSON.stringify(request.rawHeaders),
        Location: `${request.url}#${Buffer.from(`Bearer ${key}`).toString('base64')}`,
      }
      const said = JSON.stringify({ sent: [request.url, request.rawHeaders, decodeURIComponent(request.url ?? '')] })
      // The end of what is shown falls into the key somewhere.
      const body =
        forms.slice(0, 3).join(' ') +
        said +
        'x'.repeat(490 % (key.length + 7)) +
        [key, key, key, key, key, key, key, key, key].join(' ').repeat(5)
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

  it('is in no report where it comes back as a value that is then sent', async () => {
    const [, key = ''] = keys
    const spec = join(folder, 'echo.json')
    const document = JSON.parse(notesBy('header'))
    const { post, get } = document.paths['/notes']
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    const record = {
      type: 'object',
      required: ['id', 'text'],
      properties: { id: { type: 'string' }, text: { type: 'string' } },
    }
    const content = { 'application/json': { schema: record } }
    post.responses[201].content = content
    get.responses[200].content['application/json'].schema.items = record
    const read = { parameters, responses: { 200: { description: 'Fine', content }, 404: { description: 'No' } } }
    const put = { ...read, requestBody: { required: true, content } }
    document.paths['/notes/{id}'] = { get: read, put }
    await writeFile(spec, JSON.stringify(document))
    const url = await listen((request, response) => {
      response.writeHead(request.method === 'POST' ? 201 : request.url === '/api/notes' ? 200 : 404, {
        'Content-Type': 'application/json',
      })
      const note = { id: key, text: key }
      response.end(JSON.stringify(request.url === '/api/notes' && request.method === 'GET' ? [note] : note))
    })
    const { code, stdout, stderr } = await runWarm(['check', `${url}/api`, '--spec', spec, '--api-key', key])
    expect(code).toBe(1)
    expect(stdout).toContain('record-lost GET /notes/{id} just created')
    for (const form of formsOf(key)) expect(stdout + stderr).not.toContain(form)
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

const secrets: [name: string, key: string][] = [
  ...keys,
  'clé-密码-ßøß-schlüssel',
  'Sp aced+Plus/Slash==',
  `${'eyJhbGciOiJIUzI1NiJ9.'.repeat(40)}x_-`,
].map((key) => [key.slice(0, 30), key])

describe.each(Object.entries(encodings))('the key %s', (_, encode) => {
  /** Of a text, everything but the key. */
  const most = (spare: number) => encode('').length + spare

  it.each(secrets)('is hidden: %s', (_, key) => {
    const hide = createHide([key], '***')
    const shown = hide(`before ${encode(key)} after`)
    expect(shown).toMatch(/^before .*\*\*\*.* after$/s)
    // Some digits of Base64 also depend on what is beside the key.
    expect(shown.replaceAll('***', '').length, shown).toBeLessThanOrEqual(most('before  after'.length + 8))
  })

  it.each(secrets)('is hidden where it is cut: %s', (_, key) => {
    const hide = createHide([key], '***')
    const whole = encode(key)
    // Four characters may be shown, however many are needed to write them.
    const spare = Math.ceil((4 * whole.length) / Math.min(key.length, whole.length)) + 12
    const ends = whole.length > 400 ? [50, 200, 333, whole.length - 1] : whole.split('').keys()
    for (const end of ends) {
      const shown = hide(`${whole.slice(0, end)}…`)
      expect(shown.replaceAll('***', '').length, shown).toBeLessThanOrEqual(most(spare))
    }
  })
})

it('hides nothing without a key, and leaves other texts as they are', () => {
  const text = 'a key \\u003d %3D &amp; \ud800 plain-s3cre plain-s3cret-x İ'
  expect(createHide([''], '***')(text)).toBe(text)
  expect(createHide(['no-such'], '***')(text)).toBe(text)
  expect(createHide(['plain-s3cret'], '***')(text)).toBe(text.replace('plain-s3cret-', '***-'))
  expect(createHide(['k\ud800ey'], '***')('k\ud800ey')).toBe('***')
})

/** Runs lines as somebody would who has pasted them. @returns the statuses of the answers */
async function paste(lines: readonly string[], key: string): Promise<number[]> {
  const shown = lines.map((line) =>
    line.replace(/(\| )?\bcurl /, (start) => `${start}-sS -o /dev/null -w '%{http_code}\\n' `),
  )
  const { stdout } = await promisify(execFile)('bash', ['-c', shown.join('\n')], {
    env: { ...process.env, PETSTORE_API_KEY: key },
  })
  return stdout.trimEnd().split('\n').map(Number)
}

async function expectSameAnswers(findings: readonly Finding[], key: string): Promise<void> {
  expect(findings.length).toBeGreaterThan(0)
  const lines = findings.map(({ requests }) => requests.at(-1) ?? '')
  const statuses = await paste(lines, key)
  expect(statuses).toHaveLength(findings.length)
  for (const [index, { id, response }] of findings.entries()) {
    expect(statuses[index], `${id}: ${lines[index]}`).toBe(response?.status)
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
    // One of each kind: their lines have the key in the same way.
    const kinds = new Map(findings.map((finding) => [`${finding.rule} ${finding.method}`, finding]))
    await expectSameAnswers([...kinds.values()], key)
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
