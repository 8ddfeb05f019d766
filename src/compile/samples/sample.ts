/** Makes a value from the examples and the schema of a document, always the same. */

import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { createRandom, toSeed } from '../../json/random.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { createPlanCompiler, type PlanCompiler } from '../../schemas/compile-plans.js'
import { exampleOf } from '../../schemas/examples.js'
import { createExampleLooks, type ExampleUse } from '../../values/example-looks.js'

/** Returns an example of a response body: that of the media type, else one from its schema. */
export function sampleMediaType(document: OpenApiDocument, media: Located<MediaTypeObject>): unknown {
  const example = exampleOf(document, media)
  return example === undefined && media.value.schema !== undefined ? sample(document, schemaOf(media)) : example
}

/**
 * Returns an example of a schema, made by the maker of values.
 * @param name the name of the property or parameter
 * @param isBrief whether only what is required, fixed or told is in it, and null where that is allowed
 */
export function sample(document: OpenApiDocument, schema: Located<Schema>, name = '', isBrief = false): unknown {
  const status = String(schema.path[schema.path.indexOf('responses') + 1])
  const compiler = compilersOf(document)[isBrief ? 'brief' : /^2..$/.test(status) ? 'success' : 'other']()
  const plan = compiler.add(schema.value, { name })
  const example = isBrief ? 'brief' : 'whole'
  return makeValue(compiler.plans, plan, { random: createRandom(toSeed(name)), record: 0, example })
}

const compilersOf = oncePer((document: OpenApiDocument) => {
  const compilerFor = (use: ExampleUse) => {
    let compiler: PlanCompiler | undefined
    return () => (compiler ??= createPlanCompiler(document, createExampleLooks(use), 1))
  }
  return { brief: compilerFor('brief'), success: compilerFor('success'), other: compilerFor('other') }
})
