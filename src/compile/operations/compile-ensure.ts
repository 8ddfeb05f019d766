/** Compiles how the body of a response is made valid, unless it always is. */

import type { Ensure } from '../../contract/effects/ensure.js'
import type { Validate } from '../../contract/validator.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { createNotes } from '../../document/notes.js'
import type { ExactValue } from '../../json/exact-value.js'
import { getOrInsert } from '../../json/own-value.js'
import { ensureValid } from '../../json/sampler/ensure-valid.js'
import { aboutOf, createPlanCompiler, type PlanCompiler } from '../../schemas/compile-plans.js'
import type { ShapeCompiler } from '../../schemas/compile-shapes.js'
import { createValidatorCompiler, type ValidatorCompiler } from '../../schemas/compile-validators.js'
import { placeOf } from '../../schemas/flatten-schema.js'
import { createValueLooks } from '../../values/value-looks.js'
import { sample } from '../samples/sample.js'

export interface EnsureCompiler {
  /** @param schema the schema of a response body, or of a record in it */
  add(schema: Located<Schema>): Ensure
  /**
   * The same for a constant value.
   * @returns undefined if proving is enabled and the value is valid
   */
  addFor(schema: Located<Schema>, toValue: () => unknown): Ensure | undefined
  /** Whether to leave out values that are proven valid. Proving takes time. */
  isProving: boolean
}

export interface EnsureParts {
  document: OpenApiDocument
  shapes: ShapeCompiler
  validators: ValidatorCompiler
  plans: PlanCompiler
  isProving: boolean
}

export function createEnsureCompiler({ document, shapes, validators, plans, isProving }: EnsureParts): EnsureCompiler {
  const known = new Map<string, Ensure>()

  function add(schema: Located<Schema>): Ensure {
    return getOrInsert(known, placeOf(document, schema), () => ({
      validate: validators.add(schema, 'response'),
      plan: plans.add(schema.value),
      shape: shapes.add(schema, 'response'),
    }))
  }

  return {
    add,
    addFor: (schema, toValue) => (isProving && isValid(document, schema, toValue()) ? undefined : add(schema)),
    isProving,
  }
}

/** Whether a value is valid, by a separate validator. */
export function isValid(document: OpenApiDocument, schema: Located<Schema>, value: unknown): boolean {
  return judgeOf(document, schema)?.(value) === true
}

/** Returns a sample of a schema, made valid by a separate validator. @param name the name of the property with the value */
export function sampleValid(document: OpenApiDocument, schema: Located<Schema>, name?: string): unknown {
  const value = sample(document, schema, name)
  const judge = judgeOf(document, schema)
  const { plans, add } = createPlanCompiler(document, createValueLooks(aboutOf(document)))
  const plan = add(schema.value)
  return (judge && ensureValid({ value: value as ExactValue, judge, plans, plan, seed: 1 })) ?? value
}

function judgeOf(document: OpenApiDocument, schema: Located<Schema>): Validate | undefined {
  const compiler = createValidatorCompiler(document, createNotes(), { isForModule: false })
  const number = compiler.add(schema, 'response')
  return compiler.toFunctions()[number]
}
