/** Checks that records below an owner are found only there, and that nothing is below an owner that does not exist. */
import { toJson } from '../../../json/exact-json.js'
import { type CheckPlan, ownerOf } from '../plan-check.js'
import { answeredRecord, type ProviderCollection, withKey, withPathKey } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { isValid, withProperty } from '../requests/request-draft.js'
import { documentsReason, severityOf } from '../rules/expectation-rules.js'
import { foreignKey } from './probe-accounts.js'
import { unknownKeys } from './probe-parameters.js'

/** Lists, creates and reads below an owner that does not exist, and reads below another one. */
export async function probeOwners(plan: CheckPlan, collection: ProviderCollection): Promise<void> {
  const { contract, runner, created } = plan
  const { list, create, read, elsewhere } = collection
  const reading = read && withKey(read, created.remaining(collection)[0]?.key)
  for (const draft of [list?.draft, create?.draft, reading]) {
    const owner = draft && ownerOf(draft.operation.effect)
    if (!owner || !documentsReason(draft.operation, 'absent', false)) continue
    const { keyKind = 'string' } = contract.collections.find(({ name }) => name === owner.collection) ?? {}
    const [key] = unknownKeys[keyKind] ?? []
    const unowned = withPathKey(draft, owner.parameter, key)
    const details = { at: 'unknown owner', description: `${owner.parameter}=${key}` }
    if (isValid(contract, unowned)) await runner.send(unowned, 'absent', details)
  }
  const parameter = (reading && ownerOf(reading.operation.effect)?.parameter) ?? ''
  const other = elsewhere?.parameters.path[parameter]
  if (!reading || other === undefined || !documentsReason(reading.operation, 'absent', false)) return
  await runner.run(async (session) => {
    const own = answeredRecord(await session.send(reading, 'any', { at: 'read' }))
    const draft = withPathKey(reading, parameter, other)
    const found = answeredRecord(await session.send(draft, 'any', { at: 'other owner' }))
    if (!own || !found || toJson(own) !== toJson(found)) return
    const message = `answered the same record below ${parameter} ${other}, which it does not belong to`
    const { unknownFound: rule } = providerRuleSet
    session.report(draft, { rule, at: 'other owner', message, severity: severityOf(rule, draft.operation) })
  })
}

/**
 * Creates a record with the key of another one that does not exist, where the document says that it is refused, and with one
 * that only another account can read.
 */
export async function probeReferences(plan: CheckPlan, collection: ProviderCollection): Promise<void> {
  const { contract, runner, created } = plan
  const { create, model, settled = [] } = collection
  if (!create) return
  for (const reference of create.operation.effect.references ?? []) {
    const { from, in: place, within, isList, unknown } = reference
    const target = contract.collections.find(({ name }) => name === reference.collection)
    const [key] = unknownKeys[target?.keyKind ?? ''] ?? []
    if (unknown !== undefined && !place && !within) await refer(from, isList ? [key] : key, 'which no record has')
  }
  for (const { property, collection } of settled) {
    await refer(property, await foreignKey(plan, collection), 'which only another account can read')
  }

  async function refer(from: string, key: unknown, what: string): Promise<void> {
    const draft = create && withProperty(create.draft, from, key)
    if (!draft || key === undefined || !isValid(contract, draft)) return
    await runner.run(async (session) => {
      const response = await session.send(draft, 'any', { at: `unknown ${from}` })
      if (!response || response.status >= 300) return
      created.note(collection, answeredRecord(response)?.[model.key])
      const message = `stored a record with ${from} ${key}, ${what}`
      session.report(draft, { rule: providerRuleSet.unknownReference, at: from, message })
    })
  }
}
