/** `check` of a provider that refuses a name twice: it misses no bug, reports no bug that is not there, and makes every probe. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CheckOptions, CheckResult } from '../../src/checks/provider/check-provider.js'
import { hold, loadPlanted, sendToPlanted, services } from '../support/providers.js'

const planted = await loadPlanted()

async function check(
  start: { bug?: string; refusesDuplicates?: number },
  options: Partial<CheckOptions> = {},
): Promise<CheckResult> {
  const provider = await planted.startProvider(start)
  onTestFinished(provider.close)
  return hold(`${provider.url}/v1`, services.pets, {
    key: planted.key,
    generated: 2,
    sendRequest: sendToPlanted(provider),
    ...options,
  })
}

const idsOf = ({ findings }: CheckResult) => findings.map(({ id }) => id)
const isAboutProbes = (note: string) => / probes? could not be made: /.test(note)

describe('a provider without a bug that refuses a name twice', () => {
  it.each([409, 422, 400])('with %i has no finding, and every probe is made', async (refusesDuplicates) => {
    const { findings, notes } = await check({ refusesDuplicates }, { generated: 10 })
    expect(findings).toEqual([])
    expect(notes.filter(isAboutProbes)).toEqual([])
  })

  it.each([409, 422, 400])(
    'with %i has no finding in a further check, after which records remain',
    async (refusesDuplicates) => {
      const provider = await planted.startProvider({ refusesDuplicates })
      onTestFinished(provider.close)
      const sendRequest = sendToPlanted(provider)
      for (let round = 0; round < 3; round++) {
        const { findings, notes } = await hold(`${provider.url}/v1`, services.pets, { key: planted.key, sendRequest })
        expect(findings).toEqual([])
        expect(notes.filter((note) => note.includes('createPet already'))).toHaveLength(round === 0 ? 0 : 1)
      }
    },
  )
})

describe('a planted bug of a provider that refuses a name twice', () => {
  it.each(planted.bugs)('is found: $wrong ($id)', async ({ id }) => {
    const found = idsOf(await check({ bug: id }))
    const foundWithUniqueNames = idsOf(await check({ bug: id, refusesDuplicates: 409 }))
    expect(found).not.toEqual([])
    // Which properties differ depends on the values that the two runs make.
    const withoutProperty = (ids: readonly string[]) => [...new Set(ids.map((id) => id.replace(/ \w+$/, '')))].sort()
    expect(withoutProperty(foundWithUniqueNames)).toEqual(withoutProperty(found))
  })
})
