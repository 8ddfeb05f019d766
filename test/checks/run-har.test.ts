/** `run --har` judges a recording instead of a command. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWarm as run } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-har-'))
})

afterAll(() => rm(folder, { recursive: true }))

const base = 'https://api.petstore.example/v1'

interface Entry {
  method?: string
  url?: string
  headers?: Record<string, string>
  body?: unknown
  bodySize?: number
  status?: number
  type?: string
  answer?: unknown
}

function toEntry({
  method = 'GET',
  url = `${base}/pets`,
  headers = { authorization: 'Bearer live-key' },
  body,
  bodySize = 0,
  status = 200,
  type = 'application/json',
  answer = [],
}: Entry) {
  const pairs = (all: Record<string, string>) => Object.entries(all).map(([name, value]) => ({ name, value }))
  return {
    startedDateTime: '2026-01-02T03:04:05.000Z',
    request: {
      method,
      url,
      headers: [
        { name: ':method', value: method },
        ...pairs({ ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }),
      ],
      bodySize,
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      headers: pairs({ 'content-type': type }),
      content: { mimeType: type, text: JSON.stringify(answer) },
    },
  }
}

async function judge(text: string, args: readonly string[] = []) {
  const own = await mkdtemp(join(folder, 'a-'))
  await writeFile(join(own, 'traffic.har'), text)
  const { code, stderr } = await run(['run', '--har', 'traffic.har', '--report', 'json=report.json', ...args], {
    cwd: own,
  })
  const report = code === 2 ? undefined : JSON.parse(await readFile(join(own, 'report.json'), 'utf8'))
  return {
    own,
    code,
    stderr,
    report,
    ids: report?.findings.map(({ id }: { id: string }) => id) as string[] | undefined,
  }
}

const judgeEntries = (entries: readonly Entry[], args?: readonly string[]) =>
  judge(JSON.stringify({ log: { version: '1.2', entries: entries.map(toEntry) } }), args)

describe('a recording', () => {
  it('passes if it keeps the contract', async () => {
    const { code, report } = await judgeEntries([
      {},
      { method: 'POST', body: { name: 'Rex', categoryId: 1 }, status: 201, answer: { id: 7 } },
    ])
    expect(code).toBe(0)
    expect(report).toMatchObject({ subject: 'traffic.har', requests: 2, findings: [], notes: [] })
  })

  it.each([
    {
      what: 'a wrong parameter',
      entry: { url: `${base}/pets?limit=all`, status: 400 },
      id: 'invalid-parameter GET /pets query limit type',
    },
    {
      what: 'a wrong parameter that the service accepted',
      entry: { url: `${base}/pets?limit=0` },
      id: 'invalid-parameter GET /pets query limit minimum',
    },
    {
      what: 'a wrong body',
      entry: { method: 'POST', body: { categoryId: 1 }, status: 400 },
      id: 'invalid-body POST /pets body name required',
    },
    {
      what: 'an undocumented path',
      entry: { url: `${base}/nowhere`, status: 404, answer: {} },
      id: 'undocumented-path GET /v1/nowhere',
    },
    {
      what: 'an undocumented method',
      entry: { method: 'DELETE', status: 405, answer: {} },
      id: 'undocumented-method DELETE /pets',
    },
    {
      what: 'a missing key beside others',
      entry: { headers: {}, status: 401 },
      id: 'missing-credentials GET /pets header Authorization',
    },
    {
      what: 'an unknown parameter',
      entry: { url: `${base}/pets?colour=red` },
      id: 'unknown-parameter GET /pets query colour',
    },
  ])('has findings: $what', async ({ entry, id }) => {
    expect((await judgeEntries([{}, entry])).ids).toEqual([id])
  })

  it('accepts the keys of the service, and records that the sandbox does not have', async () => {
    const entries = [
      { url: `${base}/pets/99999999` },
      { method: 'POST', body: { name: 'Rex', categoryId: 9999 }, status: 201 },
    ]
    expect((await judgeEntries(entries)).ids?.filter((id) => !id.startsWith('deprecated'))).toEqual([])
  })

  it('is judged without credentials if a browser left them out', async () => {
    const { ids, report } = await judgeEntries([{ headers: {} }, { headers: {}, url: `${base}/pets?limit=0` }])
    expect(ids).toEqual(['invalid-parameter GET /pets query limit minimum'])
    expect(report.notes).toContain('traffic.har has no credentials, so that they were not judged')
  })

  it('is judged without bodies that it lacks, and a note counts them', async () => {
    const { ids, report } = await judgeEntries([
      {
        method: 'POST',
        bodySize: 20,
        headers: { authorization: 'Bearer a', 'content-type': 'application/json' },
        status: 201,
      },
    ])
    expect(ids).toEqual([])
    expect(report.notes).toContain('1 request of traffic.har had a body that was not recorded or judged')
  })

  it.each([
    { what: 'a size that the browser did not know', entry: { method: 'POST', bodySize: -1, status: 201 } },
    {
      what: 'a length in its headers',
      entry: {
        method: 'POST',
        status: 201,
        headers: { authorization: 'Bearer a', 'content-type': 'application/json', 'content-length': '33' },
      },
    },
  ])('does not judge a body that it lacks: $what', async ({ entry }) => {
    expect((await judgeEntries([entry])).ids).toEqual([])
  })

  it('judges requests that cannot be sent again as they are', async () => {
    const url = 'https://user:word@api.petstore.example/v1/pets?limit=0'
    const { ids } = await judgeEntries([{}, { url, headers: { authorization: 'Bearer a', 'x-name': '\u65e5\u672c' } }])
    expect(ids).toEqual(['invalid-parameter GET /pets query limit minimum'])
  })

  it('leaves out pages, images and other services', async () => {
    const others = [
      { url: 'https://cdn.example/a.js', type: 'text/javascript' },
      { url: 'https://api.petstore.example/logo.png', type: 'image/png' },
      { url: 'data:text/plain,a' },
    ]
    const { ids, report } = await judgeEntries([{}, ...others])
    expect(ids).toEqual([])
    expect(report.notes).toContain('2 requests of traffic.har did not call the service')
  })

  it('can be locked', async () => {
    const { own, code } = await judgeEntries(
      [{ url: `${base}/pets?limit=100` }],
      ['--lock', 'use.json', '--update-lock'],
    )
    expect(code).toBe(0)
    expect(
      JSON.parse(await readFile(join(own, 'use.json'), 'utf8')).operations['GET /pets'].parameters['query limit'],
    ).toEqual(['=100'])
  })
})

describe('a recording that cannot be used', () => {
  it.each([
    { what: 'not JSON', text: '{\n"log": {,}\n}', message: 'traffic.har:2": it is not JSON' },
    { what: 'another file', text: '{}', message: 'it has no log.entries' },
    {
      what: 'an entry without a request',
      text: '{"log":{"entries":[{}]}}',
      message: 'entry 1": it has no request or no response',
    },
    {
      what: 'empty',
      text: '{"log":{"entries":[]}}',
      message: 'none of its 0 requests is an operation of the document',
    },
    {
      what: 'of another service',
      text: JSON.stringify({ log: { entries: [toEntry({ url: 'https://cars.example/cars' })] } }),
      message: 'none of its 1 request is an operation of the document',
    },
  ])('exits with 2: $what', async ({ text, message }) => {
    const { code, stderr } = await judge(text)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('is refused beside a command, and if it is missing', async () => {
    const beside = await run(['run', '--har', 'a.har', '--', 'npm', 'test'], { cwd: folder })
    expect(beside.code).toBe(2)
    expect(beside.stderr).toContain('takes no command (got "npm")')
    const missing = await run(['run', '--har', 'none.har'], { cwd: folder })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('none.har')
  })
})
