/** Says where a new record is (RFC 9110, section 10.2.2). */
import type { RecordLocation } from '../../contract/http-care.js'
import { fillPath, parsePathTemplate } from '../../contract/path-template.js'
import type { EffectInput } from '../effects/effect.js'
import { type Outcome, Refusal } from '../outcome.js'
import { addressOf } from '../page-links.js'
import { changedRecord } from './versions.js'

export function addLocation(location: RecordLocation, input: EffectInput, outcome: Outcome): Outcome {
  if (outcome instanceof Refusal) return outcome
  const found = changedRecord(input)
  if (!found) return outcome
  const { header, path, parameter, isAbsolute } = location
  const { request, sent } = input
  const filled = fillPath(parsePathTemplate(path), (name) =>
    name === parameter ? encodeURIComponent(String(found.key).toWellFormed()) : (request.texts[name] ?? ''),
  )
  const address = `${sent.mount}${filled}`
  const origin = isAbsolute ? addressOf(input).origin : ''
  return { ...outcome, headers: { ...outcome.headers, [header]: origin + address } }
}
