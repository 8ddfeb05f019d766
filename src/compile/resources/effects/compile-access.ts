/** Compiles the places of records in the bodies of an operation, and their envelopes. */

import type { Envelope, FixedBody } from '../../../contract/effects/effect.js'
import type { OpenApiDocument } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { toJsonPointer } from '../../../json/json-pointer.js'
import { valueAt, withNested } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import { examplesAt } from '../../../schemas/examples.js'
import type { EnsureCompiler } from '../../operations/compile-ensure.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import type { CompiledCandidate } from '../known-operation.js'

type Values = Readonly<Record<string, unknown>>

/** The envelope of a record or a list. Undefined if there is none. */
export function compileEnvelope(
  { document, ensures }: { document: OpenApiDocument; ensures: EnsureCompiler },
  { success, pointer, isMap, kind, lines }: CompiledCandidate,
): Envelope | undefined {
  if (!success?.schema || (pointer.length === 0 && !isMap)) return undefined
  const ensure = ensures.add(success.schema)
  const schema = success.schema
  const toBody = () => {
    const examples = examplesAt(document, { path: schema.path.slice(0, -1), pointer: [], is: 'record' })
    const shown: unknown = fromJson(exampleWith(examples, pointer) ?? success.example ?? '{}')
    if (!isObject(shown)) return toJson(shown)
    const isSampled = kind !== 'list' && examples.length === 0
    const isEntry = pointer.at(-1) === '0'
    const list = isEntry ? pointer.slice(0, -1) : pointer
    const { counts = [], pages = [] } = lines.value('beside', toJsonPointer(list)) ?? {}
    const counted = (isEntry || isSampled ? counts : []).reduce((body, each) => withOne(body, each, isEntry), shown)
    return toJson(isSampled ? pages.reduce(without, counted) : counted)
  }
  return withLazy({ pointer: [...pointer], ensure, ...(isMap && { isMap: true as const }) }, 'body', toBody)
}

/** The first of several examples of an answer that has the place of the record. */
function exampleWith(examples: readonly unknown[], [name = '']: readonly string[]): string | undefined {
  return examples.length > 1 ? toJson(examples.find((each) => isObject(each) && Object.hasOwn(each, name))) : undefined
}

/** A body without a link to another page, which one record has not. */
function without(body: Values, pointer: string[]): Values {
  const [name = '', inner = ''] = pointer
  const { [inner]: _, ...others } = Object(body[name])
  return { ...body, [name]: others }
}

/** A body with one record. @param isEntry whether it is in a list, so that other counts are wrong, too */
function withOne(body: Values, pointer: string[], isEntry: boolean): Values {
  const count = valueAt(body, pointer)
  return count === 0 || (isEntry && typeof count === 'number') ? withNested(body, pointer, 1) : body
}

/** A body that does not show the record. */
export function compileFixed({ ensures }: { ensures: EnsureCompiler }, success: DescribedSuccess): FixedBody {
  const { schema, base64 } = success
  if (base64 !== undefined) return { base64 }
  const ensure = schema && ensures.addFor(schema, () => fromJson(success.example ?? 'null'))
  return withLazy(ensure ? { ensure } : {}, 'body', () => success.example)
}
