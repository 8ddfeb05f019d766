/** Compiles which other records the records of a collection show. */

import { fromAbout } from '../../../behaviour/line.js'
import { nothing } from '../../../behaviour/vocabulary.js'
import type { CreateEffect, KeyedEffect, Reference } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import { isWriting } from '../../../schemas/operations/change.js'
import { findRequestRecord } from '../../../schemas/operations/request-record.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { Group, Groups } from './compile-scope.js'
import type { StatefulOperation } from './ensure-records.js'

/** Adds to the effects of a collection which other records its records show. */
export function compileReferences(
  { document, shapes }: OperationContext,
  groups: Groups,
  group: Group,
  operations: readonly StatefulOperation[],
): void {
  refuseUnknownReferences(document, groups, group, operations)
  addLinks(groups, group, linkedOf(document, groups, group))
  for (const { candidate, effect } of operations) {
    const found = candidate.lines.value('refers') ?? []
    if (!isWriting(effect.kind) && effect.kind !== 'action') continue
    const change = effect as CreateEffect | KeyedEffect
    if (found.some((each) => each.in === undefined)) change.given ??= []
    addLinks(
      groups,
      group,
      found.filter(({ isSaid }) => isSaid),
    )
    const isListed = ({ from, property }: Pick<Reference, 'from' | 'property'>) =>
      change.listed?.some((each) => each.from === from || each.property === property)
    const all = found.filter((each) => !isListed(each))
    if (all.length === 0) continue
    change.references = all.map(({ target, isSaid: _, ...each }) => ({
      ...each,
      ...(target && { shape: shapes.add(target as Located<Schema>, 'response') }),
    }))
  }
}

function refuseUnknownReferences(
  document: OpenApiDocument,
  groups: Groups,
  { lines, record }: Group,
  operations: readonly StatefulOperation[],
): void {
  for (const line of lines.all('references')) {
    const [first = ''] = fromAbout(line.about)
    const { properties } = flattenSchema(document, record)
    const sent = operations.flatMap(({ candidate }) => {
      const request = findRequestRecord(document, candidate, record)
      return request ? [...flattenSchema(document, request.schema).properties.keys()] : []
    })
    refuseUnknown(line, first, [...properties.keys(), ...sent], 'property of the record', line.about)
    refuseUnknown(line, line.says.to ?? '', [...groups.keys(), nothing], 'collection', line.about)
  }
}

/** The properties that links of the document give to paths of other records. */
function linkedOf(document: OpenApiDocument, groups: Groups, { lines, record }: Group): ReferenceKey[] {
  const { properties } = flattenSchema(document, record)
  return lines.all('references').flatMap(({ about, says, evidence }) => {
    const [property, schema] = [about, properties.get(about)]
    const collection = groups.get(says.to ?? '')?.model.name
    const isPlain = schema && evidence.author === 'document' && !flattenSchema(document, schema).types.has('array')
    return isPlain && collection !== undefined ? [{ property, collection }] : []
  })
}

type ReferenceKey = Pick<Reference, 'property' | 'keys' | 'collection' | 'within' | 'isList'>

/** Generated records have keys of records that exist, where only the key is shown. */
function addLinks(groups: Groups, { model }: Group, references: readonly ReferenceKey[]): void {
  for (const { property, keys, collection = '', within, isList } of references) {
    const other = [...groups.values()].find((each) => each.model.name === collection)?.model
    if (keys || within || isList || !other) continue
    const { links = [] } = model
    if (links.some(({ values }) => values[0]?.[0] === property)) continue
    model.links = [...links, { collection, values: [[property, other.key]] }]
  }
}
