/** Compiles the places of records in the bodies of an operation, and their envelopes. */
import type { Envelope, FixedBody } from '../../../contract/effects/effect.js'
import { valueAt, withNested } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { withLazy } from '../../once.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import type { Candidate } from '../facts/candidate.js'
import { examplesAt } from '../facts/examples.js'
import { findFacts } from '../queries/query-facts.js'

type Values = Readonly<Record<string, unknown>>

/** The envelope of a record or a list. Undefined if there is none. */
export function compileEnvelope(
  { document, ensures }: { document: OpenApiDocument; ensures: EnsureCompiler },
  { success, pointer, isMap }: Candidate,
): Envelope | undefined {
  if (!success?.schema || (pointer.length === 0 && !isMap)) return undefined
  const ensure = ensures.add(success.schema)
  const counts = pointer.at(-1) === '0' ? countsOf(document, success.schema, pointer.slice(0, -1)) : []
  const schema = success.schema
  const toBody = () => {
    const shown: unknown = JSON.parse(exampleWith(document, schema.path, pointer) ?? success.example ?? '{}')
    return JSON.stringify(isObject(shown) ? counts.reduce(withOne, shown) : shown)
  }
  return withLazy({ pointer, ensure, ...(isMap && { isMap: true as const }) }, 'body', toBody)
}

/** The first of several examples of an answer that has the place of the record. */
function exampleWith(
  document: OpenApiDocument,
  schemaPath: Located<Schema>['path'],
  [name = '']: readonly string[],
): string | undefined {
  const examples = examplesAt(document, { path: schemaPath.slice(0, -1), pointer: [], is: 'record' })
  return examples.length > 1
    ? JSON.stringify(examples.find((each) => isObject(each) && Object.hasOwn(each, name)))
    : undefined
}

/** The properties beside a list that say how many items it has. */
function countsOf(document: OpenApiDocument, schema: Located<Schema>, list: string[]): string[][] {
  const facts = findFacts(schema, { document, positions: [], list, examples: [] })
  return facts.flatMap(({ from, pointer }) => (from === 'total' || from === 'count' ? [pointer] : []))
}

/** A body whose list has one item. */
function withOne(body: Values, pointer: string[]): Values {
  return typeof valueAt(body, pointer) === 'number' ? withNested(body, pointer, 1) : body
}

/** A body that does not show the record. */
export function compileFixed({ ensures }: { ensures: EnsureCompiler }, success: DescribedSuccess): FixedBody {
  const { schema, base64 } = success
  if (base64 !== undefined) return { base64 }
  const ensure = schema && ensures.addFor(schema, () => JSON.parse(success.example ?? 'null'))
  return withLazy(ensure ? { ensure } : {}, 'body', () => success.example)
}
