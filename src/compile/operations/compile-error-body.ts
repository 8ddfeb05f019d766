/** Compiles the bodies of errors that lines describe to bodies that a refusal can fill in. */
import type { FoundErrorBody, SampledPart } from '../../behaviour/members.js'
import type { ErrorBody, ErrorPart, UsualField } from '../../contract/documented-response.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { isObject } from '../../json/own-value.js'
import { sample } from '../samples/sample.js'
import type { EnsureCompiler } from './compile-ensure.js'

/** Compiles the error bodies of a document, each once. */
export type ErrorBodyCompiler = (found: FoundErrorBody) => ErrorBody

export function createErrorBodyCompiler(document: OpenApiDocument, ensures: EnsureCompiler): ErrorBodyCompiler {
  return oncePer(({ schema, part, ...found }: FoundErrorBody): ErrorBody => {
    const { fields } = found
    const toSample = () => fields && Object.fromEntries(fields.map((name) => [name, samples[name]]))
    const ensure = schema && ensures.addFor(schema as Located<Schema>, toSample)
    return { ...found, ...(part && { part: withSamples(document, part) }), ...(ensure && { ensure }) }
  })
}

/** Makes the values that the schema requires and nothing says. */
function withSamples(document: OpenApiDocument, part: ErrorPart): ErrorPart {
  return within(part) as ErrorPart

  function within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(within)
    if (!isObject(value)) return value
    const { from, schema } = value as unknown as SampledPart | { from: unknown; schema?: unknown }
    if (from === 'sample') return { from: 'constant', value: sample(document, { value: schema as Schema, path: [] }) }
    // The values of these parts are those of examples, and have no parts.
    if (from === 'constant' || from === 'choice') return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each)]))
  }
}

const samples: Record<UsualField, unknown> = { code: 'code', message: 'message', status: 500 }
