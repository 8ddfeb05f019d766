/** A check judges a response once, and every response that differs in anything by itself. */
import { describe, expect, it, vi } from 'vitest'
import { createResponseJudges, judgeResponse } from '../../src/checks/provider/judges/judge-response.js'
import { createRecentResults } from '../../src/checks/provider/judges/prism-judge.js'
import { parseResponse } from '../../src/checks/provider/rules/answer.js'
import { compileOnce } from '../support/compile-once.js'
import { services } from '../support/providers.js'

describe('the judge of a check', () => {
  it('tells responses apart by operation, status, headers and text', async () => {
    const { contract, document } = await compileOnce(services.pets.text)
    const judges = createResponseJudges(contract, document)
    const pets = '[{"id":1,"name":"Ada","categoryId":1}]'
    const deviations = (id: string, status: number, type: string, text: string) => {
      const operation = contract.operations.find((each) => each.id === id)
      if (!operation) throw new Error(`No operation ${id}`)
      const response = parseResponse({ status, headers: { 'content-type': type }, text })
      const complaints = judgeResponse(judges, operation, { expected: 'any' }, response)
      return complaints.filter(({ rule }) => rule.id === 'response-schema').length
    }
    for (const _ of ['first', 'again']) {
      expect(deviations('listPets', 200, 'application/json', pets)).toBe(0)
      expect(deviations('getPet', 200, 'application/json', pets)).toBeGreaterThan(0)
      expect(deviations('listPets', 401, 'application/json', pets)).toBeGreaterThan(0)
      expect(deviations('listPets', 200, 'text/plain', pets)).toBeGreaterThan(0)
      expect(deviations('listPets', 200, 'application/json', pets.replace('"Ada"', '7'))).toBeGreaterThan(0)
    }
  })
})

describe('recent results', () => {
  it('are calculated once for a key, and again after 20 others', () => {
    const recent = createRecentResults<string>()
    const calculate = vi.fn(() => 'result')
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`)
    expect([recent('key', calculate), recent('key', calculate)]).toEqual(['result', 'result'])
    expect(calculate).toHaveBeenCalledTimes(1)
    for (const other of others) recent(other, () => other)
    recent('key', calculate)
    expect(calculate).toHaveBeenCalledTimes(2)
  })

  it('are not kept for a key of more than 100,000 characters', () => {
    const recent = createRecentResults<string>()
    const calculate = vi.fn(() => 'result')
    const long = 'x'.repeat(100_001)
    expect([recent(long, calculate), recent(long, calculate)]).toEqual(['result', 'result'])
    expect(calculate).toHaveBeenCalledTimes(2)
  })
})
