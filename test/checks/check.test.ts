/** What `check` finds in a provider, and that it finds nothing in a right one. */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../support/launch.js'
import { hold, loadPlanted, services } from '../support/providers.js'
import { runWarm, serveWarm as serve } from '../support/warm.js'

const books = join(root, 'test/support/books.openapi.yaml')
const planted = await loadPlanted()

async function plant(bug?: string): Promise<string> {
  const { url, close } = await planted.startProvider(bug === undefined ? {} : { bug })
  onTestFinished(close)
  return `${url}/v1`
}

describe('a right provider', () => {
  it.each([
    { what: 'production', path: '/v1', args: [], of: [], counts: 'pets' },
    { what: 'staging, by the path', path: '/staging/v1', args: [], of: [], counts: 'pets' },
    { what: 'the quickstart, by the path', path: '', args: [], of: [], counts: 'messages' },
    { what: 'another document', path: '/api', args: ['--spec', books], of: ['--spec', books], counts: undefined },
  ])('has no findings: a sandbox of $what', async ({ path, args, of, counts }) => {
    const { url } = await serve(of)
    for (const write of [[], ['--write', 'false']]) {
      const check = ['check', `${url}${path}`, '--api-key', 'sandbox', '--report', 'json', ...args, ...write]
      const { code, stdout } = await runWarm(check)
      const { findings, notes, requests } = JSON.parse(stdout)
      expect(findings).toEqual([])
      expect(code).toBe(0)
      expect(requests).toBeGreaterThan(0)
      const left = notes.filter((note: string) => note.includes('are still in'))
      expect(left).toEqual(
        counts && write.length === 0
          ? [expect.stringMatching(`^\\d+ records that this check created are still in ${counts}: `)]
          : [],
      )
    }
  })

  it.each([true, false])('has no findings: one by another hand (may write: %s)', async (canWrite) => {
    const { findings, requests } = await hold(await plant(), services.pets, { key: planted.key, canWrite })
    expect(findings).toEqual([])
    expect(requests).toBeGreaterThan(60)
  })
})

/** Findings that name what is wrong, by bug; what follows from it may be found as well. */
const found: Record<string, string[]> = {
  'auth-skipped': ['credentials-not-checked GET /pets/{petId} without credentials'],
  'any-key-accepted': ['credentials-not-checked POST /pets with a key that nobody has'],
  'key-by-its-beginning': [
    'partial-key-accepted GET /pets/{petId} with more characters after the key',
    'partial-key-accepted GET /pets with more characters after the key',
  ],
  'missing-key-403': ['undocumented-status GET /pets 403', 'undocumented-status POST /pets 403'],
  'validated-before-auth': ['credentials-not-checked POST /pets without credentials, and broken otherwise'],
  'limit-off-by-one': ['limit-not-kept GET /pets query limit: too many'],
  'default-limit-not-kept': ['default-not-kept GET /pets query limit: too many'],
  'limit-maximum-not-kept': ['invalid-request-accepted GET /pets query limit maximum'],
  'filter-ignored': ['filter-not-kept GET /pets query status: not matching'],
  'unknown-status-accepted': ['invalid-request-accepted GET /pets query status enum'],
  'name-not-required': ['invalid-request-accepted POST /pets body name required'],
  'category-id-coerced': ['invalid-request-accepted POST /pets body categoryId type'],
  'content-type-ignored': ['invalid-request-accepted POST /pets content type'],
  'status-required': ['valid-request-refused POST /pets body'],
  'created-without-id': ['response-schema POST /pets 201 body required'],
  'error-without-status': [
    'response-schema GET /pets/{petId} 404 body required',
    'response-schema POST /pets 400 body required',
  ],
  'error-status-wrong': ['error-status GET /pets/{petId} body status', 'error-status GET /pets body status'],
  'html-500': ['server-error POST /pets invalid'],
  'list-as-text': ['response-schema GET /pets 200'],
  'null-status': [
    'response-schema GET /pets 200 body[].status enum',
    'response-schema POST /pets 201 body.status enum',
  ],
  'unknown-id-200': ['unknown-record-found GET /pets/{petId} unknown key'],
  'id-from-body': ['key-taken-from-body POST /pets'],
  'id-reused': ['key-reused POST /pets'],
  'state-lost': ['record-lost GET /pets/{petId} just created', 'record-lost GET /pets listed'],
  'rejected-but-stored': ['refused-but-stored POST /pets'],
  'list-stale': ['record-lost GET /pets listed'],
  'int64-rounded': ['record-changed POST /pets created categoryId'],
  'int64-wrapped': ['invalid-request-accepted POST /pets body categoryId minimum'],
  'emoji-lost': ['record-changed GET /pets/{petId} read name', 'record-changed GET /pets listed name'],
  'lifecycle-missing': [
    'lifecycle-headers GET /pets/{petId} Deprecation missing',
    'lifecycle-headers GET /pets/{petId} Link missing',
  ],
  'sunset-swapped': ['lifecycle-headers GET /pets/{petId} Sunset different'],
  'lifecycle-only-on-success': ['lifecycle-headers GET /pets/{petId} Sunset missing'],
}

describe('a planted bug', () => {
  it.each(planted.bugs)('is found: $wrong ($id)', async ({ id }) => {
    const { findings } = await hold(await plant(id), services.pets, { key: planted.key, generated: 2 })
    const ids = findings.map((finding) => finding.id)
    expect(ids).toEqual(expect.arrayContaining(found[id] ?? ['one of the table']))
  })

  it('on reading is found by reading only', async () => {
    const { findings } = await hold(await plant('filter-ignored'), services.pets, { key: planted.key, canWrite: false })
    expect(findings.map(({ id }) => id)).toEqual(found['filter-ignored'])
  })
})
