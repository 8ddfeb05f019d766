/** The sandbox of the checker, from sources: replicas have a store, and the second engine has none. */
import { readFileSync } from 'node:fs'
import { allParts } from '../../src/entries/all-parts.js'
import { assembleEngine } from '../../src/entries/assemble-sandbox.js'
import { compileDocument } from '../../src/entries/compile-document.js'
import { createApply } from '../../src/sandbox/apply.js'
import { toSandbox } from '../../src/sandbox/facade/sandbox.js'

const customers = ['Ada', 'Grace', 'Hedy'].map((name, index) => ({
  id: index + 1,
  name,
  tier: index === 0 ? 'gold' : 'basic',
  createdAt: '2026-01-01T00:00:00Z',
}))

const orders = [1, 1, 2, 3].map((customerId, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  number: `R0000000${index}`,
  customerId,
  amount: 100 * (index + 1),
  status: 'open',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
}))

/** @param toApply replaces the step that applies effects: `(apply, worlds) => apply` */
export async function openShop(document, { store, now, toApply } = {}) {
  const { contract } = await compileDocument(readFileSync(document, 'utf8'))
  const checked = { contract, scenario: { customers, orders }, store, now, httpCare: true }
  const createOther = (options) => toApply(createApply(options), () => options.worlds)
  const engine = assembleEngine(checked, { ...allParts(checked), ...(toApply && { createApply: createOther }) })
  return { engine, sandbox: toSandbox(engine), contract }
}
