/** Checks that a record is not removed while others belong to it, where the document says that this is refused. */
import { saysHeldBy } from '../../../lexicon/refusals.js'
import { singular } from '../../../lexicon/words.js'
import { type CheckPlan, ownerOf } from '../plan-check.js'
import { answeredRecord, type ProviderCollection, usableKey, withKey, withPathKey } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { isValid, withProperty } from '../requests/request-draft.js'

/** Creates a record, and one of this collection that belongs to it, and removes the first. */
export async function probeDependents(plan: CheckPlan, collection: ProviderCollection): Promise<void> {
  const { contract, runner, created } = plan
  const { create, model, settled = [] } = collection
  const owner = create && ownerOf(create.operation.effect)
  const noun = singular(model.name.split('/').at(-1) ?? '')
  for (const { property, collection: name } of owner ? [...settled, { ...owner, property: undefined }] : settled) {
    const target = plan.collections.find((each) => each.model.name === name)
    const { remove, create: make } = target ?? {}
    if (!create || !target || !remove || !make || !saysHeldBy(remove.says.request, noun)) continue
    await runner.run(async (session) => {
      const key = usableKey(contract, target, answeredRecord(await session.send(make.draft, 'any', { at: 'body' })))
      if (key === undefined) return
      const own = { key, isRemoved: false }
      created.add(target, own)
      const { draft } = create
      const bound =
        property === undefined ? withPathKey(draft, owner?.parameter ?? '', key) : withProperty(draft, property, key)
      const record = isValid(contract, bound) && answeredRecord(await session.send(bound, 'any', { at: 'body' }))
      if (!record) return
      created.note(collection, record[model.key])
      const removal = withKey(remove, key)
      const response = await session.send(removal, 'any', { at: 'in use' })
      if (!response || response.status >= 300) return
      own.isRemoved = true
      const message = `removed the record ${key}, which one of ${model.name} belongs to`
      session.report(removal, { rule: providerRuleSet.heldRemoved, at: `held by ${model.name}`, message })
    })
  }
}
