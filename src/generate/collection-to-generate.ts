/** The input of all steps that generate the records of one collection. */

import type { Faker } from '@faker-js/faker'
import type { CollectionModel } from '../contract/contract.js'
import type { Validate } from '../contract/validator.js'
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
} from '../document/document.js'
import { resolve } from '../document/references.js'
import type { Random } from '../json/random.js'
import type { SamplerPlan } from '../json/sampler/sampler-plan.js'
import type { PlanCompiler } from '../schemas/compile-plans.js'
import type { Key, Values } from '../state/stored-record.js'
import { ownerOfRecords } from '../values/value-looks.js'
import type { Hint } from './hints.js'

export interface CollectionToGenerate {
  document: OpenApiDocument
  model: CollectionModel
  /** Path of the schema of a record in the document. */
  schemaPath: DocumentPath
  /** Paths of further schemas in which answers show records. */
  shownPaths: readonly DocumentPath[]
  validate: Validate
  /** The sampler plans of the contract. */
  plans: readonly SamplerPlan[]
  /** Compiles the plans of the records. */
  compiler: PlanCompiler
  /** Milliseconds since 1970. Generated times are relative to it. */
  now: number
  examples: DocumentExamples
  hints: { readonly [property: string]: Hint }
  /** The number of records to generate. */
  records: number
  /** Whether lists begin with the oldest record. */
  isOldestFirst: boolean
  /** Values of properties that refer to records of other collections, by the number of the record. */
  references: (index: number) => Values
  /** The same for properties with keys of other records, for a record with the given other values. */
  named: (index: number, values: Values, from: Origin) => Values
  /** For hints with methods. */
  faker: Faker
  random: Random
}

/** Where the values of a record are from: made for it, combined of those of others, or an example of the document. */
export type Origin = 'made' | 'combined' | 'example'

export interface DocumentExamples {
  /** Records, with a key if the example has one. Examples with the same key complete each other. */
  records: { key: Key | undefined; values: Values }[]
  /** Whether they are of requests, which have only a part of a record. */
  arePartial?: boolean
  /** Keys in examples of parameters and of the key property. */
  keys: Key[]
}

/** The schema of a returned record. */
export function findRecordSchema(document: OpenApiDocument, path: DocumentPath): Located<Schema> {
  const value = path.reduce<unknown>((at, part) => {
    // A path may lead through a `$ref`.
    const own = isReference(at) && !Object.hasOwn(at, part) ? resolve<object>(document, at, []).value : at
    return (own as Record<string | number, unknown> | undefined)?.[part]
  }, document)
  // Answers without a schema show what requests have.
  return { value: (value ?? { type: 'object' }) as Schema, path }
}

/** Splits values into visible and hidden ones. */
export function splitHidden(
  { model: { hidden = [] } }: CollectionToGenerate,
  values: Values,
): [shown: Values, hidden: Values] {
  if (hidden.length === 0) return [values, {}]
  const entries = Object.entries(values)
  const isHidden = ([name]: [string, unknown]) => hidden.includes(name)
  return [Object.fromEntries(entries.filter((entry) => !isHidden(entry))), Object.fromEntries(entries.filter(isHidden))]
}

/** The name of the records of a collection, which decides how their values look. */
export function ownerIn({ document, model, schemaPath }: CollectionToGenerate): string {
  const { value, path } = findRecordSchema(document, schemaPath)
  const pointer = `#/${path.filter((key) => key !== 'items').join('/')}`
  return ownerOfRecords(model.name, (typeof value === 'object' ? value.$ref : undefined) ?? pointer)
}
