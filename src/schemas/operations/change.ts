/** Describes the change of a record by a request: what the request has of it, and which schemas it has before and afterwards. */
import type { EffectKind } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { withOwnNames } from '../aliases.js'
import { type FlatSchema, flattenSchema, hasFlag } from '../flatten-schema.js'
import { findRequestRecord, type RequestRecord, type Sending } from './request-record.js'

export interface DescribedChange {
  request: RequestRecord | undefined
  /** With the names of the record. */
  requested: FlatSchema | undefined
  /** The schema of what answers show, and of what callers write. */
  answered: Located<Schema>
  written: Located<Schema>
}

interface Changing extends Sending {
  kind: EffectKind
  /** The schema of the record in the answer. */
  record: Located<Schema> | undefined
  /** The names that lead to the list to which it adds the body. */
  at?: unknown
}

/**
 * @param own the schema of the records of the collection
 * @param ownName the property of the record that a name in the request means, if that is another one
 */
export function describeChange(
  document: OpenApiDocument,
  changing: Changing,
  own: Located<Schema>,
  ownName: (name: string) => string | undefined,
): DescribedChange {
  const { kind, record, at } = changing
  const request = at ? undefined : findRequestRecord(document, changing, own)
  const sent = request && flattenSchema(document, request.schema)
  const names = [...(sent?.properties.keys() ?? [])].flatMap((name): [string, string][] => {
    const named = ownName(name)
    return named === undefined ? [] : [[name, named]]
  })
  const requested = sent && withOwnNames(sent, names)
  // A creation may answer with a part of the record, or only with its key.
  const isPart = kind === 'create' && record !== undefined && lacksProperties(document, record, own)
  const answered = isPart ? joined(record.value as object)(own.value as object) : (record ?? own)
  return { request, requested, answered, written: findWritten(document, answered, own, request?.schema, requested) }
}

/** The schema of a part of a record with the rest: the same one for the same parts, so that it is read once. */
const joined: (part: object) => (whole: object) => Located<Schema> = oncePer((part: object) =>
  oncePer((whole: object) => ({ value: { allOf: [part as Schema, whole as Schema] }, path: [] })),
)

export function isWriting(kind: EffectKind): boolean {
  return kind === 'create' || kind === 'replace' || kind === 'update'
}

function lacksProperties(document: OpenApiDocument, part: Located<Schema>, whole: Located<Schema>): boolean {
  const { properties } = flattenSchema(document, part)
  return [...flattenSchema(document, whole).properties.keys()].some((name) => !properties.has(name))
}

/**
 * The schema of the properties that callers write. If an answer marks all of them as `readOnly`, that only means that it is
 * an answer, so the mark is ignored.
 */
function findWritten(
  document: OpenApiDocument,
  answered: Located<Schema>,
  record: Located<Schema>,
  request: Located<Schema> | undefined,
  requested: FlatSchema | undefined,
): Located<Schema> {
  if (!request || !requested) return answered
  const isReadOnly = (schema: Located<Schema>) => hasFlag(document, schema, 'readOnly')
  const sent = [...requested.properties].filter(([, schema]) => !isReadOnly(schema))
  const isWritable = (schema: Located<Schema>) => {
    const { properties } = flattenSchema(document, schema)
    const shared = sent.flatMap(([name]) => properties.get(name) ?? [])
    return shared.length === 0 || shared.some((each) => !isReadOnly(each))
  }
  return [answered, record].find(isWritable) ?? request
}
