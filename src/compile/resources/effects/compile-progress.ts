/** Compiles the states through which records pass as the clock does. */

import { toMilliseconds } from '../../../behaviour/values.js'
import type { Progress, ProgressState } from '../../../contract/contract.js'
import type { Effect, EffectUse } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { reachedMark } from '../../../json/path-property.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { durationFormOf, timeFormOf } from '../../../schemas/time-form.js'
import type { Group } from './compile-scope.js'

/** A step of time, in milliseconds. */
const step = 1000

/** Adds the states to the collections of jobs. */
export function addProgress(
  document: OpenApiDocument,
  groups: Iterable<Group>,
  effects: ReadonlyMap<DescribedOperation, Effect>,
  bulks: ReadonlyMap<DescribedOperation, EffectUse>,
): void {
  const all = [...effects.values(), ...[...bulks.values()].flatMap(effectsOf)]
  for (const group of groups) {
    const { model, members, lines } = group
    if (!members.some(({ kind }) => kind === 'create') && lines.all('starts').length === 0) continue
    const period = lines.value('period')
    const ofPeriod = period && { property: period.pointer[0] ?? '', states: [], step, period }
    const progress = readLifecycle(document, group) ?? ofPeriod
    if (!progress) continue
    model.progress = progress
    model.hidden = [...(model.hidden ?? []), reachedMark]
    // Placed records know the time.
    for (const effect of all) {
      if (!('collection' in effect) || effect.collection !== model.name) continue
      effect.place ??= { values: [], owners: [] }
      effect.hidden = model.hidden
    }
  }
}

/** The states of a lifecycle. Times and percentages of the record follow them. */
function readLifecycle(document: OpenApiDocument, group: Group): Progress | undefined {
  const { record, lines } = group
  const line = lines.get('lifecycle')
  if (!line?.says) return undefined
  const { property, from, to, fail = 0, failed } = line.says
  const { properties } = flattenSchema(document, record)
  refuseUnknown(line, property, properties.keys(), 'property of the record', 'property')
  const schema = properties.get(property)
  const allowed = schema ? (flattenSchema(document, schema).keywords.enum ?? []) : []
  const checkState = (value: unknown, ...at: string[]) => {
    if (allowed.length > 0) refuseUnknown(line, String(value), allowed.map(String), 'state', ...at)
  }
  checkState(from, 'from')
  const values = [from, ...to.map(({ value }) => value)].map(String)
  const states = values.map((value, index): ProgressState => {
    const { sets = undefined } = to[index - 1] ?? {}
    if (index > 0) checkState(value, 'to', String(index - 1), 'value')
    const reached = Object.entries(sets ?? lines.value('reached', value) ?? {})
    const all = reached.map(([name, each]): ProgressState['sets'][number] => {
      if (sets)
        refuseUnknown(line, name, properties.keys(), 'property of the record', 'to', String(index - 1), 'sets', name)
      const own = properties.get(name) as Located<Schema>
      const form = timeFormOf(name, flattenSchema(document, own), true)
      if (each === '$now') return { property: name, with: 'now', ...form }
      if (each === '$elapsed') return { property: name, with: 'elapsed', as: durationFormOf(document, own) }
      return { property: name, with: 'constant', value: each }
    })
    return { value, steps: toMilliseconds(to[index]?.after ?? '0s') / step, sets: all }
  })
  if (fail === 0) return { property, states, step }
  const known = failed ?? lines.value('failedState')
  checkState(known ?? 'failed', failed === undefined ? 'fail' : 'failed')
  return { property, states, step, fails: { share: fail, value: String(known ?? 'failed') } }
}

export function effectsOf(use: EffectUse): Effect[] {
  if (use.kind === 'user') return [use.effect]
  if (use.kind === 'author') return use.others ? effectsOf(use.others) : []
  return use.kind === 'bulk' ? [use.read, use.create, use.change, use.remove].filter((each) => each !== undefined) : []
}
