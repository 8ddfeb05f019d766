/** `check` with keys that are similar to the valid one: what it finds, what it does not take for a bug, and what it shows. */
import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../src/checks/provider/check-provider.js'
import { type Alter, type Asked, hold, provide, services, withText } from '../support/providers.js'

/** A provider with other keys than the sandbox has. */
function withKeys(isValid: (key: string) => boolean): Alter {
  return (asked, next) => {
    const [, given = ''] = /^Bearer (.*)$/.exec(asked.headers['authorization'] ?? '') ?? []
    return next({ headers: { ...asked.headers, authorization: isValid(given) ? 'Bearer sandbox' : 'Bearer no' } })
  }
}

const isSimilar = ({ rule }: { rule: string }) => rule === 'partial-key-accepted'

async function check(key: string, alter: Alter): Promise<CheckResult> {
  return hold(await provide(services.pets, alter), services.pets, { key, generated: 1, canWrite: false })
}

/** Keys that a service may have by design. */
const designs: readonly { what: string; key: string; isValid(key: string): boolean }[] = [
  { what: 'one key', key: 'plain-secret', isValid: (key) => key === 'plain-secret' },
  { what: 'a beginning without a name', key: 'sandbox', isValid: (key) => /^sandbox(-[\w.-]{1,64})?$/.test(key) },
  { what: 'a beginning and any name', key: 'sandbox-check', isValid: (key) => /^sandbox(-[\w.-]{1,64})?$/.test(key) },
  { what: 'a beginning and a short name', key: 'sandbox-a', isValid: (key) => /^sandbox(-[\w.-]{1,64})?$/.test(key) },
  { what: 'a beginning and any number', key: 'tenant-123', isValid: (key) => /^tenant-\d+$/.test(key) },
  { what: 'a number without a separator', key: 'sandbox1', isValid: (key) => /^sandbox\d*$/.test(key) },
  { what: 'any key at all', key: 'Whatever', isValid: (key) => key !== '' },
  { what: 'upper case and lower case alike', key: 'Team-ALPHA', isValid: (key) => key.toLowerCase() === 'team-alpha' },
  { what: 'signs only', key: '~~~~~', isValid: (key) => key === '~~~~~' },
  { what: 'a short key', key: 'a', isValid: (key) => key === 'a' },
]

describe('a service whose keys are', () => {
  it.each(designs)('$what has no finding about similar keys', async ({ key, isValid }) => {
    const { findings } = await check(key, withKeys(isValid))
    expect(findings.filter(isSimilar)).toEqual([])
  })
})

const comparisons: readonly { what: string; key: string; isValid(key: string): boolean; at: string }[] = [
  {
    what: 'only as far as the valid key goes',
    key: 'plain-secret',
    isValid: (key) => key.startsWith('plain-secret'),
    at: 'with more characters after the key',
  },
  {
    what: 'only as far as the given key goes',
    key: 'plain-secret',
    isValid: (key) => key !== '' && 'plain-secret'.startsWith(key),
    at: 'without the last character of the key',
  },
  {
    what: 'by its first sixteen characters',
    key: '0123456789abcdef0123456789abcdeF',
    isValid: (key) => key.startsWith('0123456789abcdef') && !/[^F]$/.test(key.slice(0, 32)),
    at: 'with more characters after the key',
  },
]

describe('a service that compares keys', () => {
  it.each(comparisons)('$what is found out', async ({ key, isValid, at }) => {
    const { findings } = await check(key, withKeys(isValid))
    expect(findings.filter(isSimilar).map((finding) => finding.id)).toEqual([`partial-key-accepted GET /pets ${at}`])
  })
})

it('sends a similar key only with requests that change nothing, as it may belong to somebody else', async () => {
  const seen: Asked[] = []
  const remember: Alter = (asked, next) => {
    seen.push(asked)
    return next()
  }
  await hold(await provide(services.books, remember), services.books, { generated: 1 })
  const isOthers = ({ headers }: Asked) => /^(sandbox\w|sandbo$)/.test(headers['x-api-key'] ?? '')
  expect(new Set(seen.filter(isOthers).map(({ method }) => method))).toEqual(new Set(['GET']))
})

it('shows neither the valid key nor a similar one', async () => {
  const key = 'plain-secret-key'
  const alter = withKeys((given) => given.startsWith(key) || given === key.slice(0, -1))
  const { findings } = await check(key, async (asked, next) => {
    const answer = await alter(asked, next)
    const told = JSON.stringify([asked.headers['authorization'], btoa(asked.headers['authorization'] ?? '')])
    return withText(answer, () => JSON.stringify([{ id: 1, name: told, categoryId: 1 }]))
  })
  const similar = findings.filter(isSimilar)
  expect(JSON.stringify(similar)).toContain('***')
  expect(JSON.stringify(findings)).not.toContain(key.slice(0, -1))
  expect(similar.map(({ requests }) => requests.at(-1))).toEqual([
    expect.stringContaining(`"Authorization: Bearer \${PETSTORE_API_KEY}qxj"`),
    expect.stringContaining(`"Authorization: Bearer \${PETSTORE_API_KEY%?}"`),
  ])
})
