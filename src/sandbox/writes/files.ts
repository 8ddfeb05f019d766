/** Keeps files that are uploaded, and answers with them. */
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { FileUse, FileValue, KeepFile, KeyedEffect } from '../../contract/effects/effect.js'
import { fillPath, parsePathTemplate } from '../../contract/path-template.js'
import { decodeBytes, encodeBytes } from '../../json/base64.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import type { FilePart } from '../../media/fields.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { type Answer, type Outcome, Refusal } from '../outcome.js'
import { applyEffect } from './all-effects.js'
import type { EffectInput } from './effect-input.js'
import { refuseBelowMissing } from './example.js'

/** Maximum bytes of files in a world. */
const maxBytes = 64 * 1024 * 1024

/** Applies an effect, and stores, sends or removes the file of the operation. */
export function applyFiles(use: FileUse, input: EffectInput): Outcome {
  const missing = refuseBelowMissing(input)
  if (missing) return missing
  if (use.kind === 'keep') return keep(use, input)
  const path = toPath(input, input.operation.path, pathValues(input))
  if (use.kind === 'send') return send(use.types, input, path)
  const outcome = applyEffect(input)
  if (!(outcome instanceof Refusal)) removeBelow(input.world, path)
  return outcome
}

function keep(use: KeepFile, input: EffectInput): Outcome {
  const { world } = input
  const file = sentFile(use, input)
  if (!file) return applyEffect(input)
  const kept = [...(world.extras?.files?.values() ?? [])].reduce((sum, each) => sum + (each?.bytes.length ?? 0), 0)
  if (kept + file.bytes.length > maxBytes) {
    return new Refusal(
      'payload_too_large',
      `The files of a world must have at most ${maxBytes} bytes; remove some first`,
    )
  }
  const outcome = applyEffect(use.values ? { ...input, described: describe(use.values, file, input) } : input)
  if (outcome instanceof Refusal) return outcome
  // A part is a view of the whole body, so its bytes are copied.
  const stored = { ...file, bytes: file.bytes.slice() }
  for (const { path, properties } of use.paths) {
    const values = pathValues(input)
    const key = properties && keyOfAnswer(outcome, properties)
    if (properties && key === undefined) continue
    put(world, toPath(input, path, properties ? [...values, key] : values), stored)
  }
  return outcome
}

/** The file in the body, in any form. */
function sentFile({ encoded, named }: KeepFile, { request }: EffectInput): FilePart | undefined {
  const { file, value } = request.body
  const name = named === undefined ? undefined : String(request.path[named]).split('/').at(-1)
  if (file) return file.name === undefined && name !== undefined ? { ...file, name } : file
  const text = encoded !== undefined && isObject(value) ? ownValue(value, encoded) : undefined
  const bytes = typeof text === 'string' ? decodeBytes(text.replace(/\s/g, '')) : undefined
  return bytes && { bytes, type: '', ...(name !== undefined && { name }) }
}

/** What the record says of the file. */
function describe(values: readonly FileValue[], file: FilePart, { effect, request }: EffectInput): Values {
  const { given = [] } = effect as KeyedEffect
  const sent = valueAt(request.body.value, given)
  return describeFile(values, file, isObject(sent) ? sent : {})
}

function send(types: readonly string[], input: EffectInput, path: string): Outcome {
  const { world, effect } = input
  const file = world.extras?.files?.get(path)
  if (file === undefined) return applyEffect(input)
  if (file === null) return new Refusal('not_found', 'The file was removed')
  const bare = (file.type.split(';')[0] ?? '').trim().toLowerCase()
  const isDocumented = types.some((type) => {
    const star = type.indexOf('*')
    return star === -1 ? type === bare : bare.startsWith(type.slice(0, star))
  })
  const { status, mediaType } = effect as Answer
  return { status, mediaType: isDocumented ? file.type : mediaType, content: { bytes: file.bytes } }
}

/** The key of the record that an answer shows. */
function keyOfAnswer({ content }: Answer, properties: readonly string[]): unknown {
  const record = content?.record ?? content?.value?.()
  if (!isObject(record)) return undefined
  return properties
    .map((name) => ownValue(record, name))
    .find((key) => typeof key === 'string' || typeof key === 'number')
}

/** The values of the path parameters, from left to right. */
function pathValues({ operation, request }: EffectInput): unknown[] {
  const { segments } = parsePathTemplate(operation.path)
  return segments.flatMap(({ names }) => names).map((name) => request.path[name])
}

/** Identifies a file in its world: the environment, and the path with the values of its parameters from left to right. */
function toPath({ server, contract }: EffectInput, documented: string, values: readonly unknown[]): string {
  let index = 0
  return `${new Map(contract.sharedServers).get(server) ?? server} ${fillPath(parsePathTemplate(documented), () => encodeURIComponent(String(values[index++]).toWellFormed()))}`
}

function put(world: StoredWorld, path: string, file: FilePart | null): void {
  const { files } = world.extras ?? {}
  world.extras = { ...world.extras, files: new Map(files).set(path, file) }
  world.log.push({ kind: 'file', path, before: files?.get(path), after: file })
}

/** Removes the file of a path, and those of paths below it. */
function removeBelow(world: StoredWorld, path: string): void {
  for (const each of world.extras?.files?.keys() ?? []) {
    if (each === path || each.startsWith(`${path}/`)) put(world, each, null)
  }
}

const hashes = { md5, sha1, sha256 }

/** @param given the properties of the record that the request has: the caller may choose names and types */
export function describeFile(values: readonly FileValue[], file: FilePart, given: Values): Values {
  const entries = values.flatMap(({ property, is, as }): [string, unknown][] => {
    const value = factOf(is, file, as)
    const isChosen = (is === 'name' || is === 'type' || is === 'extension') && ownValue(given, property) !== undefined
    return value === undefined || isChosen ? [] : [[property, value]]
  })
  return Object.fromEntries(entries)
}

function factOf(is: FileValue['is'], { bytes, name, type }: FilePart, as: FileValue['as']): unknown {
  if (is === 'name') return name
  if (is === 'type') return type === '' ? undefined : type.split(';')[0]?.trim()
  if (is === 'extension') return name?.includes('.') ? name.split('.').at(-1) : undefined
  if (is === 'encoding') return 'base64'
  if (is === 'size') return as === 'text' ? String(bytes.length) : bytes.length
  const hash = hashes[is](bytes)
  return as === 'base64' ? encodeBytes(hash) : bytesToHex(hash)
}
