/** Findings of `run` about credentials of another document, and what their curl lines show of them. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Observed, observe, type Sent } from '../support/observe.js'
import { securedDocument } from '../support/secured-document.js'
import { writeFolder } from '../support/serving.js'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const jwt = `eyJhbGciOiJub25lIn0.${Buffer.from('{"client_id":"shop"}').toString('base64url')}.c2VjcmV0`

interface Example {
  what: string
  path: string
  headers: Sent['headers']
  /** Findings without the one about the unknown parameter. */
  finds: readonly string[]
  /** The curl line after the word curl. */
  line: string
}

const examples: readonly Example[] = [
  {
    what: 'the password of a user',
    path: '/basic',
    headers: { Authorization: basic('ana:top-secret') },
    finds: [],
    line: `-u "$PETSTORE_API_KEY:" "$PETSTORE_SANDBOX_URL/v1/basic?wrong=1"`,
  },
  {
    what: 'a token',
    path: '/bearer',
    headers: { Authorization: `Bearer ${jwt}` },
    finds: [],
    line: `-H "Authorization: Bearer $PETSTORE_API_KEY" "$PETSTORE_SANDBOX_URL/v1/bearer?wrong=1"`,
  },
  {
    what: 'the second of two keys',
    path: '/both',
    headers: { 'X-Key': 'one-secret', 'X-Second': 'two-secret' },
    finds: [],
    line: `-H "X-Key: $PETSTORE_API_KEY" -H "X-Second: $PETSTORE_API_KEY" "$PETSTORE_SANDBOX_URL/v1/both?wrong=1"`,
  },
  {
    what: 'a key',
    path: '/header',
    headers: { 'X-Key': 'one-secret' },
    finds: [],
    line: `-H "X-Key: $PETSTORE_API_KEY" "$PETSTORE_SANDBOX_URL/v1/header?wrong=1"`,
  },
  {
    what: 'one of two keys',
    path: '/both',
    headers: { 'X-Key': 'one-secret' },
    finds: ['missing-credentials GET /both header X-Second'],
    line: '',
  },
  {
    what: 'an unknown Digest',
    path: '/digest',
    headers: { Authorization: 'Digest username="no-such-key"' },
    finds: ['invalid-credentials GET /digest header Authorization'],
    line: '',
  },
  {
    what: 'another scheme',
    path: '/digest',
    headers: { Authorization: 'Bearer abc' },
    finds: ['missing-credentials GET /digest header Authorization'],
    line: '',
  },
]

describe('a request with', () => {
  let observed: Observed[]

  beforeAll(async () => {
    const folder = await writeFolder({ 'openapi.json': securedDocument })
    const args = ['--spec', join(folder, 'openapi.json'), '--fail-on', 'never']
    const toSent = ({ path, headers, line }: Example): Sent => ({
      path: line === '' ? path : `${path}?wrong=1`,
      headers: { Authorization: null, ...headers },
    })
    observed = []
    for (const each of examples) observed.push(await observe([toSent(each)], args))
  })

  it.each(examples.map((each, index) => ({ ...each, index })))('$what', ({ index, finds, line }) => {
    const { findings = [] } = observed[index] ?? {}
    const isAboutParameter = ({ rule }: { rule: string }) => rule === 'unknown-parameter'
    expect(findings.filter((each) => !isAboutParameter(each)).map(({ id }) => id)).toEqual(finds)
    const [unknown] = findings.filter(isAboutParameter)
    expect(unknown?.requests ?? []).toEqual(line === '' ? [] : [`curl ${line}`])
    expect(JSON.stringify(findings)).not.toContain('secret')
  })
})

describe('a key that an operation does not need', () => {
  it.each([
    { what: 'is no unknown parameter', path: '/open?api+key=a', found: ['info unneeded-credentials query api key'] },
    {
      what: 'is named once for each place',
      path: '/open',
      headers: { Authorization: `Bearer ${jwt}`, 'X-Key': 'a' },
      found: ['info unneeded-credentials header Authorization', 'info unneeded-credentials header X-Key'],
    },
    {
      what: 'may have a name that the document does not have',
      path: '/open?access_token=a',
      found: ['info unknown-parameter GET /open query access_token'],
    },
    { what: 'says nothing where keys are optional', path: '/optional', headers: { 'X-Key': 'a' }, found: [] },
  ])('$what', async ({ path, headers, found }) => {
    const folder = await writeFolder({ 'openapi.json': securedDocument })
    const sent: Sent = { path, headers: { Authorization: null, ...headers } }
    const { findings } = await observe([sent, sent], ['--spec', join(folder, 'openapi.json')])
    expect(findings.map(({ severity, id }) => `${severity} ${id}`).sort()).toEqual(found)
  })
})
