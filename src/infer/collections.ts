import type { KeyMaking } from '../behaviour/model.js'
import type { EffectKind } from '../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { getOrInsert } from '../json/own-value.js'
import { isPathProperty } from '../json/path-property.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { isSingle, shownKey } from './facts/candidate.js'
import { findKeyMaking } from './facts/find-key-making.js'
import { findFurtherKeys } from './further-keys.js'
import { findMadeValues } from './made-values.js'
import { findOwnKey } from './own-key.js'
import { extensionsOf } from './read-extensions.js'
import { findUnknownKeys } from './unknown-keys.js'

/** @returns the collections in the order in which the operations name them first */
export function* findCollections(
  document: OpenApiDocument,
  candidates: readonly Candidate[],
): Generator<undefined, KnownCollection[]> {
  const collections: KnownCollection[] = []
  for (const [path, members] of groupByPath(candidates)) {
    const record = recordOf(members)
    if (!record) continue
    collections.push(toCollection(document, path, members, record, collections))
    yield
  }
  return collections
}

function toCollection(
  document: OpenApiDocument,
  path: string,
  members: Candidate[],
  record: Located<Schema>,
  others: readonly KnownCollection[],
): KnownCollection {
  const operations = members.map(({ operation }) => operation)
  const lines = extensionsOf(document).of(operations, record)
  const last = lastNoun(path)
  const { key, schema } = findOwnKey(document, { members, record, lines, name: last })
  const making = members.every(isSingle)
    ? { keyKind: 'string' as const }
    : makeKey(document, { key, schema }, record, members)
  // Use the whole path if another collection has the same last segment.
  const names = new Set(others.map(({ model }) => model.name))
  const name = [last, path.replace(/^\//, '')].find((each) => !names.has(each)) ?? path
  const model = { name, key, keyKind: making.keyKind }
  const collection = {
    path,
    members,
    record,
    resource: members[0]?.resource,
    lines,
    model,
    makings: new Map([[key, making]]),
  }
  findUnknownKeys(document, collection)
  findFurtherKeys(document, collection)
  findMadeValues(document, collection)
  return collection
}

/** How keys are made. Those that only paths have are as a list shows them: `id` of what is `{placeId}` elsewhere. */
function makeKey(
  document: OpenApiDocument,
  { key, schema }: { key: string; schema: Located<Schema> | undefined },
  record: Located<Schema>,
  members: readonly Candidate[],
): KeyMaking {
  const listed = isPathProperty(key) ? members.filter(({ kind }) => kind === 'list') : []
  for (const { record: item, resource } of listed) {
    const name = item && shownKey(document, item, { resource, model: { key } })
    const shown = name === undefined || !item ? undefined : flattenSchema(document, item).properties.get(name)
    if (name !== undefined && item && shown) return findKeyMaking(document, name, shown, item, members)
  }
  return findKeyMaking(document, key, schema, record, members)
}

/** Effects by how well their response describes a record, best first. */
const kindsByDetail: EffectKind[] = ['read', 'list', 'create', 'replace', 'update', 'remove']

/** The schema that best describes the records of a collection. What is below a record may show only a part of it. */
export function recordOf(members: Candidate[]): Located<Schema> | undefined {
  const own = members.filter(({ isBelow }) => !isBelow)
  const describing = [...own, ...members].filter(({ record }) => record)
  return kindsByDetail.flatMap((kind) => describing.find((member) => member.kind === kind) ?? [])[0]?.record
}

function groupByPath(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.kind === 'example' || candidate.kind === 'undescribed') continue
    getOrInsert(groups, candidate.path, () => []).push(candidate)
  }
  for (const [path, members] of groups) if (members.every(isConstant)) groups.delete(path)
  return groups
}

/** Whether no request can change the answer: a singleton that nothing writes. */
function isConstant(candidate: Candidate): boolean {
  return isSingle(candidate) && candidate.kind === 'read' && !candidate.path.includes('{') && !candidate.isChosen
}

/** The last fixed segment of a path. */
function lastNoun(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? path.slice(1)
}
