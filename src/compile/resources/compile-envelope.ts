/** Compiles the object around a list. */
import type { EnvelopeField, ListEffect } from '../../contract/effect.js'
import type { EnsureCompiler } from '../compile-ensure.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { sample, sampleGiven } from '../schemas/sample.js'

/** @param listProperty the property that contains the list */
export function compileEnvelope(
  { document, ensures }: { document: OpenApiDocument; ensures: EnsureCompiler },
  flat: FlatSchema,
  listProperty: string,
  schema: Located<Schema>,
): Pick<ListEffect, 'envelope' | 'ensureBody'> {
  const envelope = [...flat.properties].flatMap(([name, property]): EnvelopeField[] => {
    if (name === listProperty) return [{ name, from: 'records' }]
    const { types, keywords } = flattenSchema(document, property)
    const isNumber = types.has('integer') || types.has('number')
    if (isNumber && /^total([_-]?(count|items|records|results))?$/i.test(name)) return [{ name, from: 'total' }]
    if (isNumber && /^(count|size)$/i.test(name)) return [{ name, from: 'count' }]
    if (types.has('boolean') && /^has[_-]?(more|next)$/i.test(name)) return [{ name, from: 'more' }]
    const value = flat.required.has(name) ? sample(document, property) : sampleGiven(keywords)
    return value === undefined ? [] : [{ name, from: 'constant', value }]
  })
  const empty = { records: [], total: 0, count: 0, more: false }
  const toBody = () =>
    Object.fromEntries(
      envelope.map((field) => [field.name, field.from === 'constant' ? field.value : empty[field.from]]),
    )
  const ensureBody = ensures.addFor(schema, toBody)
  return { envelope, ...(ensureBody && { ensureBody }) }
}
