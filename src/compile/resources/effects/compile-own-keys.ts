/** Compiles what names a record besides its key: further keys that the service makes, and values that are unique. */

import type { CollectionModel, NestedKey, OwnKey, UniqueProperty } from '../../../contract/contract.js'
import type { Effect } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { refuseUnknown } from '../../../document/refuse-unknown.js'
import { propertyExamples, schemaExamples } from '../../../schemas/examples.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
import { findExamplePlaces } from '../../../schemas/operations/example-places.js'
import { sentBy } from '../../../schemas/operations/request-record.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { compileKey } from './compile-key.js'
import type { Group } from './compile-scope.js'

/** The further keys and the unique properties of records that an operation creates. */
export function compileOwnKeys(
  context: OperationContext,
  group: Group,
): Pick<CollectionModel, 'ownKeys' | 'nestedKeys' | 'unique'> {
  const { document } = context
  const { members, record, lines } = group
  if (!members.some(({ kind }) => kind === 'create')) return {}
  const { properties } = flattenSchema(document, record)
  const own: OwnKey[] = []
  const nested: NestedKey[] = []
  for (const [index, line] of lines.all('keys').entries()) {
    const { about: property } = line
    const making = group.makings.get(property)
    if (!making) refuseUnknown(line, property, properties.keys(), 'property of the record', String(index))
    const made = compileKey(context, making ?? { keyKind: 'string' })
    const end = properties.has(property) ? -1 : property.lastIndexOf('/')
    if (end < 0) own.push({ property, ...made })
    else nested.push({ list: property.slice(0, end), property: property.slice(end + 1), ...made })
  }
  const unique = compileUnique(document, group)
  return {
    ...((own.length > 0 || (lines.isComplete('keys') && nested.length === 0)) && { ownKeys: own }),
    ...(nested.length > 0 && { nestedKeys: nested }),
    ...(unique.length > 0 && { unique }),
  }
}

function compileUnique(document: OpenApiDocument, group: Group): UniqueProperty[] {
  const { lines, model } = group
  const sent = sentBy(document, group)
  const places = findExamplePlaces(document, group).filter(({ is }) => is === 'draft')
  return lines.all('unique').flatMap((line, index): UniqueProperty[] => {
    const { about: property } = line
    refuseUnknown(line, property, sent.keys(), 'property that creations send', String(index))
    const schema = sent.get(property)
    if (!schema || property === model.key) return []
    const shown = places.flatMap((place) => propertyExamples(document, place, property))
    return [{ property, examples: [...shown, ...schemaExamples(document, schema)].filter((each) => each != null) }]
  })
}

/** Hides the secrets that only the answer to a creation shows, or to an operation that makes them again. */
export function hideShownOnce({ members, lines }: Group, effects: ReadonlyMap<DescribedOperation, Effect>): void {
  const once = lines.all('shownOnce').map(({ about }) => about)
  for (const { operation, lines: own } of once.length > 0 ? members : []) {
    const effect = effects.get(operation)
    if (!effect || !('collection' in effect) || effect.kind === 'create' || own.value('renews')) continue
    effect.hidden = [...(effect.hidden ?? []), ...once]
  }
}
