/** Compiles what names a record besides its key: further keys that the service makes, and values that are unique. */

import { guess } from '../../../behaviour/line.js'
import type { CollectionModel, NestedKey, OwnKey, UniqueProperty } from '../../../contract/contract.js'
import type { Effect } from '../../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { findExamplePlaces, propertyExamples, schemaExamples } from '../../../infer/facts/examples.js'
import { nameOf } from '../../../infer/facts/facts.js'
import { toSimilar } from '../../../infer/facts/find-key-form.js'
import { findKeyMaking, type KeyMaking, withoutParameters } from '../../../infer/facts/find-key-making.js'
import { sentBy } from '../../../infer/facts/request-record.js'
import { refuseUnknown } from '../../../infer/read-extensions.js'
import { isObject } from '../../../json/own-value.js'
import { endsLikeSecret, isId, isSecret, mayBeMade } from '../../../lexicon/keys.js'
import { saysOnce } from '../../../lexicon/texts.js'
import { isRenewing } from '../../../lexicon/verbs.js'
import { bareName, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../../schemas/operations/describe-operations.js'
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
  const all = lines.all('keys')
  const own = all.flatMap((line, index): OwnKey[] => {
    const { about: property } = line
    if (nestedIn(document, group, property)) return []
    const schema = propertyOf(document, group, property)
    if (!schema) refuseUnknown(line, property, properties.keys(), 'property of the record', String(index))
    return [{ property, ...compileKey(context, makingOf(document, group, property, schema)) }]
  })
  const nested = all.flatMap(({ about }) => compileNested(context, group, about) ?? [])
  const unique = compileUnique(document, group)
  return {
    ...((own.length > 0 || lines.isComplete('keys')) && { ownKeys: own }),
    ...(nested.length > 0 && { nestedKeys: nested }),
    ...(unique.length > 0 && { unique }),
  }
}

/** The schema of a property of records, or of the answers of creations alone. */
function propertyOf(
  document: OpenApiDocument,
  { record, members }: Pick<Group, 'record' | 'members'>,
  property: string,
): Located<Schema> | undefined {
  const created = members.flatMap(({ kind, record: each }) => (kind === 'create' && each ? [each] : []))
  const found = [record, ...created].map((each) => flattenSchema(document, each).properties.get(property))
  return found.find((each) => each !== undefined)
}

function makingOf(
  document: OpenApiDocument,
  { record, members, model }: Group,
  property: string,
  schema: Located<Schema> | undefined,
): KeyMaking {
  const usual = findKeyMaking(document, property, schema, record, withoutParameters(members))
  const isNamed = mayBeMade(property) && (isId(property) || usual.keyKind !== 'string' || usual.schema !== undefined)
  const isUsual = isSecret(bareName(property), model.name) || bareName(property) === 'clientid'
  return (!isNamed && isUsual && schema && secretMaking(document, schema)) || usual
}

/** How a secret is made: in the form of its example, or of letters and digits. */
function secretMaking(document: OpenApiDocument, schema: Located<Schema>): KeyMaking {
  const { pattern, minLength = 0, maxLength = usualLength } = flattenSchema(document, schema).keywords
  if (pattern !== undefined) return { keyKind: 'string', schema: schema.value }
  const shown = schemaExamples(document, schema).find((each) => typeof each === 'string' && each.length >= leastSecret)
  const similar = shown === undefined ? undefined : toSimilar(String(shown))
  const length = Math.min(maxLength, Math.max(minLength, usualLength))
  return { keyKind: 'string', schema: { type: 'string', pattern: similar ?? `^[\\dA-Za-z]{${length}}$` } }
}

/** The usual length of a secret, and the least that an example must have to show its form. */
const [usualLength, leastSecret] = [32, 12]

/** The schemas of a list of objects, and of their key, if a line is about one. */
function nestedIn(
  document: OpenApiDocument,
  { record }: Group,
  about: string,
): { list: string; property: string; items: Located<Schema>; schema: Located<Schema> } | undefined {
  const end = about.lastIndexOf('/')
  if (end < 0) return undefined
  const [list, property] = [about.slice(0, end), about.slice(end + 1)]
  const schema = flattenSchema(document, record).properties.get(list)
  const items = schema && flattenSchema(document, schema).items
  const key = items && flattenSchema(document, items).properties.get(property)
  return items && key && { list, property, items, schema: key }
}

function compileNested(context: OperationContext, group: Group, about: string): NestedKey | undefined {
  const { document } = context
  const found = nestedIn(document, group, about)
  if (!found) return undefined
  const { list, property, items, schema } = found
  const places = findExamplePlaces(document, group).filter(({ is }) => is !== 'key')
  const objects = places.flatMap((place) => propertyExamples(document, place, list)).flat()
  const examples = objects.flatMap((object) => (isObject(object) ? [object[property]] : []))
  return { list, property, ...compileKey(context, findKeyMaking(document, property, schema, items, [], examples)) }
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
export function hideShownOnce(
  document: OpenApiDocument,
  { record, members, lines }: Group,
  effects: ReadonlyMap<DescribedOperation, Effect>,
): void {
  const { required, properties } = flattenSchema(document, record)
  const once = [...properties].flatMap(([property, schema]) => {
    const { description } = flattenSchema(document, schema).keywords
    // Fields of other names may be left out for other reasons.
    const isOnce = endsLikeSecret(property) && saysOnce(String(description ?? ''))
    return isOnce && !required.has(property) ? [property] : []
  })
  for (const { operation, node } of once.length > 0 ? members : []) {
    const effect = effects.get(operation)
    if (!effect || !('collection' in effect) || effect.kind === 'create' || isRenewing(firstWord(nameOf(node))))
      continue
    effect.hidden = [...(effect.hidden ?? []), ...once]
  }
  for (const about of once)
    lines.add('shownOnce', about, true, guess('description', 'only the answer to a creation has it'))
}

function firstWord(name: string): string {
  return wordsOf(name)[0] ?? ''
}
