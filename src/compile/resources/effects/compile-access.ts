/** Compiles the places of records in the bodies of an operation, and their envelopes. */
import type { ChangeAccess, Envelope, FixedBody } from '../../../contract/effects/effect.js'
import { isObject } from '../../../json/own-value.js'
import type { DescribedOperation } from '../../describe-operations.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document.js'
import { withLazy } from '../../once.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import { recordContent } from '../../operations/compile-representations.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import type { Candidate } from '../facts/candidate.js'
import { findFacts } from '../queries/query-facts.js'

/** The envelope of a record or a list. Undefined if there is none. */
export function compileEnvelope(
  { document, ensures }: { document: OpenApiDocument; ensures: EnsureCompiler },
  { success, pointer, isMap }: Candidate,
): Envelope | undefined {
  if (!success?.schema || (pointer.length === 0 && !isMap)) return undefined
  const ensure = ensures.add(success.schema)
  const counts = pointer.at(-1) === '0' ? countsOf(document, success.schema, pointer.slice(0, -1)) : []
  const toBody = () => counts.reduce(withOne, success.example ?? '{}')
  return withLazy({ pointer, ensure, ...(isMap && { isMap: true as const }) }, 'body', toBody)
}

/** The properties beside a list that say how many items it has. */
function countsOf(document: OpenApiDocument, schema: Located<Schema>, list: string[]): string[] {
  const { properties } = flattenSchema(document, schema)
  const facts = findFacts(schema, { document, positions: [], list })
  return facts.flatMap(({ from, pointer: [name = '', ...others] }) => {
    const isNumber = flattenSchema(document, properties.get(name) ?? schema).types.has('integer')
    return (from === 'total' || from === 'count') && others.length === 0 && isNumber ? [name] : []
  })
}

/** A body whose list has one item. */
function withOne(body: string, name: string): string {
  const value: unknown = JSON.parse(body)
  return isObject(value) && Object.hasOwn(value, name) ? JSON.stringify({ ...value, [name]: 1 }) : body
}

/** A body that does not show the record. */
export function compileFixed({ ensures }: { ensures: EnsureCompiler }, success: DescribedSuccess): FixedBody {
  const { schema, base64 } = success
  if (base64 !== undefined) return { base64 }
  const ensure = schema && ensures.addFor(schema, () => JSON.parse(success.example ?? 'null'))
  return withLazy(ensure ? { ensure } : {}, 'body', () => success.example)
}

/** The schema of a request body, and of the record in it. */
export interface RequestRecord {
  given: NonNullable<ChangeAccess['given']>
  schema: Located<Schema>
}

/**
 * Finds the record in a request body: the whole body, or the same place as in the answer.
 * @param pointer the names that lead to the record in the answer
 * @param record the schema of the record
 */
export function findRequestRecord(
  document: OpenApiDocument,
  operation: DescribedOperation,
  pointer: readonly string[],
  record: Located<Schema> | undefined,
): RequestRecord | undefined {
  const content = recordContent(document, operation)
  if (content?.value.schema === undefined) return undefined
  let schema = schemaOf(content)
  const given: string[] = []
  for (const name of pointer) {
    const { properties, items } = flattenSchema(document, schema)
    const inner = name === '0' ? items : properties.get(name)
    if (!inner) break
    schema = inner
    given.push(name)
  }
  if (given.length > 0 && isObjectSchema(flattenSchema(document, schema))) return { given, schema }
  if (given.length > 0) return findRequestRecord(document, operation, [], record)
  // Only requests wrap the record: in a property that records do not have, alone or beside a file.
  const isFile = ([, each]: [string, Located<Schema>]) =>
    /^(binary|byte)$/.test(flattenSchema(document, each).keywords.format ?? '')
  const [only, ...others] = [...flattenSchema(document, schema).properties].filter((each) => !isFile(each))
  const isWrapper =
    only !== undefined &&
    others.length === 0 &&
    isObjectSchema(flattenSchema(document, only[1])) &&
    record !== undefined &&
    !flattenSchema(document, record).properties.has(only[0])
  return isWrapper ? { given: [only[0]], schema: only[1] } : { given, schema }
}
