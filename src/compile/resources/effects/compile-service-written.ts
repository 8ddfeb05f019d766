/** Finds the properties that the service writes: those in the response that the request lacks or marks `readOnly`. */
import type { CollectionModel } from '../../../contract/contract.js'
import type { ServiceWritten } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { type FlatSchema, flattenSchema, hasFlag } from '../../schemas/flatten-schema.js'
import { sample, sampleGiven } from '../../schemas/sample.js'
import { findTag, withBranch } from '../../schemas/tagged.js'
import { isMade, timeFormOf } from './time-form.js'

const isWrittenAgain = /^(updated|modified|modification|changed|last)|(updated|modified|changed)$/i

/**
 * @param request what the request describes, with the names of the record
 * @param record schema of the record that the operation returns
 */
export function compileServiceWritten(
  document: OpenApiDocument,
  request: FlatSchema | undefined,
  record: Located<Schema> | undefined,
  collection: CollectionModel,
): ServiceWritten[] {
  const response = record && flattenSchema(document, record)
  const key: ServiceWritten = { property: collection.key, with: 'key', owned: true }
  const ownedIn = (flat: FlatSchema | undefined) =>
    [...(flat?.properties ?? [])].flatMap(([property, schema]): ServiceWritten[] => {
      const requested = request?.properties.get(property)
      const isWritable =
        requested !== undefined && !hasFlag(document, schema, 'readOnly') && !hasFlag(document, requested, 'readOnly')
      if (property === collection.key || isWritable) return []
      if (collection.ownKeys?.some((each) => each.property === property)) {
        return [{ property, with: 'key', owned: true }]
      }
      return toServiceWritten(document, property, schema, flat)
    })
  const tagged = record && findTag(document, record)
  const branches = (tagged?.branches ?? []).map(({ values }, position) => {
    return { values, flat: flattenSchema(document, withBranch(document, record as Located<Schema>, position)) }
  })
  // A property that only some alternatives have is written only in records of those alternatives.
  const owned = ownedIn(response).filter(({ property }) => branches.every(({ flat }) => flat.properties.has(property)))
  const ofBranches = branches.flatMap(({ values, flat }) =>
    ownedIn(flat)
      .filter(({ property }) => !owned.some((each) => each.property === property))
      .map((each): ServiceWritten => ({ ...each, only: [tagged?.name ?? '', values] })),
  )
  return [key, ...owned, ...ofBranches, ...toDefaults(document, request)]
}

function toServiceWritten(
  document: OpenApiDocument,
  property: string,
  schema: Located<Schema>,
  response: FlatSchema | undefined,
): ServiceWritten[] {
  const flat = flattenSchema(document, schema)
  const { keywords, types } = flat
  const isRequired = response?.required.has(property) === true
  const form = timeFormOf(property, flat, isMade.test(property))
  if (form && (isMade.test(property) || (isRequired && !types.has('null')))) {
    return [{ property, with: 'now', owned: true, ...(isWrittenAgain.test(property) ? { again: true } : {}), ...form }]
  }
  if (keywords.default !== undefined) return [{ property, with: 'constant', owned: true, value: keywords.default }]
  if (!isRequired) return []
  const value = sampleGiven(keywords) ?? (types.has('null') ? null : sample(document, schema))
  const isStructured = typeof value === 'object' && value !== null
  return [{ property, with: 'constant', owned: true, value, ...(isStructured && { as: 'sample' }) }]
}

/** Default values of request properties. */
function toDefaults(document: OpenApiDocument, request: FlatSchema | undefined): ServiceWritten[] {
  return [...(request?.properties ?? [])].flatMap(([property, schema]): ServiceWritten[] => {
    const value = flattenSchema(document, schema).keywords.default
    return value === undefined || hasFlag(document, schema, 'readOnly') ? [] : [{ property, with: 'constant', value }]
  })
}
