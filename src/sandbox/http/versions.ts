/** The versions of records and answers: entity tags, and times of the last change. */
import type { CreateEffect, Effect, KeyedEffect } from '../../contract/effects/effect.js'
import type { VersionUse } from '../../contract/http/http-semantics.js'
import { parseTime } from '../../contract/parse-time.js'
import { encodeBytes } from '../../json/base64.js'
import { isObject } from '../../json/own-value.js'
import type { Change } from '../../state/change.js'
import type { Values } from '../../state/stored-record.js'
import { Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import { positionOfType } from '../responses/negotiate.js'
import type { EffectInput } from '../writes/effect-input.js'
import { withoutHidden } from '../writes/ensured.js'
import { findRecord } from '../writes/existing-record.js'
import { givenValues } from '../writes/given-values.js'
import { openRecords } from '../writes/open-records.js'
import { isRemoved } from '../writes/sampled-record.js'
import { hashOf, hashText } from './entity-tag.js'
import type { Version } from './judge-conditions.js'

/** Answers a GET of what a request changes. @returns undefined if no operation reads it */
export type ReadTarget = () => WrittenOutcome | undefined

/** The version of an answer to GET: that of its record, else that of its bytes. */
export function versionOfAnswer(use: VersionUse, input: EffectInput, answer: Written): Version {
  const { record } = answer.content ?? {}
  return toRepresentation(input, record ? versionOf(use, input, record) : versionOfBody(answer))
}

/** The version of what a request would change. @returns undefined if the request would create it */
export function versionOfTarget(
  use: VersionUse,
  input: EffectInput,
  readTarget: ReadTarget,
): Version | undefined | 'missing' | 'unknown' {
  const isOfRecords = 'collection' in input.effect
  // If an owner in the path is missing, so is everything below it.
  if (isOfRecords && openRecords(input) instanceof Refusal) return 'missing'
  if (isKeyed(input)) {
    const found = findRecord(input)
    if (!(found instanceof Refusal)) return versionOf(use, input, found.record.values)
    return input.effect.creates ? undefined : 'missing'
  }
  if (isCreating(input) && input.effect.parameter !== undefined) {
    const records = openRecords(input)
    if (records instanceof Refusal) return 'missing'
    const record = records.get(records.toKey(input.request.path[input.effect.parameter]) ?? '')
    return record && !isRemoved(record) ? versionOf(use, input, record.values) : undefined
  }
  const read = readTarget()
  return read === undefined || read instanceof Refusal ? 'unknown' : versionOfBody(read)
}

/**
 * Converts the tags of a condition to those of the record, because a change accepts the tag of any of its media types. If
 * records show their tag, a weak one is accepted too, because callers get no other.
 */
export function toCompared({ tag }: VersionUse, field: string): string {
  const strong = tag === undefined ? field : field.replace(/W\/(?=")/g, '')
  return strong.replace(/("[^",]*)-[1-9]\d?"/g, '$1", $&')
}

/** The version of a changed record, in the media type of the answer. */
export function versionAfter(use: VersionUse, input: EffectInput, answer: Written): Version | undefined {
  const values = changedRecord(input, answer)
  return values && toRepresentation(input, versionOf(use, input, values))
}

/** Whether the changed record equals the body of the request. True for any body that is not an object, such as a file. */
export function isStoredAsSent(input: EffectInput, answer: Written): boolean {
  if (!isKeyed(input) && !isCreating(input)) return true
  const given = givenValues(input)
  const values = changedRecord(input, answer)
  if (given instanceof Refusal || !values || !isObject(input.request.body.value)) return true
  const { contract } = input
  return hashOf(contract, given) === hashOf(contract, withoutHidden(input, values))
}

/** The record that an operation has just changed or created. */
export function changedRecord({ effect }: EffectInput, { changes = [], content }: Written): Values | undefined {
  if (!isOfRecord(effect) || effect.kind === 'remove') return undefined
  const isOfEffect = (each: Change) => each.kind === 'record' && each.collection === effect.collection
  const changed = changes.findLast(isOfEffect)
  return changed?.kind === 'record' ? changed.after : content?.record
}

function versionOf(use: VersionUse, { contract }: EffectInput, values: Values): Version {
  const shown = use.tag === undefined ? undefined : toTag(values[use.tag])
  const time = use.modified === undefined ? undefined : values[use.modified]
  return {
    tag: shown ?? `"${hashOf(contract, values)}"`,
    modified: typeof time === 'string' ? parseTime(time) : undefined,
  }
}

function versionOfBody({ body = '' }: Written): Version {
  return { tag: `"${hashText(typeof body === 'string' ? body : encodeBytes(body))}"` }
}

/** Each media type has its own tag (RFC 9110, section 8.8.3.3). The first one has the tag of the record. */
function toRepresentation({ operation, sent }: EffectInput, version: Version): Version {
  const position = positionOfType(operation, sent.header('accept'))
  return position > 0 ? { ...version, tag: version.tag.replace(/"$/, `-${position}"`) } : version
}

/** Converts a property value to an entity tag, with or without quotes. */
function toTag(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const inner = /^(?:W\/)?"(.*)"$/.exec(value)?.[1] ?? value
  return /^[\x21\x23-\x7e]+$/.test(inner) ? `"${inner}"` : undefined
}

function isOfRecord(effect: Effect): effect is CreateEffect | KeyedEffect {
  return ['create', 'read', 'replace', 'update', 'remove', 'action'].includes(effect.kind)
}

function isKeyed(input: EffectInput): input is EffectInput<KeyedEffect> {
  return isOfRecord(input.effect) && !isCreating(input)
}

function isCreating(input: EffectInput): input is EffectInput<CreateEffect> {
  return input.effect.kind === 'create'
}
