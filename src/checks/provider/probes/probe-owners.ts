/** Checks that records below an owner are found only there, and that nothing is below an owner that does not exist. */
import { toJson } from '../../../json/exact-json.js'
import { type CheckPlan, ownerOf } from '../plan-check.js'
import { answeredRecord, type ProviderCollection, withKey, withPathKey } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { isValid, withProperty } from '../requests/request-draft.js'
import { documentsReason, severityOf } from '../rules/expectation-rules.js'
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

/** Creates a record with the key of another one that does not exist, where the document says that it is refused. */
export async function probeReferences(
  { contract, runner, created }: CheckPlan,
  collection: ProviderCollection,
): Promise<void> {
  const { create, model } = collection
  for (const reference of create?.operation.effect.references ?? []) {
    const { from, in: place, within, isList, unknown } = reference
    const target = contract.collections.find(({ name }) => name === reference.collection)
    const [key] = unknownKeys[target?.keyKind ?? ''] ?? []
    if (!create || unknown === undefined || place || within || key === undefined) continue
    const draft = withProperty(create.draft, from, isList ? [key] : key)
    if (!isValid(contract, draft)) continue
    await runner.run(async (session) => {
      const response = await session.send(draft, 'any', { at: `unknown ${from}` })
      const record = answeredRecord(response)
      if (!response || response.status >= 300) return
      created.note(collection, record?.[model.key])
      const message = `stored a record with ${from} ${key}, which no record has`
      session.report(draft, { rule: providerRuleSet.unknownReference, at: from, message })
    })
  }
}
