/** Finds the properties that the service writes: those in the response that the request lacks or marks `readOnly`. */
import { guess } from '../../behaviour/line.js'
import type { CollectionLines } from '../../behaviour/members.js'
import type { NestedWritten, ServiceWritten } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { ownValue } from '../../json/own-value.js'
import { isKey } from '../../lexicon/keys.js'
import { isCreationTime } from '../../lexicon/orders.js'
import { saysReadOnly } from '../../lexicon/texts.js'
import { isSetByService, isWrittenAgain, saysNow } from '../../lexicon/times.js'
import { type FlatSchema, flattenSchema, hasFlag } from '../../schemas/flatten-schema.js'
import { findKinds, withBranch } from '../../schemas/tagged.js'
import { timeFormOf } from '../../schemas/time-form.js'
import { habitsOf } from '../habits.js'
import { itemOf } from './find-reference-keys.js'
import { defaultIn, findFirstValue } from './first-values.js'

/** What has the values: a record, or an object in one. */
export interface Written {
  name: string
  key: string
  /** Further keys that the service makes. */
  keys?: readonly string[]
  /** The object that has the key which callers choose. */
  holder?: string | undefined
}

/** What is known about a creation or a change. */
interface Creation {
  /** The record in the example of its own answer. */
  shown?: Record<string, unknown> | undefined
  /** The record in that of its request. */
  given?: Record<string, unknown> | undefined
  /** The schema of its request. */
  sent?: Located<Schema> | undefined
  /** The lines to which first values are added. */
  lines?: CollectionLines | undefined
  /** Whether actions change the state of records. */
  isActed?: boolean
  /** Whether records are what it has made. */
  isResult?: boolean
  /** Whether it changes some properties of a record that exists. */
  isChange?: boolean
}

/**
 * @param request what the request describes, with the names of the record
 * @param record schema of the record that the operation returns
 */
export function findServiceWritten(
  document: OpenApiDocument,
  request: FlatSchema | undefined,
  record: Located<Schema> | undefined,
  collection: Written,
  { shown, given, sent, lines, isActed, isResult, isChange }: Creation = {},
): ServiceWritten[] {
  const response = record && flattenSchema(document, record)
  const names = [...(response?.properties.keys() ?? [])]
  const sharedNames = names.filter((name) => request?.properties.has(name))
  // A request with the schema of records has what only the service writes, too.
  const isShared =
    sharedNames.length > names.length * 0.8 &&
    sharedNames.some((name) => name === collection.key || isSetByService(name))
  const key: ServiceWritten = { property: collection.key, with: 'key', owned: true }
  const ownedIn = (flat: FlatSchema | undefined) =>
    [...(flat?.properties ?? [])].flatMap(([property, schema]): ServiceWritten[] => {
      const requested = request?.properties.get(property)
      const isWritable = requested !== undefined && !isReadOnly(document, schema) && !isReadOnly(document, requested)
      if (property === collection.key) return []
      if (isWritable) return flat === response ? ofUnsent(property, schema, requested) : []
      if (collection.keys?.includes(property)) {
        return [{ property, with: 'key', owned: true }]
      }
      return ofService(property, schema, flat)
    })
  const branches = branchesOf(document, record)
  // A property that only some alternatives have is written only in records of those alternatives.
  const owned = ownedIn(response).filter(({ property }) => branches.every(({ flat }) => flat.properties.has(property)))
  const ofBranches = branches.flatMap(({ name, values, flat }) =>
    ownedIn(flat)
      .filter(({ property }) => !owned.some((each) => each.property === property))
      .map((each): ServiceWritten => ({ ...each, only: [name, values] })),
  )
  return [key, ...owned, ...ofBranches, ...toDefaults(document, request, sent, response)]

  function ofService(property: string, schema: Located<Schema>, record: FlatSchema | undefined): ServiceWritten[] {
    const flat = flattenSchema(document, schema)
    const isRequired = record?.required.has(property) === true
    const form = timeFormOf(property, flat, isSetByService(property), habitsOf(document).value('times'))
    // Nothing else can set a time that callers cannot write. Alternatives require what all of their records have.
    const mayHave = lines !== undefined && !isActed && branches.length === 0
    const isOwn = isRequired || (mayHave && isReadOnly(document, schema))
    if (form && (isSetByService(property) || (isOwn && !flat.types.has('null')))) {
      const again = isWrittenAgain(property) && ({ again: true } as const)
      return [{ property, with: 'now', owned: true, ...again, ...form }]
    }
    return ofFirst(property, schema, true, isRequired)
  }

  /** What a request can give, and does not. */
  function ofUnsent(property: string, schema: Located<Schema>, requested: Located<Schema>): ServiceWritten[] {
    const { default: standard } = flattenSchema(document, requested).keywords
    const flat = flattenSchema(document, schema)
    const isDefault = standard !== undefined && (standard !== null || flat.types.has('null'))
    if (request?.required.has(property) || isDefault) return []
    // A new record is created now, unless the request says otherwise. A later change keeps what it does not send.
    const isOfEvent = isShared || (!isChange && (isCreationTime(property) || isWrittenAgain(property)))
    const said = flattenSchema(document, requested).keywords.description
    const isSaid = !isChange && saysNow(String(said ?? ''))
    const form = isSaid ? timeFormOf(property, flat, true) : undefined
    if (form) return [{ property, with: 'now', ...form }]
    const isTime = isOfEvent && isSetByService(property) && timeFormOf(property, flat, true)
    return isTime
      ? ofService(property, schema, response)
      : ofFirst(property, schema, false, response?.required.has(property) === true)
  }

  function ofFirst(property: string, schema: Located<Schema>, owned: boolean, isRequired: boolean): ServiceWritten[] {
    const inExample = shown && ownValue(shown, property)
    const described = {
      ...{ name: property, schema, isOwned: owned || isShared, isRequired, shown: inExample },
      ...{ collection: collection.name, isShared: isShared && !owned, isNew: lines !== undefined },
      ...(isActed && { isActed }),
      ...(isResult && { isResult }),
      isAdded: given !== undefined && !Object.hasOwn(given, property),
    }
    // An object that a request gives has no key.
    const first = findFirstValue(document, described, collection.key === '' ? 1 : 0)
    if (!first) return []
    const { value, evidence, why } = first
    lines?.add('first', property, value, guess(evidence, why))
    const isStructured = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    return [{ property, with: 'constant', value, ...(owned && { owned }), ...(isStructured && { as: 'sample' }) }]
  }
}

