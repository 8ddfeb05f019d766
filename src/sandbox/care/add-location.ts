/** Says where a new record is (RFC 9110, section 10.2.2). */
import type { ItemPath, RecordLocation } from '../../contract/http-care.js'
import { fillPath, parsePathTemplate } from '../../contract/path-template.js'
import type { EffectInput } from '../effects/effect.js'
import { type Outcome, Refusal } from '../outcome.js'
import { addressOf } from '../page-links.js'
import { changedRecord } from './versions.js'
import { withHeaders } from './with-headers.js'

export function addLocation(location: RecordLocation, input: EffectInput, outcome: Outcome): Outcome {
  // A change that creates nothing leads nowhere.
  if (outcome instanceof Refusal || (!location.item && outcome.status !== 201)) return outcome
  const { header, item, isAbsolute } = location
  const path = item ? pathOf(item, input) : input.sent.path
  if (path === undefined) return outcome
  const origin = isAbsolute ? addressOf(input).origin : ''
  return withHeaders(outcome, { [header]: `${origin}${input.sent.mount}${path}` })
}

function pathOf({ path, parameter, others }: ItemPath, input: EffectInput): string | undefined {
  const found = changedRecord(input)
  if (!found) return undefined
  const values = new Map(others.map(([own, name]) => [own, input.request.texts[name] ?? '']))
  return fillPath(parsePathTemplate(path), (name) => {
    const text = name === parameter ? String(found.key) : (values.get(name) ?? '')
    return encodeURIComponent(text.toWellFormed())
  })
}
