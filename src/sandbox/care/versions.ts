/** The versions of records and answers: entity tags, and times of the last change. */
import type { CreateEffect, KeyedEffect } from '../../contract/effect.js'
import type { VersionUse } from '../../contract/http-care.js'
import { parseTime } from '../../contract/parse-time.js'
import { encodeBytes } from '../../json/base64.js'
import { ownValue } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { StoredRecord, Values } from '../../state/stored-record.js'
import type { EffectInput } from '../effects/effect.js'
import { textOfValues } from '../effects/ensured.js'
import { type FoundRecord, findRecord, givenValues, showRecord, toAnswer } from '../effects/existing-record.js'
import { openRecords } from '../effects/open-records.js'
import { isRemoved, storeRecord } from '../effects/sampled-record.js'
import { type Answer, type Outcome, Refusal } from '../outcome.js'
import type { Version } from './judge-conditions.js'

/** The version of what an answer to GET shows: that of its record, else that of its bytes. */
export function versionOfAnswer(use: VersionUse, input: EffectInput, { body = '' }: Answer): Version {
  const found = isKeyed(input) ? findRecord(input) : undefined
  const text = typeof body === 'string' ? body : encodeBytes(body)
  const version =
    found && !(found instanceof Refusal) ? versionOf(use, input, found.record) : { tag: `"${hash(text)}"` }
  // Each media type of a resource has a tag of its own (RFC 9110, section 8.8.3.3).
  const isNegotiated = (input.operation.representations?.length ?? 0) > 0
  const form = isNegotiated ? hash(input.sent.header('accept') ?? '') : undefined
  return form === undefined ? version : { ...version, tag: version.tag.replace(/"$/, `-${form}"`) }
}

/** The version of what a request would change. @returns undefined if that does not exist, or that nothing is known of it */
export function versionOfTarget(use: VersionUse, input: EffectInput): Version | undefined | 'unknown' {
  if (isKeyed(input)) {
    const found = findRecord(input)
    if (!(found instanceof Refusal)) return versionOf(use, input, found.record)
    return input.effect.creates ? undefined : 'unknown'
  }
  if (!isCreating(input) || input.effect.parameter === undefined) return 'unknown'
  const records = openRecords(input)
  if (records instanceof Refusal) return 'unknown'
  const record = records.get(records.toKey(input.request.path[input.effect.parameter]) ?? '')
  return record && !isRemoved(record) ? versionOf(use, input, record) : undefined
}

/** A tag of a request as it is compared: that of the record, whatever the media type. */
export function toCompared({ tag }: VersionUse, field: string): string {
  return tag === undefined ? field.replace(/"([0-9a-f]{16})-[0-9a-f]{16}"/g, '"$1"') : field.replace(/W\/(?=")/g, '')
}

/** Gives a changed record its new entity tag, if it shows one. */
export function writeVersion(
  use: VersionUse,
  input: EffectInput,
  outcome: Answer,
): { outcome: Outcome; version: Version | undefined } {
  const found = changedRecord(input)
  if (!found || !(isKeyed(input) || isCreating(input))) return { outcome, version: undefined }
  if (use.tag === undefined) return { outcome, version: versionOf(use, input, found.record) }
  const { [use.tag]: _, ...others } = found.record.values
  const values: Values = { ...found.record.values, [use.tag]: `"${hashOf(input, others)}"` }
  const record = storeRecord(found.collection, found.key, values)
  const shown = isKeyed(input)
    ? showRecord(input, record)
    : toAnswer(input, () => textOfValues(input, record.values), found.key)
  const { status, headers } = outcome
  return {
    outcome: shown instanceof Refusal ? shown : { ...shown, status, headers },
    version: versionOf(use, input, record),
  }
}

/** The record that an operation has just changed or created. */
export function changedRecord(input: EffectInput): FoundRecord | undefined {
  if (isCreating(input)) return createdRecord(input)
  if (!isKeyed(input) || input.effect.kind === 'remove') return undefined
  const found = findRecord(input)
  return found instanceof Refusal ? undefined : found
}

function createdRecord(input: EffectInput<CreateEffect>): FoundRecord | undefined {
  const { effect, model, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return undefined
  const given = effect.parameter === undefined ? givenValues(input) : undefined
  const body = given instanceof Refusal || !given ? {} : given
  const sent =
    effect.parameter === undefined ? ownValue(body, effect.keyName ?? model.key) : request.path[effect.parameter]
  const named = sent === undefined ? undefined : collection.toKey(sent)
  const record = (named === undefined ? undefined : collection.get(named)) ?? collection.select([], 1)[0]
  const key = record && collection.toKey(record.values[model.key])
  return record && key !== undefined ? { collection, key, record } : undefined
}

function versionOf(use: VersionUse, input: EffectInput, { values }: StoredRecord): Version {
  const shown = use.tag === undefined ? undefined : toTag(values[use.tag])
  const time = use.modified === undefined ? undefined : values[use.modified]
  return {
    tag: shown ?? `"${hashOf(input, values)}"`,
    modified: typeof time === 'string' ? parseTime(time) : undefined,
  }
}

/** A value that records show as an entity tag, with or without quotes. */
function toTag(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const inner = /^(?:W\/)?"(.*)"$/.exec(value)?.[1] ?? value
  return /^[\x21\x23-\x7e]+$/.test(inner) ? `"${inner}"` : undefined
}

function hashOf({ contract }: EffectInput, values: Values): string {
  return hash(writeByShape(values, contract.shapes, 0))
}

/** 64 bits, so that two states of a resource hardly ever have the same. */
function hash(text: string): string {
  return [text, `${text.length} ${text}`].map((each) => toSeed(each).toString(16).padStart(8, '0')).join('')
}

function isKeyed(input: EffectInput): input is EffectInput<KeyedEffect> {
  return ['read', 'replace', 'update', 'remove', 'action'].includes(input.effect.kind)
}

function isCreating(input: EffectInput): input is EffectInput<CreateEffect> {
  return input.effect.kind === 'create'
}