/** Maximum depth of objects. */
const maxDepth = 3

/** Finds what the service writes in the objects that a request gives. Objects with a key are other records. */
export function findNestedWritten(
  document: OpenApiDocument,
  request: FlatSchema | undefined,
  record: Located<Schema> | undefined,
  model: Written,
  depth = 0,
): NestedWritten[] {
  if (!request || !record || depth >= maxDepth) return []
  const { properties } = flattenSchema(document, record)
  return [...request.properties].flatMap(([property, given]): NestedWritten[] => {
    const shown = properties.get(property)
    if (!shown || isReadOnly(document, shown)) return []
    const item = itemOf(document, given)
    if (item.isList) {
      // Of the items of a list, only what is documented is known.
      const serviceWritten = toDefaults(document, item.flat, item.schema, itemOf(document, shown).flat)
      return serviceWritten.length > 0 ? [{ property, serviceWritten }] : []
    }
    const sent = item.flat
    const names = [...flattenSchema(document, shown).properties.keys()]
    const inner = { name: property, key: '' }
    if (model.holder === property) {
      const times = findServiceWritten(document, sent, shown, inner).filter((each) => isCreationTime(each.property))
      return times.length > 0 ? [{ property, serviceWritten: times }] : []
    }
    if (sent.properties.size === 0 || names.some((name) => isKey(name))) return []
    const [, ...serviceWritten] = findServiceWritten(document, sent, shown, inner)
    const nested = findNestedWritten(document, sent, shown, inner, depth + 1)
    if (serviceWritten.length + nested.length === 0) return []
    return [{ property, serviceWritten, ...(nested.length > 0 && { nested }) }]
  })
}

/** By its keyword, or by the beginning of its description: `[Output Only] The time of the creation.` */
function isReadOnly(document: OpenApiDocument, schema: Located<Schema>): boolean {
  const { description = '' } = flattenSchema(document, schema).keywords
  return hasFlag(document, schema, 'readOnly') || saysReadOnly(String(description))
}

/** The alternatives of a schema, with the property that distinguishes them and its values. */
function branchesOf(
  document: OpenApiDocument,
  schema: Located<Schema> | undefined,
): { name: string; values: unknown[]; flat: FlatSchema }[] {
  const { name = '', branches = [] } = (schema && findKinds(document, schema)) ?? {}
  return branches.map(({ values }, position) => {
    return { name, values, flat: flattenSchema(document, withBranch(document, schema as Located<Schema>, position)) }
  })
}

/** Default values of request properties. Those of some alternatives are only for their records. */
function toDefaults(
  document: OpenApiDocument,
  request: FlatSchema | undefined,
  sent: Located<Schema> | undefined,
  response: FlatSchema | undefined,
): ServiceWritten[] {
  const branches = branchesOf(document, sent)
  return [...(request?.properties ?? [])].flatMap(([property, schema]): ServiceWritten[] => {
    const flat = flattenSchema(document, schema)
    const { const: only, enum: allowed = only === undefined ? undefined : [only] } = flat.keywords
    const { default: standard } = flat.keywords
    const said = () => (request?.required.has(property) ? undefined : defaultIn(flat, allowed))
    const own = response?.properties.get(property)
    const isNullable = own !== undefined && flattenSchema(document, own).types.has('null')
    const value = standard === undefined || (standard === null && !isNullable) ? said() : standard
    if (value === undefined || hasFlag(document, schema, 'readOnly')) return []
    const owners = branches.filter((each) => each.flat.properties.has(property))
    const [{ name } = { name: '' }] = owners
    const isOfSome = owners.length > 0 && owners.length < branches.length
    const tags = isOfSome && { only: [name, owners.flatMap(({ values }) => values)] satisfies ServiceWritten['only'] }
    return [{ property, with: 'constant', value, ...tags }]
  })
}
