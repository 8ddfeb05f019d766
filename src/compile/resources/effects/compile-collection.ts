/** Compiles the collections that effects work on. */

import { fromAbout } from '../../../behaviour/line.js'
import { fromMade } from '../../../behaviour/made-values.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { CollectionModel, MadeValue } from '../../../contract/contract.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'
import { isObject, ownValue } from '../../../json/own-value.js'
import { isPathProperty } from '../../../json/path-property.js'
import { withOrigin } from '../../../schemas/addresses.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { type CompiledCandidate, isSingle, type KnownCollection } from '../known-operation.js'
import { firstConstants } from './choose-first.js'
import { compileKey } from './compile-key.js'
import { compileOwnKeys } from './compile-own-keys.js'
import { type Group, hiddenWith } from './compile-scope.js'

/** Compiles a collection. The owners of its records are added later: see `scopeCollection`. */
export function compileCollection(context: OperationContext, collection: KnownCollection<CompiledCandidate>): Group {
  const { document, servers, recordValidators } = context
  const { members, record, lines, makings } = collection
  const { name, key, keyKind } = collection.model
  const model: CollectionModel = {
    ...{ name, key },
    ...compileKey(context, makings.get(key) ?? { keyKind }),
    servers: [...new Set([...new Set(members.map(({ operation }) => servers.namesOf(operation)))].flat())],
    record: recordValidators.add(record, 'response'),
  }
  const group: Group = { ...collection, model }
  if (isPathProperty(key)) model.hidden = hiddenWith(model, key)
  const shown = lines.value('key')
  if (shown?.startsWith('/')) model.keyPointer = fromJsonPointer(shown)
  const events = lines.all('events').map(({ says }) => says)
  if (events.length > 0) model.events = events
  const isListed = members.some(({ kind }) => kind === 'list' || kind === 'create')
  if (isListed && members.some(({ keyIn }) => keyIn !== undefined)) model.forgetsUnknown = true
  Object.assign(model, compileOwnKeys(context, group))
  const finds = lines.all('finds').map(({ about }) => about)
  if (finds.length > 0) model.otherKeys = finds
  const made = compileMadeValues(document, group)
  if (made) model.made = made
  addSample(context, group)
  return group
}

/** Adds the record of keys that nothing has shown. */
export function addSample(
  { document }: Pick<OperationContext, 'document'>,
  { model, members, record, lines }: Group,
): void {
  const unknown = lines.value('unknown') ?? 'none'
  const sampled = members.find((member) => member.record === record)
  if (unknown === 'none' || !sampled) return
  // A record that exists once is never created.
  const { properties } = flattenSchema(document, record)
  const first = members.every(isSingle) ? firstConstants(properties, lines) : {}
  if (unknown === 'shown') model.isShown = true
  if (unknown === 'empty') model.isSampledIfEmpty = true
  withLazy(model, 'sample', () => sampleOf(sampled, first))
}

/** JSON text of the example record in the answer of an operation. */
function sampleOf({ success, pointer, kind, isMap }: CompiledCandidate, first: Record<string, unknown>): string {
  let value: unknown = fromJson(success?.example ?? 'null')
  for (const name of pointer)
    value = isObject(value) || Array.isArray(value) ? ownValue(Object(value), name) : undefined
  const isList = kind === 'list' && (isMap ? isObject(value) : Array.isArray(value))
  const own = (isList ? Object.values(Object(value))[0] : value) ?? {}
  return toJson(Object.keys(first).length === 0 ? own : { ...Object(own), ...first })
}

/** @returns undefined if nothing is made, or if no operation creates records */
export function compileMadeValues(
  document: OpenApiDocument,
  { members, record, lines }: Pick<Group, 'members' | 'record' | 'lines'>,
): MadeValue[] | undefined {
  if (!members.some(({ kind }) => kind === 'create')) return undefined
  const { properties } = flattenSchema(document, record)
  const made = lines.all('made').flatMap((line): MadeValue[] => {
    const pointer = fromAbout(line.about)
    refuseUnknown(line, pointer[0] ?? '', properties.keys(), 'property of the record', line.about)
    if (line.says === nothing) return []
    const value = fromMade(line.says)
    if (value.counts !== undefined) refuseUnknown(line, value.counts, properties.keys(), 'list', line.about)
    if (value.slugOf !== undefined) refuseUnknown(line, value.slugOf, properties.keys(), 'property', line.about)
    return [withOrigin(document, record, { pointer, ...value })]
  })
  return made.length > 0 ? made : undefined
}
